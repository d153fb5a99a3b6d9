"""Figures of networks: every kind of topology with its counts and limits, or what it lacks to be drawn."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from designlint.figures.shared.figure import Figure, Omission
from tests.test_figures import SVG, drawn, of_example, sound, words


def test_oversubscription_is_coloured_by_the_rule_that_judges_it() -> None:
    figure = next(one for one in of_example("hawk-4096") if one.name == "fabric-compute")
    root = ElementTree.fromstring(figure.svg)
    told = {text.text: text.attrib["class"] for text in root.iter(f"{SVG}text")}
    assert "dl-bad" in told["down to up 2:1 (limit 1.1:1)"]
    assert "dl-good" in told["down to up 0.5:1 (limit 1.1:1)"]
    assert "beyond the limit" in figure.alternative


POOL = "nodes: [{name: a, model: dgx-h100, count: 64, networks: [{fabric: f, ports: 8, speed: 400 Gbit/s}]}]"


SHAPES = {
    "{kind: single-switch, switch: {model: qm9700}}": ["1 switch", "512 of 64 ports taken"],
    "{kind: rail-only, leaves: 8, host_ports_per_leaf: 64}": ["8 leaves", "512 of 512 ports taken"],
    "{kind: fat-tree, tiers: 2, planes: 8, leaves: 64, spines: 32}": ["plane 1", "plane 8", "8 in each plane"],
    "{kind: dragonfly, leaves: 1024, groups: 32, host_ports_per_leaf: 16, local_links: 31, global_links: 8}": [
        "32 groups", "32 switches", "256 links leave each group", "ports to links 2:1 (limit 1.1:1)", "31 links on each switch",
    ],
    "{kind: dragonfly, leaves: 1280, groups: 80, global_links: 4}": ["16 switches", "enough for 65 groups"],
    "{kind: dragonfly-plus, leaves: 64, spines: 32, groups: 8, host_ports_per_leaf: 8, uplinks_per_leaf: 8, global_links: 16}": [
        "8 leaves", "4 spines", "ports to links 1:1 (limit 1.1:1)", "down to up 1:1 (limit 1.1:1)",
    ],
    "{kind: torus, dimensions: [16, 16, 16]}": ["4096 switches", "12288 links of 400 Gbit/s", "512 links between two halves"],
    "{kind: torus, dimensions: [8, 4, 4, 2, 2]}": ["8 across, 4 down, 4 deep, and 2 × 2 such blocks"],
    """{kind: fat-tree,
        switches: [{name: l, role: leaf, host_ports: 8}, {name: m, role: leaf, host_ports: 8}, {name: s, role: spine}],
        links: [{from: l, to: s, cables: 8}, {from: m, to: s, cables: 4}]}""": [
        "2 leaves", "1 spine", "12 links of 400 Gbit/s", "worst leaf: m", "down to up 2:1 (limit 1.1:1)",
    ],
}  # fmt: skip


@pytest.mark.parametrize("topology", SHAPES)
def test_every_kind_of_network_is_drawn_with_its_counts_and_its_limit(topology: str) -> None:
    text = f"designlint: 1\n{POOL}\nfabrics: [{{name: f, purpose: compute, speed: 400 Gbit/s, topology: {topology}}}]\n"
    figure = next(one for one in drawn(text) if one.name == "fabric-f")
    assert isinstance(figure, Figure)
    sound(figure)
    assert set(SHAPES[topology]) <= {*words(figure)}
    assert all(number in figure.alternative for one in SHAPES[topology] for number in re.findall(r"\d+", one)[:1])


@pytest.mark.parametrize(
    ("topology", "says"),
    [
        ("{kind: dragonfly, leaves: 64}", "fabrics/f/topology/groups is unknown"),
        ("{kind: torus, leaves: 64}", "fabrics/f/topology/dimensions is unknown"),
        ("{kind: fat-tree}", "fabrics/f/topology/tiers is unknown; no switch counts are stated"),
        ("{kind: fat-tree, tiers: 4}", "f has 4 tiers; at most 3 can be drawn"),
    ],
)
def test_a_network_that_is_not_drawn_names_the_fact_that_it_lacks(topology: str, says: str) -> None:
    text = f"designlint: 1\nfabrics: [{{name: f, topology: {topology}}}]\n"
    assert [one.reason for one in drawn(text) if isinstance(one, Omission) and one.name == "fabric-f"] == [says]


def test_fabrics_of_one_name_have_figures_of_their_own_and_the_many_are_counted() -> None:
    same = "  - {name: compute, topology: {kind: fat-tree, tiers: 2, leaves: 4, spines: 2}}\n"
    names = [one.name for one in drawn(f"designlint: 1\nfabrics:\n{same * 12}") if one.name.startswith("fabric")]
    assert names[:2] == ["fabric-compute", "fabric-compute-2"]
    assert names[-1] == "fabric-others"
    assert len(names) == len(set(names)) == 9
