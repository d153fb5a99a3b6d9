"""The nodes of a design and what is known about each, with where every fact comes from."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct, field

from designlint.language.values import is_number

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from designlint.language.vocabulary import Vocabulary
    from designlint.reading.tree import Node

Fact: TypeAlias = "bool | int | float | str | Subject | list[Any]"


class Origin(Struct, frozen=True):
    """
    Where a fact comes from.

    Attributes:
        how: `stated`, `catalog`, `default`, `sole`, `followed` or `derived`.
        note: catalogue entry, path that was followed, or how an importer came by a stated value.
        source: key in the bibliography of a catalogue figure.
        confidence: how the figure is known to stand there.
        inputs: the facts it was computed from.
        step: number of the calculation in the plan.
    """

    how: str
    note: str = ""
    source: str = ""
    inputs: Sequence[tuple[Subject, str]] = ()
    step: int = -1
    confidence: str = ""


STATED = Origin("stated")
DEFAULT = Origin("default")
GIVEN = Origin("given")


def origin_of(node: Node) -> Origin:
    """How a file states a value: by itself, or as an importer read it there."""
    if node.origin is None or node.origin[0] == "stated":
        return STATED
    how, note = node.origin
    if how == "default":
        return Origin("stated", f"default of {note}" if note else "default")
    return Origin("stated", f"{how}: {note}" if note else how)


class Subject:
    """
    One node of the design.

    Attributes:
        path: its place in the design, which is also its IRI: `workloads/pretrain/parallelism`.
        node: the mapping in the file, or None where it exists only by the catalogue or by implication.
        keys: the node of each stated word.
        kinds: its class and all classes above.
        unread: words that it may state in a place that could not be read: they are not left out, they are unknown.
        back: by word, the subjects that hold or name this one; filled by `Graph.link`.
    """

    __slots__ = ("back", "cls", "facts", "keys", "kinds", "node", "origins", "owner", "path", "unread")

    def __init__(self, path: str, cls: str, node: Node | None, owner: Subject | None) -> None:
        self.path, self.cls, self.node, self.owner = path, cls, node, owner
        self.facts: dict[str, Fact] = {}
        self.origins: dict[str, Origin] = {}
        self.keys: dict[str, Node] = {}
        self.kinds: Sequence[str] = (cls,)
        self.back: dict[str, list[Subject]] = {}
        self.unread: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """What people call it: its stated name, else the last part of its path."""
        stated = self.facts.get("name")
        return stated if isinstance(stated, str) else self.path.rpartition("/")[2] or "the design"

    @property
    def imported(self) -> bool:
        """Whether it, or the nearest part that holds it and is stated, comes from a foreign file."""
        holder: Subject | None = self
        while holder is not None and holder.node is None:
            holder = holder.owner
        return holder is not None and holder.node is not None and holder.node.origin is not None

    def part(self, word: str) -> Subject | None:
        """One of its parts, or what one of its words names; None where there is none."""
        fact = self.facts.get(word)
        return fact if isinstance(fact, Subject) else None

    def number(self, path: str) -> float | None:
        """The number at a path of words, such as `racks/feeds`; None where it is not known."""
        part, _, rest = path.partition("/")
        if rest:
            inner = self.part(part)
            return None if inner is None else inner.number(rest)
        fact = self.facts.get(part)
        return fact if is_number(fact) else None

    def state(self, word: str, fact: Fact, origin: Origin) -> None:
        """Add one fact."""
        self.facts[word] = fact
        self.origins[word] = origin

    def follow(self, path: Sequence[str]) -> Iterator[tuple[Subject, str]]:
        """
        Every place at the end of a path: the subject and the word, whether the fact is there or not.

        A step is a word that holds or names other subjects, or `^Class.word`: those of the class that so hold or name this
        one; `^Class.word|other` takes either word.
        """
        here = [self]
        for step in path[:-1]:
            here = here[0].step(step) if len(here) == 1 else [one for subject in here for one in subject.step(step)]
        return ((subject, path[-1]) for subject in here)

    def step(self, step: str) -> list[Subject]:
        """The subjects one step away."""
        if step[0] != "^":
            return _subjects(self.facts.get(step))
        cls, ways = _backwards(step)
        return [one for way in ways for one in self.back.get(way, ()) if cls in one.kinds]


@lru_cache
def _backwards(step: str) -> tuple[str, list[str]]:
    """The class and the words of a step that goes backwards."""
    cls, _, words = step[1:].partition(".")
    return cls, words.split("|")


def _subjects(fact: Fact | None) -> list[Subject]:
    if isinstance(fact, list):
        return [one for one in fact if isinstance(one, Subject)]
    return [fact] if isinstance(fact, Subject) else []


class Graph(Struct):
    """All nodes of one design."""

    vocabulary: Vocabulary
    subjects: dict[str, Subject] = field(default_factory=dict)
    by_class: dict[str, list[Subject]] = field(default_factory=dict)
    #: Words that some mapping may state in a place that could not be read.
    unread: frozenset[str] = frozenset()

    def add(self, subject: Subject) -> Subject:
        """Take a node in; a path already taken gets a mark, so that no node hides another."""
        while subject.path in self.subjects:
            subject.path += "~"
        self.subjects[subject.path] = subject
        subject.kinds = self.vocabulary.is_a(subject.cls)
        for name in subject.kinds:
            self.by_class.setdefault(name, []).append(subject)
        return subject

    def others(self, cls: str, named: Iterable[Fact]) -> list[Any]:
        """The subjects of a class that none of these facts holds."""
        taken = {id(one) for fact in named for one in _subjects(fact)}
        return [one for one in self.by_class.get(cls, ()) if id(one) not in taken]

    def link(self) -> None:
        """Let every subject know who holds or names it."""
        for subject in self.subjects.values():
            for word, fact in subject.facts.items():
                if fact.__class__ is Subject or fact.__class__ is list:  # few of all
                    for one in _subjects(fact):
                        one.back.setdefault(word, []).append(subject)

    def mark_unread(self, paths: Mapping[str, Collection[str] | None]) -> None:
        """
        Let words be unknown, not left out, in mappings that could not be read whole.

        Args:
            paths: the words whose values could not be read, or None where a key is no word and may stand for any; `.` is
                the path of the design.
        """
        for subject in self.subjects.values():
            if (path := subject.path or ".") in paths:
                only = paths[path]
                words = self.vocabulary.classes[subject.cls].items()
                subject.unread = frozenset(
                    name
                    for name, one in words
                    if one.written and name not in subject.facts and (only is None or name in only)
                )
                self.unread |= subject.unread

    def silent(self) -> list[Subject]:
        """The parts that exist only because every part does: no file states them, nothing is known of them."""
        found: list[Subject] = []
        for subject in reversed(self.subjects.values()):
            told = [fact for word, fact in subject.facts.items() if subject.origins[word].how != "sole"]
            if subject.node is None and all(any(fact is one for one in found) for fact in told):
                found.append(subject)
        return found

    @property
    def root(self) -> Subject:
        """The design itself."""
        return self.subjects[""]
