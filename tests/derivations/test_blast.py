"""What one part takes down and what a failure costs, by hand; spares against a Poisson table."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.derivations.stated import stated

from designlint.derivations.facility import blast

HOUR = 3600.0


def test_a_rack_of_each_kind() -> None:
    assert stated("Racks.rack_gpus")(4, (8,)) == 32
    assert stated("Racks.rack_gpus")(18, (4, 0)) == 72


@pytest.mark.parametrize(("feeds", "load", "lost"), [(1, None, 32), (2, 0.95, 0), (2, 1.2, 32), (2, None, None)])
def test_a_feed(feeds: int, load: float | None, lost: int | None) -> None:
    assert blast.gpus_lost_with_feed(feeds, 32, load) == lost


@pytest.mark.parametrize(
    ("pdus", "feeds", "with_feed", "lost"),
    [(1, 2, 0, 32), (2, 2, 0, 0), (2, 2, 32, 32), (4, 2, 0, None), (2, None, None, None)],
)
def test_a_power_distribution_unit(pdus: int, feeds: int | None, with_feed: int | None, lost: int | None) -> None:
    assert blast.gpus_lost_with_pdu(pdus, feeds, 32, with_feed) == lost


def test_a_coolant_distribution_unit() -> None:
    """1152 GPUs on five units: 231 each; none while four of them carry the heat."""
    assert blast.gpus_lost_with_cdu(1152, 5, "N", None, None) == 231
    assert blast.gpus_lost_with_cdu(1152, 5, "N+1", 4e6, 3.5e6) == 0
    assert blast.gpus_lost_with_cdu(1152, 5, "N+1", 3e6, 3.5e6) == 231
    assert blast.gpus_lost_with_cdu(1152, 5, "N+1", None, 3.5e6) is None


def test_a_leaf() -> None:
    """32 ports: 32 servers by rails, four servers of eight ports without, 32 with two leaves behind each adapter."""
    assert blast.servers_on_leaf(32, True, None, (8,)) == 32
    assert blast.servers_on_leaf(32, False, None, (8,)) == 4
    assert blast.servers_on_leaf(32, False, "unstacked", (8,)) == 32
    assert stated("Fabric.gpus_on_leaf")(32, (8, 4)) == 256


def test_what_llama_3_lost_per_failure() -> None:
    """16,384 GPUs; with a checkpoint every 20 min, 2 min to notice and 10 to restart: 22 min and 6008 GPU hours."""
    lost = blast.time_lost_per_failure(20 * 60, 120, 600)
    assert lost == 22 * 60
    assert blast.gpu_time_lost_per_failure(16384, lost) / HOUR == pytest.approx(6007.5, abs=0.1)
    assert blast.failures_in_run(54 * 24 * HOUR, 54 * 24 * HOUR / 419) == pytest.approx(419)


@pytest.mark.parametrize(
    ("mean", "share", "spares"),
    # Cumulative Poisson, mean 1: 0.368, 0.736, 0.920, 0.981, 0.996; mean 5: 0.968 at 9, 0.986 at 10, 0.995 at 11.
    [(1, 0.36, 0), (1, 0.9, 2), (1, 0.95, 3), (1, 0.99, 4), (5, 0.95, 9), (5, 0.99, 11), (0, 0.999, 0)],
)
def test_spares_by_the_table(mean: float, share: float, spares: int) -> None:
    assert blast.spares_for_availability(mean, share) == spares


def test_no_number_of_spares_is_always_enough() -> None:
    assert blast.spares_for_availability(3.3, 1.0) is None
    assert blast.spares_for_availability(1e6, 0.9) is None


@given(st.floats(0.01, 2000), st.sampled_from([0.5, 0.9, 0.99, 0.999]))
def test_spares_lie_around_the_mean(mean: float, share: float) -> None:
    spares = blast.spares_for_availability(mean, share)
    assert spares is not None
    assert mean - 1 <= spares <= mean + 4 * math.sqrt(mean) + 5


def test_a_spine_takes_its_share_of_the_bandwidth() -> None:
    assert blast.bandwidth_lost_with_spine(16, 1) == 1 / 16
    assert blast.bandwidth_lost_with_spine(128, 2) == 1 / 64
    assert blast.bandwidth_lost_with_spine(0, 1) is None
