"""Ports, rates and rails that servers take, against published fabrics."""

from __future__ import annotations

import pytest
from tests.derivations.stated import stated

from designlint.derivations.network import attachments, optics
from designlint.derivations.network.oversubscription import working_oversubscription


def test_spares_are_cabled_too() -> None:
    assert attachments.installed_servers(512, 16) == 528
    assert attachments.installed_servers(512, None) == 512
    assert stated("Attachment.pool_ports")((528,), 8) == 4224


def test_ports_of_all_pools_and_managers() -> None:
    """RA-11333-001, 4 scalable units: 127 servers of 8 ports leave 8 of 1024 leaf ports."""
    servers = stated("Fabric.host_ports")((127 * 8,))
    assert servers == 1016
    assert attachments.ports_taken(servers, 8) == 1024
    assert attachments.ports_taken(servers, None) == 1016


def test_rate_per_gpu() -> None:
    """DGX H100: 8 ports of 400 Gbit/s for 8 GPUs; Fire-Flyer: one of 200 Gbit/s for 8."""
    assert attachments.rate_per_gpu(3200e9, (8,)) == pytest.approx(400e9)
    assert attachments.rate_per_gpu(200e9, (8,)) == pytest.approx(25e9)
    assert attachments.rate_per_gpu(200e9, (0,)) is None


def test_slowest_pool_and_most_rails() -> None:
    assert stated("Fabric.attached_speed")((400e9, 100e9)) == 100e9
    assert stated("Fabric.rails")((8, 2)) == 8


def test_rate_of_the_fabric_before_that_of_servers() -> None:
    assert attachments.host_rate(400e9, 100e9) == 400e9
    assert attachments.host_rate(None, 100e9) == 100e9
    assert attachments.host_rate(None, None) is None
    assert optics.speed(None, (400e9,), ()) == 400e9


def test_ports_in_service_leave_spares_out() -> None:
    assert stated("Attachment.service_ports")((64,), 8) == 512
    assert stated("Fabric.ports_in_service")((512, 16)) == 528


def test_adapters_share_ports_only_as_far_as_their_rate_allows() -> None:
    assert attachments.pool_adapters(16, 400e9, 400e9) == 16
    assert attachments.pool_adapters(17, 200e9, 400e9) == 9
    assert attachments.pool_adapters(16, 400e9, 200e9) == 16  # a port beyond its adapter is one adapter still
    assert attachments.pool_adapters(17, None, 400e9) == 9
    assert stated("Fabric.adapters_attached")((16, 9)) == 25


def test_ports_of_one_adapter_may_appear_as_one_device() -> None:
    """A ConnectX-8 of 800 Gbit/s has two ports of 400."""
    assert attachments.port_adapters(16, 400e9, 800e9) == 8
    assert attachments.port_adapters(16, 800e9, 800e9) == 16
    assert attachments.port_adapters(8, 400e9, 200e9) == 8
    assert attachments.port_adapters(8, 400e9, None) == 8


def test_spare_servers_send_nothing() -> None:
    """HPN: 136 ports of 200 Gbit/s, 8 of them for spares, over 60 uplinks of 400 Gbit/s are 1.067:1."""
    assert working_oversubscription(136 / 120, 1920 * 16, (2040 * 16,)) == pytest.approx(128 / 120)
    assert working_oversubscription(2.0, None, (64,)) == 2.0
    assert working_oversubscription(2.0, None, ()) == 2.0


def test_a_converged_fabric_beside_a_compute_fabric_carries_no_training() -> None:
    """NVIDIA's enterprise architectures: GPUs use the east-west network; north-south is storage and management."""
    assert attachments.carries_training("compute", ("compute", "converged")) is True
    assert attachments.carries_training("converged", ("compute", "converged")) is False
    assert attachments.carries_training("converged", ("converged", "out-of-band")) is True
    assert attachments.carries_training("converged", ()) is True
    assert attachments.carries_training("converged", ("converged", None)) is None
    assert attachments.carries_training("storage", ("storage", None)) is False


def test_ports_of_a_server_add_up() -> None:
    assert stated("Attachment.server_rate")(8, stated("Attachment.speed")(400e9)) == 3.2e12


def test_backup_ports_carry_nothing() -> None:
    assert attachments.active_ports(8, None) == 8
    assert attachments.active_ports(2, 1) == 1
    assert attachments.active_ports(1, 1) is None
