"""What switches print of their LLDP neighbours: NX-OS and EOS as tables, in detail and as JSON, IOS in detail, NVUE as JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fate, How, Source, Value, of_node
from designlint.importers.lldpctl import NAMES, name_described
from designlint.importers.neighbours import Neighbour, model_described
from designlint.importers.notations import structured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.reading import Node

#: Headings of the tables of NX-OS and of EOS, and their rows; NX-OS moves a long name to a line of its own.
HEADINGS = re.compile(
    r"^[ \t]*(?:Device ID[ ]+Local Intf[ ]+Hold-time|Port[ ]+Neighbor Device ID[ ]+Neighbor Port ID)\b.*$", re.MULTILINE
)
NXOS = re.compile(
    r"^[ \t]*(?:(?P<device>\S(?:\S|[ ](?=\S)){0,254})[ \t]*(?:\r?\n)?)[ \t]+"
    r"(?P<interface>(?:Eth|mgmt)[\w/]{1,20})[ \t]+\d{1,5}[ \t]+(?:[A-Z]{1,9}[ \t]+)?(?P<port>\S(?:\S|[ ](?=\S)){0,254})[ \t\r]*$",
    re.MULTILINE,
)
EOS = re.compile(
    r"^[ \t]*(?P<interface>(?:Et|Ma)[\w/]{1,20})[ ]+(?P<device>\S{1,255})[ ]+(?P<port>\S{1,255})[ ]+\d{1,5}[ \t\r]*$",
    re.MULTILINE,
)
#: The same in detail: a line that starts a neighbour, and those that say who it is.
BLOCK = re.compile(
    r"^[ \t]*(?:Chassis id:[ ]{1,9}\S|Neighbor[ ]\S+/\S|Interface[ ]\S+[ ]detected[ ]\d+[ ]LLDP)", re.MULTILINE
)
LINE = re.compile(
    r"^[ \t-]*(Local Port id|Port id|Port Description|System Name|System Description|Port ID type|Port ID)[ ]{0,9}:"
    r"[ ]+\"?([^\"\r\n]{1,255}?)\"?[ \t\r]*$"
    r"|^[ \t]*(?:Interface[ ](?=\S+[ ]detected\b)|Local Intf:[ ])(\S{1,64})",
    re.MULTILINE,
)
#: Where they name the switch's own port.
OWN = re.compile(r"^[ \t]*(?:Local Port id:|Local Intf: |Interface \S+ detected \d)", re.MULTILINE)
#: Keys of EOS and NX-OS for an interface, a device and its port.
KEYS = {"lldpNeighbors": ("port", "neighborDevice", "neighborPort"), "ROW_nbor": ("l_port_id", "chassis_id", "port_id")}
ADDRESS = re.compile(r"(?:[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4}){2})\Z")
#: What NX-OS prints where a neighbour has no name.
UNNAMED = frozenset(("null", "not advertised"))
#: Kinds of the identity of a port that EOS prints, and that are no name.
NAMELESS = re.compile(r"MAC|network", re.IGNORECASE)


def is_table(source: Source) -> bool:
    """Whether the file is a table of NX-OS or EOS, or the same in detail."""
    head = source.text[:50_000]
    if head.lstrip()[:1] in "{[":
        return False
    if HEADINGS.search(head) is not None and (NXOS.search(head) or EOS.search(head)):
        return True
    return BLOCK.search(head) is not None and "System Name" in head and bool(OWN.search(head))


def is_json(source: Source) -> bool:
    """Whether the file is JSON of EOS, NX-OS or NVUE."""
    head = source.text[:20_000]
    if any(f'"{key}"' in head for key in KEYS):
        return True
    return all(f'"{key}"' in head for key in ("neighbor", "chassis", "system-name"))


def neighbours(source: Source) -> Iterator[Neighbour]:
    """Every neighbour that a table or the detailed form names."""
    source.mark(0, len(source.text), Fate.IMMATERIAL)
    blocks = [one.start() for one in BLOCK.finditer(source.text)]
    if blocks and LINE.search(source.text):
        yield from _read_details(source)
        return
    for row in (NXOS if "Local Intf" in source.text else EOS).finditer(source.text):
        at = {name: source.value(row[name], *row.span(name), How.MEASURED) for name in ("interface", "device", "port")}
        yield Neighbour(at["interface"], at["device"], _port_name(at["port"]))


def _read_details(source: Source) -> list[Neighbour]:
    """EOS and IOS name an interface above its neighbours, NX-OS after the port of each."""
    found: list[Neighbour] = []
    interface: Value | None = None
    stated: dict[str, Value] = {}
    for line in LINE.finditer(source.text):
        if line[3]:
            interface = source.value(line[3], *line.span(3), How.MEASURED)
            continue
        label, value = line[1], source.value(line[2].strip(), *line.span(2), How.MEASURED)
        if label in ("Port id", "Port ID type"):  # the first line of a neighbour
            stated = {}
        stated[label] = value
        own = stated.get("Local Port id") or interface
        if label == "System Name" and own is not None and value.text not in UNNAMED and not ADDRESS.match(value.text):
            kind, port = stated.get("Port ID type"), stated.get("Port id") or stated.get("Port ID")
            if (kind is not None and NAMELESS.search(kind.text)) or (port is not None and ADDRESS.match(port.text)):
                port = name_described(stated.get("Port Description"))
            found.append(Neighbour(own, value, port))
        elif label == "System Description" and found and found[-1].device is stated.get("System Name"):
            found[-1] = found[-1]._replace(model=model_described(value))
    return found


def _port_name(port: Value | None) -> Value | None:
    return None if port is None or ADDRESS.match(port.text) else port


def entries(source: Source) -> Iterator[Neighbour]:
    """Every neighbour that the JSON names, wherever its list stands."""
    waiting = [("", one) for one in [structured.root(source)] if one is not None]
    while waiting:
        name, node = waiting.pop()
        if name in KEYS:
            for one in node.items or [node]:
                yield from _entry(source, one, KEYS[name])
            for interface in node.entries.values() if name == "lldpNeighbors" else ():
                yield from _details_of_port(source, interface)
            continue
        lldp = node.entries.get("lldp")
        seen = (lldp or node).entries.get("neighbor") if name else None
        if seen is not None:
            yield from _nvue(source, node, seen)
            continue
        waiting += [
            *((key, one) for key, one in reversed(node.entries.items())),
            *((name, one) for one in reversed(node.items)),
        ]


def _entry(source: Source, node: Node, keys: tuple[str, str, str]) -> Iterator[Neighbour]:
    interface, device, port = (_scalar(source, node.entries.get(key)) for key in keys)
    if interface is not None and device is not None and not ADDRESS.match(device.text):
        yield Neighbour(interface, device, _port_name(port))


def _details_of_port(source: Source, interface: Node) -> Iterator[Neighbour]:
    """EOS in detail: an interface is a key with a list; ports that are named by address are described."""
    at = _key(source, interface)
    listed = interface.entries.get("lldpNeighborInfo")
    for one in listed.items if listed is not None else ():
        device, port = one.entries.get("systemName"), one.entries.get("neighborInterfaceInfo")
        parts = port.entries if port is not None else {}
        name = _scalar(source, parts.get("interfaceId_v2") or parts.get("interfaceId"))
        bare = name and name.but(name.text.strip('"'))
        named = _scalar(source, device)
        if named is not None and at.text:
            yield Neighbour(at, named, _port_name(bare) or _scalar(source, parts.get("interfaceDescription")))


def _key(source: Source, node: Node) -> Value:
    """The key that a node stands under."""
    start, end = node.key_start, node.key_end
    return source.value(source.text[start:end].strip("\"' :"), start, end, How.MEASURED)


def _nvue(source: Source, interface: Node, seen: Node) -> Iterator[Neighbour]:
    """An interface is a key, and so is each of its neighbours; one that names its port by address describes it."""
    at = _key(source, interface)
    for one in seen.entries.values():
        chassis, port = one.entries.get("chassis"), one.entries.get("port")
        device = _scalar(source, chassis.entries.get("system-name")) if chassis is not None else None
        parts = port.entries if port is not None else {}
        kind = parts.get("type")
        key = "name" if kind is None or kind.text in NAMES else "description"
        if device is not None and at.text:
            yield Neighbour(at, device, _port_name(_scalar(source, parts.get(key))))


def _scalar(source: Source, node: Node | None) -> Value | None:
    found = node is not None and node.kind == "scalar" and node.text
    return of_node(source, node, How.MEASURED) if found and node is not None else None
