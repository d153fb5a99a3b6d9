"""What a storage tier holds, and how fast servers reach it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Bandwidth, Bytes, Count, Duration, Rate


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
