"""What a key that a file leaves out, or a key that another one switches off, means to the tool that reads it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import at, plain, read

if TYPE_CHECKING:
    from pathlib import Path

SHAPE = {"hidden_size": 64, "num_hidden_layers": 16, "num_attention_heads": 4, "vocab_size": 100}
PYTORCH = """
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: a}
spec:
  pytorchReplicaSpecs:
    Master: {template: &pod {spec: {containers: [{name: p, image: x, resources: {limits: {RESOURCE: 8}}}]}}}
    Worker: {replicas: 3, template: *pod}
"""
TRAINJOB = """
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: a}
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    numNodes: 4
    resourcesPerNode: {requests: {nvidia.com/gpu: 8, cpu: 16}, limits: {nvidia.com/gpu: 8, memory: 40Gi}}
"""


def model(tmp_path: Path, kind: str | None, **keys: Any) -> dict[str, Any]:
    text = json.dumps({"model_type": kind, **SHAPE, **keys})
    (words,) = plain(read(tmp_path, {"config.json": text}).words["workloads"])
    return dict(words["model"])


def job(tmp_path: Path, text: str) -> dict[str, Any]:
    (words,) = plain(read(tmp_path, {"job.yaml": text}).words["workloads"])
    return dict(words)


@pytest.mark.parametrize(
    ("kind", "kv_heads", "head", "gated", "tied"),
    [
        ("llama", "4", None, "true", "false"),
        ("mistral", "8", None, "true", "false"),
        ("qwen3", "32", "128", "true", "false"),
        ("gemma3_text", "4", "256", "true", "true"),
        ("cohere", "4", None, "true", "true"),
        ("starcoder2", "2", None, "false", "true"),
        ("nemotron", "4", None, "false", "false"),
        ("someone_s_own", None, None, None, None),
    ],
)
def test_what_a_family_means_by_silence(
    tmp_path: Path, kind: str, kv_heads: str | None, head: str | None, gated: str | None, tied: str | None
) -> None:
    found = model(tmp_path, kind)
    stated = tuple(found.get(one) for one in ("kv_heads", "head_dimension", "gated", "tied_embeddings"))
    assert stated == (kv_heads, head, gated, tied)


def test_a_default_says_which_version_has_it(tmp_path: Path) -> None:
    found = read(tmp_path, {"config.json": json.dumps({"model_type": "llama", **SHAPE})})
    value = at(found, "workloads/0/model/kv_heads")
    assert (value.how, value.note) == ("default", "as many as heads in Transformers 4.57")


def test_falcon_counts_heads_of_keys_where_its_newer_decoder_is_on(tmp_path: Path) -> None:
    old = model(tmp_path, "falcon", multi_query=True, new_decoder_architecture=False, num_kv_heads=4)
    assert old["kv_heads"] == "1"
    new = model(tmp_path, "falcon", multi_query=True, new_decoder_architecture=True, num_kv_heads=2)
    assert new["kv_heads"] == "2"


@pytest.mark.parametrize(("kind", "norm"), [("nemotron", "layernorm"), ("llama", "rmsnorm")])
def test_the_norm_behind_a_key_is_the_family_s(tmp_path: Path, kind: str, norm: str) -> None:
    assert model(tmp_path, kind, norm_eps=1e-5)["norm"] == norm


def test_layers_without_softmax_have_no_heads_of_attention(tmp_path: Path) -> None:
    shape = {"hidden_size": 64, "num_hidden_layers": 16, "num_heads": 4, "num_attention_heads": None}
    found = model(tmp_path, "gla", **shape)
    assert (found["linear_layers"], found.get("heads"), found.get("kv_heads")) == ("16", None, None)
    found = model(tmp_path, "gated_deltanet", **shape, attn={"layers": [3, 11], "num_heads": 2, "num_kv_heads": 1})
    assert (found["linear_layers"], found["linear_attention"], found["heads"]) == ("14", "gated-deltanet", "2")
    found = model(tmp_path, "mamba2", **shape, head_dim=16, state_size=128)
    assert (found["mamba_layers"], found["mamba_heads"], found["mamba_state"]) == ("16", "4", "128")
    assert not {"heads", "head_dimension"} & found.keys()


def test_a_file_of_the_mamba_library_describes_mamba_layers(tmp_path: Path) -> None:
    shape = {"model_type": None, "hidden_size": 768, "num_hidden_layers": 24, "num_attention_heads": None}
    found = model(tmp_path, None, **shape, ssm_cfg={"d_state": 8, "dt_rank": "auto", "expand": 3})
    words = ("mamba_layers", "attention_layers", "mamba_inner", "mamba_step_rank", "mamba_state", "convolution")
    assert [found[one] for one in words] == ["24", "0", "2304", "48", "8", "4"]
    second = model(tmp_path, None, **shape, ssm_cfg={"layer": "Mamba2"})
    assert (second["mamba_layers"], second.get("mamba_step_rank")) == ("24", None)
    mixed = model(tmp_path, None, **shape, ssm_cfg={}, attn_layer_idx=[3])
    assert not {"mamba_layers", "mamba_inner"} & mixed.keys()


def test_jamba_has_attention_and_experts_in_some_layers(tmp_path: Path) -> None:
    found = model(
        tmp_path, "jamba", num_experts=4, num_experts_per_tok=2, intermediate_size=128,
        attn_layer_period=8, attn_layer_offset=4, expert_layer_period=2, expert_layer_offset=1,
    )  # fmt: skip
    assert [found[one] for one in ("attention_layers", "mamba_layers", "expert_layers")] == ["2", "14", "8"]
    assert found["expert_feed_forward"] == "128"


@pytest.mark.parametrize(("scale", "interval"), [("linear", "500"), ("log", None)])
def test_checkpoints_at_powers_have_no_interval(tmp_path: Path, scale: str, interval: str | None) -> None:
    text = (
        '{"pipe_parallel_size": 1, "model_parallel_size": 1, "num_layers": 2, "hidden_size": 64, '
        f'"num_attention_heads": 4, "checkpoint_factor": 500, "checkpoint_scale": "{scale}"}}'
    )
    (words,) = plain(read(tmp_path, {"x.yml": text}).words["workloads"])
    assert words.get("checkpoint", {}).get("interval_steps") == interval


def test_a_role_without_a_number_is_one_pod(tmp_path: Path) -> None:
    found = job(tmp_path, PYTORCH.replace("RESOURCE", "nvidia.com/gpu"))
    assert (found["job"]["workers"], found["runs_on"]["gpus"]) == ("4", "32")


def test_slices_of_a_gpu_are_no_gpus(tmp_path: Path) -> None:
    found = job(tmp_path, PYTORCH.replace("RESOURCE", "nvidia.com/mig-1g.10gb"))
    assert found["job"]["workers"] == "4"
    assert "runs_on" not in found
    assert "gpus_per_worker" not in found["job"]


def test_a_train_job_states_what_each_node_has(tmp_path: Path) -> None:
    found = job(tmp_path, TRAINJOB)
    assert found["runs_on"] == {"gpus": "32"}
    assert [found["job"][one] for one in ("workers", "cpus_per_worker", "memory_per_worker")] == ["4", "16", "40 GiB"]
