"""The switches of each network, tier by tier, with what joins them; a few stand for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.figures import Omission
from designlint.figures.shared.canvas import WIDTH, Canvas
from designlint.figures.shared.facts import Facts, margin, named, parts, rest
from designlint.figures.shared.switches import BOX, Row, hosts_of, row
from designlint.figures.shared.text import sentences, width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.design import Design
    from designlint.figures import Figure
    from designlint.figures.shared.switches import Host
    from designlint.model import Report

PLACE, TITLE = 1, "Network topology"
#: Fabrics that are drawn.
MOST = 8
TIERS = (("leaves", "listed_leaves", "leaf"), ("spines", "listed_spines", "spine"), ("cores", "", "core"))
#: Kinds of networks that are drawn as tiers, and what they are called.
TIERED = {"fat-tree": "fat tree", "rail-only": "rail-only network", "single-switch": "single switch"}
#: Where the switches stand, where the words on links do, and how far the tiers are apart.
LEFT, RIGHT, WORDS, TOP, APART = 112.0, 462.0, 476.0, 46.0, 92.0


class Link(NamedTuple):
    """What joins two tiers: in words, line by line, and the verdict on it."""

    lines: Sequence[str]
    ratio: str = ""
    verdict: str = ""


def draw(design: Design, report: Report) -> Iterator[Figure | Omission]:
    """A figure for each fabric whose tiers are known."""
    fabrics = parts(design, "Fabric")
    for label, one in zip(named("fabric", fabrics[:MOST]), fabrics[:MOST], strict=True):
        reason = _reason(one)
        yield Omission(label, TITLE, reason) if reason else _figure(design, report, one, label)
    yield from rest("fabric", TITLE, fabrics, MOST)
    if not fabrics:
        yield Omission("fabric", TITLE, "the design states no fabric")


def _reason(facts: Facts) -> str:
    kind = facts.told("kind")
    if kind and kind not in TIERED:
        return f"{facts.name} is a {kind}, which has no tiers to draw"
    return "" if _tiers(facts) else facts.lacks(["tiers"]) or f"the tiers of {facts.name} are beyond what is drawn"


def _tiers(facts: Facts) -> int:
    """Tiers of switches; 0 where they are not known."""
    flat = {"single-switch": 1, "rail-only": 1}.get(facts.told("kind"), 0)
    counted = sum(bool(_switches(facts, at)) for at in range(len(TIERS)))
    depth = facts.count("tiers") or facts.count("listed_tiers") or flat or counted
    return depth if depth <= len(TIERS) else 0


def _switches(facts: Facts, tier: int) -> int | None:
    """Switches of a tier, planes together; None where they are not counted."""
    stated, listed, _ = TIERS[tier]
    one = 1 if tier == 0 and facts.told("kind") == "single-switch" else None
    return facts.count(stated) or (facts.count(listed) if listed else None) or one


def _figure(design: Design, report: Report, facts: Facts, label: str) -> Figure:
    canvas, depth, hosts = Canvas(), _tiers(facts), hosts_of(facts)
    planes = max(1, facts.count("planes") or 1)
    rails = (facts.count("rails") or 0) if facts.fact("rail_optimized") is True and planes == 1 else 0
    bottom = TOP + (14 if planes > 1 else 0) + APART * depth
    rows = [
        row((LEFT, RIGHT), bottom - APART * (tier + 1), _switches(facts, tier), planes, rails if tier == 0 else 0)
        for tier in range(depth)
    ]
    links = [_to_hosts(facts), _to_spines(report, facts), _to_cores(report, facts)][:depth]
    canvas.text(0, 13, _head(facts), "ink t-head b", WIDTH)
    canvas.text(0, 30, _notes(facts, rails, planes, whole=_whole(facts, rows)), "dim t-small", WIDTH)
    rows[-1].name_planes(canvas)
    _hosts(canvas, hosts, rows[0], bottom)
    for tier, one in enumerate(rows):
        if tier:
            rows[tier - 1].join(canvas, one, "s-bad" if links[tier].verdict == "bad" else "s-edge thin")
    for tier, one in enumerate(rows):
        one.draw(canvas)
        _tier(canvas, facts, tier, one)
        _words(canvas, links[tier], one.top + BOX + (APART - BOX) / 2 - 12)
    told = [_spoken(facts, depth), *(_said(one) for one in links), *(one.told for one in hosts)]
    return canvas.figure(design, label, f"{TITLE}: {facts.name}", sentences(_head(facts), *told), bottom + 42)


def _tier(canvas: Canvas, facts: Facts, tier: int, one: Row) -> None:
    count, word = _switches(facts, tier), TIERS[tier][0 if _switches(facts, tier) != 1 else 2]
    canvas.text(0, one.top + 11, f"{count} {word}" if count else word, "ink t-head b", LEFT - 6)
    switch, planes = facts.part("topology", "switch"), facts.count("planes") or 1
    about = f"{count // planes} in each plane" if count and planes > 1 and count % planes == 0 else ""
    about = about or (switch.told("model") if switch else "") if count else "number not stated"
    canvas.text(0, one.top + 25, about, "dim t-small", LEFT - 6)


def _hosts(canvas: Canvas, hosts: Sequence[Host], leaves: Row, top: float) -> None:
    """What hangs on the leaves, each kind one box below them."""
    canvas.text(0, top + 14, "attached", "ink t-head b", LEFT - 6)
    shown = hosts[:3]
    if not shown:
        canvas.rect(LEFT, top, RIGHT - LEFT, 36, "s-edge dash", 3)
        canvas.text((LEFT + RIGHT) / 2, top + 22, "no server or storage names this fabric", "dim t-small m")
        return
    wide = (RIGHT - LEFT + 8) / len(shown) - 8
    for at, one in enumerate(shown):
        x = LEFT + at * (wide + 8)
        leaves.drop(canvas, (x, x + wide), top)
        canvas.rect(x, top, wide, 36, "panel", 3)
        canvas.rect(x, top, wide, 36, "s-edge thin", 3)
        canvas.text(x + wide / 2, top + 15, one.name, "ink t-small b m", wide - 8)
        about = one.about if width(one.about, "small") <= wide - 8 else one.brief
        canvas.text(x + wide / 2, top + 29, about, "ink t-small m", wide - 8)
    if len(hosts) > len(shown):
        canvas.text(0, top + 28, f"and {len(hosts) - len(shown)} more", "dim t-small", LEFT - 6)


def _words(canvas: Canvas, link: Link, top: float) -> None:
    """What is said about the links of a tier, beside them."""
    for number, line in enumerate(link.lines):
        look = "ink t-small b" if number == 0 else "dim t-small"
        canvas.text(WORDS, top + 14 * number, line, look, WIDTH - WORDS)
    if link.ratio:
        at = WORDS + (14 if link.verdict else 0)
        top += 14 * len(link.lines)
        canvas.mark(WORDS + 5, top - 4, link.verdict)
        canvas.text(at, top, link.ratio, f"{link.verdict or 'ink'} t-small b", WIDTH - at)


def _to_hosts(facts: Facts) -> Link:
    taken, room, speed = facts.told("ports_taken"), facts.told("leaf_capacity"), facts.told("host_speed")
    ports = f"{taken} of {room} ports taken" if taken and room else f"{taken or room} ports" if taken or room else ""
    per = facts.told("host_ports_per_leaf")
    each = f"{per} on each leaf" if per else ""
    return Link([one for one in (ports or "ports not stated", speed and f"{speed} each", each) if one])


def _to_spines(report: Report, facts: Facts) -> Link:
    cables, speed, per = facts.told("leaf_spine_cables"), facts.told("link_speed"), facts.count("uplinks_per_leaf")
    lines = [f"{cables} links" if cables else "links not stated"]
    if cables and speed:
        lines[0] += f" of {speed}"
    if per:
        lines.append(f"{per} from each leaf{_per_spine(facts)}")
    return _judged(report, facts, lines, "oversubscription")


def _per_spine(facts: Facts) -> str:
    """Links of a pair of switches, where each leaf reaches each spine of its plane alike."""
    spines, planes = facts.count("spines"), facts.count("planes") or 1
    if facts.count("tiers") != 2 or facts.count("uplink_remainder") != 0 or not spines or spines % planes:
        return ""
    return f", {(facts.count('uplinks_per_leaf') or 0) // (spines // planes)} to each spine"


def _to_cores(report: Report, facts: Facts) -> Link:
    cables, room = facts.told("spine_core_cables"), facts.told("spine_core_room")
    told = f"{cables} links" if cables else f"room for {room} links" if room else "links not stated"
    word = "spine_oversubscription" if facts.number("spine_oversubscription") is not None else "spine_ratio"
    return _judged(report, facts, [told], word)


def _judged(report: Report, facts: Facts, lines: list[str], word: str) -> Link:
    """The ratio of bandwidths with the limit of the rule that judges it."""
    ratio, judged = facts.number(word), margin(report, facts, word)
    if ratio is None:
        return Link([*lines, "oversubscription unknown"])
    limit = f" (limit {judged.limit:.3g}:1)" if judged else ""
    return Link(
        lines, f"down to up {ratio:.3g}:1{limit}", "" if judged is None else "bad" if judged.room < 0 else "good"
    )


def _head(facts: Facts) -> str:
    kind, tiers, switches, cables = (facts.told(one) for one in ("kind", "tiers", "switch_count", "cables"))
    shape = TIERED.get(kind, "network") + (f" of {tiers} tier{'' if tiers == '1' else 's'}" if tiers else "")
    counted = [f"{switches} switches" if switches else "", f"{cables} cables" if cables else ""]
    return f"{facts.name}: {', '.join([shape, *filter(None, counted)])}"


def _notes(facts: Facts, rails: int, planes: int, *, whole: bool) -> str:
    leaves, notes = _switches(facts, 0), [facts.told("technology")]
    if rails > 1:
        alike = f" of {leaves // rails} leaves each" if leaves and leaves % rails == 0 else ""
        notes.append(f"rail-optimised: {rails} rails{alike}")
    if planes > 1:
        notes.append(f"{planes} planes")
    notes.append("" if whole else "a few switches are drawn for all")
    return "; ".join(filter(None, notes))


def _whole(facts: Facts, rows: Sequence[Row]) -> bool:
    """Whether every switch is drawn."""
    counts = [_switches(facts, tier) for tier in range(len(rows))]
    return all(sum(bool(each.words) for each in one.switches) == count for one, count in zip(rows, counts, strict=True))


def _spoken(facts: Facts, depth: int) -> str:
    counts = [(_switches(facts, tier), TIERS[tier][0]) for tier in range(depth)]
    return ", ".join(f"{count} {word}" if count else f"{word} not counted" for count, word in counts)


def _said(link: Link) -> str:
    verdict = {"good": ", within the limit", "bad": ", beyond the limit"}.get(link.verdict, "")
    ratio = f"; bandwidth {link.ratio}{verdict}" if link.ratio else ""
    return ", ".join(link.lines) + ratio
