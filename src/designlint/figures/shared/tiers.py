"""Networks of leaves, spines and cores, tier by tier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.figures.shared.canvas import WIDTH
from designlint.figures.shared.facts import margin, worst
from designlint.figures.shared.hosts import hosts_of
from designlint.figures.shared.links import Link, judge_link, to_hosts
from designlint.figures.shared.switches import BOX, LEFT, RIGHT, row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.figures.shared.canvas import Canvas
    from designlint.figures.shared.facts import Facts
    from designlint.figures.shared.switches import TierRow
    from designlint.findings.report import Report

#: Each tier: the words that count its switches, stated or listed, and what one and several are called.
TIERS = (
    ("leaves", "listed_leaves", "leaf", "leaves"),
    ("spines", "listed_spines", "spine", "spines"),
    ("cores", "listed_cores", "core", "cores"),
)
#: Tiers that need no counting.
FLAT = {"single-switch": 1, "rail-only": 1}
TOP, APART = 46.0, 92.0
DOWN_UP = "down to up"


def lacks(facts: Facts) -> str:
    """Why its tiers cannot be drawn; empty where they can."""
    tiers = facts.count("tiers") or 0
    if tiers > len(TIERS):
        return f"{facts.name} has {tiers} tiers; at most {len(TIERS)} can be drawn"
    return "" if _tiers(facts) else facts.lacks(["tiers"]) + "; no switch counts are stated"


def _tiers(facts: Facts) -> int:
    """Tiers of switches; 0 where they are not known."""
    counted = sum(bool(switches(facts, at)) for at in range(len(TIERS)))
    return facts.count("tiers") or facts.count("listed_tiers") or FLAT.get(facts.text_of("kind"), 0) or counted


def switches(facts: Facts, tier: int) -> int | None:
    """Switches of a tier, planes together; None where they are not counted."""
    one = max(1, facts.count("planes") or 1) if tier == 0 and facts.text_of("kind") == "single-switch" else None
    return facts.count(TIERS[tier][0]) or facts.count(TIERS[tier][1]) or one


def name_tier(facts: Facts, tier: int, count: int | None) -> str:
    """What so many switches of a tier are called."""
    if facts.text_of("kind") == "single-switch":
        return "switch" if count == 1 else "switches"
    return TIERS[tier][2 if count == 1 else 3]


def draw(canvas: Canvas, report: Report, facts: Facts) -> tuple[list[str], float]:
    """The tiers, and what is attached below them; in words, and the height below all."""
    depth, hosts, planes = _tiers(facts), hosts_of(facts), max(1, facts.count("planes") or 1)
    rails = (facts.count("rails") or 0) if facts.fact("rail_optimized") is True and planes == 1 else 0
    bottom = TOP + (14 if planes > 1 else 0) + APART * depth
    rows = [
        row((LEFT, RIGHT), bottom - APART * (tier + 1), switches(facts, tier), planes, rails if tier == 0 else 0)
        for tier in range(depth)
    ]
    links = [to_hosts(report, facts, name_tier(facts, 0, 1)), _to_spines(report, facts), _to_cores(report, facts)][
        :depth
    ]
    about, notes = (
        _about(facts, rails, planes),
        [] if _whole(facts, rows) else ["not all switches and links are drawn"],
    )
    canvas.text(0, 30, "; ".join([*about, *notes]), "dim t-small", WIDTH)
    rows[-1].name_planes(canvas)
    hosts.draw(canvas, rows[0], bottom, links[0].look)
    for tier in range(1, depth):
        rows[tier - 1].join(canvas, rows[tier], links[tier].look)
    for tier, one in enumerate(rows):
        one.draw(canvas)
        _tier(canvas, facts, tier, one)
        links[tier].words(canvas, one.top + BOX + (APART - BOX) / 2)
    return [
        f"It is {', '.join(about)}" if about else "",
        _spoken(facts, depth),
        *(one.description for one in links),
        hosts.description,
    ], bottom + 42


def _tier(canvas: Canvas, facts: Facts, tier: int, one: TierRow) -> None:
    count = switches(facts, tier)
    word = name_tier(facts, tier, count)
    canvas.text(0, one.top + 11, f"{count} {word}" if count else word, "ink t-head b", LEFT - 6)
    switch, planes = facts.part("topology", "switch"), facts.count("planes") or 1
    about = f"{count // planes} in each plane" if count and planes > 1 and count % planes == 0 else ""
    about = about or (switch.text_of("model") if switch else "") if count else "number not stated"
    canvas.text(0, one.top + 25, about, "dim t-small", LEFT - 6)


def _to_spines(report: Report, facts: Facts) -> Link:
    cables, per = (
        facts.text_of("leaf_spine_cables") or facts.text_of("listed_leaf_cables"),
        facts.count("uplinks_per_leaf"),
    )
    speed = facts.text_of("link_speed")
    lines = [f"{cables} links{f' of {speed}' if speed else ''}" if cables else "links not stated"]
    if per:
        lines.append(f"{per} from each leaf{_per_spine(facts)}")
    link, ratio = Link("Leaves to spines", lines, measure="bandwidth "), facts.number("oversubscription")
    if ratio is not None:
        return judge_link(link, DOWN_UP, ratio, margin(report, facts, "working_oversubscription"))
    leaf, found = worst(report, facts, "oversubscription", "topology/switches")
    if found is None:
        return judge_link(link, DOWN_UP, None, None)
    least = [f"worst leaf: {leaf}"] if found.room < 0 else []
    return judge_link(link._replace(lines=[*lines, *least]), DOWN_UP, found.value, found)


def _per_spine(facts: Facts) -> str:
    """Links of a pair of switches, where each leaf reaches each spine of its plane alike."""
    spines, planes = facts.count("spines"), facts.count("planes") or 1
    if facts.count("tiers") != 2 or facts.count("uplink_remainder") != 0 or not spines or spines % planes:
        return ""
    return f", {(facts.count('uplinks_per_leaf') or 0) // (spines // planes)} to each spine"


def _to_cores(report: Report, facts: Facts) -> Link:
    cables, room = (
        facts.text_of("spine_core_cables") or facts.text_of("listed_core_cables"),
        facts.text_of("spine_core_room"),
    )
    told = f"{cables} links" if cables else f"room for {room} links" if room else "links not stated"
    link, half = Link("Spines to cores", [told], measure="bandwidth "), margin(report, facts, "half_bandwidth")
    across = facts.number("bisection")
    if half and across:
        ratio = replace(half, value=half.value / across, limit=half.limit / across)
        return judge_link(
            link._replace(lines=[told, "between halves of the leaves"]), "up to across", ratio.value, ratio
        )
    word = "spine_oversubscription" if facts.number("spine_oversubscription") is not None else "spine_ratio"
    return judge_link(link, DOWN_UP, facts.number(word), margin(report, facts, word))


def _about(facts: Facts, rails: int, planes: int) -> list[str]:
    """Its technology, rails and planes."""
    leaves, told = switches(facts, 0), [facts.text_of("technology")]
    if facts.fact("rail_optimized") is True:
        each = leaves // rails if rails and leaves and leaves % rails == 0 else 0
        alike = f" with {each} {name_tier(facts, 0, each)} each" if each else ""
        told.append(f"rail-optimised: {rails} rails{alike}" if rails > 1 else "rail-optimised")
    if planes > 1:
        told.append(f"in {planes} planes")
    return [*filter(None, told)]


def _whole(facts: Facts, rows: Sequence[TierRow]) -> bool:
    """Whether every switch is drawn."""
    counts = [switches(facts, tier) for tier in range(len(rows))]
    return all(sum(bool(each.words) for each in one.switches) == count for one, count in zip(rows, counts, strict=True))


def _spoken(facts: Facts, depth: int) -> str:
    counts, switch = [(switches(facts, tier), tier) for tier in range(depth)], facts.part("topology", "switch")
    listed = ", ".join(
        f"{count} {name_tier(facts, tier, count)}" if count else f"{TIERS[tier][3]} not counted"
        for count, tier in counts
    )
    return f"{listed}{f', each a {model}' if (model := switch.text_of('model') if switch else '') else ''}"
