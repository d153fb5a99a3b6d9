"""What is computed in closed form on an explicit wiring, against plain searches of the whole network."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designlint.configuration import engine
from designlint.derivations.network import paths, single_points
from designlint.derivations.network.clos import ClosWiring as Listed
from designlint.derivations.network.clos import clos
from designlint.derivations.network.wiring import ListedLinks
from designlint.linting import pipeline
from designlint.reading import read_bytes

from .wirings import RATE, Wiring, three_tiers, two_tiers

SIZES = st.integers(1, 3)


@st.composite
def wirings(draw: st.DrawFn) -> Wiring:
    """Small fat trees, whole or with links removed, doubled or led elsewhere."""
    if draw(st.booleans()):
        wiring = two_tiers(draw(st.integers(2, 5)), draw(SIZES), draw(SIZES))
    else:
        wiring = three_tiers(draw(st.integers(1, 3)), draw(SIZES), draw(SIZES), draw(SIZES), draw(SIZES))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(wiring.links) - 1))
        lower, upper, cables = wiring.links[at]
        role = wiring.roles[upper]
        other = draw(st.sampled_from([name for name, one in wiring.roles.items() if one == role]))
        wiring.links[at] = draw(
            st.sampled_from([(lower, upper, cables + 1), (lower, other, cables), (upper, lower, 1)])
        )
        if draw(st.booleans()) and len(wiring.links) > 1:
            del wiring.links[at]
    return wiring


class Plain:
    """The whole network: every switch twice, once on the way up and once on the way down."""

    def __init__(self, wiring: Wiring) -> None:
        self.roles = wiring.roles
        self.leaves = [name for name, role in wiring.roles.items() if role == "leaf"]
        self.up: dict[str, dict[str, int]] = {name: {} for name in wiring.roles}
        for one, other, cables in wiring.links:
            lower, upper = sorted((one, other), key=lambda name: ("leaf", "spine", "core").index(wiring.roles[name]))
            self.up[lower][upper] = self.up[lower].get(upper, 0) + cables

    def flow(self, givers: list[str], takers: list[str]) -> int:
        graph = networkx.DiGraph()
        graph.add_nodes_from(("all givers", "all takers"))
        for lower, links in self.up.items():
            for upper, cables in links.items():
                if self.roles[lower] == "spine" or lower in givers:
                    graph.add_edge((lower, "up"), (upper, "up"), capacity=cables)
                if self.roles[lower] == "spine" or lower in takers:
                    graph.add_edge((upper, "down"), (lower, "down"), capacity=cables)
        graph.add_edges_from(((name, "up"), (name, "down")) for name in self.roles if self.roles[name] != "leaf")
        graph.add_edges_from(("all givers", (name, "up")) for name in givers)
        graph.add_edges_from(((name, "down"), "all takers") for name in takers)
        return int(networkx.maximum_flow_value(graph, "all givers", "all takers"))

    def pair(self, one: str, other: str) -> int:
        shared = sum(min(cables, self.up[other].get(spine, 0)) for spine, cables in self.up[one].items())
        return shared or self.flow([one], [other])

    def groups(self) -> list[list[str]]:
        graph = networkx.Graph([(leaf, spine) for leaf in self.leaves for spine in self.up[leaf]])
        parts = [[leaf for leaf in self.leaves if leaf in part] for part in networkx.connected_components(graph)]
        return sorted(parts, key=lambda part: self.leaves.index(part[0]))


def separates(plain: Plain, switch: str) -> bool:
    """Whether leaves that reach one another do not when a switch is gone."""
    graph = networkx.Graph([(lower, upper) for lower, links in plain.up.items() for upper in links])
    graph.add_nodes_from(plain.roles)
    rest = graph.subgraph(networkx.node_connected_component(graph, switch) - {switch})
    return sum(any(plain.roles[name] == "leaf" for name in part) for part in networkx.connected_components(rest)) > 1


@given(wirings())
@settings(max_examples=300, deadline=None)
def test_pairs_and_halves_as_by_plain_search(wiring: Wiring) -> None:
    plain, lists = Plain(wiring), Listed(**wiring.lists())
    thinnest, half = paths.thinnest_pair(lists, planes=99), paths.bisection(lists, planes=1)
    if not all(plain.up[leaf] for leaf in plain.leaves):
        assert thinnest is None
        assert half is None
        return
    net = clos(lists)
    assert net is not None
    assert list(net.groups) == plain.groups()
    planes = [[leaf for group in plane for leaf in group] for plane in net.planes]
    pairs = [plain.pair(*pair) for plane in planes for pair in combinations(plane, 2)]
    assert thinnest == (min(pairs) * RATE if pairs else None)
    assert (half is None) == (len(planes) > 1)
    if half is not None:
        middle = len(planes[0]) // 2
        assert half == plain.flow(planes[0][:middle], planes[0][middle:]) * RATE


@given(wirings())
@settings(max_examples=200, deadline=None)
def test_lone_switches_as_by_taking_each_away(wiring: Wiring) -> None:
    plain = Plain(wiring)
    lone = [name for name in wiring.roles if separates(plain, name)]
    assert single_points.lone_switches(ListedLinks(**wiring.ends())) == len(lone)
    assert single_points.lone_switch(**ends_but_cables(wiring), lone_switches=len(lone)) == next(iter(lone), None)


def ends_but_cables(wiring: Wiring) -> dict[str, Any]:
    """What the name of the first one is found from."""
    return {word: values for word, values in wiring.ends().items() if word != "link_cables"}


@pytest.mark.parametrize("wiring", [two_tiers(8, 4, 2), three_tiers(4, 4, 4, 4)], ids=["two tiers", "three tiers"])
def test_closed_form_of_whole_fat_trees(wiring: Wiring) -> None:
    """Half of the leaves send all they can to the other half, and each leaf all it can to any other."""
    up = wiring.host_ports * RATE
    leaves = sum(role == "leaf" for role in wiring.roles.values())
    lists = Listed(**wiring.lists())
    assert paths.bisection(lists, planes=1) == paths.half_bandwidth(lists) == leaves / 2 * up
    assert paths.thinnest_pair(lists, planes=1) == paths.thinnest_leaf(lists) == up
    assert paths.partial_leaves(lists) == 0
    assert single_points.lone_switches(ListedLinks(**wiring.ends())) == 0


def judged(wiring: Wiring) -> set[str]:
    """The faults that are found in the wiring, and only in it."""
    result = pipeline.lint(read_bytes(wiring.yaml().encode(), "design.yaml"), engine.shipped_engine(), repair=False)
    assert result.design.problems == []
    return {one.rule for one in result.findings if "wired" in one.rule or "lea" in one.rule or "bisection" in one.rule}


def test_a_large_wiring_is_judged() -> None:
    """8 groups of 32 leaves and 32 spines, 1024 cores: 16,384 links."""
    wiring = three_tiers(8, 32, 32, 8, cables=1)
    assert len(wiring.links) == 8 * 32 * (32 + 8)
    assert judged(wiring) == {"network/bisection-below-uplinks"}


@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        (("leaf-0-0", "spine-0-0"), "network/leaf-misses-spine-of-group"),
        (("spine-0-0", "core-0-0"), "network/spines-wired-unequally"),
    ],
)
def test_one_missing_link_is_found(fault: tuple[str, str], rule: str) -> None:
    wiring = three_tiers(2, 16, 16, 16)
    assert judged(wiring) == set()
    wiring.links = [link for link in wiring.links if link[:2] != fault]
    assert judged(wiring) == {rule}


def test_spines_that_meet_at_no_core_are_found() -> None:
    """The first two spines of one group have changed places: their cables are all there and lead to other cores."""
    wiring = three_tiers(12, 4, 4, 4)
    swapped = {"spine-0-0": "core-1", "spine-0-1": "core-1"}
    wiring.links = [
        (lower, f"{swapped[lower]}-{upper[-1]}" if lower in swapped else upper, cables)
        for lower, upper, cables in wiring.links
        if upper.startswith("core")
    ] + [link for link in wiring.links if link[1].startswith("spine")]
    assert "network/leaves-in-thin-pair" in judged(wiring)
