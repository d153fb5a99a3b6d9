"""Google's cluster toolkit: blueprints and deployment files; `$(vars.x)` leads into the file itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, Source, Value, Words, put
from designlint.importers.clouds import placeholder, put_capacity
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table, scalars
from designlint.importers.slurm import times
from designlint.importers.toolkit import find_reference, pool, resolve
from designlint.importers.workloads import count, flag

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.importers.base import Context
    from designlint.reading import Node

TITLE = "cluster toolkit blueprint"
POOLS = (
    "gke-node-pool",
    "schedmd-slurm-gcp-v6-nodeset",
    "schedmd-slurm-gcp-v5-node-group",
    "vm-instance",
    "gke-nodeset",
)
#: Modules of file systems: what kind each is, and the key of its size in GiB.
STORAGE = {
    "managed-lustre": ("lustre", "size_gib"),
    "DDN-EXAScaler": ("lustre", ""),
    "parallelstore": ("daos", "size_gb"),
    "filestore": ("nfs", "size_gb"),
    "nfs-server": ("nfs", ""),
    "cloud-storage-bucket": ("object", ""),
    "netapp-volume": ("nfs", "capacity_gib"),
    "pre-existing-network-storage": ("", ""),
}
#: Kinds of a file system that exists already, by its `fs_type`; NFS where none is stated.
EXISTING = {"nfs": "nfs", "lustre": "lustre", "daos": "daos", "gcsfuse": "object"}
#: Modules whose settings are read.
#: Modules of slurmctld: in the cloud, or on premises with servers in the cloud.
CONTROLLER = re.compile(r"controller|hybrid$")
READ = (*POOLS, *STORAGE, "vpc", "gpu-rdma-vpc", "multivpc")


def sure(source: Source) -> int:
    """8 for a blueprint, 7 for a deployment file."""
    if not any(one in source.text for one in ("deployment_groups", "terraform_backend_defaults", "blueprint_name")):
        return 0
    keys = structured.keys(source)
    if "deployment_groups" in keys:
        return 8
    return 7 if "vars" in keys and ("terraform_backend_defaults" in keys or "blueprint_name" in keys) else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """Pools, the scheduler, frames of networks. A deployment file gives variables to the blueprint beside it."""
    found = Fragment()
    given: dict[str, Value] = {}
    tables = [Table(source, structured.root(source)) for source in models]
    for table in sorted(tables, key=lambda one: one.at("deployment_groups") is None):
        variables = table.table("vars")
        for name in variables.names():
            node = variables.at(name)
            if node is None or node.kind != "scalar" or node.scalar() is None:
                continue
            value = Value(node.text, table.source, node.start, node.end)
            if not placeholder(value):
                given[name] = value
    for table in tables:
        if table.at("deployment_groups") is None:
            _deployment(table, found)
        else:
            _blueprint(table, given, found)
        structured.close(table.source, "cluster-toolkit", elsewhere=list(_others(table)))
    return found


def _kind(module: Table) -> str:
    """The last part of the path of a module's source."""
    source = module.get("source")
    return source.text.rpartition("/")[2].partition("?")[0] if source is not None else ""


def _others(table: Table) -> Iterator[Node]:
    """Settings of modules that make images, accounts, log-in nodes, monitoring."""
    for group in table.tables("deployment_groups"):
        for module in group.tables("modules"):
            kind, node = _kind(module), module.at("settings")
            if node is not None and kind not in READ and not kind.endswith("-partition"):
                yield node


def _deployment(table: Table, found: Fragment) -> None:
    """A file of variables alone: what is left open in it is unknown."""
    variables = table.table("vars")
    for name in variables.names():
        node = variables.at(name)
        if node is None or node.kind != "scalar" or not re.search(r"node_count|cluster_size", name):
            continue
        value = table.source.value(node.text, node.start, max(node.end, node.start + 1))
        if count(value) is None:
            why = f"{name} is left open" if not node.text else f"{name} is `{node.text[:40]}`"
            found.unknown("nodes/count", why, "the values that the deployment is started with", value)
        else:
            found.fact(name.replace("_", " "), value)


def _blueprint(table: Table, given: dict[str, Value], found: Fragment) -> None:
    """Its modules, by the kinds that their sources name; partitions last, since they name pools."""
    modules = [one for group in table.tables("deployment_groups") for one in group.tables("modules")]
    pools: list[Words] = []
    tiers: list[Words] = []
    for module in modules:
        title, kind, settings = module.get("id"), _kind(module), module.table("settings")
        if title is None:
            continue
        if kind in POOLS:
            pools.append(pool(title, settings, given, found))
        elif kind in STORAGE:
            tiers += _tier(title, kind, settings, given)
        elif kind in ("vpc", "gpu-rdma-vpc", "multivpc"):
            _network(title, kind, settings, given, found)
        elif kind == "gke-cluster" or ("slurm" in kind and CONTROLLER.search(kind)):
            scheduler = "kubernetes" if kind == "gke-cluster" else "slurm"
            put(found.words, "scheduler/kind", title.but(scheduler, f"module {kind}").as_text())
    partitions = [
        one
        for module in modules
        if _kind(module).endswith("-partition") and (one := _partition(module, given, pools, found))
    ]
    if partitions:
        put(found.words, "scheduler/partitions", partitions)
    for section, parts in (("nodes", pools), ("storage", tiers)):
        if parts:
            found.words[section] = parts
    found.fact("accelerator type", find_reference(given.get("accelerator_type")))


def _tier(title: Value, kind: str, settings: Table, given: dict[str, Value]) -> Iterator[Words]:
    """A file system by its module; none of one that exists and is of a kind without a word."""
    name, size = STORAGE[kind]
    stated = resolve(settings.get("fs_type"), given) if not name else None
    if not name:
        name = EXISTING.get(stated.text if stated is not None else "nfs", "")
    if not name:
        return
    at = stated or title
    words: Words = {
        "name": title.as_text(),
        "kind": at.but(name, stated.text if stated else f"module {kind}").as_text(),
    }
    rate = resolve(settings.get("per_unit_storage_throughput"), given)
    put_capacity(words, resolve(settings.get(size), given) if size else None, rate)
    yield words


def _partition(module: Table, given: dict[str, Value], pools: Sequence[Words], found: Fragment) -> Words:
    """A partition of Slurm with the pools that it uses; nothing where its name is left open."""
    settings = module.table("settings")
    name = resolve(settings.get("partition_name"), given)
    if name is None or placeholder(name):
        return {}
    words: Words = {"name": name.as_text()}
    known = {one["name"].text for one in pools if isinstance(one["name"], Value)}
    used = [one.as_text() for one in scalars(module.source, module.at("use")) if one.text in known]
    if used:
        words["nodes"] = list(used)
    put(words, "default", flag(settings.get("is_default")))
    found.fact(f"enable placement of {name.text}", resolve(settings.get("enable_placement"), given))
    own = settings.table("partition_conf")  # parameters of Slurm, over what the module makes of its own
    shared, limit = own.get("OverSubscribe"), own.get("MaxTime")
    put(words, "exclusive", flag(settings.get("exclusive")))
    put(words, "exclusive", shared and shared.but(shared.text.lower() == "exclusive", "partition_conf OverSubscribe"))
    if limit is not None and (seconds := times.seconds(limit.text)) is not None:
        put(words, "walltime_limit", limit.but(times.duration(seconds), "", limit.how))
    return words


def _network(title: Value, kind: str, settings: Table, given: dict[str, Value], found: Fragment) -> None:
    frame = count(resolve(settings.get("mtu", "network_mtu"), given))
    found.fact(f"frames of {title.text}", frame)
    many = count(resolve(settings.get("network_count"), given))
    if kind == "multivpc" and many is not None:
        found.fact("GPU networks", many)
    elif kind == "gpu-rdma-vpc":
        template = settings.get("subnetworks_template/count")
        found.fact("GPU networks", count(template))
