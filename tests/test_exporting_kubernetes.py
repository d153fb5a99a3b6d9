"""What is exported for Kubernetes fits the schemas of Kueue and JobSet, and is read again as it was stated."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from tests.fabrics import exported
from tests.importers.helpers import plain, read
from tests.test_exporting import refused

SCHEMAS = Path(__file__).parent / "schemas"
CLUSTER = """\
designlint: 1
name: Hawk
nodes: [{name: train, gpus: 8, gpu: h100-sxm-80gb, count: 64}]
scheduler:
  kind: kubernetes
  batch_queue: kueue
  topology_levels: [cloud.example.com/block, kubernetes.io/hostname]
  queues:
    - {name: training, gpus: 512, resources: [nvidia.com/gpu], flavours: [h100], local_queues: [team-a]}
workloads:
  - name: pretrain
    runs_on: {gpus: 256}
    job: {queue: team-a, walltime: 2 days, topology_level: cloud.example.com/block, topology_required: true,
          image: "nvcr.io#nvidia/nemo:25.11"}
"""


def schemas() -> dict[str, Any]:
    """What each kind may hold; of pods only the fields that are exported."""
    texts = (SCHEMAS / "kueue.json", SCHEMAS / "jobset.json")
    return {kind: one for path in texts for kind, one in json.loads(path.read_text("utf-8"))["definitions"].items()}


def objects(format: str, text: str = CLUSTER) -> list[dict[str, Any]]:
    return [one for one in yaml.safe_load_all(exported(text, format).text) if one]


@pytest.mark.parametrize(
    ("format", "kinds"),
    [("jobset", ["JobSet"]), ("kueue", ["Topology", "ResourceFlavor", "ClusterQueue", "LocalQueue"])],
)
def test_every_object_fits_the_schema_of_its_kind(format: str, kinds: list[str]) -> None:
    found = objects(format)
    assert [one["kind"] for one in found] == kinds
    for one in found:
        jsonschema_rs.validate(schemas()[one["kind"]], one)


def test_the_schema_knows_a_field_that_there_is_not() -> None:
    (whole,) = objects("jobset")
    broken = deepcopy(whole)
    broken["spec"]["replicatedJobs"][0]["template"]["spec"]["parallel"] = 4
    with pytest.raises(jsonschema_rs.ValidationError, match="parallel"):
        jsonschema_rs.validate(schemas()["JobSet"], broken)


def test_a_job_set_is_read_again_as_the_job_that_was_stated(tmp_path: Path) -> None:
    (job,) = plain(read(tmp_path, {"job.yaml": exported(CLUSTER, "jobset").text}).words["workloads"])
    asked = {"workers": "32", "gpus_per_worker": "8", "queue": "team-a", "walltime": "172800 s"}
    asked |= {"topology_level": "cloud.example.com/block", "topology_required": "true"}
    assert job["name"] == "pretrain"
    assert asked.items() <= job["job"].items()


def test_cpus_and_memory_of_a_job_set_are_read_again_as_they_were_stated(tmp_path: Path) -> None:
    text = CLUSTER.replace("job: {", "job: {cpus_per_worker: 96, memory_per_worker: 1 TiB, ")
    (whole,) = objects("jobset", text)
    jsonschema_rs.validate(schemas()["JobSet"], whole)
    (job,) = plain(read(tmp_path, {"job.yaml": exported(text, "jobset").text}).words["workloads"])
    assert {"cpus_per_worker": "96", "memory_per_worker": f"{2**40} B"}.items() <= job["job"].items()


def test_what_a_job_set_needs_and_the_design_does_not_say_is_not_invented() -> None:
    assert "what the cluster calls a GPU" in refused(CLUSTER.replace("resources: [nvidia.com/gpu], ", ""), "jobset")
    assert "how many servers it needs" in refused(
        CLUSTER.replace("{gpus: 256}", "{}").replace(", count: 64", ""), "jobset"
    )
    for name in ("Pre_train", "7b-pretrain", "pre.train"):  # JobSet requires labels of RFC 1035 of its jobs and pods
        assert "accepts no name like" in refused(CLUSTER.replace("name: pretrain", f'name: "{name}"'), "jobset")
    bare = exported(CLUSTER.replace('image: "nvcr.io#nvidia/nemo:25.11"', ""), "jobset")
    assert "image:" not in bare.text
    assert "set `image`" in " ".join(bare.notes)


def test_a_name_leaves_room_for_what_is_added_to_those_of_the_pods() -> None:
    """As in pretrain-workers-0-31-x7k2p, which may have 63 letters."""
    (whole,) = objects("jobset", CLUSTER.replace("name: pretrain", f"name: {'a' * 44}"))
    assert whole["metadata"]["name"] == "a" * 44
    refusal = refused(CLUSTER.replace("name: pretrain", f"name: {'a' * 45}"), "jobset")
    assert "has 45 letters; names of 32 pods leave room for 44" in refusal


@pytest.mark.parametrize(("number", "accepted"), [(9, True), (16, True), (17, False)])
def test_kueue_takes_sixteen_levels(number: int, accepted: bool) -> None:
    levels = ", ".join(f"example.com/level-{one}" for one in range(number))
    text = CLUSTER.replace("cloud.example.com/block, kubernetes.io/hostname", levels, 1)
    if not accepted:
        assert "Kueue accepts up to 16 different levels" in refused(text, "kueue")
        return
    topology = objects("kueue", text)[0]
    jsonschema_rs.validate(schemas()["Topology"], topology)
    assert len(topology["spec"]["levels"]) == number


def test_quotas_of_cpus_and_memory_and_the_cohort_are_read_again_as_they_were_stated(tmp_path: Path) -> None:
    more = "cpus: 6144, host_memory: 64 TiB, borrowing_limit: 64, cohort: all, resources: [cpu, memory, nvidia.com/gpu]"
    text = CLUSTER.replace("resources: [nvidia.com/gpu]", more)
    (whole,) = [one for one in objects("kueue", text) if one["kind"] == "ClusterQueue"]
    jsonschema_rs.validate(schemas()["ClusterQueue"], whole)
    (queue,) = plain(read(tmp_path, {"queues.yaml": exported(text, "kueue").text}).words["scheduler"])["queues"]
    stated = {"gpus": "512", "cpus": "6144", "borrowing_limit": "64", "cohort": "all", "host_memory": f"{64 * 2**40} B"}
    assert stated.items() <= queue.items()
