"""topograph's models: switches, capacity blocks, NVLink domains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, How, Source, Value, Words, put
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table, scalars
from designlint.importers.slurm import topology
from designlint.language.hostlists import HostListError, expand, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "topograph model"
IMMATERIAL = frozenset(("physical_layers", "metadata", "labels"))


def sure(source: Source) -> int:
    """8 where switches and capacity blocks, or nodes and blocks, stand beside each other."""
    if "switches" not in source.text or not structured.looks_structured(source):
        return 0
    root = structured.root(source)
    keys = root.entries.keys() if root is not None else set()
    return 8 if "switches" in keys and ("capacity_blocks" in keys or {"nodes", "blocks"} <= set(keys)) else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """Servers, their switches without cables, and NVLink domains as blocks."""
    found = Fragment()
    for source in models:
        table = Table(source, structured.root(source))
        blocks = {
            name.text: (name, block)
            for block in table.tables("capacity_blocks")
            if (name := block.get("name")) is not None
        }
        names = {name: _names(source, block) for name, (_, block) in blocks.items()}
        _switches(table, names, found)
        _servers(blocks, names, found)
        structured.close(source, IMMATERIAL)
    return found


def _names(source: Source, block: Table) -> list[Value]:
    values: list[Value] = []
    for value in scalars(source, block.at("nodes")):
        try:
            values += [value.but(one) for one in expand(value.text)]
        except HostListError:
            values.append(value)
    return values


def _switches(table: Table, names: dict[str, list[Value]], found: Fragment) -> None:
    shape = topology.SlurmTopology()
    for entry in table.tables("switches"):
        name = entry.get("name")
        if name is None:
            continue
        switch = topology.SlurmSwitch(name)
        below, blocks = scalars(table.source, entry.at("switches")), scalars(table.source, entry.at("capacity_blocks"))
        nodes = scalars(table.source, entry.at("nodes")) + [
            one for block in blocks for one in names.get(block.text, [])
        ]
        switch.below, switch.below_at = [one.text for one in below], below[0] if below else None
        switch.nodes, switch.nodes_at = [one.text for one in nodes], nodes[0] if nodes else None
        shape.switches[name.text] = switch
    if shape.switches:
        first = next(iter(shape.switches.values())).at
        title = first.but("topograph", "the model names no fabric", How.DERIVED).named()
        fabric: Words = {"name": title, "topology": topology.fabric(shape, found)}
        found.words["fabrics"] = [fabric]


def _servers(blocks: dict[str, tuple[Value, Table]], names: dict[str, list[Value]], found: Fragment) -> None:
    """A pool for each type of GPU, and a block for each NVLink domain."""
    pools: dict[str, list[Value]] = {}
    domains: dict[str, list[Value]] = {}
    kinds: dict[str, Value] = {}
    for label, (name, block) in blocks.items():
        kind, domain = block.get("type"), block.get("nvlink")
        kinds.setdefault(kind.text if kind is not None else "", kind or name)
        pools.setdefault(kind.text if kind is not None else "", []).extend(names[label])
        if domain is not None:
            domains.setdefault(domain.text, [domain]).extend(names[label])
    for label, values in pools.items():
        if not values:
            continue
        at = kinds[label]
        pool: Words = {
            "name": at.but(label.lower() or "servers", "type of its GPUs" if label else "", How.DERIVED).named()
        }
        put(pool, "count", values[0].but(len(values), "counted", How.DERIVED))
        put(pool, "servers", values[0].but(fold([one.text for one in values]), "", How.STATED).named())
        put(pool, "gpu", at.of("Gpu") if label else None)
        found.words.setdefault("nodes", []).append(pool)  # type: ignore[arg-type, union-attr]
    listed: list[Words] = [
        {
            "name": values[0].named(),
            "servers": values[0].but(fold([one.text for one in values[1:]]), "", How.STATED).named(),
            "count": values[0].but(len(values) - 1, "counted", How.DERIVED),
        }
        for values in domains.values()
    ]
    if listed:
        found.words["scheduler"] = {"blocks": listed}
