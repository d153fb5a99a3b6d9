"""LLDP neighbours of servers and switches: all forms of `lldpctl`, SONiC's table, Cumulus', NX-OS' and EOS'."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from designlint.importers import lldp_switches, lldpctl, neighbours, prompts, tiers
from designlint.importers.base import Fate, Fragment, How, Source, Value, Words, of_node
from designlint.importers.neighbours import Neighbour, model_described
from designlint.importers.notations import structured, xml
from designlint.importers.workloads import name_workload

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.importers.base import Context
    from designlint.reading import Node

TITLE = "LLDP neighbours"
RULE = re.compile(r"^[ \t]*-+(?: +-+){2,}[ \t\r]*$", re.MULTILINE)
ROW = re.compile(r"^[ \t]*[A-Za-z]\w*(?:[/.:-]\w+)*  .*$", re.MULTILINE)
HEADING = re.compile(
    r"^[ \t]*(?:LocalPort[ ]+RemoteDevice[ ]+RemotePortID\b|Interface[ ]+Speed[ ]+Type[ ]+Remote Host[ ]+Remote Port"
    r"|LocalPort[ ]+Speed[ ]+Mode[ ]+RemoteHost[ ]+RemotePort).*$",
    re.MULTILINE,
)
#: The commands that show neighbours.
COMMAND = re.compile(r"lldp", re.IGNORECASE)
#: A rate as Cumulus shows it.
RATE = re.compile(r"(\d{1,4})G\Z")
#: An address, which is no name of a port.
ADDRESS = re.compile(r"[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}\Z")


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


def design(models: Sequence[Source], context: Context) -> Fragment:
    """Cables between devices, each named by its prompt, else after its file, and what they see."""
    seen: neighbours.Seen = {}
    typed = [prompts.find_hosts(source, COMMAND) for source in models]
    everywhere = Counter(name for hosts in typed for name in {one.text for one in hosts})
    for source, hosts in zip(models, typed, strict=True):
        own = [one for one in hosts if everywhere[one.text] == 1]  # a name of several files is no device's, as `sonic`
        for one in list(_neighbours(source)):
            at = prompts.owner(own, one.interface.start) or name_workload(source)
            seen.setdefault(at.text, (at, []))[1].append(one)
    found = Fragment()
    wiring = neighbours.wiring(seen)
    if wiring:
        at = next(iter(seen.values()))[0]
        name = at.but("ethernet", "LLDP names no fabric", How.DERIVED).as_text()
        fabric: Words = {"name": name, "topology": wiring}
        found.words["fabrics"] = [fabric]
        for at, _ in seen.values():
            found.fact(tiers.ASKED, at)
    return found


def _heading(source: Source) -> re.Match[str] | None:
    """The heading of SONiC's table."""
    return None if source.text.lstrip().startswith("{") else HEADING.search(source.text[:5000])


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
        structured.close(source, "lldp")
        return
    source.mark(0, len(source.text), Fate.IMMATERIAL)
    rule = RULE.search(source.text, heading.end())
    columns = [(one.start(), one.end()) for one in re.finditer("-+", rule[0])] if rule is not None else []
    for row in ROW.finditer(source.text, rule.end()) if rule is not None else ():
        cells = [row[0][start:end].strip() for start, end in columns]
        runs = RATE.match(cells[1]) if "Speed" in heading[0] else None
        cells = [cells[0], *(cells[3:5] if "Speed" in heading[0] else cells[1:3])]
        if not all(cells[:2]):
            continue
        at = [source.value(cell, row.start(), row.end(), How.MEASURED) for cell in cells]
        port = at[2] if cells[2] and not ADDRESS.match(cells[2]) else None
        yield Neighbour(at[0], at[1], port, at[0].but(f"{runs[1]} Gbit/s") if runs is not None else None)


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
                described = _scalar(_at(chassis, "descr") or _at(next(iter(chassis.entries.values()), None), "descr"))
                model = model_described(of_node(source, described, How.MEASURED) if described is not None else None)
                yield Neighbour(at, switch, _port(source, inner), model=model)


def _port(source: Source, interface: Node) -> Value | None:
    """The port of the switch by its name; a switch that names its ports by address describes them beside it."""
    kind = _scalar(_at(interface, "port", "id", "type"))
    stated = [_scalar(_at(interface, "port", key)) for key in ("id", "descr")]
    port, described = (of_node(source, one, How.MEASURED) if one is not None else None for one in stated)
    return lldpctl.port_of(kind.text if kind is not None else "ifname", port, described)


def _chassis(source: Source, chassis: Node) -> Value | None:
    """The name of the switch: a key of its own, or under `name`."""
    stated = _scalar(_at(chassis, "name"))
    if stated is not None:
        return of_node(source, stated, How.MEASURED)
    for name, inner in chassis.entries.items() if chassis.kind == "map" else ():
        if inner.kind == "map" and inner.key_start >= 0 and name != "id":
            return source.value(name, inner.key_start, inner.key_end, How.MEASURED)
    return None
