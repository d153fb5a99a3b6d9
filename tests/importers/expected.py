"""What follows from what the importers read, as the shared collection expects it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.importers import Imported, Value, trees, writing
from designlint.reading import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable


def values(found: Imported, path: str) -> list[str]:
    """The values at a path of words."""
    here: list[Any] = [found.words]
    for step in path.split("/"):
        onward: list[Any] = []
        for one in here:
            if step == "*":
                onward += one if isinstance(one, list) else []
            elif isinstance(one, dict) and step in one:
                onward.append(one[step])
        here = onward
    flat = [item for one in here for item in (one if isinstance(one, list) else [one])]
    return [one.text for one in flat if isinstance(one, Value)]


def told(found: Imported, name: str) -> list[str]:
    """What a fact without a word says."""
    return [one.value.text for one in found.facts if plain(one.name) == plain(name)]


def plain(name: str) -> str:
    """A name without case and signs."""
    return re.sub(r"\W|_", "", name.lower())


def _listed(found: Imported, part: str, word: str) -> list[str]:
    return values(found, f"fabrics/*/topology/{part}/*/{word}")


def _sizes(found: Imported) -> list[str]:
    return [str(one) for one in Counter(_listed(found, "host_links", "to")).values()]


def _role(role: str) -> Callable[[Imported], list[str]]:
    def counted(found: Imported) -> list[str]:
        roles = _listed(found, "switches", "role")
        return [str(roles.count(role))] if roles else []

    return counted


def _top(found: Imported) -> list[str]:
    """The switch that all others lie below."""
    roles = dict(zip(_listed(found, "switches", "name"), _listed(found, "switches", "role"), strict=False))
    above = set(_listed(found, "links", "to")) - set(_listed(found, "links", "from"))
    return [name for name, role in roles.items() if role == "core"] or sorted(above)


def _number(texts: list[str]) -> list[str]:
    return [str(len(texts))] if texts else []


def _graph(word: str) -> Callable[[Imported], list[str]]:
    """A word that follows from what was imported, as designlint derives it."""

    def derived(found: Imported) -> list[str]:
        text = writing.text(found, "test")
        document = read_bytes(text.encode(), "imported.yaml")
        design = read_design(document, engine.shipped_engine())
        for subject in design.graph.by_class.get("Workload", []):
            for one in (subject, *(fact for fact in subject.facts.values() if hasattr(fact, "facts"))):
                if isinstance(value := one.facts.get(word), int | float):
                    return [f"{value:.4g}" if value > 1e6 else f"{value:g}"]
        return []

    return derived


def _without(path: str) -> Callable[[Imported], list[str]]:
    return lambda found: [] if values(found, path) else ["none", "none requested", "0", "0 listed", "unset"]


def _conditional(name: str) -> Callable[[Imported], list[str]]:
    return lambda found: [one.value.text for one in found.facts if one.name.startswith(f"{name}, if")]


#: Facts that are counted, or that follow.
COMPUTED: dict[str, Callable[[Imported], list[str]]] = {
    "template": lambda found: ["true"] if any("template" in one.why for one in found.refused) else [],
    "blocks": lambda found: _number(values(found, "scheduler/blocks/*/name")) or ["0"],
    "nodes_per_block": lambda found: values(found, "scheduler/blocks/*/count"),
    "switches": lambda found: [*_number(_listed(found, "switches", "name")), *_listed(found, "switches", "name")],
    "switch_lines": lambda found: _number(_listed(found, "switches", "name")),
    "switch_links": lambda found: _number(_listed(found, "links", "from")),
    "leaves": _role("leaf"),
    "spines": _role("spine"),
    "top": _top,
    "root": _top,
    "leaf_sizes": _sizes,
    "port_guids": lambda found: _number(_listed(found, "host_links", "server")),
    "nodes": lambda found: _number(sorted(set(_listed(found, "host_links", "server")))),
    "adapters": lambda found: _listed(found, "host_links", "adapter"),
    "hosts": lambda found: sorted(set(_listed(found, "host_links", "server"))),
    "host_ports_per_leaf": _sizes,
    "host_port_speed": lambda found: _listed(found, "host_links", "speed"),
    "uplink_speed": lambda found: _listed(found, "links", "speed"),
    "uplinks_per_leaf": lambda found: [str(one) for one in Counter(_listed(found, "links", "to")).values()],
    "lines": lambda found: [str(sum(one.understood for one in found.accounts()))],
    "data": _graph("data_parallel"),
    "gpu": lambda found: [one.value.text for one in found.facts if one.name.endswith("/gpu")],
    "pfc_priorities": lambda found: [
        part for one in found.facts if one.name.startswith("lossless priorities") for part in one.value.text.split(",")
    ],
    "offload_optimizer": lambda found: [
        one.rpartition(" ")[2] for one in _notes(found, "workloads/*/parallelism/offload")
    ],
    "offload_param": lambda found: [one.rpartition(" ")[2] for one in _notes(found, "workloads/*/parallelism/offload")],
    "micro_batches_per_step": _graph("micro_batches"),
    "parameters_computed": lambda found: [f"{float(one) / 1e9:.1f}e9" for one in _graph("parameters")(found)],
    "pfc_watchdog": lambda found: [part for text in told(found, "watched priorities") for part in text.split(",")],
    "tasks": lambda found: [one.value.text for one in found.facts if one.name.startswith("pods of task")],
    "gpus_per_numa": lambda found: told(found, "GPUs of a NUMA node"),
    "adapters_per_numa": lambda found: told(found, "adapters of a NUMA node"),
    "gpus": lambda found: (
        _products(found)
        or (_without("workloads/*/job/gpus_per_worker")(found) if values(found, "workloads/*/job/workers") else [])
    ),
    "gres": _without("nodes/*/gpus"),
    "gpu_quota": lambda found: [] if found.unknowns else _without("scheduler/queues/*/gpus")(found),
    "walltime_limit": lambda found: ["none"] if values(found, "scheduler/partitions/*/unlimited") == ["true"] else [],
    "default_partition": lambda found: values(found, "scheduler/partitions/*/name"),
    "nccl_ib_hca": _conditional("NCCL_IB_HCA"),
    "nccl_socket_ifname": _conditional("NCCL_SOCKET_IFNAME"),
    "nccl_mnnvl_enable": _conditional("NCCL_MNNVL_ENABLE"),
    "train_batch_size": lambda found: ["auto"] if any("auto" in one.why for one in found.unknowns) else [],
    "train_micro_batch_size_per_gpu": lambda found: (
        ["auto"] if any("auto" in one.why for one in found.unknowns) else []
    ),
    "host_memory_request": lambda found: (
        ["all"] if values(found, "workloads/*/job/all_host_memory") == ["true"] else []
    ),
    "use_dist_optimizer": lambda found: (
        ["true"] if values(found, "workloads/*/parallelism/zero_stage") == ["1"] else []
    ),
    "sharding": lambda found: (
        ["full", "FULL_SHARD"] if values(found, "workloads/*/parallelism/zero_stage") == ["3"] else []
    ),
    "topology_request": lambda found: [
        f"{'required' if required == 'true' else 'preferred'} {level}"
        for level, required in zip(
            values(found, "workloads/*/job/topology_level"),
            values(found, "workloads/*/job/topology_required"),
            strict=False,
        )
    ],
    "static": lambda found: _sum(found, "servers that always run"),
    "dynamic": lambda found: _sum(found, "servers that are started on demand"),
    "cores_per_socket": lambda found: _quotient(found, "nodes/*/cpu_cores", "nodes/*/sockets"),
    "threads_per_core": lambda found: _quotient(found, "nodes/*/cpu_threads", "nodes/*/cpu_cores"),
    "cores": lambda found: [one.value.text for one in found.facts if one.name.startswith("cores beside")],
    "channels": lambda found: [one.value.text for one in found.facts if one.name.endswith("channels")],
    "type_intra": lambda found: [one.value.text for one in found.facts if one.name.endswith("type inside")],
    "type_inter": lambda found: [one.value.text for one in found.facts if one.name.endswith("type between")],
    "dscp_lossless": lambda found: [one.value.text for one in found.facts if one.name.endswith("lossless class")],
    "cpu_affinity": lambda found: [
        one.value.text.split()[0] for one in found.facts if one.name.startswith("affinity of")
    ],
    "link_width": lambda found: values(found, "nodes/*/pcie_lanes_per_gpu"),
    "link_speed": lambda found: [*_rates(found)],
    "pcie": lambda found: [
        f"{rate} x{lanes}"
        for rate, lanes in zip(_rates(found), values(found, "nodes/*/pcie_lanes_per_gpu"), strict=False)
    ],
    "local_drives": lambda found: values(found, "nodes/*/local_storage/drives"),
    "network": lambda found: (
        ["RoCE v2"] if any("ROCE2" in one.value.text for one in found.facts) else told(found, "port speed")
    ),
    "client_port": lambda found: ["100 Gbit/s"] if told(found, "ports of client") == ["1 x 100 Gbit/s"] else [],
    "drives": lambda found: told(found, "drives"),
    "storage_ports": lambda found: told(found, "HCAs"),
    "kind": lambda found: values(found, "storage/*/kind"),
    "units": lambda found: values(found, "storage/*/units"),
    "data_shard": lambda found: told(found, "degree of sharding, -1 for all"),
    "expansion": lambda found: told(found, "expansion ratio"),
    "storage": lambda found: sorted(
        f"{one.value.text} {one.name.rpartition(' ')[2]}" for one in found.facts if one.name.startswith("storage at")
    ),
    "smallest_gpus": lambda found: [
        str(int(one) * int(other))
        for one, other in zip(
            values(found, "workloads/*/parallelism/tensor"),
            values(found, "workloads/*/parallelism/pipeline"),
            strict=False,
        )
    ],
}


def _products(found: Imported) -> list[str]:
    """GPUs of all servers of the pools."""
    pairs = zip(values(found, "nodes/*/count"), values(found, "nodes/*/gpus"), strict=False)
    products = [int(one) * int(other) for one, other in pairs]
    return [str(sum(products)), *values(found, "nodes/*/gpus")] if products else []


def _notes(found: Imported, path: str) -> list[str]:
    """How values at a path came to be."""
    texts = values(found, path)
    return [one.note for one in trees.values(found.words) if one.text in texts and one.note]


def _sum(found: Imported, ending: str) -> list[str]:
    numbers = [int(one.value.text) for one in found.facts if one.name.endswith(ending)]
    return [str(sum(numbers))] if numbers else []


def _quotient(found: Imported, above: str, below: str) -> list[str]:
    pairs = zip(values(found, above), values(found, below), strict=False)
    return [str(int(one) // int(other)) for one, other in pairs]


def _rates(found: Imported) -> list[str]:
    return [{"4": "16 GT/s", "5": "32.0 GT/s"}.get(one, one) for one in values(found, "nodes/*/pcie_generation")]
