"""
A derived graph carried on to designs that differ in some parts at the top: one cluster, many jobs.

What cannot differ is taken over as it was read and calculated; only the other parts are read, and only what may differ
with them is calculated again. The tests hold such graphs against those that are built whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.findings.timing import time_call
from designlint.graph.apart import NAMING, TOP
from designlint.graph.build import Builder
from designlint.graph.naming import suggest_names
from designlint.graph.subjects import Subject

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from designlint.graph.apart import Differences
    from designlint.graph.derive import Plan
    from designlint.graph.subjects import Fact, Graph
    from designlint.language.words import Word
    from designlint.reading.tree import Node


class Copied:
    """
    A subject as it is taken over.

    Attributes:
        facts: those that cannot differ.
        led: which of them lead to other subjects, and to which, by number.
        owner: the number of the subject that holds it; -1 for the design.
    """

    __slots__ = ("facts", "led", "origins", "owner", "subject")

    def __init__(self, subject: Subject, numbers: Mapping[int, int], other: Differences) -> None:
        self.subject = subject
        self.owner = -1 if subject.owner is None else numbers[id(subject.owner)]
        self.facts: dict[str, Fact] = {}
        self.led: list[tuple[str, Any]] = []
        for word, fact in subject.facts.items():
            if (subject.cls, word) not in other.words:
                self.facts[word] = fact
                if isinstance(fact, Subject):
                    self.led.append((word, numbers.get(id(fact))))
                elif isinstance(fact, list) and any(isinstance(one, Subject) for one in fact):
                    self.led.append((word, [numbers.get(id(one)) for one in fact]))
        self.origins = {word: subject.origins[word] for word in self.facts}

    def leads_away(self) -> bool:
        """Whether a fact leads to a subject that is not taken over."""
        return any(at is None or (isinstance(at, list) and None in at) for _, at in self.led)


class Carried:
    """
    What the graphs of one cluster have in common.

    Args:
        graph: one of them, built and derived whole, without a fault of its shape.
        root: its tree.
        live: the words at the top that may hold something else.
        other: what may differ with them.

    Attributes:
        whole: nothing keeps the common parts from being taken over.
        names: words of theirs that name subjects which may differ: by the number of the subject, with what the file states.
        stated: the numbers of the subjects that the file states, and in `filled` of those that are filled in, by the part
            at the top with which they come.
    """

    def __init__(self, graph: Graph, root: Node, live: Collection[str], other: Differences) -> None:
        self.vocabulary, self.live, self.other, self.root = graph.vocabulary, frozenset(live), other, root
        every = [one for one in graph.subjects.values() if _top(one) not in self.live]
        numbers = {id(one): at for at, one in enumerate(every)}
        self.parts = [Copied(one, numbers, other) for one in every]
        self.whole = not graph.unread and not any(one.leads_away() for one in self.parts)
        self.names = [(at, word, one.keys[word.name]) for at, one in enumerate(every) for word in self._naming(one)]
        self.stated = _group_numbers((at for at, one in enumerate(every) if one.node is not None), every)
        self.filled = _group_numbers((at for at, one in enumerate(every) if one.node is None), every)

    def _naming(self, subject: Subject) -> Iterable[Word]:
        words = self.vocabulary.classes[subject.cls]
        differing = (words[name] for name in subject.keys if (subject.cls, name) in self.other.words)
        return (word for word in differing if word.form in NAMING)

    def fits(self, root: Node) -> bool:
        """Whether a tree has the same common parts, in the same order."""
        same = self.root.entries
        return (
            self.whole
            and list(root.entries) == list(same)
            and all(node is same[word] for word, node in root.entries.items() if word not in self.live)
        )


def _top(subject: Subject) -> str:
    """The part at the top that a subject belongs to."""
    return subject.path.partition("/")[0]


def _group_numbers(numbers: Iterable[int], subjects: Sequence[Subject]) -> dict[str, list[int]]:
    """Numbers of subjects by the part at the top that the file states and with which each comes; empty for the design's own."""
    found: dict[str, list[int]] = {}
    for at in numbers:
        one = subjects[at]
        while one.node is None and one.owner is not None:
            one = one.owner
        found.setdefault(_top(one), []).append(at)
    return found


class Carrier(Builder):
    """Builds one graph out of what it has in common with others; subjects come in the same order as where it is built whole."""

    def __init__(self, common: Carried, today: str) -> None:
        super().__init__(common.vocabulary, today)
        self.common = common
        self._made: list[Subject] = [None] * len(common.parts)  # type: ignore[list-item]  # filled one by one
        self._own: list[Subject] = []

    def carry(self, root: Node, plan: Plan, steps: Collection[int] | None) -> Graph | None:
        """The derived graph of a tree that fits; None where a part of it could not be read, which may touch all others."""
        time_call("graph", self._build_part, root)
        if self._unread:
            return None
        own: dict[str, list[Subject]] = {}
        for one in self._own:
            for kind in one.kinds:
                own.setdefault(kind, []).append(one)
        time_call("derive", plan.run, self.graph, steps, (self.common.other.steps, own))
        return self.graph

    def _build_part(self, root: Node) -> None:
        common, words = self.common, self.vocabulary.classes[TOP]
        self._take(common.stated[""], root)
        top = self.graph.root
        live: dict[str, list[Subject]] = {}
        for word, child in root.entries.items():
            if word in common.live:
                before = len(self.graph.subjects)
                if not (child.kind == "scalar" and child.scalar() is None):
                    self._state(top, words[word], child)
                live[word] = list(self.graph.subjects.values())[before:]
            else:
                self._take(common.stated.get(word, ()), root)
        self._take(common.filled.get("", ()), root)
        for word in root.entries:
            before = len(self.graph.subjects)
            for one in live.get(word, ()):
                self._fill(one)
            self._own += live.get(word, ())
            self._own += list(self.graph.subjects.values())[before:]
            self._take(common.filled.get(word, ()), root)
        self._lead()
        self._refer()
        self.problems = suggest_names(self.problems)
        self.graph.link()

    def _take(self, numbers: Iterable[int], root: Node) -> None:
        """Take subjects over, without what leads to others."""
        graph = self.graph
        for at in numbers:
            copied = self.common.parts[at]
            old = copied.subject
            one = self._made[at] = Subject(
                old.path, old.cls, old.node, None if copied.owner < 0 else self._made[copied.owner]
            )
            one.facts, one.origins, one.keys, one.kinds = (
                copied.facts.copy(),
                copied.origins.copy(),
                old.keys,
                old.kinds,
            )
            if copied.owner < 0:
                one.node, one.keys = root, {word: root.entries[word] for word in old.keys}
            graph.subjects[one.path] = one
            for kind in one.kinds:
                graph.by_class.setdefault(kind, []).append(one)

    def _lead(self) -> None:
        """Let what is taken over lead to what is taken over."""
        for one, copied in zip(self._made, self.common.parts, strict=True):
            for word, at in copied.led:
                one.facts[word] = [self._made[each] for each in at] if isinstance(at, list) else self._made[at]

    def _refer(self) -> None:
        """Let what the other parts name, and what may lead to them, lead there."""
        for at, word, node in self.common.names:
            listed = node.items if node.kind == "list" and word.form == "names" else [node]
            self._names.append((self._made[at], word, listed))
        self._resolve()
        own, differing = {id(one) for one in self._own}, self.common.other.words
        for one in self.graph.subjects.values():
            for word in self.vocabulary.roles(one.cls).pointing:
                if id(one) in own or (one.cls, word.name) in differing:
                    self._point(one, word)
