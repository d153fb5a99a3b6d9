"""The known defects of the shared collection: those that a rule can reach are found at their place, nothing on what is clean."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest

from designlint.configuration import engine
from designlint.design import jobs
from designlint.findings.model import Severity
from designlint.linting.jobs import JobCluster
from designlint.linting.pipeline import lint
from designlint.reading import read_bytes
from tests.importers import shared

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.findings.model import Finding

#: Clusters that the jobs are judged against; without one only what a file says by itself is.
CLUSTERS = {
    "": "",
    "h100": "nodes:\n  - {name: train, model: dgx-h100, count: 2048, interfaces: [eth0]}\n",
    "h200": "nodes:\n  - {name: train, gpu: h200-sxm, gpus: 8, count: 64}\n",
}
WALLTIME, REQUEST = "scheduling/no-walltime", "scheduling/no-gpus-requested"
RUN, END = "checkpoint/interval-beyond-run", "checkpoint/only-at-the-end"


FABRIC = "fabrics: [{name: compute, topology: {from: FILE}}]"
ROCE = "fabrics: [{name: compute, purpose: compute, technology: roce-v2, from: FILE}]"
TARANIS = "nodes: [{from: [taranis-slurm.conf, FILE, taranis-partition.conf]}]"
TRAFFIC = "\nsoftware: {environment: {nccl_ib_tc: 106}}"


class Known(NamedTuple):
    """A defect as it is found: file, how its description begins, rule, line, cluster, what `--set` gives."""

    path: str
    defect: str
    rule: str
    line: int
    cluster: str = ""
    given: tuple[tuple[str, str], ...] = ()


KNOWN = (
    Known("job-megatron/aws-gpt3.sbatch", "comment says", "model/other-size-than-remarked", 33),
    Known("job-megatron/aws-gpt3.sbatch", "for 5, 6 or 7 nodes", "import/branch-leaves-unset", 21),
    Known("job-megatron/aws-llama2-70b.sbatch", "--ffn-hidden-size", "model/other-size-than-remarked", 45),
    Known("job-megatron/aws-gpt3.sbatch", "no --save", "checkpoint/none-in-many-steps", 101),
    Known("job-megatron/aws-gpt3.sbatch", "no gpus requested", REQUEST, 6),
    Known("job-megatron/aws-llama3-8b.sbatch", "no walltime", WALLTIME, 6),
    Known("job-megatron/azure-gpt3-175b.sbatch.sh", "MERGE_FILE", "import/file-of-other-flag", 135),
    Known("job-megatron/azure-gpt3-175b.sbatch.sh", "--cpus-per-task=8", "scheduling/fewer-cpus-than-processes", 5),
    Known(
        "job-megatron/azure-gpt3-175b.sbatch.sh", "no --nodes", "parallelism/degrees-not-dividing-gpus", 32, "h100",
        (("nodes", "8"),),
    ),
    Known("job-megatron/azure-gpt3-175b.sbatch.sh", "no walltime", WALLTIME, 2),
    Known("job-megatron/bloom-176b.slurm", "CUDA_LAUNCH_BLOCKING=1", "software/kernel-launches-wait", 203),
    Known("job-megatron-yaml/gpt3-mcore-tp2-pp2-vp.yaml", "save-interval", END, 36),
    Known("job-megatron-yaml/gpt3-weekly-tp2-pp2-fp8.yaml", "save-interval", END, 37),
    Known(
        "job-megatron-yaml/mixtral-8x7b-alltoall-tp2-pp4-ep4.yaml", "5000 steps", "checkpoint/interval-of-many-steps", 83
    ),
    Known("job-deepspeed/aws-103b.sbatch", "stated ~103 B", "model/other-size-than-named", 7),
    Known("job-deepspeed/aws-103b.sbatch", "--num-workers 0", "software/no-loader-workers", 206),
    Known("job-deepspeed/aws-103b.sbatch", "no nodes and no walltime", WALLTIME, 6),
    Known("job-deepspeed/bigscience-gpt2-n16-offload.slurm", "MICRO_BATCH_SIZE=96", "import/value-said-to-fail", 35),
    Known("job-deepspeed/bigscience-gpt2-n16-offload.slurm", "misspelt key", "import/misspelt-key", 136),
    Known("job-deepspeed/bigscience-gpt2-n16-offload.slurm", "10 min", "scheduling/work-lost-at-walltime", 9),
    Known("job-torch/aws-fsdp-llama31-70b.sbatch", "checkpoint_freq", RUN, 91),
    Known("job-torch/aws-fsdp-llama31-70b.sbatch", "NCCL_SOCKET_IFNAME", "software/nccl-interface-missing", 43, "h100"),
    Known("job-neox/neox-175b.yml", "TP 1 x PP 1", "memory/layers-beyond-any-gpu", 6),
    Known("job-neox/neox-175b.yml", "10,000 steps", "checkpoint/interval-of-many-steps", 83),
    Known("job-nanotron/qwen.yaml", "checkpoint_interval", RUN, 2),
    Known(
        "job-recipe/gcp-a3ultra-llama3-70b-32gpu-launch.sh", "--gpu h100", "scheduling/other-gpus-than-the-pool", 97, "h200"
    ),
    Known("job-nccl-test/aws-nccl-ami.sbatch", "comment", "scheduling/size-contradicts-comment", 6),
    Known("job-nccl-test/aws-nccl-ami.sbatch", "no GPU request", REQUEST, 5),
    Known("job-nccl-test/aws-nccl-container.sbatch", "comment", "scheduling/size-contradicts-comment", 7),
    Known("job-nccl-test/aws-nccl-container.sbatch", "the GPU request", "import/request-commented-out", 9),
    Known("k8s-job/aws-fsdp-llama31-70b-pytorchjob.yaml", "checkpoint_freq", RUN, 100),
    Known("k8s-job/aws-fsdp-llama31-70b-pytorchjob.yaml", "NCCL_SOCKET_IFNAME", "software/nccl-bridges-not-excluded", 76),
    Known("k8s-job/gke-sample-kueue-job.yaml", "queue name", "import/queue-annotation", 21),
    Known("k8s-job/gke-sample-kueue-job.yaml", "GPU nodes", REQUEST, 42),
)  # fmt: skip
#: Defects of what a cluster is described by: file, how they begin, rule, line, and the design that imports the file.
DESCRIBED = (
    ("slurm/azure-block-topology.conf", "BlockSizes=1", "scheduling/blocks-unused", 13, "scheduler: {from: FILE}"),
    ("slurm/azure-illegal-block-topology.conf", "BlockSizes=20", "import/blocks-missing", 17, "scheduler: {from: FILE}"),
    ("slurm/azure-sharp-topology.conf", "ibsw47 and each", "import/circle", 47, FABRIC),
    ("slurm/taranis-gres.conf", "gres.conf names", "import/unknown-name", 1, TARANIS),
    ("slurm/taranis-gres.conf", "GresTypes", "import/gpus-not-managed", 1, TARANIS),
    ("slurm/tara-slurm.conf", "tara-dgx1", "import/gpus-undeclared", 152, "nodes: [{from: FILE}]"),
    ("cloud-nebius/soperator-terraform.tfvars", "nccl_use", "import/benchmark-without-network", 397, "from: FILE"),
    ("cloud-nebius/soperator-terraform.tfvars", "infiniband_fabric", "import/fabric-left-empty", 287, "from: FILE"),
    ("sonic/mellanox4600c-qos.json", "20 ports are", "network/pause-storms-unwatched", 255, ROCE),
    ("sonic/mellanox4600c-qos.json", "four lossless", "network/too-many-lossless-priorities", 255, ROCE),
    ("sonic/s6000-tor-config-db.json", "no PFC_WD", "network/pause-storms-unwatched", 21, ROCE),
    ("sonic/s6000-tor-config-db.json", "DSCP 26", "network/nccl-in-lossy-class", 3, ROCE + TRAFFIC),
    (
        "kueue/gke-tas-queues.yaml", "quota", "scheduling/quota-beyond-cluster", 51,
        "nodes: [{name: a, gpus: 8, count: 64}]\nscheduler: {from: FILE}",
    ),
    ("kueue/kueue-tas-sample-queues.yaml", "nvidia.com/gpu", "scheduling/queue-without-gpus", 27, "scheduler: {from: FILE}"),
)  # fmt: skip
#: Defects of jobs that no rule reaches: remarks on sister files and on other settings, tests that need no checkpoint, presets
#: of elsewhere, schedules of a longer run, layers gathered for a moment, an elastic size whose precision the file leaves open.
BEYOND = (
    ("job-megatron/aws-gpt3.sbatch", "comment '2 p4d(e)"),
    ("job-megatron/aws-llama2-70b.sbatch", "a true 70 B"),
    ("job-megatron/aws-llama3-8b.sbatch", "no --save"),
    ("job-megatron-yaml/mixtral-8x7b-alltoall-tp2-pp4-ep4.yaml", "lr-decay-samples"),
    ("job-torch/aws-torchtitan-llama3-8b.toml", "comment"),
    ("job-torch/torchtitan-deepseek-v3-671b.toml", "expert_parallel_degree"),
    ("k8s-job/aws-fsdp-llama31-70b-pytorchjob.yaml", "elastic"),
)
#: The same of clusters: the top of a drawn tree may stand for many, slots may be newer than GPUs, a virtual machine
#: hides its PCIe switches, a reservation replaces a placement group, and nothing says how many servers may be away.
UNREACHED = (
    ("slurm/azure-sharp-topology.conf", "ibsw47 alone"),
    ("nccl-xml/azure-ndv2-topo.xml", "V100 is PCIe 3"),
    ("nccl-xml/azure-ndv2-topo.xml", "one adapter"),
    ("cloud-aws/pcluster-vanilla.yaml", "placement group off"),
    ("cloud-nebius/soperator-terraform.tfvars", "max_unavailable_percent"),
)
JOBS = sorted(path for path in shared.facts() if path.startswith(("job-", "k8s-job")))


@cache
def bench(cluster: str) -> JobCluster:
    """A cluster by its name."""
    text = CLUSTERS[cluster]
    document = read_bytes(f"designlint: 1\n{text}".encode(), "cluster.yaml") if text else None
    return JobCluster(document, engine.shipped_engine())


def found(path: str, cluster: str = "", given: tuple[tuple[str, str], ...] = ()) -> list[Finding]:
    """What is found in a file."""
    home = shared.folder()
    assert home is not None
    chosen = bench(cluster)
    return list(chosen.report(jobs.read_job_file(home / path, path, chosen.cluster, dict(given)), named=False).findings)


def test_the_collection_is_there() -> None:
    if not JOBS:
        pytest.skip(f"the shared files were left out: {shared.VARIABLE} names no folder with facts.yaml")


@pytest.mark.parametrize("known", KNOWN if JOBS else (), ids=lambda one: f"{one.path}:{one.line}-{one.rule}")
def test_a_known_defect_is_found_at_its_place(known: Known) -> None:
    places = {(one.rule, one.location.line) for one in found(known.path, known.cluster, known.given)}
    assert (known.rule, known.line) in places


def test_every_known_defect_of_a_job_is_found_or_beyond_rules(capsys: pytest.CaptureFixture[str]) -> None:
    if not JOBS:
        pytest.skip("the shared files were left out")
    told = [(path, one) for path in JOBS for one in shared.facts()[path].get("defects") or ()]
    listed = [(one.path, one.defect) for one in KNOWN] + list(BEYOND)
    missed = [
        (path, one) for path, one in told if not any(path == file and one.startswith(text) for file, text in listed)
    ]
    assert missed == []
    with capsys.disabled():
        print(f" {len(KNOWN)} of {len(told)} known defects of jobs are found ", end="")


@pytest.mark.parametrize(("path", "defect", "rule", "line", "text"), DESCRIBED if JOBS else ())
def test_a_known_defect_of_a_cluster_is_found_at_its_place(
    path: str, defect: str, rule: str, line: int, text: str, tmp_path: Path
) -> None:
    home = shared.folder()
    assert home is not None
    assert any(one.startswith(defect) for one in shared.facts()[path]["defects"])
    name = path.rpartition("/")[2]
    for one in (home / path).parent.iterdir():  # the file, and others that the design names beside it
        if one.name == name or one.name in text:
            (tmp_path / one.name).write_text(one.read_text("utf-8"), "utf-8")
    document = read_bytes(f"designlint: 1\n{text.replace('FILE', name)}\n".encode(), str(tmp_path / "design.yaml"))
    places = {(one.rule, one.location.line) for one in lint(document, engine.shipped_engine(), repair=False).findings}
    assert (rule, line) in places


def test_every_known_defect_of_a_cluster_is_found_or_beyond_rules(capsys: pytest.CaptureFixture[str]) -> None:
    if not JOBS:
        pytest.skip("the shared files were left out")
    told = [
        (path, one) for path, entry in shared.facts().items() for one in entry.get("defects") or () if path not in JOBS
    ]
    listed = [(path, begins) for path, begins, *_ in DESCRIBED] + list(UNREACHED)
    assert [
        (path, one) for path, one in told if not any(path == file and one.startswith(text) for file, text in listed)
    ] == []
    with capsys.disabled():
        print(f" {len(DESCRIBED)} of {len(told)} known defects of clusters are found ", end="")


#: How a design names a file of a folder; jobs are checked by themselves, results and lists name no cluster.
LAID = {
    "slurm": "from: FILE", "infiniband": FABRIC, "topograph-model": "from: FILE", "infragraph": "from: FILE",
    "nccl-xml": "nodes: [{name: a, from: FILE}]", "lstopo": "nodes: [{name: a, from: FILE}]", "sonic": ROCE,
    "kueue": "scheduler: {from: FILE}", "cloud-aws": "from: FILE", "cloud-gcp": "from: FILE", "cloud-nebius": "from: FILE",
    "mlperf-system": "from: FILE",
}  # fmt: skip
#: Findings that are true of a file, though nobody noted them.
TRUE = {
    "slurm/taranis-slurm.conf": ("scheduling/preemption-kills-jobs",),
    "job-deepspeed/aws-103b.sbatch": ("import/misspelt-key",),  # NCCL_BUFFERSIZE, which NCCL does not read
}
CLEAN = sorted(
    path for path, entry in shared.facts().items() if path.partition("/")[0] in LAID and not entry.get("defects")
)


@pytest.mark.parametrize("path", CLEAN)
def test_nothing_is_wrong_with_a_cluster_that_has_no_known_defect(path: str, tmp_path: Path) -> None:
    home = shared.folder()
    assert home is not None
    name = path.rpartition("/")[2]
    (tmp_path / name).write_text((home / path).read_text("utf-8"), "utf-8")
    text = LAID[path.partition("/")[0]].replace("FILE", name)
    document = read_bytes(f"designlint: 1\n{text}\n".encode(), str(tmp_path / "design.yaml"))
    found = lint(document, engine.shipped_engine(), repair=False).findings
    expected = {"import/not-read", "syntax/template", "import/says-nothing", *TRUE.get(path, ())}
    heavy = [one for one in found if one.severity is not Severity.INFO]
    assert [(one.rule, one.message) for one in heavy if one.rule not in expected] == []


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_nothing_but_known_defects_is_a_warning_or_an_error(cluster: str) -> None:
    expected = {(one.path, one.rule) for one in KNOWN}
    beyond = {
        (path, one.rule, one.message)
        for path in JOBS
        for one in found(path, cluster)
        if one.severity is not Severity.INFO and (path, one.rule) not in expected and one.rule not in TRUE.get(path, ())
    }
    # what is right for this cluster alone: jobs of other machines
    other = (
        "more-gpus-than-the-pool", "more-servers-than-the-pool", "idle-on-exclusive", "other-gpus-than-the-pool",
        "required-level-too-small",
    )  # fmt: skip
    assert {one for one in beyond if not any(part in one[1] for part in other)} == set()
    assert cluster or not beyond
