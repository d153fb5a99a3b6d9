"""Rows of text as a table: in columns for a terminal, in Markdown for a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence


def align_rows(rows: Iterable[Sequence[str]], *, right: Container[int] = ()) -> list[str]:
    """A line for each row; columns of these numbers are aligned at their right edge, such as those of numbers."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = [str.rjust if at in right else str.ljust for at in range(len(widths))]
    return [
        "  ".join(side(cell, width) for side, cell, width in zip(sides, row, widths, strict=True)).rstrip()
        for row in rows
    ]


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]], *, right: Container[int] = ()) -> list[str]:
    """A line for each row below the head; the cells are Markdown already."""
    rule = " | ".join("---:" if at in right else "---" for at in range(len(head)))
    return [f"| {' | '.join(head)} |", f"| {rule} |", *(f"| {' | '.join(row)} |" for row in rows)]
