"""Measurements of storage: MLPerf Storage, IOR, IO500, fio."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fate, Fragment, How, Source, Words, put
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table, scalars
from designlint.importers.storage import fio, io500, ior
from designlint.importers.storage.rates import MEBI, MeasuredRate
from designlint.importers.workloads import count, name_workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "storage benchmark"
TOOLS = (ior, io500, fio)
#: Lines of the tools' output for people that say nothing of a rate.
SILENT = re.compile(
    r"\s*(?:$|[\[#|;=-]|[\w ()/,>.-]{1,80}[:=]|[\w-]+\s+[\d.]|\.\.\.|Operation|access|Start|stonewalling"
    r"|IO500|ERROR|IOR|ior |WARNING|fio-)"
)


def sure(source: Source) -> int:
    """8 where one of the tools' own lines or keys stands."""
    head = source.text[:300_000]
    if _is_text(head) or fio.JSON.search(head):
        return 8
    if not structured.looks_structured(source) or not any(
        one in head for one in ("MB_per_second", '"fio version"', "benchmark_hosts", "bwMiB", "bwMaxMIB")
    ):
        return 0
    root = structured.root(source)
    return 8 if root is not None and ("bwM" not in head or ior.is_described(root)) else 0


def _is_text(text: str) -> bool:
    return any(one.has_printed_rate(text) for one in TOOLS)


def read(source: Source, context: Context) -> Source:
    """The file itself."""
    if _is_text(source.text):
        return source
    below = fio.JSON.search(source.text)
    if below is not None:
        structured.root_from(source, below.start())
    structured.roots(source)
    structured.refuse_broken(source)
    return source


#: What a drive is for, in prose: the operating system, and data that are not only metadata.
SYSTEM, DATA = re.compile(r"\b(?:OS|boot|operating)\b", re.IGNORECASE), re.compile(r"(?<!meta)data\b", re.IGNORECASE)
#: What must be equal where several storage servers hold data; kinds of file systems that are named like their protocol.
SAME, PROTOCOLS = (
    ("capacity_GiB", "count_of_this_type", "interface", "drive_type"),
    ("lustre", "nfs", "beegfs", "gpfs", "daos"),
)
MEDIA = {"nvme": "nvme", "ssd": "ssd", "hdd": "disk"}


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A result for each file."""
    found = Fragment()
    results: list[Words] = []
    for source in models:
        root = None if _is_text(source.text) else structured.root(source)
        words: Words = {}
        if root is None:
            _text(source, words, found)
        elif "fio version" in root.entries:
            fio.table(Table(source, root), words, found)
        elif ior.is_described(root):
            ior.table(Table(source, root), words, found)
        else:
            words = _mlperf(Table(source, root), found)
        if root is not None:
            structured.close(source, "storage-benchmarks")
        if words:
            results.append({"name": name_workload(source), **words})
    if results:
        found.words["acceptance"] = {"results": results}
    return found


def _text(source: Source, words: Words, found: Fragment) -> None:
    """What the tool whose lines stand there measured."""
    for tool in TOOLS:
        if tool.has_printed_rate(source.text) and not words:
            tool.text(source, words, found)
    for number, (_, _, text) in enumerate(source.lines(), 1):
        if SILENT.match(text):
            source.marks.setdefault(number, Fate.IMMATERIAL)


def _mlperf(table: Table, found: Fragment) -> Words:
    """The throughput of a run, or of the mean of runs; what is called MB is MiB."""
    words: Words = {}
    rate = table.get("metric/train_io_mean_MB_per_second", "overall/train_throughput_mean_MB_per_second")
    if rate is not None and rate.number is not None:
        note = f"{float(rate.text):.6g} MB/s as printed, which are MiB/s"
        words["read"] = MeasuredRate("read", float(rate.text) * MEBI, rate, note).as_value()
    model = table.get("overall/model")
    if model is not None:
        words["test"] = model.as_text()
    hosts = table.get("num_hosts")
    if hosts is not None:
        words["servers"] = hosts
    for name, key in (
        ("accelerators", "num_accelerators|overall/train_num_accelerators"),
        ("accelerator", "overall/accelerator"),
        ("runs", "overall/num_benchmark_runs"),
        ("accelerator utilisation in per cent", "metric/train_au_mean_percentage"),
        ("deviation of the rate, printed", "overall/train_throughput_stdev_MB_per_second"),
    ):
        found.fact(name, table.get(*key.split("|")))
    _system(table, found)
    return words


def _drives(table: Table, tier: Words) -> None:
    """The drives of a storage server that hold data, where the description has one kind of them."""
    clients = _clients(table)
    holding: list[Table] = []
    for node in table.tables("nodes"):
        role, drives = node.get("node_type_name"), node.tables("drives")
        unsaid = all(one.at("purpose") is None for one in drives)  # the drives of a storage server are for data
        for one in drives if role is None or role.text not in clients else ():
            purpose = " ".join(word.text for word in scalars(table.source, one.at("purpose")))
            if (unsaid and clients) or (not SYSTEM.search(purpose) and DATA.search(purpose)):
                holding.append(one)
    kinds = {tuple(each.text if (each := one.get(key)) is not None else "" for key in SAME) for one in holding}
    if len(kinds) != 1:
        return
    size, link, kind = (holding[0].get(key) for key in ("capacity_GiB", "interface", "drive_type"))
    put(tier, "drives", count(holding[0].get("count_of_this_type")))
    put(tier, "drive_capacity", size.but(f"{size.text} GiB") if size is not None and size.number else None)
    for stated in (link, kind):
        found = MEDIA.get(stated.text.lower()) if stated is not None else None
        if stated is not None and found is not None and "media" not in tier:
            put(tier, "media", stated.but(found, stated.text).as_text())


def _clients(table: Table) -> set[str]:
    """The types of nodes that train: those with accelerators, else all that run the benchmark."""
    hosts = {kind.text for host in table.tables("benchmark_hosts") if (kind := host.get("node_type_name")) is not None}
    training = {
        kind.text
        for node in table.tables("nodes")
        if (kind := node.get("node_type_name")) is not None and node.tables("accelerators")
    }
    return training & hosts or hosts


def _system(table: Table, found: Fragment) -> None:
    """A description of the system: its tier by what the description states, ports as facts."""
    described = table.table("storage_system")
    name = described.get("solution_name", "model_name")
    if name is not None:
        tier: Words = {"name": name.as_text()}
        spoken = {
            kind
            for network in table.tables("networks")
            for one in scalars(table.source, network.at("protocols"))
            for kind in PROTOCOLS
            if one.text.lower().startswith(kind)
        }
        if len(spoken) == 1:
            put(tier, "kind", name.but(spoken.pop(), "protocol of its network", How.DERIVED).as_text())
        put(tier, "units", count(described.get("number_of_appliances")))
        capacity = described.get("usable_capacity_GiB")
        put(
            tier, "capacity", capacity.but(f"{capacity.text} GiB") if capacity is not None and capacity.number else None
        )
        _drives(table, tier)
        found.words["storage"] = [tier]
    for part in described.tables("hardware_components"):
        label, many = part.get("component_name"), part.get("count")
        found.fact(label.text if label is not None else "component", many)
    for node in table.tables("nodes"):
        kind = node.get("node_type_name")
        for port in node.tables("nic_ports"):
            many, rate = port.get("count_of_this_type"), port.get("bitrate")
            if many is not None and rate is not None:
                title = f"ports of {kind.text if kind is not None else 'a node'}"
                found.fact(title, many.but(f"{many.text} x {rate.text} Gbit/s"))
