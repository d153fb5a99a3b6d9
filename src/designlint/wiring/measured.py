"""The wiring that importers read from discovery dumps, or from any file that names switches and what they join."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.design.known import Spot
from designlint.importers import Value
from designlint.wiring.graph import Cable, End, HostCable, Switch, Wiring

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.importers import Imported
    from designlint.language.units import Units


def of_import(found: Imported, units: Units) -> list[Wiring]:
    """The fabrics that the files describe, the largest first."""

    def rate(text: str) -> float | None:
        read = units.parse(text, "DataRate")
        return float(read) if isinstance(read, int | float) else None

    fabrics = [_fabric(one, rate) for one in _list(found.words.get("fabrics"))]
    return sorted(fabrics, key=lambda one: len(one.cables) + len(one.hosts), reverse=True)


def _fabric(words: dict[str, Any], rate: Callable[[str], float | None]) -> Wiring:
    known: dict[str, float | None] = {}

    def read(value: Any) -> float | None:
        text = _text(value)
        if text not in known:
            known[text] = rate(text) if text else None
        return known[text]

    wiring = Wiring(_text(words.get("name")), _text(words.get("technology")), read(words.get("speed")))
    wiring.spot = _spot(words.get("name"))
    topology = words.get("topology")
    for one in _list(topology.get("switches")) if isinstance(topology, dict) else ():
        name = _text(one.get("name"))
        role, guid, model = (_text(one.get(word)) for word in ("role", "guid", "model"))
        wiring.switches[name] = Switch(name, role, guid, _spot(one.get("name")), model=model)
    for one in _list(topology.get("links")) if isinstance(topology, dict) else ():
        _link(one, wiring, read)
    for one in _list(topology.get("host_links")) if isinstance(topology, dict) else ():
        server, nic, spot = _text(one.get("server")), _text(one.get("nic")), _spot(one.get("server"))
        wiring.servers.setdefault(server, spot)
        to = End(_text(one.get("to")), _text(one.get("port")))
        number = int(nic) if nic.isdigit() else None
        wiring.hosts.append(HostCable(server, to, number, _text(one.get("adapter")), read(one.get("speed")), spot))
    return wiring


def _link(words: dict[str, Any], wiring: Wiring, read: Callable[[Any], float | None]) -> None:
    one, other, count = (_text(words.get(word)) for word in ("from", "to", "cables"))
    wiring.adjacency |= not count
    speed, spot = read(words.get("speed")), _spot(words.get("from"))
    left, right = _list(words.get("from_ports")), _list(words.get("to_ports"))
    for at in range(int(count) if count.isdigit() else 1):
        at_one, at_other = (ports[at] if at < len(ports) else None for ports in (left, right))
        place = _spot(at_one) if at_one is not None else spot
        wiring.cables.append(Cable(End(one, _text(at_one)), End(other, _text(at_other)), speed, place))


def _list(part: Any) -> list[Any]:
    return part if isinstance(part, list) else []


def _text(value: Any) -> str:
    return value.text if isinstance(value, Value) else ""


def _spot(value: Any) -> Spot | None:
    return Spot(value.source.document, value.start, value.end) if isinstance(value, Value) else None
