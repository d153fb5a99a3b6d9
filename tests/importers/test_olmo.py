"""OLMo's YAML: told from LLM Foundry's, a gated width that holds the gate, durations in tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

OLMO = """\
run_name: peteish7
model:
  d_model: 4096
  n_heads: 32
  n_layers: 32
  mlp_hidden_size: 22016
  weight_tying: false
  layer_norm_type: rms
  activation_type: swiglu
  max_sequence_length: 4096
  vocab_size: 100278
  embedding_size: 100352
save_interval: 1000
save_num_checkpoints_to_keep: 0
max_duration: 5e12T
global_train_batch_size: 1024
device_train_microbatch_size: 2
precision: amp_bf16
fsdp:
  wrapping_strategy: by_block_and_size
"""


def test_a_model_of_its_own_words_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, {"peteish7.yaml": OLMO})
    assert list(found.formats.values()) == ["olmo"]
    (workload,) = plain(found.words["workloads"])
    assert workload["model"] == {
        "layers": "32", "hidden": "4096", "heads": "32", "vocabulary": "100352", "sequence": "4096",
        "gated": "true", "feed_forward": "11008", "norm": "rmsnorm", "tied_embeddings": "false",
    }  # fmt: skip
    assert workload["parallelism"] == {"global_batch": "1024", "micro_batch": "2"}
    assert workload["data"] == {"tokens": "5000000000000"}


@pytest.mark.parametrize(("stated", "kept"), [("0", None), ("-1", None), ("3", "3")])
def test_checkpoints_that_none_or_all_are_kept_of_are_no_number(tmp_path: Path, stated: str, kept: str | None) -> None:
    text = OLMO.replace("to_keep: 0", f"to_keep: {stated}")
    foundry = f"max_duration: 10ba\nglobal_train_batch_size: 8\nmodel: {{d_model: 64}}\nsave_num_checkpoints_to_keep: {stated}\n"
    for name, body in (("olmo.yaml", text), ("mpt.yaml", foundry)):
        folder = tmp_path / name.removesuffix(".yaml")
        folder.mkdir()
        (workload,) = plain(read(folder, {name: body}).words["workloads"])
        assert workload.get("checkpoint", {}).get("keep") == kept


@pytest.mark.parametrize(
    ("stated", "interval"),
    [
        ("save_interval_ephemeral: 250", "250"),
        ("save_interval_ephemeral: 2000", "1000"),
        ("save_interval_ephemeral: null", "1000"),
    ],
)
def test_a_checkpoint_that_the_next_one_replaces_bounds_the_work_that_is_lost(
    tmp_path: Path, stated: str, interval: str
) -> None:
    (workload,) = plain(read(tmp_path, {"olmo.yaml": OLMO + stated + "\n"}).words["workloads"])
    assert workload["checkpoint"]["interval_steps"] == interval


@pytest.mark.parametrize(("stated", "layers"), [("one_in_two", "16"), ("two_in_three", "21"), ("fine_grained", None)])
def test_a_share_of_the_layers_is_recomputed(tmp_path: Path, stated: str, layers: str | None) -> None:
    (workload,) = plain(read(tmp_path, {"olmo.yaml": f"{OLMO}activation_checkpointing: {stated}\n"}).words["workloads"])
    assert workload["parallelism"].get("recompute_layers") == layers
    assert workload["parallelism"].get("recompute") == ("full" if layers else None)
