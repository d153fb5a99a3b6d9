"""Jobs against a cluster: which files are judged, what belongs to them, where it stands, what a run says besides."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.running import designlint as run

if TYPE_CHECKING:
    from pathlib import Path

CLUSTER = """\
designlint: 1
name: hawk
nodes:
  - {name: train, model: dgx-h100, count: 4, networks: [{fabric: compute, ports: 8}]}
fabrics:
  - {name: compute, purpose: compute, technology: infiniband-ndr, speed: 400 Gbit/s}
scheduler:
  kind: slurm
  partitions:
    - {name: gpu, nodes: train, walltime_limit: 48 h}
workloads:
  - {name: planned, parallelism: {tensor: 3}}
"""
SBATCH = """\
#!/bin/bash
#SBATCH --job-name=llama
#SBATCH --nodes=2
#SBATCH --gpus-per-node=8
#SBATCH --partition=gpu
#SBATCH --time=24:00:00
srun torchrun --nnodes 2 --nproc_per_node 8 --rdzv-backend c10d --rdzv-endpoint $(hostname) pretrain_gpt.py \\
    --tensor-model-parallel-size 16 --pipeline-model-parallel-size 1 --context-parallel-size 1 \\
    --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 --micro-batch-size 1 \\
    --global-batch-size 64 --save /ckpt --save-interval 500 --train-iters 10000 --bf16
"""
MANIFEST = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: fsdp}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 64
      template:
        spec:
          containers:
            - name: pytorch
              image: nvcr.io/nvidia/pytorch:25.01-py3
              resources: {limits: {nvidia.com/gpu: 8}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "llama.sbatch").write_text(SBATCH)
    (tmp_path / "jobs" / "fsdp.yaml").write_text(MANIFEST)
    (tmp_path / "jobs" / "notes.md").write_text("# notes\n")
    return tmp_path


def found(*arguments: str, cwd: Path) -> set[tuple[str, str, int]]:
    """Rule, file and line of each finding that counts as an error or a warning."""
    listed = run("check", *arguments, "--format", "json", cwd=cwd).data["findings"]
    return {
        (one["rule"], one["location"]["file"], one["location"]["line"]) for one in listed if one["severity"] != "info"
    }


def test_every_job_of_a_folder_is_judged_at_its_own_lines(folder: Path) -> None:
    done = run("check", "jobs", "--design", "cluster.yaml", cwd=folder)
    assert done.code == 1
    assert found("jobs", "--design", "cluster.yaml", cwd=folder) == {
        ("parallelism/tensor-beyond-scale-up-domain", "jobs/llama.sbatch", 8),
        ("parallelism/more-gpus-than-the-pool", "jobs/fsdp.yaml", 13),
        ("scheduling/other-scheduler", "jobs/fsdp.yaml", 2),
    }


def test_what_the_cluster_draws_by_itself_is_counted_and_not_shown(folder: Path) -> None:
    (folder / "cluster.yaml").write_text(CLUSTER + "software: {environment: {nccl_socket_ifname: lo}}\n")
    done = run("check", "jobs", "--design", "cluster.yaml", cwd=folder)
    alone = run("check", "cluster.yaml", "--format", "json", cwd=folder).data["findings"]
    assert "on the cluster alone not shown; `designlint check cluster.yaml` shows them" in done.out
    assert any(one["rule"].startswith("parallelism/") for one in alone), "the planned workload is at fault"
    assert "planned" not in done.out


def test_a_configuration_names_jobs_and_their_cluster(folder: Path) -> None:
    (folder / "designlint.toml").write_text('[jobs]\ndesign = "cluster.yaml"\nfiles = ["jobs/**/*.sbatch"]\n')
    places = {one[1] for one in found("--designs-only", cwd=folder)}
    assert places == {"cluster.yaml", "jobs/llama.sbatch"}
    assert {one[1] for one in found("jobs/llama.sbatch", cwd=folder)} == {"jobs/llama.sbatch"}
    shown = run("config", "show", "jobs/llama.sbatch", "--origin", cwd=folder).out
    assert "jobs.files" in shown
    assert "designlint.toml:1" in shown


def test_a_configured_script_that_cannot_be_read_ends_the_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "designlint.toml").write_text('[jobs]\ndesign = "cluster.yaml"\nfiles = ["jobs/*"]\n')
    monkeypatch.setattr("designlint.importers.shell.syntax.is_installed", lambda: False)
    done = run("check", "--designs-only", cwd=folder)
    assert (done.code, "install `designlint[jobs]`" in done.err) == (2, True)


def test_a_wrong_table_of_jobs_is_told_with_its_line(folder: Path) -> None:
    (folder / "designlint.toml").write_text('[jobs]\ndesign = "nowhere.yaml"\nfiles = ["*.sbatch"]\n')
    done = run("check", ".", cwd=folder)
    assert done.code == 2
    assert "designlint.toml:2: `nowhere.yaml` is not an existing file" in done.err
    (folder / "designlint.toml").write_text('[jobs]\ndesign = "cluster.yaml"\n')
    assert "designlint.toml:1: jobs name their files" in run("check", ".", cwd=folder).err


def test_without_a_cluster_only_what_a_file_says_by_itself_is_judged(folder: Path) -> None:
    done = run("check", "jobs/fsdp.yaml", cwd=folder)
    assert done.code == 0
    assert "No cluster: job files are checked on their own" in done.out


def test_a_size_of_the_submit_line_is_unknown_until_it_is_set(folder: Path) -> None:
    text = SBATCH.replace("#SBATCH --nodes=2\n", "").replace("--nnodes 2", "--nnodes $SLURM_NNODES")
    (folder / "jobs" / "llama.sbatch").write_text(text)
    done = run("check", "jobs/llama.sbatch", "--design", "cluster.yaml", cwd=folder)
    assert "jobs/llama.sbatch leaves open: " in done.out
    assert "designlint check --set nodes=N" in done.out
    assert "more-gpus-than-the-pool" not in done.out
    done = run("check", "jobs/llama.sbatch", "--design", "cluster.yaml", "--set", "nodes=64", cwd=folder)
    assert "llama requests 512 GPUs; its pool has 32 in service" in done.out


def test_variables_of_a_job_hold_instead_of_those_of_the_cluster(folder: Path) -> None:
    (folder / "cluster.yaml").write_text(CLUSTER + "software: {environment: {nccl_socket_ifname: lo}}\n")
    assert "nccl-on-local-interface" not in run("check", "jobs", "--design", "cluster.yaml", cwd=folder).out
    (folder / "jobs" / "llama.sbatch").write_text(SBATCH.replace("srun", "export NCCL_SOCKET_IFNAME=docker0\nsrun", 1))
    assert ("software/nccl-on-local-interface", "jobs/llama.sbatch", 7) in found(
        "jobs", "--design", "cluster.yaml", cwd=folder
    )


def test_the_pool_of_a_job_is_that_of_its_partition(folder: Path) -> None:
    more = CLUSTER.replace("nodes:\n", "nodes:\n  - {name: small, model: dgx-h100, count: 1}\n", 1).replace(
        "partitions:\n", "partitions:\n    - {name: test, nodes: small}\n"
    )
    (folder / "cluster.yaml").write_text(more)
    (folder / "jobs" / "llama.sbatch").write_text(SBATCH.replace("partition=gpu", "partition=test"))
    done = run("check", "jobs/llama.sbatch", "--design", "cluster.yaml", cwd=folder)
    assert "llama requests 16 GPUs; its pool has 8 in service" in done.out


def test_what_is_no_job_is_told_where_it_is_met_and_a_fault_where_it_is_named(folder: Path) -> None:
    (folder / "jobs" / "setup.sh").write_text("#!/bin/bash\nmkdir -p /scratch\n")
    (folder / "jobs" / "chart.yaml").write_text(MANIFEST.replace("64", "{{ .Values.workers }}"))
    (folder / "jobs" / "config.json").write_text(
        '{"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096}'
    )
    done = run("check", "jobs", "--design", "cluster.yaml", cwd=folder)
    assert "Not checked: jobs/setup.sh: it starts no job" in done.out
    assert "Not checked: jobs/chart.yaml: " in done.out
    assert "helm template" in done.out
    assert "Not checked: jobs/config.json: it is not a job (" in done.out
    assert run("check", "jobs/setup.sh", "--design", "cluster.yaml", cwd=folder).code == 1
    assert run("check", "cluster.yaml", "--design", "nowhere.yaml", cwd=folder).code == 2


def test_a_broken_cluster_ends_the_run(folder: Path) -> None:
    (folder / "cluster.yaml").write_text("designlint: 1\nnodes: [\n")
    done = run("check", "jobs", "--design", "cluster.yaml", cwd=folder)
    assert done.code == 2
    assert "the design of the cluster is broken; `designlint check cluster.yaml` says where" in done.err


def test_all_processes_and_formats_say_the_same(folder: Path) -> None:
    for form in ("github", "junit", "gitlab", "csv", "markdown", "turtle", "concise"):
        assert run("check", "jobs", "--design", "cluster.yaml", "--format", form, cwd=folder).code == 1
    for number in range(20):
        (folder / "jobs" / f"copy{number}.sbatch").write_text(SBATCH)
    one = run("check", "jobs", "--design", "cluster.yaml", "--format", "json", "--jobs", "1", cwd=folder)
    two = run("check", "jobs", "--design", "cluster.yaml", "--format", "json", "--jobs", "2", cwd=folder)
    assert one.data == two.data
    sarif = json.loads(run("check", "jobs", "--design", "cluster.yaml", "--format", "sarif", cwd=folder).out)
    places = {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in sarif["runs"][0]["results"]}
    assert "jobs/llama.sbatch" in places


def test_a_baseline_and_a_waiver_hold_for_jobs(folder: Path) -> None:
    assert run("baseline", "create", "jobs", "--design", "cluster.yaml", cwd=folder).code == 0
    assert run("check", "jobs", "--design", "cluster.yaml", cwd=folder).code == 0
    (folder / "designlint-baseline.json").unlink()
    reason = '# designlint: ignore[parallelism/tensor-beyond-scale-up-domain] reason="a test over two servers"\n'
    waived = SBATCH.replace("srun torchrun", reason + "srun torchrun --x", 1).replace(
        " \\\n    --tensor-model-parallel-size 16", " --tensor-model-parallel-size 16"
    )
    (folder / "jobs" / "llama.sbatch").write_text(waived)
    done = run("check", "jobs/llama.sbatch", "--design", "cluster.yaml", cwd=folder)
    assert done.code == 0
    assert "1 waived" in done.out


def test_a_file_that_another_job_reads_is_judged_with_it(folder: Path) -> None:
    (folder / "jobs" / "common.sh").write_text("#!/bin/bash\nexport TP=4\nexport DGXNNODES=2\n")
    (folder / "jobs" / "llama.sbatch").write_text(
        SBATCH.replace("srun", "source common.sh\nsrun", 1).replace("parallel-size 16", "parallel-size $TP", 1)
    )
    report = run("check", "jobs", "--design", "cluster.yaml", "--format", "json", cwd=folder).data
    assert "jobs/common.sh" not in [one["file"] for one in report.get("designs", [])]
    assert not any(one[1] == "jobs/llama.sbatch" for one in found("jobs", "--design", "cluster.yaml", cwd=folder))


def test_a_variable_of_the_job_that_does_not_suit_a_part_of_the_cluster_stands_in_the_job(tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    text = SBATCH.replace("srun", "export NCCL_IB_HCA=mlx5_0,mlx5_1\nsrun", 1).replace("size 16", "size 8")
    (tmp_path / "llama.sbatch").write_text(text)
    check = ("check", "llama.sbatch", "--design", "cluster.yaml", "--format", "concise")
    told = "llama.sbatch:7:20: warning[software/nccl-adapters-miscounted] NCCL_IB_HCA lists 2 adapters"
    assert told in run(*check, cwd=tmp_path).out
    (tmp_path / "cluster.yaml").write_text(CLUSTER + "software: {environment: {nccl_ib_hca: mlx5_0}}\n")
    (tmp_path / "llama.sbatch").write_text(SBATCH)
    assert "nccl-adapters-miscounted" not in run(*check, cwd=tmp_path).out


def test_the_cuda_release_of_a_jobs_image_holds_instead_of_that_of_the_cluster(tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text(
        'designlint: 1\nnodes: [{name: train, gpu: b200-sxm, gpus: 8, count: 4}]\nsoftware: {cuda: "12.8"}\n'
    )
    for release in ("12.8.1", "12.1.0"):
        header = "#!/bin/bash\n#SBATCH --nodes=2 --gpus-per-node=8 --time=1:00:00\n"
        header += f"#SBATCH --container-image=nvidia/cuda:{release}-devel\n"
        (tmp_path / f"{release}.sbatch").write_text(header + "srun torchrun train.py\n")
    drawn = found("12.8.1.sbatch", "12.1.0.sbatch", "--design", "cluster.yaml", cwd=tmp_path)
    assert {one for one in drawn if one[0] == "software/cuda-older-than-gpu"} == {
        ("software/cuda-older-than-gpu", "12.1.0.sbatch", 3)
    }


def test_libraries_of_the_cluster_are_not_held_against_the_cuda_release_of_an_image(tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text(
        "designlint: 1\nnodes: [{name: train, model: dgx-h100, count: 4}]\n"
        'software: {cuda: "12.8", nccl: "2.26", cudnn: "9.7", driver: "570.124"}\n'
    )
    header = "#!/bin/bash\n#SBATCH --nodes=2 --gpus-per-node=8 --time=1:00:00\n"
    header += "#SBATCH --container-image=nvidia/cuda:13.0.1-devel\n"
    (tmp_path / "new.sbatch").write_text(header + "srun torchrun train.py\n")
    rules = {one[0] for one in found("new.sbatch", "--design", "cluster.yaml", cwd=tmp_path)}
    assert "software/driver-older-than-cuda" in rules  # the driver is the server's
    assert rules.isdisjoint({"software/nccl-older-than-cuda", "software/cudnn-older-than-cuda"})


@pytest.mark.parametrize(
    ("script", "batch", "judged"), [("main.py", 256, True), ("main.py", 0, False), ("generate.py", 256, False)]
)
def test_a_trainer_of_an_unknown_kind_is_judged_as_one_that_trains(
    script: str, batch: int, judged: bool, tmp_path: Path
) -> None:
    stated = f"--global-batch-size {batch}" if batch else ""
    text = (
        f"torchrun --nproc_per_node 8 {script} --expert-model-parallel-size 8 --num-experts 20 --num-layers 2 {stated}"
    )
    (tmp_path / "job.sh").write_text(f"#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --gpus-per-node=8\nsrun {text}\n")
    shown = ("parallelism/experts-not-dividing-by-degree", "job.sh", 4) in found("job.sh", cwd=tmp_path)
    assert shown == judged


def test_a_script_that_only_reads_the_data_has_no_widths(tmp_path: Path) -> None:
    sizes = "--num-layers 1 --hidden-size 1 --num-attention-heads 1 --seq-length 2048 --max-position-embeddings 2048"
    (tmp_path / "analyze.sh").write_text(f"#!/bin/bash\ntorchrun --nproc_per_node 8 analyze_data.py {sizes}\n")
    done = run("check", "analyze.sh", "--format", "concise", cwd=tmp_path)
    assert "unaligned" not in done.out


OFFLOADED = """\
#!/bin/bash
#SBATCH --nodes={}
#SBATCH --gpus-per-node=8
srun deepspeed pretrain_gpt.py --deepspeed --deepspeed_config ds.json --num-layers 96 --hidden-size 12288 \\
  --num-attention-heads 96 --seq-length 2048 --micro-batch-size 1 --global-batch-size 64 --train-iters 1000 --bf16
"""


@pytest.mark.parametrize(
    ("servers", "device", "is_too_much"), [(1, "cpu", True), (2, "cpu", False), (1, "nvme", False)]
)
def test_state_that_a_job_offloads_beyond_the_memory_of_its_servers(
    servers: int, device: str, is_too_much: bool, tmp_path: Path
) -> None:
    """The layers' 174e9 parameters at 12 B are 2.09 TB; a DGX H100 has 2 TB. Drives are no CPU memory."""
    zero = {"stage": 2, "offload_optimizer": {"device": device}}
    config = {"bf16": {"enabled": True}, "optimizer": {"type": "AdamW"}, "zero_optimization": zero}
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    (tmp_path / "ds.json").write_text(json.dumps(config))
    (tmp_path / "train.sbatch").write_text(OFFLOADED.format(servers))
    listed = run("check", "train.sbatch", "--design", "cluster.yaml", "--format", "json", cwd=tmp_path).data["findings"]
    assert ("memory/offload-beyond-host" in [one["rule"] for one in listed]) is is_too_much
