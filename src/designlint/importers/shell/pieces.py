"""Text of a script as it is put together: pieces that each know where they stand, and whether they are known at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from designlint.importers.base import How, ImportRefusal, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from designlint.importers.base import Source

SPACE = re.compile(r"[ \t\n\r]+")
#: Characters that one value may have: a script that doubles a variable forty times is no launcher.
LONGEST = 1_000_000


class Piece(NamedTuple):
    """A stretch of text with its place; `unknown` tells why there is none. Whole pieces of quotes are not split at blanks."""

    text: str
    source: Source
    start: int
    end: int
    how: How = How.STATED
    note: str = ""
    unknown: str = ""
    quoted: bool = False


Text = tuple[Piece, ...]


class TooLong(ImportRefusal):
    """A value that grows without bound."""

    def __init__(self) -> None:
        super().__init__("a value of the script grows without bound")


def flat(text: Text) -> str:
    """The characters of a text."""
    whole = text[0].text if len(text) == 1 else "".join([piece.text for piece in text])
    if len(whole) > LONGEST:
        raise TooLong
    return whole


def mark_pieces(text: Iterable[Piece], *, quoted: bool) -> list[Piece]:
    """The pieces of a text as they are within quotes, or outside."""
    return [
        one
        if one.quoted is quoted
        else Piece(one.text, one.source, one.start, one.end, one.how, one.note, one.unknown, quoted)
        for one in text
    ]


def reason(text: Text) -> str:
    """Why a text is not known; empty where it is."""
    return next((piece.unknown for piece in text if piece.unknown), "")


def value(text: Text, at: Piece | None = None) -> Value | None:
    """The text as a value where its first telling piece stands; None where it is not known."""
    if reason(text):
        return None
    place = next((piece for piece in text if piece.text.strip()), text[0] if text else at)
    if place is None or place.start < 0:
        return None
    how = next((piece.how for piece in text if piece.how is not How.STATED), How.STATED)
    note = next((piece.note for piece in text if piece.note), "")
    return Value(flat(text).strip(), place.source, place.start, place.end, how, note)


def fields(text: Iterable[Piece]) -> Iterator[Text]:
    """The words of a text: split at blanks outside quotes."""
    current: list[Piece] = []
    for piece in text:
        if piece.quoted or piece.unknown:
            current.append(piece)
            continue
        at = 0
        for found in SPACE.finditer(piece.text):
            current += _cut_piece(piece, at, found.start())
            if current:
                yield tuple(current)
            current, at = [], found.end()
        current += _cut_piece(piece, at, len(piece.text))
    if current:
        yield tuple(current)


def _cut_piece(piece: Piece, start: int, end: int) -> list[Piece]:
    """A part of a piece; of a literal, with its own place."""
    if start == end:
        return []
    if not start and end == len(piece.text):
        return [piece]
    literal = piece.end - piece.start == len(piece.text)
    place = (piece.start + start, piece.start + end) if literal else (piece.start, piece.end)
    return [Piece(piece.text[start:end], piece.source, *place, piece.how, piece.note, piece.unknown, piece.quoted)]


def cut_text(text: Text, at: int) -> tuple[Text, Text]:
    """A text in two, at a number of characters; what is unknown has none."""
    before: list[Piece] = []
    for number, piece in enumerate(text):
        if at <= len(piece.text) and not piece.unknown and (at < len(piece.text) or not at):
            return (*before, *_cut_piece(piece, 0, at)), (*_cut_piece(piece, at, len(piece.text)), *text[number + 1 :])
        at -= len(piece.text)
        before.append(piece)
    return tuple(before), ()


def partition_text(text: Text, separator: str) -> tuple[str, Text | None]:
    """What stands before a separator in the first literal piece, and all after it; None where it has none."""
    before = ""
    for number, piece in enumerate(text):
        if piece.unknown:
            return before, None
        at = piece.text.find(separator)
        if at >= 0:
            rest = _cut_piece(piece, at + len(separator), len(piece.text))
            return before + piece.text[:at], (*rest, *text[number + 1 :])
        before += piece.text
    return before, None
