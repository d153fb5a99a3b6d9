"""Two devices in each other's place are one difference, whatever else is wrong beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint import exporters
from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.exporters import Order
from designlint.reading import read_bytes

from .fabrics import PLANES, PODS, REGULAR, built, led, order, recabled, said

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.wiring.graph import Wiring

NAMED = REGULAR.replace("count: 12", 'count: 12\n    servers: "gpu[01-12]"')


def listed(text: str, folder: Path) -> Order:
    """A design with its cable schedule, so that its switches have names of their own."""
    (folder / "cables.csv").write_text(exporters.load_format("cables").write(order(text)).text, "utf-8")
    with_cables = text.replace("topology: {kind", "topology: {from: cables.csv, kind")
    return Order(read_design(read_bytes(with_cables.encode(), str(folder / "design.yaml")), engine.shipped_engine()))


def swap_names(wiring: Wiring, one: str, other: str) -> None:
    """Give two switches or servers each other's names: the dump of a fabric in which they changed places."""
    new = {one: other, other: one}

    def named(name: str) -> str:
        return new.get(name, name)

    wiring.cables = [
        cable._replace(
            one=cable.one._replace(switch=named(cable.one.switch)),
            other=cable.other._replace(switch=named(cable.other.switch)),
        )
        for cable in wiring.cables
    ]
    wiring.hosts = [
        host._replace(server=named(host.server), to=host.to._replace(switch=named(host.to.switch)))
        for host in wiring.hosts
    ]


def rename(wiring: Wiring, name: str, new: str) -> None:
    """Give a switch a name that nothing else has."""
    switch = wiring.switches.pop(name)
    switch.name = new
    wiring.switches[new] = switch
    swap_names(wiring, name, new)


def swapped(one: str, other: str, cables: int) -> tuple[str, str]:
    text = f"{one} and {other} are in each other's place: {cables} cables lead to one where the design has the other"
    return "swapped-places", text


@pytest.mark.parametrize(
    ("one", "other", "cables"),
    [("leaf-01", "leaf-02", 28), ("leaf-01", "leaf-06", 28), ("gpu02", "gpu11", 8)],
)
def test_devices_in_each_others_place_are_one_difference(tmp_path: Path, one: str, other: str, cables: int) -> None:
    asked = listed(NAMED, tmp_path)
    there = built(asked, tmp_path)
    swap_names(there, one, other)
    assert said(asked, there) == [swapped(one, other, cables)]


def test_another_fault_beside_them_is_named_too(tmp_path: Path) -> None:
    asked = listed(NAMED, tmp_path)
    there = built(asked, tmp_path)
    recabled(there, ("leaf-05", "spine-02"), "spine-01")
    swap_names(there, "leaf-01", "leaf-06")
    assert said(asked, there) == [
        swapped("leaf-01", "leaf-06", 28),
        ("cable-elsewhere", "a cable from leaf-05 goes to spine-01; the design has it going to spine-02"),
    ]


def test_spines_of_two_pods_in_each_others_place(tmp_path: Path) -> None:
    asked = listed(PODS.replace("count: 12", 'count: 12\n    servers: "gpu[01-12]"'), tmp_path)
    there = built(asked, tmp_path)
    swap_names(there, "spine-01", "spine-03")
    assert [rule for rule, _ in said(asked, there)] == ["swapped-places"]


def test_one_server_on_the_other_leaf_swaps_no_places(tmp_path: Path) -> None:
    asked = listed(NAMED, tmp_path)
    there = built(asked, tmp_path)
    led(there, "gpu01", 0, "leaf-02")
    led(there, "gpu01", 1, "leaf-01")
    assert [rule for rule, _ in said(asked, there)] == ["rails-swapped"]


@pytest.mark.parametrize("text", [PODS, PLANES])
def test_switches_of_any_names_are_found_by_their_pod_or_plane(text: str, tmp_path: Path) -> None:
    asked = order(text.replace("count: 12", 'count: 12\n    servers: "gpu[01-12]"'))
    there = built(asked, tmp_path)
    spines = sorted(one.name for one in there.tier("spine"))
    for one, other in zip(spines, reversed(spines), strict=True):
        if one < other:
            swap_names(there, one, other)
    for name in [*there.switches]:
        rename(there, name, "x" + name)
    assert said(asked, there) == []


def test_leaves_whose_rails_nothing_numbers_are_found_by_their_plane(tmp_path: Path) -> None:
    asked = order(PLANES.replace("count: 12", 'count: 12\n    servers: "gpu[01-12]"'))
    there = built(asked, tmp_path)
    there.hosts = [one._replace(nic=None, adapter="") for one in there.hosts]
    for name, new in zip([*there.switches], "zayxbwvcutds", strict=True):
        rename(there, name, new)
    assert said(asked, there) == []


def test_interfaces_without_numbers_are_those_that_most_servers_have_on_a_rail(tmp_path: Path) -> None:
    asked = order(NAMED)
    there = built(asked, tmp_path)
    there.hosts = [one._replace(nic=None, adapter=f"ens{7 - one.nic}") for one in there.hosts if one.nic is not None]
    assert said(asked, there) == []
    for interface, leaf in (("ens7", "leaf-02"), ("ens6", "leaf-01")):
        there.hosts = [
            one._replace(to=one.to._replace(switch=leaf)) if (one.server, one.adapter) == ("gpu03", interface) else one
            for one in there.hosts
        ]
    text = "two rails are swapped: adapter 0 of gpu03 goes to leaf-02, and adapter 1 of gpu03 to leaf-01"
    assert said(asked, there) == [("rails-swapped", text)]
