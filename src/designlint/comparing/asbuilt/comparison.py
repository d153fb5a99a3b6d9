"""A fabric as built against the fabric as designed: what is the same, what differs, what could not be compared."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from designlint.comparing.asbuilt import cables, hosts, trees
from designlint.comparing.asbuilt.difference import Deviation, leading
from designlint.comparing.asbuilt.exchanged import find_exchanged
from designlint.comparing.asbuilt.joining import WAYS, NameMatches, match_names
from designlint.comparing.asbuilt.labels import align
from designlint.comparing.asbuilt.showing import omit_unseen, unseen
from designlint.findings.model import Problem
from designlint.judging import findings
from designlint.language.hostlists import fold
from designlint.language.sentences import cut, many
from designlint.language.tiers import TIERS
from designlint.wiring.graph import PLURALS, natural

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from designlint.design.known import Spot
    from designlint.findings.model import Finding
    from designlint.reading.location import Location
    from designlint.rules.engine import Engine
    from designlint.wiring.graph import Wiring


#: Differences of one rule that are listed.
MOST = 1000


class Difference(NamedTuple):
    """A finding with both its places; the switches that it is about, by their names in the design."""

    finding: Finding
    designed: Location | None
    seen: Location | None
    ends: tuple[str, ...]


class AsBuiltComparison(Struct, frozen=True):
    """
    All of it.

    Attributes:
        counts: by what is counted, how many the design has and how many the dump shows; None where a side does not say.
        unjoined: names that no rule joined, of the design and of the dump.
        notes: what was not compared, and why, in sentences.
    """

    design: Wiring
    built: Wiring
    joined: NameMatches
    differences: Sequence[Difference]
    counts: Mapping[str, tuple[int | None, int | None]]
    unjoined: tuple[int, int]
    notes: Sequence[str]

    @property
    def ways(self) -> list[tuple[str, int]]:
        """How many names each rule of joining joined."""
        return [(way, self.joined.ways[way]) for way in WAYS if self.joined.ways[way]]

    def beside(
        self,
        raw: Sequence[Deviation],
        counts: Mapping[str, tuple[int | None, int | None]],
        notes: Sequence[str],
        engine: Engine,
    ) -> AsBuiltComparison:
        """The same with what else was compared."""
        more = [_difference(one, self.design, self.built, engine) for one in raw if one.rule in engine.rules]
        return replace(
            self,
            differences=sorted([*self.differences, *more], key=_order),
            counts={**self.counts, **counts},
            notes=[*self.notes, *notes],
        )


def compare_built(design: Wiring, built: Wiring, mapped: Mapping[str, str], engine: Engine) -> AsBuiltComparison:
    """The comparison; a difference whose rule the engine does not have is left out."""
    design, built, levelled = trees.level(design, built)
    design, built, renamed = align(design, built)
    same, raw = _explain(design, built, mapped)
    kept, more = _few([one for one in raw if one.rule in engine.rules])
    told = [_difference(one, design, built, engine) for one in kept]
    told.sort(key=_order)
    unjoined = tuple(
        len({*side.switches, *side.servers} - taken)
        for side, taken in (
            (design, {*same.switches, *same.servers}),
            (built, {*same.switches.values(), *same.servers.values()}),
        )
    )
    notes = [*_notes(design, built, same), *unseen(design, built, same), *levelled, *renamed, *more]
    return AsBuiltComparison(design, built, same, told, _counts(design, built, same), (unjoined[0], unjoined[1]), notes)


def _explain(design: Wiring, built: Wiring, mapped: Mapping[str, str]) -> tuple[NameMatches, list[Deviation]]:
    """What differs; where names were formed, they join only if joining by place explains no more with as many names."""
    same = match_names(design, built, mapped)
    raw = _raw(design, built, same)
    if not raw or not (design.assigned or design.assigned_servers):
        return same, raw
    other = match_names(design, built, mapped, formed=False)
    fewer = _raw(design, built, other)
    better = len(fewer) < len(raw) and other.count >= same.count
    return (other, fewer) if better else (same, raw)


def _raw(design: Wiring, built: Wiring, same: NameMatches) -> list[Deviation]:
    if design.switches and built.switches and not same.switches:
        return [_strangers(design, built)]
    told = [*_differences(omit_unseen(design, built, same), built, same)]
    if len(told) < 2 or design.adjacency or built.adjacency:
        return told
    placed, exchanged = find_exchanged(design, built, same)
    fewer = [*exchanged, *_differences(omit_unseen(design, built, placed), built, placed)] if exchanged else told
    return min(told, fewer, key=len)


def _few(raw: list[Deviation]) -> tuple[list[Deviation], list[str]]:
    """No more of one rule than a person would read, and how many more there are."""
    counts: Counter[str] = Counter()
    kept: list[Deviation] = []
    for one in raw:
        counts[one.rule] += 1
        if counts[one.rule] <= MOST:
            kept.append(one)
    return kept, [f"{count - MOST} more differences of {rule}" for rule, count in counts.items() if count > MOST]


def _differences(design: Wiring, built: Wiring, same: NameMatches) -> Iterator[Deviation]:
    yield from _switches(design, built, same)
    if not design.links_open and not built.hosts_only:
        between = cables.CablePairs(design, built, same)
        for one in (cables.differences, cables.ports, cables.slow):
            yield from one(between)
    if not design.hosts_open and built.hosts:
        below = hosts.JoinedHosts(design, built, same)
        yield from _servers(design, built, same)
        for other in (hosts.differences, hosts.ports, hosts.slow):
            yield from other(below)


def _switches(design: Wiring, built: Wiring, same: NameMatches) -> Iterator[Deviation]:
    degree: Counter[str] = Counter()
    for cable in design.cables:
        degree.update((cable.one.switch, cable.other.switch))
    degree.update(one.to.switch for one in design.hosts)
    leaves = {one.to.switch for one in design.hosts}
    sought = [one for one in design.switches if one in leaves or not built.hosts_only]
    if design.assigned:
        yield from _by_tier(design, sought, same)
    else:
        for name, switch in ((one, design.switches[one]) for one in sought):
            if name not in same.switches:
                values = {"what": name, "is": "is", "cables": f"{many(degree[name], 'cable')} should lead"}
                yield Deviation("as-built/switch-not-seen", values, switch.spot, None, (name,))
    taken = set(same.switches.values())
    led: Counter[str] = Counter()
    for cable in built.cables:
        led.update((cable.one.switch, cable.other.switch))
    led.update(one.to.switch for one in built.hosts)
    for name, switch in built.switches.items():
        if name not in taken:
            values = {"name": name, "cables": leading(led[name])}
            yield Deviation("as-built/switch-not-designed", values, design.spot, switch.spot, (name,))


def _by_tier(design: Wiring, sought: Collection[str], same: NameMatches) -> Iterator[Deviation]:
    """Switches whose names we formed are not seen as a number of their tier, not by name."""
    for role in TIERS:
        ours = design.tier(role)
        gone = [one.name for one in ours if one.name in sought and one.name not in same.switches]
        named = any(one.name in same.switches and one.name not in same.placed for one in ours)
        several = f"{len(gone)} of {len(ours)} {PLURALS[role] if len(ours) != 1 else role}"
        told = fold(gone) if named else several  # where the dump calls the others as we do, these have names, too
        if gone:
            count = sum(1 for cable in design.cables for end in (cable.one, cable.other) if end.switch in gone)
            count += sum(1 for one in design.hosts if one.to.switch in gone)
            lead = f"{many(count, 'cable')} should lead"
            values = {"what": told, "is": "is" if len(gone) == 1 else "are", "cables": lead}
            yield Deviation("as-built/switch-not-seen", values, design.spot, None, tuple(gone))


def _servers(design: Wiring, built: Wiring, same: NameMatches) -> Iterator[Deviation]:
    gone = [one for one in design.servers if one not in same.servers]
    taken = set(same.servers.values())
    more = [one for one in built.servers if one not in taken]
    if gone and more and not same.servers:
        values = {"design": f"{fold(gone[:1])} ...", "dump": more[0]}
        yield Deviation(
            "as-built/names-not-joined", values | {"what": "server"}, design.servers[gone[0]], built.servers[more[0]]
        )
        return
    gone = [one for one in gone if one not in hosts.behind(design, same)]
    if gone:
        told = f"{len(gone)} of {len(design.servers)} servers" if same.placed & {*same.servers} else fold(gone)
        values = {"what": told, "is": "is" if len(gone) == 1 else "are", "count": str(len(gone))}
        yield Deviation("as-built/server-not-seen", values, design.servers[gone[0]], None)
    if more:
        values = {
            "what": fold(sorted(more, key=natural)),
            "is": "is" if len(more) == 1 else "are",
            "count": str(len(more)),
        }
        yield Deviation("as-built/server-not-designed", values, design.spot, built.servers[more[0]])


def _strangers(design: Wiring, built: Wiring) -> Deviation:
    first, other = next(iter(design.switches.values())), next(iter(built.switches.values()))
    values = {"what": "switch", "design": first.name, "dump": other.name}
    return Deviation("as-built/names-not-joined", values, first.spot, other.spot)


def _difference(raw: Deviation, design: Wiring, built: Wiring, engine: Engine) -> Difference:
    spot = raw.seen or raw.designed or built.spot or design.spot
    assert spot is not None
    units = engine.vocabulary.units
    values = {
        name: units.format(one, "DataRate") if isinstance(one, float) else one for name, one in raw.values.items()
    }
    problem = Problem(raw.rule, spot.document, spot.start, max(spot.end, spot.start + 1), values)
    places = [None if one is None else _location(one) for one in (raw.designed, raw.seen)]
    return Difference(findings.of_problem(problem, engine), places[0], places[1], raw.ends)


def _order(one: Difference) -> tuple[object, ...]:
    """What weighs most first; switches and servers before their cables."""
    finding = one.finding
    return finding.severity.rank, "/s" not in finding.rule, finding.rule, natural(finding.message)


def _location(spot: Spot) -> Location:
    return findings.place(spot.document, spot.start, max(spot.end, spot.start + 1))


def _counts(design: Wiring, built: Wiring, same: NameMatches) -> dict[str, tuple[int | None, int | None]]:
    """By what is counted; a switch of the dump that is one of the design is of its tier, with servers below it or not."""
    tiers = {theirs: design.switches[ours].role for ours, theirs in same.switches.items()}
    switches = {name: replace(one, role=tiers.get(name) or one.role) for name, one in built.switches.items()}
    ours, theirs = design.counts(), replace(built, switches=switches).counts()
    open_ = {
        "cables between switches": (bool(design.links_open) or design.adjacency, built.adjacency or built.hosts_only),
        **{PLURALS[role]: (False, built.hosts_only) for role in TIERS},
        "cables to servers": (bool(design.hosts_open) or design.adjacency, built.adjacency),
    }
    rows: dict[str, tuple[int | None, int | None]] = {}
    for name in dict.fromkeys([*ours, *theirs]):
        unknown = open_.get(name, (False, False))
        rows[name] = (None if unknown[0] else ours.get(name, 0), None if unknown[1] else theirs.get(name, 0))
    return rows


def _notes(design: Wiring, built: Wiring, same: NameMatches) -> Iterator[str]:
    if design.links_open:
        yield f"cables between switches are not compared: {design.links_open}"
    elif design.cables and built.hosts_only:
        yield "cables between switches are not compared: the dump shows what servers see, and no more"
    if design.hosts_open:
        yield f"cables to servers are not compared: {design.hosts_open}"
    elif not built.hosts:
        yield "cables to servers are not compared: the dump shows no server"
    behind = sorted(hosts.behind(design, same), key=natural) if built.hosts and not design.hosts_open else []
    if behind:
        yield f"{fold(behind)} {'is' if len(behind) == 1 else 'are'} connected only to switches that are not seen"
    if built.adjacency:
        yield "the dump says which switches are neighbours, not by how many cables"
    yield from cables.open_pairs(design, built, same)
    if design.adjacency:
        yield "the design says which switches are neighbours, not by how many cables"
    bare = sum(one.speed is None for one in built.cables) + sum(one.speed is None for one in built.hosts)
    if bare and not built.adjacency:
        yield f"{many(bare, 'cable')} of the dump {'shows' if bare == 1 else 'show'} no rate"
    if same.strangers:
        yield f"{len(same.strangers)} of the map's names are on neither side: {cut(same.strangers, 6)}"
    if design.assigned and same.placed:
        yield "the design names no switches: they are matched by position, and the order of names breaks ties"
