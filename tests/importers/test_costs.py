"""Keys of NeoX and nanotron that change memory or time are words, or not understood; none is called irrelevant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

NEOX: dict[str, Any] = {
    "pipe_parallel_size": 1,
    "model_parallel_size": 2,
    "num_layers": 12,
    "hidden_size": 768,
    "num_attention_heads": 12,
    "seq_length": 2048,
    "attention_config": [[["flash"], 12]],
    "optimizer": {"type": "Adam", "params": {"lr": 0.1}},
    "hidden_dropout": 0,
    "attention_dropout": 0,
    "fp32_allreduce": True,
    "checkpoint_num_layers": 1,
}
NANOTRON = """\
checkpoints: {checkpoint_interval: 10, save_final_state: true}
data_stages: [{data: {num_loading_workers: 2}}, {data: {num_loading_workers: 2}}]
model:
  dtype: bfloat16
  make_vocab_size_divisible_by: 8
  model_config:
    hidden_size: 256
    num_hidden_layers: 12
    num_attention_heads: 4
    moe_config: {num_experts: 8, top_k: 2, moe_intermediate_size: 64, enable_shared_expert: false, layers: [1, 3]}
optimizer: {zero_stage: 1, accumulate_grad_in_fp32: true, optimizer_factory: {name: adamW}}
parallelism: {dp: 2, tp: 2, pp: 2, pp_engine: 1f1b, tp_mode: REDUCE_SCATTER, recompute_layer: true}
tokens: {train_steps: 100, sequence_length: 128}
"""


def workload(tmp_path: Path, name: str, text: str) -> dict[str, Any]:
    """The only workload of a file."""
    [words] = plain(read(tmp_path, {name: text}).words["workloads"])
    return dict(words)


def test_neox_states_what_its_parts_cost(tmp_path: Path) -> None:
    words = workload(tmp_path, "a.yml", json.dumps(NEOX))
    assert (words["optimizer"], words["dropout"], words["flash_attention"]) == ("adam", "false", "true")
    assert words["precision"]["exchanged_gradient_bytes"] == "4 B"
    dropping = workload(tmp_path, "b.yml", json.dumps(NEOX | {"hidden_dropout": 0.1, "use_bnb_optimizer": True}))
    assert (dropping["optimizer"], dropping["dropout"]) == ("adam-8bit", "true")
    mixed = workload(tmp_path, "c.yml", json.dumps(NEOX | {"attention_config": [[["flash", "local"], 6]]}))
    assert "flash_attention" not in mixed


def test_neox_keys_that_change_memory_stay_not_understood(tmp_path: Path) -> None:
    text = json.dumps(NEOX | {"checkpoint_num_layers": 4, "partition_activations": True}, indent=1)
    [account] = read(tmp_path, {"a.yml": text}).accounts()
    lines = [text.splitlines()[number - 1].split('"')[1] for number in account.unclear]
    assert lines == ["checkpoint_num_layers", "partition_activations"]


def test_nanotron_states_experts_and_modes(tmp_path: Path) -> None:
    words = workload(tmp_path, "a.yaml", NANOTRON)
    model, split = words["model"], words["parallelism"]
    assert (model["experts"], model["experts_per_token"], model["expert_layers"]) == ("8", "2", "2")
    assert "shared_expert_feed_forward" not in model
    assert (split["sequence_parallel"], split["recompute"], split["schedule"]) == ("true", "full", "1f1b")
    assert (words["optimizer"], words["checkpoint"]["at_exit"]) == ("adam", "true")
    assert words["job"]["data_loader_workers"] == "2"
    assert words["runs_on"]["gpus"] == "8"
    several = workload(tmp_path, "b.yaml", NANOTRON.replace("pp: 2", "pp: 2, expert_parallel_size: 2"))
    assert "runs_on" not in several


def test_a_config_with_a_setting_for_every_layer_is_recognised(tmp_path: Path) -> None:
    keys = {"model_type": "llama", "num_hidden_layers": 4, "hidden_size": 64, "num_attention_heads": 4}
    many = {f"model.layers.{number}.mlp": "x" * 1000 for number in range(1100)}
    found = read(tmp_path, {"config.json": json.dumps(keys | {"quantization_config": many}, indent=1)})
    assert plain(found.words["workloads"])[0]["model"]["layers"] == "4"


def test_nanotron_states_kernels_and_windows(tmp_path: Path) -> None:
    more = "    _attn_implementation: llama3_ring_attention\n    sliding_window_size: 512\n    moe_config:"
    text = NANOTRON.replace("    moe_config:", more).replace("dp: 2,", "dp: 2, context_parallel_size: 2,")
    words = workload(tmp_path, "a.yaml", text)
    assert (words["flash_attention"], words["parallelism"]["context_method"]) == ("true", "all-gather")
    assert (words["model"]["window"], "windowed_layers" in words["model"]) == ("512", False)
    assert (
        "context_method"
        not in workload(tmp_path, "b.yaml", text.replace("parallel_size: 2", "parallel_size: 1"))["parallelism"]
    )
