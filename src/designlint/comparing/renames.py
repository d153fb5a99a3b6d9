"""What a new design was called before: the removed one of the revision that it shares most with."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from designlint.comparing.revisions import Snapshot

#: What a renamed file shares with what it was at least, as git has it, and the removed designs that are compared.
LEAST_SHARED, MOST_COMPARED = 0.5, 100
WORD = re.compile(rb"[\w.%-]+")


def former_path(snapshot: Snapshot, data: bytes) -> str | None:
    """The path that a design had at the revision; None for a new one."""
    words = Counter(WORD.findall(data))
    shared = {path: _shared_fraction(words, other) for path, other in _removed_designs(snapshot).items()}
    best = max(shared, key=lambda path: shared[path], default=None)
    return best if best is not None and shared[best] >= LEAST_SHARED else None


@lru_cache(maxsize=4)
def _removed_designs(snapshot: Snapshot) -> dict[str, Counter[bytes]]:
    """The words of the designs that are gone."""
    paths = snapshot.removed_designs("")[:MOST_COMPARED]
    return {path: Counter(WORD.findall(snapshot.content(path) or b"")) for path in paths}


def _shared_fraction(one: Counter[bytes], other: Counter[bytes]) -> float:
    return 2 * (one & other).total() / max(1, one.total() + other.total())
