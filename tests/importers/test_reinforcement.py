"""Jobs that generate what they train on: which arguments are of the trained model, and which of the generating one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

EASY = "python3 -m verl.trainer.main worker.actor.optim.lr=1e-6 trainer.nnodes=2 trainer.n_gpus_per_node=8"
VERL = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.tensor_model_parallel_size=4"
SLIME = "python3 train.py --tensor-model-parallel-size 2 --actor-num-nodes 1 --actor-num-gpus-per-node 4"


def job(tmp_path: Path, command: str, head: str = "") -> dict[str, Any]:
    pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")
    (words,) = plain(read(tmp_path, {"run.sh": f"{head}{command}\n"}).words["workloads"])
    found: dict[str, Any] = words
    return found


def test_the_degree_of_the_generating_model_is_not_that_of_the_trained_one(tmp_path: Path) -> None:
    found = job(tmp_path, f"{EASY} worker.rollout.tensor_parallel_size=8")
    assert "parallelism" not in found
    assert (found["kind"], found["reinforcement"]) == (
        "reinforcement-learning",
        {"rollout_tensor": "8", "rollout_gpus": "16"},
    )
    assert found["runs_on"] == {"gpus": "16"}
    found = job(tmp_path, f"{VERL} actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2")
    assert (found["parallelism"]["tensor"], found["reinforcement"]["rollout_tensor"]) == ("2", "4")


def test_what_verl_calls_otherwise(tmp_path: Path) -> None:
    found = job(
        tmp_path,
        f"{VERL} actor_rollout_ref.model.enable_gradient_checkpointing=True trainer.save_freq=20 critic.save_freq=9",
    )
    assert (found["parallelism"]["recompute"], found["checkpoint"]["interval_steps"]) == ("full", "20")


def test_slime_counts_gpus_of_a_job_that_trains_and_generates_on_the_same_ones(tmp_path: Path) -> None:
    found = job(tmp_path, f"{SLIME} --rollout-num-gpus-per-engine 4 --colocate ${{MODEL_ARGS[@]}}")
    assert (found["runs_on"]["gpus"], found["parallelism"]["tensor"], found["reinforcement"]["rollout_tensor"]) == (
        "4",
        "2",
        "4",
    )
    assert "runs_on" not in job(tmp_path, f"{SLIME} --rollout-num-gpus 8 --rollout-num-gpus-per-engine 4")


def test_a_script_without_a_header_is_known_by_what_it_starts(tmp_path: Path) -> None:
    assert job(tmp_path, VERL, "set -x\n")["reinforcement"] == {"rollout_tensor": "4"}


@pytest.mark.parametrize(("stage", "moved"), [("2", "optimizer"), ("3", "weights")])
def test_only_the_third_stage_of_deepspeed_moves_weights(tmp_path: Path, stage: str, moved: str) -> None:
    text = (
        f'{{"zero_optimization": {{"stage": {stage}, "offload_param": {{"device": "cpu"}}, '
        '"offload_optimizer": {"device": "cpu"}}}'
    )
    (words,) = plain(read(tmp_path, {"ds.json": text}).words["workloads"])
    assert words["parallelism"]["offload"] == moved


RAY = """
apiVersion: ray.io/v1
kind: RayJob
metadata: {name: a}
spec:
  entrypoint: python -m verl.trainer.main_ppo actor_rollout_ref.rollout.tensor_model_parallel_size=2 trainer.nnodes=2
  rayClusterSpec:
    headGroupSpec: {template: &pod {spec: {containers: [{name: h, image: x, resources: {limits: {nvidia.com/gpu: 8}}}]}}}
    workerGroupSpecs: [{replicas: 1, groupName: g, template: *pod}]
"""


def test_a_job_of_ray_that_starts_verl_in_its_pods(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")
    (found,) = plain(read(tmp_path, {"ray.yaml": RAY}).words["workloads"])
    assert (found["runs_on"]["gpus"], found["reinforcement"]) == ("16", {"rollout_tensor": "2"})
    assert "parallelism" not in found


def test_actors_that_share_sequences_and_programs_that_check_for_themselves(tmp_path: Path) -> None:
    batches = "data.train_batch_size=64 actor_rollout_ref.actor.ppo_mini_batch_size=128"
    command = f"{VERL} {batches} actor_rollout_ref.actor.ulysses_sequence_parallel_size=8"
    assert job(tmp_path, command)["parallelism"]["context"] == "8"
    for module, faults in (("verl.trainer.main_ppo", 1), ("mine.main_ppo", 0)):
        found = read(tmp_path, {"run.sh": f"{command.replace('verl.trainer.main_ppo', module)}\n"})
        assert len(found.clashes) == faults, module
