"""A cable schedule: one row for each cable, both ends with their ports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.exporters.base import Export
from designlint.reporters.shared.spreadsheet import comma_separated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.exporters.base import Order
    from designlint.wiring.graph import Wiring

TITLE = "Cable schedule"
COLUMNS = ("cable", "fabric", "from", "from_role", "from_port", "to", "to_role", "to_port", "speed")


def write(order: Order) -> Export:
    """The schedule. Raises: Refusal where no cable follows from the design."""
    wiring, notes = order.assign_ports()
    return Export(comma_separated([COLUMNS, *rows(wiring, order)], end="\n"), notes)


def rows(wiring: Wiring, order: Order) -> Iterator[tuple[str, ...]]:
    """The cables in the order of their leaves, those to servers first; a server's port is its adapter."""
    units, roles = order.design.engine.vocabulary.units, {name: one.role for name, one in wiring.switches.items()}
    width = len(str(len(wiring.hosts) + len(wiring.cables)))
    known = {speed: units.format(speed, "DataRate") if speed else "" for speed in _speeds(wiring)}
    number = 0
    for host in wiring.hosts:
        number += 1
        adapter = host.adapter or ("" if host.nic is None else str(host.nic))
        yield (
            f"{number:0{width}d}", wiring.fabric, host.server, "server", adapter, host.to.switch,
            roles.get(host.to.switch, ""), host.to.port, known[host.speed],
        )  # fmt: skip
    for one in wiring.cables:
        number += 1
        lower, upper = one.one, one.other
        yield (
            f"{number:0{width}d}", wiring.fabric, lower.switch, roles.get(lower.switch, ""), lower.port, upper.switch,
            roles.get(upper.switch, ""), upper.port, known[one.speed],
        )  # fmt: skip


def _speeds(wiring: Wiring) -> set[float | None]:
    return {one.speed for one in wiring.hosts} | {one.speed for one in wiring.cables}
