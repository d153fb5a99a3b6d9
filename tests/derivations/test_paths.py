"""Explicit wirings small enough to follow by hand."""

from __future__ import annotations

from typing import Any

from designlint.derivations.network import paths, single_points, wiring
from designlint.derivations.network.clos import ClosWiring

LINKS = [("l1", "s1", 2), ("l1", "s2", 1), ("s1", "l2", 1), ("l2", "s2", 2), ("l3", "s1", 1), ("l3", "s2", 1)]


def lists(links: list[tuple[str, str, int]], rate: float = 100.0) -> dict[str, Any]:
    """Switches named l, s and c after their roles, as calculations read them."""
    names = tuple(dict.fromkeys(name for one, other, _ in links for name in (one, other)))
    return {
        "switch_names": names,
        "switch_roles": tuple({"l": "leaf", "s": "spine", "c": "core"}[name[0]] for name in names),
        "link_sources": tuple(link[0] for link in links),
        "link_targets": tuple(link[1] for link in links),
        "link_cables": tuple(link[2] for link in links),
        "link_rates": (rate,) * len(links),
    }


def test_two_tiers_with_uneven_cables() -> None:
    """l1 has 2 + 1 cables, l2 1 + 2, l3 1 + 1: l1 and l2 share 1 + 1; l1 to the others passes min(2, 2) + min(1, 3)."""
    facts = lists(LINKS)
    assert paths.thinnest_leaf(ClosWiring(**facts)) == 200
    assert paths.thinnest_pair(ClosWiring(**facts), planes=1) == 200
    assert paths.bisection(ClosWiring(**facts), planes=1) == 300
    assert paths.half_bandwidth(ClosWiring(**facts)) == 300
    assert paths.partial_leaves(ClosWiring(**facts)) == 0


def test_cables_of_one_pair_in_several_lines() -> None:
    facts = lists([("l1", "s1", 2), ("s1", "l1", 1), ("l2", "s1", 3)])
    assert paths.thinnest_leaf(ClosWiring(**facts)) == paths.bisection(ClosWiring(**facts), planes=1) == 300


def test_a_leaf_that_misses_a_spine() -> None:
    facts = lists(LINKS[:-1])
    assert paths.partial_leaves(ClosWiring(**facts)) == 1
    assert paths.partial_leaf(ClosWiring(**facts)) == "l3"
    assert paths.thinnest_pair(ClosWiring(**facts), planes=1) == 100


def test_groups_that_meet_at_a_thin_core() -> None:
    """4 cables up from each leaf, 4 and 1 to the core: one cable carries all."""
    facts = lists([("l1", "s1", 4), ("l2", "s2", 4), ("s1", "c1", 4), ("c1", "s2", 1)])
    assert paths.half_bandwidth(ClosWiring(**facts)) == 400
    assert paths.bisection(ClosWiring(**facts), planes=1) == paths.thinnest_pair(ClosWiring(**facts), planes=1) == 100


def test_planes_add_up_and_parts_do_not() -> None:
    """Two planes of two leaves with one spine each carry a cable each; as one plane they are a fault."""
    facts = lists([("l1", "s1", 1), ("l2", "s1", 1), ("l3", "s2", 1), ("l4", "s2", 1)])
    assert paths.bisection(ClosWiring(**facts), planes=2) == paths.half_bandwidth(ClosWiring(**facts)) == 200
    assert paths.thinnest_pair(ClosWiring(**facts), planes=2) == 100
    assert paths.bisection(ClosWiring(**facts), planes=1) is None
    assert paths.thinnest_pair(ClosWiring(**facts), planes=1) is None


def test_no_leaves_and_spines_no_answer() -> None:
    for links in ([("l1", "l2", 1)], [("l1", "c1", 1)], [("s1", "c1", 1)], [("s1", "s2", 1), ("l1", "s1", 1)]):
        facts = lists(links)
        assert paths.thinnest_leaf(ClosWiring(**facts)) is None
        assert paths.bisection(ClosWiring(**facts), planes=1) is None
        assert paths.partial_leaf(ClosWiring(**facts)) is None
    facts = lists([("l1", "s1", 1)])
    assert paths.half_bandwidth(ClosWiring(**facts)) is None
    assert paths.thinnest_pair(ClosWiring(**facts), planes=1) is None
    facts["link_sources"] = ()
    assert paths.bisection(ClosWiring(**facts), planes=1) is None
    assert single_points.lone_switches(wiring.ListedLinks(**{word: facts[word] for word in ENDS})) is None


ENDS = ("switch_names", "switch_roles", "link_sources", "link_targets", "link_cables")


def lone(links: list[tuple[str, str, int]]) -> int | None:
    """How many switches separate leaves."""
    facts = lists(links)
    return single_points.lone_switches(wiring.ListedLinks(**{word: facts[word] for word in ENDS}))


def test_switches_that_cannot_be_lost() -> None:
    assert lone([("l1", "s1", 4), ("l2", "s1", 4)]) == 1
    assert lone(LINKS) == 0
    assert lone([("l1", "l2", 1), ("l2", "l3", 1)]) == 1
    assert lone([("l1", "l2", 1), ("l2", "l3", 1), ("l3", "l1", 1)]) == 0
    # what hangs on s1 holds no leaf; the second part has one of its own
    assert lone([("l1", "s1", 1), ("s1", "c1", 1), ("c1", "s2", 1)]) == 0
    assert lone([*LINKS, ("l4", "s3", 1), ("l5", "s3", 1)]) == 1


def test_rail_of_most_cables() -> None:
    assert wiring.rail((1, 1, 2)) == 1
    assert wiring.rail((1, 2)) is None


def test_spines_with_different_uplinks() -> None:
    facts = lists([("l1", "s1", 1), ("l1", "s2", 1), ("s1", "c1", 2), ("c2", "s1", 3), ("s2", "c1", 4)])
    assert paths.thickest_spine(ClosWiring(**facts)) == 500
    assert paths.thickest_spine(ClosWiring(**lists(LINKS))) is None
