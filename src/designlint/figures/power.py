"""Where the power goes, from the utility to the GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.figures.shared.canvas import WIDTH, Canvas
from designlint.figures.shared.facts import Facts, margin
from designlint.figures.shared.figure import Omission
from designlint.figures.shared.loads import Load
from designlint.figures.shared.loads import draw as draw_loads
from designlint.figures.shared.text import name, sentences
from designlint.language.sentences import series
from designlint.language.units import NOISE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design.design import Design
    from designlint.figures.shared.figure import Figure
    from designlint.findings.report import Report

PLACE, TITLE = 4, "Power from the utility to the GPUs"
#: What the building takes besides its racks, what that is called, and its colour.
OVERHEAD = (
    ("cooling_power", "cooling", "c3"),
    ("distribution_loss", "losses", "c5"),
    ("auxiliary_power", "building", "c7"),
)
#: Missing facts that a note names.
MOST_WANTED = 2
#: What carries the load: its name, the margins that may compare the two, its part of the facility, how that counts its parts.
CARRIERS = (
    ("utility", ("facility_power", "least_facility_power"), "", ""),
    ("generators", ("lasting_output",), "generators", "count"),
    ("distribution", ("path_capacity",), "distribution", ""),
    ("UPS", ("lasting_power",), "ups", "modules"),
    ("cooling", ("cooling_capacity",), "cooling", ""),
)
NEEDED = ("least_server_power", "least_it_power", "least_facility_power")
#: Where the stages stand, how wide they are, how high all the power is, and the least gap between flows.
STAGES, BROAD, TOP, HIGH, GAP = (0.0, 190.0, 380.0, 540.0), 10.0, 46.0, 200.0, 26.0
#: How far below the main flow the others end, by stage: none crosses the words of another.
BELOW = (GAP + 16.0, GAP, 0.0)


class Flow(NamedTuple):
    """Power that leaves a stage: how much, its name and amount in words, its colour."""

    value: float
    label: str
    text: str
    color: str


def draw(design: Design, report: Report) -> Iterator[Figure | Omission]:
    """One figure, where the power of servers, racks and facility is known, at least in part."""
    facility = next(iter(Facts.of_kind(design, "Facility")), None)
    reason = "the design states no facility" if facility is None else facility.lacks(NEEDED)
    if facility is None or reason or not _sound(facility):
        yield Omission("power", TITLE, reason or "the stated powers are inconsistent")
        return
    canvas = Canvas()
    canvas.mark(6, 9, _verdict(facility))
    at = 16 if _verdict(facility) else 0
    canvas.text(at, 13, _head(facility), f"{_verdict(facility) or 'ink'} t-head b", WIDTH - at)
    stages = [_facility(facility), _racks(facility), _servers(design, facility)]
    loads = [one for carrier in CARRIERS if (one := _load(report, facility, *carrier))]
    bottom = draw_loads(canvas, loads, _sankey(canvas, facility, stages) + 4)
    notes = [*_notes(facility), *_list_uncompared(facility, {one.name for one in loads})]
    for note in notes:
        canvas.text(0, bottom + 14, note, "dim t-small", WIDTH)
        bottom += 16
    yield canvas.figure(design, "power", TITLE, _description(facility, stages, loads, notes), bottom + 6)


def _sound(facts: Facts) -> bool:
    servers, racks, whole = (_power(facts, one) for one in NEEDED)
    return 0 < servers <= racks * (1 + NOISE) and racks <= whole * (1 + NOISE)


def _known_power_word(facts: Facts, word: str) -> str:
    """The word that tells a power whole, or else the one that tells what is known of it."""
    whole = word.removeprefix("least_")
    return word if facts.number(whole) is None else whole


def _power(facts: Facts, word: str) -> float:
    return facts.number(_known_power_word(facts, word)) or 0.0


def _amount(facts: Facts, word: str) -> str:
    known = _known_power_word(facts, word)
    return ("at least " if known.startswith("least_") else "") + facts.text_of(known)


def _rest(facts: Facts, whole: float, part: float, label: str, color: str) -> list[Flow]:
    """What of a power is not in its main part; nothing where that is all."""
    rest = whole - part
    return [Flow(rest, label, facts.amount(rest, "Power"), color)] if rest > whole * NOISE else []


def _main(facts: Facts, word: str, label: str, color: str) -> Flow:
    return Flow(_power(facts, word), label, _amount(facts, word), color)


def _facility(facts: Facts) -> list[Flow]:
    """What the facility takes: racks, and what cooling and losses take on top, told apart as far as the design does."""
    whole, racks = _power(facts, "least_facility_power"), _power(facts, "least_it_power")
    apart = [_main(facts, word, label, color) for word, label, color in OVERHEAD if facts.number(word)]
    if not _adds_up(facts):
        apart = []
    told = [label for word, label, _ in OVERHEAD if facts.number(word) is None]
    pue = facts.text_of("design_day_pue") or facts.text_of("pue")
    rest = f"cooling and losses{f' (PUE {pue})' if pue else ''}"
    if apart:
        rest = series(told) or "not separated"
    left = whole - sum(one.value for one in apart)
    return [_main(facts, "least_it_power", "racks", "c1"), *apart, *_rest(facts, left, racks, rest, "c3")]


def _adds_up(facts: Facts) -> bool:
    """Whether what is stated of the overhead is within it."""
    whole, racks = _power(facts, "least_facility_power"), _power(facts, "least_it_power")
    return sum(facts.number(word) or 0.0 for word, _, _ in OVERHEAD) <= (whole - racks) * (1 + NOISE)


def _racks(facts: Facts) -> list[Flow]:
    """What is in the racks: servers, and network, storage and management as far as known."""
    label = "network, storage, others" if facts.number("other_power") is not None else "switches"
    racks, servers = _power(facts, "least_it_power"), _power(facts, "least_server_power")
    return [_main(facts, "least_server_power", "servers", "c2"), *_rest(facts, racks, servers, label, "c6")]


def _servers(design: Design, facility: Facts) -> list[Flow]:
    """What is in the servers: GPUs at their design power, and the rest of each pool."""
    gpus, rest, open_ = 0.0, 0.0, 0.0
    for pool in Facts.of_kind(design, "NodePool"):
        power, over = pool.number("pool_power"), pool.number("power_over_gpus")
        if power is None or over is None or over < 1:
            open_ += power or 0.0
        else:
            gpus, rest = gpus + power / over, rest + power - power / over
    found = [
        Flow(gpus, "GPUs", facility.amount(gpus, "Power"), "c4"),
        Flow(rest, "CPUs, NICs, fans", facility.amount(rest, "Power"), "c6"),
        Flow(open_, "other servers", facility.amount(open_, "Power"), "c6"),
    ]
    return [one for one in found if one.value > _power(facility, "least_server_power") * NOISE]


def _sankey(canvas: Canvas, facts: Facts, stages: list[list[Flow]]) -> float:
    """The main flow of each stage goes on at its top, the others end below it; the height below all."""
    scale = HIGH / (_power(facts, "least_facility_power") or 1.0)
    _block(canvas, STAGES[0], TOP, HIGH, "c3", ("facility", _amount(facts, "least_facility_power")), top=True)
    lowest = TOP + HIGH
    for at, flows in enumerate(stages):
        source, target = STAGES[at] + BROAD, STAGES[at + 1]
        y = to = TOP
        for number, one in enumerate(flows):
            high, on = one.value * scale, number == 0 and at < 2
            _ribbon(canvas, (source, y), (target, to), high, one.color)
            _block(canvas, target, to, high, one.color, (one.label, one.text), top=on)
            y, to = y + high, to + (high + BELOW[at] if on else max(high, GAP) + 8)
            lowest = max(lowest, to)
    return lowest


def _ribbon(canvas: Canvas, start: tuple[float, float], end: tuple[float, float], high: float, color: str) -> None:
    (x, y), (to_x, to_y) = start, end
    middle = (x + to_x) / 2
    up = f"M{x:.1f} {y:.1f}C{middle:.1f} {y:.1f} {middle:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}"
    back = f"V{to_y + high:.1f}C{middle:.1f} {to_y + high:.1f} {middle:.1f} {y + high:.1f} {x:.1f} {y + high:.1f}Z"
    canvas.path(up + back, f"{color} faint")


def _block(
    canvas: Canvas, x: float, y: float, high: float, color: str, words: tuple[str, str], *, top: bool = False
) -> None:
    canvas.rect(x, y, BROAD, max(high, 1.5), color)
    label, text = words
    middle = y + (30 if top else max(high, 24)) / 2 + (4 if top else 0)
    canvas.text(x + BROAD + 6, middle - 2, label, "ink t-small", 172 if x < STAGES[-1] else WIDTH - x - BROAD - 6)
    canvas.text(x + BROAD + 6, middle + 11, text, "ink t-small b")


def _verdict(facts: Facts) -> str:
    free, most = facts.number("free_power"), facts.number("most_free_power")
    if most is not None and most < 0:
        return "bad"
    return "" if free is None else "bad" if free < 0 else "good"


def _head(facts: Facts) -> str:
    needed, given = _amount(facts, "least_facility_power"), facts.text_of("utility_power")
    return f"{needed} needed, {given} from the utility" if given else f"{needed} needed; the utility's power is unknown"


def _notes(facts: Facts) -> list[str]:
    """What is left or missing at the utility, and what is not counted."""
    free, notes = _known_free(facts), list[str]()
    most = "" if facts.number("free_power") is not None else " at most" if (free or 0) >= 0 else " at least"
    if free is not None:
        short = f"The need exceeds the utility's power by{most} {100 * -free:.3g} %"
        notes.append(short if free < 0 else f"Free utility power:{most} {100 * free:.3g} %")
    if facts.number("distribution_loss") is not None and not _adds_up(facts):
        composed = facts.text_of("composed_pue")
        notes.append(f"The stated losses, cooling and building amount to a PUE of {composed}, above the stated one")
    elif facts.number("distribution_loss") is None:
        notes.append(
            "UPS and distribution losses are included in the PUE: the design states no distribution efficiency"
        )
    uncounted = facts.fact("uncounted_loads")
    if isinstance(uncounted, str) and uncounted != "nothing":
        notes.append(f"Not counted, because it is not stated: {name(uncounted, 160)}")
    return notes


def _known_free(facts: Facts) -> float | None:
    free = facts.number("free_power")
    return facts.number("most_free_power") if free is None else free


def _load(report: Report, facts: Facts, label: str, measured: tuple[str, ...], part: str, parts_of: str) -> Load | None:
    """A carrier against its load, as the rule compares them; None where it does not."""
    found = next(filter(None, (margin(report, facts, one) for one in measured)), None)
    if found is None:
        return None
    given, needed = (found.value, found.text), (found.limit, found.limit_text)
    if found.comparison == "<=":
        given, needed = needed, given
    each, redundancy = (facts.part(part), "redundancy") if part else (None, "")
    count, rating = (each.text_of(parts_of), each.text_of("rating")) if each and parts_of else ("", "")
    made_of = [f"{count} × {rating}" if count and rating else "", each.text_of(redundancy) if each else ""]
    return Load(label, given[0], needed[0], given[1], needed[1], ", ".join(filter(None, made_of)))


def _list_uncompared(facts: Facts, compared: set[str]) -> list[str]:
    """What the design states of carriers that could not be compared with their load, and what is missing."""
    notes = []
    for label, measured, part, _ in CARRIERS:
        if label not in compared and part and (stated := facts.part(part)) and stated.subject.node is not None:
            wanted = facts.lacks([*measured]).rpartition("it needs ")[2] or f"{stated.place('protects')}"
            some, more = wanted.split(", ")[:MOST_WANTED], len(wanted.split(", ")) - MOST_WANTED
            rest = f" and {more} more" if more > 0 else ""
            notes.append(f"{label} not compared: missing {', '.join(some)}{rest}")
    return notes


def _description(facts: Facts, stages: list[list[Flow]], loads: list[Load], notes: list[str]) -> str:
    flows = [
        f"{level}: " + ", ".join(f"{one.label} {one.text}" for one in flows)
        for level, flows in zip(("Facility", "Racks", "Servers"), stages, strict=True)
        if flows
    ]
    carried = [f"{one.name}: {one.description}, {'enough' if one.verdict == 'good' else 'not enough'}" for one in loads]
    return sentences(_head(facts), *flows, *carried, *notes)
