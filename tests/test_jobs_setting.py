"""`--set`: what it states reaches a job, or the run says why not and which names there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.running import designlint as run

pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")

if TYPE_CHECKING:
    from pathlib import Path

CLUSTER = "designlint: 1\nname: hawk\nnodes: [{name: train, model: dgx-h100, count: 4}]\n"
SCRIPT = """\
#!/bin/bash
#SBATCH --gpus-per-node=8
GPUS_PER_NODE=8
srun torchrun --nnodes $NUM_NODES --rdzv-backend c10d --rdzv-endpoint $(hostname) \\
  --nproc_per_node $GPUS_PER_NODE pretrain_gpt.py --tensor-model-parallel-size ${TP:-2}
"""
MANIFEST = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: fsdp}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: $NUM_NODES
      template:
        spec:
          containers:
            - name: main
              resources: {limits: {nvidia.com/gpu: "${GPUS}"}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "train.sbatch").write_text(SCRIPT)
    return tmp_path


@pytest.mark.parametrize("name", ["NUM_NODES", "nodes"])
def test_a_size_that_is_set_is_judged(folder: Path, name: str) -> None:
    done = run("check", "jobs", "--design", "cluster.yaml", "--set", f"{name}=8", cwd=folder)
    assert "requests 64 GPUs; its pool has 32 in service" in done.out


@pytest.mark.parametrize(
    ("stated", "why"),
    [
        ("NUM_NODE=8", "jobs/train.sbatch reads no such variable; did you mean NUM_NODES (jobs/train.sbatch:4)"),
        ("GPUS_PER_NODE=4", "--set GPUS_PER_NODE=4: jobs/train.sbatch:3 assigns GPUS_PER_NODE itself; change it there"),
        ("ZEBRA=4", "--set ZEBRA=4: jobs/train.sbatch reads no such variable"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", [("check", "jobs", "--design", "cluster.yaml"), ("import", "jobs/train.sbatch")])
def test_what_no_job_reads_is_a_fault(folder: Path, command: tuple[str, ...], stated: str, why: str) -> None:
    done = run(*command, "--set", stated, cwd=folder)
    assert done.code == 2
    assert why in done.err
    assert ("did you mean" in done.err) == ("did you mean" in why)


def test_one_job_of_several_that_reads_it_is_enough(folder: Path) -> None:
    (folder / "jobs" / "other.sbatch").write_text("#!/bin/bash\n#SBATCH --nodes=2\nsrun torchrun train.py\n")
    command = ("check", "jobs", "--design", "cluster.yaml")
    assert run(*command, "--set", "NUM_NODES=2", cwd=folder).code == 0
    assert run(*command, "--set", "NUM_NODES=2", "--set", "TQ=2", cwd=folder).code == 2


def test_a_variable_of_a_sourced_file_is_one_of_the_job(folder: Path) -> None:
    (folder / "jobs" / "sizes.inc").write_text(": ${CP:=1}\n")
    (folder / "jobs" / "train.sbatch").write_text(
        SCRIPT.replace("GPUS_PER_NODE=8", "GPUS_PER_NODE=8\nsource sizes.inc")
    )
    assert run("check", "jobs", "--design", "cluster.yaml", "--set", "CP=2", cwd=folder).code == 0


def test_without_a_job_nothing_can_be_set(folder: Path) -> None:
    done = run("check", "cluster.yaml", "--set", "nodes=8", cwd=folder)
    assert done.code == 2
    assert "--set: cluster.yaml: there is no job file whose variables or sizes could be set" in done.err


def test_variables_of_a_manifest_are_filled_in(folder: Path) -> None:
    (folder / "jobs" / "train.sbatch").unlink()
    (folder / "jobs" / "fsdp.yaml").write_text(MANIFEST)
    given = ("--set", "NUM_NODES=8", "--set", "GPUS=8")
    assert "64 GPUs" in run("check", "jobs", "--design", "cluster.yaml", *given, cwd=folder).out
    done = run("check", "jobs", "--design", "cluster.yaml", "--set", "NODES=8", cwd=folder)
    assert "did you mean NUM_NODES (jobs/fsdp.yaml:7)" in done.err
