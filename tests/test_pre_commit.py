"""The hooks of this repository, installed and run by pre-commit itself on a scratch repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.running import BAD, ROOT

if TYPE_CHECKING:
    from pathlib import Path

#: All that an installation is built from.
BUILT_FROM = (
    ".pre-commit-hooks.yaml", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "src", "ontology", "rules",
)  # fmt: skip
CONFIGURATION = """\
repos:
  - repo: {hooks}
    rev: {revision}
    hooks:
      - id: {hook}
"""


def run(*command: str | Path, cwd: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as a developer who has no configuration of their own."""
    names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
    environment |= names | {"PRE_COMMIT_HOME": str(home), "GIT_CONFIG_GLOBAL": os.devnull, "PRE_COMMIT_COLOR": "never"}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=300)


def committed(folder: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """Commit all that a repository holds."""
    run("git", "add", "--all", cwd=folder, home=home)
    return run("git", "commit", "--quiet", "-m", "a change", cwd=folder, home=home)


@pytest.fixture
def hooks(tmp_path: Path) -> Path:
    """This repository as it stands now, as one that pre-commit can clone."""
    folder = tmp_path / "hooks"
    folder.mkdir()
    for name in BUILT_FROM:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    run("git", "init", "--quiet", cwd=folder, home=tmp_path)
    assert committed(folder, tmp_path).returncode == 0
    return folder


def test_a_bad_commit_is_blocked_and_a_good_one_passes(tmp_path: Path, hooks: Path) -> None:
    home, work = tmp_path / "home", tmp_path / "work"
    (work / "infra").mkdir(parents=True)
    run("git", "init", "--quiet", cwd=work, home=home)
    revision = run("git", "rev-parse", "HEAD", cwd=hooks, home=home).stdout.strip()
    configuration = work / ".pre-commit-config.yaml"
    configuration.write_text(CONFIGURATION.format(hooks=hooks, revision=revision, hook="designlint"), "utf-8")
    installed = run(sys.executable, "-m", "pre_commit", "install", "--install-hooks", cwd=work, home=home)
    assert installed.returncode == 0, installed.stdout + installed.stderr

    (work / "pod.yaml").write_text("kind: Pod\n", "utf-8")
    assert committed(work, home).returncode == 0
    design = work / "infra" / "cluster.yaml"
    design.write_bytes(BAD)
    blocked = committed(work, home)
    assert blocked.returncode == 1
    assert "error[parallelism/tensor-beyond-scale-up-domain]" in blocked.stderr
    assert "--> infra/cluster.yaml:6:27" in blocked.stderr
    design.write_bytes(BAD.replace(b"16", b"8"))
    passed = committed(work, home)
    assert passed.returncode == 0, passed.stderr

    over = work / "infra" / "larger.yaml"
    over.write_text("designlint: 1\nextends: cluster.yaml\nworkloads: [{name: pretrain, parallelism: {tensor: 8}}]\n")
    assert committed(work, home).returncode == 0
    design.write_bytes(BAD.replace(b"16", b"8").replace(b"dgx-h100", b"dgx-h1000"))
    assert "shape/not-in-catalog" in committed(work, home).stderr

    job = work / "jobs" / "train.sbatch"
    job.parent.mkdir()
    design.write_bytes(BAD.replace(b"16", b"8"))
    (work / "designlint.toml").write_text('[jobs]\ndesign = "infra/cluster.yaml"\nfiles = ["jobs/*.sbatch"]\n', "utf-8")
    job.write_text("#!/bin/bash\n#SBATCH --nodes=2\nsrun torchrun --nnodes 2 --nproc_per_node 8 train.py\n", "utf-8")
    launched = committed(work, home)
    assert launched.returncode == 1, launched.stdout
    assert "--> jobs/train.sbatch:3:1" in launched.stderr
    job.unlink()

    wanted = "designlint-fix\n        args: [--unsafe-fixes]"
    configuration.write_text(CONFIGURATION.format(hooks=hooks, revision=revision, hook=wanted), "utf-8")
    design.write_bytes(BAD)
    mended = committed(work, home)
    assert mended.returncode == 1
    assert "files were modified by this hook" in mended.stderr
    assert design.read_bytes() == BAD.replace(b"16", b"8")
    assert committed(work, home).returncode == 0
