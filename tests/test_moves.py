"""Words that stand in the wrong part: moved with their values, or left where a move would lose or guess something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .running import designlint

if TYPE_CHECKING:
    from pathlib import Path

MOVED = {
    "to a part that is not there yet": ("utility_power: 10 MW\n", "facility:\n  utility_power: 10 MW\n"),
    "beside the words of a part": (
        "fabrics:\n  - name: compute\n    leaf: 3\n    topology: {tiers: 2}\n",
        "fabrics:\n  - name: compute\n    topology: {tiers: 2, leaves: 3}\n",
    ),
    "beside the name of a model": (
        "workloads:\n  - name: a\n    layers: 32\n    hidden: 4096\n    model: llama-3-8b\n",
        "workloads:\n  - name: a\n    model: {model: llama-3-8b, layers: 32, hidden: 4096}\n",
    ),
    "to another part of the same job": (
        "workloads:\n  - name: a\n  - name: b\n    parallelism: {tensor: 8, seq_len: 4096}\n",
        "workloads:\n  - name: a\n  - name: b\n    parallelism: {tensor: 8}\n    model:\n      sequence: 4096\n",
    ),
    "from what follows to what it follows from": (
        "workloads:\n  - name: a\n    kind: pretraining\n    preemption: checkpoint\n",
        "workloads:\n  - name: a\n    kind: pretraining\nscheduler:\n  preemption: checkpoint\n",
    ),
    "with the mapping in lines that it is": (
        "facility: {utility_power: 9 MW}\ncooling:\n  type: air\n  heat_rejection: dry\nnodes: []\n",
        "facility: {utility_power: 9 MW, cooling: {method: air, heat_rejection: dry-cooler}}\nnodes: []\n",
    ),
    "with the one value of a mapping in lines": ("power:\n  total: 9 MW\n", "facility:\n  utility_power: 9 MW\n"),
}
LEFT = {
    "with comments in a mapping": "cooling:\n  # chosen in May\n  method: air\n",
    "with lists in a mapping": "cooling:\n  method: air\n  equipment:\n    - {name: cdu, count: 2}\n",
    "with a template in a mapping": "cooling:\n  method: ${method}\n",
    "with a comment beside the value": "utility_power: 10 MW  # promised by the utility\n",
    "stated there, too": "utility_power: 10 MW\nfacility: {utility_power: 12 MW}\n",
    "of any of several parts": "fabrics:\n  - name: compute\n    gang_scheduling: true\n    zero_stage: 1\n",
    "of several values under a word that follows": (
        "workloads:\n  - name: a\n    model: {layers: 8}\n    memory_per_gpu: {mfu: 40 %, deadline: 9 days}\n"
    ),
    "reached by an alias": "fabrics: &all\n  - {name: compute, purpose: compute, leaf: 3}\nx: *all\n",
}


def mended(folder: Path, body: str) -> str:
    file = folder / "design.yaml"
    file.write_text(f"designlint: 1\n{body}")
    designlint("check", file, "--fix=shape", "--unsafe-fixes")
    return file.read_text().removeprefix("designlint: 1\n")


@pytest.mark.parametrize("what", MOVED)
def test_a_misplaced_word_is_moved_with_its_value(tmp_path: Path, what: str) -> None:
    body, moved = MOVED[what]
    assert mended(tmp_path, body) == moved


@pytest.mark.parametrize("what", LEFT)
def test_a_move_neither_loses_nor_guesses(tmp_path: Path, what: str) -> None:
    text = mended(tmp_path, LEFT[what])
    for line in LEFT[what].splitlines():
        if "gang" not in line:
            assert line in text


def test_another_name_of_a_stated_word_is_to_go(tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_text("designlint: 1\nfabrics:\n  - name: compute\n    pfc: false\n    lossless: true\n")
    run = designlint("check", file, "--select", "shape")
    assert "help: Remove it: `pfc`, which has its meaning, is stated beside it." in run.out
    assert "fix:" not in run.out


def test_a_number_is_not_sent_where_a_part_belongs(tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_text("designlint: 1\nnodes:\n  - name: train\n    racks: 8\n")
    assert "facility/racks" not in designlint("check", file, "--select", "shape").out


def test_a_part_whose_name_is_misspelt_does_not_lack_one(tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_text("designlint: 1\nnodes:\n  - {nmae: a, gpus: 8}\n  - {gpus: 8}\n")
    out = designlint("check", file, "--select", "shape").out
    assert "nodes/1 lacks `name`" in out
    assert "nodes/0 lacks" not in out


#: Each with a job that is too wide for its servers, or with further misspelt words, which nobody sees before it is read.
REVEALING = {
    "an error of a rule": "workloads:\n  - name: a\n    runs_on: {gpus: 8}\n    parallelism: {tensor: 4, pipeline: 4}\n",
    "a further misspelt word": "workloads:\n  - name: a\n    paralelism: {tensor: 4}\n",
}


@pytest.mark.parametrize("what", REVEALING)
def test_a_misspelt_word_is_mended_although_that_brings_errors_to_light(tmp_path: Path, what: str) -> None:
    body = REVEALING[what]
    file = tmp_path / "design.yaml"
    file.write_text(f"designlint: 1\n{body.replace('workloads', 'workload')}")
    data = designlint("check", file, "--format=json").data
    (finding,) = (one for one in data["findings"] if one["rule"] == "shape/unknown-word")
    (fix,) = finding["fixes"]
    assert fix["proven"]
    assert fix["causes"] == 0
    after = tmp_path / "after.yaml"
    after.write_text(f"designlint: 1\n{body}")
    come = designlint("check", after, "--format=json").data["findings"]
    assert fix["reveals"] == len(come)
    assert mended(tmp_path, body.replace("workloads", "workload")).startswith("workloads:")


def test_what_a_misspelt_word_brings_to_light_is_of_the_rules_alone(tmp_path: Path) -> None:
    """A value that its word cannot hold says that another word was meant."""
    assert mended(tmp_path, "facilities: 4\n") == "facilities: 4\n"


def test_a_unit_in_a_key_goes_to_the_value_in_its_place(tmp_path: Path) -> None:
    body = "storage:\n  - name: a\n    capacity_tb: 1500  # usable\n    'read_gbs': 5\n    kind: lustre\n"
    changed = "storage:\n  - name: a\n    capacity: 1500 TB  # usable\n    'read': 5 GB/s\n    kind: lustre\n"
    assert mended(tmp_path, body) == changed
    assert mended(tmp_path, "storage:\n  - {name: a, read_gbps: 400}\n") == "storage:\n  - {name: a, read_gbps: 400}\n"
