"""Partitions of Slurm, the servers that they list, and the levels of a topology."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation
from designlint.language.hostlists import HostListError, expand

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count

#: Node label that every server has for itself.
SERVER_LEVEL = "kubernetes.io/hostname"


class Listed(Struct, frozen=True):
    """Names of servers that a part of the scheduler lists, beside those that the pools of the design list."""

    servers: tuple[Text, ...]
    cluster_servers: tuple[Text | None, ...]
    named_pools: tuple[Count | None, ...]
    pool_sizes: tuple[Count | None, ...]

    def stranger(self) -> str | None:
        """The first of the servers that no pool lists; "none" if there is none, None if that cannot be said."""
        if not self.named_pools:
            return None
        sizes = [size for named, size in zip(self.named_pools, self.pool_sizes, strict=True) if named is None]
        if None in sizes:
            return None
        unnamed = sum(size or 0 for size in sizes)
        try:
            known = {_host(name) for one in self.cluster_servers if one is not None for name in expand(one)}
            listed = [name for one in self.servers for name in expand(one) if _host(name) not in known]
        except HostListError:
            return None
        kinds = {_kind(name) for name in known}
        strange = [name for name in listed if _kind(_host(name)) in kinds]
        if len(set(strange)) <= unnamed:
            return None if unnamed else "none"
        return strange[0]


@derivation(of="Partition", sources=("slurm-docs",), groups=(Listed,))
def unknown_server(listed: Listed) -> Text | None:
    """
    First server of the partition that no pool lists; "none" if there is none.

    Servers whose names begin like those of no pool are of a kind that the design does not describe; domains are not
    compared. Absent if such servers may be those of pools that list no names, or a list cannot be read.
    """
    return listed.stranger()


def _host(name: str) -> str:
    """The name of a server without its domain."""
    return name.partition(".")[0]


def _kind(name: str) -> str:
    """What the name of a server has before its number."""
    return name.rstrip("0123456789")


@derivation(of="Scheduler", sources=("kueue-topology",))
def level_below_server(topology_levels: tuple[Text, ...]) -> Text | None:
    """First topology level that is listed below the server; "none" if there is none, absent without levels."""
    if not topology_levels:
        return None
    after = topology_levels[topology_levels.index(SERVER_LEVEL) + 1 :] if SERVER_LEVEL in topology_levels else ()
    return after[0] if after else "none"
