"""Jobs that changed since a revision, and those whose cluster did."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from tests.running import designlint as run
from tests.test_jobs import CLUSTER, MANIFEST, SBATCH, found

if TYPE_CHECKING:
    from pathlib import Path


def commit(folder: Path) -> None:
    (folder / "jobs").mkdir()
    for name, text in (("cluster.yaml", CLUSTER), ("jobs/llama.sbatch", SBATCH), ("jobs/fsdp.yaml", MANIFEST)):
        (folder / name).write_text(text)
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "first")):
        subprocess.run([*git, *command], cwd=folder, check=True)


def test_only_jobs_that_changed_are_judged_since_a_revision(tmp_path: Path) -> None:
    commit(tmp_path)
    since = ("jobs", "--design", "cluster.yaml", "--since", "HEAD")
    assert found(*since, cwd=tmp_path) == set()
    (tmp_path / "jobs" / "llama.sbatch").write_text(
        SBATCH.replace("--nodes=2", "--nodes=3").replace("nnodes 2", "nnodes 3")
    )
    assert {one[1] for one in found(*since, cwd=tmp_path)} == {"jobs/llama.sbatch"}
    (tmp_path / "cluster.yaml").write_text(CLUSTER.replace("count: 4", "count: 5"))
    assert {one[1] for one in found(*since, cwd=tmp_path)} == {"jobs/llama.sbatch", "jobs/fsdp.yaml"}


def test_jobs_of_a_configuration_are_judged_since_a_revision(tmp_path: Path) -> None:
    (tmp_path / "designlint.toml").write_text('[jobs]\ndesign = "cluster.yaml"\nfiles = ["jobs/*.sbatch"]\n')
    commit(tmp_path)
    since = ("check", "--designs-only", "--since", "HEAD")
    assert run(*since, cwd=tmp_path).code == 0
    (tmp_path / "jobs" / "llama.sbatch").write_text(SBATCH.replace("--nodes=2", "--nodes=3"))
    done = run(*since, cwd=tmp_path)
    assert (done.code, "jobs/llama.sbatch:" in done.out) == (1, True), done.err
