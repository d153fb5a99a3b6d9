"""`nvidia-smi topo -m`: how GPUs and adapters reach one another; `topo -p2p` looks alike and says less."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

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


#: Cells of `topo -p2p`.
PERMISSIONS = frozenset(("OK", "CNS", "GNS", "TNS", "NS", "U"))
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


class LinkMatrix(Struct):
    """One matrix: the devices of its columns, the heads of what stands after them, its rows by device."""

    start: int
    end: int
    columns: list[str]
    heads: list[str]
    rows: dict[str, Row] = field(default_factory=dict)

    @property
    def gpus(self) -> list[str]:
        """The GPUs, each of which has a column."""
        return [name for name in self.columns if name.startswith("GPU")]

    @property
    def complete(self) -> bool:
        """Whether every GPU has a row with a cell for each column."""
        return all(name in self.rows and len(self.rows[name].cells) == len(self.columns) for name in self.gpus)

    @property
    def permissions(self) -> bool:
        """Whether it is one of `topo -p2p`, which says nothing about links."""
        cells = {cell for row in self.rows.values() for cell in row.cells}
        return cells - {"X"} <= PERMISSIONS


def _read(source: Source) -> list[LinkMatrix]:
    """The matrices of a file, in its order."""
    found: list[LinkMatrix] = []
    for number, (start, end, text) in enumerate(source.lines(), 1):
        text = text[:20_000]
        name, *cells = text.split() or [""]
        if HEAD.match(text):
            bare = ESCAPE.sub("", text)
            columns = bare[: first.start() if (first := TAIL.search(bare)) else None].split()
            found.append(LinkMatrix(start, end, columns, TAIL.findall(bare)))
            source.marks[number] = Fate.UNDERSTOOD
        elif found and name in found[-1].columns and cells:
            columns, heads = found[-1].columns, found[-1].heads
            rest = cells[len(columns) :]
            tail = dict(zip(reversed(heads), reversed(rest), strict=False))
            found[-1].rows[name] = Row(start, end, cells[: len(columns)], " ".join(rest), tail)
            source.marks[number] = Fate.UNDERSTOOD
        elif LEGEND.match(text) or COMMAND.match(text):
            source.marks[number] = Fate.IMMATERIAL
    return [one for one in found if one.rows and one.gpus]


def _server(source: Source, found: Fragment) -> Words:
    """The words of one server; of several matrices the first that shows links, where all have as many GPUs."""
    words: Words = {}
    matrices = _read(source)
    if not matrices:
        return words
    chosen = next((one for one in matrices if not one.permissions), matrices[0])
    rows, gpus, start, end = chosen.rows, chosen.gpus, chosen.start, chosen.end
    if any(one.gpus != gpus for one in matrices):
        path = f"nodes/{name_workload(source).text}/gpus"
        why = "the file holds matrices of servers with different numbers of GPUs"
        found.unknown(path, why, "one file for each server", source.value(len(gpus), start, end))
        return words
    put(words, "gpus", source.value(len(gpus), start, end).but(len(gpus), "columns counted"))
    if not chosen.complete:
        found.fact("GPUs whose row is not in the file", source.value(sum(one not in rows for one in gpus), start, end))
        return words
    _links(source, chosen, words, found)
    start, end = rows[gpus[0]][:2]
    for label, many in Counter(rows[name].rest for name in gpus).items():
        named = "affinity of 1 GPU" if many == 1 else f"affinity of {many} GPUs"
        found.fact(named, source.value(label, start, end) if label else None)
    head = "NUMA Affinity" if "NUMA Affinity" in chosen.heads else "CPU Affinity"
    nodes = {one for name in gpus if (one := rows[name].tail.get(head, "N/A")) != "N/A"}
    found.fact("NUMA nodes", source.value(len(nodes), start, end) if nodes else None)
    return words


def _links(source: Source, matrix: LinkMatrix, words: Words, found: Fragment) -> None:
    """NVLink joins GPUs; a matrix of permissions (`topo -p2p`) says nothing about links."""
    rows, gpus, columns, start, end = matrix.rows, matrix.gpus, matrix.columns, matrix.start, matrix.end
    cells = {(name, column): cell for name in gpus for column, cell in zip(columns, rows[name].cells, strict=False)}
    between = {cell for (one, other), cell in cells.items() if one != other and other.startswith("GPU")}
    if between <= PERMISSIONS:
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
