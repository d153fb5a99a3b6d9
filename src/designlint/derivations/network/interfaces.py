"""Which adapters and interfaces NCCL's variables mean, and into which class of the switches its packets fall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count


def meant(listed: str, names: Iterable[str]) -> list[str]:
    """
    Those of some names that a list of NCCL means.

    Names are beginnings; after `=` they are whole, after `^` they are excluded. What follows a colon is a port.
    """
    excluded = listed.startswith("^")
    bare = listed.lstrip("^")
    whole = bare.startswith("=")
    wanted = [one.strip().lstrip("=").partition(":")[0] for one in bare.split(",") if one.strip()]
    return [
        name for name in names if any(name == one if whole else name.startswith(one) for one in wanted) is not excluded
    ]


@derivation(of="NodePool")
def named_adapters(adapters: tuple[Text, ...]) -> Count | None:
    """
    RDMA adapters that a pool lists for its compute fabric. [1]

    Absent where one of them is a bond, which stands for several ports.
    """
    return None if any("bond" in one for one in adapters) else len(set(adapters))


@derivation(of="NodePool", sources=("nccl-docs",))
def nccl_adapters_found(nccl_ib_hca: tuple[Text, ...], adapters: tuple[Text, ...]) -> Count:
    """Adapters of the compute fabric that NCCL_IB_HCA means. [1]"""
    return len(meant(nccl_ib_hca[0], adapters))


@derivation(of="NodePool", sources=("nccl-docs",))
def nccl_storage_adapters_found(nccl_ib_hca: tuple[Text, ...], storage_adapters: tuple[Text, ...]) -> Count:
    """Adapters outside the compute fabric that NCCL_IB_HCA means. [1]"""
    return len(meant(nccl_ib_hca[0], storage_adapters))


@derivation(of="NodePool", sources=("nccl-docs",))
def nccl_interfaces_found(nccl_socket_ifname: tuple[Text, ...], interfaces: tuple[Text, ...]) -> Count:
    """Interfaces between servers that NCCL_SOCKET_IFNAME means. [1]"""
    return len(meant(nccl_socket_ifname[0], interfaces))


@derivation(of="Fabric", sources=("nccl-docs",))
def nccl_dscp(nccl_ib_tc: tuple[Count, ...]) -> Count:
    """
    DSCP value of NCCL's RoCE packets. [1]

    The upper six bits of the traffic class.
    """
    return nccl_ib_tc[0] // 4


@derivation(of="Fabric")
def nccl_lossless(nccl_dscp: Count, lossless_dscps: tuple[Count, ...]) -> Flag:
    """Whether the switches put NCCL's RoCE packets into a lossless class. [1]"""
    return nccl_dscp in lossless_dscps
