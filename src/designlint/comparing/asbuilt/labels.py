"""Numbers of adapters and names of ports, where the two sides count or call them differently."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.wiring.graph import End, Wiring

#: What switches shorten in names of their own ports, and write in full for those of their neighbours.
SHORT = re.compile(r"\Aeth?(?=\d)", re.IGNORECASE)
DIGITS = re.compile(r"\d+")


def align(design: Wiring, built: Wiring) -> tuple[Wiring, Wiring, list[str]]:
    """Both sides as far as their labels compare, and what does not in sentences."""
    built, adapters = _align_numbers(design, built)
    built, names = _align_names(design, built)
    adapters += names
    design, built = _spell(design), _spell(built)
    ours, theirs = ({DIGITS.sub("0", end.port.lower()) for end in _ends(side) if end.port} for side in (design, built))
    if not ours or not theirs or not ours.isdisjoint(theirs):
        return design, built, adapters
    examples = [next(end.port for end in _ends(side) if end.port) for side in (design, built)]
    told = f"ports are not compared: the design calls them such as {examples[0]}, the dump such as {examples[1]}"
    return design, _without_ports(built), [*adapters, told]


def _align_numbers(design: Wiring, built: Wiring) -> tuple[Wiring, list[str]]:
    """The dump without numbers of adapters where these are not the design's: a rail that is missing would shift all others."""
    ours, theirs = ({one.nic for one in side.hosts if one.nic is not None} for side in (design, built))
    if not ours or not theirs or ours == theirs:
        return built, []
    told = f"adapters are not matched by number: a server has {len(ours)} of them in the design and {len(theirs)} in the dump"
    return replace(built, hosts=[one._replace(nic=None) for one in built.hosts]), [told]


def _align_names(design: Wiring, built: Wiring) -> tuple[Wiring, list[str]]:
    """The dump without names of adapters where none is the design's: LLDP names interfaces, a design may name RDMA devices."""
    ours, theirs = ({one.adapter: None for one in side.hosts if one.adapter} for side in (design, built))
    if not ours or not theirs or not ours.keys().isdisjoint(theirs):
        return built, []
    first, other = next(iter(ours)), next(iter(theirs))
    told = f"adapters are not matched by name: the design calls them such as {first}, the dump such as {other}"
    return replace(built, hosts=[one._replace(adapter="") for one in built.hosts]), [told]


def _ends(wiring: Wiring) -> Iterator[End]:
    """Every end at a switch."""
    for cable in wiring.cables:
        yield cable.one
        yield cable.other
    for host in wiring.hosts:
        yield host.to


def _spell(wiring: Wiring) -> Wiring:
    """The wiring with each port's name in full."""
    if not any(SHORT.match(end.port) for end in _ends(wiring)):
        return wiring

    def full(end: End) -> End:
        return end._replace(port=SHORT.sub("Ethernet", end.port))

    return replace(
        wiring,
        cables=[one._replace(one=full(one.one), other=full(one.other)) for one in wiring.cables],
        hosts=[one._replace(to=full(one.to)) for one in wiring.hosts],
    )


def _without_ports(wiring: Wiring) -> Wiring:
    return replace(
        wiring,
        cables=[
            one._replace(one=one.one._replace(port=""), other=one.other._replace(port="")) for one in wiring.cables
        ],
        hosts=[one._replace(to=one.to._replace(port="")) for one in wiring.hosts],
    )
