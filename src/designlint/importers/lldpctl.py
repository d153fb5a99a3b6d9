"""What `lldpctl` prints for people, with `-f keyvalue`, and with `-f xml`: the neighbours of each interface."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fate, How, Source, Value
from designlint.importers.neighbours import SWITCH_PORT, Neighbour, model_described
from designlint.importers.notations import xml

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Kinds of an identity that are the name of a port; others are addresses.
NAMES = frozenset(("ifname", "local", "ifalias"))
#: The first line of a neighbour; `show neighbors summary` and older versions leave out how it was heard.
#: Cumulus' `nv show interface lldp-detail` has a line under it, and the time in two.
BLOCK = re.compile(
    r"^[ \t]*Interface:[ \t]+([^\s,]{1,64})[^\n]*\n(?:-{3,}[ \t]*\n)?(?:\s{0,80}Time:[^\n]*\n[^\n]{0,80}\n)?\s{0,80}Chassis:",
    re.MULTILINE,
)
LINE = re.compile(r"^[ \t]*(Interface|SysName|SysDescr|PortID|PortDescr):[ \t]+(\S.*?)[ \t\r]*$", re.MULTILINE)
KEYS = re.compile(
    r"^[ \t]*lldp\.([^.\s=]{1,64})\.(chassis\.(?:name|descr)|port\.(?:ifname|local|ifalias|descr))=(\S[^\n]*?)[ \t\r]*$",
    re.MULTILINE,
)
#: What `-f keyvalue` writes for every neighbour.
KEYED = re.compile(r"^[ \t]*lldp\.[^.\s=]{1,64}\.(?:chassis|port)\.\w", re.MULTILINE)


#: How older daemons describe a port.
NUMBERED = re.compile(r"Interface +\d{1,6} as (\S+)\Z")


def name_described(described: Value | None) -> Value | None:
    """The name of a port in its description."""
    found = NUMBERED.match(described.text) if described is not None else None
    return described.but(found[1]) if described is not None and found is not None else described


def is_lldpctl_output(source: Source) -> bool:
    """Whether the file is such an output."""
    head = source.text[:50_000]
    return BLOCK.search(head) is not None or KEYED.search(head) is not None


def port_of(kind: str, port: Value | None, described: Value | None) -> Value | None:
    """The port by its name: its identity, where that is no address, and no index that a name describes; else its description."""
    index = port is not None and kind == "local" and port.text.isdigit()
    if port is None or kind not in NAMES or (index and described is not None and SWITCH_PORT.match(described.text)):
        return name_described(described)
    return port


def neighbours(source: Source) -> Iterator[Neighbour]:
    """Every neighbour that is named; what else the file tells of it does not matter."""
    source.mark(0, len(source.text), Fate.IMMATERIAL)
    for stated in _read_keyed(source) if KEYED.search(source.text[:50_000]) else _blocks(source):
        kind, _, name = stated["PortID"].text.partition(" ") if "PortID" in stated else ("", "", "")
        port = stated["PortID"].but(name.strip()) if name.strip() else None
        if "SysName" in stated:
            named = port_of(kind, port, stated.get("PortDescr"))
            model = model_described(stated.get("SysDescr"))
            yield Neighbour(stated["Interface"], stated["SysName"], named, model=model)


def elements(source: Source) -> Iterator[Neighbour]:
    """Every neighbour that the XML form names."""
    for interface in xml.root(source).all("interface"):
        at = interface.get("name", How.MEASURED)
        stated = {one.attributes.get("label", ""): one for one in interface.walk()}
        title, port, described, system = (
            found.content(How.MEASURED) if (found := stated.get(label)) is not None else None
            for label in ("SysName", "PortID", "PortDescr", "SysDescr")
        )
        kind = stated["PortID"].attributes.get("type", "ifname") if "PortID" in stated else ""
        if at is not None and title is not None:
            yield Neighbour(at, title, port_of(kind, port, described), model=model_described(system))


def _blocks(source: Source) -> Iterator[dict[str, Value]]:
    """The labelled values of each neighbour, the first of each label."""
    stated: dict[str, Value] = {}
    for line in LINE.finditer(source.text):
        label, text = line[1], line[2]
        if label == "Interface":
            if stated:
                yield stated
            stated = {label: _value(source, text.partition(",")[0], line.start(2))}
        elif stated:
            stated.setdefault(label, _value(source, text, line.start(2)))
    if stated:
        yield stated


def _read_keyed(source: Source) -> Iterator[dict[str, Value]]:
    """The same from keys; several neighbours of one interface come one after another, each with its chassis first."""
    found: dict[str, list[dict[str, Value]]] = {}
    for line in KEYS.finditer(source.text):
        interface, key, text = line.groups()
        several = found.setdefault(interface, [{"Interface": _value(source, interface, line.start(1))}])
        if key == "chassis.name":
            if "SysName" in several[-1]:
                several.append({"Interface": several[-1]["Interface"]})
            several[-1]["SysName"] = _value(source, text, line.start(3))
        elif key == "chassis.descr":
            several[-1].setdefault("SysDescr", _value(source, text, line.start(3)))
        elif key == "port.descr":
            several[-1].setdefault("PortDescr", _value(source, text, line.start(3)))
        else:
            several[-1].setdefault("PortID", _value(source, text, line.start(3)).but(f"{key[5:]} {text}"))
    for neighbours_ in found.values():
        yield from neighbours_


def _value(source: Source, text: str, start: int) -> Value:
    return source.value(text, start, start + len(text), How.MEASURED)
