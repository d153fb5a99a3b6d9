"""One edit of a named path as one replacement in the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.reading import layout
from designlint.reading.spans import BETWEEN
from designlint.reading.values import TEMPLATES, EditRefused, key_text, quote_text, value_text

if TYPE_CHECKING:
    from designlint.reading.tree import Document, Node, Path

NO_COMMENTS = (0, 0)


class Splice(Struct, frozen=True):
    """Characters to replace; comments may go only where an entry is removed with its lines."""

    start: int
    end: int
    text: str
    comments: tuple[int, int] = NO_COMMENTS


def spell(path: Path) -> str:
    """The path as people write it."""
    return "/".join(str(step) for step in path) or "the whole file"


def walk(document: Document, path: Path) -> tuple[list[Node], Path]:
    """The nodes along the path as far as it exists, and the rest of it."""
    if document.root is None:
        raise EditRefused("the file holds nothing")
    nodes = [document.root]
    for position, step in enumerate(path):
        node, child = nodes[-1], None
        if isinstance(step, str):
            child = node.entries.get(step)
        elif 0 <= step < len(node.items):
            child = node.items[step]
        if child is None or (child.merged and position == len(path) - 1):
            _refuse_shared(nodes, path)
            return nodes, path[position:]
        nodes.append(child)
    _refuse_shared(nodes[:-1], path)
    return nodes, ()


def set_value(document: Document, path: Path, source: str) -> Splice:
    """Replaces a scalar or bracketed value, or adds the missing entry with the maps above it."""
    nodes, rest = walk(document, path)
    if rest:
        return add_entry(nodes, rest, source, path)
    if not path:
        raise EditRefused("the whole file cannot be replaced")
    node, parent = nodes[-1], nodes[-2]
    if node.alias_site:
        return Splice(*node.alias_site, value_text(source, None, flow=parent.flow))
    if node.kind != "scalar" and not layout.is_bracketed(node):
        raise EditRefused(f"{spell(path)} is a {node.kind} of several lines")
    refuse_template(document, node.start, node.end)
    text = value_text(source, node, flow=parent.flow)
    if node.start < node.end:
        return Splice(node.start, node.end, text)
    return _fill(node, parent, text)


def add_entry(nodes: list[Node], keys: Path, source: str, path: Path) -> Splice:
    """Adds a missing entry to the last of the nodes, with the maps in between."""
    parent = nodes[-1]
    names = [key for key in keys if isinstance(key, str)]
    if len(names) < len(keys):
        raise EditRefused(f"{spell(path)} does not exist, and a list item cannot be created by its number")
    if parent.kind == "scalar" and parent.scalar() is None and parent.start == parent.end and len(nodes) > 1:
        return _first_entry(parent, nodes[-2], names, source)
    if parent.kind != "map":
        raise EditRefused(f"{spell(path[: len(path) - len(keys)])} is not a map")
    if parent.flow:
        return _into_brackets(parent, _entry_in_line(names, source))
    place = layout.column(parent.document.text, parent.start)
    lines = _entry_lines(names, source, place, layout.indentation_step(parent))
    return _behind(parent, lines)


def begin(document: Document, path: Path, entry: str) -> Splice:
    """Adds an entry before all others of a map."""
    node = walk(document, path)[0][-1]
    if node.kind != "map" or not node.entries:
        raise EditRefused(f"{spell(path)} is not a map")
    at = node.start + node.flow
    behind = ", " if node.flow else f"{layout.newline_at(document, at)}{' ' * layout.column(document.text, at)}"
    return Splice(at, at, f"{entry}{behind}")


def append_item(document: Document, path: Path, source: str) -> Splice:
    """Adds an item to a list, which is made if it is missing."""
    nodes, rest = walk(document, path)
    node = nodes[-1]
    if rest or (node.kind == "scalar" and node.scalar() is None and not node.alias_site):
        return set_value(document, path, f"[{value_text(source, None, flow=True)}]")
    if node.kind != "list":
        raise EditRefused(f"{spell(path)} is not a list")
    if node.alias_site:
        raise EditRefused(f"{spell(path)} is an alias; the change would also change what it refers to")
    if node.flow:
        return _into_brackets(node, value_text(source, None, flow=True))
    place = layout.column(document.text, node.start)
    line = " " * place + "- " + value_text(source, None, flow=False)
    return _behind(node, [line])


def remove(document: Document, path: Path) -> Splice:
    """Takes out an entry or item with its lines, or out of its brackets."""
    nodes, rest = walk(document, path)
    if rest or not path:
        raise EditRefused(f"{spell(path)} has no position of its own in the file")
    node, parent, step = nodes[-1], nodes[-2], path[-1]
    end = layout.outer_end(node)
    if parent.flow:
        start = node.key_start if parent.kind == "map" else (node.alias_site or (node.outer,))[0]
        return _out_of_brackets(parent, start, end)
    start = layout.dash(parent, step) if isinstance(step, int) else node.key_start
    refuse_template(document, start, end)
    if start <= parent.start and end >= parent.end:
        raise EditRefused(f"{spell(path)} is the only entry; without it nothing would be left there")
    return _out_of_lines(parent, start, end)


def rename(document: Document, path: Path, name: str, source: str | None = None) -> Splice:
    """Gives an entry another key, and another value in the place of a plain one."""
    nodes, rest = walk(document, path)
    if rest or not path or not isinstance(path[-1], str):
        raise EditRefused(f"{spell(path)} has no key of its own in the file")
    node, parent = nodes[-1], nodes[-2]
    if name in parent.entries:
        raise EditRefused(f"{spell((*path[:-1], name))} exists already")
    start, end = node.key_start, node.key_end
    refuse_template(document, start, end)
    old = document.text[start:end]
    quote = old[:1] if old[:1] in ("'", '"') else ""
    key = quote_text(name, quote) if quote else key_text(name, flow=parent.flow)
    if source is None:
        return Splice(start, end, key)
    if node.kind != "scalar" or node.outer != node.start or node.alias_site or not layout.one_line(node):
        raise EditRefused(f"{spell(path)} is no plain value")
    return Splice(start, node.end, key + document.text[end : node.start] + value_text(source, node, flow=parent.flow))


# ---- adding


def _entry_in_line(names: list[str], source: str) -> str:
    text = value_text(source, None, flow=True)
    for name in reversed(names[1:]):
        text = f"{{{key_text(name, flow=True)}: {text}}}"
    return f"{key_text(names[0], flow=True)}: {text}"


def _entry_lines(names: list[str], source: str, place: int, step: int) -> list[str]:
    keys = [f"{' ' * (place + step * depth)}{key_text(name, flow=False)}:" for depth, name in enumerate(names)]
    keys[-1] += " " + value_text(source, None, flow=False)
    return keys


def _behind(node: Node, lines: list[str]) -> Splice:
    newline = layout.newline_at(node.document, node.end)
    at, fresh = layout.new_line_place(node, node.end)
    text = newline.join(lines)
    return Splice(at, at, text + newline if fresh else newline + text)


def _first_entry(empty: Node, parent: Node, names: list[str], source: str) -> Splice:
    """`key:` without a value becomes a map."""
    if parent.kind != "map" or empty.outer != empty.end:
        raise EditRefused("the empty value is not that of a plain key")
    if parent.flow:
        return _fill(empty, parent, f"{{{_entry_in_line(names, source)}}}")
    step = layout.indentation_step(parent)
    place = layout.column(parent.document.text, parent.start) + step
    return _behind(empty, _entry_lines(names, source, place, step))


def _fill(empty: Node, parent: Node, text: str) -> Splice:
    """The value of a key or item that has none yet."""
    document, at = empty.document, empty.end
    before = document.text[at - 1]
    if parent.kind == "map" and ":" not in document.text[empty.key_end : at]:
        return Splice(at, at, f": {text}")
    after = document.text[at : at + 1]
    space = "" if before in " \t" else " "
    return Splice(at, at, space + text + (" " if after == "#" else ""))


def _into_brackets(node: Node, text: str) -> Splice:
    if not layout.is_bracketed(node):
        raise EditRefused("the pair in brackets has none of its own")
    source = node.document.text
    refuse_template(node.document, node.start, node.end)
    if not layout.one_line(node):
        return _behind_last(node, text)
    at = node.start + len(source[node.start : node.end - 1].rstrip(" \t"))
    last = source[at - 1]
    if at == node.start + 1:
        return Splice(at, at, text)
    return Splice(at, at, f" {text}" if last == "," else f" , {text}" if last == ":" else f", {text}")


def _behind_last(node: Node, text: str) -> Splice:
    """In brackets of several lines: in the line of the last entry, before a comma that ends it."""
    children = node.items or [child for child in node.entries.values() if not child.merged]
    if not children:
        raise EditRefused("the brackets are empty and span several lines")
    at = max(max(layout.outer_end(child), child.key_end) for child in children)
    return Splice(at, at, f" , {text}" if node.document.text[at - 1] == ":" else f", {text}")


# ---- removing


def _out_of_lines(parent: Node, start: int, end: int) -> Splice:
    text = parent.document.text
    first = layout.line_start(text, start)
    rest = layout.REST_OF_LINE.match(text, end)
    if rest is None:
        raise EditRefused("there is something else on the line")
    comments = (start, rest.end())
    if text[first:start].strip(" "):  # a list's `- ` stands before it: the next entry moves up
        between = re.compile(BETWEEN).match(text, end)
        following = between.end() if between else end
        if start != parent.start or following >= parent.end:
            raise EditRefused("the entry shares its line with another one")
        return Splice(start, following, "", comments)
    stop, behind = layout.line_end(text, rest.end())
    if stop == behind and first > 0:  # the last line of a file without a final line break
        first -= 2 if text[first - 2 : first] == "\r\n" else 1
    return Splice(first, behind, "", comments)


def _out_of_brackets(parent: Node, start: int, end: int) -> Splice:
    if not layout.is_bracketed(parent) or not layout.one_line(parent):
        raise EditRefused("the brackets span several lines")
    text = parent.document.text
    refuse_template(parent.document, start, end)
    before = len(text[parent.start : start].rstrip(" \t")) + parent.start
    behind = end + len(text[end : parent.end]) - len(text[end : parent.end].lstrip(" \t"))
    if text[before - 1] not in ",{[":
        raise EditRefused("there is an anchor or tag before the entry")
    if text[behind] == ",":
        behind += 1
        while text[behind] in " \t":
            behind += 1
        return Splice(start, behind, "")
    return Splice(before - 1, end, "") if text[before - 1] == "," else Splice(start, end, "")


# ---- refusing


def _refuse_shared(nodes: list[Node], path: Path) -> None:
    for node in nodes:
        if node.merged:
            raise EditRefused(f"{spell(path)} comes from a merge key `<<`; the change would reach other places")
        if node.alias_site:
            raise EditRefused(f"{spell(path)} is reached through an alias; the change would reach other places")


def refuse_template(document: Document, start: int, end: int) -> None:
    """Raises: EditRefused where a template makes the text."""
    if any(sign in document.text[start:end] for sign in TEMPLATES):
        raise EditRefused("this is a template; change its source")
