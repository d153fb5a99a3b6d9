"""What the lists of a scheduler's placement blocks hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation
from designlint.derivations.operations.partitions import Listed
from designlint.language.hostlists import HostListError, distinct, expand

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count


@derivation(of="Block")
def block_list(servers: tuple[Text, ...]) -> Text | None:
    """The list of a block's servers, as one text."""
    return ",".join(servers) or None


@derivation(of="Block")
def block_names(block_list: Text) -> Count | None:
    """
    Number of servers in the list of names. [1]

    Each name counts once. Absent where a list is not to be read.
    """
    return distinct((block_list,))


@derivation(of="Block", sources=("slurm-docs",), groups=(Listed,))
def block_stranger(listed: Listed) -> Text | None:
    """
    First server of the block that no pool lists; "none" if there is none.

    Absent where the block lists no names, its servers may be those of pools that list none, or a list cannot be read.
    """
    return listed.stranger() if listed.servers else None


@derivation(of="Scheduler", sources=("slurm-docs",))
def shared_server(block_lists: tuple[Text, ...]) -> Text | None:
    """
    First server that two blocks list; "none" if there is none.

    Blocks without a list of names are left out. Absent where no block has one, or one is not to be read.
    """
    seen: set[str] = set()
    try:
        for one in block_lists:
            names = expand(one)
            shared = next((name for name in names if name in seen), None)
            if shared is not None:
                return shared
            seen.update(names)
    except HostListError:
        return None
    return "none" if seen else None


@derivation(of="Scheduler")
def blocked_servers(block_counts: tuple[Count, ...]) -> Count | None:
    """Servers of all blocks. [1]"""
    return sum(block_counts) or None


@derivation(of="Scheduler")
def servers_of_domains(
    pool_service_servers: tuple[Count, ...],
    pool_server_gpus: tuple[Count, ...],
    pool_domains: tuple[Count | None, ...],
) -> Count:
    """
    Servers in service in the pools whose scale-up domains span servers. [1]

    A pool without a known domain counts as one whose domains end at the server.
    """
    lines = zip(pool_service_servers, pool_server_gpus, pool_domains, strict=True)
    return sum(servers for servers, gpus, domain in lines if (domain or 0) > gpus)
