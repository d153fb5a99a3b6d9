"""Composes our tree from libyaml's events, without recursion and within the limits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml
from yaml import events

from designlint.reading.spans import TEMPLATE, block_end, tag_span, value_start
from designlint.reading.tree import TEMPLATE_RULE, Node, brief, resolve

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.reading.tree import Document, Kind, Limits

# libyaml needs a sixth of the time; PyYAML built without it has only its own loader.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

STANDARD = "tag:yaml.org,2002:"
COLLECTION_TAGS = {"map": ("!", STANDARD + "map"), "list": ("!", STANDARD + "seq")}
SCALAR_TAGS = {"int": "int", "float": "int float", "bool": "bool", "null": "NoneType"}  # tag -> our types


class LimitError(Exception):
    """Reading ends here; the reason is already among the problems."""


class Frame:
    """A collection whose end has not come yet."""

    __slots__ = (
        "before",  # nodes counted before it, to know how many an alias to it repeats
        "height",  # levels of collections in it, itself included
        "is_map",
        "key",  # the key that waits for its value
        "key_end",
        "key_start",
        "last",  # where its content ends so far
        "merges",  # values of `<<`, to be merged at the end because explicit keys win
        "node",
        "skip",  # the value that comes belongs to a key we cannot use
        "template",  # it is the outer brace of `{{ … }}`
    )

    def __init__(self, node: Node, before: int) -> None:
        self.node = node
        self.is_map = node.kind == "map"
        self.before = before
        self.last = node.start
        self.height = 1
        self.key: str | None = None
        self.key_start = self.key_end = -1
        self.merges: list[tuple[Node, int, int]] = []
        self.skip = self.template = False


class Composer:
    """Builds `root` from events; what is finished when reading stops stays usable."""

    def __init__(self, document: Document, limits: Limits) -> None:
        self.document = document
        self.text = document.text
        self.limits = limits
        self.root: Node | None = None
        self.stack: list[Frame] = []
        self.top: Frame | None = None
        self.anchors: dict[str, tuple[Node, int, int] | None] = {}  # node, size, height; None while open
        self.nodes = self.copies = 0
        self.templated = "{{" in self.text or "{%" in self.text
        self.handlers: dict[type, Callable[[Any], None]] = {
            events.ScalarEvent: self.scalar,
            events.MappingStartEvent: self.open_map,
            events.MappingEndEvent: self.close,
            events.SequenceStartEvent: self.open_list,
            events.SequenceEndEvent: self.close,
            events.AliasEvent: self.alias,
        }

    def compose(self, next_event: Callable[[], Any]) -> int:
        """Where the document ends; takes its events. Raises: LimitError."""
        handlers = self.handlers
        while True:
            event = next_event()
            handle = handlers.get(type(event))
            if handle is None:
                return int(event.end_mark.index)
            handle(event)

    def finish(self, before: int) -> Node | None:
        """The root with the entries that are whole; one that touches a fault at `before` is not."""
        if not self.stack:
            return self.root
        frame = self.stack[0]
        root = frame.node
        root.end = frame.last
        self._merge_all(frame)
        if root.entries and before <= next(reversed(root.entries.values())).end:
            root.entries.popitem()
        return root if root.entries or root.items else None

    # ---- one method per event

    def scalar(self, event: Any) -> None:
        start = outer = event.start_mark.index
        end = event.end_mark.index
        text, style, anchor = event.value, event.style, event.anchor
        plain = not style
        if anchor is not None or event.tag is not None:
            start = value_start(self.text, start, end, anchor, event.tag)
            plain = self._understood(event.tag, outer, end, text, plain)
        if style and style in "|>":
            end = block_end(self.text, start, end)
        elif not style and self.templated and re.search(TEMPLATE, text):
            self._template(start, end)
        top = self.top
        if top is not None and top.is_map and top.key is None and anchor is None:
            self._key(top, text, start, end)
            return
        if start == end and top is not None and top.is_map and top.key is not None and outer == end:
            start = end = outer = self._empty_value(top, start)
        self._count(start, end)
        node = Node(self.document, "scalar", start, end, outer=outer, text=text, plain=plain, anchor=anchor)
        if anchor is not None:
            self.anchors[anchor] = (node, 1, 0)
        self._put_node(node, end)

    def open_map(self, event: Any) -> None:
        self._open(event, "map")

    def open_list(self, event: Any) -> None:
        self._open(event, "list")

    def close(self, event: Any) -> None:
        frame = self.stack.pop()
        node = frame.node
        top = self.top = self.stack[-1] if self.stack else None
        node.end = event.end_mark.index if node.flow else frame.last
        self._merge_all(frame)
        if frame.template:
            node.kind, node.text, node.plain = "scalar", self.text[node.start : node.end], False
            node.entries, node.flow = {}, False
            self._template(node.start, node.end)
        if node.anchor is not None:
            self.anchors[node.anchor] = (node, self.nodes + self.copies - frame.before, frame.height)
        if top is not None and top.height <= frame.height:
            top.height = frame.height + 1
        self._put_node(node, node.end)

    def alias(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        self._count(start, end)
        found = self.anchors.get(event.anchor)
        if found is None:
            self.document.report("syntax/undefined-alias", start, end, alias=brief(event.anchor))
            node = Node(self.document, "scalar", start, end, outer=start, plain=True)
        else:
            target, size, height = found
            self._count_copies(size, start, end, "nodes repeated by aliases")
            self._check_depth(len(self.stack) + height, start, end)
            if self.top is not None and self.top.height <= height:
                self.top.height = height + 1
            node = target.copy(None)
        node.alias_site = (start, end)
        self._put_node(node, end)

    # ---- collections

    def _open(self, event: Any, kind: Kind) -> None:
        start = outer = event.start_mark.index
        end = event.end_mark.index
        before = self.nodes + self.copies
        self._count(start, end)
        self._check_depth(len(self.stack) + 1, start, end)
        anchor = event.anchor
        if anchor is not None or event.tag is not None:
            start = value_start(self.text, start, len(self.text), anchor, event.tag)
            if event.tag is not None and event.tag not in COLLECTION_TAGS[kind]:
                self._unsupported_tag(event.tag, outer, start)
        if anchor is not None:
            self.anchors[anchor] = None
        flow = bool(event.flow_style)
        node = Node(self.document, kind, start, start, outer=outer, flow=flow, anchor=anchor)
        self.top = Frame(node, before)
        self.stack.append(self.top)

    def _put_node(self, node: Node, last: int) -> None:
        top = self.top
        if top is None:
            self.root = node
            return
        top.last = last
        if not top.is_map:
            top.node.items.append(node)
        elif top.key is None:
            self._node_as_key(top, node, last)
        else:
            key, top.key = top.key, None
            if top.skip:
                top.skip = False
            elif key == "<<" and self.text[top.key_start] == "<":
                top.merges.append((node, top.key_start, top.key_end))
            else:
                self._enter(top, key, node)

    def _enter(self, top: Frame, key: str, node: Node) -> None:
        node.key_start, node.key_end = top.key_start, top.key_end
        first = top.node.entries.setdefault(key, node)
        if first is not node:
            line = self.document.place(first.key_start, first.key_end)[0]
            self.document.report("syntax/duplicate-key", top.key_start, top.key_end, key=brief(key), first_line=line)
            self.document.repeated.append((top.node, key, node))

    def _key(self, top: Frame, text: str, start: int, end: int) -> None:
        top.key, top.key_start, top.key_end = text, start, end
        top.last = end

    def _node_as_key(self, top: Frame, node: Node, last: int) -> None:
        start = node.alias_site[0] if node.alias_site else node.start
        self._key(top, node.text, start, last)
        top.skip = node.kind != "scalar" or (node.alias_site is not None and not node.text)
        if node.kind == "scalar":
            return
        if start == top.node.start + 1 and self.text.startswith("{{", top.node.start):
            top.template = True
        else:
            what = f"a {node.kind} as a key"
            self.document.report("syntax/unsupported-key", start, last, what=what)

    def _merge_all(self, frame: Frame) -> None:
        for node, start, end in frame.merges:
            sources = node.items if node.kind == "list" else [node]
            if any(source.kind != "map" for source in sources):
                what = "`<<` with something other than a map"
                self.document.report("syntax/unsupported-key", start, end, what=what)
                continue
            for source in sources:
                self._merge(frame.node.entries, source, source.alias_site or node.alias_site)
        frame.merges = []

    def _merge(self, entries: dict[str, Node], source: Node, site: tuple[int, int] | None) -> None:
        if site is None:  # what an alias brings was counted with the alias
            self._count_copies(len(source.entries), source.start, source.end, "nodes repeated by merge keys")
        for key, child in source.entries.items():
            if key not in entries:
                entries[key] = child.copy(child.alias_site or site, merged=True)

    # ---- limits

    def _count(self, start: int, end: int) -> None:
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            self._stop("syntax/too-large", start, end, most=self.limits.nodes, what="values")

    def _count_copies(self, more: int, start: int, end: int, what: str) -> None:
        self.copies += more
        if self.copies > self.limits.copies:
            self._stop("syntax/too-large", start, end, most=self.limits.copies, what=what)

    def _check_depth(self, depth: int, start: int, end: int) -> None:
        if depth > self.limits.depth:
            self._stop("syntax/too-deep", start, end, most=self.limits.depth)

    def _stop(self, rule: str, start: int, end: int, **values: str | int) -> None:
        self.document.report(rule, start, end, **values)
        raise LimitError

    # ---- tags, templates, places

    def _empty_value(self, top: Frame, start: int) -> int:
        """Right behind the key's colon, or behind the key if it has none; libyaml says so but for `? key`."""
        gap = self.text[top.key_end : start]
        colon = len(gap) - len(gap.lstrip(" \t"))
        return top.key_end + colon + 1 if gap[colon : colon + 1] == ":" else top.key_end

    def _understood(self, tag: str | None, start: int, end: int, text: str, plain: bool) -> bool:
        """Whether the scalar's type follows from its text."""
        if tag is None:
            return plain
        name = tag.removeprefix(STANDARD)
        if tag == "!" or name == "str":
            return False
        if name != tag and type(resolve(text)).__name__ in SCALAR_TAGS.get(name, "").split():
            return True
        self._unsupported_tag(tag, start, end)
        return plain

    def _unsupported_tag(self, tag: str, start: int, end: int) -> None:
        name = "!!" + tag.removeprefix(STANDARD) if tag.startswith(STANDARD) else tag
        span = tag_span(self.text, start, end)
        self.document.report("syntax/unsupported-tag", *span, tag=brief(name))

    def _template(self, start: int, end: int) -> None:
        match = re.compile(TEMPLATE).search(self.text, start, end)
        what = f"`{brief(match[0] if match else self.text[start:end])}` must be rendered first"
        self.document.report(TEMPLATE_RULE, start, end, what=what)
