"""A network for ibsim, the InfiniBand simulator: the full form of ibnetdiscover, which it reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.exporters.base import Export, ExportRefusal, head
from designlint.importers.infiniband.fabric import named_rate
from designlint.language.tiers import TIERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.exporters.base import Order
    from designlint.wiring.graph import Wiring

TITLE = "InfiniBand network for ibsim"
GUID = re.compile(r"S-[0-9a-f]{16}\Z")
#: Letters that its readers take for the end of a name.
FORBIDDEN = re.compile(r'["\r\n@#\[\]]')
#: First numbers of switches and of adapters, so that no two are alike.
SWITCHES, ADAPTERS = 0x1_0000_0000, 0x2_0000_0000
LANES = 4


def write(order: Order) -> Export:
    """Every switch and adapter with its ports, each cable at both its ends. Raises: Refusal for other than InfiniBand."""
    wiring, notes = order.assign_ports()
    if wiring.technology and not wiring.technology.startswith("infiniband"):
        raise ExportRefusal(f"ibsim simulates InfiniBand, but {wiring.fabric} is {wiring.technology}", wiring.spot)
    bad = next((one for one in (*wiring.switches, *wiring.servers) if FORBIDDEN.search(one)), None)
    if bad is not None:
        raise ExportRefusal(f"ibsim reads no name like `{bad[:60]}`", wiring.spot)
    lines = [*head(order, TITLE, notes, fabric=wiring.fabric), "", *_network(wiring, order)]
    return Export("\n".join(lines) + "\n", notes)


def _network(wiring: Wiring, order: Order) -> Iterator[str]:
    used = {one.guid for one in wiring.switches.values()}
    guids = {
        name: one.guid if GUID.match(one.guid) else _fresh("S", SWITCHES + number, used)
        for number, (name, one) in enumerate(wiring.switches.items())
    }
    lines: dict[str, list[tuple[int, str]]] = {name: [] for name in guids}
    adapters: list[tuple[str, str, str]] = []
    for number, one in enumerate(wiring.hosts):
        label = f"{one.server} {one.adapter or f'HCA-{(one.nic or 0) + 1}'}"
        guid, rate = f"H-{ADAPTERS + number:016x}", _rate(one.speed)
        lines[one.to.switch].append(_line(one.to.port, guid, "1", label, rate))
        back = _line("1", guids[one.to.switch], one.to.port, one.to.switch, rate, "lid 0 lmc 0 ")[1]
        adapters.append((guid, label, back))
    for cable in wiring.cables:
        for end, far in ((cable.one, cable.other), (cable.other, cable.one)):
            lines[end.switch].append(_line(end.port, guids[far.switch], far.port, far.switch, _rate(cable.speed)))
    topology = order.topology
    stated = dict(zip(TIERS, ("switch_ports", "spine_switch_ports", "core_switch_ports"), strict=True))
    for name, switch in wiring.switches.items():
        most = max([one for one, _ in lines[name]], default=1)
        known = topology.count(stated[switch.role]) if switch.role in stated else None
        yield f'Switch\t{max(most, known or 0)} "{guids[name]}"\t\t# "{name}" enhanced port 0 lid 0 lmc 0'
        yield from (line for _, line in sorted(lines[name]))
        yield ""
    for guid, label, back in adapters:
        yield f'Hca\t1 "{guid}"\t\t# "{label}"'
        yield back
        yield ""


def _fresh(letter: str, number: int, used: set[str]) -> str:
    while (guid := f"{letter}-{number:016x}") in used:
        number += 1 << 36
    return guid


def _line(port: str, far: str, far_port: str, label: str, rate: str, ids: str = "") -> tuple[int, str]:
    if not port.isdigit() or not far_port.isdigit():
        raise ExportRefusal(f"ibsim numbers ports, but one is called `{port if not port.isdigit() else far_port}`")
    told = f' # {ids}"{label}" lid 0 {LANES}x{rate}' if rate else f' # {ids}"{label}"'
    return int(port), f'[{port}]\t"{far}"[{far_port}]\t{told}'


def _rate(speed: float | None) -> str:
    return named_rate(speed / 1e9 / LANES) if speed else ""
