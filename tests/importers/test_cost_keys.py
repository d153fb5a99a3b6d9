"""Keys that change memory, work, communication, ranks or storage: each is read, or stands among what is not understood."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

DEEPSPEED: dict[str, Any] = {"train_micro_batch_size_per_gpu": 2, "zero_optimization": {"stage": 3}}
TITAN = """
[model]
name = "llama3"
[training]
steps = 10
{training}
[parallelism]
tensor_parallel_degree = 2
{parallelism}
[checkpoint]
enable = true
{rest}
"""
MEGATRON = """#!/bin/bash
#SBATCH --nodes=2
srun torchrun --nproc_per_node=8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 \\
  --seq-length 4096 --pipeline-model-parallel-size 2 {}
"""
FOUNDRY = """
max_duration: 10ba
global_train_batch_size: 8
model: {name: mpt_causal_lm, d_model: 64, n_heads: 4, n_layers: 2}
fsdp_config: {sharding_strategy: FULL_SHARD, state_dict_type: full}
env_variables: {NCCL_IB_HCA: mlx5}
"""


def workload(tmp_path: Path, name: str, text: str) -> dict[str, Any]:
    """The only workload of a file."""
    [words] = plain(read(tmp_path, {name: text}).words["workloads"])
    return dict(words)


def unclear(tmp_path: Path, name: str, text: str) -> list[str]:
    """The lines of a file that are not understood."""
    [account] = read(tmp_path, {name: text}).accounts()
    return [text.splitlines()[number - 1].strip() for number in account.unclear]


def deepspeed(tmp_path: Path, **more: Any) -> dict[str, Any]:
    zero = {"stage": 3, **more.pop("zero", {})}
    return workload(tmp_path, "ds.json", json.dumps(DEEPSPEED | more | {"zero_optimization": zero}))


def test_deepspeed_groups_shares_and_formats(tmp_path: Path) -> None:
    words = deepspeed(
        tmp_path,
        zero={
            "mics_shard_size": 8, "zero_hpz_partition_size": 4, "offload_optimizer": {"device": "cpu", "ratio": 0.3}
        },
        communication_data_type="fp32", optimizer={"type": "Lion"}, torch_autocast={"enabled": True, "dtype": "bfloat16"},
    )  # fmt: skip
    split = words["parallelism"]
    assert (split["sharding_group"], split["weight_group"], split["offload_share"]) == ("8", "4", "0.3")
    assert words["precision"] == {"matmul": "bf16", "exchanged_gradient_bytes": "4 B"}
    assert words["optimizer"] == "lion"
    assert deepspeed(tmp_path, optimizer={"type": "OneBitAdam"})["optimizer"] == {"other": "OneBitAdam"}
    assert "sharding_group" not in deepspeed(tmp_path, zero={"stage": 2, "mics_shard_size": 8})["parallelism"]


def test_elastic_training_leaves_the_batch_unknown(tmp_path: Path) -> None:
    found = read(tmp_path, {"ds.json": json.dumps(DEEPSPEED | {"elasticity": {"enabled": True}})})
    assert "micro_batch" not in plain(found.words["workloads"])[0]["parallelism"]
    assert {one.word.rpartition("/")[2] for one in found.unknowns} >= {"micro_batch", "global_batch"}
    assert deepspeed(tmp_path, elasticity={"enabled": False})["parallelism"]["micro_batch"] == "2"


@pytest.mark.parametrize(
    ("key", "off", "on"),
    [
        ("amp", {"enabled": False, "opt_level": "O1"}, {"enabled": True, "opt_level": "O1"}),
        ("zero_quantized_weights", False, True),
        ("compression_training", {"a": {"enabled": False}}, {"a": {"enabled": True}}),
    ],
)
def test_a_switch_matters_only_while_it_is_on(tmp_path: Path, key: str, off: object, on: object) -> None:
    assert unclear(tmp_path, "ds.json", json.dumps(DEEPSPEED | {key: off}, indent=1)) == []
    assert unclear(tmp_path, "ds.json", json.dumps(DEEPSPEED | {key: on}, indent=1)) != []


def titan(training: str = "", parallelism: str = "", rest: str = "") -> str:
    return TITAN.format(training=training, parallelism=parallelism, rest=rest)


def test_torchtitan_groups_schedules_and_formats(tmp_path: Path) -> None:
    split = "data_parallel_shard_degree = 8\ndata_parallel_replicate_degree = 2\npipeline_parallel_degree = 2\n"
    split += 'pipeline_parallel_schedule = "Interleaved1F1B"\npipeline_parallel_microbatch_size = 2\n'
    split += 'context_parallel_degree = 2\ncontext_parallel_rotate_method = "alltoall"'
    rest = 'keep_latest_k = 3\n[optimizer]\nname = "AdamW"\n[comm]\ntrain_timeout_seconds = 300'
    words = workload(tmp_path, "a.toml", titan('dtype = "bfloat16"', split, rest))
    found = words["parallelism"]
    assert (found["sharding_group"], found["data"], found["schedule"]) == ("8", "16", "interleaved")
    assert (found["micro_batch"], found["context_method"]) == ("2", "ring")
    assert words["precision"] == {
        "weight_bytes": "2 B", "gradient_bytes": "2 B", "optimizer_bytes": "4 B", "matmul": "bf16"
    }  # fmt: skip
    assert (words["checkpoint"]["keep"], words["optimizer"]) == ("3", "adam")
    assert words["recovery"]["communication_timeout"] == "300 s"


def test_torchtitan_copies_leave_groups_of_unknown_size_unknown(tmp_path: Path) -> None:
    words = workload(tmp_path, "a.toml", titan(parallelism="data_parallel_replicate_degree = 2"))
    assert "zero_stage" not in words["parallelism"]


def test_torchtitan_fault_tolerance_is_not_passed_over(tmp_path: Path) -> None:
    assert unclear(tmp_path, "a.toml", titan(rest="[fault_tolerance]\nenable = false\ngroup_size = 2")) == []
    lines = unclear(tmp_path, "a.toml", titan(rest="[fault_tolerance]\nenable = true\ngroup_size = 2"))
    assert lines == ["enable = true", "group_size = 2"]


def megatron(tmp_path: Path, arguments: str) -> dict[str, Any]:
    return workload(tmp_path, "train.sbatch", MEGATRON.format(arguments))


def test_megatron_recomputes_some_layers(tmp_path: Path) -> None:
    full = "--recompute-granularity full --recompute-method {} --recompute-num-layers 4"
    assert megatron(tmp_path, full.format("block"))["parallelism"]["recompute_layers"] == "4"
    assert "recompute_layers" not in megatron(tmp_path, full.format("uniform"))["parallelism"]
    open_ = megatron(tmp_path, "--recompute-granularity full --recompute-method block --recompute-num-layers $LAYERS")
    assert "recompute" not in open_["parallelism"]


def test_megatron_moves_memory_and_ranks(tmp_path: Path) -> None:
    words = megatron(
        tmp_path,
        "--cpu-offloading-num-layers 8 --use-tp-pp-dp-mapping --attention-dropout 0 --hidden-dropout 0.1 "
        "--mtp-num-layers 1 --decoder-first-pipeline-num-layers 14 --max-position-embeddings 2048",
    )
    split = words["parallelism"]
    assert (split["offload"], split["offload_share"]) == ("activations", "0.25")
    assert (split["rank_order"], split["first_stage_layers"]) == ("tp-cp-ep-pp-dp", "14")
    assert words["dropout"] == "true"
    assert (words["model"]["multi_token_prediction_layers"], words["model"]["positions"]) == ("1", "2048")
    half = megatron(tmp_path, "--optimizer-cpu-offload --optimizer-offload-fraction 0.5")
    assert (half["parallelism"]["offload"], half["parallelism"]["offload_share"]) == ("optimizer", "0.5")
    assert megatron(tmp_path, "--hidden-dropout 0 --attention-dropout 0")["dropout"] == "false"
    assert "dropout" not in megatron(tmp_path, "--hidden-dropout 0")


@pytest.mark.parametrize(
    ("arguments", "recipe"),
    [
        ("--bf16 --optimizer-cpu-offload", "bf16"),
        ("--bf16 --optimizer-cpu-offload --use-precision-aware-optimizer", "bf16"),
        ("--bf16 --use-precision-aware-optimizer", None),
        ("--bf16 --optimizer-cpu-offload --exp-avg-dtype fp8", None),
        ("--fp16 --optimizer-cpu-offload", None),
    ],
)
def test_megatron_keeps_the_same_state_on_cpus(arguments: str, recipe: str | None, tmp_path: Path) -> None:
    assert megatron(tmp_path, arguments)["precision"].get("model") == recipe


def test_deepspeed_state_that_is_moved(tmp_path: Path) -> None:
    def costs(part: str, device: str = "cpu", **more: Any) -> dict[str, str]:
        words = deepspeed(tmp_path, **{"bf16": {"enabled": True}, "zero": {part: {"device": device}}} | more)
        assert words["parallelism"]["offload_to"] == device
        return {name: text for name, text in words["precision"].items() if name != "matmul"}

    adam: dict[str, Any] = {"optimizer": {"type": "AdamW"}}
    assert costs("offload_optimizer", **adam) == {"optimizer_bytes": "12 B", "moment_bytes": "4 B"}
    assert costs("offload_optimizer") == {}
    assert costs("offload_param", "nvme") == {"weight_bytes": "2 B"}
    assert costs("offload_optimizer", bf16={"enabled": True, "bf16_optimizer_states": True}, **adam) == {}


def test_llm_foundry_optimizer_checkpoint_and_environment(tmp_path: Path) -> None:
    more = "optimizer: {name: decoupled_lionw}\ndist_timeout: 600.0\ntp_config: {tensor_parallel_degree: 2}\n"
    words = workload(tmp_path, "a.yaml", FOUNDRY + more)
    assert (words["optimizer"], words["checkpoint"]["sharded"]) == ("lion", "false")
    assert words["recovery"]["communication_timeout"] == "600 s"
    assert (words["parallelism"]["tensor"], words["environment"]["nccl_ib_hca"]) == ("2", "mlx5")
    assert unclear(tmp_path, "a.yaml", FOUNDRY + "save_weights_only: true\n") == ["save_weights_only: true"]
    assert unclear(tmp_path, "a.yaml", FOUNDRY + "save_weights_only: false\n") == []


def test_torchtitan_splits_the_sequence_with_tensors_and_says_what_is_compiled(tmp_path: Path) -> None:
    words = workload(tmp_path, "titan.toml", titan(rest="[compile]\nenable = true"))
    assert (words["parallelism"]["sequence_parallel"], words["compiled"]) == ("true", "true")
    alone = titan().replace("tensor_parallel_degree = 2", "tensor_parallel_degree = 1")
    assert "sequence_parallel" not in workload(tmp_path, "titan.toml", alone)["parallelism"]


def test_deepspeed_splits_experts_where_that_is_on(tmp_path: Path) -> None:
    split = {"enabled": True, "autoep_size": 4}
    words = workload(tmp_path, "ds.json", json.dumps(DEEPSPEED | {"expert_parallel": split}))
    assert words["parallelism"]["expert"] == "4"
    off = workload(tmp_path, "ds.json", json.dumps(DEEPSPEED | {"expert_parallel": split | {"enabled": False}}))
    assert "expert" not in off["parallelism"]
