"""Graphs that take over what a cluster's jobs have in common: the same as those that are built whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.design import jobs
from designlint.judging.judge import simple
from designlint.reading import read_bytes
from tests.test_jobs import CLUSTER, MANIFEST, SBATCH
from tests.test_jobs_remembered import WIRED

if TYPE_CHECKING:
    from designlint.graph.subjects import Graph

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*/design.yaml"))
#: A cluster of two pools, racks for the one that no other names, and software of its own.
RACKED = """\
designlint: 1
nodes: [{name: a, model: dgx-h100, count: 4}, {name: b, gpus: 8, count: 2, host_memory: 1 TB}]
facility: {racks: {count: 2}, other_racks: [{name: first, count: 1, pools: [b]}]}
software: {nccl: "2.21", environment: {nccl_ib_hca: mlx5_0}}
storage: [{name: scratch, kind: lustre, capacity: 1 PB, write: 100 GB/s}]
"""
JOBS = {
    "a.sbatch": SBATCH,
    "b.sbatch": SBATCH.replace("--nodes=4", "--nodes=40") + "export NCCL_IB_HCA=mlx5_1\n",
    "c.sbatch": SBATCH.replace("parallel-size 16", "parallel-size 8") + "export NCCL_IB_TC=106\n",
    "d.yaml": MANIFEST,
    "e.json": '{"train_micro_batch_size_per_gpu": 4, "zero_optimization": {"stage": 1}}\n',
}


def told(graph: Graph) -> list[tuple[Any, ...]]:
    """All that is known of a graph, in its order."""
    return [
        (
            path,
            one.cls,
            one.owner and one.owner.path,
            {word: simple(fact) for word, fact in one.facts.items()},
            {word: (origin.how, origin.note, origin.step) for word, origin in one.origins.items()},
            list(one.keys),
            {word: [each.path for each in back] for word, back in one.back.items()},
        )
        for path, one in graph.subjects.items()
    ]


def graphs(paths: list[Path], text: str, *, carry: bool) -> list[list[tuple[Any, ...]]]:
    """The graph of each job over one cluster."""
    over = jobs.cluster(read_bytes(text.encode(), "cluster.yaml"), engine.shipped_engine())
    if not carry:
        over.carried = None
    found = [told(job.design.graph) for path in paths for job in jobs.read_job_file(path, str(path), over, {}).jobs]
    assert not carry or over.carried
    return found


@pytest.mark.parametrize(
    "text",
    [CLUSTER, WIRED, RACKED, "designlint: 1\n", *(one.read_text("utf-8") for one in EXAMPLES)],
    ids=["cluster", "wired", "racked", "empty", *(one.parent.name for one in EXAMPLES)],
)
def test_a_graph_that_is_carried_on_is_the_one_that_is_built_whole(tmp_path: Path, text: str) -> None:
    for name, body in JOBS.items():
        (tmp_path / name).write_text(body)
    paths = sorted(tmp_path.iterdir())
    assert graphs([*paths, *paths], text, carry=True) == graphs([*paths, *paths], text, carry=False)


def test_a_part_that_cannot_be_read_whole_is_not_laid_beside_what_was_taken_over(tmp_path: Path) -> None:
    (tmp_path / "a.sbatch").write_text(SBATCH)
    (tmp_path / "b.sbatch").write_text(SBATCH.replace("parallel-size 16", "parallel-size -1"))
    paths = sorted(tmp_path.iterdir())
    assert graphs(paths, CLUSTER, carry=True) == graphs(paths, CLUSTER, carry=False)
