"""A map that becomes a list: of its entries, each named by its key, or of itself alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from designlint.reading import layout
from designlint.reading.splices import Splice, refuse_template, spell, walk
from designlint.reading.tree import resolve
from designlint.reading.values import EditRefused, quote_text, value_text

if TYPE_CHECKING:
    from designlint.reading.tree import Document, Node, Path

COLON = re.compile(r"[ \t]*:")


def make_list(document: Document, path: Path, word: str | None, name: str | None) -> Splice:
    """
    The map as a list.

    Args:
        word: under which an item has its name; None where the map becomes the one item as it is.
        name: of its one item; None where each entry is an item, and its key the name.
    """
    nodes, rest = walk(document, path)
    node = nodes[-1]
    if rest or len(nodes) < 2 or node.kind != "map" or node.alias_site or not node.entries:
        raise EditRefused(f"{spell(path)} is no map that could become a list")
    if document.text[node.outer : node.start].strip():
        raise EditRefused(f"{spell(path)} has an anchor or a tag")
    refuse_template(document, node.start, node.end)
    if word is not None and name is None:
        return _of_entries(node, word)
    written = word is None or name is None or word in node.entries
    named = "" if written else f"{word}: {value_text(name or '', None, flow=node.flow)}"
    if node.flow:
        inside = _braces(node, named) if named else document.text[node.start : node.end]
        return Splice(node.start, node.end, f"[{inside}]")
    text, at = document.text, node.start
    place = layout.column(text, at)
    if place - layout.column(text, node.key_start) < 2:
        raise EditRefused(f"{spell(path)} is not indented far enough")
    below = f"{layout.newline_at(document, at)}{' ' * place}" if named else ""
    return Splice(at - 2, at, f"- {named}{below}")


def expected_list(data: Any, word: str | None, name: Any) -> list[Any]:
    """What must be read where a map becomes a list; `name` as plain data, see `make_list`."""
    if word is None:
        return [data]
    if name is not None:
        return [{word: name, **data}]
    return [{word: ("str", key), **(one if isinstance(one, dict) else {})} for key, one in data.items()]


def _of_entries(node: Node, word: str) -> Splice:
    text = node.document.text
    done, at = [], node.start
    for key, child in node.entries.items():
        if child.merged or child.alias_site or (child.outer != child.start and child.entries):
            raise EditRefused(f"{key} stands there with an alias, an anchor or a tag")
        colon = COLON.match(text, child.key_end)
        empty = child.kind == "scalar" and child.scalar() is None
        if colon is None or (child.kind != "map" and not empty) or word in child.entries:
            raise EditRefused(f"{key} is no part without a name")
        written = key if isinstance(resolve(key), str) else quote_text(key, '"')
        name = f"{word}: {value_text(written, None, flow=node.flow or child.flow)}"
        done.append(text[at : child.key_start])
        if child.flow or node.flow:
            done.append(f"{'' if node.flow else '- '}{_braces(child, name)}")
            at = child.end if child.end > colon.end() else colon.end()
            continue
        deeper = 2 if empty else layout.column(text, child.start) - layout.column(text, child.key_start)
        if deeper < 2:
            raise EditRefused(f"{key} is not indented far enough")
        done.append(f"-{' ' * (deeper - 1)}{name}")
        at = colon.end()
        if not empty:  # the blanks and comments behind the colon stay
            done.append(text[at : child.start])
            at = child.start
    done.append(text[at : node.end])
    written = "".join(done)
    if node.flow:
        written = f"[{written[1:-1]}]"
    return Splice(node.start, node.end, written)


def _braces(node: Node, first: str) -> str:
    """A map in braces with one more entry before the others."""
    inner = node.document.text[node.start + 1 : node.end - 1].strip() if node.flow and node.entries else ""
    return f"{{{', '.join(filter(None, (first, inner)))}}}"
