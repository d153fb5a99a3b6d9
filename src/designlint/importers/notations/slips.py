"""Keys of YAML and JSON files that are spelt like one that an importer asked for in vain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.notations.structured import roots
from designlint.language.values import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from designlint.importers.base import Source
    from designlint.importers.defaults import Keys
    from designlint.reading import Node

#: How alike two keys are, from 0 to 1, where one is the other misspelt.
ALIKE = 0.88
#: The same of keys that nobody asks for, but of which it is known that they exist.
CLOSE = 0.92
#: Letters of a key that is compared with those that are not asked for.
LONG = 9
#: Mappings whose keys are their author's own.
FREE = frozenset(("labels", "annotations", "matchLabels", "nodeSelector"))


def slips(source: Source, immaterial: Keys, *, also: Collection[str] = ()) -> Iterator[tuple[Node, str, Node, str]]:
    """
    Keys that nobody asked for, spelt like one that was asked for in the same mapping: the document, key, value, other.

    Args:
        also: keys that exist beside those that are asked for; shorter ones are too much like others.
    """
    further = [one for one in also if len(one) >= LONG]
    asked: dict[int, set[str]] = source.cache.get("asked", {})
    for top in roots(source):
        waiting = [("", top)]
        while waiting:
            name, node = waiting.pop()
            known = asked.get(id(node), set())
            waiting += [
                *((name, one) for one in node.items),
                *((key, one) for key, one in node.entries.items() if key not in immaterial or key in known),
            ]
            for key, one in node.entries.items() if known else ():
                if key in known or key in immaterial or one.key_start < 0:
                    continue
                missing = sorted(known - node.entries.keys())
                found = nearest(key, missing, most=1, alike=ALIKE)
                if not found and name not in FREE and len(key) >= LONG:
                    found = nearest(key, [one for one in further if one not in node.entries], most=1, alike=CLOSE)
                yield from ((top, key, one, near) for near in found)
