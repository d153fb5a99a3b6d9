"""A thousand job files against one cluster: four kinds, no two alike, a third with a fault against the cluster of docs/jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.bench.measuring import DESIGNLINT, ROOT, Row, cpu

if TYPE_CHECKING:
    from pathlib import Path

ORDER = 4

MANIFEST = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {{name: fsdp-{number}}}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: {servers}
      template:
        spec:
          containers:
            - name: main
              image: nvcr.io/nvidia/pytorch:25.01-py3
              env: [{{name: NCCL_SOCKET_IFNAME, value: eth0}}]
              command: [torchrun, --nproc_per_node=8, train.py, --max_steps={steps}, --hidden_width=4096, --num_layers=32]
              resources: {{limits: {{nvidia.com/gpu: 8}}}}
"""
TITAN = """\
[model]
name = "llama3"
[training]
local_batch_size = 1
seq_len = 8192
steps = {steps}
[parallelism]
tensor_parallel_degree = {tensor}
pipeline_parallel_degree = 1
[checkpoint]
enable = true
interval = 500
"""
DEEPSPEED = """\
{{"train_micro_batch_size_per_gpu": {tensor}, "gradient_accumulation_steps": {servers},
 "bf16": {{"enabled": true}}, "zero_optimization": {{"stage": 1, "overlap_comm": true}}, "steps_per_print": {steps}}}
"""


def write_jobs(folder: Path, script: str, number: int) -> None:
    """Write so many job files: batch scripts after `script`, manifests, TorchTitan's and DeepSpeed's configurations."""
    for at in range(number):
        values = {"number": at, "servers": 1 + at % 60, "steps": 1000 + at, "tensor": (4, 8, 16)[at % 3]}
        text = (
            script.replace("--nodes=4", f"--nodes={values['servers']}")
            .replace("--nnodes 4", f"--nnodes {values['servers']}")
            .replace("parallel-size 16", f"parallel-size {values['tensor']}")
            .replace("--train-iters 20000", f"--train-iters {values['steps']}")
            .replace("72:00:00", ("24:00:00", "48:00:00", "72:00:00")[at % 3])
        )
        kinds = (
            (text, "sbatch"),
            (MANIFEST, "yaml"),
            (text, "sbatch"),
            (TITAN, "toml"),
            (text, "sbatch"),
            (DEEPSPEED, "json"),
        )
        body, ending = kinds[at % len(kinds)]
        (folder / f"{at:04}.{ending}").write_text(body if body is text else body.format(**values), "utf-8")


def rows(folder: Path) -> list[Row]:
    """Rows on a thousand job files."""
    home = ROOT / "docs" / "jobs"
    write_jobs(folder, (home / "llama3-8b.sbatch").read_text("utf-8"), 1000)
    design = ["--design", str(home / "cluster.yaml")]
    command = [DESIGNLINT, "check", str(folder), *design, "--format", "concise", "--jobs"]
    (alone, told), (_, again) = (cpu([*command, processes]) for processes in ("1", "2"))
    what = "1000 job files against one cluster, fixes proven, CPU in all"
    same = "identical" if told == again else "DIFFERENT"
    return [(what, "goal at most 20 s", f"{alone:.1f} s"), ("the same, output", "of one process and of two", same)]
