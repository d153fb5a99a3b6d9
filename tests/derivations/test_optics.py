"""Transceivers of runs of cable by hand."""

from __future__ import annotations

from designlint.derivations.network import optics


def test_a_run_has_a_cable_for_each_link_between_its_tiers() -> None:
    assert optics.tier_links("leaf-spine", (4096,), (2048,), (1024,)) == 2048
    assert optics.tier_links("server-leaf", (4096,), (2048,), (1024,)) == 4096
    assert optics.tier_links("spine-core", (4096,), (2048,), (None,)) is None


def test_twin_ports_and_splitters() -> None:
    """511 links of 400 Gbit/s: 256 twin-port transceivers; 1022 links of 200 on splitters: the same number above."""
    assert optics.lower_transceivers(511, 2) == 256
    assert optics.upper_transceivers(511, 2, 400e9, 400e9) == 256
    assert optics.upper_transceivers(1022, 2, 400e9, 200e9) == 256
    assert optics.lower_transceivers(1022, 1) == 1022
    assert optics.upper_transceivers(8, 2, 400e9, 800e9) is None


def test_the_shorter_reach_decides_and_cages_of_two_kinds_leave_it_open() -> None:
    assert optics.optical_reach(500.0, 100.0) == 100.0
    assert (
        optics.lower_cage("server-leaf", None, None, None, ("osfp-flat", "osfp-flat"), ("osfp-finned",), (None,))
        == "osfp-flat"
    )
    assert (
        optics.lower_cage("server-leaf", None, None, None, ("osfp-flat", "qsfp112"), ("osfp-finned",), (None,)) is None
    )
    assert optics.upper_cage("leaf-spine", ("osfp-finned",), ("qsfp-dd",), (None,)) == "qsfp-dd"


def test_one_run_to_adapters_of_two_kinds_fits_only_one_of_them() -> None:
    mixed: tuple[str | None, ...] = ("osfp-flat", "qsfp112")
    assert optics.lower_cage("server-leaf", "osfp-flat", 568, 516, mixed, (), ()) == "qsfp112"
    assert (
        optics.lower_cage("server-leaf", "osfp-flat", 512, 516, mixed, (), ()) is None
    )  # another run may serve the others
    assert (
        optics.lower_cage("server-leaf", "qsfp56", 568, 516, ("qsfp56", "qsfp112", "osfp-flat"), (), ()) == "osfp-flat"
    )
    assert optics.lower_cage("server-leaf", "osfp-flat", 568, 516, ("osfp-flat", None), (), ()) is None


def test_a_run_has_a_cable_for_each_link_unless_another_run_may_share_them() -> None:
    assert optics.cables("leaf-spine", 2048, (2112,), ("server-leaf", "leaf-spine")) == 2048
    assert optics.cables("leaf-spine", 2048, (2112,), ("leaf-spine", "leaf-spine")) is None
    assert optics.cables("leaf-spine", 2048, (2112,), ("leaf-spine", None)) is None


def test_a_run_to_servers_has_cables_to_storage_and_managers_too() -> None:
    assert optics.cables("server-leaf", 66, (88,), ("server-leaf",)) == 88
    assert optics.cables("server-leaf", 66, (None,), ("server-leaf",)) == 66


def test_a_run_may_list_the_cables_to_storage_and_managers_or_not() -> None:
    runs = ("server-leaf", "leaf-spine")
    assert optics.expected_cables("server-leaf", 100, 126, (146,), runs) == 126
    assert optics.expected_cables("server-leaf", 140, 126, (146,), runs) == 140
    assert optics.expected_cables("server-leaf", 200, 126, (146,), runs) == 146
    assert optics.expected_cables("server-leaf", 140, 126, (None,), runs) == 126
    assert optics.expected_cables("leaf-spine", 140, 126, (146,), runs) == 126
    assert optics.expected_cables("leaf-spine", 140, 126, (146,), ("leaf-spine", None)) is None


def test_a_cable_carries_what_the_slowest_ports_behind_it_have() -> None:
    runs = ("server-leaf", "leaf-spine")
    assert optics.link_rate("leaf-spine", (800e9,), (400e9,), runs) == 800e9
    assert optics.link_rate("server-leaf", (800e9,), (400e9, 200e9), runs) == 200e9
    assert optics.link_rate("server-leaf", (800e9,), (400e9, None), runs) is None
    assert optics.link_rate("server-leaf", (800e9,), (400e9,), ("server-leaf", "server-leaf")) is None
    assert optics.link_rate("spine-core", (800e9,), (400e9,), ("spine-core",)) is None


def test_transceivers_fit_some_version_of_the_adapters() -> None:
    assert optics.cage_choices(("osfp-flat", "qsfp112"), None) == "osfp-flat,qsfp112"
    assert optics.cage_choices(("osfp-flat", "qsfp112"), "qsfp112") is None
    assert optics.fits_adapters("server-leaf", "osfp-finned", ("osfp-flat,qsfp112",)) is False
    assert optics.fits_adapters("server-leaf", "osfp-flat", ("osfp-flat,qsfp112",)) is True
    assert optics.fits_adapters("server-leaf", "qsfp56", ("osfp-flat,qsfp112",)) is True
    assert optics.fits_adapters("server-leaf", "osfp-finned", ("osfp-flat,qsfp112", None)) is None
    assert optics.fits_adapters("server-leaf", "sfp28", ("osfp-flat,qsfp112",)) is None
    assert optics.fits_adapters("leaf-spine", "osfp-finned", ("osfp-flat,qsfp112",)) is None


def test_a_run_between_leaves_and_spines_has_the_rate_of_the_uplinks() -> None:
    assert optics.speed("leaf-spine", (400e9,), (800e9,)) == 800e9
    assert optics.speed("leaf-spine", (400e9,), (None,)) == 400e9
    assert optics.speed("server-leaf", (400e9,), (800e9,)) == 400e9
    assert optics.speed("spine-core", (400e9,), (800e9,)) is None
    assert optics.speed(None, (400e9,), (800e9,)) == 400e9


def test_the_medium_follows_from_the_optics_or_from_two_equal_ends() -> None:
    assert optics.medium("multimode", None, None) == "multimode"
    assert optics.medium(None, "single-mode", "single-mode") == "single-mode"
    assert optics.medium(None, "single-mode", "multimode") is None
    assert optics.optic("dr4", "dr8") is None
