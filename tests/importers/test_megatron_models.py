"""What arguments of Megatron-LM say of positions and experts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import at, read

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
