"""Answers that are kept from one job for the next: the same as those of a job that is judged alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.linting.jobs import JobCluster, check_job_file
from designlint.reading import read_bytes
from tests.importers import shared
from tests.importers.test_job_defects import JOBS
from tests.test_jobs import CLUSTER, MANIFEST, SBATCH

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from designlint.findings.report import Report

#: A cluster of which rules that join subjects know much.
WIRED = """\
designlint: 1
nodes: [{name: train, model: dgx-h100, count: 64, networks: [{fabric: compute, ports: 8}], interfaces: [eth0]}]
fabrics:
  - {name: compute, purpose: compute, technology: infiniband-ndr, speed: 400 Gbit/s,
     topology: {kind: fat-tree, leaves: 16, host_ports_per_leaf: 32, uplinks_per_leaf: 16}}
storage: [{name: scratch, kind: lustre, media: nvme, capacity: 1 PB, write: 100 GB/s, read: 200 GB/s}]
scheduler: {kind: kubernetes}
"""
#: Jobs that differ in one value, in what they state, and in nothing but the name.
VARIED = {
    "a.sbatch": SBATCH,
    "b.sbatch": SBATCH,
    "c.sbatch": SBATCH.replace("parallel-size 16", "parallel-size 8"),
    "d.sbatch": SBATCH.replace("parallel-size 16", "parallel-size 8 --expert-model-parallel-size 2 --num-experts 8"),
    "e.sbatch": SBATCH.replace("--nodes=4", "--nodes=40"),
    "f.yaml": MANIFEST,
    "g.yaml": MANIFEST.replace("64", "4"),
    "h.json": '{"train_micro_batch_size_per_gpu": 4, "zero_optimization": {"stage": 1}}\n',
    "i.json": '{"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"}}}\n',
}


def reports(paths: Iterable[Path], text: str, *, keep: bool) -> list[Report]:
    """The report on each file against one cluster, answers and what graphs have in common kept from each for the next or not."""
    bench = JobCluster(read_bytes(text.encode(), "cluster.yaml"), engine.shipped_engine())
    if not keep:
        bench.cluster.kept = bench.cluster.carried = None
    return [check_job_file(one, bench, {}) for one in paths]


@pytest.mark.parametrize("text", [CLUSTER, WIRED], ids=["cluster", "wired"])
def test_what_is_kept_answers_as_if_each_job_were_judged_alone(tmp_path: Path, text: str) -> None:
    for name, body in VARIED.items():
        (tmp_path / name).write_text(body)
    paths = sorted(tmp_path.iterdir())
    assert reports([*paths, *paths], text, keep=True) == reports([*paths, *paths], text, keep=False)


@pytest.mark.skipif(not JOBS, reason="the shared files were left out")
@pytest.mark.parametrize("text", [CLUSTER, WIRED], ids=["cluster", "wired"])
def test_what_is_kept_answers_the_same_about_public_jobs(text: str) -> None:
    home = shared.folder()
    assert home is not None
    paths = [home / one for one in JOBS]
    assert reports(paths, text, keep=True) == reports(paths, text, keep=False)
