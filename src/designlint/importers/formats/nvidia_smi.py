"""`nvidia-smi topo -m`: how GPUs and adapters reach one another; `topo -p2p` looks alike and says less."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from designlint.importers import servers
from designlint.importers.base import Fate, Fragment, Words, put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context, Source

TITLE = "nvidia-smi topo"
TEXT = True
HEAD = re.compile(r"^(?:\x1b\[4m)?[ \t]*GPU0[ \t]+(?:GPU1|CPU Affinity|NIC0|mlx5_0)", re.MULTILINE)
ROW = re.compile(r"\s*(GPU|NIC|mlx5_)(\d+)\s+(.*)")
LEGEND = re.compile(
    r"\s*(?:Legend|X\s+=|SYS\s+=|NODE\s+=|PHB\s+=|PXB\s+=|PIX\s+=|NV#\s+=|NIC Legend|NIC\d+:|OK\s+="
    r"|CNS\s+=|GNS\s+=|TNS\s+=|NS\s+=|U\s+=)"
)


def sure(source: Source) -> int:
    """7 where the head of the matrix stands."""
    return 7 if HEAD.search(source.text[:20_000]) else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A pool for each file."""
    found = Fragment()
    for source in models:
        found.add(servers.pool(source, _server(source, found)))
    return found


def _server(source: Source, found: Fragment) -> Words:
    words: Words = {}
    rows: dict[str, tuple[int, int, list[str], str]] = {}
    columns: list[str] = []
    for number, (start, end, text) in enumerate(source.lines(), 1):
        text = text[:20_000]
        if HEAD.match(text):
            columns = re.findall(r"GPU\d+|NIC\d+|mlx5_\d+", text)
            source.marks[number] = Fate.UNDERSTOOD
        elif (row := ROW.match(text)) and columns:
            cells = row[3].split()
            rows[row[1] + row[2]] = (start, end, cells[: len(columns)], " ".join(cells[len(columns) :]))
            source.marks[number] = Fate.UNDERSTOOD
        elif LEGEND.match(text):
            source.marks[number] = Fate.IMMATERIAL
    gpus = [name for name in rows if name.startswith("GPU")]
    if not gpus:
        return words
    start, end, _, _ = rows[gpus[0]]
    put(words, "gpus", source.value(len(gpus), start, end).but(len(gpus), "rows counted"))
    _links(source, rows, gpus, columns, words, found)
    for label, cells in Counter(rows[name][3] for name in gpus).items():
        found.fact(f"affinity of {cells} GPUs", source.value(label, start, end) if label else None)
    nodes = {rows[name][3].split()[-1] for name in gpus if rows[name][3]}
    found.fact("NUMA nodes", source.value(len(nodes), start, end) if nodes else None)
    return words


def _links(
    source: Source,
    rows: dict[str, tuple[int, int, list[str], str]],
    gpus: list[str],
    columns: list[str],
    words: Words,
    found: Fragment,
) -> None:
    """NVLink joins GPUs; a matrix of permissions (`topo -p2p`) says nothing about links."""
    start, end, _, _ = rows[gpus[0]]
    cells = {(name, column): cell for name in gpus for column, cell in zip(columns, rows[name][2], strict=False)}
    between = {cell for (one, other), cell in cells.items() if one != other and other.startswith("GPU")}
    if between <= {"OK", "CNS", "GNS", "TNS", "NS", "U"}:
        found.fact("all pairs of GPUs", source.value(next(iter(between)), start, end) if len(between) == 1 else None)
        return
    pairs = [pair for pair, cell in cells.items() if cell.startswith("NV") and pair[1].startswith("GPU")]
    size = servers.domain(gpus, pairs) if pairs else None
    put(words, "scale_up_domain", source.value(size, start, end).but(size, "joined by NVLink") if size else None)
    kinds = {cells[pair] for pair in pairs}
    found.fact("link between GPUs", source.value(next(iter(kinds)), start, end) if len(kinds) == 1 else None)
    adapters = [column for column in columns if not column.startswith("GPU")]
    if adapters:
        near = [any(cells.get((name, one)) in ("PIX", "PXB") for one in adapters) for name in gpus]
        if all(near) or not any(near):
            put(
                words,
                "gpu_nic_same_switch",
                source.value(all(near), start, end).but(all(near), "PIX or PXB in every row"),
            )
