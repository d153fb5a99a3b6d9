"""What a storage tier holds, and how fast servers reach it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Bandwidth, Bytes, Count, DataRate, Ratio


@derivation(of="StorageTier")
def usable_capacity(capacity: Bytes, usable_fraction: Ratio) -> Bytes:
    """
    Capacity up to the fill limit. [B]

    Assumes a capacity after redundancy and a fill limit that the design states.
    """
    return capacity * usable_fraction


@derivation(of="Attachment")
def pool_rate(server_rate: DataRate, pool_counts: tuple[Count, ...]) -> DataRate:
    """
    Total line rate of all servers of the pool into the fabric. [bit/s]

    Assumes that every server in service has the attachment; spare servers are not counted. Line rate, headers
    included.
    """
    return server_rate * sum(pool_counts)


@derivation(of="StorageTier", kind=upper)
def attached_rate(attached_rates: tuple[DataRate, ...]) -> Bandwidth:
    """
    Line rate of all servers in service into the tier's fabric. [B/s]

    An upper bound of what they can read or write at once: headers and protocols take a part of it.
    """
    return sum(attached_rates) / 8


@derivation(of="StorageTier", kind=upper)
def served_rate(object_servers: Count, server_rate: DataRate) -> Bandwidth:
    """
    Line rate of all storage servers into the fabric. [B/s]

    An upper bound of what the tier can read or write: headers and protocols take a part of it.
    """
    return object_servers * server_rate / 8


@derivation(of="StorageTier", kind=upper)
def local_capacity(
    kind: Text,
    local_servers: tuple[Count, ...],
    local_spares: tuple[Count | None, ...],
    local_capacities: tuple[Bytes, ...],
) -> Bytes | None:
    """
    Capacity of the drives in all servers, for a tier made of local drives. [B]

    An upper bound: not every server need take part. Absent for other tiers, and where drives or spares of a pool are open.
    """
    return None if None in local_spares else _in_servers(kind, local_servers, local_capacities)


@derivation(of="StorageTier", kind=upper)
def local_read(kind: Text, local_servers: tuple[Count, ...], local_reads: tuple[Bandwidth, ...]) -> Bandwidth | None:
    """
    Read bandwidth of the drives in all servers, for a tier made of local drives. [B/s]

    An upper bound: not every server need take part. Absent for other tiers, and where the drives of a pool are open.
    """
    return _in_servers(kind, local_servers, local_reads)


@derivation(of="StorageTier", kind=upper)
def local_write(kind: Text, local_servers: tuple[Count, ...], local_writes: tuple[Bandwidth, ...]) -> Bandwidth | None:
    """
    Write bandwidth of the drives in all servers, for a tier made of local drives. [B/s]

    An upper bound: not every server need take part. Absent for other tiers, and where the drives of a pool are open.
    """
    return _in_servers(kind, local_servers, local_writes)


def _in_servers(kind: str, servers: tuple[int, ...], each: tuple[float, ...]) -> float | None:
    """What the drives of all servers come to; None for a tier that is not made of them."""
    made = kind == "local-nvme" and len(servers) == len(each)
    return sum(count * one for count, one in zip(servers, each, strict=True)) if made else None


@derivation(of="StorageTier")
def all_drives(drives: Count, object_servers: Count | None, units: Count | None) -> Count | None:
    """
    Drives of all storage servers or appliances. [1]

    Absent where neither servers nor appliances are counted.
    """
    holders = units if object_servers is None else object_servers
    return None if holders is None else drives * holders


@derivation(of="StorageTier")
def raw_capacity(all_drives: Count, drive_capacity: Bytes) -> Bytes:
    """Capacity of all drives, before redundancy, spares and the file system. [B]"""
    return all_drives * drive_capacity


@derivation(of="StorageTier")
def drives_read(all_drives: Count, drive_read: Bandwidth) -> Bandwidth:
    """Sequential read bandwidth of all drives. [B/s]"""
    return all_drives * drive_read


@derivation(of="StorageTier")
def drives_write(all_drives: Count, drive_write: Bandwidth) -> Bandwidth:
    """Sequential write of all drives, before redundancy. [B/s]"""
    return all_drives * drive_write


@derivation(of="StorageTier")
def appliances_read(units: Count, appliance_read: Bandwidth) -> Bandwidth:
    """Read bandwidth of all appliances of the named model, from the catalogue. [B/s]"""
    return units * appliance_read


@derivation(of="StorageTier")
def appliances_write(units: Count, appliance_write: Bandwidth) -> Bandwidth:
    """Write bandwidth of all appliances of the named model, from the catalogue. [B/s]"""
    return units * appliance_write
