"""Picotron's JSON: degrees that multiply to the GPUs, and a model that another file states."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

FILE: dict[str, Any] = {
    "distributed": {"tp_size": 2, "cp_size": 1, "pp_size": 4, "dp_size": 8, "pp_engine": "afab", "backend": "nccl"},
    "model": {"name": "a/b", "num_hidden_layers": 32, "dtype": "bfloat16", "use_flash_attention": True},
    "training": {
        "seq_length": 2048,
        "micro_batch_size": 2,
        "gradient_accumulation_steps": 16,
        "total_train_steps": 200,
    },
    "checkpoint": {"save_dir": "c", "save_frequency": 300},
}


def test_picotron_states_its_degrees_and_leaves_the_model_open(tmp_path: Path) -> None:
    found = read(tmp_path, {"run.json": json.dumps(FILE, indent=1)})
    assert found.formats == {"run.json": "picotron"}
    (words,) = plain(found.words["workloads"])
    parallelism = words["parallelism"]
    assert (parallelism["tensor"], parallelism["pipeline"], parallelism["data"]) == ("2", "4", "8")
    assert (parallelism["schedule"], words["runs_on"]["gpus"]) == ("gpipe", "64")
    assert words["model"] == {"layers": "32", "sequence": "2048"}
    assert (words["targets"]["steps"], words["checkpoint"]["interval_steps"]) == ("200", "300")
    assert [one.word for one in found.unknowns] == ["workloads/model"]
    assert found.accounts()[0].unclear == ()


def test_gpus_stay_open_where_a_degree_is(tmp_path: Path) -> None:
    text = json.dumps({**FILE, "distributed": {"dp_size": 8, "tp_size": 2, "pp_engine": "1f1b"}}, indent=1)
    (words,) = plain(read(tmp_path, {"run.json": text}).words["workloads"])
    assert "runs_on" not in words
