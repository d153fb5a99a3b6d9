"""Failure rates and Young's interval against published clusters."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.derivations.stated import stated

from designlint.derivations.operations import reliability

HOUR, DAY = 3600.0, 86400.0


@pytest.mark.parametrize(
    ("servers", "per_1000_days", "hours"),
    [
        (128, 6.5, 28.8),  # RSC-1, arXiv 2410.21680: 6.5 failures per 1000 node-days
        (12500, 2.3, 0.835),  # FT-HSDP: 2.3 interruptions per 1000 servers and day, one per 50 min
        (2048, 1000 * 419 / (54 * 2048), 3.09),  # Llama 3: 419 unexpected interruptions in 54 days
    ],
)
def test_mean_time_between_failures(servers: int, per_1000_days: float, hours: float) -> None:
    assert reliability.mtbf(servers, per_1000_days / 1000 / DAY) == pytest.approx(hours * HOUR, rel=0.002)


def test_servers_that_never_fail_have_no_time_between_failures() -> None:
    assert reliability.mtbf(128, 0.0) is None


@pytest.mark.parametrize(
    ("stall", "mtbf", "interval"),
    [
        (40, 3.5 * DAY, 4919),  # BLOOM: two failures a week
        (60, 11124, 1155),  # Llama 3, 60 s assumed: 19.3 min
        (100, 15 * DAY, 16100),  # Alibaba HPN: two crashes a month, 4.47 h; 2 to 4 h published
    ],
)
def test_young_1974(stall: float, mtbf: float, interval: float) -> None:
    assert reliability.young_checkpoint_interval(stall, mtbf) == pytest.approx(interval, rel=0.001)


@pytest.mark.parametrize(("stall", "mtbf"), [(0, 1000), (500, 1000), (2000, 1000)])
def test_young_is_not_used_outside_its_range(stall: float, mtbf: float) -> None:
    assert reliability.young_checkpoint_interval(stall, mtbf) is None
    assert reliability.young_checkpoint_interval(499, 1000) == pytest.approx(math.sqrt(998_000))


def test_goodput_of_bloom() -> None:
    """40 s every 3 h and two failures a week waste 0.37 % + 1.79 %; the restart is left out here."""
    assert reliability.goodput(40, 3 * HOUR, 3 * HOUR, 3.5 * DAY, 0, 0) == pytest.approx(1 - 0.0037 - 0.0179, abs=1e-4)


def test_goodput_counts_recovery() -> None:
    """MTBF 10,000 s; 10 s in 1,000 s; half an interval, 100 s to notice, 400 s to restart: 1 - 0.01 - 0.1."""
    assert reliability.goodput(10, 1000, 1000, 10_000, 100, 400) == pytest.approx(0.89)
    assert reliability.goodput(10, 1000, 100, 10_000, 100, 400) == pytest.approx(0.935)  # copies in memory every 100 s


def test_goodput_is_never_negative() -> None:
    assert reliability.goodput(10, 1000, 1000, 100, 100, 400) == 0
    assert reliability.goodput(10, 0, 0, 100, 100, 400) is None


@given(st.floats(1, 100), st.floats(1e4, 1e6), st.floats(0.2, 5))
def test_no_interval_beats_youngs(stall: float, mtbf: float, factor: float) -> None:
    best = reliability.young_checkpoint_interval(stall, mtbf)
    assert best is not None
    at_best = reliability.goodput(stall, best, best, mtbf, 60, 600)
    elsewhere = reliability.goodput(stall, best * factor, best * factor, mtbf, 60, 600)
    assert at_best is not None
    assert elsewhere is not None
    assert elsewhere <= at_best + 1e-12


@pytest.mark.parametrize(
    ("gpus", "per_1000_days", "gpu_days"),
    [
        (8, 6.5, 1231),  # RSC-1
        (8, 2.34, 3419),  # RSC-2
        (8, 1000 * 419 / (54 * 2048), 2111),  # Llama 3: 16,384 GPUs x 54 days / 419
    ],
)
def test_gpu_time_between_failures(gpus: int, per_1000_days: float, gpu_days: float) -> None:
    time = reliability.time_between_gpu_failures(gpus, per_1000_days / 1000 / DAY)
    assert time == pytest.approx(gpu_days * DAY, rel=0.001)
    assert reliability.time_between_gpu_failures(gpus, 0.0) is None


def test_servers_in_repair() -> None:
    """512 servers x 6.5 / 1000 per day x 7 days: 23.3."""
    assert stated("NodePool.servers_in_repair")(512, 0.0065 / DAY, (7 * DAY,)) == pytest.approx(23.296)


def test_failures_lengthen_the_run() -> None:
    """90 days at full progress take 100 at 90 %; a target of 95 % was 94.7 days and counts once."""
    assert reliability.training_time_with_failures(90 * DAY, None, 0.9) == pytest.approx(100 * DAY)
    assert reliability.training_time_with_failures(90 * DAY / 0.95, 0.95, 0.9) == pytest.approx(100 * DAY)
    assert reliability.training_time_with_failures(90 * DAY, None, 0.0) is None


def test_the_run_takes_the_time_to_train_else_the_deadline() -> None:
    assert reliability.run_time(80 * DAY, 90 * DAY) == 80 * DAY
    assert reliability.run_time(None, 90 * DAY) == 90 * DAY
    assert reliability.run_time(None, None) is None


def test_daly_agrees_with_young_for_short_stalls_and_not_for_long_ones() -> None:
    """Llama 3: 60 s against 3.09 h is Young's 1155 s; Daly's is 1155 (1 + 0.0173 + 0.0003) - 60 = 1115 s."""
    assert reliability.daly_checkpoint_interval(60, 11124) == pytest.approx(1115.7, abs=0.5)
    assert reliability.daly_checkpoint_interval(3600, 1800) == 1800
    assert reliability.daly_checkpoint_interval(0, 1800) is None


def test_the_best_goodput_of_what_is_stated() -> None:
    """A failure every 1.8 h, half of 30 min of work lost: 13.9 % even with stall, notice and restart unknown."""
    lost = reliability.least_lost_per_failure(1800, None, None)
    assert lost == 900
    assert reliability.most_goodput(None, 6480, lost) == pytest.approx(1 - 900 / 6480)
    assert reliability.least_lost_per_failure(1800, 300, 3600) == 4800
    assert reliability.most_goodput(0.01, 6480, 4800) == pytest.approx(1 - 0.01 - 4800 / 6480)
    assert reliability.most_goodput(0.8, 3600, 1800) == 0


def test_the_best_goodput_of_checkpoints_or_failures_alone() -> None:
    """60 s in every 10 min leave 90 %; an hour to restart after each 1.8 h leaves 44 %, however often the job saves."""
    assert reliability.most_goodput(60 / 600, None, None) == pytest.approx(0.9)
    assert reliability.least_lost_per_failure(None, None, 3600) == 3600
    assert reliability.most_goodput(None, 6480, 3600) == pytest.approx(1 - 3600 / 6480)
    assert reliability.least_lost_per_failure(None, None, None) is None
    assert reliability.most_goodput(None, 6480, None) is None


@pytest.mark.parametrize(
    ("placed", "parts", "reserve"),
    [((896,), (), 18), ((896, 64), (), 10), ((896,), (120,), 3), ((1016, 1016), (), 3), ((None,), (), 3), ((), (), 3)],
)
def test_servers_that_no_job_takes_are_a_reserve(
    placed: tuple[int | None, ...], parts: tuple[int, ...], reserve: int
) -> None:
    """127 servers of eight GPUs and three spares."""
    assert reliability.reserve_servers(3, 127, 8, placed, parts) == reserve
