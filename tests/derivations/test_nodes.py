"""Sums over a pool of servers, by hand."""

from __future__ import annotations

from tests.derivations.stated import stated

from designlint.derivations.facility import cluster, nodes


def test_a_pool_of_dgx_h100() -> None:
    """512 servers of 8 GPUs with 80 GB and 10.2 kW, 16 of them spare on top (DGX H100 data sheet)."""
    gpus = stated("NodePool.pool_gpus")(512, 8)
    assert gpus == 4096
    assert stated("NodePool.gpu_memory_per_server")(8, 80e9) == 640e9
    assert nodes.pool_power(512, 16, 10200.0) == 528 * 10200
    assert nodes.pool_power(512, None, 10200.0) == 512 * 10200


def test_names_of_servers_count_once() -> None:
    assert nodes.named_servers(("node[001-060]", "login")) == 61
    assert nodes.named_servers(("node[1-4]", "node[4-7]")) == 7
    assert nodes.named_servers(("node[1-",)) is None
    assert nodes.named_servers(()) is None


def test_cores_of_processors_as_stated_else_as_catalogued() -> None:
    assert nodes.processor_cores(2, None, 56) == 112
    assert nodes.processor_cores(2, 144, None) == 288
    assert nodes.processor_cores(2, 144, 56) == 288
    assert nodes.processor_cores(2, None, None) is None


def test_a_server_of_unknown_power_draws_what_its_gpus_do() -> None:
    assert nodes.least_power(10_200, 10_200, None, 8, 700, None, None, None, None) == 10_200
    assert nodes.least_power(None, None, None, 8, 700, 450, None, None, None) == 5_600
    assert nodes.least_power(None, None, None, 0, 700, None, None, None, None) is None
    assert nodes.least_power(None, None, None, 8, None, None, None, None, None) is None
    assert nodes.least_power(None, None, None, 8, 700, None, 2, 360, 320) == 6_240  # EPYC 9654 at its lowest setting
    assert nodes.least_power(None, None, None, 0, None, None, 2, 350, None) == 700
    assert nodes.least_power(None, None, None, 8, 700, None, 2, None, None) == 5_600
    assert (
        nodes.least_power(None, None, None, 4, None, 450, None, None, None) == 1_800
    )  # GH200 is set to 450 W at least
    assert stated("NodePool.least_pool_power")(64, 5_600) == 358_400


def test_the_lowest_published_budget_counts_unless_the_design_states_another_power() -> None:
    """GB200 racks of 18 trays are published at 120 to 132 kW."""
    assert nodes.least_power(7_300, 7_300, 6_660, 4, None, None, None, None, None) == 6_660
    assert nodes.least_power(7_000, 7_300, 6_660, 4, None, None, None, None, None) == 7_000
    assert nodes.least_power(7_000, None, 6_660, 4, None, None, None, None, None) == 7_000


def test_servers_named_twice() -> None:
    everywhere = ("node[001-016],node[016-020]", None, "node[018-030]")
    doubled = cluster.doubled_servers(everywhere)
    assert doubled == "node016,node018,node019,node020"
    assert (
        nodes.repeated_names(("node[001-016]", "node[016-020]"), (doubled,)) == "node016, node018, node019 and 1 more"
    )
    assert nodes.repeated_names(("node[021-030]",), (doubled,)) == "none"
    assert cluster.doubled_servers(("node[001-010]",)) == "none"
    assert cluster.doubled_servers(("node[001-",)) is None
    assert nodes.repeated_names(("node[001-",), ("none",)) is None
