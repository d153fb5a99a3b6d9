"""Models that jobs name by a folder of the repository, and what a file leaves open that the command states."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import at, place, plain, read

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = json.dumps({"model_type": "llama", "num_hidden_layers": 4, "hidden_size": 256, "num_attention_heads": 4})
TRAIN = "torchrun --nproc_per_node 8 train.py --model_name_or_path models/m/ --per_device_train_batch_size 2"


@pytest.fixture(autouse=True)
def _shell() -> None:
    pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")


@pytest.mark.parametrize(
    ("name", "text", "read_there"),
    [
        ("t.sh", f"#!/bin/bash\n{TRAIN}\n", True),
        ("t.sh", f"#!/bin/bash\n{TRAIN} --load_in_4bit\n", False),
        ("t.sh", f"#!/bin/bash\n{TRAIN} --num_layers 2\n", False),
        ("v.sh", "#!/bin/bash\nvllm serve ./models/m -tp 2\n", True),
        (
            "f.yaml",
            "model_name_or_path: models/m\nstage: sft\nfinetuning_type: full\nper_device_train_batch_size: 1\n",
            True,
        ),
    ],
)
def test_the_folder_of_a_model_describes_it(tmp_path: Path, name: str, text: str, read_there: bool) -> None:
    found = read(tmp_path, {name: text, "+models/m/config.json": CONFIG})
    if read_there:
        value = at(found, "workloads/0/model/layers")
        assert (value.text, place(value)[0]) == ("4", "models/m/config.json")
    else:
        assert "hidden" not in plain(found.words["workloads"])[0].get("model", {})


def test_what_a_command_states_is_not_told_as_unknown(tmp_path: Path) -> None:
    text = "#!/bin/bash\ndeepspeed --num_gpus 8 train.py --deepspeed ds.json --per_device_train_batch_size 3\n"
    beside = (
        '{"train_micro_batch_size_per_gpu": "auto", "gradient_accumulation_steps": "auto", "zero_optimization": {}}'
    )
    found = read(tmp_path, {"t.sh": text, "+ds.json": beside})
    words = [one.word.rpartition("/")[2] for one in found.unknowns]
    assert ("micro_batch" in words, "gradient_accumulation" in words) == (False, True)
