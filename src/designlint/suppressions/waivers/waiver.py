"""What a waiver is, wherever it stands: which rules, why, until when, on what condition."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from designlint.findings.model import Problem
from designlint.language.values import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.design.design import Design
    from designlint.reading import Document


#: Words that only keep the place of a reason, in small letters and digits.
PLACEHOLDERS = frozenset({"fixme", "na", "none", "tba", "tbd", "todo", "unknown", "wip", "xxx"})


class WaivedRule(NamedTuple):
    """A rule, or a topic as `network/*`, that a waiver names, and where it does."""

    pattern: str
    start: int
    end: int


class Waiver(Struct):
    """
    One waiver as stated.

    Attributes:
        start: of the comment or of the entry, as `end` offsets into the document.
        stated: reason, until, owner, ticket and while, as far as stated.
        lines: of a comment, the lines that it is for.
        on: of an entry, the part of the design that it is for; None for a comment.
    """

    document: Document
    start: int
    end: int
    rules: tuple[WaivedRule, ...]
    stated: Mapping[str, str]
    lines: tuple[int, ...] = ()
    on: str | None = None
    used: set[WaivedRule] = field(default_factory=set)

    @property
    def explained(self) -> bool:
        """Whether its reason says anything: it is neither blank nor a placeholder."""
        reason = self.stated.get("reason", "")
        return visible(reason) and "".join(filter(str.isalnum, reason.casefold())) not in PLACEHOLDERS

    def problem(self, rule: str, named: WaivedRule | None = None, /, **values: str) -> Problem:
        """A fault of the waiver, at a rule that it names or at all of it."""
        start, end = (self.start, self.end) if named is None else named[1:]
        return Problem(rule, self.document, start, end, values)

    def has_ended(self, today: str) -> bool:
        """Whether its last day has passed."""
        return self.stated.get("until", today) < today


def matches(pattern: str, rule: str) -> bool:
    """Whether a rule is the one that is named, or of the topic that is."""
    return pattern == rule or (pattern.endswith("/*") and rule.startswith(pattern[:-1]))


class IdleWaiver(Struct, frozen=True):
    """A waiver without effect: what is told of it, and whether nobody would miss it."""

    waiver: Waiver
    named: WaivedRule
    problem: Problem
    useless: bool


UNUSED = "waiver/unused"


def documents(design: Design) -> list[Document]:
    """The files that a design is made of, its own first."""
    if "extends" not in design.graph.root.keys:
        return [design.document]
    nodes = (one.node for one in design.graph.subjects.values() if one.node is not None)
    return list({id(one): one for one in (design.document, *(node.document for node in nodes))}.values())
