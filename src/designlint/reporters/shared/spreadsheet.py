"""Rows as CSV (RFC 4180) in which a spreadsheet takes no cell for a formula."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from designlint.reporters.shared.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

#: What makes a spreadsheet take a cell for a formula, as typed and in full width.
FORMULAS = tuple("=+-@＝＋－＠")


def comma_separated(rows: Iterable[Iterable[object]], *, end: str = "\r\n") -> str:
    """The rows; nothing stands for None, and a text that would be a formula starts with an apostrophe."""
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator=end).writerows(map(_cell, row) for row in rows)
    return written.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text.startswith(FORMULAS) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
