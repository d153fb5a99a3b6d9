"""What servers take on a fabric: ports, rates, rails."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count, DataRate


@derivation(of="NodePool")
def installed_servers(count: Count, spares: Count | None) -> Count:
    """
    Servers in service and spares. [1]

    Assumes no spares where the design states none.
    """
    return count + (spares or 0)


@derivation(of="Attachment", kind=lower, sources=("hpn-2024",))
def pool_adapters(pool_ports: Count, speed: DataRate | None, nic_speed: DataRate | None) -> Count:
    """
    Minimum number of adapters of all servers of the pool on the fabric. [1]

    A lower bound: an adapter has as many ports as its rate allows, or two if its rate is unknown.
    """
    return math.ceil(pool_ports / (max(1, nic_speed // speed) if nic_speed and speed else 2))


@derivation(of="Attachment")
def port_adapters(ports: Count, speed: DataRate | None, nic_speed: DataRate | None) -> Count:
    """
    Adapters of one server on the fabric, if each port runs at the stated rate. [1]

    Assumes one port per adapter where a rate is not known.
    """
    return math.ceil(ports / (max(1, nic_speed // speed) if nic_speed and speed else 1))


@derivation(of="Attachment")
def rate_per_gpu(server_rate: DataRate, pool_server_gpus: tuple[Count, ...]) -> DataRate | None:
    """
    Line rate per GPU into the fabric. [bit/s]

    Assumes that the GPUs of a server share its ports equally. Absent for a server without GPUs.
    """
    gpus = max(pool_server_gpus)
    return server_rate / gpus if gpus else None


@derivation(of="Fabric", sources=("nvidia-era",))
def carries_training(purpose: Text, neighbour_purposes: tuple[Text | None, ...]) -> Flag | None:
    """
    Whether training runs over the fabric.

    Assumes that a converged fabric carries storage and management alone where a server on it has a compute fabric, as in
    the reference architectures whose north-south network is converged. Absent where another fabric may be one.
    """
    if purpose == "converged" and "compute" not in neighbour_purposes:
        return None if None in neighbour_purposes else True
    return purpose == "compute"


@derivation(of="Fabric")
def host_rate(speed: DataRate | None, attached_speed: DataRate | None) -> DataRate | None:
    """
    Line rate of one host port. [bit/s]

    Assumes the rate of the servers' ports where the fabric states none.
    """
    return speed or attached_speed


@derivation(of="Fabric")
def ports_taken(host_ports: Count, manager_ports: Count | None) -> Count:
    """
    Leaf ports that servers, managers, gateways and storage take together. [1]

    Assumes none besides the servers' where the design states none.
    """
    return host_ports + (manager_ports or 0)


@derivation(of="Fabric", kind=lower)
def least_storage_ports(
    object_servers_attached: tuple[Count | None, ...], metadata_servers_attached: tuple[Count | None, ...]
) -> Count | None:
    """
    Leaf ports that storage servers take. [1]

    A lower bound: each of them has one port at least. Absent where no tier on the fabric counts its servers.
    """
    return sum(one or 0 for one in (*object_servers_attached, *metadata_servers_attached)) or None


@derivation(of="Attachment")
def active_ports(ports: Count, backup_ports: Count | None) -> Count | None:
    """
    Ports of each server that carry traffic while none fails. [1]

    Assumes that all do of which the design states no backup. Absent where none would be left.
    """
    active = ports - (backup_ports or 0)
    return active if active > 0 else None
