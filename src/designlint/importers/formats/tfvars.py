"""Terraform variables of Nebius' clusters: Slurm on Kubernetes (soperator), groups of GPU servers, single machines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, How, Source, Value, Words, put, whole
from designlint.importers.notations import hcl, structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count, flag, get

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "Terraform variables"
LINE = re.compile(r"^[a-z_]\w*[ \t]*=(?!=)[ \t]*(?:\"|\{|\[|true\b|false\b|null\b|[\d-])", re.MULTILINE)
#: What a preset is called: `8gpu-128vcpu-1600gb`.
PRESET = re.compile(r"(\d+)gpu-(\d+)vcpu-(\d+)gb\Z")
#: Variables that would say something about a design if they were understood.
TELLING = re.compile(
    r"gpu|fabric|infiniband|nccl|worker|filestore|storage|platform|preset|instance_count|controller|accounting|topology|size"
)
#: What the first versions of soperator put before what they say of the benchmark.
OLD, THRESHOLD = "slurm_cluster_nccl_benchmark", "NCCL benchmark threshold"
CONTROLLERS = ("slurm_nodeset_controller/size", "slurm_node_count/controller", "slurm_cluster_node_controller_count")
PLATFORM = re.compile(r"gpu-([a-z0-9-]+)\Z")


def sure(source: Source) -> int:
    """4 where most lines that say something are assignments of Terraform's; anything more special goes first."""
    if source.file.endswith(".tfvars") and LINE.search(source.text):
        return 7
    return 4 if len(LINE.findall(source.text[:100_000])) > 5 and "slurm_" in source.text else 0


def read(source: Source, context: Context) -> Source:
    """The file itself."""
    source.open_lines = False
    hcl.root(source)
    return source


def design(models: Sequence[Source], context: Context) -> Fragment:
    """Pools of workers and the scheduler."""
    found = Fragment()
    for source in models:
        table = Table(source, hcl.root(source))
        pools = [
            one
            for at, worker in enumerate(_tables(table, "slurm_nodeset_workers"))
            if (one := _pool(worker, at, found))
        ]
        pools += [*_groups(table), *_older(table, found)]
        if pools:
            found.words["nodes"] = pools
        _scheduler(table, found)
        _facts(table, found)
        _benchmark(table, found)
        others = [table.at(one) for one in table.names() if not TELLING.search(one)]
        structured.close(source, elsewhere=[one for one in others if one is not None])
    return found


def _tables(table: Table, key: str) -> list[Table]:
    node = table.at(key)
    if node is None:
        return []
    items = node.items if node.kind == "list" else [node]
    return [Table(table.source, one) for one in items if one.kind == "map"]


def _pool(worker: Table, at: int, found: Fragment) -> Words:
    size, name = count(worker.get("size")), worker.get("name")
    preset, platform = worker.get("resource/preset"), worker.get("resource/platform")
    first = name or size or platform
    if first is None:
        return {}
    called = name or first.but("worker" if not at else f"worker-{at + 1}", "the variable's own name", How.DERIVED)
    words: Words = {"name": called.as_text()}
    put(words, "count", size)
    kind = _machine(words, preset, platform)
    cluster = worker.get("gpu_cluster/infiniband_fabric")
    found.fact("InfiniBand fabric", cluster)
    several = whole(size)
    if cluster is not None and not cluster.text and kind and several is not None and several > 1:
        found.clash("import/fabric-left-empty", cluster, name=called.text, count=several)
    found.fact("most servers unavailable at once", worker.get("max_unavailable_percent"))
    return words


def _groups(table: Table) -> list[Words]:
    """Pools of variables that begin alike: `gpu_nodes_platform`, `gpu_nodes_preset` and how many there are."""
    pools: list[Words] = []
    for start in (one.removesuffix("platform") for one in table.names() if one.endswith("platform")):
        platform = table.get(f"{start}platform")
        if platform is None or not PLATFORM.match(platform.text):
            continue
        title = start.rstrip("_") or "instance"
        words: Words = {"name": platform.but(title, "the variable's own name", How.DERIVED).as_text()}
        each, groups = count(table.get(f"{start}count_per_group")), count(table.get("gpu_node_groups"))
        if each is not None and groups is not None:
            total = (whole(each) or 0) * (whole(groups) or 0)
            put(
                words,
                "count",
                each.but(total, f"{groups.text} {'group' if groups.text == '1' else 'groups'} of {each.text}"),
            )
        put(words, "count", count(table.get(f"{start or 'instance_'}count")))
        _machine(words, table.get(f"{start}preset"), platform)
        pools.append(words)
    return pools


def _older(table: Table, found: Fragment) -> list[Words]:
    """The workers of soperator's first versions: a group of servers, and their number among those of all roles."""
    group = table.table("k8s_cluster_node_group_gpu")
    size = count(table.get("slurm_node_count/worker", "slurm_cluster_node_worker_count") or group.get("size"))
    if not group or size is None:
        return []
    words: Words = {"name": size.but("worker", "the variable's own name", How.DERIVED).as_text(), "count": size}
    _machine(words, group.get("resource/preset"), group.get("resource/platform"))
    for word, key, unit in (
        ("gpus", "gpus", ""),
        ("cpu_threads", "cpu_cores", ""),
        ("host_memory", "memory_gb", " GB"),
    ):
        number = count(group.get(key))
        put(words, word, number and number.but(f"{number.text}{unit}", "", number.how))
    if get(words, "gpu") is None and (kind := group.get("platform")) is not None:
        put(words, "gpu", kind.of("Gpu"))
    found.fact("InfiniBand fabric", group.get("gpu_cluster/infiniband_fabric", "interconnect_physical_cluster"))
    return [words]


def _machine(words: Words, preset: Value | None, platform: Value | None) -> bool:
    """What a preset and a platform say of each server; whether it has GPUs."""
    parts = PRESET.match(preset.text) if preset is not None else None
    if preset is not None and parts:
        put(words, "gpus", preset.but(parts[1], f"preset {preset.text}"))
        put(words, "cpu_threads", preset.but(parts[2], f"preset {preset.text}"))
        put(words, "host_memory", preset.but(f"{parts[3]} GB", f"preset {preset.text}"))
    kind = PLATFORM.match(platform.text) if platform is not None else None
    if platform is not None and kind:
        put(words, "gpu", platform.but(kind[1], f"platform {platform.text}").of("Gpu"))
    return kind is not None


def _scheduler(table: Table, found: Fragment) -> None:
    size = count(table.get(*CONTROLLERS))
    first = size or table.get("slurm_operator_version")
    if first is None:
        return
    words: Words = {"kind": first.but("slurm-on-kubernetes", "variables of soperator").as_text()}
    put(words, "controllers", size)
    put(words, "accounting", flag(table.get("accounting_enabled")))
    found.words["scheduler"] = words


def _benchmark(table: Table, found: Fragment) -> None:
    """A benchmark that is on, and keeps to the links inside a server."""
    runs, network = flag(table.get("nccl_benchmark_enable")), flag(table.get("nccl_use_infiniband"))
    if runs is not None and network is not None and (runs.text, network.text) == ("true", "false"):
        found.clash("import/benchmark-without-network", network)


def _facts(table: Table, found: Fragment) -> None:
    for name, *keys in (
        ("kubernetes", "k8s_version", "k8s_cluster_version"),
        ("login nodes", "slurm_nodeset_login/size", "slurm_cluster_node_login_count"),
        (THRESHOLD, "nccl_benchmark_min_threshold", f"{OLD}_settings/threshold_more_than"),
        ("NCCL benchmark schedule", "nccl_benchmark_schedule", f"{OLD}_schedule"),
        ("NCCL benchmark over InfiniBand", "nccl_use_infiniband", f"{OLD}_settings/use_infiniband"),
    ):
        value: Value | None = table.get(*keys)
        unit = " GB/s" if name == THRESHOLD and value is not None and value.number is not None else ""
        found.fact(name, value.but(value.text + unit) if value is not None else None)
