"""What the importers of single servers share: a pool named after the file, PCI Express generations."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, How, Value, Words, put
from designlint.importers.workloads import name_workload
from designlint.language.groups import joined_groups

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from designlint.importers.base import Source

RATE = re.compile(r"(\d+(?:\.\d+)?)\s*GT/s")


#: The name of a fact: the GPUs of a server, none of which a link of the scale-up network joins to another.
WITHOUT_LINKS = "GPUs without a link between them"
#: Why the domain of GPUs that NVLink joins to their CPUs stays open where one server was looked at, and who tells.
BEYOND = "NVLink joins the GPUs to their CPUs, and may join them to GPUs of other servers, which the file leaves out"
FABRIC = "nvidia-smi -q | grep -A4 Fabric"
#: The largest of several groups of unlike size that links join; the lowest figures of slots that differ.
LARGEST_GROUP = "GPUs in the largest group that links join"
SLOWEST, NARROWEST = "PCI Express generation of the slowest GPU slot", "lanes of the narrowest GPU slot"


def pool(source: Source, words: Words, name: Value | None = None) -> Fragment:
    """A pool of servers of which one was looked at; how many there are, it does not say."""
    found = Fragment()
    found.words["nodes"] = [{"name": name_workload(source, name), **words}]
    return found


def generation(rate: float) -> int | None:
    """The PCI Express generation that transfers so many GT/s on a lane; None where none does."""
    for number, value in defaults.tool("pci-express").tables["transfer_rates"].items():
        if abs(float(value) - rate) < 0.01:
            return int(number)
    return None


def slots(words: Words, links: Iterable[tuple[Value, Value]], fragment: Fragment) -> None:
    """Generation and lanes of the GPUs' slots, from rates and widths; where they differ, the lowest are facts."""
    found = [
        (rate, width) for rate, width in links if RATE.match(rate.text) and width.text.isdigit() and width.text != "0"
    ]
    rates = [(generation(float(RATE.match(rate.text)[1])) or 0, rate) for rate, _ in found]  # type: ignore[index]
    widths = [(int(width.text), width) for _, width in found]
    for word, fact, numbers in (("pcie_generation", SLOWEST, rates), ("pcie_lanes_per_gpu", NARROWEST, widths)):
        low, at = min(numbers, key=lambda one: one[0], default=(0, None))
        many = sum(number == low for number, _ in numbers)
        if at is None or not low:
            continue
        if many == len(numbers):
            put(words, word, at.but(low, f"{at.text} of all GPUs") if word == "pcie_generation" else at)
        else:
            fragment.fact(fact, at.but(low, f"{many} of {len(numbers)} GPUs", How.DERIVED))


def model(devices: Iterable[Value]) -> Value | None:
    """The GPU behind the numbers `vendor:device` of all devices; None where they differ or stand for several models."""
    found = list(devices)
    known: dict[str, str] = defaults.tool("pci-devices").tables["gpus"]
    if not found or len({one.text for one in found}) > 1 or found[0].text not in known:
        return None
    return found[0].but(known[found[0].text], f"PCI device {found[0].text}").of("Gpu")


def domain(
    members: Iterable[str], joined: Iterable[tuple[str, str]], at: Callable[[int], Value], found: Fragment
) -> int | None:
    """The size of the groups that links join, where all groups are of one size; where they differ, the largest is a fact."""
    links, gpus = list(joined), set(members)
    groups = joined_groups({*gpus, *chain.from_iterable(links)}, links)
    sizes = set(Counter(groups[one] for one in gpus).values())
    found.fact(LARGEST_GROUP, at(max(sizes)) if len(sizes) > 1 else None)
    return sizes.pop() if len(sizes) == 1 else None
