"""The tier of each switch: how far it is above the servers; and which devices a dump asks."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from designlint.importers.base import How, put
from designlint.language.tiers import TIERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from designlint.importers.base import Value, Words

#: The name of a fact: a device of which the files show its own neighbours, where they show those of some devices only.
ASKED = "device that shows its neighbours"

#: Who shows them where no device is known to show all of its own.
NOBODY = "nobody"


def levels(lowest: Iterable[str], above: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """
    Steps of each switch above the servers, by the shortest way; circles end, what reaches no server is left out.

    Args:
        lowest: the switches that servers are connected to.
        above: the switches that may lie above each switch, such as all its neighbours.
    """
    bottom = set(lowest)
    found = dict.fromkeys(bottom - _spines_with_servers(bottom, above), 0)
    waiting = deque(found)
    while waiting:
        here = waiting.popleft()
        for one in above.get(here, ()):
            if one not in found:
                found[one] = found[here] + 1
                waiting.append(one)
    return found


def _spines_with_servers(lowest: set[str], above: Mapping[str, Sequence[str]]) -> set[str]:
    """Switches with a few servers of their own that have the same neighbours as one without, all of them with servers."""
    twins = {frozenset(seen) for name, seen in above.items() if name not in lowest and len(set(seen)) > 1}
    return {
        name
        for name in lowest
        if (seen := frozenset(above.get(name, ()))) in twins and seen <= lowest and name not in seen
    }


def put_role(words: Words, at: Value, level: int | None) -> None:
    """The role of a switch of a known level."""
    if level is not None and level < len(TIERS):
        put(words, "role", at.but(TIERS[level], f"level {level} above the servers", How.DERIVED).as_text())
