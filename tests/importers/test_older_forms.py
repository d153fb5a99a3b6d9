"""Keys and names of older versions and of forks: GPT-NeoX's, TorchTitan's, nanotron's, Hunyuan's, MegaBlocks'."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

NANOTRON = """
parallelism: {{dp: 2, tp: 1, pp: 1}}
tokens: {{micro_batch_size: 1, sequence_length: 128, train_steps: 1}}
optimizer: {{zero_stage: 0}}
model:
  dtype: bfloat16
  model_config: {{{}: true, hidden_act: silu, hidden_size: 64, num_hidden_layers: 2, num_attention_heads: 4}}
"""


@pytest.fixture(autouse=True)
def _shell() -> None:
    pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")


def workload(tmp_path: Path, name: str, text: str) -> dict[str, Any]:
    return dict(plain(read(tmp_path, {name: text}).words["workloads"])[0])


@pytest.mark.parametrize(
    ("kind", "gated"), [("is_llama_config", "true"), ("is_qwen2_config", "true"), ("is_starcoder2_config", None)]
)
def test_nanotrons_models_are_gated_by_their_kind(tmp_path: Path, kind: str, gated: str | None) -> None:
    assert workload(tmp_path, "n.yaml", NANOTRON.format(kind))["model"].get("gated") == gated


def test_neox_once_had_an_interval_of_checkpoints(tmp_path: Path) -> None:
    text = '{"pipe-parallel-size": 1, "model-parallel-size": 1, "num-layers": 2, "save-interval": 500}'
    assert workload(tmp_path, "n.yml", text)["checkpoint"]["interval_steps"] == "500"


def test_torchtitan_once_had_its_degrees_among_those_of_training(tmp_path: Path) -> None:
    text = "[job]\n[model]\nname = 'a'\n[training]\ndata_parallel_shard_degree = -1\nseq_len = 8\n[checkpoint]\n"
    found = read(tmp_path, {"t.toml": text})
    assert [one.value.text for one in found.facts if one.name.startswith("degree of sharding")] == ["-1"]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("data_parallel_degree = -1", ("3", None)),
        ("data_parallel_degree = 1", ("0", None)),
        ("data_parallel_degree = 8", ("3", "8")),
        ("data_parallel_degree = 8\ndata_parallel_type = 'ddp'", ("0", "8")),
        ("data_parallel_type = 'ddp'", ("0", None)),
        ("data_parallel_type = 'fsdp'", ("3", None)),
    ],
)
def test_torchtitan_once_had_one_degree_of_data_parallelism(
    tmp_path: Path, keys: str, expected: tuple[str, str | None]
) -> None:
    text = f"[job]\n[model]\nname = 'a'\n[training]\n{keys}\nseq_len = 8\n[checkpoint]\n"
    split = workload(tmp_path, "t.toml", text)["parallelism"]
    assert (split["zero_stage"], split.get("data")) == expected


@pytest.mark.parametrize(
    ("pieces", "expected"), [("4", ("interleaved", "2")), ("3", ("interleaved", None)), ("0", ("interleaved", None))]
)
def test_torchtitan_once_had_its_pipeline_among_the_experiments(
    tmp_path: Path, pieces: str, expected: tuple[str, str | None]
) -> None:
    text = (
        "[job]\n[model]\nname = 'a'\n[training]\nbatch_size = 8\n[checkpoint]\n[experimental]\n"
        "pipeline_parallel_degree = 2\npipeline_parallel_schedule = 'interleaved_1f1b'\n"
        f"pipeline_parallel_microbatches = {pieces}\n"
    )
    split = workload(tmp_path, "t.toml", text)["parallelism"]
    assert (split["schedule"], split.get("micro_batch")) == expected


def test_hunyuan_lists_its_experts_layer_by_layer(tmp_path: Path) -> None:
    keys = {
        "model_type": "hunyuan", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4, "attention_head_dim": 32,
        "num_experts": 8, "moe_topk": [2, 2], "moe_intermediate_size": [16, 16], "hidden_act": "silu",
    }  # fmt: skip
    model = workload(tmp_path, "config.json", json.dumps(keys))["model"]
    assert (model["gated"], model["head_dimension"], model["experts_per_token"]) == ("true", "32", "2")


def test_megablocks_counts_experts_under_names_of_its_own(tmp_path: Path) -> None:
    text = (
        "#!/bin/bash\ntorchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 2 --moe-num-experts=64 --moe-top-k=1\n"
    )
    model = workload(tmp_path, "m.sh", text)["model"]
    assert (model["experts"], model["experts_per_token"]) == ("64", "1")


@pytest.mark.parametrize(("switch", "form"), [("true", "fp8"), ("false", "bf16")])
def test_torchtitan_once_switched_float8_on_by_itself(tmp_path: Path, switch: str, form: str) -> None:
    text = f"[job]\n[model]\nname = 'a'\n[training]\nseq_len = 8\n[checkpoint]\n[float8]\nenable_float8_linear = {switch}\n"
    assert workload(tmp_path, "t.toml", text)["precision"]["matmul"] == form


def test_a_manifest_without_jobs_is_told_from_other_files(tmp_path: Path) -> None:
    text = "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: a}\nspec: {replicas: 1}\n"
    (refused,) = read(tmp_path, {"lws.yaml": text}).refused
    assert (refused.line, "its LeaderWorkerSet is neither a job" in refused.why) == (2, True)
