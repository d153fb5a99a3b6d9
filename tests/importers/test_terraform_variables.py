"""Terraform variables: workers of Slurm on Kubernetes, groups of GPU servers, single machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path


def test_terraform_variables_with_objects_in_lists_and_comments(tmp_path: Path) -> None:
    text = """\
/* workers */
slurm_nodeset_workers = [
  {
    size = 16 # servers
    resource = { platform = "gpu-h100-sxm", preset = "8gpu-128vcpu-1600gb" }
  },
]
slurm_nodeset_controller = { size = 2 }
accounting_enabled = true
"""
    words = plain(read(tmp_path, {"terraform.tfvars": text}).words)
    assert words["nodes"] == [
        {
            "name": "worker",
            "count": "16",
            "gpus": "8",
            "cpu_threads": "128",
            "host_memory": "1600 GB",
            "gpu": "h100-sxm-80gb",
        }
    ]
    assert words["scheduler"] == {"kind": "slurm-on-kubernetes", "controllers": "2", "accounting": "true"}


def test_terraform_variables_of_gpu_groups_and_of_single_machines(tmp_path: Path) -> None:
    text = """\
cpu_nodes_platform = "cpu-d3"
cpu_nodes_preset = "4vcpu-16gb"
gpu_nodes_count_per_group = 2 # servers
gpu_node_groups = 3
gpu_nodes_platform = "gpu-h200-sxm"
gpu_nodes_preset = "8gpu-128vcpu-1600gb"
filestore_disk_size = 10 * (1024 * 1024) # an expression
infiniband_fabric = ""
"""
    (pool,) = plain(read(tmp_path, {"terraform.tfvars": text}).words)["nodes"]
    assert pool == {
        "name": "gpu_nodes", "count": "6", "gpus": "8", "cpu_threads": "128", "host_memory": "1600 GB", "gpu": "h200-sxm",
    }  # fmt: skip
    one = 'platform = "gpu-h100-sxm"\npreset = "1gpu-16vcpu-200gb"\ninstance_count = 4\n'
    (pool,) = plain(read(tmp_path, {"machine.tfvars": one}).words)["nodes"]
    assert (pool["name"], pool["count"], pool["gpus"]) == ("instance", "4", "1")
    several = text.replace("gpu_node_groups = 3\n", "")
    (pool,) = plain(read(tmp_path, {"terraform.tfvars": several}).words)["nodes"]
    assert "count" not in pool


def test_the_first_versions_of_soperator_state_workers_apart_from_their_servers(tmp_path: Path) -> None:
    text = """\
k8s_cluster_node_group_gpu = {
  resource    = { platform = "gpu-h100-sxm", preset = "8gpu-128vcpu-1600gb" }
  gpu_cluster = { infiniband_fabric = "fabric-2" }
}
slurm_node_count = { controller = 2, worker = 16 }
accounting_enabled = true
"""
    words = plain(read(tmp_path, {"terraform.tfvars": text}).words)
    pool = {"gpus": "8", "cpu_threads": "128", "host_memory": "1600 GB", "gpu": "h100-sxm-80gb"}
    assert words["nodes"] == [{"name": "worker", "count": "16", **pool}]
    assert words["scheduler"] == {"kind": "slurm-on-kubernetes", "controllers": "2", "accounting": "true"}
    text = """\
k8s_cluster_node_group_gpu = { platform = "h100", size = 4, cpu_cores = 160, memory_gb = 1280, gpus = 8 }
slurm_cluster_node_worker_count = 3
slurm_cluster_node_controller_count = 2
slurm_cluster_node_login_count = 2
slurm_cluster_nccl_benchmark_settings = { threshold_more_than = "420" }
"""
    found = read(tmp_path, {"terraform.tfvars": text})
    pool = {"gpus": "8", "cpu_threads": "160", "host_memory": "1280 GB", "gpu": "h100-sxm-80gb"}
    assert plain(found.words)["nodes"] == [{"name": "worker", "count": "3", **pool}]
    facts = {one.name: one.value.text for one in found.facts}
    assert (facts["login nodes"], facts["NCCL benchmark threshold"]) == ("2", "420 GB/s")
