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
#: The table at the end of IOR's output, whose first column of numbers is the largest.
IOR_TABLE = re.compile(r"^Operation\s+Max\(MiB\)[^\n]*\n((?:[a-z]+\s+[\d.]+[^\n]*\n?)+)", re.MULTILINE)
IOR_ROW = re.compile(r"^(write|read)\s+([\d.]+)", re.MULTILINE)
IOR_NODES = re.compile(r"^nodes\s*:\s*(\d+)\s*$", re.MULTILINE)
IO500 = re.compile(
    r"^\[RESULT[^\]]*\]\s+(ior-easy-(?:write|read)|ior-hard-(?:write|read))\s+([\d.]+)\s+GiB/s([^\n]*)", re.MULTILINE
)
#: What fio prints of a group of jobs for people to read, bytes in brackets.
FIO = re.compile(r"^\s+(READ|WRITE): bw=[^(\n]*\(([\d.]+)([kMGT]?)B/s\)", re.MULTILINE)
#: Jobs of fio that read or write in random order.
RANDOM = re.compile(r"\brw=rand")
#: JSON of fio below what it prints when it starts.
FIO_JSON = re.compile(r"^\{(?=\s*\"fio version\")", re.MULTILINE)
PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
#: All clients of a distributed run together, as fio calls them.
ALL_CLIENTS = "All clients"
#: MLPerf Storage prints mebibytes under this name: samples/s times bytes of a sample give MiB/s.
MEBI = 1024 * 1024
IMMATERIAL = frozenset(
    [
        *("start", "end", "num_*", "host_*", "potential_caching", "epochs", "data_size_per_host_GB", "metric", "runs"),
        *("hostname", "params"),
        *("networks", "nodes", "benchmark_hosts", "train_*", "model", "accelerator"),
        *("global options", "jobs", "client_stats", "disk_util", "fio version", "timestamp*", "time"),
    ]
)  # fmt: skip


def sure(source: Source) -> int:
    """8 where one of the tools' own lines or keys stands."""
    head = source.text[:300_000]
    if _is_text(head) or FIO_JSON.search(head):
        return 8
    if not structured.looks_structured(source) or not any(
        one in head for one in ("MB_per_second", '"fio version"', "benchmark_hosts")
    ):
        return 0
    return 8 if structured.root(source) is not None else 0


def _is_text(text: str) -> bool:
    return any(one.search(text) for one in (IOR, IOR_TABLE, IO500)) or (
        "fio-" in text and FIO.search(text) is not None and FIO_JSON.search(text) is None
    )


def read(source: Source, context: Context) -> Source:
    """The file itself."""
    if _is_text(source.text):
        return source
    below = FIO_JSON.search(source.text)
    if below is not None:
        structured.root_from(source, below.start())
    structured.roots(source)
    structured.refuse_broken(source)
    return source


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A result for each file."""
    found = Fragment()
    results: list[Words] = []
    for source in models:
        root = None if _is_text(source.text) else structured.root(source)
        if root is None:
            words = _text(source, found)
        elif "fio version" in root.entries:
            words = _fio(Table(source, root), found)
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


def _text(source: Source, found: Fragment) -> Words:
    """IOR's maxima; of IO500 the easy tests, which are sequential; fio's groups of jobs added up."""
    words: Words = {}
    table = IOR_TABLE.search(source.text)
    rows = [] if table is None else list(IOR_ROW.finditer(source.text, table.start(1), table.end(1)))
    for one in IOR.finditer(source.text) if IOR.search(source.text) else rows:
        value = source.value(one[2], one.start(2), one.end(2))
        words[one[1].lower()] = _rate(value, float(one[2]) * MEBI, f"{one[2]} MiB/s")
    nodes = IOR_NODES.search(source.text)
    if nodes is not None and words:
        words["servers"] = source.value(nodes[1], nodes.start(1), nodes.end(1))
    _io500(source, words, found)
    if not words:
        _fio_text(source, words, found)
    for number, (_, _, text) in enumerate(source.lines(), 1):
        if re.match(r"\s*(?:$|\[|#|[\w -]+:|[\w-]+\s+[\d.]|-|=|IO500|ERROR|IOR|fio-|\.\.\.|Operation|access)", text):
            source.marks.setdefault(number, Fate.IMMATERIAL)
    return words


def _io500(source: Source, words: Words, found: Fragment) -> None:
    """A phase that IO500 itself calls invalid, as too short ones are, is no result."""
    for one in IO500.finditer(source.text):
        value = source.value(one[2], one.start(2), one.end(2))
        if "INVALID" in one[3]:
            found.fact(f"{one[1]}, which IO500 calls invalid", value.but(f"{one[2]} GiB/s", "", How.MEASURED))
        elif one[1].startswith("ior-easy"):
            words[one[1].rpartition("-")[2]] = _rate(value, float(one[2]) * 1024**3, f"{one[1]} {one[2]} GiB/s")


def _fio_text(source: Source, words: Words, found: Fragment) -> None:
    """Jobs in random order are no measure of a rate that is read or written in order."""
    totals: dict[str, list[tuple[Value, float]]] = {}
    for one in FIO.finditer(source.text):
        value = source.value(one[2], one.start(2), one.end(2))
        totals.setdefault(one[1].lower(), []).append((value, float(one[2]) * PREFIXES[one[3]]))
    for word, rates in totals.items():
        rate = _rate(rates[0][0], sum(rate for _, rate in rates), "bw of all groups of jobs")
        if RANDOM.search(source.text):
            found.fact(f"{word} in random order", rate)
        else:
            words[word] = rate


def _fio(table: Table, found: Fragment) -> Words:
    """The bandwidth of all jobs together, of all clients where several ran; fio counts bytes."""
    words: Words = {}
    clients = table.tables("client_stats")
    together = [one for one in clients if (name := one.get("jobname")) is not None and name.text == ALL_CLIENTS]
    orders = [table.get("global options/rw"), *(one.get("job options/rw") for one in (*clients, *table.tables("jobs")))]
    random = any(one is not None and one.text.startswith("rand") for one in orders)
    for word in ("read", "write"):
        values = [
            value
            for job in together or clients or table.tables("jobs")
            if (value := job.get(f"{word}/bw_bytes")) is not None and value.number
        ]
        if values:
            total = sum(float(value.text) for value in values)
            rate = _rate(values[0], total, f"{len(values)} jobs added up" if len(values) > 1 else "bw_bytes")
            if random:
                found.fact(f"{word} in random order", rate)
            else:
                words[word] = rate
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
