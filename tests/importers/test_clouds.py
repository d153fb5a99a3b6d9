"""Definitions of clusters in clouds: blueprints of Google's toolkit and AWS ParallelCluster, beyond one pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

BLUEPRINT = """\
blueprint_name: two-pools
vars: {lustre: 36000, rate: 500, image: debian}
deployment_groups:
- group: primary
  modules:
  - id: script
    source: modules/scripts/startup-script
    settings: {runners: [{type: shell}]}
  - id: scratch
    source: modules/file-system/managed-lustre
    settings: {size_gib: $(vars.lustre), per_unit_storage_throughput: $(vars.rate)}
  - id: debug_nodes
    source: community/modules/compute/schedmd-slurm-gcp-v6-nodeset
    settings: {machine_type: n2-standard-2, node_count_static: 0, node_count_dynamic_max: 4}
  - id: a4x
    source: community/modules/compute/schedmd-slurm-gcp-v6-nodeset
    settings:
      machine_type: a4x-highgpu-4g
      accelerator_topology: 1x72
      node_count_static: 18
      node_count_dynamic_max: 18
      node_conf: {SocketsPerBoard: 2, CoresPerSocket: 70, ThreadsPerCore: 1}
      cpu_flavour: any
  - id: train
    source: community/modules/compute/schedmd-slurm-gcp-v6-partition
    use: [a4x]
    settings: {partition_name: train, is_default: true, exclusive: false}
"""


def test_a_blueprint_has_pools_partitions_and_file_systems(tmp_path: Path) -> None:
    words = plain(read(tmp_path, {"two.yaml": BLUEPRINT}).words)
    assert words["nodes"] == [
        {"name": "debug_nodes", "count": "4"},
        {
            "name": "a4x",
            "gpus": "4",
            "gpu": "gb200",
            "scale_up_domain": "72",
            "sockets": "2",
            "cpu_cores": "140",
            "cpu_threads": "140",
            "count": "36",
        },
    ]
    assert words["scheduler"]["partitions"] == [
        {"name": "train", "nodes": ["a4x"], "default": "true", "exclusive": "false"}
    ]
    assert words["storage"] == [
        {"name": "scratch", "kind": "lustre", "capacity": "36000 GiB", "read": "17578.1 MB/s"},
    ]


def test_settings_of_a_pool_that_nobody_knows_are_not_called_irrelevant(tmp_path: Path) -> None:
    found = read(tmp_path, {"two.yaml": BLUEPRINT})
    [account] = found.accounts()
    lines = BLUEPRINT.splitlines()
    assert [lines[number - 1].strip() for number in account.unclear] == ["cpu_flavour: any"]
    assert account.immaterial + account.understood + 1 == account.lines


def test_pools_that_are_made_several_times_count_as_often(tmp_path: Path) -> None:
    pool = """\
blueprint_name: gke
vars: {pools: 3, several: }
deployment_groups:
- group: primary
  modules:
  - id: pool
    source: modules/compute/gke-node-pool
    settings: {machine_type: a4x-highgpu-4g, static_node_count: 18, num_node_pools: $(vars.pools)}
"""
    assert plain(read(tmp_path, {"gke.yaml": pool}).words["nodes"])[0]["count"] == "54"
    left_open = read(tmp_path, {"gke.yaml": pool.replace("vars.pools", "vars.several")})
    assert [one.word for one in left_open.unknowns] == ["nodes/pool/count"]


def test_storage_of_parallel_cluster_that_is_named_twice_is_one(tmp_path: Path) -> None:
    entry = "- {Name: fsx, MountDir: /fsx, StorageType: FsxLustre, FsxLustreSettings: {StorageCapacity: 1200}}"
    text = f"Scheduling:\n  Scheduler: slurm\n  SlurmQueues: []\nSharedStorage:\n{entry}\n{entry}\n"
    words = plain(read(tmp_path, {"cluster.yaml": text}).words)
    assert words["storage"] == [{"name": "fsx", "kind": "lustre", "capacity": "1200 GiB"}]


def test_parameters_of_slurm_win_over_what_the_module_makes_of_its_own(tmp_path: Path) -> None:
    conf = "partition_conf: {OverSubscribe: EXCLUSIVE, MaxTime: 8:00:00}"
    text = BLUEPRINT.replace("exclusive: false}", f"exclusive: false, {conf}}}")
    (partition,) = plain(read(tmp_path, {"two.yaml": text}).words)["scheduler"]["partitions"]
    assert (partition["exclusive"], partition["walltime_limit"]) == ("true", "8 h")


def test_partitions_of_a_cluster_without_slurm_are_read_all_the_same(tmp_path: Path) -> None:
    text = "Scheduling:\n  Scheduler: awsbatch\n  SlurmQueues:\n    - Name: q1\n      ComputeResources:\n"
    text += "        - {Name: a, InstanceType: p5.48xlarge, MaxCount: 4}\n"
    found = plain(read(tmp_path, {"cluster.yaml": text}).words)
    assert found["scheduler"] == {"partitions": [{"name": "q1"}]}
    assert [one["name"] for one in found["nodes"]] == ["q1-a"]


PARALLEL = """\
Scheduling:
  Scheduler: slurm
  SlurmSettings:
    CustomSlurmSettings:
      - PreemptType: preempt/qos
        PreemptMode: REQUEUE
      - KillWait: 300
      - Mispelt: 1
    ExternalSlurmdbd: {Host: db}
  SlurmQueues:
    - Name: whole
      JobExclusiveAllocation: true
      CustomSlurmSettings: {MaxTime: "2-00:00:00", GraceTime: 60}
      ComputeResources: [{Name: p5, InstanceType: p5.48xlarge, MaxCount: 4}]
    - Name: shared
      CustomSlurmSettings: {OverSubscribe: EXCLUSIVE}
      ComputeResources: [{Name: p5, InstanceType: p5.48xlarge, MaxCount: 2}]
"""


def test_parallel_cluster_passes_parameters_on_to_slurm(tmp_path: Path) -> None:
    found = read(tmp_path, {"cluster.yaml": PARALLEL})
    scheduler = plain(found.words["scheduler"])
    assert (scheduler["preemption"], scheduler["accounting"]) == ("requeue", "true")
    assert "topology_aware" not in scheduler  # whatever else the tool writes is not in the file
    assert scheduler["partitions"] == [
        {"name": "whole", "walltime_limit": "48 h", "exclusive": "true"},
        {"name": "shared", "exclusive": "true"},
    ]
    (account,) = found.accounts()
    assert [PARALLEL.splitlines()[line - 1].strip() for line in account.unclear] == ["- Mispelt: 1"]


def test_local_disks_of_a_blueprint_are_drives(tmp_path: Path) -> None:
    local = "{disk_type: local-ssd, disk_size_gb: 375, boot: false}"
    disks = f"[{local}, {local}, {{disk_type: pd-ssd}}]"
    text = f"""\
blueprint_name: b
deployment_groups:
- group: primary
  modules:
  - id: disks
    source: community/modules/compute/schedmd-slurm-gcp-v6-nodeset
    settings: {{machine_type: a3-highgpu-8g, node_count_static: 2, additional_disks: {disks}}}
  - id: counted
    source: modules/compute/gke-node-pool
    settings: {{machine_type: a3-highgpu-8g, static_node_count: 2, local_ssd_count_nvme_block: 16}}
"""
    pools = {one["name"]: one for one in plain(read(tmp_path, {"b.yaml": text}).words["nodes"])}
    assert pools["disks"]["local_storage"] == {"drives": "2", "capacity": "750 GiB"}
    assert pools["counted"]["local_storage"] == {"drives": "16"}


@pytest.mark.parametrize(
    ("settings", "why"), [("", "no size is stated"), ("EbsSettings: {VolumeId: vol-1}", "named by its id")]
)
def test_storage_without_a_size_says_why(tmp_path: Path, settings: str, why: str) -> None:
    text = f"Scheduling: {{Scheduler: slurm, SlurmQueues: []}}\nSharedStorage:\n- Name: s\n  StorageType: Ebs\n  {settings}\n"
    (unknown,) = read(tmp_path, {"cluster.yaml": text}).unknowns
    assert unknown.why.endswith(why)


@pytest.mark.parametrize(
    ("raid", "capacity", "read_as"),
    [("Raid: {Type: 0, NumberOfVolumes: 4}", "2000 GiB", "1000 MiB/s"), ("Raid: {Type: 1}", "500 GiB", "250 MiB/s")],
)
def test_volumes_of_an_array_add_up_and_those_of_a_mirror_do_not(
    tmp_path: Path, raid: str, capacity: str, read_as: str
) -> None:
    volume = f"{{Name: s, StorageType: Ebs, EbsSettings: {{Size: 500, Throughput: 250, {raid}}}}}"
    text = f"Scheduling: {{Scheduler: slurm, SlurmQueues: []}}\nSharedStorage:\n- {volume}\n"
    (tier,) = plain(read(tmp_path, {"cluster.yaml": text}).words["storage"])
    assert (tier["capacity"], tier["read"]) == (capacity, read_as)


@pytest.mark.parametrize(
    ("settings", "kind"),
    [("fs_type: lustre", "lustre"), ("fs_type: daos", "daos"), ("server_ip: 10.0.0.2", "nfs"), ("fs_type: weka", None)],
)
def test_a_file_system_that_exists_is_of_the_kind_that_is_stated(
    tmp_path: Path, settings: str, kind: str | None
) -> None:
    module = f"{{id: scratch, source: modules/file-system/pre-existing-network-storage, settings: {{{settings}}}}}"
    text = f"blueprint_name: a\ndeployment_groups:\n- group: g\n  modules:\n  - {module}\n"
    found = plain(read(tmp_path, {"a.yaml": text}).words)
    assert [one["kind"] for one in found.get("storage", [])] == ([kind] if kind else [])


@pytest.mark.parametrize(("second", "gpus"), [("p5.48xlarge", "8"), ("g6.12xlarge", None)])
def test_machines_that_aws_chooses_among_leave_gpus_open(tmp_path: Path, second: str, gpus: str | None) -> None:
    kinds = f"[{{InstanceType: p5.48xlarge}}, {{InstanceType: {second}}}]"
    resource = f"{{Name: any, MaxCount: 4, Instances: {kinds}}}"
    text = f"Scheduling:\n  Scheduler: slurm\n  SlurmQueues:\n  - {{Name: q, ComputeResources: [{resource}]}}\n"
    found = read(tmp_path, {"cluster.yaml": text})
    assert plain(found.words["nodes"])[0].get("gpus") == gpus
    assert [one.why for one in found.unknowns] == ([] if gpus else ["AWS chooses among p5.48xlarge, g6.12xlarge"])


@pytest.mark.parametrize("kind", ["schedmd-slurm-gcp-v6-controller", "schedmd-slurm-gcp-v5-hybrid"])
def test_a_controller_on_premises_is_slurm_too(tmp_path: Path, kind: str) -> None:
    text = (
        "blueprint_name: b\nvars: {deployment_name: d}\ndeployment_groups:\n- group: primary\n  modules:\n"
        f"  - {{id: ctl, source: community/modules/scheduler/{kind}, settings: {{}}}}\n"
        "  - {id: set, source: community/modules/compute/schedmd-slurm-gcp-v6-nodeset, "
        "settings: {machine_type: g2-standard-48, node_count_static: 2}}\n"
    )
    words = plain(read(tmp_path, {"b.yaml": text}).words)
    assert (words["scheduler"]["kind"], words["nodes"][0]["gpus"]) == ("slurm", "4")
