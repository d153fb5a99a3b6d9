"""From the tree of a file to the nodes of a design; whatever has no place in the vocabulary becomes a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.graph.naming import suggested
from designlint.graph.subjects import Graph, Origin, Subject
from designlint.model import Problem
from designlint.values import Fault, accept, closest

if TYPE_CHECKING:
    from designlint.source.tree import Node
    from designlint.vocabulary import Vocabulary, Word

STATED = Origin("stated")
DEFAULT = Origin("default")
SOLE = Origin("sole")
GIVEN = Origin("given")
#: Names that a remedy lists and compares, and problems that get a proposal: a hostile file has thousands of each.
MOST_NAMED, MOST_EXPLAINED = 40, 200


class Builder:
    """Builds one graph, as of a day; `problems` holds what is wrong with the shape of the design."""

    def __init__(self, vocabulary: Vocabulary, today: str) -> None:
        self.vocabulary, self.today = vocabulary, today
        self.graph = Graph(vocabulary)
        self.problems: list[Problem] = []
        self._names: list[tuple[Subject, Word, list[Node]]] = []
        self._by_name: dict[str, dict[str, Subject]] = {}

    def build(self, root: Node) -> Graph:
        """The graph of a design whose top is a mapping."""
        self._mapping("", "Design", root, None).state("today", self.today, GIVEN)
        for subject in list(self.graph.subjects.values()):
            self._fill(subject)
        self._refer()
        if self.problems:
            self.problems = suggested(self.problems)
        self.graph.link()
        return self.graph

    def problem(self, rule: str, node: Node, values: dict[str, Any], *, key: bool = False) -> None:
        """Note a fault of the shape, at a value or at its key."""
        start, end = (node.key_start, node.key_end) if key and node.key_start >= 0 else (node.start, node.end)
        self.problems.append(Problem(rule, node.document, start, end, values))

    # -- what the file states

    def _mapping(self, path: str, cls: str, node: Node, owner: Subject | None) -> Subject:
        subject = self.graph.add(Subject(path, cls, node, owner))
        words = self.vocabulary.classes[cls]
        for key, child in node.entries.items():
            word = words.get(key)
            if word is None or not word.written:
                self._unknown(key, child, cls, word)
            elif not (child.kind == "scalar" and child.scalar() is None):
                self._state(subject, word, child)
        for word in words.values():
            stated = node.entries.get(word.name)
            if word.required and (stated is None or (stated.kind == "scalar" and stated.scalar() is None)):
                self.problem("shape/missing-name", node, {"word": word.name, "path": path or "the design", "cls": cls})
        return subject

    def _unknown(self, key: str, child: Node, cls: str, word: Word | None) -> None:
        if word is not None:
            self.problem("shape/derived-word", child, {"word": key}, key=True)
            return
        known = [name for name, one in self.vocabulary.classes[cls].items() if one.written]
        values = {
            "word": key[:80],
            "cls": cls,
            "proposal": closest(key, known) or "",
            "known": ", ".join(sorted(known)),
        }
        self.problem("shape/unknown-word", child, values, key=True)

    def _state(self, subject: Subject, word: Word, child: Node) -> None:
        subject.keys[word.name] = child
        path = f"{subject.path}/{word.name}" if subject.path else word.name
        if word.form == "part":
            self._part(subject, word, child, path)
        elif word.form == "parts":
            self._parts(subject, word, child, path)
        elif word.form in ("name", "names"):
            listed = child.items if child.kind == "list" and word.form == "names" else [child]
            self._names.append((subject, word, listed))
        else:
            self._values(subject, word, child)

    def _part(self, subject: Subject, word: Word, child: Node, path: str) -> None:
        if child.kind == "map":
            subject.state(word.name, self._mapping(path, word.kind, child, subject), STATED)
        elif child.kind == "scalar" and "model" in self.vocabulary.classes[word.kind]:
            part = self.graph.add(Subject(path, word.kind, child, subject))
            subject.state(word.name, part, STATED)
            self._state(part, self.vocabulary.classes[word.kind]["model"], child)
        else:
            self._wrong(word, child, "a mapping")

    def _parts(self, subject: Subject, word: Word, child: Node, path: str) -> None:
        if child.kind != "list":
            self._wrong(word, child, "a list")
            return
        found: list[Any] = []
        taken: dict[str, tuple[int, Node]] = {}
        for number, item in enumerate(child.items):
            if item.kind != "map":
                self._wrong(word, item, "a mapping")
                continue
            name = self._item_name(item, word, number, taken)
            place = name.replace("%", "%25").replace("/", "%2F")
            found.append(self._mapping(f"{path}/{place}", word.kind, item, subject))
        subject.state(word.name, found, STATED)

    def _item_name(self, item: Node, word: Word, number: int, taken: dict[str, tuple[int, Node]]) -> str:
        named = item.entries.get("name")
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

    def _values(self, subject: Subject, word: Word, child: Node) -> None:
        if child.kind == "map" or (child.kind == "list" and word.form != "values"):
            self._wrong(word, child, f"a value such as {word.example}" if word.example else "one value")
            return
        values = [self._accept(word, one) for one in (child.items if child.kind == "list" else [child])]
        good = [value for value in values if value is not None]
        if word.form == "values":
            subject.state(word.name, good, STATED)
        elif good:
            subject.state(word.name, good[0], STATED)

    def _accept(self, word: Word, node: Node) -> Any:
        if node.kind != "scalar":
            self._wrong(word, node, "one value")
            return None
        value = accept(word, node.scalar(), node.text, self.vocabulary.units)
        if isinstance(value, Fault):
            self.problem(value.rule, node, value.values)
            return None
        if word.kind == "Principle" and value not in self.vocabulary.principles:
            proposal = closest(str(value), list(self.vocabulary.principles)) or ""
            self.problem("shape/unknown-principle", node, {"name": node.text[:80], "proposal": proposal})
            return None
        return value

    def _wrong(self, word: Word, node: Node, wanted: str) -> None:
        seen = {"map": "a mapping", "list": "a list"}.get(node.kind, node.text[:80])
        self.problem("shape/wrong-type", node, {"word": word.name, "text": seen, "wanted": wanted, "proposal": ""})

    # -- what the catalogue and the language fill in; a part always exists, so that what it leaves out is unknown

    def _fill(self, subject: Subject) -> None:
        model = subject.facts.get("model")
        if isinstance(model, str) and self.vocabulary.classes[subject.cls]["model"].form == "catalog":
            self._from_catalog(subject, model)
        for word in self.vocabulary.classes[subject.cls].values():
            if word.name in subject.facts:
                continue
            if word.default is not None and subject.node is not None:
                subject.state(word.name, word.default, DEFAULT)
            elif word.form == "part" and word.name not in subject.keys:
                path = f"{subject.path}/{word.name}" if subject.path else word.name
                part = self.graph.add(Subject(path, word.kind, None, subject))
                subject.state(word.name, part, DEFAULT)
                self._fill(part)

    def _from_catalog(self, subject: Subject, model: str) -> None:
        kind = self.vocabulary.classes[subject.cls]["model"].kind
        spelt = self.vocabulary.aliases.get(kind, {})
        name = spelt.get(model.lower())
        if name is None:
            values = {"name": model[:80], "cls": kind, "proposal": closest(model, sorted(spelt)) or ""}
            node = subject.keys.get("model")
            if node is not None:
                self.problem("shape/not-in-catalog", node, values)
            return
        entry = self.vocabulary.catalog[kind][name]
        origins = {word: Origin("catalog", name, source[0]) for word, source in entry["sources"].items()}
        self._pour(subject, entry["figures"], origins)

    def _pour(self, subject: Subject, figures: dict[str, Any], origins: dict[str, Origin] | Origin) -> None:
        for name, value in figures.items():
            origin = origins if isinstance(origins, Origin) else origins[name]
            word = self.vocabulary.classes[subject.cls][name]
            path = f"{subject.path}/{name}" if subject.path else name
            if word.form == "part":
                part = subject.facts.get(name)
                if not isinstance(part, Subject):
                    part = self.graph.add(Subject(path, word.kind, None, subject))
                    subject.state(name, part, origin)
                self._pour(part, value, origin)
                self._fill(part)
            elif name in subject.facts:
                continue
            elif word.form == "parts":
                subject.state(
                    name,
                    [self._poured(f"{path}/{at}", word, one, subject, origin) for at, one in enumerate(value)],
                    origin,
                )
            else:
                subject.state(name, value, origin)

    def _poured(self, path: str, word: Word, figures: dict[str, Any], owner: Subject, origin: Origin) -> Subject:
        part = self.graph.add(Subject(path, word.kind, None, owner))
        self._pour(part, figures, origin)
        self._fill(part)
        return part

    # -- names of other nodes

    def _refer(self) -> None:
        for subject, word, nodes in self._names:
            found = [one for one in (self._named(word, node) for node in nodes) if one is not None]
            if word.form == "names":
                subject.state(word.name, list(found), STATED)
            elif found:
                subject.state(word.name, found[0], STATED)
        for subject in list(self.graph.subjects.values()):
            for word in self.vocabulary.classes[subject.cls].values():
                candidates = self.graph.by_class.get(word.kind, ()) if word.sole else ()
                if word.sole and word.name not in subject.keys and len(candidates) == 1:
                    subject.state(word.name, candidates[0], SOLE)

    def _candidates(self, cls: str) -> dict[str, Subject]:
        """The subjects of a class by name, gathered once: a wiring refers a hundred thousand times."""
        if cls not in self._by_name:
            found = self.graph.by_class.get(cls, ())
            self._by_name[cls] = {one.name: one for one in found if "name" in one.facts}
        return self._by_name[cls]

    def _named(self, word: Word, node: Node) -> Subject | None:
        if node.kind != "scalar":
            self._wrong(word, node, f"the name of a {word.kind}")
            return None
        candidates = self._candidates(word.kind)
        if node.text in candidates:
            return candidates[node.text]
        known = list(candidates)[:MOST_NAMED]
        proposal = closest(node.text, known) or "" if len(self.problems) < MOST_EXPLAINED else ""
        values = {
            "word": word.name,
            "name": node.text[:80],
            "cls": word.kind,
            "proposal": proposal,
            "known": ", ".join(known) + (", ..." if len(candidates) > len(known) else ""),
        }
        self.problem("shape/unknown-reference", node, values)
        return None
