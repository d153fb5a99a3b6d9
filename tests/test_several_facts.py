"""Values that state several facts: read into the words of each, or left where a piece of them is not understood."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.linting import pipeline
from designlint.reading import read_bytes

from .running import designlint

if TYPE_CHECKING:
    from pathlib import Path

VOCABULARY = engine.shipped_engine().vocabulary

SEVERAL = {
    "gpus: 8x H100 SXM": "gpus: 8\n    gpu: h100-sxm-80gb",
    "gpu: H100 SXM x 8": "gpu: h100-sxm-80gb\n    gpus: 8",
    "gpus: 8 H100 GPUs": "gpus: 8\n    gpu: h100-sxm-80gb",
    "nics: 8x ConnectX-7 400G": "networks: [{ports: 8, nic: connectx-7, speed: 400 Gbit/s}]",
    "networks: [8x ConnectX-7 400GbE]": "networks: [{ports: 8, nic: connectx-7, speed: 400GbE}]",
    "nvme: 8 x 3.84 TB": "local_storage: {drives: 8, capacity: 30.72 TB}",
    "drives: 8 x 3.84 TB": "local_storage: {drives: 8, capacity: 30.72 TB}",
    "cpu: 2x Xeon 8480C": "cpu: Xeon 8480C\n    sockets: 2",
    "memory: 2 TB DDR5": "host_memory: 2 TB",
    "host_memory: 2 TB DDR5": "host_memory: 2 TB",
    "power_supplies: 6x 3.3 kW": "power_supplies: {count: 6, rating: 3.3 kW}",
}
#: What the words of a network would be.
PHRASES = {
    "topology: rail-optimized leaf-spine": "topology: {kind: fat-tree, rail_optimized: true}",
    "topology: 3-tier fat tree": "topology: {tiers: 3, kind: fat-tree}",
    "speed: NDR": "technology: infiniband-ndr",
    "speed: NDR InfiniBand": "technology: infiniband-ndr",
}
UNCLEAR = [
    "topology: cheap fat-tree", "speed: fast", "technology: infiniband",
    "technology: roce-v2\n    speed: NDR", "topology: 3-tier 2-tier fat-tree",
]  # fmt: skip
#: What stands for a whole part at the top of a design.
PARTS = {
    "nodes: 64 x DGX H100": "nodes: [{name: node, count: 64, model: dgx-h100}]",
    "storage: [2x DDN AI400X2]": "storage: [{units: 2, model: ddn-ai400x2, name: storage}]",
    "nodes: 64 x H100": "nodes: 64 x H100",  # servers or GPUs?
    "nodes: 64 x Unheard 3000": "nodes: 64 x Unheard 3000",
    "workloads: [{name: pretrain, parallelism: 'TP=8, PP=4 dp16'}]": (
        "workloads: [{name: pretrain, parallelism: {tensor: 8, pipeline: 4, data: 16}}]"
    ),
    "workloads: [{name: pretrain, parallelism: tp8 tp4}]": "workloads: [{name: pretrain, parallelism: tp8 tp4}]",
    "facility: {cooling: {method: 'direct liquid, 80% heat capture'}}": (
        "facility: {cooling: {method: 'direct liquid, 80% heat capture'}}"
    ),
    "nodes: [{name: train, gpu_count: 1024, gpus_per_node: 8}]": "nodes: [{name: train, gpu_count: 1024, gpus: 8}]",
    "nodes: [{name: train, gpu_count: 8, gpus_per_node: 4}]": "nodes: [{name: train, gpu_count: 8, gpus_per_node: 4}]",
}
#: What is one fact, what holds a piece that nobody knows, and what two words of a design would contradict.
ONE_OR_UNSURE = [
    "gpus: 8", "host_memory: 2 TB", "cpu: Xeon X5670", "cpu: EPYC 9654", "cpu: Xeon Max x 2", "gpus: 8x Unheard 3000",
    "gpu: 8x A100 PCIe 40 liquid", "host_memory: 2 TB per GPU", "power_supplies: 6x 3.3 kW at night",
    "gpus: 8x H100\n    gpu: a100", "name: train, 8x H100", "gpus: 1024x H100",
]  # fmt: skip


@pytest.mark.parametrize("entry", SEVERAL)
def test_a_value_of_several_facts_is_stated_by_their_words(entry: str, tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    name = "" if entry.startswith("name") else "name: train\n    "
    file.write_text(f"designlint: 1\nnodes:\n  - {name}{entry}\n")
    designlint("check", file, "--fix=shape", "--unsafe-fixes")
    assert sorted(file.read_text().split("\n    ")[1:]) == sorted(f"{SEVERAL[entry]}\n".split("\n    "))


@pytest.mark.parametrize("entry", ONE_OR_UNSURE)
def test_what_is_not_surely_several_facts_is_left(entry: str) -> None:
    name = "" if entry.startswith("name") else "name: train\n    "
    text = f"designlint: 1\nnodes:\n  - {name}{entry}\n"
    report = pipeline.lint(read_bytes(text.encode(), "d.yaml"), engine.shipped_engine())
    assert "shape/several-facts" not in {one.rule for one in report.findings}


@pytest.mark.parametrize("entry", PHRASES)
def test_a_phrase_is_read_into_the_words_that_it_is_made_of(entry: str, tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_text(f"designlint: 1\nfabrics:\n  - name: compute\n    {entry}\n")
    designlint("check", file, "--fix=shape", "--unsafe-fixes")
    assert file.read_text().split("compute\n    ")[1] == f"{PHRASES[entry]}\n"


@pytest.mark.parametrize("entry", UNCLEAR)
def test_a_phrase_with_a_piece_that_is_not_understood_is_left(entry: str, tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_text(f"designlint: 1\nfabrics:\n  - name: compute\n    {entry}\n")
    before = file.read_text()
    designlint("check", file, "--fix=shape", "--unsafe-fixes")
    assert file.read_text() == before


@pytest.mark.parametrize("entry", PARTS)
def test_a_fix_leaves_what_it_would_lose_or_count_as_something_else(entry: str, tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_text(f"designlint: 1\n{entry}\n")
    designlint("check", file, "--fix=shape", "--unsafe-fixes")
    assert file.read_text() == f"designlint: 1\n{PARTS[entry]}\n"


@pytest.mark.parametrize(("key", "place"), [("gpu: H100", ""), ("gpus: 128", ""), ("pue: 1.3", "facility/cooling/pue")])
def test_a_common_name_is_not_sent_to_one_of_its_uses_that_does_not_take_the_value(key: str, place: str) -> None:
    document = read_bytes(f"designlint: 1\n{key}\n".encode(), "design.yaml")
    (found,) = pipeline.lint(document, engine.shipped_engine()).findings
    assert (place in found.remedy) if place else ("cost_shares" not in found.remedy)


def test_one_fact_under_another_key_is_not_called_several() -> None:
    document = read_bytes(b"designlint: 1\nstorage: [{name: fast, type: WEKA}]\n", "design.yaml")
    (found,) = pipeline.lint(document, engine.shipped_engine()).findings
    assert found.message == "`type` is WEKA, a value of another key; state `kind: weka`"


def test_counts_name_words_of_their_own_parts() -> None:
    counts = [
        (cls, word) for cls, words in VOCABULARY.classes.items() for word in words.values() if word.each or word.total
    ]
    assert counts
    for cls, word in counts:
        assert {*word.each.split(), *word.total.split()} <= set(VOCABULARY.classes[cls]), (cls, word.name)
