"""Least and most numbers of pods, roles of pods, and schedulers: what the controllers of jobs check before they start any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import whole
from designlint.importers.workloads import count
from designlint.language.values import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.base import Fragment
    from designlint.importers.notations.structured import Table

#: Where objects list parts that state both a least and a most number.
RANGES = {
    "spec/tasks": ("minAvailable", "replicas"),
    "spec/rayClusterSpec/workerGroupSpecs": ("minReplicas", "maxReplicas"),
    "spec/workerGroupSpecs": ("minReplicas", "maxReplicas"),
}
ELASTIC = ("minReplicas", "maxReplicas")
SPECS = (
    "pytorchReplicaSpecs",
    "tfReplicaSpecs",
    "mpiReplicaSpecs",
    "jaxReplicaSpecs",
    "paddleReplicaSpecs",
    "xgbReplicaSpecs",
)
#: How alike the names of two schedulers are, from 0 to 1, where one is the other misspelt.
ALIKE = 0.8


def report(top: Table, key: str, found: Fragment) -> None:
    """Notes numbers that exclude each other, roles that a kind of job does not have, and misspelt schedulers."""
    for part, least, most in _ranges(top):
        one, other = count(part.get(least)), count(part.get(most))
        if one is not None and other is not None and (whole(one) or 0) > (whole(other) or 0):
            values = {"least": least, "one": one.text, "most": most, "other": other.text, "where": other.place}
            found.clash("import/minimum-beyond-maximum", one, **values, tool=_controller(key))
    _roles(top, key, found)
    _scheduler(top, found)


def _controller(key: str) -> str:
    """What checks objects of a kind."""
    return "Volcano" if key.startswith("Volcano") else "KubeRay" if key.startswith("Ray") else "Kubeflow"


def _ranges(top: Table) -> Iterator[tuple[Table, str, str]]:
    for path, (least, most) in RANGES.items():
        yield from ((part, least, most) for part in top.tables(path))
    yield (top.table("spec/elasticPolicy"), *ELASTIC)


def _roles(top: Table, key: str, found: Fragment) -> None:
    roles = str(defaults.tool("kubernetes").tables["roles"].get(key, "")).split()
    stated = [part for one in SPECS if (part := top.at(f"spec/{one}")) is not None] if roles else []
    for name, node in ((name, node) for part in stated for name, node in part.entries.items()):
        near = nearest(name, roles, most=1)
        if near and node.key_start >= 0 and name.lower() != near[0].lower():
            at = top.source.value(name, node.key_start, node.key_end)
            found.clash("import/misspelt-key", at, name=name[:60], proposal=near[0], tool=key)


def _scheduler(top: Table, found: Fragment) -> None:
    stated = top.get("spec/schedulerName")
    known = str(defaults.tool("kubernetes").tables["schedulers"]["names"]).split()
    if stated is not None and stated.text not in known:
        for near in nearest(stated.text, known, most=1, alike=ALIKE):
            found.clash("import/misspelt-key", stated, name=stated.text[:60], proposal=near, tool="schedulerName")
