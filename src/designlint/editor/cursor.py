"""What is being written at a cursor, while the text around it need not parse yet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from designlint.editor.spots import DesignSpot, spot_at
from designlint.reading import read_bytes
from designlint.reading.location import lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word
    from designlint.reading import Node

#: Stands where the cursor is, so that the reader says in which mapping and under which key that is.
MARK = "designlintcursor"
#: What a key, an item or a value begins behind.
BEFORE = re.compile(r"^\s*(?:- +)*|[{\[,]\s*|(?<=\w):\s+")
#: Behind a key that has its colon already.
NAMED = re.compile(r"[ \t]*:(?=\s|\Z)")
AFTER = re.compile(r"[\w/.+-]*")
COMMENT = re.compile(r"(?:^|\s)#")
CLOSING = {"{": "}", "[": "]"}
INDENTED = re.compile(r"^( *)((?:- +)*)[^\s#-]")


class Cursor(NamedTuple):
    """
    The key or the value being written.

    Attributes:
        start: offset of what is written so far, and `end` behind it.
        spot: the place, its key or value being the mark.
        root: the design as read with the mark in it.
        named: the key has its colon already.
    """

    start: int
    end: int
    spot: DesignSpot
    root: Node
    named: bool = False

    @property
    def owner(self) -> str:
        """The class of the mapping that is being written."""
        return self.spot.owner

    @property
    def word(self) -> Word | None:
        """The word whose value is being written; None where a key is."""
        return None if self.spot.on_key else self.spot.word

    @property
    def stated(self) -> frozenset[str]:
        """The keys that the mapping has already."""
        return frozenset(self.spot.mapping.entries) - {MARK}

    @property
    def siblings(self) -> list[Node]:
        """The other items of the list that is being written."""
        listed = self.spot.mapping.entries[self.spot.name]
        return [one for one in listed.items if one is not self.spot.node]


def cursor_at(text: str, offset: int, vocabulary: Vocabulary) -> Cursor | None:
    """What is being written at an offset; None in a comment and where the vocabulary has nothing to say."""
    line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    before = text[line_start:offset]
    if comment_at(before) or before.endswith(":"):
        return None
    start = line_start + max((found.end() for found in BEFORE.finditer(before)), default=0)
    if text[start : start + 1] in ("'", '"') and start < offset:
        start += 1
    after = AFTER.match(text, offset)
    end = after.end() if after else offset
    for head, tail in _surroundings(text, line_start, start, end):
        named = NAMED.match(tail) is not None
        for mark in (MARK,) if named else (f"{MARK}: ", MARK):
            found = _find_mark(head + mark + tail, len(head), vocabulary)
            if found is not None:
                return Cursor(start, end, *found, named)
    return None


def comment_at(before: str) -> bool:
    """Whether a comment began before the end of this part of a line; a `#` in quotes begins none."""
    return any(
        before.count('"', 0, found.start()) % 2 == 0 and before.count("'", 0, found.start()) % 2 == 0
        for found in COMMENT.finditer(before)
    )


def _surroundings(text: str, line_start: int, start: int, end: int) -> Iterator[tuple[str, str]]:
    """The text before and behind the mark: the whole, then less and less of what may be at fault."""
    yield text[:start], text[end:]
    closers = _closers(text[line_start:start])
    yield text[:start], closers
    yield _ancestors(text[:line_start], text[line_start:start]) + text[line_start:start], closers


def _closers(line: str) -> str:
    """The brackets that a line leaves open, closed."""
    opened: list[str] = []
    for sign in line:
        if sign in CLOSING:
            opened.append(CLOSING[sign])
        elif opened and sign == opened[-1]:
            opened.pop()
    return "".join(reversed(opened)) + "\n"


def _ancestors(above: str, line: str) -> str:
    """The lines that lead down to a line: each less indented than the one below, or the key of its list."""
    depth, listed = len(line) - len(line.lstrip(" ")), line.lstrip().startswith("- ")
    kept: list[str] = []
    for one in reversed(lines(above)):
        found = INDENTED.match(one)
        if found is None:
            continue
        indent, dashed = len(found[1]), bool(found[2])
        if indent < depth or (indent == depth and listed and not dashed):
            kept.append(one)
            depth, listed = indent, dashed
    return "".join(f"{one}\n" for one in reversed(kept))


def _find_mark(text: str, offset: int, vocabulary: Vocabulary) -> tuple[DesignSpot, Node] | None:
    """The place of the mark and the tree; None where the reader did not get there."""
    root = read_bytes(text.encode("utf-8", "replace"), "").root
    spot = spot_at(root, offset, vocabulary) if root is not None and root.kind == "map" else None
    if root is None or spot is None:
        return None
    on_mark = spot.name == MARK if spot.on_key else spot.word is not None and MARK in spot.node.text
    return (spot, root) if on_mark else None
