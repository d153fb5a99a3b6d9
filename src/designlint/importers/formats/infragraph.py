"""InfraGraph: devices with components, instances of them, and edges with slices of ports."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from designlint.importers.base import Fate, Fragment, How, ImportRefusal, Source, Value, Words, put, whole
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table, scalars
from designlint.importers.workloads import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.importers.base import Context

TITLE = "InfraGraph"
#: A name with a slice as Python has it: the end is left out.
SLICE = re.compile(r"([\w.-]+?)(?:\[(\d{0,9})(:?)(\d{0,9})(?::(\d{0,3}))?\])?\Z")
#: A connection in early versions: instance, number, component, number, link, and the same of the far end; inside a device
#: the components alone.
DOTTED = re.compile(r"([\w-]+)\.(\d{1,7})(?:\.[\w-]+\.\d{1,7})?\.([\w-]+)\.([\w-]+)\.(\d{1,7})(?:\.[\w-]+\.\d{1,7})?\Z")
#: What a component that computes is called; `npu` in early versions.
COMPUTES = frozenset(("xpu", "npu", "gpu"))
#: Cables that one file may describe.
MOST = 2_000_000
#: Gbit/s in one unit of a bandwidth; early versions part the names, and state the bandwidth of a link itself.
RATES = {
    "gigabits_per_second": 1.0, "giga_bits_per_second": 1.0, "gigabytes_per_second": 8.0, "giga_bytes_per_second": 8.0,
}  # fmt: skip


class EdgeEnd(NamedTuple):
    """One end of an edge: instances of a device, and the ports of each."""

    device: str
    numbers: range
    ports: int


class InfraParts(NamedTuple):
    """Instances and devices of a graph, by their names."""

    instances: dict[str, Table]
    devices: dict[str, Table]

    def device(self, instance: Table) -> Table | None:
        """What an instance is one of, where the files define it."""
        return self.devices.get(edge_value(instance, "device"))


def sure(source: Source) -> int:
    """8 where devices, instances and edges stand beside each other, or some of them as early versions name them."""
    if ("devices" not in source.text and "instances" not in source.text) or not structured.looks_structured(source):
        return 0
    root = structured.root(source)
    if root is None:
        return 0
    if {"devices", "instances", "edges"} <= root.entries.keys():
        return 8
    top = _top(source)
    joined = top.tables("devices") if "instances" not in top.names() else [top]
    return 8 if any(DOTTED.match(one.text) for each in joined for one in _dotted_connections(each)) else 0


def _top(source: Source) -> Table:
    """The graph, which early versions put below `infrastructure`."""
    root = structured.root(source)
    below = root.entries.get("infrastructure") if root is not None else None
    return Table(source, below if below is not None and below.kind == "map" else root)


def _dotted_connections(table: Table) -> list[Value]:
    """The connections of early versions, one text each."""
    return scalars(table.source, table.at("connections"))


def design(models: Sequence[Source], context: Context) -> Fragment:
    """Servers with their GPUs, and a fabric of the switches between them; devices may be defined in another file."""
    found = Fragment()
    tables = [_top(source) for source in models]
    devices = {name: one for table in tables for name, one in _by_name(table, "devices").items()}
    for table in tables:
        parts = InfraParts(_by_name(table, "instances"), devices)
        servers = {name for name, one in parts.instances.items() if _gpus(parts.device(one)) is not None}
        for server in sorted(servers):
            _pool(server, parts, table, found)
        _report_undefined(parts, found)
        _fabric(table, parts, servers, found)
        structured.close(table.source, elsewhere=structured.roots(table.source))  # no design states the rest
    return found


def _report_undefined(parts: InfraParts, found: Fragment) -> None:
    """Instances whose device is in none of the files: they may be servers or switches, so their cables stay out."""
    for name in [name for name, one in parts.instances.items() if parts.device(one) is None]:
        device = parts.instances.pop(name).get("device")
        if device is not None:
            why = f"the device `{device.text[:60]}` of `{name[:60]}` is not defined in these files"
            found.unknown("fabrics", why, "designlint import GRAPH DEVICE", device)


def _by_name(table: Table, part: str) -> dict[str, Table]:
    return {name.text: one for one in table.tables(part) if (name := one.get("name")) is not None}


def _gpus(device: Table | None) -> Value | None:
    """GPUs among the components of a device; None where it has none."""
    if device is None:
        return None
    for component in device.tables("components"):
        if not {edge_value(component, "choice"), edge_value(component, "type")}.isdisjoint(COMPUTES):
            return count(component.get("count")) or _count_indexed(component.get("name"), _dotted_connections(device))
    return None


def _count_indexed(name: Value | None, connections: Sequence[Value]) -> Value | None:
    """How many of a part the connections number, where its count is left out."""
    if name is None:
        return None
    pattern = re.compile(rf"(?:\A|\.){re.escape(name.text)}\.(\d{{1,7}})(?=\.|\Z)")
    numbers = {int(one) for text in connections for one in pattern.findall(text.text)}
    return name.but(max(numbers) + 1, "numbered by the connections", How.DERIVED) if numbers else None


def _pool(name: str, parts: InfraParts, table: Table, found: Fragment) -> None:
    instance = parts.instances[name]
    at = instance.get("name")
    assert at is not None
    words: Words = {"name": at.but(name).as_text()}
    put(words, "count", count(instance.get("count")) or _count_indexed(at, _dotted_connections(table)))
    put(words, "gpus", _gpus(parts.device(instance)))
    found.part("nodes", words)


def _indexes(sliced: re.Match[str], size: int) -> range:
    """Which of so many a slice means: all without one, one for an index."""
    first, colon, last, step = sliced[2], sliced[3], sliced[4], sliced[5]
    if first is None:
        return range(size)
    start = int(first or 0)
    if not colon:
        return range(start, start + 1)
    return range(start, min(int(last) if last else size, start + MOST), int(step or 1) or 1)


def _end(text: str, part: str, parts: InfraParts) -> EdgeEnd | None:
    """`tier_1[0:8]` with `port[12]`: which instances, and how many ports of each."""
    instance, component = SLICE.match(text), SLICE.match(part)
    if instance is None or component is None or instance[1] not in parts.instances:
        return None
    table = parts.instances[instance[1]]
    numbers = _indexes(instance, min(whole(count(table.get("count"))) or 0, MOST))
    device = parts.device(table)
    components = device.tables("components") if device is not None else []
    sizes = {edge_value(one, "name"): whole(count(one.get("count"))) or 1 for one in components}
    ports = _indexes(component, min(sizes.get(component[1], 1), MOST))
    return EdgeEnd(instance[1], numbers, max(len(ports), 1))


def _cables(one: EdgeEnd, other: EdgeEnd, scheme: str) -> Iterator[tuple[tuple[str, int], tuple[str, int]]]:
    """Pairs of instances, one for each cable."""
    if max(len(one.numbers) * one.ports, len(other.numbers) * other.ports) > MOST:
        raise ImportRefusal(f"it describes more than {MOST} cables")
    left = [(one.device, number) for number in one.numbers for _ in range(one.ports)]
    right = [(other.device, number) for number in other.numbers for _ in range(other.ports)]
    if len(left) * len(right) > MOST and scheme == "many2many":
        raise ImportRefusal(f"it describes more than {MOST} cables")
    if scheme == "many2many":
        yield from ((a, b) for a in left for b in right)
    elif scheme == "ring":
        yield from zip(left, (*left[1:], *left[:1]), strict=True)
    else:
        yield from zip(left, right, strict=False)


def _fabric(table: Table, parts: InfraParts, servers: set[str], found: Fragment) -> None:
    source = table.source
    rates = _rates(table)
    bundles: Counter[tuple[tuple[str, int], tuple[str, int], str]] = Counter()
    places: dict[tuple[tuple[str, int], tuple[str, int], str], Value] = {}
    for edge in table.tables("edges"):
        at = edge.get("ep1/instance")
        ends = [
            _end(edge_value(edge, f"{ep}/instance"), edge_value(edge, f"{ep}/component"), parts)
            for ep in ("ep1", "ep2")
        ]
        if at is None or ends[0] is None or ends[1] is None:
            if at is not None:
                source.mark(at.start, at.end, Fate.UNCLEAR)
            continue
        for pair in _cables(ends[0], ends[1], edge_value(edge, "scheme")):
            key = (*pair, edge_value(edge, "link"))
            bundles[key] += 1
            places.setdefault(key, at)
    for at in _dotted_connections(table):
        joined = DOTTED.match(at.text)
        if joined is not None and joined[1] in parts.instances and joined[4] in parts.instances:
            key = ((joined[1], int(joined[2])), (joined[4], int(joined[5])), joined[3])
            bundles[key] += 1
            places.setdefault(key, at)
        elif joined is None:
            source.mark(at.start, at.end, Fate.UNCLEAR)
    switches: dict[tuple[str, int], Value] = {}
    links: list[Words] = []
    hosts: list[Words] = []
    ports: Counter[tuple[str, int]] = Counter()
    for key, cables in bundles.items():
        one, other, link = key
        at = places[key]
        _add_link(one, other, cables, rates.get(link, ""), at, servers, switches, links, hosts, ports)
    _fabric_of(switches, links, hosts, found)


def _add_link(
    one: tuple[str, int], other: tuple[str, int], cables: int, rate: str, at: Value, servers: set[str],
    switches: dict[tuple[str, int], Value], links: list[Words], hosts: list[Words], ports: Counter[tuple[str, int]],
) -> None:  # fmt: skip
    if one[0] in servers and other[0] in servers:
        return
    server, switch = (one, other) if one[0] in servers else (other, one) if other[0] in servers else (None, None)
    for end in (one, other):
        if end[0] not in servers:
            switches.setdefault(end, at)
    if server is not None and switch is not None:
        for _ in range(cables):
            words: Words = {"server": at.but(f"{server[0]}-{server[1]}").as_text(), "nic": at.but(ports[server])}
            ports[server] += 1
            words["to"] = at.but(f"{switch[0]}-{switch[1]}").as_text()
            put(words, "speed", at.but(rate) if rate else None)
            hosts.append(words)
        return
    bundle: Words = {"from": at.but(f"{one[0]}-{one[1]}").as_text(), "to": at.but(f"{other[0]}-{other[1]}").as_text()}
    bundle["cables"] = at.but(cables, "counted", How.DERIVED)
    put(bundle, "speed", at.but(rate) if rate else None)
    links.append(bundle)


def _fabric_of(switches: dict[tuple[str, int], Value], links: list[Words], hosts: list[Words], found: Fragment) -> None:
    """The fabric: leaves are the switches with servers, spines those beside them."""
    if not switches:
        return
    leaves = {one["to"].text for one in hosts if isinstance(one["to"], Value)}
    ends = [
        (one["from"].text, one["to"].text)
        for one in links
        if isinstance(one["from"], Value) and isinstance(one["to"], Value)
    ]
    spines = {end for pair in ends for end in pair if not leaves.isdisjoint(pair)} - leaves
    listed: list[Words] = []
    for (device, number), at in sorted(switches.items(), key=lambda one: one[0]):
        name = f"{device}-{number}"
        words: Words = {"name": at.but(name).as_text()}
        role = "leaf" if name in leaves else "spine" if name in spines else "core" if leaves else ""
        put(words, "role", at.but(role, "by the way to the servers", How.DERIVED).as_text() if role else None)
        listed.append(words)
    at = next(iter(switches.values()))
    title = at.but("infragraph", "the graph names no fabric", How.DERIVED).as_text()
    fabric: Words = {"name": title, "topology": {"switches": listed, "links": links, "host_links": hosts}}
    found.words["fabrics"] = [fabric]


def _rates(table: Table) -> dict[str, str]:
    """The rate of each kind of link, where bits or bytes are stated; transfers say nothing without an encoding."""
    found: dict[str, str] = {}
    for link in table.tables("links"):
        name = link.get("name")
        for key, factor in RATES.items():
            value = link.get(f"physical/bandwidth/{key}", f"bandwidth/{key}")
            if name is not None and value is not None and value.number is not None:
                found[name.text] = f"{value.number * factor:g} Gbit/s"
    return found


def edge_value(edge: Table, path: str) -> str:
    """The text at a path of an edge; empty where there is none."""
    value = edge.get(path)
    return value.text if value is not None else ""
