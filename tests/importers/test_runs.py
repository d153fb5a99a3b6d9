"""Runs that other tools start: Ray's and Kubeflow Trainer's jobs, schedules of jobs, experiments of Primus, runs of mcli."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.design import jobs
from designlint.linting.jobs import JobCluster
from designlint.reading import read_bytes
from tests.importers.helpers import at, place, plain, read

if TYPE_CHECKING:
    from pathlib import Path

GPUS = "resources: {limits: {nvidia.com/gpu: 8}}"
RAY = f"""apiVersion: ray.io/v1
kind: RayJob
metadata:
  name: tune
  labels: {{kueue.x-k8s.io/queue-name: team-a}}
spec:
  entrypoint: python -m trainer
  rayClusterSpec:
    enableInTreeAutoscaling: true
    headGroupSpec:
      template: {{spec: {{containers: [{{name: head, image: ray:2.46}}]}}}}
    workerGroupSpecs:
      - groupName: gpu
        replicas: 3
        minReplicas: 2
        maxReplicas: 6
        numOfHosts: 2
        template: {{spec: {{containers: [{{name: worker, image: ray-gpu:2.46, {GPUS}}}]}}}}
"""


def test_workers_of_ray_are_its_groups_with_gpus_times_their_hosts(tmp_path: Path) -> None:
    found = read(tmp_path, {"ray.yaml": RAY})
    job = plain(found.words["workloads"])[0]["job"]
    assert (job["workers"], job["gpus_per_worker"], job["queue"]) == ("6", "8", "team-a")
    assert (job["minimum_workers"], job["maximum_workers"], job["image"]) == ("2", "6", "ray-gpu:2.46")
    assert at(found, "workloads/0/runs_on/gpus").text == "48"


def test_a_cluster_of_ray_that_does_not_scale_has_no_other_sizes(tmp_path: Path) -> None:
    text = RAY.replace("RayJob", "RayCluster").replace("    enableInTreeAutoscaling: true\n", "")
    text = text.replace("  entrypoint: python -m trainer\n  rayClusterSpec:\n", "").replace("\n    ", "\n  ")
    job = plain(read(tmp_path, {"ray.yaml": text}).words["workloads"])[0]["job"]
    assert job["workers"] == "6"
    assert "minimum_workers" not in job


@pytest.mark.parametrize(
    ("version", "spec"),
    [
        ("batch/v1", f"parallelism: 4\n      template: {{spec: {{containers: [{{name: a, {GPUS}}}]}}}}"),
        (
            "batch.volcano.sh/v1alpha1",
            f"tasks: [{{name: a, replicas: 4, template: {{spec: {{containers: [{{name: a, {GPUS}}}]}}}}}}]",
        ),
    ],
)
def test_a_job_on_a_schedule_is_the_job_of_its_template(version: str, spec: str, tmp_path: Path) -> None:
    labels = "labels: {kueue.x-k8s.io/queue-name: nights}"
    text = f"apiVersion: {version}\nkind: CronJob\nmetadata:\n  name: nightly\n  {labels}\nspec:\n"
    text += f'  schedule: "0 2 * * *"\n  jobTemplate:\n    spec:\n      {spec}\n'
    found = read(tmp_path, {"cron.yaml": text})
    job = plain(found.words["workloads"])[0]["job"]
    assert (job["workers"], job["gpus_per_worker"], job["queue"]) == ("4", "8", "nights")
    assert not found.accounts()[0].partial


def test_a_train_job_says_what_it_starts(tmp_path: Path) -> None:
    text = (
        "# eksctl create cluster -f eks.yaml  # apiVersion: eksctl.io/v1alpha5\n"
        "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: pretrain}\nspec:\n"
        "  runtimeRef: {name: torch-distributed}\n  trainer:\n    numNodes: 4\n    image: mcore:1\n"
        "    command: [torchrun, pretrain_gpt.py, --tensor-model-parallel-size, '8']\n"
        "    env: [{name: NCCL_IB_TC, value: '106'}]\n"
        "    resourcesPerNode: {limits: {nvidia.com/gpu: 8}}\n"
    )
    found = read(tmp_path, {"train.yaml": text})
    assert found.formats == {"train.yaml": "kubernetes"}
    assert place(at(found, "workloads/0/parallelism/tensor")) == ("train.yaml", 10, "'8'")
    assert at(found, "workloads/0/environment/nccl_ib_tc").text == "106"
    assert at(found, "workloads/0/job/image").text == "mcore:1"


PRIMUS = """work_group: ${PRIMUS_TEAM:amd}
exp_name: pretrain
modules:
  pre_trainer:
    framework: megatron
    config: pre_trainer.yaml
    model: llama3.1_405B.yaml
    overrides:
      micro_batch_size: 1
      global_batch_size: 256
      tensor_model_parallel_size: ${PRIMUS_TP:8}
      pipeline_model_parallel_size: ${PRIMUS_PP}
      hidden_size: 2880
      num_attention_heads: 64
      save: null
      save_interval: 20000
"""


def test_overrides_of_primus_are_megatrons_and_their_defaults_are_the_files_own(tmp_path: Path) -> None:
    found = read(tmp_path, {"primus.yaml": PRIMUS})
    assert at(found, "workloads/0/parallelism/global_batch").text == "256"
    tensor = at(found, "workloads/0/parallelism/tensor")
    assert (tensor.text, tensor.how.value) == ("8", "default")
    workload = plain(found.words["workloads"])[0]
    assert "pipeline" not in workload["parallelism"]  # PRIMUS_PP alone decides
    assert workload["checkpoint"] == {"mode": "none"}
    assert "heads" not in workload["model"]  # their width stands in the model's file
    assert "context" not in workload["parallelism"]  # Megatron's defaults are not those of Primus


def of_primus(framework: str, overrides: str) -> str:
    """An experiment of Primus with a framework."""
    head = "exp_name: ${PRIMUS_EXP_NAME:trial}\nmodules:\n  pre_trainer:\n"
    return f"{head}    framework: {framework}\n    model: llama.yaml\n    overrides:\n{overrides}"


def test_overrides_of_primus_are_torchtitans_sections_and_their_silence_is_not_its_defaults(tmp_path: Path) -> None:
    overrides = (
        "      training:\n        local_batch_size: 2\n        seq_len: 8192\n        steps: ${STEPS:50}\n"
        "      parallelism: {tensor_parallel_degree: 8, pipeline_parallel_degree: 1, data_parallel_shard_degree: -1}\n"
        "      activation_checkpoint: {mode: full}\n"
    )
    found = read(tmp_path, {"primus.yaml": of_primus("torchtitan", overrides)})
    assert plain(found.words["workloads"])[0] == {
        "name": "trial",
        "framework": "torchtitan",
        "parallelism": {
            "tensor": "8", "pipeline": "1", "zero_stage": "3", "micro_batch": "2", "recompute": "full",
        },
        "model": {"sequence": "8192"},
        "targets": {"steps": "50"},
    }  # fmt: skip
    silent = read(tmp_path, {"primus.yaml": of_primus("torchtitan", "      training: {seq_len: 8192}\n")})
    assert set(plain(silent.words["workloads"])[0]) == {"name", "framework", "model"}
    assert [(one.word, one.why) for one in silent.unknowns] == [
        ("workloads/model", "llama.yaml states it in a file of Primus that is not here")
    ]


def test_overrides_of_primus_are_maxtexts_keys(tmp_path: Path) -> None:
    overrides = (
        "      max_target_length: 4096\n      ici_tensor_parallelism: 4\n      dcn_tensor_parallelism: 2\n"
        "      enable_checkpointing: false\n      remat_policy: full\n"
    )
    found = read(tmp_path, {"primus.yaml": of_primus("maxtext", overrides)})
    workload = plain(found.words["workloads"])[0]
    assert (workload["framework"], workload["model"]["sequence"]) == ("jax", "4096")
    assert workload["parallelism"] == {"tensor": "8", "recompute": "full"}
    assert workload["checkpoint"] == {"mode": "none"}


def test_a_run_of_mcli_holds_a_configuration_of_llm_foundry(tmp_path: Path) -> None:
    text = (
        "name: finetune\nimage: mosaicml/llm-foundry:2.7.0_cu128-latest\ncompute: {gpus: 16}\n"
        "command: composer train.py /mnt/config/parameters.yaml\nparameters:\n"
        "  variables: {global: 64}\n  max_duration: 100ba\n  global_train_batch_size: ${variables.global}\n"
        "  fsdp_config: {sharding_strategy: FULL_SHARD}\n"
    )
    found = read(tmp_path, {"run.yaml": text})
    assert at(found, "workloads/0/parallelism/global_batch").text == "64"
    assert at(found, "workloads/0/runs_on/gpus").text == "16"
    assert at(found, "workloads/0/targets/steps").text == "100"
    assert not found.accounts()[0].partial


def test_nemo_saves_after_each_validation_where_nothing_else_says_when(tmp_path: Path) -> None:
    def interval(callback: str, every: str = "2000", batches: str = "50") -> object:
        text = "trainer: {devices: 8, num_nodes: 1, max_steps: 9000, "
        text += f"val_check_interval: {every}, limit_val_batches: {batches}}}\n"
        text += f"exp_manager: {{create_checkpoint_callback: true, checkpoint_callback_params: {{{callback}}}}}\n"
        text += "model: {tensor_model_parallel_size: 1, micro_batch_size: 1}\n"
        return (
            plain(read(tmp_path, {"nemo.yaml": text}).words["workloads"])[0].get("checkpoint", {}).get("interval_steps")
        )

    assert interval("save_top_k: 2") == "2000"
    assert interval("every_n_train_steps: 500") == "500"
    assert interval("every_n_epochs: 1") is None
    assert interval("save_top_k: 2", every="0.5") is None  # a share of an epoch
    assert interval("save_top_k: 2", batches="0") is None


def test_a_pod_that_no_server_holds_is_found_where_it_asks(tmp_path: Path) -> None:
    text = "designlint: 1\nnodes: [{name: gpu, gpus: 8, count: 4, cpu_threads: 224, host_memory: 2 TB}]\n"
    bench = JobCluster(read_bytes(text.encode(), "cluster.yaml"), engine.shipped_engine())

    def found(resources: str) -> set[tuple[str, int]]:
        path = tmp_path / "job.yaml"
        path.write_text(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {name: big}\nspec:\n  template:\n    spec:\n      containers:\n"
            f"        - name: a\n          resources:\n            limits:\n{resources}",
            "utf-8",
        )
        findings = bench.report(jobs.read_job_file(path, "job.yaml", bench.cluster, {}), named=False).findings
        return {(one.rule, one.location.line) for one in findings if "than-the-server" in one.rule}

    gpus = "              nvidia.com/gpu: 8\n"
    large = "              cpu: 512\n              memory: 4Ti\n"
    assert found(gpus + large) == {
        ("scheduling/more-cpus-than-the-server", 12),
        ("scheduling/more-memory-than-the-server", 13),
    }
    assert found(gpus + "              cpu: 200\n              memory: 1900G\n") == set()
    assert found(large) == set()  # without GPUs it may run on other servers


def test_variables_of_a_ray_job_stand_in_a_text(tmp_path: Path) -> None:
    text = RAY.replace(
        "  rayClusterSpec", '  runtimeEnvYAML: |\n    env_vars:\n      NCCL_CROSS_NIC: "0"\n  rayClusterSpec', 1
    )
    value = at(read(tmp_path, {"ray.yaml": text}), "workloads/0/environment/nccl_cross_nic")
    assert (value.text, place(value)[1]) == ("0", 10)
