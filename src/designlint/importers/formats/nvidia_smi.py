"""`nvidia-smi topo -m`: how GPUs and adapters reach one another; `topo -p2p` looks alike and says less."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from designlint.importers import servers
from designlint.importers.base import Fate, Fragment, How, Words, put
from designlint.importers.workloads import name_workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context, Source

TITLE = "nvidia-smi topo"
TEXT = True
HEAD = re.compile(r"^[ \t]*(?:\x1b\[4m)?[ \t]*GPU0[ \t]+(?:GPU1|CPU Affinity|NIC0|\w+_0)\b", re.MULTILINE)
#: What may stand after the columns of devices.
TAIL = re.compile(r"CPU Affinity|NUMA Affinity|GPU NUMA ID")
#: How a terminal underlines the head.
ESCAPE = re.compile(r"\x1b\[\d*m")
COMMAND = re.compile(r"\s*(?:\S{0,200}[$#>]\s*)?nvidia-smi\s+topo\b")
LEGEND = re.compile(
    r"\s*(?:Legend|X\s+=|SYS\s+=|NODE\s+=|PHB\s+=|PXB\s+=|PIX\s+=|NV#\s+=|NIC Legend|NIC\d+:|OK\s+="
    r"|CNS\s+=|GNS\s+=|TNS\s+=|NS\s+=|U\s+=)"
)


#: Cells of two GPUs that no NVLink joins, from the nearest to the farthest.
OVER_PCIE = frozenset(("PIX", "PXB", "PHB", "NODE", "SYS"))


def sure(source: Source) -> int:
    """7 where the head of the matrix stands."""
    return 7 if HEAD.search(source.text[:20_000]) else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A pool for each file."""
    found = Fragment()
    for source in models:
        found.add(servers.pool(source, _server(source, found)))
    return found


class Row(NamedTuple):
    """A device with how it reaches those of the columns, and what stands after them, by its head."""

    start: int
    end: int
    cells: list[str]
    rest: str
    tail: dict[str, str]


def _server(source: Source, found: Fragment) -> Words:
    words: Words = {}
    rows: dict[str, Row] = {}
    columns: list[str] = []
    heads: list[str] = []
    for number, (start, end, text) in enumerate(source.lines(), 1):
        text = text[:20_000]
        name, *cells = text.split() or [""]
        if HEAD.match(text):
            bare = ESCAPE.sub("", text)
            heads = TAIL.findall(bare)
            columns = bare[: first.start() if (first := TAIL.search(bare)) else None].split()
            source.marks[number] = Fate.UNDERSTOOD
        elif name in columns and cells:
            rest = cells[len(columns) :]
            tail = dict(zip(reversed(heads), reversed(rest), strict=False))
            rows[name] = Row(start, end, cells[: len(columns)], " ".join(rest), tail)
            source.marks[number] = Fate.UNDERSTOOD
        elif LEGEND.match(text) or COMMAND.match(text):
            source.marks[number] = Fate.IMMATERIAL
    gpus = [name for name in rows if name.startswith("GPU")]
    if not gpus:
        return words
    start, end = rows[gpus[0]][:2]
    put(words, "gpus", source.value(len(gpus), start, end).but(len(gpus), "rows counted"))
    _links(source, rows, gpus, columns, words, found)
    for label, many in Counter(rows[name].rest for name in gpus).items():
        found.fact(f"affinity of {many} GPUs", source.value(label, start, end) if label else None)
    head = "NUMA Affinity" if "NUMA Affinity" in heads else "CPU Affinity"
    nodes = {one for name in gpus if (one := rows[name].tail.get(head, "N/A")) != "N/A"}
    found.fact("NUMA nodes", source.value(len(nodes), start, end) if nodes else None)
    return words


def _links(
    source: Source,
    rows: dict[str, Row],
    gpus: list[str],
    columns: list[str],
    words: Words,
    found: Fragment,
) -> None:
    """NVLink joins GPUs; a matrix of permissions (`topo -p2p`) says nothing about links."""
    start, end = rows[gpus[0]][:2]
    cells = {(name, column): cell for name in gpus for column, cell in zip(columns, rows[name].cells, strict=False)}
    between = {cell for (one, other), cell in cells.items() if one != other and other.startswith("GPU")}
    if between <= {"OK", "CNS", "GNS", "TNS", "NS", "U"}:
        found.fact("all pairs of GPUs", source.value(next(iter(between)), start, end) if len(between) == 1 else None)
        return
    pairs = [pair for pair, cell in cells.items() if cell.startswith("NV") and pair[1].startswith("GPU")]
    size = servers.domain(gpus, pairs, lambda number: source.value(number, start, end), found) if pairs else None
    coherent = all(rows[name].tail.get("GPU NUMA ID", "").isdigit() for name in gpus)
    if size and coherent:  # of superchips, whose NVLink may lead to other servers
        path = f"nodes/{name_workload(source).text}/scale_up_domain"
        found.unknown(path, servers.BEYOND, servers.FABRIC, source.value(size, start, end))
    else:
        put(words, "scale_up_domain", source.value(size, start, end).but(size, "joined by NVLink") if size else None)
    if len(gpus) > 1 and between <= OVER_PCIE:
        found.fact(servers.WITHOUT_LINKS, source.value(len(gpus), start, end))
    kinds = {cells[pair] for pair in pairs}
    found.fact("link between GPUs", source.value(next(iter(kinds)), start, end) if len(kinds) == 1 else None)
    adapters = [column for column in columns if not column.startswith("GPU")]
    if adapters:
        found.fact("adapters", source.value(len(adapters), start, end, How.DERIVED, "columns counted"))
        near = [any(cells.get((name, one)) in ("PIX", "PXB") for one in adapters) for name in gpus]
        if all(near) or not (any(near) or coherent):
            put(
                words,
                "gpu_nic_same_switch",
                source.value(all(near), start, end).but(all(near), "PIX or PXB in every row"),
            )
