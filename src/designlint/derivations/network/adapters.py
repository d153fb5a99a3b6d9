"""Which rail, GPU and NUMA node each adapter of a server has, and whether they agree."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.derivations.base import Text
    from designlint.language.units import Count


class Adapters(Struct, frozen=True):
    """The adapters of one server, each with its GPU and NUMA node."""

    adapter_names: tuple[Text | None, ...]
    adapter_gpus: tuple[Count | None, ...]
    adapter_numa_nodes: tuple[Count | None, ...]


def _text(found: Iterable[object]) -> str:
    return ", ".join(str(one) for one in found) or "none"


@derivation(of="NodePool")
def shared_rails(adapter_rails: tuple[Count | None, ...]) -> Text | None:
    """Rails that several adapters of a server state, or `none`."""
    stated = Counter(rail for rail in adapter_rails if rail is not None)
    return _text(sorted(rail for rail, times in stated.items() if times > 1)) if stated else None


@derivation(of="NodePool")
def shared_interfaces(adapter_interfaces: tuple[Text | None, ...]) -> Text | None:
    """Network interfaces that several adapters of a server state, or `none`."""
    stated = Counter(name for name in adapter_interfaces if name is not None)
    return _text(sorted(name for name, times in stated.items() if times > 1)) if stated else None


@derivation(of="NodePool")
def rail_span(adapter_rails: tuple[Count | None, ...]) -> Count | None:
    """
    Number of rails from the lowest to the highest that an adapter states. [1]

    Assumes nothing of whether rails are counted from 0 or from 1.
    """
    stated = [rail for rail in adapter_rails if rail is not None]
    return max(stated) - min(stated) + 1 if stated else None


@derivation(of="NodePool")
def missing_gpus(gpus: Count, adapter_gpus: tuple[Count | None, ...]) -> Text | None:
    """GPUs that adapters state, but the server does not have, or `none`."""
    stated = {gpu for gpu in adapter_gpus if gpu is not None}
    return _text(sorted(gpu for gpu in stated if gpu >= gpus)) if stated else None


@derivation(of="NodePool")
def gpus_without_adapter(gpus: Count, adapter_gpus: tuple[Count | None, ...]) -> Text | None:
    """
    GPUs that are stated for no adapter, or `none`.

    Absent where an adapter does not state its GPU, and where there are fewer adapters than GPUs, which share them.
    """
    if None in adapter_gpus or len(adapter_gpus) < gpus or not gpus:
        return None
    return _text(sorted(set(range(int(gpus))) - {int(gpu) for gpu in adapter_gpus if gpu is not None}))


@derivation(of="NodePool", groups=(Adapters,))
def distant_adapters(gpu_numa_nodes: tuple[Count, ...], adapters: Adapters) -> Text | None:
    """
    Adapters on another NUMA node than their GPU, or `none`.

    Absent where no adapter states both a GPU whose NUMA node is stated and its own NUMA node.
    """
    lines = zip(adapters.adapter_names, adapters.adapter_gpus, adapters.adapter_numa_nodes, strict=True)
    known = [
        (name, int(gpu), node)
        for name, gpu, node in lines
        if gpu is not None and node is not None and gpu < len(gpu_numa_nodes)
    ]
    return _text(name for name, gpu, node in known if gpu_numa_nodes[gpu] != node) if known else None
