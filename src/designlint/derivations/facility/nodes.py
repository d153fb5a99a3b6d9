"""What a pool of servers adds up to: GPUs, GPU memory, power."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower, upper
from designlint.language.hostlists import HostListError, distinct, expand
from designlint.language.sentences import cut

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count, Power


#: Names of servers that a message lists.
MOST_NAMED = 3


@derivation(of="NodePool", sources=("slurm-docs",))
def named_servers(servers: tuple[Text, ...]) -> Count | None:
    """
    Number of servers in the list of names. [1]

    Each name counts once. Absent where a list is not to be read.
    """
    return distinct(servers)


@derivation(of="NodePool", sources=("slurm-docs",))
def repeated_names(servers: tuple[Text, ...], doubled_servers: tuple[Text, ...]) -> Text | None:
    """
    Names of servers that the pool lists twice, or that another pool lists, too; `none` if there are none.

    Absent where a list is not to be read.
    """
    try:
        twice = {name for one in doubled_servers for name in one.split(",")}
        found = [name for name in dict.fromkeys(chain.from_iterable(map(expand, servers))) if name in twice]
    except HostListError:
        return None
    return cut(found, MOST_NAMED) or "none"


@derivation(of="NodePool")
def server_list(servers: tuple[Text, ...]) -> Text | None:
    """Names of the servers as one text."""
    return ",".join(servers) or None


@derivation(of="NodePool", kind=upper)
def processor_cores(sockets: Count, cores_per_cpu: Count | None, cores_of_one: Count | None) -> Count | None:
    """
    Cores that the processors have in all sockets of a server. [1]

    Each has as many as the design states, else as the catalogue has for its model. An upper bound: firmware can switch cores
    off, and a virtual server has a part of them.
    """
    each = cores_of_one if cores_per_cpu is None else cores_per_cpu
    return None if each is None else sockets * each


@derivation(of="NodePool")
def pool_power(count: Count, spares: Count | None, power: Power) -> Power:
    """
    Maximum power of all servers of the pool, spares included. [W]

    Assumes that spare servers are powered like the others, and none where the design states none. Switches,
    storage, conversion losses and cooling are not included.
    """
    return (count + (spares or 0)) * power


@derivation(of="NodePool", kind=lower)
def least_power(
    power: Power | None,
    catalogue_power: Power | None,
    lowest_budget: Power | None,
    gpus: Count | None,
    gpu_power: Power | None,
    lowest_gpu_power: Power | None,
    sockets: Count | None,
    processor_power: Power | None,
    lowest_processor_power: Power | None,
) -> Power | None:
    """
    Known part of the maximum power of one server. [W]

    A lower bound. Where the catalogue supplies the power and publications differ, the lowest of them; where nobody states
    the power of the server, that of its GPUs at their power limit, or at the lowest that can be set, and that of its
    processors where their model is known.
    """
    if power is not None:
        return lowest_budget if lowest_budget is not None and power == catalogue_power else power
    each = lowest_gpu_power if gpu_power is None else gpu_power
    if gpus is None or (gpus and each is None):
        return None
    processors = (sockets or 0) * (lowest_processor_power or processor_power or 0)
    return gpus * (each or 0) + processors or None


@derivation(of="NodePool", kind=lower)
def least_coolant_heat(
    count: Count, gpus: Count, gpu_power: Power, least_power: Power | None, cooling: Text
) -> Power | None:
    """
    Minimum heat that the servers in service give to their coolant: that of their GPUs, which have cold plates. [W]

    A lower bound: nothing else in a server is counted, and no more than the server draws. Absent for servers that air cools.
    """
    return None if cooling == "air" else count * min(gpus * gpu_power, least_power or math.inf)
