"""Which queue a job means, what is behind it, and how many names a pool lists."""

from __future__ import annotations

import pytest
from tests.derivations.stated import stated

from designlint.derivations.facility import nodes
from designlint.derivations.network import interfaces
from designlint.derivations.operations import jobs, labels, partitions, queues, reservations

NAMES, FRONTS = ("trainers", "research"), ("rl-train,rl-test", "team-a")


@pytest.mark.parametrize(
    ("queue", "fronts", "known"),
    [
        ("trainers", (None, None), True),
        ("rl-test", FRONTS, True),
        ("rl-tset", FRONTS, False),
        ("rl-tset", ("rl-train", None), None),
    ],
)
def test_a_queue_is_unknown_only_where_every_queue_says_what_leads_to_it(
    queue: str, fronts: tuple[str | None, ...], known: bool | None
) -> None:
    assert queues.queue_known(queue, NAMES, fronts, ("kueue",)) is known


@pytest.mark.parametrize(("queue", "known"), [("trainers", True), ("default", True), ("trianers", False)])
def test_jobs_name_a_queue_of_volcano_itself(queue: str, known: bool) -> None:
    assert queues.queue_known(queue, NAMES, (None, None), ("volcano",)) is known


def test_a_queue_serves_the_pools_that_it_names() -> None:
    assert queues.queue_serves_pool("rl-train", ("train",), NAMES, FRONTS, ("train,spare", "research"), None) is True
    assert queues.queue_serves_pool("team-a", ("train",), NAMES, FRONTS, ("train,spare", "research"), True) is False
    assert queues.queue_serves_pool("team-a", ("train",), NAMES, FRONTS, ("train", None), None) is None


def test_a_queue_that_names_no_pools_serves_those_with_the_labels_of_its_flavours() -> None:
    own, cluster = ("gpu.product=H100", "ib"), ("gpu.product=H100", "ib", "gpu.product=B200")
    assert queues.queue_serves_pool("rl-train", ("train",), NAMES, FRONTS, (None, None), False) is False
    assert labels.queue_has_labels("rl-train", NAMES, FRONTS, ("H100", "B200"), own, cluster) is True
    assert labels.queue_has_labels("team-a", NAMES, FRONTS, ("H100", "B200"), own, cluster) is False
    assert labels.queue_has_labels("team-a", NAMES, FRONTS, ("H100", "MI300X"), own, cluster) is None


def test_gpus_behind_a_queue_are_those_of_its_pools_spares_included() -> None:
    """17 x 8 + 16 x 4 = 200."""
    assert queues.gpus_behind((17, 16), (8, 4)) == 200
    assert queues.gpus_behind((17,), (8, 4)) is None


def test_places_of_tasks_are_servers_times_tasks() -> None:
    assert jobs.task_places(256, None, 4) == 1024
    assert jobs.task_places(None, 18, 4) == 72
    assert jobs.task_places(None, None, 4) is None


def test_names_are_counted_once_each() -> None:
    assert nodes.named_servers(("a[01-10]", "b[1-2,4],a01")) == 13
    assert nodes.named_servers(("a[01-",)) is None
    assert stated("NodePool.named_cores")(2, 64) == 128
    assert interfaces.named_adapters(("mlx5_0", "mlx5_1", "mlx5_1")) == 2
    assert interfaces.named_adapters(("mlx5_bond_0",)) is None


def test_block_sizes_are_the_smallest_doubled() -> None:
    """Slurm's manual shows 30 and 120; sizes need not be listed in order."""
    assert jobs.block_sizes_double((30, 120)) is True
    assert jobs.block_sizes_double((144, 18)) is True
    assert jobs.block_sizes_double((4, 36)) is False
    assert jobs.block_sizes_double((4, 30)) is False
    assert jobs.block_sizes_double((18, 18)) is None
    assert jobs.stated_block_sizes((4, 36)) == "4, 36"


def test_quotas_add_up_as_far_as_they_are_stated() -> None:
    assert jobs.all_quotas((192, 64)) == 256
    assert jobs.all_quotas((192, None)) == 192
    assert jobs.all_quotas((None,)) is None


def test_a_server_of_a_partition_has_to_be_of_a_pool() -> None:
    assert (
        partitions.unknown_server(partitions.Listed(("gpu[01-04]",), ("gpu[01-02]", "cpu1"), (2, 1), (2, 1))) == "gpu03"
    )
    assert (
        partitions.unknown_server(partitions.Listed(("gpu01", "cpu1"), ("gpu[01-02]", "cpu1"), (2, 1), (2, 1)))
        == "none"
    )
    assert (
        partitions.unknown_server(partitions.Listed(("gpu[01-04]",), ("gpu[01-02]", None), (2, None), (2, 2))) is None
    )  # they may be the unnamed
    assert (
        partitions.unknown_server(partitions.Listed(("gpu[01-05]",), ("gpu[01-02]", None), (2, None), (2, 2)))
        == "gpu03"
    )  # three cannot be two
    assert (
        partitions.unknown_server(partitions.Listed(("gpu[01-05]",), ("gpu[01-02]", None), (2, None), (2, None)))
        is None
    )
    assert (
        partitions.unknown_server(partitions.Listed(("gpu01", "cpu[1-9]"), ("gpu[01-02]",), (2,), (2,))) == "none"
    )  # servers of a kind left out
    assert partitions.unknown_server(partitions.Listed(("gpu01",), ("gpu01.example.org",), (1,), (1,))) == "none"
    assert partitions.unknown_server(partitions.Listed(("gpu[01-",), ("gpu[01-02]",), (2,), (2,))) is None


@pytest.mark.parametrize(
    ("resources", "known"),
    [
        (("cpu", "nvidia.com/gpu"), True),
        (("nvidia.com/mig-1g.10gb",), True),
        (("nvidia.com/gpu.shared",), True),
        (("cpu", "memory", "rdma/hca"), False),
        (("cpu", "habana.ai/gaudi"), None),
    ],
)
def test_a_queue_hands_out_gpus_under_the_names_of_their_plugins(
    resources: tuple[str, ...], known: bool | None
) -> None:
    assert queues.hands_out_gpus(resources) is known


def test_topology_levels_end_at_the_server() -> None:
    assert partitions.level_below_server(("rack", "kubernetes.io/hostname")) == "none"
    assert partitions.level_below_server(("kubernetes.io/hostname", "rack", "block")) == "rack"
    assert partitions.level_below_server(("block", "rack")) == "none"
    assert partitions.level_below_server(()) is None


def test_pools_behind_a_queue_give_cpus_and_memory() -> None:
    assert queues.cpus_behind((8, 2), (192, 64)) == 8 * 192 + 2 * 64
    assert queues.host_memory_behind((8, 2), (2e12, 1e12)) == 18e12
    assert queues.cpus_behind((8, 2), (192,)) is None  # of one pool it is not known
    assert queues.host_memory_behind((8, 2), (2e12,)) is None


def test_a_reservation_holds_what_it_counts_else_what_it_names() -> None:
    assert reservations.named_count(("node[001-064]", "node064", "spare1")) == 65
    assert reservations.named_count(("node[001-",)) is None
    pools = (("node[001-064]",), (64,), (64,))
    assert reservations.reserved_stranger(partitions.Listed(("node[060-066]",), *pools)) == "node065"
    assert reservations.reserved_stranger(partitions.Listed(("node[060-064]",), *pools)) == "none"
    assert reservations.reserved_stranger(partitions.Listed((), *pools)) is None
    assert (
        reservations.reserved_stranger(partitions.Listed(("node065",), ("node[001-064]",), (64, None), (64, 4))) is None
    )
    assert reservations.held(32, 65, None) == 32
    assert reservations.held(None, 65, False) == 65
    assert reservations.held(32, 65, True) is None, "its jobs may use others, too"


def test_a_job_is_held_against_the_reservation_that_it_names() -> None:
    assert reservations.reservation_known("pretrain", ("acceptance", "pretrain"))
    assert not reservations.reservation_known("pretrian", ("acceptance", "pretrain"))
    assert reservations.reservation_servers("pretrain", ("acceptance", "pretrain"), (8, 64)) == 64
    assert reservations.reservation_servers("pretrain", ("acceptance", "pretrain"), (8, None)) is None
    assert reservations.reservation_servers("pretrian", ("acceptance", "pretrain"), (8, 64)) is None


def test_a_job_needs_the_servers_of_all_its_components_at_once() -> None:
    assert reservations.gang_servers(6, 9) == 9
    assert reservations.gang_servers(6, None) == 6
    assert reservations.gang_servers(None, None) is None


def test_the_limit_of_the_partition_that_a_job_gets() -> None:
    names, limits, defaults = ("train", "debug"), (172_800.0, 3_600.0), (None, True)
    assert queues.walltime_limit("train", names, limits, defaults) == 172_800
    assert queues.walltime_limit("debug, train", names, limits, defaults) == 172_800
    assert queues.walltime_limit(None, names, limits, defaults) == 3_600
    assert queues.walltime_limit(None, names, limits, (None, None)) == 172_800
    assert queues.walltime_limit("gpu", names, limits, defaults) is None
    assert queues.walltime_limit("debug,train", names, (None, 3_600.0), defaults) is None
    assert queues.longest_limit(limits) == 172_800
    assert queues.longest_limit((None, 3_600.0)) is None
