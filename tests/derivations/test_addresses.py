"""Addresses of prefixes, counted by hand, and which prefixes overlap."""

from __future__ import annotations

import pytest

from designlint.derivations.network import addresses
from designlint.derivations.operations import software


@pytest.mark.parametrize(
    ("prefixes", "count"),
    [
        (("10.0.0.0/24",), 254),
        (("10.0.0.0/24", "10.0.1.0/25"), 254 + 126),
        (("10.0.0.0/31",), 2),  # both ends of a link
        (("10.0.0.7/32",), 1),
        (("fd00::/64",), 2**32),
        (("10.0.0.7/24",), None),
        (("10.0.0.0",), None),
    ],
)
def test_addresses_of_prefixes(prefixes: tuple[str, ...], count: int | None) -> None:
    assert addresses.address_count(prefixes) == count


def test_a_pattern_is_not_taken_for_a_slip() -> None:
    assert addresses.malformed_prefixes(("10.x.0.0/16",)) is None
    assert addresses.malformed_prefixes(("10.0.0.0/33", "10.0.0.0/8")) == 1


def overlapping(name: str, prefixes: tuple[str, ...], pods: tuple[str, ...] = ()) -> str | None:
    """What is said of a fabric after one that holds 10.20.0.0/16."""
    names = ("inband", name)
    return addresses.overlapping_prefix(
        addresses.Prefixes(name, prefixes, names, ("10.20.0.0/16", ", ".join(prefixes)), pods, ())
    )


def test_an_overlap_is_said_once_and_of_the_later_fabric() -> None:
    assert overlapping("controllers", ("10.20.8.0/22",)) == "10.20.8.0/22 overlaps 10.20.0.0/16 of inband"
    assert overlapping("controllers", ("10.21.0.0/22",)) is None
    assert (
        addresses.overlapping_prefix(
            addresses.Prefixes("inband", ("10.20.0.0/16",), ("inband", "b"), (None, "10.20.8.0/22"), (), ())
        )
        is None
    )
    assert (
        overlapping("controllers", ("10.21.0.0/22", "10.21.1.0/24"))
        == "10.21.1.0/24 overlaps 10.21.0.0/22 of the same fabric"
    )
    assert (
        overlapping("controllers", ("10.21.0.0/22",), ("10.0.0.0/8",)) == "10.21.0.0/22 overlaps 10.0.0.0/8 of the pods"
    )


@pytest.mark.parametrize(
    ("network", "each", "servers"),
    [("10.244.0.0/16", 24, 256), ("10.244.0.0/16", 26, 1024), ("10.244.0.0/16", 12, 0), ("10.244.0.0/16", 40, None)],
)
def test_servers_that_the_network_of_the_pods_has_a_prefix_for(network: str, each: int, servers: int | None) -> None:
    assert addresses.pod_network_servers(network, each) == servers


def test_a_prefix_of_pods_holds_what_its_length_leaves() -> None:
    assert addresses.pod_addresses("10.128.0.0/14", 24) == 256
    assert addresses.pod_addresses("10.128.0.0/14", 30) == 4
    assert addresses.pod_addresses("fd00:10::/48", 64) == addresses.MOST
    assert addresses.pod_addresses("10.128.0.0/14", 64) is None
    assert addresses.pod_addresses("10.x.0.0/14", 24) is None


def test_networks_of_pods_and_services_that_are_none() -> None:
    assert addresses.malformed_network("10.128.0.0/14", "10.96.0.0/16") == "none"
    assert addresses.malformed_network("10.128.0.0/14", "10.96.0.0/40") == "10.96.0.0/40"
    assert addresses.malformed_network("10.244.0.1/16", None) == "none"
    assert addresses.malformed_network("10.x.0.0/16", None) is None


def test_time_to_send_every_server_its_image() -> None:
    """512 copies of 25 GB are 102.4 Tbit, and a port of 10 Gbit/s sends those in 10,240 s."""
    assert software.least_reinstall_time((504, 8), 25e9, 1, 10e9) == pytest.approx(10240)


def test_pods_and_services_share_addresses_or_not() -> None:
    assert addresses.pods_meet_services("10.96.0.0/12", "10.96.0.0/16") is True
    assert addresses.pods_meet_services("10.128.0.0/14", "10.96.0.0/16") is False
    assert addresses.pods_meet_services("10.128.0.0/14", "10.x.0.0/16") is None
