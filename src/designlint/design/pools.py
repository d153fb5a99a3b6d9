"""The pool of a cluster that a job runs on: by its partition, its queue, its constraint, or as the only one with GPUs."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from designlint.graph.subjects import Subject
from designlint.language import constraints
from designlint.reading import Node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from designlint.graph.subjects import Graph

#: Letters and numbers of a label such as `nvidia-h100-80gb`; the vendor tells no pool from another.
PARTS = re.compile(r"[a-z0-9]+")
VENDORS = frozenset(("nvidia", "amd", "intel", "gpu", "tesla"))


def place_workload(workload: Node, graph: Graph) -> Node:
    """The workload with its pool, where the job or the cluster leaves no doubt which of several it is."""
    runs_on = workload.entries.get("runs_on")
    pools = graph.by_class.get("NodePool", [])
    if len(pools) < 2 or (runs_on is not None and "nodes" in runs_on.entries):
        return workload
    found = next(_find_pools(workload, graph, pools), None)
    if found is None:
        return workload
    pool, node, why = found
    named = Node(node.document, "scalar", node.start, node.end, outer=node.start, text=pool.name)
    named.origin = ("derived", why)
    part = Node(node.document, "map", node.start, node.end, outer=node.start) if runs_on is None else runs_on.copy(None)
    part.origin = part.origin or named.origin
    part.entries = {**(runs_on.entries if runs_on is not None else {}), "nodes": named}
    whole = workload.copy(workload.alias_site)
    whole.entries = {**workload.entries, "runs_on": part}
    return whole


def _find_pools(workload: Node, graph: Graph, pools: list[Subject]) -> Iterator[tuple[Subject, Node, str]]:
    """The pool, the value of the job that leads to it, and how; the surest way first."""
    job = workload.entries.get("job")
    asked = job.entries if job is not None else {}
    name = workload.entries.get("name", workload)
    for word, cls in (("partition", "Partition"), ("queue", "Queue")):
        stated = asked.get(word)
        for one in graph.by_class.get(cls, ()) if stated is not None else ():
            if stated is not None and (one.name == stated.text or stated.text in _texts(one, "local_queues")):
                yield from ((pool, stated, f"{word} {stated.text}") for pool in _only(_behind(one, pools)))
    if "partition" not in asked:
        for one in graph.by_class.get("Partition", ()):
            if one.facts.get("default") is True:
                yield from ((pool, name, f"default partition {one.name}") for pool in _only(_behind(one, pools)))
    wanted = asked.get("constraint")
    if wanted is not None:
        meant = [pool for pool in pools if constraints.meets(wanted.text.lower(), partial(_fits, pool))]
        yield from ((pool, wanted, f"constraint {wanted.text}") for pool in _only(meant))
    if "partition" not in asked and "queue" not in asked and "constraint" not in asked:
        with_gpus = [pool for pool in pools if pool.facts.get("gpus") != 0]
        yield from ((pool, name, "the only pool with GPUs") for pool in _only(with_gpus))


def _only(pools: Iterable[Subject]) -> list[Subject]:
    found = list({id(one): one for one in pools}.values())
    return found if len(found) == 1 else []


def _texts(subject: Subject, word: str) -> list[str]:
    fact = subject.facts.get(word)
    return [one for one in fact if isinstance(one, str)] if isinstance(fact, list) else []


def _behind(one: Subject, pools: list[Subject]) -> list[Subject]:
    """The pools of a partition or queue: those that it names, else those with the labels of its flavours, or its servers."""
    stated = one.facts.get("nodes")
    if isinstance(stated, list):
        return [pool for pool in stated if isinstance(pool, Subject)]
    if labels := _texts(one, "labels"):
        return [pool for pool in pools if any(_fits(pool, label.lower()) for label in labels)]
    wanted = _expand_lists(_texts(one, "servers"))
    return [pool for pool in pools if not wanted.isdisjoint(_expand_lists(_texts(pool, "servers")))]


def _expand_lists(lists: list[str]) -> set[str]:
    from designlint.language import hostlists

    found: set[str] = set()
    for one in lists:
        try:
            found.update(hostlists.expand(one))
        except hostlists.HostListError:
            return set()
    return found


def _fits(pool: Subject, label: str) -> bool:
    """Whether a feature or label means a pool: its name, one of its labels, or words of its GPU's name."""
    if label == pool.name.lower() or label in map(str.lower, constraints.label_texts(_texts(pool, "labels"))):
        return True
    gpu = pool.facts.get("gpu")
    names = [gpu.facts.get(word) for word in ("model", "name")] if isinstance(gpu, Subject) else []
    parts = set(PARTS.findall(label)) - VENDORS
    return any(isinstance(one, str) and parts and parts <= set(PARTS.findall(one.lower())) for one in names)
