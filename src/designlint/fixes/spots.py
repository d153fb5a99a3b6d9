"""What stands where in a file, with aliases and merge keys; the paths of its places."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.reading import Document, Node, Path

    #: Start, end, kind and alias of a node: what a copy of it shares.
    Spot = tuple[int, int, str, tuple[int, int] | None]


class Spots(NamedTuple):
    """
    What stands where in a file.

    Attributes:
        nodes: every path that leads to a node, and whether it does so through an alias or a merge key.
        values, keys: the first path of what stands in a stretch of the text.
    """

    nodes: dict[Spot, list[tuple[Path, bool]]]
    values: dict[tuple[int, int], Path]
    keys: dict[tuple[int, int], Path]


@lru_cache(maxsize=8)  # thousands of findings of one file are placed one after another
def known_spots(document: Document) -> Spots:
    spots = Spots({}, {}, {})
    for path, node, through in _walk(document):
        spots.nodes.setdefault(spot_of(node), []).append((path, through))
        spots.keys.setdefault((node.key_start, node.key_end), path)
    for spot, found in spots.nodes.items():
        if not found[0][1]:
            spots.values.setdefault(spot[:2], found[0][0])
    return spots


def spot_of(node: Node) -> Spot:
    return node.start, node.end, node.kind, node.alias_site


def _walk(document: Document) -> Iterator[tuple[Path, Node, bool]]:
    """Every path with its node, and whether it leads through an alias or a merge key."""
    shared: set[Path] = set()
    for path, node in _paths(document):
        through = path[:-1] in shared if path else False
        if through or node.alias_site is not None or node.merged:
            shared.add(path)
        yield path, node, through


def _paths(document: Document) -> Iterator[tuple[Path, Node]]:
    from designlint.reading import tree_paths

    return tree_paths(document.root) if document.root is not None else iter(())
