"""The parts of a design as a tree, for the outline of an editor and its jumps to a part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.reading import Node

#: Keys by which the parts of a list are known.
NAMES = ("name", "item", "rule")
#: Levels of parts that are listed.
DEEPEST = 8


class Entry(Struct, frozen=True):
    """
    A part of a design, or a list of parts.

    Attributes:
        many: whether it is a list.
        whole: the offsets at which it begins and ends.
        named: those of its key or its name.
    """

    name: str
    many: bool
    whole: tuple[int, int]
    named: tuple[int, int]
    parts: tuple[Entry, ...] = ()


def outline(root: Node | None) -> list[Entry]:
    """The parts at the top of a design, each with those below it; what is reached by an alias stands elsewhere."""
    return [] if root is None or root.kind == "scalar" else list(_parts(root, DEEPEST))


def _parts(node: Node, levels: int) -> Iterator[Entry]:
    if not levels:
        return
    for key, child in node.entries.items():
        if child.kind != "scalar" and child.alias_site is None and not child.merged:
            named = child.key_start, child.key_end
            yield Entry(key, child.kind == "list", (named[0], child.end), named, tuple(_parts(child, levels - 1)))
    for number, child in enumerate(node.items, 1):
        if child.kind == "map" and child.alias_site is None:
            known = next((one for key in NAMES if (one := child.entries.get(key)) and one.kind == "scalar"), None)
            own = known is not None and child.start <= known.start and known.end <= child.end
            named = (known.start, known.end) if known is not None and own else (child.start, child.start)
            name = known.text.strip() if known is not None else ""
            yield Entry(name or f"{number}.", False, (child.start, child.end), named, tuple(_parts(child, levels - 1)))
