"""Things that pairs join into groups, such as switches that cables join."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def joined_groups(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """
    By name, the one that stands for its group; a pair with a name that is none of these joins nothing.

    Method: disjoint sets, joined pair by pair; linear in the number of pairs but for a logarithm.
    """
    parent = {name: name for name in names}

    def top(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for one, other in pairs:
        if one in parent and other in parent:
            parent[top(one)] = top(other)
    return {name: top(name) for name in parent}
