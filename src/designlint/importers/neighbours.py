"""What devices say of their neighbours, as cables: LLDP's, and those that a switch is configured for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from designlint.importers import tiers
from designlint.importers.base import Value, Words, put
from designlint.importers.cables import ImportedCable, links

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

#: What switches call their ports, and servers do not.
SWITCH_PORT = re.compile(
    r"(?:[A-Za-z]*Ethernet|ethernet(?=\d+/)|Eth(?=\d+/)|Et(?=\d)|(?:Te|Gi|Fo|Hu|Twe|Fa)(?=\d+/\d)|[A-Za-z]*GigE|swp|etp|xe-|et-|ge-)\d"
)
#: What switches call the port of their own management.
MANAGEMENT = re.compile(r"(?:eth0|mgmt\w*|management[\d/]*|ma\d[\d/]*|me0|em0|fxp0|vme|oob\w*)\Z", re.IGNORECASE)


#: Where a device describes itself: the model of a switch.
MODEL = re.compile(
    r"\bHwSku: ?(\S+)|\brunning on (?:an? )?(?:\S+ ){0,4}?(\S*\d\S*)\s*\Z|^Juniper Networks, Inc\. (\S+) (?:Ethernet )?Switch"
)


class Neighbour(NamedTuple):
    """What one interface sees: a device, its port where that is named, its rate and model where the file has them."""

    interface: Value
    device: Value
    port: Value | None
    rate: Value | None = None
    model: Value | None = None


#: What each device sees, by its name.
Seen = dict[str, tuple[Value, list[Neighbour]]]


def wiring(seen: Seen, servers: Container[str] = frozenset()) -> Words:
    """
    Switches, links between them and links to servers; nothing where no cable is seen.

    Args:
        servers: devices that a file calls servers, whatever their ports are called.
    """
    bare = seen.keys() | {one.device.text for _, neighbours in seen.values() for one in neighbours}
    seen = {name: (at, list(_select_cables([_local(one, bare) for one in ends]))) for name, (at, ends) in seen.items()}
    switches = {name: at for name, at in _switches(seen).items() if name not in servers}
    cables = list(_training(list(_cables(seen)), switches))
    switches = {
        name: at for name, at in switches.items() if any(name in (one.device.text, one.other.text) for one in cables)
    }
    ends = [(one, one.device.text in switches, one.other.text in switches) for one in cables]
    between = [_from_first_name(one) for one, near, far in ends if near and far]
    hosts = [one.reverse() if near else one for one, near, far in ends if near != far]
    if not switches or not (between or hosts):
        return {}
    found: Words = {"switches": _list_switches(switches, seen, between, hosts)}
    if between:
        found["links"] = list(links(between))
    found["host_links"] = [_host_link(one) for one in hosts]
    return found


def model_described(described: Value | None) -> Value | None:
    """The model of a switch in what it says of itself."""
    found = MODEL.search(described.text) if described is not None else None
    return described.but(next(one for one in found.groups() if one)) if described is not None and found else None


def _local(neighbour: Neighbour, known: Container[str]) -> Neighbour:
    """A device by its name without a domain where some file calls it so."""
    host, dot, _ = neighbour.device.text.partition(".")
    return neighbour._replace(device=neighbour.device.but(host)) if dot and host in known else neighbour


def _select_cables(neighbours: Sequence[Neighbour]) -> Iterator[Neighbour]:
    """The neighbours at the other end of a cable, each once: an interface with several devices sees them through another one."""
    by_interface: dict[str, dict[str, Neighbour]] = {}
    for one in neighbours:
        ends = by_interface.setdefault(one.interface.text, {})
        if one.device.text not in ends or ends[one.device.text].port is None:
            ends[one.device.text] = one
    for ends in by_interface.values():
        if len(ends) == 1:
            yield from ends.values()


def _switches(seen: Seen) -> dict[str, Value]:
    """The devices that are switches, by what their ports are called; what a server sees is one, too."""
    found: dict[str, Value] = {}
    for name, (at, neighbours) in seen.items():
        if any(SWITCH_PORT.match(one.interface.text) for one in neighbours):
            found[name] = at
    for name, (_, neighbours) in seen.items():
        for one in neighbours:
            if name not in found or (one.port is not None and SWITCH_PORT.match(one.port.text)):
                found.setdefault(one.device.text, one.device)
    return found


def _cables(seen: Seen) -> Iterator[ImportedCable]:
    """Every cable once, as the first of its ends shows it: the ends may call a port by different names."""
    known: set[tuple[str, str]] = set()
    for name, (at, neighbours) in seen.items():
        for one in neighbours:
            if (one.device.text, name) not in known:
                yield ImportedCable(at, one.interface, one.device, one.port, one.rate)
        known |= {(name, one.device.text) for one in neighbours}


def _training(cables: Sequence[ImportedCable], switches: Container[str]) -> Iterator[ImportedCable]:
    """The cables without those of the management network: of management ports, and to switches that only these reach."""
    managing: dict[str, bool] = {}
    kept: list[ImportedCable] = []
    for cable in cables:
        one, other = cable.device, cable.other
        ends = ((one, cable.port, other), (other, cable.far_port, one))
        beyond = [
            to.text for at, own, to in ends if at.text in switches and own is not None and MANAGEMENT.match(own.text)
        ]
        for name in beyond:
            managing.setdefault(name, True)
        if not beyond:
            kept.append(cable)
            if one.text in switches and other.text in switches:
                managing |= {one.text: False, other.text: False}
    for cable in kept:
        if not managing.get(cable.device.text) and not managing.get(cable.other.text):
            yield cable


def _from_first_name(cable: ImportedCable) -> ImportedCable:
    """The cable from the switch whose name comes first."""
    return cable.reverse() if cable.device.text > cable.other.text else cable


def _host_link(cable: ImportedCable) -> Words:
    words: Words = {"server": cable.device.as_text()}
    put(words, "adapter", cable.port and cable.port.as_text())
    words["to"] = cable.other.as_text()
    put(words, "port", cable.far_port and cable.far_port.as_text())
    put(words, "speed", cable.rate)
    return words


def _list_switches(
    switches: Mapping[str, Value], seen: Seen, between: Sequence[ImportedCable], hosts: Sequence[ImportedCable]
) -> list[Words]:
    """The switches; their roles where some of them were asked for their neighbours: servers do not see spines."""
    beside: dict[str, list[str]] = {}
    for cable in between:
        beside.setdefault(cable.device.text, []).append(cable.other.text)
        beside.setdefault(cable.other.text, []).append(cable.device.text)
    asked = any(name in seen for name in switches)
    level = tiers.levels((cable.other.text for cable in hosts), beside) if asked else {}
    models = {one.device.text: one.model for _, ends in seen.values() for one in ends if one.model is not None}
    listed: list[Words] = []
    for name, at in switches.items():
        words: Words = {"name": at.as_text()}
        tiers.put_role(words, at, level.get(name))
        model = models.get(name)
        put(words, "model", model and model.as_text())
        listed.append(words)
    return listed
