"""Keys of YAML and JSON files that are spelt like one that an importer asked for in vain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.notations.structured import roots
from designlint.language.values import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.base import Source
    from designlint.importers.defaults import Keys
    from designlint.reading import Node

#: How alike two keys are, from 0 to 1, where one is the other misspelt.
ALIKE = 0.88


def slips(source: Source, immaterial: Keys) -> Iterator[tuple[Node, str, Node, str]]:
    """Keys that nobody asked for, spelt like one that was asked for in the same mapping: the document, key, value, other."""
    asked: dict[int, set[str]] = source.cache.get("asked", {})
    for top in roots(source):
        waiting = [top]
        while waiting:
            node = waiting.pop()
            known = asked.get(id(node), set())
            waiting += [
                *node.items,
                *(one for key, one in node.entries.items() if key not in immaterial or key in known),
            ]
            for key, one in node.entries.items() if known else ():
                if key in known or key in immaterial or one.key_start < 0:
                    continue
                missing = sorted(known - node.entries.keys())
                yield from ((top, key, one, near) for near in nearest(key, missing, most=1, alike=ALIKE))
