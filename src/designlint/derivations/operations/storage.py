"""What a storage tier holds, and how fast servers reach it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Bandwidth, Bytes, Count, DataRate, Duration, Rate, Ratio


@derivation(of="StorageTier")
def usable_capacity(capacity: Bytes, usable_fraction: Ratio) -> Bytes:
    """
    Capacity up to the fill limit. [B]

    Assumes a capacity after redundancy and a fill limit that the design states.
    """
    return capacity * usable_fraction


@derivation(of="StorageTier")
def data_capacity(raw_capacity: Bytes, data_share: Ratio) -> Bytes:
    """Capacity of all drives that holds data. [B]"""
    return raw_capacity * data_share


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


@derivation(of="Workload")
def bytes_per_file(dataset_size: Bytes, dataset_files: Count) -> Bytes:
    """Average size of one file of the prepared data set. [B]"""
    return dataset_size / dataset_files


@derivation(of="Workload")
def data_rate(
    dataset_size: Bytes,
    tokens: Count,
    measured_tokens_per_second: Rate | None,
    tokens_per_second: Rate | None,
    deadline: Duration | None,
) -> Bandwidth | None:
    """
    Rate at which training reads its data. [B/s]

    By the measured tokens per second, else those of the targeted utilisation, else those of the deadline. Assumes that the
    data set holds the tokens of the run; data that is read again may come from a cache.
    """
    planned = tokens_per_second if tokens_per_second is not None else tokens / deadline if deadline else None
    rate = planned if measured_tokens_per_second is None else measured_tokens_per_second
    return None if rate is None else dataset_size / tokens * rate
