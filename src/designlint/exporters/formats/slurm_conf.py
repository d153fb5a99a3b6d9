"""The part of slurm.conf that a design decides: nodes with their GPUs, partitions, the topology plug-in; to be included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.design.known import Known
from designlint.exporters.base import Export, ExportRefusal, head
from designlint.exporters.slurm.placement import check_names, join_hostlist, tree
from designlint.graph.subjects import Subject
from designlint.wiring.known import servers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.exporters.base import Order

TITLE = "Part of Slurm's slurm.conf"
MEBIBYTE = 1024**2


def write(order: Order) -> Export:
    """A NodeName line for each pool, partitions, and what they need. Raises: Refusal where no pool has a number of servers."""
    named = [(pool, *servers(pool)) for pool in Known.of_kind(order.design, "NodePool")]
    named = [one for one in named if one[1]]
    if not named:
        raise ExportRefusal("the design states no pool with a number of servers")
    notes = ["include this file in slurm.conf, which sets SlurmctldHost and everything else that a cluster needs"]
    lines: list[str] = []
    for pool, names, assigned in named:
        check_names(names)
        if assigned:
            notes.append(
                f"names of {pool.subject.name} are formed from the pool's name and a number: the design states no `servers`"
            )
        lines.append(" ".join(_node(order, pool, names, notes)))
    if any(pool.count("gpus") for pool, _, _ in named):
        lines.insert(0, "GresTypes=gpu")
        notes.append("gres.conf names the devices of the GPUs: the design does not (`AutoDetect=nvml` finds them)")
    lines = [*_topology(order, notes), *lines, *_partitions(order, notes)]
    return Export("\n".join([*head(order, TITLE, notes), *lines]) + "\n", notes)


def _node(order: Order, pool: Known, names: list[str], notes: list[str]) -> Iterator[str]:
    yield f"NodeName={join_hostlist(names)}"
    sockets, cores, threads = (pool.count(word) for word in ("sockets", "cpu_cores", "cpu_threads"))
    if sockets and cores and cores % sockets == 0:
        yield f"Sockets={sockets} CoresPerSocket={cores // sockets}"
        if threads and threads % cores == 0:
            yield f"ThreadsPerCore={threads // cores}"
        elif not threads:
            notes.append(
                f"Slurm assumes one thread per core of {pool.subject.name}: the design does not state `cpu_threads`"
            )
    elif threads:
        yield f"CPUs={threads}"
    memory = pool.number("scheduled_memory")
    if memory:
        yield f"RealMemory={int(memory // MEBIBYTE)}"
    else:
        notes.append(f"no RealMemory of {pool.subject.name}: the design does not state `scheduled_memory`")
    gpus = pool.count("gpus")
    if gpus:
        kind = _kind(order, pool)
        yield f"Gres=gpu:{kind}:{gpus}" if kind else f"Gres=gpu:{gpus}"
    yield "State=UNKNOWN"


def _kind(order: Order, pool: Known) -> str:
    """The GPU's shortest name in the catalogue, which is part of what its driver calls it; empty where it has none."""
    gpu = pool.subject.facts.get("gpu")
    model = gpu.facts.get("model") if isinstance(gpu, Subject) else None
    entry = model.name if isinstance(model, Subject) else str(model or "")
    aliases = order.design.engine.vocabulary.aliases.get("Gpu", {})
    names = [one for one, meant in aliases.items() if meant == entry and entry.startswith(one)]
    return min(names, key=len, default="")


def _topology(order: Order, notes: list[str]) -> Iterator[str]:
    scheduler = order.design.graph.root.facts.get("scheduler")
    if not isinstance(scheduler, Subject) or Known(order.design, scheduler).flag("topology_aware") is not True:
        return
    try:
        tree(order)
        yield "TopologyPlugin=topology/tree"
    except ExportRefusal as error:
        notes.append(f"no TopologyPlugin, as no tree follows: {error.why}")


def _partitions(order: Order, notes: list[str]) -> Iterator[str]:
    scheduler = order.design.graph.root.facts.get("scheduler")
    listed_ = Known(order.design, scheduler).parts("partitions") if isinstance(scheduler, Subject) else []
    if not listed_:
        notes.append("no partitions: the design states no `scheduler.partitions`")
    for one in listed_:
        known = Known(order.design, one)
        check_names([one.name])
        names, assigned = servers(known)
        parts = [f"PartitionName={one.name}", f"Nodes={'ALL' if assigned or not names else join_hostlist(names)}"]
        limit = known.number("walltime_limit")
        if limit or known.flag("unlimited"):
            parts.append(f"MaxTime={_time(limit) if limit else 'UNLIMITED'}")
        if known.flag("default") is not None:
            parts.append(f"Default={'YES' if known.flag('default') else 'NO'}")
        if known.flag("exclusive"):
            parts.append("OverSubscribe=EXCLUSIVE")
        yield " ".join(parts)


def _time(seconds: float) -> str:
    """Days-hours:minutes:seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours // 24}-{hours % 24:02d}:{minutes:02d}:{rest:02d}"
