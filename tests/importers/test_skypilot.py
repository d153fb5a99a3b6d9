"""SkyPilot's tasks as jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")

if TYPE_CHECKING:
    from pathlib import Path

TASK = """name: train
resources:
  accelerators: H100:8
num_nodes: 2
envs:
  EPOCHS: 3
run: |
  MASTER_ADDR=$(echo "$SKYPILOT_NODE_IPS" | head -n1)
  torchrun --nnodes={nodes} --nproc_per_node={ranks} --node_rank={rank} --master_addr=$MASTER_ADDR train.py
"""
ALL = {"nodes": "$SKYPILOT_NUM_NODES", "ranks": "$SKYPILOT_NUM_GPUS_PER_NODE", "rank": "${SKYPILOT_NODE_RANK}"}


def test_a_task_states_its_nodes_and_their_gpus(tmp_path: Path) -> None:
    found = read(tmp_path, {"task.yaml": TASK.format(**ALL)})
    (words,) = plain(found.words["workloads"])
    assert words["name"] == "train"
    assert words["job"] == {"workers": "2", "gpus_per_worker": "8", "gpu": "H100"}
    assert words["runs_on"] == {"gpus": "16"}
    assert found.clashes == []


def test_a_task_that_states_no_number_has_one_node(tmp_path: Path) -> None:
    text = TASK.format(**ALL).replace("num_nodes: 2\n", "").replace("H100:8", "H100")
    (words,) = plain(read(tmp_path, {"task.yaml": text}).words["workloads"])
    assert (words["job"]["workers"], words["job"]["gpus_per_worker"]) == ("1", "1")


def test_what_the_script_starts_is_held_against_the_task(tmp_path: Path) -> None:
    found = read(tmp_path, {"task.yaml": TASK.format(**ALL | {"ranks": "4"})})
    ((rule, other),) = [(one.rule, one.values["other"]) for one in found.clashes]
    assert (rule, other) == ("import/conflict", "4")
    (words,) = plain(read(tmp_path, {"task.yaml": TASK.format(**ALL | {"nodes": "4", "rank": "0"})}).words["workloads"])
    assert words["job"]["launcher_servers"] == "4"
    assert words["job"]["server_ranks_differ"] == "false"
