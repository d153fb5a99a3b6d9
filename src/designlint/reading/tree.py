"""The tree of a YAML file as our own nodes: what each value says and exactly where it stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from designlint.reading import recognition
from designlint.reading.location import LINE_END

if TYPE_CHECKING:
    from collections.abc import Iterator


Kind = Literal["map", "list", "scalar"]
Value = bool | int | float | str | None
Path = tuple[str | int, ...]

WORDS: dict[str, Value] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
NUMBER_STARTS = frozenset("0123456789+-.")
INTEGER = re.compile(r"[-+]?[0-9]+\Z")
FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
PREFIXED = re.compile(r"0(?:o[0-7]+|x[0-9a-fA-F]+)\Z")
DIGITS = 308  # the longest integer that still fits a float; a longer one is no quantity of a design

NO_ENTRIES: dict[str, Node] = {}  # shared by all nodes that are no map: never written to
NO_ITEMS: list[Node] = []  # shared by all nodes that are no list: never written to


class Node:
    """One value of the file; its places are character offsets in `document.text`."""

    __slots__ = (
        "alias_site",  # span of the `*alias` through which it was reached, or None
        "anchor",  # name of the anchor defined on it, or None
        "document",  # the file it stands in
        "end",
        "entries",  # of a map, in the file's order; the first of duplicate keys
        "flow",  # a collection in brackets
        "items",  # of a list
        "key_end",
        "key_start",  # of its key in the parent map, or -1
        "kind",
        "merged",  # it came into its map by a merge key `<<`
        "origin",  # of an imported value, how sure it is and by whom; None in designs
        "outer",  # like start, but with anchor and tag
        "plain",  # a scalar whose type follows from its text: no quotes, no block style, no `!!str`
        "start",  # of the value, without anchor and tag
        "text",  # of a scalar, as YAML decodes it
    )

    def __init__(
        self, document: Document, kind: Kind, start: int, end: int, *, outer: int, text: str = "",
        plain: bool = False, flow: bool = False, anchor: str | None = None,
    ) -> None:  # fmt: skip
        self.document = document
        self.kind: Kind = kind
        self.start = start
        self.end = end
        self.outer = outer
        self.text = text
        self.plain = plain
        self.flow = flow
        self.anchor = anchor
        self.entries: dict[str, Node] = {} if kind == "map" else NO_ENTRIES
        self.items: list[Node] = [] if kind == "list" else NO_ITEMS
        self.key_start = self.key_end = -1
        self.alias_site: tuple[int, int] | None = None
        self.merged = False
        self.origin: tuple[str, str] | None = None

    def __repr__(self) -> str:
        return f"Node({self.kind} {self.document.file}[{self.start}:{self.end}] {self.text!r})"

    def scalar(self) -> Value:
        """The value by the core schema of YAML 1.2; numbers beyond a float stay text."""
        return resolve(self.text) if self.plain else self.text

    def copy(self, alias_site: tuple[int, int] | None, *, merged: bool = False) -> Node:
        """The same value, sharing children, as it stands at another site."""
        node = Node(
            self.document, "scalar", self.start, self.end, outer=self.outer, text=self.text,
            plain=self.plain, flow=self.flow, anchor=self.anchor,
        )  # fmt: skip
        node.kind, node.entries, node.items = self.kind, self.entries, self.items
        node.key_start, node.key_end = self.key_start, self.key_end
        node.alias_site, node.merged, node.origin = alias_site, merged, self.origin
        return node


def same_place(one: Node, other: Node) -> bool:
    """Whether two nodes stand for one and the same stretch of one file."""
    return (one.start, one.end, one.kind) == (other.start, other.end, other.kind) and one.document is other.document


def resolve(text: str) -> Value:
    """The value of a plain scalar by the core schema of YAML 1.2."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in NUMBER_STARTS:
        return text
    if INTEGER.match(text):
        return int(text) if len(text) <= DIGITS else text
    if FLOAT.match(text):
        number = float(text)
        return number if abs(number) != float("inf") else text
    if PREFIXED.match(text) and len(text) <= DIGITS // 2:
        return int(text[2:], 8 if text[1] == "o" else 16)
    return text


def tree_paths(root: Node) -> Iterator[tuple[Path, Node]]:
    """Every path of the tree with its node, in the file's order, aliases followed."""
    waiting: list[tuple[Path, Node]] = [((), root)]
    while waiting:
        path, node = waiting.pop()
        yield path, node
        if node.items:
            waiting.extend(((*path, i), node.items[i]) for i in range(len(node.items) - 1, -1, -1))
        elif node.entries:
            waiting.extend(((*path, key), child) for key, child in reversed(node.entries.items()))


#: Faults of files whose text is not all of their bytes.
UNREAD = ("syntax/not-utf8", "syntax/too-large")


TEMPLATE_RULE = "syntax/template"  # as rule id also what keeps a file from being edited


class Limits(Struct, frozen=True):
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


class TextProblem(Struct, frozen=True):
    """A fault of the text itself, at offsets of `Document.text`."""

    rule: str
    start: int
    end: int
    values: dict[str, str | int]  # what the rule's message names


class Document:
    """One file as read; `root` is None when nothing of it is usable."""

    __slots__ = ("_starts", "bom", "complete", "file", "newline", "problems", "repeated", "root", "text")

    def __init__(self, file: str, text: str, *, bom: bool = False) -> None:
        self.file = file
        self.text = text
        self.bom = bom
        first = text.find("\n")
        self.newline = "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"
        self.root: Node | None = None
        self.problems: list[TextProblem] = []
        self.repeated: list[tuple[Node, str, Node]] = []  # a map, a key that it has already, and the later value
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
        self.problems.append(TextProblem(rule, start, end, values))

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *(match.end() for match in LINE_END.finditer(self.text))]
        return self._starts


def brief(text: str, most: int = 60) -> str:
    """The text on one line and short enough for a message."""
    flat = " ".join(text[: 4 * most].split())
    return flat if len(flat) <= most and len(text) <= 4 * most else flat[: most - 1] + "…"
