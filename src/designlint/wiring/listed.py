"""The wiring that a design lists: switch by switch, link by link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.design.known import spot_of
from designlint.graph.subjects import Subject
from designlint.language.values import is_number
from designlint.wiring.graph import MOST, Cable, End, HostCable, Switch, Wiring

if TYPE_CHECKING:
    from designlint.design.known import Known
    from designlint.graph.subjects import Fact


def list_wiring(fabric: Known, topology: Known) -> Wiring:
    """The switches, links and cables to servers that the design lists."""
    wiring = Wiring(fabric.subject.name, fabric.text("technology"), fabric.number("host_rate"), spot=fabric.spot)
    for one in topology.parts("switches"):
        rail = one.facts.get("rail")
        wiring.switches[one.name] = Switch(
            one.name, _text(one.facts.get("role")), _text(one.facts.get("guid")),
            spot_of(one.keys.get("name") or one.node), rail=rail if isinstance(rail, int) else None,
            model=_text(one.facts.get("model")),
        )  # fmt: skip
    for one in topology.parts("links"):
        _link(one, wiring)
    for one in topology.parts("host_links"):
        _host_link(one, wiring)
    if not wiring.hosts:
        wiring.hosts_open = "the design lists no cables to servers (`host_links`)"
    if not wiring.cables and len(wiring.switches) > 1:
        wiring.links_open = "the design lists no links between its switches"
    return wiring


def _link(link: Subject, wiring: Wiring) -> None:
    one, other = _name(link.facts.get("from")), _name(link.facts.get("to"))
    if not one or not other:
        return
    count, spot = link.facts.get("cables"), spot_of(link.keys.get("from") or link.node)
    if not isinstance(count, int) or count + len(wiring.cables) > MOST:
        wiring.adjacency, count = True, 1
    ports = [_texts(link.facts.get(word)) for word in ("from_ports", "to_ports")]
    speed = _rate(link.facts.get("speed"))
    for at in range(count):
        ends = [
            End(name, known[at] if at < len(known) else "") for name, known in zip((one, other), ports, strict=True)
        ]
        wiring.cables.append(Cable(ends[0], ends[1], speed, spot))


def _host_link(link: Subject, wiring: Wiring) -> None:
    server, leaf, nic = _text(link.facts.get("server")), _name(link.facts.get("to")), link.facts.get("nic")
    if not server or not leaf:
        return
    spot = spot_of(link.keys.get("server") or link.node)
    wiring.servers.setdefault(server, spot)
    wiring.hosts.append(
        HostCable(
            server, End(leaf, _text(link.facts.get("port"))), nic if isinstance(nic, int) else None,
            _text(link.facts.get("adapter")), _rate(link.facts.get("speed")) or wiring.speed, spot,
        )
    )  # fmt: skip


def _name(fact: Fact | None) -> str:
    """A switch that a link names: one of the list, or as it is written."""
    return fact.name if isinstance(fact, Subject) else _text(fact)


def _text(fact: Fact | None) -> str:
    return fact if isinstance(fact, str) else ""


def _texts(fact: Fact | None) -> list[str]:
    return [str(one) for one in fact] if isinstance(fact, list) else []


def _rate(fact: Fact | None) -> float | None:
    return float(fact) if is_number(fact) else None
