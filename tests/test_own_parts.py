"""Parts that the catalogue lacks: judged by the figures that a design states, as those of the catalogue are."""

from __future__ import annotations

import pytest

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.linting import pipeline
from designlint.reading import read_bytes

GPU = """memory: 80 GB, usable_memory: 81559 MiB, memory_bandwidth: 3.35 TB/s, peak_fp16: 989 TFLOP/s, peak_bf16: 989 TFLOP/s,
      peak_fp8: 1979 TFLOP/s, peak_fp64: 67 TFLOP/s, measured_matmul: 794.5 TFLOP/s, scale_up_bandwidth: 900 GB/s,
      scale_up_limit: 256, power: 700 W, precisions: [fp32, tf32, fp16, bf16, fp8]"""
SWITCH = """ports: 64, port_speed: 400 Gbit/s, power: 747 W, power_limit: 1720 W, in_network_reduction: true,
      technologies: [infiniband-ndr, infiniband-hdr, infiniband-edr]"""
NIC = "speed: 400 Gbit/s, pcie_generation: 5, pcie_lanes: 16, power: 24.9 W, technologies: [infiniband-ndr, ethernet]"
MODEL = """layers: 80, hidden: 8192, heads: 64, kv_heads: 8, head_dimension: 128, attention: gqa, feed_forward: 28672,
      gated: true, vocabulary: 128256, tied_embeddings: false, norm: rmsnorm"""
DESIGN = """designlint: 1
nodes:
  - name: train
    gpu: {gpu}
    gpus: 8
    scale_up_domain: 8
    count: 32
    networks: [{{fabric: compute, nic: {nic}, ports: 8, speed: 400 Gbit/s}}]
fabrics:
  - name: compute
    purpose: training
    technology: infiniband-ndr
    topology: {{kind: fat-tree, leaves: 8, spines: 4, switch: {switch}}}
workloads:
  - name: pretrain
    model: {model}
    precision: bf16
    parallelism: {{tensor: 16, pipeline: 4, micro_batch: 1, global_batch: 512}}
"""
CATALOGUED = DESIGN.format(gpu="h100", nic="cx7", switch="qm9700", model="llama-3-70b")
OWN = DESIGN.format(
    gpu=f"{{name: ours, {GPU}}}",
    nic=f"{{name: ours, {NIC}}}",
    switch=f"{{name: ours, {SWITCH}}}",
    model=f"{{name: ours, {MODEL}}}",
)
UNLISTED = OWN.replace("{name: ours, ", "{model: our-own-part, ")
#: Rules that judge one published GPU or model, known by its name.
OF_ONE_PART = {
    "model/active-parameters-of-dense-model",
    "model/trained-beyond-positions",
    "model/parts-of-another-model",
    "model/window-without-effect",
    "observability/alarm-after-throttling",
    "servers/scale-up-below-full-rate",
    "software/cuda-older-than-gpu",
    "software/cuda-on-amd",
    "software/driver-of-nvidia-on-amd",
}


def judged(text: str) -> dict[tuple[str, str], str]:
    """The verdict of every rule on every subject."""
    report = pipeline.lint(read_bytes(text.encode(), "own.yaml"), engine.shipped_engine(), repair=False)
    return {(one.rule, one.subject): str(one.verdict) for one in report.outcomes}


def said(text: str) -> set[str]:
    """The rules that found something."""
    report = pipeline.lint(read_bytes(text.encode(), "own.yaml"), engine.shipped_engine(), repair=False)
    return {one.rule for one in report.findings}


@pytest.mark.parametrize("text", [OWN, UNLISTED], ids=["name", "model"])
def test_own_parts_are_judged_as_catalogued_ones(text: str) -> None:
    wanted, found = judged(CATALOGUED), judged(text)
    assert sum(verdict in ("pass", "fail") for verdict in wanted.values()) > 30
    differing = {key: (wanted[key], found.get(key)) for key in wanted if wanted[key] != found.get(key)}
    assert {rule for rule, _ in differing} <= OF_ONE_PART


def test_own_names_beside_figures_are_no_fault() -> None:
    assert said(OWN) == said(UNLISTED) == said(CATALOGUED)


@pytest.mark.parametrize(
    "part",
    ["gpu: vr900", "model: our-server", "model: our-server\n    networks: [{ports: 8}]", "gpu: {model: vr900}"],
)
def test_a_name_that_says_nothing_is_a_fault(part: str) -> None:
    assert "shape/not-in-catalog" in said(f"designlint: 1\nnodes:\n  - name: train\n    count: 4\n    {part}\n")


@pytest.mark.parametrize(
    ("stated", "read"),
    [
        ("model: ddn-ai400x2, units: 12", 12 * 90e9),
        ("model: ddn-ai400x2", None),
        ("model: ddn-ai400x2, units: 12, read: 800 GB/s", 800e9),
        ("model: google-managed-lustre", 10e12),
    ],
)
def test_a_tier_reads_what_all_its_appliances_read(stated: str, read: float | None) -> None:
    design = read_bytes(f"designlint: 1\nstorage: [{{name: scratch, {stated}}}]\n".encode(), "design.yaml")
    (tier,) = read_design(design, engine.shipped_engine()).graph.by_class["StorageTier"]
    assert tier.facts.get("read") == read


SHORT = {
    "model: Dell XE9680, gpu: h200": "dell-xe9680-h200",
    "model: PowerEdge XE9680, gpu: mi300x, gpus: 8": "dell-xe9680-mi300x",
    "model: Dell XE9680, gpu: a100": "",
    "model: Dell XE9680, gpu: h200, gpus: 4": "",
    "model: our own H100 box, gpus: 8": "",
    "model: Dell, gpus: 8": "",
    "model: DGX, gpus: 8": "",
}


@pytest.mark.parametrize("words", SHORT)
def test_a_short_name_of_a_catalogue_part_is_noticed_where_its_figures_agree(words: str) -> None:
    text = f"designlint: 1\nnodes:\n  - {{name: train, {words}}}\n"
    report = pipeline.lint(read_bytes(text.encode(), "d.yaml"), engine.shipped_engine())
    found = [one.message for one in report.findings if one.rule == "shape/near-catalog-name"]
    assert [one.partition("but it has ")[2].partition(";")[0] for one in found] == [SHORT[words]] * bool(SHORT[words])
