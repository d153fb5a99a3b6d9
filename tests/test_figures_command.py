"""`designlint graph`: a figure or the whole design, to standard output or to a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.running import ROOT, designlint
from tests.test_figures import HAWK

if TYPE_CHECKING:
    from pathlib import Path


def test_graph_draws_one_figure_the_same_every_time(tmp_path: Path) -> None:
    file = tmp_path / "memory.svg"
    assert designlint("graph", HAWK, "--figure", "memory", "-o", file).code == 0
    again = designlint("graph", HAWK, "--figure", "memory")
    assert again.code == 0
    assert file.read_text("utf-8") == again.out
    assert "pretrain: 33.56 GB on the most loaded GPU" in again.out
    parts = re.findall(r"(?:weights|gradients|optimizer state|activations) ([\d.]+) GB</text>", again.out)
    assert sum(map(float, parts)) == pytest.approx(33.56, abs=0.01)


@pytest.mark.parametrize(
    ("design", "figure", "says"),
    [
        ("hawk-4096", "memmory", "did you mean `memory`?"),
        ("hawk-4096", "fabric-none", "the design has no `fabric-none`; it has fabric-compute"),
        ("superpod-4su", "fabric", "there are several: fabric-compute, fabric-storage"),
        ("llama3-405b", "power", "power cannot be drawn: the design states no facility"),
        ("llama3-405b", "checkpoint", "workloads/pretrain/checkpoint/interval is unknown"),
    ],
)
def test_graph_says_why_it_does_not_draw(design: str, figure: str, says: str) -> None:
    run = designlint("graph", f"examples/{design}/design.yaml", "--figure", figure)
    assert run.code == 2
    assert not run.out
    assert says in run.err


def test_graph_does_not_overwrite_the_design(tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_bytes((ROOT / HAWK).read_bytes())
    run = designlint("graph", file, "--figure", "memory", "-o", file)
    assert run.code == 2
    assert file.read_bytes() == (ROOT / HAWK).read_bytes()


def test_graph_writes_rdf_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "design.ttl"
    assert designlint("graph", HAWK, "-o", file).code == 0
    assert file.read_text("utf-8") == designlint("graph", HAWK).out
