"""What was read from one file: its text, its tree, its faults, and the line of every offset."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from designlint import recognition
from designlint.model import LINE_END

if TYPE_CHECKING:
    from designlint.source.tree import Node

#: Faults of files whose text is not all of their bytes.
UNREAD = ("syntax/not-utf8", "syntax/too-large")
TEMPLATE_RULE = "syntax/template"  # as rule id also what keeps a file from being edited


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a file is read: beyond any real design, below what would make a run slow."""

    # A 1,000-line design has 40 KB; 4 MiB of text is 0.3 s of libyaml events at most.
    bytes: int = 4 * 1024 * 1024
    # Nodes in the file. 200,000 take about 1 s and 80 MB; 60,000 lines of node pools have 180,000.
    nodes: int = 200_000
    # Nested collections. Designs nest 8 deep; code that walks the tree may recurse, Python stops at 1,000.
    depth: int = 100
    # Nodes that exist only because aliases and merge keys repeat them: a "billion laughs" ends here.
    copies: int = 100_000


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault of the text itself, at offsets of `Document.text`."""

    rule: str
    start: int
    end: int
    values: dict[str, str | int]  # what the rule's message names


class Document:
    """One file as read; `root` is None when nothing of it is usable."""

    __slots__ = ("_starts", "bom", "complete", "file", "newline", "problems", "root", "text")

    def __init__(self, file: str, text: str, *, bom: bool = False) -> None:
        self.file = file
        self.text = text
        self.bom = bom
        first = text.find("\n")
        self.newline = "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"
        self.root: Node | None = None
        self.problems: list[Problem] = []
        self.complete = True
        self._starts: list[int] | None = None

    def digest(self) -> str:
        """Names the bytes that were read; empty where the text does not tell them all."""
        content = self.content()
        return "" if content is None else recognition.digest(content)

    def content(self) -> bytes | None:
        """The bytes that were read; None where the text does not tell them all."""
        if not self.text or any(one.rule in UNREAD for one in self.problems):
            return None
        return (recognition.BOM if self.bom else b"") + self.text.encode("utf-8")

    def place(self, start: int, end: int) -> tuple[int, int, int, int]:
        """Line, column, end line and end column: 1-based, in characters, the end exclusive."""
        starts = self._line_starts()
        line, end_line = bisect_right(starts, start), bisect_right(starts, end)
        return line, start - starts[line - 1] + 1, end_line, end - starts[end_line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a place; both 1-based, the column in characters."""
        return self._line_starts()[line - 1] + column - 1

    def line(self, number: int) -> str:
        """The text of a line, without its line end."""
        starts = self._line_starts()
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def report(self, rule: str, start: int, end: int, **values: str | int) -> None:
        """Notes a fault."""
        self.problems.append(Problem(rule, start, end, values))

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *(match.end() for match in LINE_END.finditer(self.text))]
        return self._starts


def brief(text: str, most: int = 60) -> str:
    """The text on one line and short enough for a message."""
    flat = " ".join(text[: 4 * most].split())
    return flat if len(flat) <= most and len(text) <= 4 * most else flat[: most - 1] + "…"
