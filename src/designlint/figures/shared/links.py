"""What is said about the links between two parts of a network, and the verdict on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.figures.shared.canvas import WIDTH
from designlint.figures.shared.facts import margin
from designlint.figures.shared.switches import RIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.figures.shared.canvas import Canvas
    from designlint.figures.shared.facts import Facts
    from designlint.findings.model import Margin
    from designlint.findings.report import Report

#: Where the words on links stand, and how far their lines are apart.
WORDS, LINE = RIGHT + 14.0, 14.0
VERDICTS = {"good": "within", "bad": "beyond"}


class Link(NamedTuple):
    """
    What joins two parts.

    Attributes:
        between: the parts, as a sentence starts with them.
        lines: what is said, line by line.
        ratio: bandwidths compared, with the limit; and the word before it in a sentence.
        verdict: `good`, `bad`, or nothing where no rule judged them.
    """

    between: str
    lines: Sequence[str]
    ratio: str = ""
    verdict: str = ""
    measure: str = ""

    @property
    def look(self) -> str:
        """How it is drawn."""
        return "s-bad" if self.verdict == "bad" else "s-edge thin"

    def words(self, canvas: Canvas, middle: float) -> None:
        """What is said, beside the links, around a height."""
        count = len(self.lines) + bool(self.ratio)
        top = middle - (count * LINE) / 2 + 11
        for number, line in enumerate(self.lines):
            canvas.text(
                WORDS, top + LINE * number, line, "ink t-small b" if number == 0 else "dim t-small", WIDTH - WORDS
            )
        if self.ratio:
            at, y = WORDS + (14 if self.verdict else 0), top + LINE * len(self.lines)
            canvas.mark(WORDS + 5, y - 4, self.verdict)
            canvas.text(at, y, self.ratio, f"{self.verdict or 'ink'} t-small b", WIDTH - at)

    @property
    def description(self) -> str:
        """The same as a sentence."""
        verdict = f", {VERDICTS[self.verdict]} the limit" if self.verdict else ""
        return (
            f"{self.between}: {', '.join(self.lines)}{f'; {self.measure}{self.ratio}{verdict}' if self.ratio else ''}"
        )


def judge_link(link: Link, what: str, ratio: float | None, found: Margin | None) -> Link:
    """A link with the ratio of its bandwidths, and the limit of the rule that judges it."""
    if ratio is None:
        return link._replace(lines=[*link.lines, f"{link.measure}{what}: unknown"])
    limit = f" (limit {found.limit:.3g}:1)" if found else ""
    verdict = "" if found is None else "bad" if found.room < 0 else "good"
    return link._replace(ratio=f"{what} {ratio:.3g}:1{limit}", verdict=verdict)


def to_hosts(report: Report, facts: Facts, word: str) -> Link:
    """The links to what is attached, each switch of which is called so."""
    taken, speed, per = facts.text_of("ports_taken"), facts.text_of("host_speed"), facts.text_of("host_ports_per_leaf")
    room = facts.text_of("leaf_capacity") or (
        facts.text_of("fat_tree_capacity") if facts.text_of("kind") == "single-switch" else ""
    )
    told = f"{taken} of {room} ports taken" if taken and room else f"{taken} ports taken" if taken else f"{room} ports"
    each = [one for one in (speed and f"{speed} each", per and f"{per} on each {word}") if one]
    link, found = Link("Host links", each), margin(report, facts, "ports_taken")
    if found and found.room < 0:
        return link._replace(ratio=told, verdict="bad")
    return link._replace(lines=[told if taken or room else "ports not stated", *each])
