"""What all-reduce can show at most, against the factors of nccl-tests and published measurements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.derivations.stated import stated

from designlint.derivations.operations import acceptance

PORTS = 8 * 400e9  # eight NDR ports: 400 GB/s one way


def test_rates_of_several_fabrics() -> None:
    assert stated("CollectiveTest.fastest_rate")((3.2e12, 8e11)) == 3.2e12
    assert acceptance.server_network_rate((3.2e12, 8e11), ("compute", "converged")) == 4e12
    assert acceptance.server_network_rate((3.2e12, 8e11), ("compute", None)) == 4e12
    assert acceptance.server_network_rate((3.2e12, 8e11, None), ("compute", "storage", "management")) == 3.2e12
    assert acceptance.server_network_rate((3.2e12, None), ("compute", None)) is None
    assert acceptance.server_network_rate((8e11,), ("storage",)) == 8e11
    assert acceptance.server_network_rate((), ()) is None


@pytest.mark.parametrize(("fabrics", "reduces"), [((True, False), True), ((False, False), False), ((), False)])
def test_switches_that_reduce(fabrics: tuple[bool, ...], reduces: bool) -> None:
    assert acceptance.switches_reduce(fabrics) is reduces


@pytest.mark.parametrize(
    ("servers", "reduces", "limit"),
    [
        # two servers: each sends its sum once; 2 x 15/16 x 400 GB/s. About 480 GB/s are measured with NVLink SHARP.
        (2, False, 750e9),
        (2, True, 750e9),
        # four servers without switches that reduce: 6 messages over 4 servers; 2 x 31/32 x 4 x 400 / 6
        (4, False, 516.667e9),
        # with them, one message per server: 2 x 31/32 x 400
        (4, True, 775e9),
        (4, None, 775e9),
    ],
)
def test_limit_of_all_reduce(servers: int, reduces: bool | None, limit: float) -> None:
    found = acceptance.bus_bandwidth_limit(servers, 8, 8, PORTS, reduces)
    assert found == pytest.approx(limit, rel=1e-5)


def test_no_limit_within_one_domain() -> None:
    assert acceptance.bus_bandwidth_limit(18, 4, 72, 4 * 400e9, None) is None


def test_domains_of_several_servers() -> None:
    """Two racks of 18 trays: each rack sends its sum once, over 72 ports of 50 GB/s."""
    assert acceptance.bus_bandwidth_limit(36, 4, 72, 4 * 400e9, False) == pytest.approx(2 * 143 / 144 * 3600e9)


@given(servers=st.integers(2, 4096), gpus=st.integers(1, 16), rate=st.floats(1e9, 1e14))
def test_reduction_in_switches_never_lowers_the_limit(servers: int, gpus: int, rate: float) -> None:
    plain = acceptance.bus_bandwidth_limit(servers, gpus, gpus, rate, False)
    reduced = acceptance.bus_bandwidth_limit(servers, gpus, gpus, rate, True)
    assert plain is not None
    assert reduced is not None
    assert rate / 8 * 0.49 <= plain <= reduced * (1 + 1e-12)


@pytest.mark.parametrize(
    ("servers", "gpus", "domain", "gather", "exchange"),
    [
        # four servers of eight: 24 of 31 partners are outside; 400 GB/s of a server, 50 GB/s of a GPU
        (4, 8, 8, 400e9 * 31 / 24, 50e9 * 31 / 24),
        # two domains of 72 in trays of four: 72 of 143 partners are outside; 18 trays receive together
        (36, 4, 72, 18 * 400e9 * 143 / 72, 100e9 * 143 / 72),
        (1, 8, 8, None, None),
    ],
)
def test_what_ports_let_a_gather_and_an_exchange_show(
    servers: int, gpus: int, domain: int, gather: float | None, exchange: float | None
) -> None:
    assert acceptance.gather_limit(servers, gpus, domain, PORTS) == (gather and pytest.approx(gather))
    assert acceptance.exchange_limit(servers, gpus, domain, PORTS) == (exchange and pytest.approx(exchange))


@pytest.mark.parametrize(
    ("collective", "limit"),
    [
        # eight servers without switches that reduce: 14 messages over 8 servers; 2 x 63/64 x 8 x 400 / 14
        ("all_reduce", 450e9),
        # 63 of 64 parts come from outside the GPU, 56 from outside its server: 63/56 x 400
        ("reduce_scatter", 450e9),
        ("alltoall", 450e9 / 8),
        ("sendrecv", None),
    ],
)
def test_limit_of_a_result(collective: str, limit: float | None) -> None:
    found = acceptance.result_limit(collective, 8, 8, 8, (PORTS,), (False,))
    assert found == (limit if limit is None else pytest.approx(limit))


def test_switches_that_reduce_raise_the_limit_of_a_result() -> None:
    """Eight servers send one message each: 2 x 63/64 x 400."""
    assert acceptance.result_limit("all_reduce", 8, 8, 8, (PORTS,), (True,)) == pytest.approx(787.5e9)
    assert acceptance.result_limit("all_reduce", 8, 8, 8, (PORTS,), ()) == pytest.approx(787.5e9)


def test_best_results() -> None:
    assert acceptance.best_read((20e9, None, 90e9)) == 90e9
    assert acceptance.best_write((None,)) is None
    assert stated("Measurement.installed_servers")((32, 4)) == 36


def test_leaves_of_the_fabrics_that_carry_training() -> None:
    assert acceptance.worst_leaf_ratio(("compute", "storage"), (1.0, None)) == 1.0
    assert acceptance.worst_leaf_ratio(("compute", "converged"), (1.0, 2.0)) == 1.0  # training runs on the first
    assert acceptance.worst_leaf_ratio(("compute", "converged"), (1.0, None)) == 1.0
    assert acceptance.worst_leaf_ratio(("converged", "out-of-band"), (2.0, None)) == 2.0
    assert acceptance.worst_leaf_ratio(("converged",), (None,)) is None
    assert acceptance.worst_leaf_ratio(("compute", None), (1.0, 1.0)) is None
    assert acceptance.worst_leaf_ratio(("storage",), (1.0,)) is None


def test_jobs_larger_than_a_server_take_whole_servers() -> None:
    assert acceptance.split_scale((64, 500), (8,)) == 500
    assert acceptance.split_scale((4, 64), (8, 0)) == 0
    assert acceptance.split_scale((12,), (8, 4)) == 0
    assert acceptance.split_scale((12,), (0,)) is None
