"""Configurations that a command line names, and what the command line changes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import at, place, plain, read

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.importers import Imported

pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")

FOUNDRY = """\
max_duration: 4800ba
global_train_batch_size: 512
device_train_microbatch_size: 8
model: {name: mpt_causal_lm, d_model: 2048, n_heads: 16, n_layers: 24}
fsdp_config: {sharding_strategy: FULL_SHARD}
train_loader: {num_workers: 8}
"""
NANOTRON = """\
parallelism: {dp: 2, tp: 2, pp: 1}
tokens: {micro_batch_size: 3, sequence_length: 4096, train_steps: 100}
optimizer: {zero_stage: 0}
model: {model_config: {num_hidden_layers: 4, hidden_size: 64, num_attention_heads: 4, is_llama_config: true}}
"""
OLMO = "torchrun scripts/train.py absent.yaml --save_interval_ephemeral=250 --device_train_microbatch_size={}"
MAXTEXT = (
    "python3 -m MaxText.train absent.yml per_device_batch_size=4 ici_tensor_parallelism=8 remat_policy=full odd_key=1"
)


def job(folder: Path, command: str, **files: str) -> tuple[Imported, dict[str, Any]]:
    found = read(
        folder, {"run.sh": f"#!/bin/bash\n{command}\n", **{f"+{name}.yaml": text for name, text in files.items()}}
    )
    (words,) = plain(found.words["workloads"])
    return found, words


def test_keys_of_a_command_line_win_over_those_of_the_file(tmp_path: Path) -> None:
    keys = "max_duration=100ba fsdp_config.sharding_strategy=SHARD_GRAD_OP train_loader.num_workers=2"
    command = f"composer train/train.py mpt.yaml {keys}"
    found, words = job(tmp_path, command, mpt=FOUNDRY)
    assert words["targets"] == {"steps": "100"}
    assert words["parallelism"] == {"zero_stage": "2", "global_batch": "512", "micro_batch": "8"}
    assert (words["model"]["layers"], words["job"]["data_loader_workers"]) == ("24", "2")
    assert place(at(found, "workloads/0/targets/steps")) == ("run.sh", 2, "max_duration=100ba")
    assert place(at(found, "workloads/0/model/layers"))[:2] == ("mpt.yaml", 4)
    assert [one.unclear for one in found.accounts()] == [(), ()]


def test_a_flag_names_the_configuration_of_nanotron(tmp_path: Path) -> None:
    found, words = job(tmp_path, "torchrun run_train.py --config-file nano.yaml", nano=NANOTRON)
    assert (words["parallelism"]["tensor"], words["model"]["layers"]) == ("2", "4")
    assert [one.value.text for one in found.facts if one.name == "configuration file"] == ["nano.yaml"]


def test_what_the_command_line_states_is_read_where_the_file_is_not_here(tmp_path: Path) -> None:
    found, words = job(tmp_path, OLMO.format(2))
    assert (words["parallelism"], words["checkpoint"]) == ({"micro_batch": "2"}, {"interval_steps": "250"})
    assert any("absent.yaml is not read" in one.why for one in found.unknowns)
    found, words = job(tmp_path, MAXTEXT)
    assert words["parallelism"] == {"tensor": "8", "recompute": "full"}
    assert "framework" not in words  # what is stated nowhere is not stated
    assert at(found, "workloads/0/parallelism/tensor").line == 2


def test_a_value_that_is_not_known_stays_unknown(tmp_path: Path) -> None:
    _, words = job(tmp_path, OLMO.format("$BATCH"))
    assert "parallelism" not in words


def test_keys_that_no_format_knows_are_not_understood(tmp_path: Path) -> None:
    command = "composer \\\n  train.py mpt.yaml \\\n  max_duration=100ba \\\n  made_up_key=3"
    found, _ = job(tmp_path, command, mpt=FOUNDRY)
    assert next(one for one in found.accounts() if one.file == "run.sh").unclear == (5,)


def test_a_run_of_mcli_starts_what_its_command_says(tmp_path: Path) -> None:
    text = (
        "name: mpt\nimage: foundry:1\ncompute: {gpus: 16}\ncommand: |\n  python convert_dataset_hf.py --num_workers 4\n"
    )
    text += "  composer train/train.py mpt.yaml max_duration=100ba\nparameters: {}\n"
    found = read(tmp_path, {"run.yaml": text, "+mpt.yaml": FOUNDRY})
    (words,) = plain(found.words["workloads"])
    assert (words["name"], words["runs_on"], words["targets"]) == ("mpt", {"gpus": "16"}, {"steps": "100"})
    assert words["job"] == {"image": "foundry:1", "data_loader_workers": "8"}
    assert at(found, "workloads/0/targets/steps").line == 6


def test_a_run_that_names_its_own_file_ends(tmp_path: Path) -> None:
    text = "name: mpt\nimage: foundry:1\ncompute: {gpus: 16}\ncommand: composer train.py run.yaml max_duration=100ba\n"
    (words,) = plain(read(tmp_path, {"run.yaml": text}).words["workloads"])
    assert words["runs_on"] == {"gpus": "16"}
    found = read(
        tmp_path, {"+mpt.yaml": FOUNDRY, **dict.fromkeys(("a.sh", "b.sh"), "#!/bin/bash\ncomposer train.py mpt.yaml\n")}
    )
    assert [one["model"]["layers"] for one in plain(found.words["workloads"])] == ["24", "24"]


def test_keys_of_a_command_line_bring_no_defaults_of_a_file_that_is_not_here(tmp_path: Path) -> None:
    _, words = job(tmp_path, "composer train.py absent.yaml model.name=mpt_causal_lm model.d_model=64 model.n_heads=4")
    assert words["model"] == {"hidden": "64", "heads": "4"}
