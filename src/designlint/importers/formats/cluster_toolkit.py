"""Google's cluster toolkit: blueprints and deployment files; `$(vars.x)` leads into the file itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, Source, Value, Words, put
from designlint.importers.clouds import equipped, placeholder, sized
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "cluster toolkit blueprint"
REFERENCE = re.compile(r"\$\(vars\.(\w+)\)\Z")
POOLS = (
    "gke-node-pool",
    "schedmd-slurm-gcp-v6-nodeset",
    "schedmd-slurm-gcp-v5-node-group",
    "vm-instance",
    "gke-nodeset",
)
SIZES = ("static_node_count", "node_count_static", "instance_count", "initial_node_count")
IMMATERIAL = frozenset(
    [
        "blueprint_name",
        "deployment_groups",
        "vars",
        "terraform_backend_defaults",
        "project_id",
        "region",
        "zone",
        "deployment_name",
        "bucket",
        "type",
        "id",
        "source",
        "use",
        "outputs",
        "group",
        "settings",
        "validators",
        "toolkit_modules_url",
        "toolkit_modules_version",
        "ghpc_version",
        "name",
    ]
)


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
            value = variables.get(name)
            if value is not None and not placeholder(value):
                given[name] = value
    for table in tables:
        if table.at("deployment_groups") is None:
            _deployment(table, found)
        else:
            _blueprint(table, given, found)
        table.source.open_lines = False
        structured.close(table.source, IMMATERIAL)
    return found


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


def _resolved(value: Value | None, given: dict[str, Value]) -> Value | None:
    for _ in range(8):
        reference = REFERENCE.match(value.text) if value is not None else None
        if reference is None:
            return value
        value = given.get(reference[1])
    return None


def _blueprint(table: Table, given: dict[str, Value], found: Fragment) -> None:
    pools: list[Words] = []
    for group in table.tables("deployment_groups"):
        for module in group.tables("modules"):
            source, title = module.get("source"), module.get("id")
            kind = source.text.rpartition("/")[2].partition("?")[0] if source is not None else ""
            if title is None:
                continue
            if kind in POOLS:
                pools.append(_pool(title, module.table("settings"), given, found))
            elif "slurm" in kind and "controller" in kind:
                put(found.words, "scheduler/kind", title.but("slurm", f"module {kind}").named())
            elif kind == "gke-cluster":
                put(found.words, "scheduler/kind", title.but("kubernetes", f"module {kind}").named())
            elif kind in ("vpc", "gpu-rdma-vpc", "multivpc"):
                _network(title, kind, module.table("settings"), given, found)
    if pools:
        found.words["nodes"] = pools
    found.fact("accelerator type", given.get("accelerator_type"))


def _pool(title: Value, settings: Table, given: dict[str, Value], found: Fragment) -> Words:
    words: Words = {"name": title.named()}
    path = f"nodes/{title.text}"
    machine = _resolved(settings.get("machine_type"), given)
    equipped(words, machine, found, path)
    stated = next((settings.get(key) for key in SIZES if settings.get(key) is not None), None)
    if stated is None and machine is not None and "gpu" not in machine.text:
        return words
    value = _resolved(stated, given)
    sized(words, value if value is not None and not placeholder(value) else None, found, path, stated or title)
    return words


def _network(title: Value, kind: str, settings: Table, given: dict[str, Value], found: Fragment) -> None:
    frame = count(_resolved(settings.get("mtu", "network_mtu"), given))
    found.fact(f"frames of {title.text}", frame)
    many = count(_resolved(settings.get("network_count"), given))
    if kind == "multivpc" and many is not None:
        found.fact("GPU networks", many)
    elif kind == "gpu-rdma-vpc":
        template = settings.get("subnetworks_template/count")
        found.fact("GPU networks", count(template))
