"""The graph of a design: what is stated, filled in, looked up and derived, and the same in RDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import rdflib

import designlint
from designlint.configuration import engine
from designlint.language.vocabulary import NAMESPACE
from designlint.linting import pipeline
from designlint.reading import read_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.design.design import Design

TEXT = """\
designlint: 1
nodes:
  - name: train
    model: dgx-h100
    count: 4
    gpu: {memory: 96 GB}
fabrics:
  - {name: compute, speed: 400 Gbit/s}
workloads:
  - name: pre/train %
    model: {layers: 2, hidden: 64, heads: 4, parameters: 7}
    parallelism: {tensor: 2}
"""


@pytest.fixture
def design(tmp_path: Path) -> Design:
    file = tmp_path / "design.yaml"
    file.write_text(TEXT)
    return designlint.load(file)


def test_a_stated_value_wins_over_the_catalogue_and_over_a_formula(design: Design) -> None:
    gpu = design.graph.subjects["nodes/train/gpu"]
    assert gpu.facts["memory"] == 96e9
    assert gpu.facts["peak_bf16"] == 989e12
    assert gpu.origins["memory"].how == "stated"
    assert gpu.origins["peak_bf16"].how == "catalog"
    assert design.graph.subjects["workloads/pre%2Ftrain %25/model"].facts["parameters"] == 7


def test_the_only_pool_is_meant_where_none_is_named(design: Design) -> None:
    placement = design.graph.subjects["workloads/pre%2Ftrain %25/runs_on"]
    assert placement.facts["nodes"] is design.graph.subjects["nodes/train"]
    assert placement.facts["gpus"] == 32
    assert placement.origins["nodes"].how == "sole"


def test_defaults_hold_only_in_parts_that_are_written(design: Design) -> None:
    subjects = design.graph.subjects
    assert subjects["workloads/pre%2Ftrain %25/parallelism"].facts["pipeline"] == 1
    assert "pipeline" not in designlint_of("designlint: 1\nworkloads: [{name: w}]\n")["workloads/w/parallelism"]


@pytest.mark.parametrize(
    ("stated", "inputs", "score"),
    [
        ("mxfp8", 33 / 32, 4),
        ("{matmul: nvfp4}", 9 / 16, 4),
        ("{matmul: mxfp4}", 17 / 32, 4),
        ("{matmul: fp8, router: fp64}", 1, 8),
        ("bf16", None, 4),
    ],
)
def test_a_format_that_a_word_names_is_looked_up(stated: str, inputs: float | None, score: float) -> None:
    text = f"designlint: 1\nworkloads: [{{name: w, precision: {stated}}}]\n"
    facts = designlint_of(text)["workloads/w/precision"]
    assert (facts.get("short_bytes"), facts["router_bytes"]) == (inputs, score)


@pytest.mark.parametrize("cpu", ["EPYC 9554", "AMD EPYC 9554", "epyc-9554", "Xeon Platinum 8462Y+ of ours"])
def test_a_cpu_is_looked_up_in_any_spelling(cpu: str) -> None:
    facts = designlint_of(f"designlint: 1\nnodes: [{{name: n, sockets: 2, cpu: {cpu}}}]\n")["nodes/n"]
    assert facts.get("processor_cores") == (128 if "9554" in cpu else None)


def designlint_of(text: str) -> dict[str, dict[str, object]]:
    from designlint.configuration import engine
    from designlint.linting import pipeline
    from designlint.reading import read_bytes

    read = pipeline.read_design(read_bytes(text.encode(), "x.yaml"), engine.shipped_engine())
    return {path: dict(subject.facts) for path, subject in read.graph.subjects.items()}


def test_every_derived_fact_names_the_facts_it_came_from(design: Design) -> None:
    pool = design.graph.subjects["nodes/train"]
    assert pool.facts["pool_gpus"] == 32
    assert {word for _, word in pool.origins["pool_gpus"].inputs} == {"count", "gpus"}


def test_rdflib_sees_the_very_same_store(design: Design) -> None:
    graph = design.rdflib()
    assert len(graph) == len(design.store.store)
    pool = rdflib.URIRef("design:nodes/train")
    assert graph.value(pool, rdflib.URIRef(NAMESPACE + "pool_gpus")) == rdflib.Literal(32)
    graph.add((pool, rdflib.URIRef(NAMESPACE + "seen"), rdflib.Literal(True)))
    assert design.query("SELECT ?it WHERE { ?it :seen true }") == [{"it": "nodes/train"}]


def test_a_name_with_signs_is_a_legal_iri(design: Design) -> None:
    turtle = "\n".join(str(quad) for quad in design.store.store)
    assert "<design:workloads/pre%2Ftrain%20%25>" in turtle


def test_whole_numbers_beyond_64_bits_and_rounded_floats_are_stated_plainly() -> None:
    facts = designlint_of("designlint: 1\nworkloads: [{name: w, targets: {mfu: 30 %, deadline: 0.1 h}}]\n")
    assert facts["workloads/w/targets"] == {"mfu": 0.3, "deadline": 360.0}


def test_queries_of_users_see_everything(design: Design) -> None:
    rows = design.query("SELECT ?word WHERE { <design:fabrics/compute> ?word 400000000000 . }")
    assert rows == []
    rows = design.query("SELECT ?rate WHERE { <design:fabrics/compute> :speed ?rate }")
    assert rows == [{"rate": 4e11}]


def test_a_part_that_lacks_a_reference_keeps_its_place_among_the_others(tmp_path: Path) -> None:
    """The first tier names no network; the ports of the second limit the second alone: 16 servers x 25 Gbit/s are 50 GB/s."""
    file = tmp_path / "design.yaml"
    file.write_text("""\
designlint: 1
fabrics: [{name: storage, speed: 25 Gbit/s}]
nodes: [{name: train, gpus: 8, count: 16, networks: [{fabric: storage, ports: 1}]}]
storage: [{name: local, kind: local-nvme, write: 1 TB/s}, {name: scratch, fabric: storage, write: 500 GB/s}]
workloads: [{name: run, checkpoint: {size: 5 TB, tiers: [local, scratch]}}]
""")
    facts = designlint.load(file).graph.subjects["workloads/run"].facts
    assert (facts["least_checkpoint_write_time"], facts["drain_time"]) == (5, 100)


def test_a_value_that_cannot_be_read_leaves_only_its_word_open() -> None:
    text = (
        b"designlint: 1\nfabrics:\n  - name: a\n    speed: 400\n    mtu: 4096\n"
        b"  - name: b\n    telemetri: true\n    mtu: 4096\n"
    )
    first, second = pipeline.read_design(read_bytes(text, "x.yaml"), engine.shipped_engine()).graph.by_class["Fabric"]
    assert first.unread == {"speed"}
    assert {"speed", "telemetry", "host_ports"} <= second.unread
    assert "mtu" not in second.unread
