"""Literals of Terraform's variable files (`.tfvars`): texts, numbers, lists and objects; expressions are unknown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import ImportRefusal, Source
from designlint.reading import Node

if TYPE_CHECKING:
    from designlint.reading.tree import Kind

GAP = re.compile(r"(?:[ \t\r\n,]+|#[^\n]*|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
KEY = re.compile(r'("(?:\\.|[^"\\\n])*"|[A-Za-z_][\w.-]*)[ \t]*[=:](?!=)[ \t]*')
TEXT = re.compile(r'"((?:\\.|[^"\\\n])*)"')
DOCUMENT = re.compile(r"<<-?[ \t]*(\w+)[ \t]*\n(.*?)\n[ \t]*\1[ \t]*(?=\n|\Z)", re.DOTALL)
BARE = re.compile(r"[^\s,\]}#]+(?:\([^()\n]*\))?")
#: What goes on after a literal is an expression, to the end of its line.
OPERATION = re.compile(r"[ \t]*[-+*/%<>=!&|?](?:\([^()\n]*\)|[^\n,}\]#()])*")
DEEPEST = 50


def root(source: Source) -> Node:
    """The assignments of a file as a mapping. Raises: Refusal."""
    if "hcl" not in source.cache:
        reader = _Reader(source)
        source.cache["hcl"] = reader.body(0)
        source.cache["roots"] = [source.cache["hcl"]]
    node: Node = source.cache["hcl"]
    return node


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source, self.text, self.at = source, source.text, 0

    def node(self, kind: Kind, start: int, text: str = "", *, plain: bool = False) -> Node:
        return Node(self.source.document, kind, start, self.at, outer=start, text=text, plain=plain)

    def skip(self) -> None:
        found = GAP.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def body(self, depth: int, end: str = "") -> Node:
        """Assignments up to the closing bracket, or the end of the file."""
        node = self.node("map", self.at)
        self.skip()
        while self.at < len(self.text) and not (end and self.text.startswith(end, self.at)):
            found = KEY.match(self.text, self.at)
            if found is None:
                line = self.source.line_of(self.at)
                raise ImportRefusal(f"it cannot be read as Terraform variables: line {line}", line)
            self.at = found.end()
            child = self.value(depth)
            child.key_start, child.key_end = found.start(1), found.end(1)
            node.entries.setdefault(found[1].strip('"'), child)
            self.skip()
        node.end = self.at
        return node

    def value(self, depth: int) -> Node:
        start = self.at
        opened = self.text[start : start + 1]
        if opened in ("{", "["):
            if depth > DEEPEST:
                raise ImportRefusal("its brackets nest too deep", self.source.line_of(start))
            self.at += 1
            node = self.body(depth + 1, "}") if opened == "{" else self.items(depth + 1)
            self.at += 1
            node.start = node.outer = start
            node.end = self.at
            return node
        if self.text.startswith("<<", start) and DOCUMENT.match(self.text, start) is None:
            line = self.source.line_of(start)
            raise ImportRefusal(f"it cannot be read as Terraform variables: the text of line {line} does not end", line)
        for pattern, group in ((DOCUMENT, 2), (TEXT, 1)):
            if found := pattern.match(self.text, start):
                self.at = found.end()
                return self.node("scalar", start, found[group].replace('\\"', '"'))
        bare = BARE.match(self.text, start)
        self.at = bare.end() if bare else len(self.text)
        if (more := OPERATION.match(self.text, self.at)) is not None:
            self.at = more.end()
        return self.node("scalar", start, self.text[start : self.at].rstrip(), plain=True)

    def items(self, depth: int) -> Node:
        node = self.node("list", self.at)
        self.skip()
        while self.at < len(self.text) and self.text[self.at] != "]":
            before = self.at
            node.items.append(self.value(depth))
            self.skip()
            if self.at == before:
                self.at += 1
        return node
