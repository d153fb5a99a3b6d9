"""Arguments of forks of Megatron-LM, and shapes that frameworks know by a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import at, plain, read
from tests.importers.test_launchers import RUN, script

if TYPE_CHECKING:
    from pathlib import Path


def test_a_run_that_ends_by_its_tokens_has_no_steps_or_samples_of_its_own(tmp_path: Path) -> None:
    words, _ = script(tmp_path, RUN + "--train-tokens 300000000000 --train-samples 292968750 --train-iters 858306\n")
    assert words["data"]["tokens"] == "300000000000"
    assert "targets" not in words or not {"steps", "samples"} & words["targets"].keys()


def test_multi_query_attention_has_one_head_for_keys_and_values(tmp_path: Path) -> None:
    body = RUN + "--num-layers 4 --hidden-size 6144 --num-attention-heads 48 --attention-head-type "
    assert script(tmp_path, body + "multiquery\n")[0]["model"]["kv_heads"] == "1"
    assert script(tmp_path, body + "multihead\n")[0]["model"]["kv_heads"] == "48"


def test_sequence_parallelism_of_deepspeed_splits_the_sequence(tmp_path: Path) -> None:
    words, _ = script(tmp_path, RUN + "--ds-sequence-parallel-size 4 --num-layers 4\n")
    assert words["parallelism"]["context"] == "4"


def test_the_tenth_argument_is_not_the_first_with_a_zero(tmp_path: Path) -> None:
    words, found = script(tmp_path, RUN + "--tensor-model-parallel-size ${10}\n", **{"1": "2"})
    assert "tensor" not in words.get("parallelism", {})
    assert any("$10 is not set" in one.why for one in found.unknowns)


def test_a_comment_about_a_model_with_experts_may_name_the_part_without_them(tmp_path: Path) -> None:
    body = "## GPT-3 XL 1.3B\nLAYERS=24\n" + RUN + "--num-layers $LAYERS --hidden-size 2048 --num-attention-heads 16"
    assert "remarked_parameters" in script(tmp_path, body + "\n")[0]["job"]
    assert "remarked_parameters" not in script(tmp_path, body + " --num-experts 128\n")[0]["job"]


@pytest.mark.parametrize(("flavor", "model"), [("405B", "llama-3-405b"), ("debugmodel", None)])
def test_a_flavour_of_torchtitan_is_a_published_model(tmp_path: Path, flavor: str, model: str | None) -> None:
    text = f'[model]\nname = "llama3"\nflavor = "{flavor}"\n[training]\nseq_len = 8192\nlocal_batch_size = 2\n'
    text += "[parallelism]\ntensor_parallel_degree = 8\n"
    found = read(tmp_path, {"job.toml": text})
    (words,) = plain(found.words["workloads"])
    assert words["model"].get("model") == model
    assert model is None or at(found, "workloads/0/model/model").note == "llama3 405B of TorchTitan 0.2"


@pytest.mark.parametrize(("function", "model"), [("llama3_70b", "llama-3-70b"), ("sft_debugmodel", None)])
def test_a_function_of_torchtitans_registry_is_a_published_model(
    tmp_path: Path, function: str, model: str | None
) -> None:
    words, _ = script(tmp_path, f"torchrun -m torchtitan.train --module llama3 --config {function}\n")
    assert words.get("model", {}).get("model") == model


@pytest.mark.parametrize("flag", ["--max-seq-length", "--max_seq_len"])
def test_a_trainer_that_cuts_sequences_trains_at_that_length(tmp_path: Path, flag: str) -> None:
    words, _ = script(tmp_path, f"{RUN}{flag} 4096\n")
    assert words["model"]["sequence"] == "4096"
    words, _ = script(tmp_path, f"{RUN}{flag} 4096 --seq-length 2048\n")
    assert words["model"]["sequence"] == "2048"


@pytest.mark.parametrize(
    ("arguments", "uneven"),
    [
        ("", "false"),
        ("--decoder-first-pipeline-num-layers 6", "true"),
        ("--decoder-first-pipeline-num-layers $FIRST", None),
        ("--num-layer-list 7,8,8,7", None),  # of a fork
        ("--deepspeed", None),  # it stages layers by its own methods
    ],
)
def test_megatron_puts_as_many_layers_on_each_stage_unless_told_otherwise(
    tmp_path: Path, arguments: str, uneven: str | None
) -> None:
    words, _ = script(tmp_path, f"{RUN}--num-layers 30 --pipeline-model-parallel-size 4 {arguments}\n")
    assert words["parallelism"].get("uneven_stages") == uneven
