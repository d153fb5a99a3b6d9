"""Names of other nodes while a graph is built, and the faults of shape that are found on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.findings.model import Problem
from designlint.graph import compound
from designlint.graph.fitting import sole
from designlint.graph.subjects import STATED, Graph, Origin, Subject
from designlint.language.sentences import cut
from designlint.language.suggestions import fold_name
from designlint.language.values import closest

if TYPE_CHECKING:
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word
    from designlint.reading.tree import Node

SOLE = Origin("sole")
#: Names that a remedy lists and compares, and problems that get a proposal: a hostile file has thousands of each.
MOST_NAMED, MOST_EXPLAINED = 40, 200


class Referring:
    """A graph that is built, whose nodes name one another; `problems` holds what is wrong with the shape of the design."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.graph = Graph(vocabulary)
        self.problems: list[Problem] = []
        self._names: list[tuple[Subject, Word, list[Node]]] = []
        self._by_name: dict[str, dict[str, Subject]] = {}
        #: Mappings that could not be read whole: the words whose values could not be read are unknown, not left out;
        #: None where a key is no word, which may stand for any.
        self._unread: dict[str, set[str] | None] = {}

    def problem(self, rule: str, node: Node, values: dict[str, Any], *, key: bool = False) -> None:
        """Note a fault of the shape, at a value or at its key."""
        start, end = (node.key_start, node.key_end) if key and node.key_start >= 0 else (node.start, node.end)
        self.problems.append(Problem(rule, node.document, start, end, values))

    def _mark(self, path: str, word: str | None = None) -> None:
        """Note what could not be read in a mapping: the value of a word, or a key."""
        words = self._unread.setdefault(path or ".", set())
        if word is None or words is None:
            self._unread[path or "."] = None
        else:
            words.add(word)

    @property
    def _explains(self) -> bool:
        return len(self.problems) < MOST_EXPLAINED

    def _proposal(self, name: str, known: list[str]) -> str:
        return (closest(name, known) or "") if self._explains else ""

    def _wrong(self, word: Word, node: Node, wanted: str, proposal: str = "", **more: str) -> None:
        seen = {"map": "a mapping", "list": "a list"}.get(node.kind, node.text[:80])
        values = {"word": word.name, "text": seen, "wanted": wanted, "proposal": proposal, **more}
        self.problem("shape/wrong-type", node, values)

    def _several(self, subject: Subject, path: str, node: Node, key: str = "") -> bool:
        """
        Whether a value states several facts, which is then noted.

        Args:
            path: of the word that it stands for, from the subject.
            key: under which it stands, where that is no word.
        """
        holder, _, name = path.rpartition("/")
        cls = self.vocabulary.classes[subject.cls][holder].kind if holder else subject.cls
        word = self.vocabulary.classes[cls][name]
        if not self._explains or node.kind != "scalar" or node.origin is not None:
            return False
        facts = compound.facts_in(self.vocabulary, cls, word, node.text)
        if list(facts.values()) in ([], [node.text]):
            return False
        stated = {} if subject.node is None else subject.node.entries
        if holder in stated:
            stated, facts = stated[holder].entries, {f"{holder}/{one}": value for one, value in facts.items()}
        elif holder:
            facts = {holder: compound.spell(facts)}
        others = [one.rpartition("/")[2] for one in facts if stated.get(one.rpartition("/")[2]) not in (None, node)]
        if others:
            return False
        for one in (word.name, *facts):
            self._mark(subject.path, one)
        written = [f"{one}: {value}" for one, value in facts.items()]
        alone = len(facts) == 1 and (word.name not in facts or fold_name(facts[word.name]) == fold_name(node.text))
        values = {
            "word": key[:80] or name,
            "text": node.text,
            "facts": "`, `".join(written),
            "fault": "a value of another key" if alone else "more than one value",
            "split": "\n".join(written),
        }
        self.problem("shape/several-facts", node, values, key=bool(key))
        return True

    def _item_name(self, item: Node, word: Word, number: int, taken: dict[str, tuple[int, Node]]) -> str:
        named = item if item.kind == "scalar" else item.entries.get("name")
        if (
            "name" not in self.vocabulary.classes[word.kind]
            or named is None
            or named.kind != "scalar"
            or not named.text
        ):
            return str(number)
        at, first = taken.setdefault(named.text, (number, named))
        if at == number:
            return named.text
        line = first.document.place(first.start, first.end)[0]
        values = {"name": named.text[:80], "first_line": line, "cls": word.kind}
        self.problem("shape/duplicate-name", named, values)
        return str(number)

    def _refer(self) -> None:
        self._resolve()
        for subject in list(self.graph.subjects.values()):
            for word in self.vocabulary.roles(subject.cls).pointing:
                self._point(subject, word)

    def _resolve(self) -> None:
        """State what the names mean that the file states."""
        for subject, word, nodes in self._names:
            found = [one for one in (self._find_named(word, node) for node in nodes) if one is not None]
            if word.form == "names":
                subject.state(word.name, list(found), STATED)
            elif found:
                subject.state(word.name, found[0], STATED)

    def _point(self, subject: Subject, word: Word) -> None:
        """State what a word that is left out means: the only candidate, or all that no other names."""
        if word.name in subject.keys:
            return
        some = self.graph.by_class.get(word.kind, ()) if word.sole else ()
        candidates = [one for one in some if one.facts.get(str(word.sole)) != 0] or some
        if len(candidates) == 1 and (subject.path or ".") not in self._unread:
            subject.state(word.name, candidates[0], SOLE)
        if word.remaining:
            named = [one.facts[word.name] for one, other, _ in self._names if other.name == word.name]
            subject.state(word.name, self.graph.others(word.kind, named), SOLE)

    def _candidates(self, cls: str) -> dict[str, Subject]:
        """The subjects of a class by name, gathered once: a wiring refers a hundred thousand times."""
        if cls not in self._by_name:
            found = self.graph.by_class.get(cls, ())
            self._by_name[cls] = {one.name: one for one in found if "name" in one.facts}
        return self._by_name[cls]

    def _may_be_unread(self, cls: str, *, known: bool) -> bool:
        """Whether the list that would hold a part of a class could not be read, or may stand under a misspelt key."""
        lists = {
            one.name for one in self.vocabulary.classes["Design"].values() if one.form == "parts" and one.kind == cls
        }
        unread = self._unread.get(".", set())
        return bool(lists) and (not known if unread is None else not lists.isdisjoint(unread))

    def _find_named(self, word: Word, node: Node) -> Subject | None:
        if node.kind != "scalar":
            inner = sole(node)
            named = inner.text if inner is not None and inner.text in self._candidates(word.kind) else ""
            self._wrong(word, node, f"the name of a {word.kind}", named)
            return None
        candidates = self._candidates(word.kind)
        if node.text in candidates:
            return candidates[node.text]
        if self._may_be_unread(word.kind, known=bool(candidates)):
            return None
        if not candidates:
            self.problem("shape/undescribed-reference", node, {"name": node.text[:80], "cls": word.kind})
            return None
        known = list(candidates)[:MOST_NAMED]
        listed = cut(list(candidates), MOST_NAMED)
        values = {"word": word.name, "name": node.text[:80], "cls": word.kind, "known": listed}
        self.problem("shape/unknown-reference", node, values | {"proposal": self._proposal(node.text, known)})
        return None
