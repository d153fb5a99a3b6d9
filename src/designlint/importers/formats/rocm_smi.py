"""`rocm-smi --showtopo` and `amd-smi topology`: which GPUs Infinity Fabric joins, and the NUMA node of each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import servers
from designlint.importers.base import Fate, Fragment, Value, Words, put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context, Source

TITLE = "rocm-smi and amd-smi topology"
TEXT = True
#: The title of a table; that of the links is the one that counts.
TABLE = re.compile(r"^[=\s]{0,80}(?P<title>[A-Za-z][\w ()-]{2,60}?)(?:[ ]=+|[ ]TABLE:)[ \t\r]*$", re.IGNORECASE)
LINKS = re.compile(r"link type", re.IGNORECASE)
SURE = re.compile(r"^=+[ ]Link Type between two GPUs[ ]=+|^LINK TYPE TABLE:", re.MULTILINE)
DEVICE = re.compile(r"GPU\d+\Z|[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.\d\Z", re.IGNORECASE)
NODE = re.compile(r"^GPU\[(\d+)\]\s*:\s*\(Topology\) Numa Node:\s*(\d+)\s*$")
#: What else the tools print around tables of devices.
AROUND = re.compile(r"\s*(?:=+[ ].{1,80}[ ]=+|GPU\[\d+\]|Legend|SELF|ENABLED|DISABLED|N/A|\* )")


def sure(source: Source) -> int:
    """8 where the table of links stands."""
    return 8 if SURE.search(source.text[:50_000]) else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A pool for each file."""
    found = Fragment()
    for source in models:
        found.add(servers.pool(source, _server(source, found)))
    return found


def _server(source: Source, found: Fragment) -> Words:
    words: Words = {}
    columns: list[str] = []
    title = ""
    cells: dict[tuple[str, str], str] = {}
    rows: dict[str, Value] = {}
    nodes: dict[str, Value] = {}
    for number, (start, end, whole) in enumerate(source.lines(), 1):
        text = whole[:20_000]
        name, *values = text.split() or [""]
        of_links = LINKS.search(title)
        if table := TABLE.match(text):
            title = table["title"]
            source.marks[number] = Fate.IMMATERIAL
        elif name and all(DEVICE.match(one) for one in (name, *values)):
            columns = [name, *values]
            source.marks[number] = Fate.UNDERSTOOD if of_links else Fate.IMMATERIAL
        elif name in columns and values:
            if of_links:
                rows[name] = source.value(name, start, end)
                cells |= {(name, one): cell for one, cell in zip(columns, values, strict=False)}
            source.marks[number] = Fate.UNDERSTOOD if of_links else Fate.IMMATERIAL
        elif node := NODE.match(text):
            nodes[node[1]] = source.value(node[2], start, end)
        elif AROUND.match(text):
            source.marks[number] = Fate.IMMATERIAL
    if not rows:
        return words
    first = next(iter(rows.values()))
    put(words, "gpus", first.but(len(rows), "rows counted"))
    _put_links(words, first, list(rows), cells, found)
    several = {one.text for one in nodes.values()}
    found.fact("NUMA nodes", next(iter(nodes.values())).but(len(several), "counted") if nodes else None)
    return words


def _put_links(words: Words, at: Value, gpus: list[str], cells: dict[tuple[str, str], str], found: Fragment) -> None:
    """The groups that Infinity Fabric joins."""
    pairs = [pair for pair, kind in cells.items() if kind.upper() == "XGMI" and pair[0] != pair[1]]
    size = servers.domain(gpus, pairs, at.but, found) if pairs else None
    put(words, "scale_up_domain", at.but(size, "joined by Infinity Fabric") if size else None)
    between = {kind.upper() for pair, kind in cells.items() if pair[0] != pair[1]}
    if len(gpus) > 1 and between == {"PCIE"}:
        found.fact(servers.WITHOUT_LINKS, at.but(len(gpus), "no link of Infinity Fabric"))
