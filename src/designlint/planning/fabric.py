"""How many switches a network takes, in counts that can be wired: every leaf reaches every spine by as many cables."""

from __future__ import annotations

from math import ceil, inf

from msgspec import Struct
from msgspec.structs import replace

from designlint.derivations.workload.divisors import divisors
from designlint.planning.choices import choices

#: Servers that a single unit may have room for beyond those it has, so that its uplinks divide over fewer spines.
SLACK = 8
#: Pods that a network may have beyond the fewest, where their uplinks then divide over fewer cores.
MORE_PODS = 4


class ClosTree(Struct, frozen=True):
    """
    A folded Clos network of one kind of switch, or several like it side by side.

    Attributes:
        leaves, spines, cores: switches of all planes together.
        tiers: one where a single switch joins all servers of a plane; it has no uplinks.
        unit: servers whose ports of one rail end on one leaf.
        narrowed: uplinks of a leaf, where spare servers take more ports than it has uplinks; 0 where it has as many.
        in_service: share of the servers that are no spares.
    """

    tiers: int
    unit: int
    leaves: int
    spines: int
    cores: int = 0
    spine_uplinks: int = 0
    planes: int = 1
    rails_per_leaf: int = 1
    narrowed: int = 0
    in_service: float = 1.0

    @property
    def ports(self) -> int:
        """Ports of servers on each leaf."""
        return self.unit * self.rails_per_leaf

    @property
    def uplinks(self) -> int:
        """Uplinks of each leaf."""
        return self.narrowed or self.ports

    @property
    def working_ratio(self) -> float:
        """Ports of servers in service for each uplink of a leaf."""
        return self.ports / self.uplinks * self.in_service

    @property
    def switches(self) -> int:
        """Switches of all tiers."""
        return self.leaves + self.spines + self.cores

    @property
    def pods(self) -> int:
        """Groups of leaves and spines of each plane; each spine has as many uplinks as it has leaves below it."""
        return self.leaves // (self.spine_uplinks * self.planes) if self.tiers == 3 else 1


def forest(servers: int, rails: int, radix: int, domain: int = 1, most: float = inf) -> ClosTree | None:
    """
    The tree of fewest planes that joins all servers, each plane with as many of their rails; None where none does.

    Args:
        most: ports of servers that one plane addresses.
    """
    for planes in divisors(rails):
        if servers * rails // planes > most:
            continue
        if one := tree(servers, rails // planes, radix, domain):
            return replace(
                one, planes=planes, leaves=one.leaves * planes, spines=one.spines * planes, cores=one.cores * planes
            )
    return None


def tree(servers: int, rails: int, radix: int, domain: int = 1) -> ClosTree | None:
    """
    The smallest non-blocking tree that can be wired evenly, or one switch; None where three tiers do not suffice.

    Args:
        rails: ports of each server, each on a leaf of its own.
        radix: ports of a switch at the speed of the servers' ports.
        domain: servers of one scale-up domain, which share their leaves unless full leaves save many switches.
    """
    half = radix // 2
    unit = max(half // domain * domain, 1) if domain <= half else half
    if servers * rails <= radix:
        return ClosTree(1, servers, 1, 0, rails_per_leaf=rails)
    if servers < unit:
        return _smallest(servers, unit, rails, radix, domain if domain > 1 else 2)
    whole, full = (_of_units(servers, rails, one, radix) for one in (unit, half))
    return full if whole is None or (full is not None and _saves(full, whole)) else whole


def _saves(full: ClosTree, whole: ClosTree) -> bool:
    """Whether full leaves save a tier, or enough switches to part the servers of a scale-up domain."""
    most = float(choices()["parted_domains"]["most_switches"])
    return full.tiers < whole.tiers or full.switches <= most * whole.switches


def crowd(without: ClosTree, servers: int, in_service: int, rails: int, radix: int) -> ClosTree | None:
    """
    The tree of two tiers for the servers in service, with their spares on further ports of its leaves.

    None where that takes more ports than its leaves have, or leaves the servers in service short of uplinks.
    """
    if without.tiers != 2:
        return None
    unit = ceil(servers * rails / (without.leaves * without.rails_per_leaf))
    ports, share = unit * without.rails_per_leaf, in_service / servers
    least = ports * share / float(choices()["spare_ports"]["oversubscription"])
    leaves = without.leaves // without.planes
    found = [
        replace(without, unit=unit, spines=spines * without.planes, narrowed=uplinks, in_service=share)
        for uplinks in range(ceil(least), min(ports, radix - ports) + 1)
        if (spines := next((one for one in divisors(uplinks) if one > 1 and one * radix >= leaves * uplinks), None))
    ]
    return min(found, key=lambda one: (one.switches, -one.narrowed), default=None)


def split_rails(servers: int, rails: int, radix: int) -> ClosTree | None:
    """One switch for each plane, whose planes share the rails evenly; None where the ports of one rail need more."""
    planes = next((one for one in divisors(rails) if servers * rails // one <= radix), None)
    if planes is None:
        return None
    return ClosTree(1, servers, planes, 0, planes=planes, rails_per_leaf=rails // planes)


def _of_units(servers: int, rails: int, unit: int, radix: int) -> ClosTree | None:
    """The tree of units of so many servers."""
    units = ceil(servers / unit)
    return _two_tiers(units * rails, unit, radix) or _three_tiers(units, rails, unit, radix)


def slender(ports: int, radix: int, ratio: int, kept: int) -> ClosTree | None:
    """
    The tree whose leaves have so many host ports for each uplink; its unit is the uplinks of a leaf. Leaves come in pairs.

    Args:
        kept: ports of a leaf for its peer.
    """
    uplinks = (radix - kept) // (ratio + 1)
    if not uplinks:
        return None
    leaves = 2 * ceil(ports / (2 * uplinks * ratio))
    return _two_tiers(leaves, uplinks, radix) or _three_tiers(leaves, 1, uplinks, radix)


def _smallest(servers: int, most: int, rails: int, radix: int, step: int) -> ClosTree | None:
    """One unit of about so many servers, a multiple of a step, with the fewest spines that its uplinks divide over."""
    least = ceil(servers / step) * step
    found = [
        _two_tiers(rails // each, unit, radix, each)
        for unit in range(least, min(most, least + max(SLACK, step)) + 1, step)
        for each in divisors(rails)
        if unit * each <= radix // 2
    ]
    return min(filter(None, found), key=lambda one: (one.leaves + one.spines, one.unit), default=None)


def _two_tiers(leaves: int, unit: int, radix: int, each: int = 1) -> ClosTree | None:
    """Leaves that serve so many rails each, and the spines that their uplinks divide over."""
    uplinks = unit * each
    spines = next((one for one in divisors(uplinks) if one * radix >= leaves * uplinks), None)
    if spines is None or leaves > radix:
        return None
    return ClosTree(2, unit, leaves, max(spines, min(2, uplinks)), rails_per_leaf=each)


def _three_tiers(units: int, rails: int, unit: int, radix: int) -> ClosTree | None:
    """The fewest switches in pods of one size, each spine with as many uplinks as it has leaves below it."""
    most = radix // 2 // rails
    if not most:
        return None
    fewest = ceil(units / most)
    found = [
        _pods(count, each * rails, unit, radix)
        for count in range(fewest, fewest + MORE_PODS)
        for each in range(ceil(units / count), most + 1)
    ]
    return min(filter(None, found), key=lambda one: (one.switches, one.leaves), default=None)


def _pods(count: int, pod: int, unit: int, radix: int) -> ClosTree | None:
    """So many pods of so many leaves, and the cores over which the uplinks of a spine divide."""
    cores = next((one for one in divisors(pod) if one * radix >= pod * count), None)
    return None if cores is None else ClosTree(3, unit, count * pod, count * unit, unit * cores, pod)
