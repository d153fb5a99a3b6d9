"""MLPerf's system descriptions: numbers as text, networks as prose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import mlperf_nodes, mlperf_software
from designlint.importers.base import Fragment, How, Source, Value, Words, put, whole
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count, get, name_workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "MLPerf system description"
AMOUNT = re.compile(r"(?:\b(\d{1,4})\s*x\s*)?(\d+(?:\.\d+)?)\s*([KMGTP]i?B|[GT](?=\s*$))(?!\w)")
#: Groups of ports in prose: what they are for, how many, at which rate.
GROUPS, PURPOSE = re.compile(r"[,;]|\s\+\s"), re.compile(r"\s*([A-Za-z+&]+)\s*:")
PORTS, RATE = (
    re.compile(r"(\d{1,3})\s*x\s?(?=\D)", re.IGNORECASE),
    re.compile(r"(\d+)\s*(?:Gb\b|Gbps|Gbit|GbE)|\b(?:HDR|NDR|XDR)[ -]?(\d{3})\b", re.IGNORECASE),
)
#: A rate that stands alone, as after the comma of `2x ConnectX-6, 100Gb/s Ethernet`.
BARE = re.compile(r"\s*\d{2,3}\s*Gb(?:it|ps|E|/s(?:ec)?)?(?:\s+(?:Ethernet|InfiniBand|RoCE))?\s*", re.IGNORECASE)
#: What prose calls networks and adapters that GPUs communicate over.
OF_GPUS = re.compile(
    r"ConnectX|\bCX-?\d|InfiniBand|\bIB\b|RoCE|\bEFA|\b[NHEX]DR|BlueField|Omni-?Path|Slingshot|Pollara|Thor",
    re.IGNORECASE,
)
DRIVES = re.compile(
    r"(\d{1,6})\s*x\s*(?:[A-Za-z][A-Za-z .-]{0,40} )?(\d+(?:\.\d+)?)\s*([TG])B?\b(?!/s)[^+,]*", re.IGNORECASE
)
#: An amount of storage; what calls itself a file system that servers share.
LONE = re.compile(r"(?<![\d.])(\d{1,6}(?:\.\d{1,3})?)\s*([TG])B?\b(?!/s)", re.IGNORECASE)
SHARED = re.compile(r"\b(?:shared|network|parallel|lustre|gpfs|nfs|weka\w*|vast|scale|ceph\w*|object)\b", re.IGNORECASE)
SLOT = re.compile(
    r"\bPCI(?:e| ?Express)[ -]*(?:Gen(?:eration)?[ -]*)?([3-7])(?:\.0)?(?:[ -]*x ?(\d{1,2}))?\b", re.IGNORECASE
)
COOLED = re.compile(r"\b(air|liquid)\b")


def sure(source: Source) -> int:
    """8 where the top states accelerators per node as MLPerf does."""
    if "accelerators_per_node" not in source.text:
        return 0
    root = structured.root(source)
    if root is None:
        return 0
    of_nodes = [one for one in [root, *mlperf_nodes.types(root)] if "number_of_nodes" in one.entries]
    return 8 if of_nodes and ("accelerators_per_node" in root.entries or of_nodes[0] is not root) else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A pool for each file or type of node, and the software of the first."""
    found = Fragment()
    for source in models:
        root = structured.root(source)
        top = Table(source, root)
        name = name_workload(source, top.get("system_name"))
        nodes = [mlperf_nodes.NodeType(source, one) for one in mlperf_nodes.types(root)] if root is not None else []
        for number, table in enumerate(nodes or [top]):
            title = name.but(f"{name.text}-{number + 1}", "a further type of node", How.DERIVED) if number else name
            found.part("nodes", _pool(table, title.as_text(), found))
            software = mlperf_software.software(table)
            if software and "software" not in found.words:
                found.words["software"] = software
        structured.close(source, "mlperf")
    return found


def _pool(table: Table, title: Value, found: Fragment) -> Words:
    words: Words = {"name": title}
    for word, key in (
        ("count", "number_of_nodes"),
        ("gpus", "accelerators_per_node"),
        ("sockets", "host_processors_per_node"),
    ):
        put(words, word, count(table.get(key)))
    processor = table.get("host_processor_model_name")
    put(words, "cpu", processor.as_text() if processor is not None and processor.text else None)
    put(words, "host_memory", amount(table.get("host_memory_capacity"), modules=True))
    name, memory = table.get("accelerator_model_name"), amount(table.get("accelerator_memory_capacity"))
    gpu: Words = {}
    if name is not None and name.text:
        put(gpu, "model", name.of("Gpu"))
        found.fact("GPU", name)
    found.fact("GPU memory", memory)
    put(gpu, "usable_memory" if memory is not None and memory.text.endswith("MiB") else "memory", memory)
    if gpu:
        words["gpu"] = gpu
    cores = count(table.get("host_processor_core_count"))
    threads = count(table.get("host_processor_vcpu_count"))
    many = whole(get(words, "sockets")) or 1
    of_socket = many == 1 or threads is None or whole(threads) == 2 * (whole(cores) or 0) * many
    found.fact("cores of a socket" if of_socket else "cores of a socket or a server", cores)
    cooled = table.get("cooling")
    ways = COOLED.findall(cooled.text.lower().replace("water", "liquid")) if cooled is not None else []
    put(
        words,
        "cooling",
        cooled.but(ways[0], "cooling").as_text() if cooled is not None and len(set(ways)) == 1 else None,
    )
    _threads(table, get(words, "sockets"), cores, words)
    _slot(table.get("accelerator_host_interconnect"), words)
    if "pcie_generation" not in words:
        _slot(_between(table), words)
    kind = table.at("host_storage_type")
    _drives(table.get("host_storage_capacity"), kind.text if kind is not None else "", words)
    _networks(table, found)
    return words


def _threads(table: Table, sockets: Value | None, cores: Value | None, words: Words) -> None:
    """Threads of a server, where the number is as many for each core as are stated, or two: one that is not may be a socket's."""
    threads, each = count(table.get("host_processor_vcpu_count")), count(table.get("host_processor_threads_per_core"))
    of_socket = (whole(each) or 2) * (whole(cores) or 0)
    expected = (whole(sockets) or 0) * of_socket
    if threads is not None and whole(threads) == expected:
        put(words, "cpu_threads", threads)
    elif each is not None and expected and (threads is None or whole(threads) == of_socket):
        put(words, "cpu_threads", each.but(expected, "sockets x cores x threads of each"))


def _slot(stated: Value | None, words: Words) -> None:
    """Generation and lanes of a GPU's slot, where the text names one slot."""
    found = {one.groups() for one in SLOT.finditer(stated.text)} if stated is not None else set()
    if stated is None or len(found) != 1:
        return
    generation, lanes = found.pop()
    put(words, "pcie_generation", stated.but(generation, stated.text[:60]))
    put(words, "pcie_lanes_per_gpu", stated.but(lanes, stated.text[:60]) if lanes else None)


def _between(table: Table) -> Value | None:
    """What GPUs exchange data over, where it is their slots alone."""
    stated = table.get("accelerator_interconnect")
    return stated if stated is not None and SLOT.fullmatch(stated.text.strip()) else None


def _networks(table: Table, found: Fragment) -> None:
    """Adapters by what they are for, where the prose says so, else the fastest; prose is no word."""
    stated = table.get("host_networking")
    found.fact("host networking", stated)
    for value in (stated, table.get("host_network_card_count"), table.get("host_networking_topology")):
        groups = _groups(value.text) if value is not None else {}
        for purpose, (rate, many) in groups.items():
            found.fact(purpose, value and value.but(f"{many} x {rate} Gbit/s", "as the text counts them"))
        if groups:
            return


def _groups(text: str) -> dict[str, tuple[int, int]]:
    """Rate and number of the ports for computing and for storage; of ports without a purpose the fastest, where one group is."""
    found: dict[str, tuple[int, int]] = {}
    others = set()
    parts = GROUPS.split(text)
    if len(parts) == 2 and BARE.fullmatch(parts[1]) and not RATE.search(parts[0]):
        parts = [" ".join(parts)]
    for part in parts:
        purpose, many = PURPOSE.match(part), PORTS.search(part)
        rates = {one or other for one, other in RATE.findall(part)}
        if many is None or len(rates) != 1:
            continue
        group, name = (int(rates.pop()), int(many[1])), purpose[1].lower() if purpose is not None else ""
        if "compute" in name:
            found["adapters"] = group
        elif "storage" in name:
            found["storage adapters"] = group
        elif not name and OF_GPUS.search(part):
            others.add(group)
    fastest = [one for one in others if one[0] == max(others)[0]]
    if "adapters" not in found and len(fastest) == 1:
        found["adapters"] = fastest[0]
    return found


def amount(value: Value | None, *, modules: bool = False) -> Value | None:
    """An amount of data such as `2.0 TB`; of modules such as `24 x 32GB`, what they hold together."""
    found = AMOUNT.search(value.text) if value is not None else None
    if value is None or found is None:
        return None
    many, each, unit = found.groups()
    unit = unit if unit.endswith("B") else f"{unit}B"
    if not modules or many is None:
        return value.but(f"{each} {unit}", "", value.how)
    return value.but(f"{int(many) * float(each):g} {unit}", f"{many} x {each} {unit}")


def _drives(value: Value | None, kind: str, words: Words) -> None:
    """The largest group of drives of one size is the data drives; boot drives are fewer, or stand beside a larger amount."""
    groups: dict[tuple[float, str], int] = {}
    for drives, each, unit in DRIVES.findall(value.text) if value is not None else []:
        group = float(each), f"{unit.upper()}B"
        groups[group] = groups.get(group, 0) + int(drives)
    if value is None:
        return
    rest = value.but(DRIVES.sub("", value.text), value.text[:60])
    most = max((_gigabytes(many * size, unit) for (size, unit), many in groups.items()), default=0)
    if not groups or any(_gigabytes(float(size), unit) > most for size, unit in _own(rest, kind)):
        _capacity(rest, kind, words)
        return
    size, unit = max(groups, key=lambda one: _gigabytes(groups[one] * one[0], one[1]))
    many = groups[size, unit]
    put(words, "local_storage/drives", value.but(many, "drives of the largest group"))
    put(
        words,
        "local_storage/capacity",
        value.but(f"{many * size:g} {unit}", f"{many} x {size:g} {unit}"),
    )


def _gigabytes(size: float, unit: str) -> float:
    return size * (1000 if unit.upper().startswith("T") else 1)


def _own(value: Value, kind: str) -> list[tuple[str, str]]:
    """The amounts that the text has of a server's own drives; a file system of all servers is no part of it."""
    parts = [part for part in GROUPS.split(value.text) if not SHARED.search(part)]
    own = [part for part in parts if not SHARED.search(kind) or "local" in part.lower()]
    return [amount for part in own for amount in LONE.findall(part)]


def _capacity(value: Value, kind: str, words: Words) -> None:
    """What a server holds, where the text has one amount."""
    amounts = _own(value, kind)
    if len(amounts) == 1:
        size, unit = amounts[0]
        put(words, "local_storage/capacity", value.but(f"{size} {unit.upper()}B", value.note or value.text[:60]))
