"""What a design says of one of its parts, in plain values: texts, counts, numbers, flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from designlint.graph.subjects import Subject
from designlint.language.values import is_number

if TYPE_CHECKING:
    from designlint.design.design import Design
    from designlint.graph.subjects import Fact
    from designlint.reading import Document, Node


class Spot(NamedTuple):
    """Where something stands: a stretch of a file."""

    document: Document
    start: int
    end: int


class Known:
    """The facts of a part, by the words that rules use."""

    def __init__(self, design: Design, subject: Subject) -> None:
        self.design, self.subject = design, subject

    @classmethod
    def of_kind(cls, design: Design, kind: str) -> list[Self]:
        """The parts of a class that the design states, in its order."""
        return [cls(design, one) for one in design.graph.by_class.get(kind, ()) if one.node is not None]

    def fact(self, word: str) -> Fact | None:
        """The fact that a word means here; None where it is not known."""
        path = self.design.engine.vocabulary.path(self.subject.cls, word) or (word,)
        return next((one.facts[last] for one, last in self.subject.follow(path) if last in one.facts), None)

    def text(self, word: str) -> str:
        """A text; empty where it is not known."""
        fact = self.fact(word)
        return fact if isinstance(fact, str) else ""

    def count(self, word: str) -> int | None:
        """A whole number; None where it is not known."""
        fact = self.fact(word)
        return fact if isinstance(fact, int) and not isinstance(fact, bool) else None

    def number(self, word: str) -> float | None:
        """A number; None where it is not known."""
        fact = self.fact(word)
        return float(fact) if is_number(fact) else None

    def flag(self, word: str) -> bool | None:
        """A flag; None where it is not known."""
        fact = self.fact(word)
        return fact if isinstance(fact, bool) else None

    def parts(self, word: str) -> list[Subject]:
        """The parts that a list holds."""
        fact = self.fact(word)
        return [one for one in fact if isinstance(one, Subject)] if isinstance(fact, list) else []

    @property
    def spot(self) -> Spot | None:
        """Where the design states the part."""
        return spot_of(self.subject.keys.get("name") or self.subject.node)


def spot_of(node: Node | None) -> Spot | None:
    """Where a node of a tree stands: a value itself, a part by its key or its first value."""
    if node is None:
        return None
    if node.kind == "scalar":
        return Spot(node.document, node.start, node.end)
    named = node.entries.get("name")
    if named is not None:
        return spot_of(named)
    if node.key_start >= 0:
        return Spot(node.document, node.key_start, node.key_end)
    first = next(iter(node.entries.values()), None) if node.kind == "map" else None
    if first is not None and first.key_start >= 0:
        return Spot(first.document, first.key_start, first.key_end)
    return Spot(node.document, node.start, min(node.end, node.start + 1))
