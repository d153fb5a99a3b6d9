"""Checkpoints on their way through storage, by hand."""

from __future__ import annotations

from designlint.derivations.operations import retention
from designlint.derivations.operations.checkpoint import Ports

OPEN = Ports(None, (), (), ())


def test_draining_to_the_slowest_of_the_later_tiers() -> None:
    """6 TB to 5 GB/s: 20 min; the first tier does not count."""
    assert retention.drain_time(6e12, (2e12, 5e9), OPEN) == 1200
    assert retention.drain_time(6e12, (1e9, 5e10, 5e9), OPEN) == 1200
    assert retention.drain_time(6e12, (2e12,), OPEN) is None
    assert retention.drain_time(6e12, (2e12, 0.0), OPEN) is None


def test_the_burst_of_a_synchronous_checkpoint() -> None:
    """6 TB every 20 min, at most 5 % of the time: 60 s, 100 GB/s."""
    assert retention.checkpoint_bandwidth_needed(6e12, 1200, 0.05) == 1e11
    assert retention.checkpoint_bandwidth_needed(6e12, 1200, 0.0) is None


def test_data_and_checkpoints_on_one_tier() -> None:
    assert retention.retained_size(6e13, 7e13, "scratch", ("scratch",)) == 1.3e14
    assert retention.retained_size(6e13, 7e13, "scratch", ("local", "scratch")) is None
    assert retention.retained_size(6e13, 7e13, "data", ("scratch",)) is None
