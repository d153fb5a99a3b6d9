"""Slurm's slurm.conf with what it includes, gres.conf, topology.conf and .yaml, `scontrol show topology`, `node`, `partition`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.importers import defaults
from designlint.importers.base import Fate, Fragment, How, Source, Value, Words, put, whole
from designlint.importers.notations import structured
from designlint.importers.slurm import checks, nodes, settings, topology
from designlint.importers.slurm import lines as slurm_lines
from designlint.importers.workloads import place_beside
from designlint.language.hostlists import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context
    from designlint.importers.slurm.lines import SlurmLine

TITLE = "Slurm configuration"
SURE = re.compile(
    r"^[ \t]*(?:NodeName|PartitionName|SwitchName|BlockName|BlockSizes|NodeSet|SlurmctldHost|ControlMachine|SelectType"
    r"|ClusterName|AutoDetect)[ \t]*=|^[ \t]*Include[ \t]+\S*(?:slurm|gres|topology|partition)\S*\.conf[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
GRES = re.compile(
    r"^[ \t]*Name[ \t]*=[ \t]*(?:gpu\b.*(?:File|Count|Cores|Type)|\w+[ \t]+(?:File|Count|Type|Flags))[ \t]*=",
    re.IGNORECASE | re.MULTILINE,
)
#: A topology.yaml is a list whose items name a topology.
YAML = re.compile(r"^- *(?:\n +)?topology:", re.MULTILINE)


class Model(Struct):
    """One file: its lines, or the topologies of a topology.yaml, and the files that it includes but that could not be read."""

    source: Source
    lines: list[SlurmLine] = field(default_factory=list)
    tables: list[structured.Table] = field(default_factory=list)
    missing: list[tuple[Value, str]] = field(default_factory=list)


def sure(source: Source) -> int:
    """8 where a line is one that only Slurm writes."""
    head = source.text[:200_000]
    if source.file.endswith((".yaml", ".yml")):
        return 8 if YAML.search(head) else 0
    return 8 if SURE.search(head) or GRES.search(head) or YAML.search(head) else 0


def read(source: Source, context: Context) -> Model:
    """The file, with the files that it includes."""
    model = Model(source)
    if YAML.search(source.text[:200_000]):
        for root in structured.roots(source):
            model.tables += [structured.Table(source, one) for one in root.items]
        structured.refuse_broken(source)
        return model
    _lines(source, context, model, 0)
    return model


def _lines(source: Source, context: Context, model: Model, depth: int) -> None:
    shown = slurm_lines.SHOWN.search(source.text[:10_000]) is not None
    for line in slurm_lines.read_lines(source):
        if line.kind != "include":
            model.lines.append(line)
            _account(line, source, shown=shown)
            continue
        included = line.pairs["include"]
        opened = context.opened(source, included.text) if depth < 8 else "files include one another more than 8 deep"
        if isinstance(opened, str):
            model.missing.append((included, opened))
        else:
            _lines(opened, context, model, depth + 1)


def _account(line: SlurmLine, source: Source, *, shown: bool) -> None:
    """Lines that describe something are understood; known parameters do not matter until one is asked for, nor do states."""
    for key, value in line.pairs.items():
        known = key in defaults.immaterial("slurm")
        fate = (
            (Fate.IMMATERIAL if shown else Fate.UNCLEAR)
            if not known
            else Fate.UNDERSTOOD
            if line.kind
            else Fate.IMMATERIAL
        )
        source.mark(line.start if line.kind else value.start, value.end, fate)


def design(models: Sequence[Model], context: Context) -> Fragment:
    """Pools, scheduler, partitions, blocks and the tree of switches of all files together."""
    fragment = Fragment()
    lines = [line for model in models for line in model.lines]
    tables = [table for model in models for table in model.tables]
    missing = [one for model in models for one in model.missing if not _is_given(one[0], models)]
    _missing(missing, fragment)
    _cores(lines, fragment)
    words = fragment.words
    pools = _pools(lines, fragment)
    shape = topology.of_yaml(tables, fragment) if tables else topology.of_lines(lines, fragment)
    scheduler = _scheduler(lines, bool(missing), shape, fragment)
    if pools:
        words["nodes"] = pools
    if scheduler:
        words["scheduler"] = scheduler
    if shape.switches:
        first = next(iter(shape.switches.values())).at
        name = first.but("slurm-topology", "Slurm's topology names no fabric", How.DERIVED).as_text()
        fabric: Words = {"name": name, "topology": topology.fabric(shape, fragment)}
        words["fabrics"] = [fabric]
        fragment.unknown("fabrics/slurm-topology/topology/links/cables", topology.ADJACENCY, "ibnetdiscover", first)
    checks.compare(lines, shape, fragment)
    if not missing:
        checks.report_undeclared(lines, fragment)
        checks.report_strangers(lines, fragment)
        checks.report_unmanaged(lines, fragment)
        if not tables:
            checks.report_unread(lines, shape, fragment)
    return fragment


def _is_given(included: Value, models: Sequence[Model]) -> bool:
    """Whether an included file is among those that were named, by its name alone or behind that of its host."""
    name = included.text.rstrip("/").rpartition("/")[2]
    return any(re.fullmatch(f"(?:.*[-_.])?{re.escape(name)}", model.source.path.name) for model in models)


def _missing(missing: Sequence[tuple[Value, str]], fragment: Fragment) -> None:
    for value, why in missing:
        fragment.unknown("nodes", f"the included file {value.text} is not read: {why}", "scontrol show config", value)
        fragment.fact("included file that was not read", value)


def _pools(lines: Sequence[SlurmLine], fragment: Fragment) -> list[Words]:
    found = nodes.pools(lines, fragment)
    words = [nodes.words(pool, name, fragment) for pool, name in zip(found, nodes.titles(found), strict=True)]
    devices = nodes.devices(lines, fragment)
    if not found:
        return _of_devices(devices)
    for gres, left in nodes.without_devices(found, devices, lines):
        fragment.clash("import/gpus-without-devices", gres, name=fold(left), gres=gres.text[:60])
    known = {name: number for number, pool in enumerate(found) for name in pool.names}
    for entry in devices:
        places = {known[one] for one in entry.names if one in known}
        strangers = [one for one in entry.names if one not in known]
        at = entry.line.get("nodename", "name")
        assert at is not None
        if strangers:
            fragment.clash("import/unknown-name", at, name=fold(strangers), what="server", where="slurm.conf")
        for place in places if entry.names else range(len(found)):
            _put_gpus(words[place], entry, at, fragment)
    return words


def _put_gpus(pool: Words, entry: nodes.Devices, at: Value, fragment: Fragment) -> None:
    """GPUs of a pool by slurm.conf and by gres.conf: they must agree."""
    stated = pool.get("gpus")
    if not isinstance(stated, Value):
        if entry.names and entry.count:
            put(pool, "gpus", at.but(entry.count, "devices listed in gres.conf", How.DERIVED))
            known = f"nodes/{name.text if isinstance(name := pool['name'], Value) else ''}/gpus"
            fragment.unknowns = [one for one in fragment.unknowns if one.word != known]
    elif entry.count and whole(stated) != entry.count:
        other = place_beside(at, stated)
        fragment.clash("import/conflict", stated, word="gpus", one=stated.text, other=str(entry.count), where=other)


def _cores(lines: Sequence[SlurmLine], fragment: Fragment) -> None:
    """Which cores gres.conf binds to which devices: no word holds it."""
    for line in lines:
        file, cores = line.get("file"), line.get("cores", "cpus")
        if line.text("name").lower() == "gpu" and file is not None and cores is not None:
            fragment.fact(f"cores beside {file.text}", cores)


def _of_devices(devices: Sequence[nodes.Devices]) -> list[Words]:
    """Pools where only gres.conf is at hand."""
    words: list[Words] = []
    titles = nodes.titles([nodes.SlurmPool(one.line, one.names) for one in devices if one.names])
    for number, entry in enumerate(devices, 1):
        at = entry.line.get("nodename", "name")
        assert at is not None
        name = titles.pop(0) if entry.names else f"pool-{number}"
        pool: Words = {"name": at.but(name, "what the host names have in common", How.DERIVED).as_text()}
        if entry.names:
            put(pool, "count", at.but(len(entry.names), "counted from the list of hosts", How.DERIVED))
            put(pool, "servers", at.but(fold(entry.names), "the list of hosts", How.DERIVED).as_text())
        if entry.count:
            put(pool, "gpus", at.but(entry.count, "devices listed in gres.conf", How.DERIVED))
            put(pool, "gpu", entry.kind and entry.kind.of("Gpu"))
        words.append(pool)
    return words


def _scheduler(
    lines: Sequence[SlurmLine], open_ended: bool, shape: topology.SlurmTopology, fragment: Fragment
) -> Words:
    found = settings.SlurmSettings(lines)
    at = found.get("clustername") or found.get("slurmctldhost") or found.get("controlmachine")
    partitions = settings.partitions(lines, fragment, complete=not open_ended)
    blocks = topology.scheduler(shape, fragment)
    stated = found.get("selecttype") or found.get("topologyplugin")
    if at is None and stated is None and not partitions and not blocks:
        return {}
    named = (line.pairs[line.kind] for line in lines if line.kind in ("partitionname", "blockname"))
    first = at or next(named, shape.sizes) or stated
    first = first or next((at for _, at, _ in shape.blocks), None)
    if first is None:
        return {}
    whole = bool(partitions) and not open_ended and at is not None  # slurmctld does not start without a partition
    words: Words = settings.scheduler(found, whole, first, fragment)
    if partitions:
        words["partitions"] = partitions
        put(words, "preemption_grace", settings.grace(lines))
    return words | blocks
