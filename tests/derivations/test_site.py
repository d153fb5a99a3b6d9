"""What the site, its drives and its buffers come to, by hand."""

from __future__ import annotations

from tests.derivations.stated import stated

from designlint.derivations.facility import cluster, swings
from designlint.derivations.operations import storage


def test_known_parts_are_counted_and_open_ones_left_out() -> None:
    """127 servers and 64 switches; the switches of a second fabric are open."""
    assert cluster.managed_devices((127, None), (64, None)) == 191
    assert cluster.managed_devices((None,), (None,)) is None
    assert cluster.longest_cable((30.0, None, 80.0)) == 80.0
    assert cluster.longest_cable((None,)) is None
    assert cluster.largest_job_power((1e6, None, 3e6)) == 3e6


def test_the_load_returns_in_equal_steps_at_best() -> None:
    assert cluster.largest_step((4.8e6,), 4) == 1.2e6
    assert cluster.largest_step((), 4) is None


def test_all_gpus_of_a_job_swing_together() -> None:
    assert swings.synchronous_power(16384, 700.0) == 11468800.0


def test_a_tier_is_its_drives() -> None:
    """24 servers of 24 drives; appliances are counted where no servers are."""
    assert storage.all_drives(24, 24, None) == 576
    assert storage.all_drives(24, None, 12) == 288
    assert storage.all_drives(24, None, None) is None
    assert stated("StorageTier.raw_capacity")(576, 15.36e12) == 576 * 15.36e12
    assert stated("StorageTier.drives_read")(576, 6.8e9) == 576 * 6.8e9
    assert stated("StorageTier.drives_write")(576, 4e9) == 576 * 4e9


def test_local_drives_make_a_tier_only_where_it_is_one() -> None:
    assert storage.local_capacity("local-nvme", (512, 16), (0, 2), (30e12, 15e12)) == 512 * 30e12 + 16 * 15e12
    assert storage.local_capacity("lustre", (512,), (0,), (30e12,)) is None
    assert storage.local_capacity("local-nvme", (512, 16), (0, None), (30e12, 15e12)) is None
    assert storage.local_read("local-nvme", (4,), (50e9,)) == 200e9
    assert storage.local_write("local-nvme", (4,), (25e9,)) == 100e9
