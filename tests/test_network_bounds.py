"""What the network allows at most, against steps that were measured: no published run may beat the bound."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.findings.model import Severity
from designlint.linting import pipeline
from designlint.reading import read_bytes

from .corpus.convert import RUNS, designs, rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: Gbit/s for each GPU in the vendor's reference architecture. What a run really had is not published for most.
REFERENCE = {"a100": 200, "h100": 400, "h200": 400, "h800": 400, "b200": 400, "gb200": 400, "b300": 800, "gb300": 800}
SHARES = ("tensor_time", "data_time", "expert_time", "pipeline_time", "context_time")

SELENE = """
designlint: 1
name: selene
nodes:
  - name: train
    gpu: a100-sxm-80gb
    gpus: 8
    scale_up_domain: 8
    count: 384
    networks: [{fabric: compute, ports: 8, speed: 200 Gbit/s}]
fabrics:
  - {name: compute, purpose: compute, technology: infiniband-hdr, topology: {kind: fat-tree, tiers: 3, rail_optimized: true}}
workloads:
  - name: gpt-1t
    framework: megatron
    model: {parameters: 1008e9, layers: 128, hidden: 25600, heads: 160, vocabulary: 51200, sequence: 2048}
    precision: fp16
    parallelism: {tensor: 8, pipeline: 64, micro_batch: 1, global_batch: 3072, zero_stage: 0, recompute: full}
"""
MEGASCALE = """
designlint: 1
name: megascale
nodes:
  - name: train
    gpu: a100-sxm-80gb
    gpus: 8
    scale_up_domain: 8
    count: 1536
    networks: [{fabric: compute, ports: 8, speed: 200 Gbit/s}]
fabrics:
  - name: compute
    purpose: compute
    technology: roce-v2
    topology:
      kind: fat-tree
      tiers: 3
      rail_optimized: true
      host_ports_per_leaf: 64
      uplinks_per_leaf: 32
      host_port_speed: 200 Gbit/s
      uplink_speed: 400 Gbit/s
workloads:
  - name: gpt-175b
    framework: megatron
    model: {parameters: 175e9, layers: 96, hidden: 12288, heads: 128, vocabulary: 64000, sequence: 2048}
    precision: bf16
    targets: {mfu: 55.2 %}
    parallelism:
      tensor: 8
      pipeline: 8
      virtual_stages: 6
      micro_batch: 1
      global_batch: 6144
      zero_stage: 2
      sequence_parallel: true
      overlap: true
"""


def connected(yaml: str) -> str | None:
    """A published run with the network of its GPU's reference architecture; None where there is none."""
    gpu, gpus = re.search(r"gpu: ([a-z]+\d+)", yaml), re.search(r"\n    gpus: (\d+)\n", yaml)
    if gpu is None or gpus is None or gpu[1] not in REFERENCE:
        return None
    ways = f"    networks: [{{fabric: compute, ports: {gpus[1]}, speed: {REFERENCE[gpu[1]]} Gbit/s}}]\n"
    yaml = yaml.replace(gpus[0], gpus[0] + ways, 1)
    return yaml.replace("\nworkloads:", "\nfabrics: [{name: compute, purpose: compute}]\nworkloads:", 1)


def measured(row: Mapping[str, str], facts: Mapping[str, Any]) -> float | None:
    """Time of a step as it was published, or as published tokens per second or utilisation make it."""
    if "step_seconds" in row:
        return float(row["step_seconds"])
    if {"tokens_per_s_per_gpu", "global_batch", "sequence", "gpu_count"} <= row.keys():
        tokens = int(row["global_batch"]) * int(row["sequence"])
        return tokens / float(row["tokens_per_s_per_gpu"]) / int(row["gpu_count"])
    return facts["compute_time"] / float(row["mfu"]) if "mfu" in row and "compute_time" in facts else None


@cache
def runs() -> dict[str, tuple[float, Mapping[str, Any]]]:
    """Measured step and derived facts of every published run that both are known of."""
    return dict(_runs())


def _runs() -> Iterator[tuple[str, tuple[float, Mapping[str, Any]]]]:
    table = {row["id"]: row for name in RUNS for row in rows(name)}
    for case in designs():
        yaml = connected(case.yaml) if case.outcome == "ran" and case.id in table else None
        if yaml is None:
            continue
        facts = workload(yaml)
        step = measured(table[case.id], facts)
        if step is not None and "least_step_time" in facts:
            yield case.id, (step, facts)


def workload(yaml: str) -> Mapping[str, Any]:
    """The facts of a design's only workload."""
    return (
        pipeline.read_design(read_bytes(yaml.encode(), "run"), engine.shipped_engine())
        .graph.by_class["Workload"][0]
        .facts
    )


def test_no_published_step_was_shorter_than_its_bound() -> None:
    faster = {name: step for name, (step, facts) in runs().items() if step < facts["least_step_time"]}
    print(f"{len(runs())} runs, closest to its bound {max(f['least_step_time'] / s for s, f in runs().values()):.0%}")
    assert len(runs()) > 250
    assert faster == {}


@pytest.mark.parametrize("share", SHARES)
def test_each_exchange_fits_into_half_of_every_published_step(share: str) -> None:
    """Nothing that a rule warns of happened to a run that was published."""
    shares = {name: facts[share] / step for name, (step, facts) in runs().items() if share in facts}
    print(f"{share}: {len(shares)} runs, most {max(shares.values()):.0%} of a step")
    assert {name: value for name, value in shares.items() if value > 0.5} == {}


@pytest.mark.parametrize("yaml", [SELENE, MEGASCALE], ids=["selene", "megascale"])
def test_published_systems_with_their_network_have_no_fault(yaml: str) -> None:
    found = pipeline.lint(read_bytes(yaml.encode(), "run"), engine.shipped_engine(), repair=False).findings
    assert [
        one.message for one in found if one.severity is Severity.ERROR or one.rule.startswith("communication/")
    ] == []


def test_megascale_communicates_for_less_than_it_computes() -> None:
    """12288 A100: a published step of 6.34 s, about one in exchange if nothing were hidden, gradients added up in FP32."""
    facts = workload(MEGASCALE)
    assert facts["pipeline_level"] == "spine"
    assert facts["leaf_oversubscription"] == 1
    assert facts["compute_time"] / 0.552 == pytest.approx(6.34, rel=0.02)
    assert facts["communication_time"] < 1.25


def test_reference_networks_cut_to_a_hundredth_are_found() -> None:
    """The bound is not empty: with a hundredth of their network, many published runs could not have happened."""
    slow = sum(facts["least_data_time"] * 100 > step for step, facts in runs().values())
    print(f"{slow} of {len(runs())} runs would be refused")
    assert slow > 20
