"""How far hosts can send more than the uplinks of their leaves carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.language.units import Count, DataRate, Ratio


@derivation(of="Topology", sources=("leiserson-1985",))
def oversubscription(
    host_ports_per_leaf: Count,
    uplinks_per_leaf: Count,
    host_port_speed: DataRate | None,
    uplink_speed: DataRate | None,
    host_speed: DataRate | None = None,
    switch_speed: DataRate | None = None,
    spine_switch_speed: DataRate | None = None,
) -> Ratio | None:
    """
    Host bandwidth of a leaf divided by its uplink bandwidth; 1 is non-blocking. [1]

    Assumes that every port of a leaf runs at one speed where no speed is stated, so that the speed cancels, and that an
    uplink of unstated rate runs no faster than the ports of the spines.
    Absent where only one of the two speeds is known, where hosts run slower than the switch can and the uplinks
    state no speed, and for a leaf without uplinks.
    """
    down = host_speed or host_port_speed
    one_speed = down is None or down == switch_speed or (host_port_speed is None and switch_speed is None)
    up = uplink_speed or (down if one_speed else None)
    if uplink_speed is None and up and spine_switch_speed:
        up = min(up, spine_switch_speed)
    if uplinks_per_leaf == 0 or (down is None) != (up is None):
        return None
    return host_ports_per_leaf * (down or 1) / (uplinks_per_leaf * (up or 1))


@derivation(of="Topology", kind=lower)
def least_oversubscription(
    pool_rates: tuple[DataRate, ...],
    leaves: Count,
    uplinks_per_leaf: Count,
    uplink_speed: DataRate | None,
    uplink_port_speed: DataRate | None,
    switch_speed: DataRate | None,
) -> Ratio | None:
    """
    Least oversubscription of the fullest leaf: however the hosts are spread, one leaf carries the mean or more. [1]

    A lower bound: an uplink of unstated rate runs at that of the leaf's ports.
    Absent where neither rate is known, and for leaves without uplinks.
    """
    fastest = uplink_speed or uplink_port_speed or switch_speed
    if not fastest or not uplinks_per_leaf:
        return None
    return sum(pool_rates) / (leaves * uplinks_per_leaf * fastest)


@derivation(of="Fabric", sources=("hpn-2024",))
def working_oversubscription(
    fabric_oversubscription: Ratio, ports_in_service: Count | None, attached_ports: tuple[Count | None, ...]
) -> Ratio:
    """
    Oversubscription at the leaves by the servers in service. [1]

    Assumes that spare servers, which send nothing, are spread evenly over the leaves; none where servers are not counted.
    """
    installed = sum(ports or 0 for ports in attached_ports)
    return fabric_oversubscription * (ports_in_service / installed if ports_in_service and installed else 1)
