"""LLDP neighbours of servers and switches: all forms of `lldpctl`, SONiC's table, Cumulus', NX-OS' and EOS'."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import lldp_switches, lldpctl, tiers
from designlint.importers.base import Fate, Fragment, How, Source, Value, Words, of_node, put
from designlint.importers.cables import Cable, links
from designlint.importers.lldpctl import NAMES, Neighbour
from designlint.importers.notations import structured, xml
from designlint.importers.workloads import name_workload

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from designlint.importers.base import Context
    from designlint.reading import Node

TITLE = "LLDP neighbours"
IMMATERIAL = frozenset(
    [
        "lldp",
        "via",
        "rid",
        "age",
        "mgmt-ip",
        "capability",
        "port",
        "vlan",
        "ttl",
        "descr",
        "auto-negotiation",
        "unknown-tlvs",
        "lldp-med",
        "id",
    ]
)
#: What switches call their ports, and servers do not.
SWITCH_PORT = re.compile(
    r"(?:[A-Za-z]*Ethernet|Eth(?=\d+/)|Et(?=\d)|(?:Te|Gi|Fo|Hu|Twe|Fa)(?=\d+/\d)|[A-Za-z]*GigE|swp|etp|xe-|et-|ge-)\d"
)
#: What switches call the port of their own management.
MANAGEMENT = re.compile(r"(?:eth0|mgmt\w*|management[\d/]*|ma\d[\d/]*|me0|em0|fxp0|vme|oob\w*)\Z", re.IGNORECASE)
RULE = re.compile(r"^-+(?: +-+){2,}$", re.MULTILINE)
ROW = re.compile(r"^[A-Za-z]\w*(?:[/.:-]\w+)*  .*$", re.MULTILINE)
HEADING = re.compile(
    r"^(?:LocalPort[ ]+RemoteDevice[ ]+RemotePortID\b|Interface[ ]+Speed[ ]+Type[ ]+Remote Host[ ]+Remote Port).*$",
    re.MULTILINE,
)
#: An address, which is no name of a port.
ADDRESS = re.compile(r"[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}\Z")


#: What each device sees, by its name.
Seen = dict[str, tuple[Value, list[Neighbour]]]


def sure(source: Source) -> int:
    """8 where the top is `lldp` with interfaces, or a form that switches print."""
    if lldp_switches.is_table(source) or (source.text.lstrip()[:1] in "{[" and lldp_switches.is_json(source)):
        return 8
    if '"lldp"' not in source.text[:5000]:
        printed = _heading(source) is not None or lldpctl.is_lldpctl_output(source)
        return 8 if printed or xml.first_tag(source) == "lldp" else 0
    root = structured.root(source)
    return 8 if root is not None and _at(root, "lldp", "interface") is not None else 0


def _at(node: Node | None, *keys: str) -> Node | None:
    """The node at some keys; of a list the first item, as the format `json0` makes lists of everything."""
    for key in keys:
        if node is not None and node.kind == "list" and node.items:
            node = node.items[0]
        node = node.entries.get(key) if node is not None and node.kind == "map" else None
    return node


def _scalar(node: Node | None) -> Node | None:
    """The scalar itself, or the one under `value`."""
    found = node if node is None or node.kind == "scalar" else _at(node, "value")
    return found if found is not None and found.kind == "scalar" and found.text else None


def read(source: Source, context: Context) -> Source:
    """The file itself. Raises: Refusal where a file that is no table is broken."""
    if xml.first_tag(source) == "lldp":
        xml.root(source)
    elif _heading(source) is None and not lldpctl.is_lldpctl_output(source) and not lldp_switches.is_table(source):
        structured.refuse_broken(source)
    return source


def _heading(source: Source) -> re.Match[str] | None:
    """The heading of SONiC's table."""
    return None if source.text.lstrip().startswith("{") else HEADING.search(source.text[:5000])


def design(models: Sequence[Source], context: Context) -> Fragment:
    """Cables between devices, each named after its file, and what they see."""
    seen: Seen = {}
    for source in models:
        seen[name_workload(source).text] = (name_workload(source), list(_neighbours(source)))
    bare = seen.keys() | {one.device.text for _, neighbours in seen.values() for one in neighbours}
    seen = {name: (at, [_local(one, bare) for one in neighbours]) for name, (at, neighbours) in seen.items()}
    switches = _switches(seen)
    cables = list(_training(list(_cables(seen)), switches))
    ends = [(one, one.device.text in switches, one.other.text in switches) for one in cables]
    between = [_from_first_name(one) for one, near, far in ends if near and far]
    hosts = [one.turned() if near else one for one, near, far in ends if near != far]
    joined = {name for one in cables for name in (one.device.text, one.other.text)}
    switches = {name: at for name, at in switches.items() if name in joined}
    found = Fragment()
    if switches and (between or hosts):
        first = next(iter(switches.values()))
        name = first.but("ethernet", "LLDP names no fabric", How.DERIVED).as_text()
        wiring: Words = {"switches": _list_switches(switches, seen, between, hosts)}
        if between:
            wiring["links"] = list(links(between))
        wiring["host_links"] = [_host_link(one) for one in hosts]
        fabric: Words = {"name": name, "topology": wiring}
        found.words["fabrics"] = [fabric]
        for at, _ in seen.values():
            found.fact(tiers.ASKED, at)
    return found


def _local(neighbour: Neighbour, known: Container[str]) -> Neighbour:
    """A device by its name without a domain where some file calls it so."""
    host, dot, _ = neighbour.device.text.partition(".")
    return neighbour._replace(device=neighbour.device.but(host)) if dot and host in known else neighbour


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


def _cables(seen: Seen) -> Iterator[Cable]:
    """Every cable once, as the first of its ends shows it: the ends may call a port by different names."""
    known: set[tuple[str, str]] = set()
    for name, (at, neighbours) in seen.items():
        for one in neighbours:
            if (one.device.text, name) not in known:
                yield Cable(at, one.interface, one.device, one.port)
        known |= {(name, one.device.text) for one in neighbours}


def _training(cables: Sequence[Cable], switches: Container[str]) -> Iterator[Cable]:
    """The cables without those of the management network: of management ports, and to switches that only these reach."""
    managing: dict[str, bool] = {}
    kept: list[Cable] = []
    for cable in cables:
        one, port, other, far, _ = cable
        ends = ((one, port, other), (other, far, one))
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


def _host_link(cable: Cable) -> Words:
    words: Words = {"server": cable.device.as_text()}
    put(words, "adapter", cable.port and cable.port.as_text())
    words["to"] = cable.other.as_text()
    put(words, "port", cable.far_port and cable.far_port.as_text())
    return words


def _from_first_name(cable: Cable) -> Cable:
    """The cable from the switch whose name comes first."""
    return cable.turned() if cable.device.text > cable.other.text else cable


def _list_switches(
    switches: Mapping[str, Value], seen: Seen, between: Sequence[Cable], hosts: Sequence[Cable]
) -> list[Words]:
    """The switches; their roles where some of them were asked for their neighbours: servers do not see spines."""
    beside: dict[str, list[str]] = {}
    for one in between:
        beside.setdefault(one.device.text, []).append(one.other.text)
        beside.setdefault(one.other.text, []).append(one.device.text)
    asked = any(name in seen for name in switches)
    level = tiers.levels((one.other.text for one in hosts), beside) if asked else {}
    listed: list[Words] = []
    for name, at in switches.items():
        words: Words = {"name": at.as_text()}
        tiers.put_role(words, at, level.get(name))
        listed.append(words)
    return listed


def _neighbours(source: Source) -> Iterator[Neighbour]:
    """What the file shows, in any form."""
    if xml.first_tag(source) == "lldp":
        yield from lldpctl.elements(source)
        return
    if lldp_switches.is_table(source):
        yield from lldp_switches.neighbours(source)
        return
    heading = _heading(source)
    if heading is None and lldpctl.is_lldpctl_output(source):
        yield from lldpctl.neighbours(source)
        return
    if heading is None:
        yield from lldp_switches.entries(source) if lldp_switches.is_json(source) else _of_json(source)
        source.open_lines = False
        structured.close(source, IMMATERIAL)
        return
    source.mark(0, len(source.text), Fate.IMMATERIAL)
    rule = RULE.search(source.text, heading.end())
    columns = [(one.start(), one.end()) for one in re.finditer("-+", rule[0])] if rule is not None else []
    for row in ROW.finditer(source.text, rule.end()) if rule is not None else ():
        cells = [row[0][start:end].strip() for start, end in columns]
        cells = [cells[0], *(cells[3:5] if heading[0].startswith("Interface") else cells[1:3])]
        if not all(cells[:2]):
            continue
        at = [source.value(cell, row.start(), row.end(), How.MEASURED) for cell in cells]
        yield Neighbour(at[0], at[1], at[2] if cells[2] and not ADDRESS.match(cells[2]) else None)


def _of_json(source: Source) -> Iterator[Neighbour]:
    """Interface, switch and its port. One interface stands without a list; some versions have names as keys."""
    top = _at(structured.root(source), "lldp", "interface")
    for node in (top.items or [top]) if top is not None else ():
        entries = [("", node)] if "chassis" in node.entries else list(node.entries.items())
        for interface, inner in entries:
            chassis = _at(inner, "chassis")
            if chassis is None:
                continue
            switch, title = _chassis(source, chassis), _scalar(inner.entries.get("name"))
            at = (
                of_node(source, title) if title is not None else source.value(interface, inner.key_start, inner.key_end)
            )
            if switch is not None and at.text:
                yield Neighbour(at, switch, _port(source, inner))


def _port(source: Source, interface: Node) -> Value | None:
    """The port of the switch by its name; a switch that names its ports by address describes them beside it."""
    kind = _scalar(_at(interface, "port", "id", "type"))
    named_so = kind is None or kind.text in NAMES
    port = _scalar(_at(interface, "port", "id")) if named_so else _scalar(_at(interface, "port", "descr"))
    return of_node(source, port, How.MEASURED) if port is not None else None


def _chassis(source: Source, chassis: Node) -> Value | None:
    """The name of the switch: a key of its own, or under `name`."""
    stated = _scalar(_at(chassis, "name"))
    if stated is not None:
        return of_node(source, stated, How.MEASURED)
    for name, inner in chassis.entries.items() if chassis.kind == "map" else ():
        if inner.kind == "map" and inner.key_start >= 0 and name != "id":
            return source.value(name, inner.key_start, inner.key_end, How.MEASURED)
    return None
