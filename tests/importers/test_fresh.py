"""What files of other people state and was once passed over: widths that families imply, references, drives, memory of shares."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import at, plain, read

if TYPE_CHECKING:
    from pathlib import Path

FALCON = {"model_type": "RefinedWebModel", "n_layer": 32, "hidden_size": 4544, "n_head": 71, "multi_query": True}
SYSTEM = {"system_name": "s", "number_of_nodes": "4", "accelerators_per_node": "8", "cooling": "Liquid-cooled"}
CLUSTER = """
Scheduling:
  Scheduler: slurm
  SlurmSettings:
    Database: {Uri: "db:3306"}
  SlurmQueues:
    - Name: gpu
      CapacityType: SPOT
      ComputeResources:
        - {Name: p5, InstanceType: p5.48xlarge, MaxCount: 4}
SharedStorage:
  - {Name: home, StorageType: Ebs, MountDir: /home, EbsSettings: {Size: 500, Throughput: 250}}
  - {Name: data, StorageType: FsxLustre, MountDir: /fsx, FsxLustreSettings: {StorageCapacity: 1200, DataCompressionType: LZ4}}
"""
NEMO = """
trainer: {num_nodes: 2, devices: 8, max_steps: 100, val_check_interval: 50}
exp_manager: {checkpoint_callback_params: {every_n_train_steps: "${trainer.val_check_interval}"}}
model:
  encoder_seq_length: 4096
  max_position_embeddings: ${.encoder_seq_length}
  tensor_model_parallel_size: 4
  pipeline_model_parallel_size: 1
  micro_batch_size: 1
"""
FOUNDRY = """
max_duration: 10ba
global_train_batch_size: 8
train_loader: {name: finetuning}
model: {name: mpt_causal_lm, d_model: 64, n_heads: 4, n_layers: 2, ffn_config: {moe_num_experts: 4, moe_top_k: 2}}
"""
HEADER = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n{}\nsrun torchrun train.py --num-layers 2\n"


def first(tmp_path: Path, section: str, name: str, text: str) -> dict[str, Any]:
    """The first part of a section of one file."""
    return dict(plain(read(tmp_path, {name: text}).words[section])[0])


def model(tmp_path: Path, **keys: Any) -> dict[str, Any]:
    return dict(first(tmp_path, "workloads", "config.json", json.dumps(keys))["model"])


def test_families_imply_the_width_of_their_feed_forward_layer(tmp_path: Path) -> None:
    found = model(tmp_path, **FALCON)
    assert (found["feed_forward"], found["gated"], found["kv_heads"]) == ("18176", "false", "1")
    whole = read(tmp_path, {"config.json": json.dumps(FALCON)})
    assert at(whole, "workloads/0/model/feed_forward").note == "4 times the width in Transformers 4.57"
    assert model(tmp_path, **FALCON, ffn_hidden_size=9088)["feed_forward"] == "9088"
    mpt = {"model_type": "mpt", "n_layers": 2, "d_model": 64, "n_heads": 4, "attn_config": {"kv_n_heads": 2}}
    found = model(tmp_path, **mpt, expansion_ratio=3)
    assert (found["feed_forward"], found["kv_heads"]) == ("192", "2")
    llama = {**mpt, "model_type": "llama"}
    assert "feed_forward" not in model(tmp_path, **llama)


def test_t5_says_itself_whether_its_layer_is_gated(tmp_path: Path) -> None:
    keys = {"model_type": "t5", "num_layers": 2, "d_model": 64, "num_heads": 4, "d_kv": 16}
    gated = model(tmp_path, **keys, feed_forward_proj="gated-gelu")
    assert (gated["gated"], gated["head_dimension"]) == ("true", "16")
    assert model(tmp_path, **keys, feed_forward_proj="relu")["gated"] == "false"


def test_layers_that_predict_further_tokens(tmp_path: Path) -> None:
    keys = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_nextn_predict_layers": 1}
    assert model(tmp_path, **keys)["multi_token_prediction_layers"] == "1"


@pytest.mark.parametrize(
    ("drives", "many", "size"),
    [
        ("8x 3.5TB NVMe SSD + 8x3.5TB NVMe", "16", "56 TB"),
        ("2x 1.92TB NVMe SSD + 8x 3.84TB NVMe U.2", "8", "30.72 TB"),
        ("4x 960GB + 1x 3.84TB", "4", "3840 GB"),
    ],
)
def test_drives_of_one_size_belong_together(tmp_path: Path, drives: str, many: str, size: str) -> None:
    pool = first(tmp_path, "nodes", "s.json", json.dumps(SYSTEM | {"host_storage_capacity": drives}))
    assert pool["local_storage"] == {"drives": many, "capacity": size}
    assert pool["cooling"] == "liquid"


def test_parallel_cluster_states_accounting_rates_and_compression(tmp_path: Path) -> None:
    found = read(tmp_path, {"cluster.yaml": CLUSTER})
    words = plain(found.words)
    assert words["scheduler"]["accounting"] == "true"
    home, data = words["storage"]
    assert (home["capacity"], home["read"], data["data_reduction"]) == ("500 GiB", "250 MiB/s", "true")
    [account] = found.accounts()
    assert [CLUSTER.splitlines()[number - 1].strip() for number in account.unclear] == ["CapacityType: SPOT"]


def test_references_of_nemo_are_followed(tmp_path: Path) -> None:
    words = first(tmp_path, "workloads", "conf.yaml", NEMO)
    assert words["checkpoint"]["interval_steps"] == "50"
    assert words["model"]["positions"] == "4096", "a dot leads to what stands beside the reference"


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("${multiply:4, ${.hidden_size}}", "4096"),
        ("${multiply:${model.num_layers},${.hidden_size}}", "8192"),
        ("${multiply:4, ${..hidden_size}}", None),
        ("${multiply:4, ${.ffn_hidden_size}}", None),
        ("${divide:4096, ${.hidden_size}}", None),
        ("${multiply:4, ${.activation}}", None),
    ],
)
def test_products_of_nemo_are_worked_out(tmp_path: Path, text: str, width: str | None) -> None:
    conf = f"{NEMO}  hidden_size: 1024\n  num_layers: 8\n  activation: gelu\n  ffn_hidden_size: {text}\n"
    assert first(tmp_path, "workloads", "conf.yaml", conf)["model"].get("feed_forward") == width


def test_llm_foundry_experts_and_fine_tuning(tmp_path: Path) -> None:
    words = first(tmp_path, "workloads", "a.yaml", FOUNDRY)
    assert (words["model"]["experts"], words["model"]["experts_per_token"], words["kind"]) == ("4", "2", "fine-tuning")


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ("#SBATCH --gpus-per-node=8\n#SBATCH --mem-per-gpu=60G", "480 GiB"),
        ("#SBATCH --cpus-per-task=4\n#SBATCH --mem-per-cpu=2G", "64 GiB"),
        ("#SBATCH --mem-per-cpu=2000", "16000 MiB"),
        ("#SBATCH --mem=500G\n#SBATCH --mem-per-cpu=2G", "500 GiB"),
        ("#SBATCH --exclusive\n#SBATCH --mem-per-cpu=2G", None),
        ("#SBATCH --mem-per-gpu=60G", None),
    ],
)
def test_memory_of_each_gpu_or_cpu_adds_up_on_a_server(tmp_path: Path, options: str, size: str | None) -> None:
    assert first(tmp_path, "workloads", "a.sbatch", HEADER.format(options))["job"].get("host_memory") == size


def test_all_of_kubeflows_jobs_are_read(tmp_path: Path) -> None:
    text = (
        "apiVersion: kubeflow.org/v1\nkind: PaddleJob\nmetadata: {name: p}\nspec: {paddleReplicaSpecs: {Worker: "
        "{replicas: 2, template: {spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 8}}}]}}}}}\n"
    )
    job = first(tmp_path, "workloads", "job.yaml", text)["job"]
    assert (job["workers"], job["gpus_per_worker"]) == ("2", "8")
