"""The text of a value or key as an edit writes it: checked, and quoted as the old one was."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from designlint.reading.reader import read_bytes
from designlint.reading.spans import BREAKS
from designlint.reading.tree import brief

if TYPE_CHECKING:
    from designlint.reading.tree import Document, Node

TEMPLATES = ("{{", "{%", "${")
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}


class EditRefused(Exception):  # noqa: N818  the name says what happened to the caller
    """An edit that cannot be made without harm; its text is the reason, for people."""


@lru_cache(maxsize=64)  # an edit is planned, made and held against the file that it gives
def parse_value(source: str) -> Node:
    """The one node that the text of a value stands for. Raises: EditRefused."""
    if any(character in source for character in BREAKS):
        raise EditRefused("the new value has more than one line")
    root = _read_document(f"k: {source}").root
    node = root.entries.get("k") if root is not None else None
    if root is None or node is None or list(root.entries) != ["k"] or node.document.problems:
        raise EditRefused(f"the new value `{brief(source)}` is not one YAML value")
    whole = node.start == len("k: ") and node.end == len(node.document.text) and node.start < node.end
    block = node.kind != "scalar" and not node.flow
    if not whole or block or node.alias_site is not None or source[0] in "|>":
        raise EditRefused(f"the new value `{brief(source)}` is not a plain or quoted value or one in brackets")
    return node


def value_text(source: str, old: Node | None, *, flow: bool) -> str:
    """The value as it is written: in the quotes of the old one where they can say the same."""
    node = parse_value(source)
    is_text = node.kind == "scalar" and isinstance(node.scalar(), str)
    quote = old.document.text[old.start : old.start + 1] if old is not None and old.kind == "scalar" else ""
    if is_text and quote in ("'", '"'):
        return quote_text(node.text, quote)
    if not flow or _stands_in_brackets(source, node):
        return source
    if is_text:
        return quote_text(node.text, '"')
    raise EditRefused(f"the new value `{brief(source)}` is not allowed in brackets")


def in_line(node: Node) -> str:
    """
    A value as it can be written in one line: a mapping of values in lines becomes one in braces.

    Empty where a template makes it, or where it holds comments, anchors, aliases or more than values.
    """
    source = node.document.text
    if node.kind != "map" or node.flow:
        return _one_line(node)
    at, pairs = node.start, []
    if source[node.key_end : at].strip(": \r\n"):
        return ""
    for key, child in node.entries.items():
        if child.alias_site or child.merged or child.outer != child.start or child.key_start < at:
            return ""
        value = _one_line(child)
        if source[at : child.key_start].strip() or not value or (child.kind == "map" and not child.flow):
            return ""
        pairs.append(f"{key_text(key, flow=True)}: {value_text(value, None, flow=True)}")
        at = child.end
    return f"{{{', '.join(pairs)}}}"


def _one_line(node: Node) -> str:
    text = node.document.text[node.start : node.end]
    return "" if _has_break(text) or any(sign in text for sign in TEMPLATES) else text


def key_text(key: str, *, flow: bool) -> str:
    """The key as it is written: plain if that reads as the same key."""
    around = ("{", "}") if flow else ("", "")
    document = _read_document(f"{around[0]}{key}: 1{around[1]}") if key and not _has_break(key) else None
    if document is not None and document.root is not None and not document.problems:
        entries = document.root.entries
        if list(entries) == [key] and entries[key].scalar() == 1:
            return key
    return quote_text(key, '"')


def quote_text(text: str, quote: str) -> str:
    """The text in these quotes; in double quotes if single ones cannot hold it."""
    printable = all(character.isprintable() for character in text)
    if quote == "'" and printable:
        return "'" + text.replace("'", "''") + "'"
    return (
        '"'
        + "".join(character if printable and character not in ESCAPES else _escape(character) for character in text)
        + '"'
    )


def _escape(character: str) -> str:
    if character in ESCAPES:
        return ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _stands_in_brackets(source: str, node: Node) -> bool:
    document = _read_document(f"[{source}]")
    if document.root is None or document.problems or len(document.root.items) != 1:
        return False
    item = document.root.items[0]
    return (item.kind, item.text, item.plain, item.end) == (node.kind, node.text, node.plain, len(source) + 1)


def _has_break(text: str) -> bool:
    return any(character in text for character in BREAKS)


def _read_document(text: str) -> Document:
    return read_bytes(text.encode("utf-8", "surrogatepass"), "edit")
