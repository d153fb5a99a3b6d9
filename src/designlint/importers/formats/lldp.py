"""LLDP neighbours of one server: `lldpctl -f json` or `lldpcli show neighbors -f json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, How, Source, Value, Words, of_node, put
from designlint.importers.notations import structured
from designlint.importers.workloads import named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
#: Kinds of an identity that are the name of a port; others are addresses.
NAMES = frozenset(("ifname", "local", "ifalias"))


def sure(source: Source) -> int:
    """8 where the top is `lldp` with interfaces."""
    if '"lldp"' not in source.text[:5000]:
        return 0
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


def design(models: Sequence[Source], context: Context) -> Fragment:
    """Cables between the server, named after the file, and the switches that it sees."""
    found = Fragment()
    switches: dict[str, Words] = {}
    links: list[Words] = []
    first: Value | None = None
    for source in models:
        server = named(source)
        for interface, switch, port in _neighbours(source):
            first = first or switch
            switches.setdefault(switch.text, {"name": switch.named()})
            links.append({"server": server, "adapter": interface.named(), "to": switch.named()})
            put(links[-1], "port", port and port.named())
        source.open_lines = False
        structured.close(source, IMMATERIAL)
    if first is not None:
        name = first.but("ethernet", "LLDP names no fabric", How.DERIVED).named()
        wiring: Words = {"switches": list(switches.values()), "host_links": links}
        fabric: Words = {"name": name, "topology": wiring}
        found.words["fabrics"] = [fabric]
    return found


def _neighbours(source: Source) -> Iterator[tuple[Value, Value, Value | None]]:
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
                yield at, switch, _port(source, inner)


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
