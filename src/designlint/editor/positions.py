"""Places as editors count them: 0-based lines, columns in the code units that client and server agreed on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.workspace import ServerTextPosition

from designlint.reading.location import lines

if TYPE_CHECKING:
    from pygls.workspace import PositionCodec

    from designlint.reading import Document
    from designlint.reading.location import Location


class Positions:
    """
    Converts places of one text, here and nowhere else.

    Lines end as the protocol says, at LF, CR LF and CR, which is also how locations count them.
    """

    def __init__(self, text: str, codec: PositionCodec) -> None:
        self.lines, self.codec = lines(text), codec

    def range(self, at: Location) -> types.Range:
        """A location of this text."""
        return types.Range(self._position(at.line, at.column), self._position(at.end_line, at.end_column))

    def span(self, document: Document, start: int, end: int) -> types.Range:
        """A stretch of a document that has this text."""
        line, column, end_line, end_column = document.place(start, end)
        return types.Range(self._position(line, column), self._position(end_line, end_column))

    def offset(self, document: Document, position: types.Position) -> int:
        """The offset of a position in a document that has this text; one beyond a line's end is its end."""
        row = min(position.line, len(self.lines) - 1)
        asked = types.Position(0, position.character)  # the codec writes into what it is given
        column = self.codec.position_from_client_units([self.lines[row] + "\n"], asked).character
        if position.line > row:
            column = len(self.lines[row])
        return document.offset(row + 1, column + 1)

    def _position(self, line: int, column: int) -> types.Position:
        row = min(line, len(self.lines)) - 1
        at = ServerTextPosition(0, min(column - 1, len(self.lines[row])))
        return types.Position(row, self.codec.position_to_client_units([self.lines[row]], at).character)
