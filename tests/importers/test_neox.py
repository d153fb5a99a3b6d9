"""GPT-NeoX's keys: widths of gated layers, layers that attend to nothing, parts of a configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

NEOX = "pipe_parallel_size: 1\nmodel_parallel_size: 2\nnum_layers: 32\nhidden_size: 4096\nnum_attention_heads: 12\n"


def test_neox_rounds_a_third_of_a_gated_width_up(tmp_path: Path) -> None:
    gated = f"{NEOX}activation: swiglu\nintermediate_size: 40960\nmlp_multiple_of: 256\n"
    found = read(tmp_path, {"neox.yml": gated})
    assert plain(found.words["workloads"])[0]["model"]["feed_forward"] == "13824"


def test_neox_layers_of_mamba_have_no_heads(tmp_path: Path) -> None:
    found = read(tmp_path, {"neox.yml": f'{NEOX}attention_config: [[["mamba"], 32]]\n'})
    model = plain(found.words["workloads"])[0]["model"]
    assert not {"heads", "gated", "feed_forward"} & model.keys()
    words = ("layers", "mamba_layers", "attention_layers", "feed_forward_layers", "mamba_inner", "mamba_step_rank")
    assert [model[one] for one in words] == ["32", "32", "0", "0", "8192", "256"]
    found = read(tmp_path, {"neox.yml": f'{NEOX}attention_config: [[["mamba", "flash"], 16]]\n'})
    model = plain(found.words["workloads"])[0]["model"]
    assert [model[one] for one in ("heads", *words[:4])] == ["12", "32", "16", "16", "16"]
    found = read(tmp_path, {"neox.yml": f'{NEOX}attention_config: [[["mamba", "flash"], "some"]]\n'})
    assert set(plain(found.words["workloads"])[0]["model"]) == {"hidden"}


def test_a_part_of_neox_is_not_deepspeeds(tmp_path: Path) -> None:
    part = "train_micro_batch_size_per_gpu: 4\ncheckpoint_factor: 1000\nzero_optimization: {stage: 1}\n"
    assert read(tmp_path, {"train.yml": part}).formats["train.yml"] == "neox"
    whole = "train_batch_size: 64\ngradient_accumulation_steps: 1\n"
    part = f"{whole}checkpoint_factor: 1000\nsynchronize_each_layer: true\nzero_optimization: {{stage: 1}}\n"
    found = read(tmp_path, {"train.yml": part})
    assert found.formats["train.yml"] == "neox"
    assert plain(found.words["workloads"])[0]["checkpoint"]["interval_steps"] == "1000"


@pytest.mark.parametrize(
    ("kind", "gated", "width"), [("regular", "false", "16384"), ("gated", "true", None), ("of_a_branch", None, None)]
)
def test_neox_layers_of_a_kind_it_does_not_know_have_no_width(
    tmp_path: Path, kind: str, gated: str | None, width: str | None
) -> None:
    found = read(tmp_path, {"neox.yml": NEOX + f"mlp_type: {kind}\nmlp_multiple_of: 256\n"})
    model = plain(found.words["workloads"])[0]["model"]
    assert (model.get("gated"), model.get("feed_forward")) == (gated, width)


@pytest.mark.parametrize(
    ("keys", "width"),
    [
        ("mlp_type: llama", "11008"),
        ("mlp_type: llama\nintermediate_size: 14336", "14336"),
        ("expansion_factor: 3.5", "14336"),
        ("activation: swiglu", "5461"),
        ("activation: swiglu\nexpansion_factor: 12\nmlp_multiple_of: 256", "16384"),
        ("activation: geglu", None),
    ],
)
def test_neox_widths_follow_from_the_kind_of_layer(tmp_path: Path, keys: str, width: str | None) -> None:
    found = read(tmp_path, {"neox.yml": f"{NEOX}{keys}\n"})
    assert plain(found.words["workloads"])[0]["model"].get("feed_forward") == width


def test_neox_windows_every_layer(tmp_path: Path) -> None:
    found = read(tmp_path, {"neox.yml": f"{NEOX}sliding_window_width: 4096\n"})
    model = plain(found.words["workloads"])[0]["model"]
    assert (model["window"], model["windowed_layers"]) == ("4096", "32")


@pytest.mark.parametrize(("kind", "learned"), [("learned", "true"), ("rotary", "false")])
def test_neox_states_whether_positions_are_learned(tmp_path: Path, kind: str, learned: str) -> None:
    found = read(tmp_path, {"neox.yml": f"{NEOX}pos_emb: {kind}\n"})
    assert plain(found.words["workloads"])[0]["model"]["learned_positions"] == learned
