"""Where things stand in the text: lines, columns, line ends, the room an entry takes up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.reading.spans import HEADER
from designlint.reading.values import EditRefused

if TYPE_CHECKING:
    from designlint.reading.tree import Document, Node

BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))*")
REST_OF_LINE = re.compile(r"[ \t]*(?:(?<=[ \t])#[^\r\n]*)?(?=[\r\n]|\Z)")
LINE_BREAK = re.compile(r"\r\n|\r|\n|\Z")


def line_start(text: str, at: int) -> int:
    """Offset of the first character of the line."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def line_end(text: str, at: int) -> tuple[int, int]:
    """Offsets of the line's break and behind it; at the last line both are the end of the text."""
    match = LINE_BREAK.search(text, at)
    return match.span() if match else (len(text), len(text))


def column(text: str, at: int) -> int:
    """How many characters stand before it in its line; libyaml lets no tab be among them."""
    return at - line_start(text, at)


def newline_at(document: Document, at: int) -> str:
    """The line break a new line needs here: that of the line, else that of the file."""
    start, end = line_end(document.text, at)
    return document.text[start:end] or document.newline


def outer_end(node: Node) -> int:
    """Where the node ends at its own site: an alias is short, wherever its value stands."""
    return node.alias_site[1] if node.alias_site else node.end


def is_bracketed(node: Node) -> bool:
    """Whether it is a collection in brackets; `[a: 1]` holds a map without any."""
    return node.flow and node.document.text[node.start : node.start + 1] in ("{", "[")


def one_line(node: Node) -> bool:
    """Whether it stands in one line."""
    span = node.document.text[node.start : node.end]
    return "\n" not in span and "\r" not in span


def indentation_step(node: Node) -> int:
    """How much deeper the children of a block map stand, judged by the maps in the file."""
    waiting = [node, node.document.root]
    for parent in waiting:
        if parent is None or parent.kind != "map" or parent.flow:
            continue
        here = column(parent.document.text, parent.start)
        for child in parent.entries.values():
            if child.kind == "map" and not child.flow and not child.alias_site and not child.merged:
                deeper = column(child.document.text, child.start) - here
                if deeper > 0:
                    return deeper
    return 2


def new_line_place(node: Node, last: int) -> tuple[int, bool]:
    """Where a line can be put behind a collection, and whether that is at the start of a line."""
    text = node.document.text
    rest = REST_OF_LINE.match(text, last)
    if rest is None:
        raise EditRefused("there is something else on the line")
    leaf = node
    while leaf.kind != "scalar" and not leaf.flow and not leaf.alias_site:
        children = leaf.items or [child for child in leaf.entries.values() if not child.merged]
        if not children:
            break
        leaf = children[-1]
    header = re.compile(HEADER).match(text, leaf.start)
    if leaf.kind == "scalar" and header is not None and "+" in header[0] and not leaf.alias_site:
        blank = BLANK_LINES.match(text, rest.end())  # its blank lines belong to it
        if blank is not None and blank.end() > rest.end():
            return blank.end(), True
    return rest.end(), False


def dash(parent: Node, index: int) -> int:
    """Offset of the `-` of a list item."""
    if index == 0:
        return parent.start
    text = parent.document.text
    place = column(text, parent.start)
    _, behind = line_end(text, outer_end(parent.items[index - 1]))
    match = re.compile(rf"^ {{{place}}}-(?=[ \t\r\n]|\Z)", re.MULTILINE).search(text, behind, parent.end + 1)
    if match is None:
        raise EditRefused("the list item has no `-` of its own line")
    return match.end() - 1
