"""Keys that only axolotl and LLaMA-Factory have: ranks, batches, FSDP in one line, what is recomputed and fused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

AXOLOTL = "base_model: Qwen/Qwen3-8B\nsequence_len: 4096\nmicro_batch_size: 2\n"
FACTORY = (
    "model_name_or_path: meta-llama/Llama-3.1-8B\nstage: sft\nfinetuning_type: full\ncutoff_len: 8192\n"
    "per_device_train_batch_size: 1\n"
)


def words(folder: Path, text: str) -> dict[str, Any]:
    (workload,) = plain(read(folder, {"train.yaml": text}).words["workloads"])
    return dict(workload)


def test_axolotl_counts_shards_and_copies(tmp_path: Path) -> None:
    split = words(tmp_path, AXOLOTL + "dp_shard_size: 4\ndp_replicate_size: 2\ntensor_parallel_size: 2\n")[
        "parallelism"
    ]
    assert (split["data"], split["sharding_group"], split["tensor"]) == ("8", "4", "2")
    alone = words(tmp_path, AXOLOTL + "dp_shard_size: 16\n")["parallelism"]
    assert (alone["data"], alone.get("sharding_group")) == ("16", None)
    beside = words(tmp_path, AXOLOTL + "dp_shard_size: 2\nexpert_parallel_size: 2\n")["parallelism"]
    assert "data" not in beside


def test_axolotls_batch_is_of_several_steps(tmp_path: Path) -> None:
    assert words(tmp_path, AXOLOTL + "batch_size: 8\n")["parallelism"]["gradient_accumulation"] == "4"


@pytest.mark.parametrize(("key", "form"), [("float16", "fp16"), ("bfloat16", "bf16")])
def test_axolotl_may_train_in_sixteen_bits_alone(tmp_path: Path, key: str, form: str) -> None:
    assert words(tmp_path, f"{AXOLOTL}bf16: false\n{key}: true\n")["precision"]["matmul"] == form


@pytest.mark.parametrize(("switch", "fused"), [("", "true"), ("cut_cross_entropy: false\n", None)])
def test_a_plug_in_fuses_the_loss(tmp_path: Path, switch: str, fused: str | None) -> None:
    plug_in = "plugins:\n  - axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin\n"
    assert words(tmp_path, AXOLOTL + plug_in + switch).get("fused_loss") == fused


@pytest.mark.parametrize(
    ("lines", "stage", "moved"),
    [
        ("fsdp:\n  - full_shard\n  - auto_wrap\n", "3", None),
        ("fsdp: shard_grad_op auto_wrap offload\n", "2", "weights"),
        ("fsdp: hybrid_shard\n", "3", None),
        ("fsdp: [auto_wrap]\n", None, None),
    ],
)
def test_fsdp_stands_in_a_list_or_a_line(tmp_path: Path, lines: str, stage: str | None, moved: str | None) -> None:
    split = words(tmp_path, FACTORY + lines)["parallelism"]
    assert (split.get("zero_stage"), split.get("offload")) == (stage, moved)


@pytest.mark.parametrize(
    ("switch", "kind"),
    [
        ("", "full"),
        ("disable_gradient_checkpointing: false\n", "full"),
        ("disable_gradient_checkpointing: true\n", "none"),
    ],
)
def test_llama_factory_recomputes_unless_it_is_told_otherwise(tmp_path: Path, switch: str, kind: str) -> None:
    assert words(tmp_path, FACTORY + switch)["parallelism"]["recompute"] == kind


def test_weights_in_host_memory_say_more_than_activations(tmp_path: Path) -> None:
    text = (
        AXOLOTL
        + "activation_offloading: true\nfsdp_version: 2\nfsdp_config: {offload_params: true, state_dict_type: FULL_STATE_DICT}\n"
    )
    found = words(tmp_path, text)
    assert (found["parallelism"]["offload"], found["checkpoint"]["sharded"]) == ("weights", "false")
