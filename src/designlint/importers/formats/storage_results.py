"""Measurements of storage: MLPerf Storage, IOR, IO500, fio."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fate, Fragment, How, Source, Value, Words, put
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table, scalars
from designlint.importers.workloads import count, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "storage benchmark"
IOR = re.compile(r"^Max (Write|Read):\s+([\d.]+) MiB/sec", re.MULTILINE)
IO500 = re.compile(
    r"^\[RESULT[^\]]*\]\s+(ior-easy-(?:write|read)|ior-hard-(?:write|read))\s+([\d.]+)\s+GiB/s", re.MULTILINE
)
#: MLPerf Storage prints mebibytes under this name: samples/s times bytes of a sample give MiB/s.
MEBI = 1024 * 1024
IMMATERIAL = frozenset(
    [
        "start",
        "end",
        "num_*",
        "host_*",
        "potential_caching",
        "epochs",
        "metric",
        "runs",
        "hostname",
        "params",
        "networks",
        "nodes",
        "benchmark_hosts",
        "train_*",
        "model",
        "accelerator",
    ]
)


def sure(source: Source) -> int:
    """8 where one of the tools' own lines or keys stands."""
    head = source.text[:300_000]
    if IOR.search(head) or IO500.search(head):
        return 8
    if not structured.looks_structured(source) or not any(
        one in head for one in ("MB_per_second", '"fio version"', "benchmark_hosts")
    ):
        return 0
    return 8 if structured.root(source) is not None else 0


def read(source: Source, context: Context) -> Source:
    """The file itself."""
    if not IOR.search(source.text) and not IO500.search(source.text):
        structured.roots(source)
        structured.refuse_broken(source)
    return source


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A result for each file."""
    found = Fragment()
    results: list[Words] = []
    for source in models:
        root = None if IOR.search(source.text) or IO500.search(source.text) else structured.root(source)
        if root is None:
            words = _text(source)
        elif "fio version" in root.entries:
            words = _fio(Table(source, root))
        else:
            words = _mlperf(Table(source, root), found)
        if root is not None:
            structured.close(source, IMMATERIAL)
        if words:
            results.append({"name": named(source), **words})
    if results:
        found.words["acceptance"] = {"results": results}
    return found


def _rate(value: Value, per_second: float, note: str) -> Value:
    return value.but(f"{per_second / 1e9:.4g} GB/s", note, How.MEASURED)


def _text(source: Source) -> Words:
    """IOR's maxima; of IO500 the easy tests, which are sequential."""
    words: Words = {}
    for found in IOR.finditer(source.text):
        value = source.value(found[2], found.start(2), found.end(2))
        words[found[1].lower()] = _rate(value, float(found[2]) * MEBI, f"{found[2]} MiB/s")
    for found in IO500.finditer(source.text):
        if found[1].startswith("ior-easy"):
            value = source.value(found[2], found.start(2), found.end(2))
            words[found[1].rpartition("-")[2]] = _rate(value, float(found[2]) * 1024**3, f"{found[1]} {found[2]} GiB/s")
    for number, (_, _, text) in enumerate(source.lines(), 1):
        if re.match(r"\s*(?:$|\[|#|[\w -]+:|[\w-]+\s+[\d.]|-|=)", text):
            source.marks.setdefault(number, Fate.IMMATERIAL)
    return words


def _fio(table: Table) -> Words:
    """The bandwidth of all jobs together; fio counts bytes."""
    words: Words = {}
    for word in ("read", "write"):
        values = [
            value for job in table.tables("jobs") if (value := job.get(f"{word}/bw_bytes")) is not None and value.number
        ]
        if values:
            total = sum(float(value.text) for value in values)
            words[word] = _rate(values[0], total, f"{len(values)} jobs added up" if len(values) > 1 else "bw_bytes")
    return words


def _mlperf(table: Table, found: Fragment) -> Words:
    """The throughput of a run, or of the mean of runs; what is called MB is MiB."""
    words: Words = {}
    rate = table.get("metric/train_io_mean_MB_per_second", "overall/train_throughput_mean_MB_per_second")
    if rate is not None and rate.number is not None:
        words["read"] = _rate(rate, float(rate.text) * MEBI, f"{float(rate.text):.6g} MB/s as printed, which are MiB/s")
    model = table.get("overall/model")
    if model is not None:
        words["test"] = model.named()
    hosts = table.get("num_hosts")
    if hosts is not None:
        words["servers"] = hosts
    for name, key in (
        ("accelerators", "num_accelerators|overall/train_num_accelerators"),
        ("accelerator", "overall/accelerator"),
        ("runs", "overall/num_benchmark_runs"),
        ("accelerator utilisation in per cent", "metric/train_au_mean_percentage"),
        ("deviation of the rate, printed", "overall/train_throughput_stdev_MB_per_second"),
        ("memory of a host", "host_memory_GB"),
    ):
        found.fact(name, table.get(*key.split("|")))
    _system(table, found)
    return words


def _system(table: Table, found: Fragment) -> None:
    """A description of the system: its tier by what the description states, ports as facts."""
    described = table.table("storage_system")
    name = described.get("solution_name", "model_name")
    if name is not None:
        tier: Words = {"name": name.named()}
        for network in table.tables("networks"):
            if "lustre" in [one.text.lower() for one in scalars(table.source, network.at("protocols"))]:
                put(tier, "kind", name.but("lustre", "protocol of its network", How.DERIVED).named())
        put(tier, "units", count(described.get("number_of_appliances")))
        capacity = described.get("usable_capacity_GiB")
        put(
            tier, "capacity", capacity.but(f"{capacity.text} GiB") if capacity is not None and capacity.number else None
        )
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
