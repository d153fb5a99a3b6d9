"""What is exported for Slurm, Kueue, NCCL and Megatron-LM, and read again by importers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from designlint import exporters

from .fabrics import REGULAR, again, exported, order
from .importers.helpers import plain, read
from .test_exporting import refused

if TYPE_CHECKING:
    from pathlib import Path

SCHEDULED = (
    REGULAR.replace(
        "    gpus: 8\n",
        "    gpus: 8\n    sockets: 2\n    cpu_cores: 112\n    cpu_threads: 224\n    scheduled_memory: 2063000 MiB\n",
    )
    + """\
scheduler:
  kind: slurm
  topology_aware: true
  block_size: 6
  partitions:
    - {name: train, servers: "train-[01-12]", walltime_limit: 48 h, default: true, exclusive: true}
    - {name: all, unlimited: true}
"""
)
NODES = '    servers: "gpu[01-12]"\n'
QUEUED = """\
designlint: 1
name: Hawk
scheduler:
  kind: kubernetes
  batch_queue: kueue
  topology_levels: [cloud.example.com/block, cloud.example.com/rack, kubernetes.io/hostname]
  queues:
    - {name: training, gpus: 512, resources: [nvidia.com/gpu, cpu], flavours: [h100], local_queues: [team-a], borrowing_limit: 8}
    - {name: mixed, gpus: 64, resources: [nvidia.com/gpu], flavours: [h100, h200]}
    - {name: open, resources: [nvidia.com/gpu], flavours: [h100]}
"""


def imported(folder: Path, files: dict[str, str]) -> Any:
    found = read(folder, files)
    assert not found.refused
    assert not found.clashes
    assert all(not one.partial for one in found.accounts())
    return found.words


def test_the_tree_has_a_unit_above_each_server(tmp_path: Path) -> None:
    export = exported(SCHEDULED, "topology-conf")
    lines = [line for line in export.text.splitlines() if not line.startswith("#")]
    assert lines == [
        "SwitchName=unit-1 Nodes=train-[01-06]",
        "SwitchName=unit-2 Nodes=train-[07-12]",
        "SwitchName=spines-1 Switches=unit-[1-2]",
    ]
    assert "# unit-2 stands for leaf-[05-08]" in export.text
    wiring = again(export.text, tmp_path, "topology.conf")
    assert {name: one.role for name, one in wiring.switches.items()} == {
        "unit-1": "leaf",
        "unit-2": "leaf",
        "spines-1": "spine",
    }
    assert len(wiring.servers) == 12


def test_yaml_and_conf_are_the_same_topology(tmp_path: Path) -> None:
    conf, text = (imported(tmp_path, {name: exported(SCHEDULED, to).text}) for name, to in
                  (("topology.conf", "topology-conf"), ("topology.yaml", "topology-yaml")))  # fmt: skip
    assert plain(conf["fabrics"])[0]["topology"] == plain(text["fabrics"])[0]["topology"]
    tables = yaml.safe_load(exported(SCHEDULED, "topology-yaml").text)
    assert [(one["topology"], one["cluster_default"]) for one in tables] == [("tree", True), ("block", False)]
    assert tables[1]["block"]["block_sizes"] == [6]


def test_blocks_are_cut_from_units_or_listed(tmp_path: Path) -> None:
    words = imported(tmp_path, {"topology.conf": exported(SCHEDULED, "topology-block").text})
    assert [(one["name"], one["count"]) for one in plain(words["scheduler"])["blocks"]] == [
        ("block-1", "6"),
        ("block-2", "6"),
    ]
    halves = exported(SCHEDULED.replace("block_size: 6", "block_size: 3"), "topology-block").text
    assert "BlockName=block-4 Nodes=train-[10-12]" in halves
    racks = exported(SCHEDULED.replace("block_size: 6", "block_size: 4"), "topology-block").text
    assert "BlockName=block-2 Nodes=train-[07-12]" in racks
    listed = SCHEDULED.replace(
        "block_size: 6", 'block_sizes: [2]\n  blocks: [{name: rack-1, servers: "train-[01-03]"}]'
    )
    assert "BlockName=rack-1 Nodes=train-[01-03]\nBlockSizes=2" in exported(listed, "topology-block").text


def test_blocks_that_slurm_would_refuse_are_refused() -> None:
    assert "at least the base size, 8" in refused(SCHEDULED.replace("block_size: 6", "block_size: 8"), "topology-block")
    assert "neither `blocks` nor" in refused(SCHEDULED.replace("  block_size: 6\n", ""), "topology-block")
    wide = SCHEDULED.replace("scalable_unit: 6", "scalable_unit: 12").replace("block_size: 6", "block_size: 5")
    assert "do not divide a unit of 12" in refused(wide, "topology-block")


def test_servers_that_share_some_leaves_have_no_place_in_a_tree() -> None:
    text = """\
designlint: 1
fabrics:
  - name: compute
    topology:
      switches: [{name: a, role: leaf}, {name: b, role: leaf}, {name: c, role: leaf}]
      host_links: [{server: n1, to: a}, {server: n1, to: b}, {server: n2, to: b}, {server: n2, to: c}]
"""
    assert "n1 and n2 share b, but not all their leaves" in refused(text, "topology-conf")


def test_nodes_and_partitions_are_read_again(tmp_path: Path) -> None:
    named = SCHEDULED.replace("    count: 12\n", f"    count: 12\n{NODES}").replace("train-[01-12]", "gpu[01-12]")
    export = exported(named, "slurm-conf")
    words = imported(tmp_path, {"slurm.conf": "ClusterName=x\n" + export.text})
    [pool] = plain(words["nodes"])
    assert pool == {
        "name": "gpu", "count": "12", "servers": "gpu[01-12]", "sockets": "2", "cpu_cores": "112", "cpu_threads": "224",
        "scheduled_memory": "2063000 MiB", "gpus": "8", "gpu": "h100-sxm-80gb",
    }  # fmt: skip
    scheduler = plain(words["scheduler"])
    assert scheduler["topology_aware"] == "true"
    assert scheduler["partitions"] == [
        {"name": "train", "servers": "gpu[01-12]", "walltime_limit": "48 h", "default": "true", "exclusive": "true"},
        {"name": "all", "unlimited": "true", "servers": "gpu[01-12]"},
    ]


def test_what_slurm_conf_lacks_is_said() -> None:
    notes = " ".join(exported(REGULAR, "slurm-conf").notes)
    for lacking in ("`servers`", "`scheduled_memory`", "no partitions", "gres.conf"):
        assert lacking in notes


def test_queues_are_read_again_and_what_they_lack_is_said(tmp_path: Path) -> None:
    export = exported(QUEUED, "kueue")
    words = imported(tmp_path, {"kueue.yaml": export.text})
    scheduler = plain(words["scheduler"])
    assert scheduler["topology_levels"] == [
        "cloud.example.com/block",
        "cloud.example.com/rack",
        "kubernetes.io/hostname",
    ]
    assert scheduler["queues"] == [
        {
            "name": "training",
            "gpus": "512",
            "resources": ["nvidia.com/gpu"],
            "flavours": ["h100"],
            "local_queues": ["team-a"],
        }
    ]
    notes = " ".join(export.notes)
    for lacking in (
        "queue mixed: 64 GPUs of 2 flavours",
        "queue open: no quota",
        "cohort",
        "quota of cpu",
        "`nodeLabels`",
        "`namespaceSelector`",
    ):
        assert lacking in notes
    kinds = [one["kind"] for one in yaml.safe_load_all(export.text) if one]
    assert kinds == ["Topology", "ResourceFlavor", "ClusterQueue", "LocalQueue"]


def test_kueue_is_refused_where_it_would_refuse() -> None:
    assert "neither `topology_levels` nor `queues`" in refused(SCHEDULED, "kueue")
    assert "only as the last" in refused(QUEUED.replace("cloud.example.com/block", "kubernetes.io/hostname"), "kueue")
    assert "accepts no name like" in refused(QUEUED.replace("name: training", "name: Training_1"), "kueue")
    assert "accepts no name like" in refused(QUEUED.replace("name: training", "name: training..1"), "kueue")
    assert "accepts no name like" in refused(QUEUED.replace("name: training", f"name: {'a' * 254}"), "kueue")


def test_names_of_kueue_may_have_dots() -> None:
    assert "name: train.large" in exported(QUEUED.replace("name: training", "name: train.large"), "kueue").text


def test_the_environment_is_read_again(tmp_path: Path) -> None:
    stated = "{nccl_ib_hca: 'mlx5_0,mlx5_1', nccl_ib_timeout: 22, nccl_debug: warn, nccl_algo: 'a b;rm'}"
    text = f"designlint: 1\nsoftware:\n  environment: {stated}\n"
    export = exported(text, "nccl-env")
    assert "export NCCL_ALGO='a b;rm'" in export.text
    script = export.text + "srun torchrun train.py\n"
    environment = plain(imported(tmp_path, {"job.sh": script})["workloads"])[0]["environment"]
    assert environment == {
        "nccl_ib_hca": "mlx5_0,mlx5_1",
        "nccl_ib_timeout": "22",
        "nccl_debug": "warn",
        "nccl_algo": "a b;rm",
    }
    assert "software.environment" in refused(REGULAR, "nccl-env")


MODEL = """\
designlint: 1
workloads:
  - name: small
    model: {layers: 2}
  - name: pretrain
    model: {layers: 80, hidden: 8192, heads: 64, kv_heads: 8, feed_forward: 28672, gated: true, norm: rmsnorm, sequence: 8192,
            tied_embeddings: false}
    parallelism: {tensor: 8, pipeline: 4, context: 2, virtual_stages: 5, micro_batch: 1, global_batch: 1792, zero_stage: 1,
                  sequence_parallel: true, recompute: selective, overlap: true}
    precision: bf16
    checkpoint: {mode: asynchronous, interval: 30 min}
"""


def test_arguments_are_read_again(tmp_path: Path) -> None:
    export = exported(MODEL, "megatron", "pretrain")
    launch = 'torchrun --nproc-per-node 8 pretrain_gpt.py --save /ckpt --save-interval 100 "${MEGATRON_ARGS[@]}"'
    script = f"#!/bin/bash\n{export.text}{launch}\n"
    [job] = plain(read(tmp_path, {"job.sh": script}).words["workloads"])
    stated = yaml.safe_load(MODEL)["workloads"][1]
    assert {word: job["parallelism"][word] for word in stated["parallelism"]} == {
        word: str(value).lower() for word, value in stated["parallelism"].items()
    }
    assert {word: job["model"][word] for word in stated["model"]} == {
        word: str(value).lower() for word, value in stated["model"].items()
    }
    assert (job["checkpoint"]["mode"], job["precision"]["matmul"]) == ("asynchronous", "bf16")
    [alone] = plain(read(tmp_path, {"arguments": export.text}).words["workloads"])
    assert alone["parallelism"].items() <= job["parallelism"].items()
    for told in ("--save-interval counts steps", "--max-position-embeddings"):
        assert told in " ".join(export.notes)


def test_a_run_of_tokens_ends_after_so_many_samples(tmp_path: Path) -> None:
    """Megatron-LM has no `--train-tokens`, and takes iterations or samples, not both."""
    sparse = MODEL.replace("sequence: 8192,", "sequence: 8192, experts: 8, experts_per_token: 2, dense_layers: 3,")
    for more, wanted in (
        ("data: {tokens: 8192e6}", "--train-samples 1000000"),
        ("targets: {samples: 700}\n    data: {tokens: 8192e6}", "--train-samples 700"),
        ("targets: {steps: 500}\n    data: {tokens: 8192e6}", "--train-iters 500"),
    ):
        text = exported(f"{sparse}    {more}\n", "megatron", "pretrain").text
        assert [one for one in text.split("\n") if "--train" in one and one.startswith("    ")] == [f"    {wanted}"]
    launch = 'torchrun --nproc-per-node 8 pretrain_gpt.py "${MEGATRON_ARGS[@]}"'
    [job] = plain(read(tmp_path, {"job.sh": f"#!/bin/bash\n{text}{launch}\n"}).words["workloads"])
    assert (job["model"]["dense_layers"], job["targets"]) == ("3", {"steps": "500"})
    latent = exported(
        MODEL.replace("norm: rms", "attention: mla, head_dimension: 128, norm: rms"), "megatron", "pretrain"
    )
    assert "--qk-head-dim 128" in latent.text
    assert "--kv-channels" not in latent.text
    uneven = exported(MODEL.replace("tensor: 8", "tensor: 8, uneven_stages: true"), "megatron", "pretrain")
    assert "which layers each stage has" in " ".join(uneven.notes)


def test_every_format_is_written_or_refused_in_a_sentence() -> None:
    """Of an empty design nothing can be said; no format fails otherwise."""
    from designlint.exporters import ExportRefusal
    from designlint.reading.errors import UsageError

    for name in exporters.names():
        with pytest.raises((ExportRefusal, UsageError), match=r"states|pool"):
            exporters.load_format(name).write(order("designlint: 1\n"))


def test_megatron_refuses_shared_experts_of_no_width() -> None:
    """`--moe-shared-expert-intermediate-size 0` ends its start; a model without such experts leaves the argument out."""
    for width, said in ((0, False), (2048, True)):
        sparse = f"sequence: 8192, experts: 8, experts_per_token: 2, shared_expert_feed_forward: {width},"
        text = exported(MODEL.replace("sequence: 8192,", sparse), "megatron", "pretrain").text
        assert (f"--moe-shared-expert-intermediate-size {width}" in text) is said
        assert "--moe-shared-expert-intermediate-size 0" not in text


def test_megatron_refuses_a_limit_of_groups_without_their_number() -> None:
    """`transformer_config` demands --moe-router-num-groups, and a design states servers, not groups of experts."""
    sparse = "sequence: 8192, experts: 8, experts_per_token: 2, servers_per_token: 4,"
    export = exported(MODEL.replace("sequence: 8192,", sparse), "megatron", "pretrain")
    assert "--moe-router-group-topk" not in export.text.split("MEGATRON_ARGS")[1]
    assert "left out: --moe-router-group-topk 4" in " ".join(export.notes)
