"""What arguments of Megatron-LM say of positions and experts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import at, plain, read

if TYPE_CHECKING:
    from pathlib import Path

MEGATRON = (
    "#!/bin/bash\ntorchrun --nproc-per-node 8 pretrain_gpt.py --tensor-model-parallel-size 1 --seq-length 1024 "
    "--micro-batch-size 1 --global-batch-size 8 --num-layers 24 --hidden-size 1024 --num-attention-heads 16 --num-experts 64 "
)


@pytest.mark.parametrize(
    ("arguments", "learned"),
    [
        ("", "true"),
        ("--position-embedding-type learned_absolute", "true"),
        ("--position-embedding-type rope", "false"),
        ("--position-embedding-type none", "false"),
        ("--use-rotary-position-embeddings", "false"),
    ],
)
def test_megatron_learns_positions_unless_it_rotates_them(tmp_path: Path, arguments: str, learned: str) -> None:
    found = read(tmp_path, {"run.sh": f"{MEGATRON}{arguments}\n"})
    assert at(found, "workloads/0/model/learned_positions").text == learned


def test_megatron_states_a_capacity_of_experts(tmp_path: Path) -> None:
    text = f"{MEGATRON}--moe-expert-capacity-factor 1.25 --moe-pad-expert-input-to-capacity\n"
    found = read(tmp_path, {"run.sh": text})
    stated = [at(found, f"workloads/0/model/{word}").text for word in ("capacity_factor", "capacity_padded")]
    assert stated == ["1.25", "true"]


@pytest.mark.parametrize(
    ("arguments", "path", "stated"),
    [
        ("--attention-backend flash", "flash_attention", "true"),
        ("--attention-backend unfused", "flash_attention", "false"),
        ("--cp-comm-type a2a", "parallelism/context_method", "ulysses"),
        ("--overlap-moe-expert-parallel-comm", "parallelism/expert_overlap", "true"),
        ("--attention-output-gate", "model/gated_attention", "true"),
        ("--window-size 127,0", "model/window", "128"),
        ("--window-size 127,0", "model/windowed_layers", "24"),
        ("--window-size 127,0 --window-attn-skip-freq 4", "model/windowed_layers", "18"),
        ("--experimental-attention-variant gdn --linear-attention-freq 4", "model/linear_layers", "18"),
        ("--moe-latent-size 256", "model/expert_hidden", "256"),
        ("--quick-geglu", "model/gated", "true"),
        ("--quick-geglu", "model/feed_forward", "4096"),
        ("--swiglu", "model/feed_forward", "2688"),
        ("--fp4-format e2m1 --bf16", "precision/matmul", "nvfp4"),
        ("--use-torch-fsdp2", "parallelism/zero_stage", "3"),
        ("--use-torch-fsdp2 --torch-fsdp2-no-reshard-after-forward", "parallelism/zero_stage", "2"),
        ("--fine-grained-activation-offloading", "parallelism/offload", "activations"),
    ],
)
def test_newer_arguments_of_megatron_are_read(tmp_path: Path, arguments: str, path: str, stated: str) -> None:
    assert at(read(tmp_path, {"run.sh": f"{MEGATRON}{arguments}\n"}), f"workloads/0/{path}").text == stated


def test_a_pattern_of_a_model_with_stages_counts_its_layers_only(tmp_path: Path) -> None:
    text = MEGATRON.replace("--num-layers 24 ", "") + '--hybrid-layer-pattern "M*M*|M-M-/MM"\n'
    found = read(tmp_path, {"run.sh": text})
    words = ("layers", "mamba_layers", "attention_layers", "feed_forward_layers")
    assert [at(found, f"workloads/0/model/{word}").text for word in words] == ["8", "4", "2", "2"]


@pytest.mark.parametrize("key", ["hybrid_override_pattern", "heterogeneous_layers_config_path"])
def test_layers_of_several_kinds_are_not_counted_as_one(tmp_path: Path, key: str) -> None:
    text = f"MODEL_ARGS:\n  --num-layers: 24\n  --hidden-size: 1024\n  --{key}: layers.json\n"
    found = read(tmp_path, {"model_config.yaml": text})
    (words,) = plain(found.words["workloads"])
    assert "layers" not in words["model"]
