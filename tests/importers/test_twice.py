"""What stands twice: keys of a file, names of workloads, requests of several containers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

MODEL = {"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32}
JOB = """
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  template:
    spec:
      containers:
        - name: main
          resources: {limits: {nvidia.com/gpu: 8}, requests: {cpu: "96", memory: 1Ti, ephemeral-storage: 1.5Gi}}
        - name: side
          resources: {requests: {cpu: "4", memory: 8Gi, ephemeral-storage: 512Mi}}
"""


def test_of_a_key_that_stands_twice_the_last_counts_and_both_places_are_told(tmp_path: Path) -> None:
    text = (
        "zero_optimization: {stage: 1}\nbf16: {enabled: true}\nzero_optimization: {stage: 3}\nbf16: {enabled: true}\n"
    )
    found = read(tmp_path, {"ds.json": "{" + text.replace("\n", ",\n")[:-2] + "}"})
    assert plain(found.words["workloads"])[0]["parallelism"]["zero_stage"] == "3"
    assert [(one.rule, one.at.line, one.values["line"]) for one in found.clashes] == [("import/key-twice", 3, 1)]


def test_a_key_that_says_the_same_twice_is_no_finding(tmp_path: Path) -> None:
    text = "global_train_batch_size: 8\nmodel: {n_layers: 2}\nglobal_train_batch_size: 8\n---\nglobal_train_batch_size: 9\n"
    assert read(tmp_path, {"a.yaml": text}).clashes == []


def test_models_of_one_family_keep_names_of_their_own(tmp_path: Path) -> None:
    two = {"7b.json": json.dumps(MODEL), "70b.json": json.dumps(MODEL | {"num_hidden_layers": 80})}
    found = read(tmp_path, two)
    assert [one["name"] for one in plain(found.words["workloads"])] == ["7b", "70b"]
    folders = {"small/config.json": json.dumps(MODEL), "large/config.json": json.dumps(MODEL)}
    assert [one["name"] for one in plain(read(tmp_path, folders).words["workloads"])] == [
        "small-config",
        "large-config",
    ]
    [alone] = plain(read(tmp_path, {"7b.json": json.dumps(MODEL)}).words["workloads"])
    assert alone["name"] == "llama"


def test_a_pod_asks_for_what_all_its_containers_ask_for(tmp_path: Path) -> None:
    [words] = plain(read(tmp_path, {"job.yaml": JOB}).words["workloads"])
    job = words["job"]
    assert (job["cpus_per_worker"], job["memory_per_worker"], job["local_storage"]) == (
        "100",
        "1056768 MiB",
        "2048 MiB",
    )
    [open_] = plain(read(tmp_path, {"job.yaml": JOB.replace("8Gi", "$MEM")}).words["workloads"])
    assert "memory_per_worker" not in open_["job"]


def test_an_encoder_and_a_decoder_are_not_one_stack(tmp_path: Path) -> None:
    keys = {"model_type": "t5", "is_encoder_decoder": True, "num_layers": 24, "d_model": 64, "num_heads": 4}
    found = read(tmp_path, {"t5.json": json.dumps(keys)})
    assert "layers" not in plain(found.words["workloads"])[0]["model"]
    assert [one.word for one in found.unknowns] == ["workloads/t5/model/layers"]
