"""Servers of vLLM and SGLang that a script starts: the model, its split, the GPUs that it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

MIXTRAL = "mistralai/Mixtral-8x7B-v0.1"


def job(tmp_path: Path, command: str) -> tuple[dict[str, Any], dict[str, str]]:
    pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")
    found = read(tmp_path, {"run.sh": f"#!/bin/bash\n{command}\n"})
    return dict(plain(found.words["workloads"])[0]), {one.name: one.value.text for one in found.facts}


@pytest.mark.parametrize(
    ("command", "split", "gpus"),
    [
        (f"vllm serve {MIXTRAL} -tp 4", {"tensor": "4", "pipeline": "1"}, "4"),
        (f"vllm serve --model {MIXTRAL} --tensor-parallel-size 4 -pp 2", {"tensor": "4", "pipeline": "2"}, "8"),
        (f"vllm serve {MIXTRAL} -tp $TP", {"pipeline": "1"}, None),
        (f"vllm serve {MIXTRAL} -tp 2 -dp 4", {"tensor": "2", "pipeline": "1", "data": "4"}, None),
        (f"vllm serve {MIXTRAL} -dp 4 --enable-expert-parallel", {"tensor": "1", "pipeline": "1"}, None),
        (f"vllm serve {MIXTRAL} $EXTRA", {}, None),
        (f"python -m sglang.launch_server --model-path {MIXTRAL} --tp 8", {"tensor": "8"}, None),
        (f"sglang serve --model-path {MIXTRAL} --tp-size 8 --pp-size 2", {"tensor": "8", "pipeline": "2"}, "16"),
    ],
)
def test_a_server_says_how_it_splits_its_model(
    tmp_path: Path, command: str, split: dict[str, str], gpus: str | None
) -> None:
    words, _ = job(tmp_path, command)
    assert (words["kind"], words["model"]) == ("inference", {"model": "mixtral-8x7b"})
    assert words.get("parallelism", {}) == split
    assert words.get("runs_on", {}).get("gpus") == gpus


def test_servers_of_sglang_and_what_has_no_word(tmp_path: Path) -> None:
    words, facts = job(
        tmp_path,
        "python3 -m sglang.launch_server --model-path m --tp 16 --nnodes 2 --context-length 4096 --mem-fraction-static 0.8",
    )
    assert words["job"]["servers"] == "2"
    assert facts["longest sequence that is served"] == "4096"
    assert facts["part of the memory of a GPU that is used"] == "0.8"


def test_other_orders_of_vllm_serve_nothing(tmp_path: Path) -> None:
    assert "kind" not in job(tmp_path, f"vllm bench throughput --model {MIXTRAL} -tp 4")[0]
    assert "parallelism" not in job(tmp_path, f"echo vllm serve {MIXTRAL} -tp 4")[0]


def test_what_trains_beside_a_server_is_the_job(tmp_path: Path) -> None:
    train = "accelerate launch --num_processes 4 train.py --per_device_train_batch_size 2"
    words, _ = job(tmp_path, f"vllm serve {MIXTRAL} -tp 4 &\n{train}")
    assert words["parallelism"]["micro_batch"] == "2"
    assert words.get("kind") != "inference"


@pytest.mark.parametrize(("more", "gpus"), [("", "6"), (f"vllm serve {MIXTRAL} -tp 1 &\n", "8")])
def test_a_server_may_leave_gpus_of_its_job_idle(tmp_path: Path, more: str, gpus: str) -> None:
    words, _ = job(tmp_path, f"#SBATCH --nodes=1\n#SBATCH --gpus-per-node=8\n{more}vllm serve {MIXTRAL} -tp 6")
    assert words["runs_on"]["gpus"] == gpus
