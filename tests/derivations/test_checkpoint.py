"""Checkpoint size, write time and stall, against BLOOM and by hand."""

from __future__ import annotations

import pytest
from tests.derivations.stated import stated

from designlint.derivations.operations import checkpoint, jobs, storage
from designlint.derivations.workload import compute

#: Ports of which nothing is known.
OPEN = checkpoint.Ports(None, (), (), ())


def test_bloom_weighs_2_3_tb() -> None:
    """BLOOM chronicles: 2.3 TB for 176e9 parameters; 2 B of weights and 12 B of optimizer give 2.46 TB."""
    size = checkpoint.trained_state_size(True, 176_000_000_000, 2, 12)
    assert size == 2.464e12
    assert size == pytest.approx(2.3e12, rel=0.08)


def test_a_stated_size_wins() -> None:
    assert checkpoint.checkpoint_size(2.3e12, 2.464e12) == 2.3e12
    assert checkpoint.checkpoint_size(None, 2.464e12) == 2.464e12
    assert checkpoint.checkpoint_size(None, None) is None


@pytest.mark.parametrize(
    ("kind", "words", "trains"),
    [
        (None, (None, None, None, None), None),
        (None, (256, None, None, None), True),
        (None, (None, 8, None, None), True),
        (None, (None, None, "adam", None), True),
        (None, (None, None, None, 1000), True),
        ("lora", (None, None, None, None), True),
        ("inference", (256, None, None, 1000), False),
    ],
)
def test_words_of_training_show_that_a_job_of_unknown_kind_trains(
    kind: str | None, words: tuple[int | None, int | None, str | None, int | None], trains: bool | None
) -> None:
    batch, accumulation, optimizer, steps = words
    assert compute.trains_parameters(kind, batch, accumulation, optimizer, steps) is trains


@pytest.mark.parametrize(
    ("kind", "adapters", "whole"),
    [
        ("lora", None, False),
        ("inference", None, False),
        ("fine-tuning", True, False),
        ("reinforcement-learning", None, True),
    ],
)
def test_jobs_that_train_a_part_have_no_such_size(kind: str, adapters: bool | None, whole: bool) -> None:
    assert compute.trains_all_parameters(kind, adapters) == whole
    assert checkpoint.trained_state_size(False, 1_000_000_000, 2, 12) is None


def test_the_slowest_tier_sets_the_write_time() -> None:
    """BLOOM: 2.3 TB at 57.5 GB/s in 40 s."""
    assert checkpoint.checkpoint_write_time(2.3e12, (500e9, 57.5e9), OPEN, True) == pytest.approx(40)


def test_a_single_writer_has_no_data_sheet() -> None:
    assert checkpoint.checkpoint_write_time(2.3e12, (57.5e9,), OPEN, False) is None
    assert checkpoint.checkpoint_write_time(2.3e12, (57.5e9,), OPEN, None) is not None
    assert checkpoint.checkpoint_write_time(2.3e12, (), OPEN, True) is None
    assert checkpoint.checkpoint_write_time(2.3e12, (0.0,), OPEN, True) is None


@pytest.mark.parametrize(
    ("stated", "mode", "write", "stall"),
    [
        (5.0, "synchronous", 40.0, 5.0),
        (5.0, "asynchronous", 40.0, 5.0),
        (0.0, None, None, 0.0),
        (None, "synchronous", 40.0, 40.0),
        (None, "asynchronous", 40.0, None),
        (None, None, 40.0, None),
    ],
)
def test_stall(stated: float | None, mode: str | None, write: float | None, stall: float | None) -> None:
    assert checkpoint.checkpoint_stall(stated, mode, write) == stall


def test_overhead_of_bloom() -> None:
    """40 s every 3 h: 0.37 %."""
    assert checkpoint.checkpoint_overhead(40, 3 * 3600) == pytest.approx(0.0037, abs=1e-5)
    assert checkpoint.checkpoint_overhead(40, 0) is None


def test_usable_capacity() -> None:
    assert stated("StorageTier.usable_capacity")(20e15, 0.8) == 16e15


def test_the_floor_lies_below_what_was_saved() -> None:
    """BLOOM saved 13.1 B per parameter; 9 of 12 B of optimizer state are the floor, and a stated size wins."""
    floor = checkpoint.least_resumable_size(True, 176_000_000_000, 18, 1.0, 12, 2, None)
    assert floor == 1.584e12
    assert floor < 2.3e12
    assert checkpoint.least_resumable_size(True, 176_000_000_000, None, 1.0, None, 2, None) == 3 * 176e9
    assert checkpoint.least_resumable_size(True, 176_000_000_000, None, 1.0, None, None, None) == 176e9
    assert checkpoint.least_resumable_size(True, 1_000_000_000, 18, 1 / 3, 12, 2, None) == 6e9  # BF16 throughout
    assert checkpoint.least_checkpoint_size(None, floor) == floor
    assert checkpoint.least_checkpoint_size(2.3e12, floor) == 2.3e12
    assert checkpoint.least_resumable_size(False, 176_000_000_000, 18, 1.0, 12, 2, None) is None


def test_the_fastest_tier_sets_the_least_write_time() -> None:
    """2.3 TB at 57.5 GB/s in 40 s, at 460 GB/s in 5 s."""
    assert checkpoint.least_checkpoint_write_time(2.3e12, (460e9, 57.5e9), OPEN) == pytest.approx(5)
    assert checkpoint.least_checkpoint_write_time(2.3e12, (0.0,), OPEN) is None


@pytest.mark.parametrize(
    ("stated", "mode", "stall"),
    [(2.0, "synchronous", 2.0), (None, "synchronous", 5.0), (None, "asynchronous", None), (None, None, None)],
)
def test_least_stall(stated: float | None, mode: str | None, stall: float | None) -> None:
    assert checkpoint.least_checkpoint_stall(stated, mode, 5.0) == stall


def test_least_overhead_and_what_is_kept() -> None:
    """5 s in 500 s; five of 7 TB; 7 TB over 512 servers; 1 PB and 20 PB."""
    assert checkpoint.least_checkpoint_overhead(5, 500) == 0.01
    assert checkpoint.least_checkpoint_overhead(5, 0) is None
    assert checkpoint.kept_checkpoints_size(7e12, 5) == 35e12
    assert checkpoint.least_kept_checkpoints_size(6e12, 5, "asynchronous") == 30e12
    assert checkpoint.least_kept_checkpoints_size(6e12, None, None) == 6e12
    assert checkpoint.least_kept_checkpoints_size(6e12, None, "none") is None
    assert checkpoint.least_checkpoint_per_server(7e12, 512) == 7e12 / 512
    assert checkpoint.least_checkpoint_per_server(7e12, 0) is None
    assert stated("Workload.checkpoint_capacity")((1e15, 20e15)) == 21e15


def test_servers_reach_storage_over_all_their_ports() -> None:
    """512 servers with two ports of 400 Gbit/s: 51.2 TB/s; a second pool of 16 with one of 200 Gbit/s adds 0.4 TB/s."""
    train = stated("Attachment.pool_rate")(2 * 400e9, (512,))
    assert train == 409.6e12
    assert stated("StorageTier.attached_rate")((train, stated("Attachment.pool_rate")(200e9, (16,)))) == pytest.approx(
        51.6e12
    )


def test_ports_limit_what_a_tier_gives() -> None:
    """64 servers with one port of 100 Gbit/s carry 800 GB/s, whatever the file system writes; local drives need no port."""
    ports = checkpoint.Ports(64, ("compute", "storage"), (3200e9, 100e9), ("storage", None))
    assert ports.reached_rates((2e12, 3e12)) == (8e11, 3e12)
    assert checkpoint.least_checkpoint_write_time(8e12, (2e12,), _of(ports, "storage")) == 10
    assert checkpoint.least_restore_time(8e12, (2e12,), _of(ports, "storage"), None) == 10
    assert ports.reached_rates((1e9, 3e12)) == (1e9, 3e12)


@pytest.mark.parametrize(
    "ports",
    [
        checkpoint.Ports(None, ("storage",), (100e9,), ("storage",)),
        checkpoint.Ports(64, ("storage",), (None,), ("storage",)),
        checkpoint.Ports(64, ("storage", None), (100e9, 100e9), ("storage",)),
        checkpoint.Ports(64, ("compute",), (100e9,), ("storage",)),
    ],
    ids=["servers", "rate", "network", "routed"],
)
def test_open_ports_limit_nothing(ports: checkpoint.Ports) -> None:
    assert ports.reached_rates((2e12,)) == (2e12,)


def _of(ports: checkpoint.Ports, *tiers: str) -> checkpoint.Ports:
    return checkpoint.Ports(ports.servers, ports.port_fabrics, ports.port_rates, tiers)


def test_the_first_tier_is_the_fastest_where_none_writes_faster() -> None:
    assert checkpoint.first_tier_fastest((3e12, 250e9))
    assert checkpoint.first_tier_fastest((250e9, 250e9))
    assert not checkpoint.first_tier_fastest((250e9, 3e12))


def test_data_that_training_reads() -> None:
    """Two trillion tokens in 8 TB: measured tokens go before targeted ones, and those before the deadline."""
    assert stated("Workload.bytes_per_file")(8_000_000_000_000, 8000) == 1e9
    assert storage.data_rate(8e12, 2 * 10**12, 1e6, 2e6, 1e6) == 4e6
    assert storage.data_rate(8e12, 2 * 10**12, None, 2e6, 1e6) == 8e6
    assert storage.data_rate(8e12, 2 * 10**12, None, None, 1e6) == 8e6
    assert storage.data_rate(8e12, 2 * 10**12, None, None, None) is None


def test_the_first_checkpoint_comes_after_steps_as_measured() -> None:
    assert jobs.least_first_checkpoint(None, 500, 2.0, 1.0, 0.5) == 1000
    assert jobs.least_first_checkpoint(None, 500, None, 1.0, 0.5) == 500
    assert jobs.least_first_checkpoint(60.0, None, 2.0, 1.0, 0.5) == 60
