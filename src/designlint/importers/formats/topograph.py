"""topograph's models: switches, capacity blocks, NVLink domains, in the shapes that its versions have had."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.importers.base import Fragment, How, Source, Value, Words, put
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table, scalars
from designlint.importers.slurm import topology
from designlint.language.hostlists import HostListError, expand, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.importers.base import Context

TITLE = "topograph model"
#: What a label that names the NVLink domain of servers ends with.
DOMAINS = ("/domain", "/accelerator", "/level-0", "/gpu.clique", "/nvlink")


class TopographBlock(NamedTuple):
    """Servers that stand together: where they are stated, the switch above them, their GPU and NVLink domain."""

    nodes: list[Value]
    switch: Value | None = None
    gpu: Value | None = None
    domain: Value | None = None


def sure(source: Source) -> int:
    """8 where switches and capacity blocks, or switches and blocks of servers, stand beside each other."""
    if "switches" not in source.text or not structured.looks_structured(source):
        return 0
    root = structured.root(source)
    keys = root.entries.keys() if root is not None else set()
    return 8 if "switches" in keys and not {"capacity_blocks", "blocks"}.isdisjoint(keys) else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """Servers, their switches without cables, and NVLink domains as blocks."""
    found = Fragment()
    for source in models:
        table = Table(source, structured.root(source))
        blocks = {name.text: _capacity(table, block) for name, block in _named_entries(table, "capacity_blocks")}
        listed = [_block(block) for block in table.tables("blocks")]
        _switches(table, blocks, listed, found)
        _servers([*blocks.values(), *listed], found)
        structured.close(source, "topograph")
    return found


def _named_entries(table: Table, part: str) -> Iterator[tuple[Value, Table]]:
    """The entries of a part by name: a list of mappings with `name`, or a mapping of them."""
    node = table.at(part)
    if node is not None and node.kind == "map":
        for name, entry in node.entries.items():
            start, end = (entry.key_start, entry.key_end) if entry.key_start >= 0 else (entry.start, entry.start)
            yield table.source.value(name, start, end), Table(table.source, entry)
        return
    for listed in table.tables(part):
        stated = listed.get("name")
        if stated is not None:
            yield stated, listed


def _names(table: Table) -> list[Value]:
    values: list[Value] = []
    for value in scalars(table.source, table.at("nodes")):
        try:
            values += [value.but(one) for one in expand(value.text)]
        except HostListError:
            values.append(value)
    return values


def _capacity(model: Table, block: Table) -> TopographBlock:
    """A capacity block; its GPU and domain stand in it, or with its first server that states them."""
    names = _names(block)
    servers = model.at("nodes")
    entries = [
        Table(model.source, servers.entries[one.text])
        for one in names
        if servers is not None and servers.kind == "map" and one.text in servers.entries
    ]
    told = [block, *entries]
    gpu = next((one for table in told if (one := table.get("type")) is not None), None)
    domain = next((one for table in told if (one := table.get("nvlink", "attributes/nvlink")) is not None), None)
    return TopographBlock(names, None, gpu, domain)


def _block(block: Table) -> TopographBlock:
    """A block of servers below a switch, its domain among its labels or annotations."""
    labels = [
        (key, value)
        for part in ("annotations", "labels")
        for key in block.table(part).names()
        if (value := _label(block, part, key)) is not None
    ]
    domain = next((value for ending in DOMAINS for key, value in labels if key.endswith(ending)), None)
    return TopographBlock(_names(block), block.get("switch"), block.get("type"), domain)


def _label(block: Table, part: str, key: str) -> Value | None:
    """The text of a label, whose key holds strokes."""
    parts = block.at(part)
    node = parts.entries.get(key) if parts is not None else None
    if node is None or node.kind != "scalar" or not node.text:
        return None
    return block.source.value(node.text, node.start, node.end)


def _switches(
    table: Table, blocks: dict[str, TopographBlock], listed: Sequence[TopographBlock], found: Fragment
) -> None:
    shape = topology.SlurmTopology()
    for name, entry in _named_entries(table, "switches"):
        switch = shape.switches.setdefault(name.text, topology.SlurmSwitch(name))
        below = scalars(table.source, entry.at("switches"))
        nodes = _names(entry) + [
            one
            for block in scalars(table.source, entry.at("capacity_blocks"))
            if block.text in blocks
            for one in blocks[block.text].nodes
        ]
        switch.below, switch.below_at = [one.text for one in below], below[0] if below else None
        switch.nodes, switch.nodes_at = [one.text for one in nodes], nodes[0] if nodes else None
    for block in listed:
        if block.switch is None or not block.nodes:
            continue
        leaf = shape.switches.setdefault(block.switch.text, topology.SlurmSwitch(block.switch))
        leaf.nodes, leaf.nodes_at = [*leaf.nodes, *(one.text for one in block.nodes)], leaf.nodes_at or block.nodes[0]
    _report_undescribed(table, shape)
    if shape.switches:
        first = next(iter(shape.switches.values())).at
        title = first.but("topograph", "the model names no fabric", How.DERIVED).as_text()
        fabric: Words = {"name": title, "topology": topology.fabric(shape, found)}
        found.words["fabrics"] = [fabric]


def _report_undescribed(table: Table, shape: topology.SlurmTopology) -> None:
    """A switch of a mapping that only its parent names stands there without servers: nothing is wrong with it."""
    node = table.at("switches")
    if node is None or node.kind != "map":
        return
    for switch in list(shape.switches.values()):
        for one in switch.below if switch.below_at is not None else ():
            assert switch.below_at is not None
            shape.switches.setdefault(one, topology.SlurmSwitch(switch.below_at.but(one)))


def _servers(blocks: Sequence[TopographBlock], found: Fragment) -> None:
    """A pool for each type of GPU, and a block for each NVLink domain."""
    pools: dict[str, list[Value]] = {}
    domains: dict[str, list[Value]] = {}
    kinds: dict[str, Value] = {}
    for block in blocks:
        if not block.nodes:
            continue
        label = block.gpu.text if block.gpu is not None else ""
        kinds.setdefault(label, block.gpu or block.nodes[0])
        pools.setdefault(label, []).extend(block.nodes)
        if block.domain is not None:
            domains.setdefault(block.domain.text, [block.domain]).extend(block.nodes)
    for label, values in pools.items():
        at = kinds[label]
        pool: Words = {
            "name": at.but(label.lower() or "servers", "type of its GPUs" if label else "", How.DERIVED).as_text()
        }
        put(pool, "count", values[0].but(len(values), "counted", How.DERIVED))
        put(pool, "servers", values[0].but(fold([one.text for one in values]), "", How.STATED).as_text())
        put(pool, "gpu", at.of("Gpu") if label else None)
        found.part("nodes", pool)
    listed: list[Words] = [
        {
            "name": values[0].as_text(),
            "servers": values[0].but(fold([one.text for one in values[1:]]), "", How.STATED).as_text(),
            "count": values[0].but(len(values) - 1, "counted", How.DERIVED),
        }
        for values in domains.values()
    ]
    if listed:
        found.words["scheduler"] = {"blocks": listed}
