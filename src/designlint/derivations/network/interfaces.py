"""Which adapters and interfaces NCCL's variables mean, and into which class of the switches its packets fall."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count


#: Names of one adapter or interface, such as mlx5_0, rocep1s0 and eth0np1; mlx5 and eth0 may be the beginning of many.
ONE_ADAPTER = re.compile(r"\d.*\d$|_.*\d$")


def match_names(listed: str, names: Iterable[str]) -> list[str]:
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


def _unmatched_names(listed: str, pools: Iterable[str]) -> str:
    """
    The names of a list of NCCL that mean nothing in any pool, as one text, or `none`.

    Only names of one adapter, and whole names: a beginning may be meant for servers of any kind, as an exclusion is.
    """
    if listed.startswith("^"):
        return "none"
    names = [name for pool in pools for name in pool.split()]
    whole = "=" * listed.startswith("=")
    wanted = [one.strip() for one in listed.lstrip("=").split(",") if one.strip()]
    lost = [
        one
        for one in wanted
        if (whole or ONE_ADAPTER.search(one.partition(":")[0])) and not match_names(whole + one, names)
    ]
    return ", ".join(lost) or "none"


def _list_adapters(gpus: float | None, names: tuple[str | None, ...], more: tuple[str | None, ...]) -> str | None:
    known = [name for name in names if name]
    return " ".join([*known, *filter(None, more)]) or "-" if known or gpus == 0 else None


@derivation(of="NodePool")
def adapter_list(
    gpus: Count | None, adapter_names: tuple[Text | None, ...], storage_adapters: tuple[Text | None, ...]
) -> Text | None:
    """
    RDMA adapters of one server as one text.

    Absent where a pool with GPUs lists none on its compute fabric; NCCL does not run on others.
    """
    return _list_adapters(gpus, adapter_names, storage_adapters)


@derivation(of="NodePool")
def interface_list(gpus: Count | None, interfaces: tuple[Text | None, ...]) -> Text | None:
    """
    Network interfaces of one server as one text.

    Absent where a pool with GPUs lists none; NCCL does not run on others.
    """
    return _list_adapters(gpus, interfaces, ())


@derivation(of="Environment", sources=("nccl-docs",))
def nccl_adapters_unmatched(nccl_ib_hca: Text, cluster_adapters: tuple[Text, ...]) -> Text:
    """Names in NCCL_IB_HCA that mean no adapter of the servers, or `none`."""
    return _unmatched_names(nccl_ib_hca, cluster_adapters)


@derivation(of="Environment", sources=("nccl-docs",))
def nccl_interfaces_unmatched(nccl_socket_ifname: Text, cluster_interfaces: tuple[Text, ...]) -> Text:
    """Names in NCCL_SOCKET_IFNAME that mean no interface of the servers, or `none`."""
    return _unmatched_names(nccl_socket_ifname, cluster_interfaces)


@derivation(of="NodePool")
def named_adapters(adapter_names: tuple[Text, ...]) -> Count | None:
    """
    RDMA adapters that a pool lists for its compute fabric. [1]

    Absent where one of them is a bond, which stands for several ports.
    """
    return None if any("bond" in one for one in adapter_names) else len(set(adapter_names))


@derivation(of="NodePool", sources=("nccl-docs",))
def nccl_adapters_found(nccl_ib_hca: tuple[Text, ...], adapter_names: tuple[Text, ...]) -> Count:
    """Adapters of the compute fabric that NCCL_IB_HCA means. [1]"""
    return len(match_names(nccl_ib_hca[0], adapter_names))


@derivation(of="NodePool", sources=("nccl-docs",))
def nccl_storage_adapters_found(nccl_ib_hca: tuple[Text, ...], storage_adapters: tuple[Text, ...]) -> Count:
    """Adapters outside the compute fabric that NCCL_IB_HCA means. [1]"""
    return len(match_names(nccl_ib_hca[0], storage_adapters))


@derivation(of="NodePool", sources=("nccl-docs",))
def nccl_interfaces_found(nccl_socket_ifname: tuple[Text, ...], interfaces: tuple[Text, ...]) -> Count:
    """Interfaces between servers that NCCL_SOCKET_IFNAME means. [1]"""
    return len(match_names(nccl_socket_ifname[0], interfaces))


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
