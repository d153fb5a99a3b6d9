"""Lines of files with the spans that a finding is about marked under them."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from designlint.reporters.shared.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from designlint.reading.location import Location
    from designlint.reporters.shared.terminal import Paint

#: A line of the file longer than this is shown around the span only.
WIDEST = 160


class Label(NamedTuple):
    """A span, what marks it, and what is said of it."""

    at: Location
    mark: str
    text: str


def excerpt(labels: Sequence[Label], read: Callable[[str, int], str], paint: Paint, severity: str) -> Iterator[str]:
    """
    The lines in their order, each with its mark; the first label is the finding's own span, which names the place.

    Args:
        read: gives a line of a file by its number.
        severity: the colour of the finding's own mark.
    """
    edge = margin(labels)
    bar, first = paint("frame", "|"), labels[0].at
    yield f"{edge}{paint('frame', '-->')} {printable(first.file)}:{first.line}:{first.column}"
    file = first.file
    for at, mark, label in sorted(labels, key=lambda one: (one.at.file != first.file, *one.at[:3])):
        if at.file != file:
            yield f"{edge}{paint('frame', '-->')} {printable(at.file)}:{at.line}:{at.column}"
        file = at.file
        line, start, width = _window(read(at.file, at.line), at)
        yield f"{paint('frame', str(at.line).rjust(len(edge)))} {bar} {line}"
        colour = severity if mark == "^" else "frame"
        yield f"{edge} {bar} {' ' * start}{paint(colour, mark * width)} {printable(label)}".rstrip()


def margin(labels: Sequence[Label]) -> str:
    """The blank margin that is as wide as the widest line number."""
    return " " * max(len(str(one.at.line)) for one in labels)


def _window(line: str, at: Location) -> tuple[str, int, int]:
    """The shown part of a line, the column of the mark and its width, both in terminal cells."""
    first = at.column - 1
    last = len(line) if at.end_line > at.line else at.end_column - 1
    cut = max(0, first - WIDEST // 3) if len(line) > WIDEST else 0
    left = ("…" if cut else "") + _cells(line[cut:first])
    middle = _cells(line[first : min(last, cut + WIDEST)])
    right = _cells(line[min(last, cut + WIDEST) : cut + WIDEST]) + ("…" if len(line) > cut + WIDEST else "")
    return (left + middle + right).rstrip(), _width(left), max(1, _width(middle))


def _cells(text: str) -> str:
    return printable(text.replace("\t", " "))


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text
    )
