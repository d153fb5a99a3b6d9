"""What is known about a part of a design: numbers to draw, words to print, and why something is not known."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from designlint.design.known import Known
from designlint.figures.shared.figure import Omission
from designlint.figures.shared.text import name
from designlint.graph.subjects import Subject
from designlint.language.values import is_number
from designlint.rules.wording import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from designlint.design.design import Design
    from designlint.figures.shared.figure import Figure
    from designlint.findings.model import Margin
    from designlint.findings.report import Report
    from designlint.graph.subjects import Fact

#: Letters of a name that leave room for what is said of it.
NAMES = 36


class Facts(Known):
    """The facts of one subject and of its parts, as pictures show them."""

    def __init__(self, design: Design, subject: Subject) -> None:
        super().__init__(design, subject)
        self.vocabulary = design.engine.vocabulary

    @property
    def name(self) -> str:
        """What people call it, as a picture shows it."""
        return name(self.subject.name, NAMES)

    def number(self, word: str) -> float | None:
        """A number that can be drawn; None where it is not known."""
        fact = self.fact(word)
        return fact if is_number(fact) and isfinite(fact) else None

    def text_of(self, word: str, unit: str = "") -> str:
        """A fact as `why` prints it, or in another unit; empty where it is not known."""
        fact = self.fact(word)
        if fact is None or isinstance(fact, list):
            return ""
        if unit and isinstance(fact, int | float):
            return self.vocabulary.units.format(fact, self.kind(word), unit=unit)
        return name(plain(fact, self.kind(word), self.vocabulary.units))

    def part(self, *words: str) -> Facts | None:
        """A part, by the words that lead to it; None where there is none."""
        here: Fact | None = self.subject
        for word in words:
            here = here.facts.get(word) if isinstance(here, Subject) else None
        return Facts(self.design, here) if isinstance(here, Subject) else None

    def kind(self, word: str) -> str:
        """The kind of quantity of a word."""
        path = self.vocabulary.path(self.subject.cls, word) or (word,)
        return self.vocabulary.word(self.subject.cls, path).kind

    def amount(self, value: float, kind: str) -> str:
        """A value as a person writes it."""
        return self.vocabulary.units.format(value, kind)

    def lacks(self, words: Sequence[str]) -> str:
        """Why a picture cannot be drawn: the first of the words that is unknown, and what it waits for; empty where none is."""
        word = next((one for one in words if self.number(one) is None), None)
        if word is None:
            return ""
        plan = self.design.engine.plan
        path = self.vocabulary.path(self.subject.cls, word) or (word,)
        for one, last in self.subject.follow(path):
            waits = list(dict.fromkeys(plan.lacks(one, (last,), {})))
            place = f"{one.path}/{last}".lstrip("/")
            wanted = ", ".join(name(each, 120) for each in waits if each != place)
            return f"{name(place, 120)} is unknown" + (f": it needs {wanted}" if wanted else "")
        return f"{word} is unknown"

    def place(self, word: str) -> str:
        """Where a design would state a word."""
        path = self.vocabulary.path(self.subject.cls, word) or (word,)
        return name("/".join((self.subject.path, *path)), 120)


def margin(report: Report, facts: Facts, measured: str) -> Margin | None:
    """How a number of a subject compares with the limit of the rule that leaves it least room; None where none judged it."""
    file, path = facts.design.document.file, facts.subject.path
    found = [
        one.margin
        for one in report.outcomes
        if one.margin and one.margin.name == measured and one.subject == path and one.file == file
    ]
    return min(found, key=lambda one: one.room, default=None)


def worst(report: Report, facts: Facts, measured: str, below: str) -> tuple[str, Margin | None]:
    """The part below a subject whose number leaves least room, and how it compares with its limit."""
    file, path = facts.design.document.file, f"{facts.subject.path}/{below}/"
    found = [
        (one.margin.room, one.subject, one.margin)
        for one in report.outcomes
        if one.margin and one.margin.name == measured and one.subject.startswith(path) and one.file == file
    ]
    _, subject, tightest = min(found, key=lambda one: one[:2], default=(0.0, "", None))
    part = facts.design.graph.subjects.get(subject)
    return (name(part.name) if part else "", tightest)


def each(
    design: Design, kind: str, title: str, cls: str, most: int, draw: Callable[[Facts, str], Figure | str]
) -> Iterator[Figure | Omission]:
    """A figure of each part of a class that the design states; `draw` gives it under a name, or says why there is none."""
    known = Facts.of_kind(design, cls)
    for label, one in zip(_labels(kind, known[:most]), known[:most], strict=True):
        drawn = draw(one, label)
        yield Omission(label, title, drawn) if isinstance(drawn, str) else drawn
    if len(known) > most:
        yield Omission(f"{kind}-others", title, f"only the first {most} of {len(known)} are drawn")
    if not known:
        yield Omission(kind, title, f"the design states no {cls.lower()}")


def _labels(kind: str, subjects: Sequence[Facts]) -> list[str]:
    """A name for the figure of each subject: plain letters, no two alike."""
    found: dict[str, None] = {}
    for one in subjects:
        plainly = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in one.subject.name[:40])
        label = base = f"{kind}-{plainly.strip('-').lower() or 'unnamed'}"
        number = 1
        while label in found:
            number += 1
            label = f"{base}-{number}"
        found[label] = None
    return [*found]
