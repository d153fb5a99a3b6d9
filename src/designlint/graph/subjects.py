"""The nodes of a design and what is known about each, with where every fact comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.source.tree import Node
    from designlint.vocabulary import Vocabulary

Fact: TypeAlias = "bool | int | float | str | Subject | list[Any]"


class Origin(NamedTuple):
    """
    Where a fact comes from.

    Attributes:
        how: `stated`, `catalog`, `default`, `sole`, `followed` or `derived`.
        note: catalogue entry, or path that was followed.
        source: key in the bibliography of a catalogue figure.
        inputs: the facts it was computed from.
        step: number of the calculation in the plan.
    """

    how: str
    note: str = ""
    source: str = ""
    inputs: Sequence[tuple[Subject, str]] = ()
    step: int = -1


class Subject:
    """
    One node of the design.

    Attributes:
        path: its place in the design, which is also its IRI: `workloads/pretrain/parallelism`.
        node: the mapping in the file, or None where it exists only by the catalogue or by implication.
        keys: the node of each stated word.
        kinds: its class and all classes above.
        back: by word, the subjects that hold or name this one; filled by `Graph.link`.
    """

    __slots__ = ("back", "cls", "facts", "keys", "kinds", "node", "origins", "owner", "path")

    def __init__(self, path: str, cls: str, node: Node | None, owner: Subject | None) -> None:
        self.path, self.cls, self.node, self.owner = path, cls, node, owner
        self.facts: dict[str, Fact] = {}
        self.origins: dict[str, Origin] = {}
        self.keys: dict[str, Node] = {}
        self.kinds: Sequence[str] = (cls,)
        self.back: dict[str, list[Subject]] = {}

    @property
    def name(self) -> str:
        """What people call it: its stated name, else the last part of its path."""
        stated = self.facts.get("name")
        return stated if isinstance(stated, str) else self.path.rpartition("/")[2] or "the design"

    def state(self, word: str, fact: Fact, origin: Origin) -> None:
        """Add one fact."""
        self.facts[word] = fact
        self.origins[word] = origin

    def follow(self, path: Sequence[str]) -> Iterator[tuple[Subject, str]]:
        """
        Every place at the end of a path: the subject and the word, whether the fact is there or not.

        A step is a word that holds or names other subjects, or `^Class.word`: those of the class that so hold or name this one.
        """
        here = [self]
        for step in path[:-1]:
            here = [one for subject in here for one in subject.step(step)]
        return ((subject, path[-1]) for subject in here)

    def step(self, step: str) -> list[Subject]:
        """The subjects one step away."""
        if step[0] != "^":
            return _subjects(self.facts.get(step))
        cls, _, word = step[1:].partition(".")
        return [one for one in self.back.get(word, ()) if cls in one.kinds]


def _subjects(fact: Fact | None) -> list[Subject]:
    if isinstance(fact, list):
        return [one for one in fact if isinstance(one, Subject)]
    return [fact] if isinstance(fact, Subject) else []


@dataclass(slots=True)
class Graph:
    """All nodes of one design."""

    vocabulary: Vocabulary
    subjects: dict[str, Subject] = field(default_factory=dict)
    by_class: dict[str, list[Subject]] = field(default_factory=dict)

    def add(self, subject: Subject) -> Subject:
        """Take a node in; a path already taken gets a mark, so that no node hides another."""
        while subject.path in self.subjects:
            subject.path += "~"
        self.subjects[subject.path] = subject
        subject.kinds = self.vocabulary.is_a(subject.cls)
        for name in subject.kinds:
            self.by_class.setdefault(name, []).append(subject)
        return subject

    def link(self) -> None:
        """Let every subject know who holds or names it."""
        for subject in self.subjects.values():
            for word, fact in subject.facts.items():
                for one in _subjects(fact):
                    one.back.setdefault(word, []).append(subject)

    def silent(self) -> list[Subject]:
        """The parts that exist only because every part does: no file states them, nothing is known of them."""
        found: list[Subject] = []
        for subject in reversed(self.subjects.values()):
            if subject.node is None and all(any(fact is one for one in found) for fact in subject.facts.values()):
                found.append(subject)
        return found

    @property
    def root(self) -> Subject:
        """The design itself."""
        return self.subjects[""]
