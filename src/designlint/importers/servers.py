"""What the importers of single servers share: a pool named after the file, PCI Express generations."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, Value, Words, put
from designlint.importers.workloads import named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.importers.base import Source

RATE = re.compile(r"(\d+(?:\.\d+)?)\s*GT/s")


#: The name of a fact: the GPUs of a server, none of which a link of the scale-up network joins to another.
WITHOUT_LINKS = "GPUs without a link between them"


def pool(source: Source, words: Words, name: Value | None = None) -> Fragment:
    """A pool of servers of which one was looked at; how many there are, it does not say."""
    found = Fragment()
    found.words["nodes"] = [{"name": named(source, name), **words}]
    return found


def generation(rate: float) -> int | None:
    """The PCI Express generation that transfers so many GT/s on a lane; None where none does."""
    for number, value in defaults.tool("pci-express").tables["transfer_rates"].items():
        if abs(float(value) - rate) < 0.01:
            return int(number)
    return None


def slots(words: Words, links: Iterable[tuple[Value, Value]]) -> None:
    """Generation and lanes of the GPUs' slots, from rates and widths; unknown where they differ or say nothing."""
    found = [(rate, width) for rate, width in links if RATE.match(rate.text) and width.text not in ("", "0")]
    if not found or len({(RATE.match(rate.text)[1], width.text) for rate, width in found}) != 1:  # type: ignore[index]
        return
    rate, width = found[0]
    number = generation(float(RATE.match(rate.text)[1]))  # type: ignore[index]
    put(words, "pcie_generation", rate.but(number, f"{rate.text} of all GPUs") if number else None)
    put(words, "pcie_lanes_per_gpu", width)


def domain(members: Iterable[str], joined: Iterable[tuple[str, str]]) -> int | None:
    """The size of the groups that links join, where all groups are of one size; None where they differ."""
    parent = {one: one for one in members}

    def top(one: str) -> str:
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    for one, other in joined:
        for end in (one, other):
            parent.setdefault(end, end)
        parent[top(one)] = top(other)
    sizes = set(Counter(top(one) for one in list(parent) if one in set(members)).values())
    return sizes.pop() if len(sizes) == 1 else None
