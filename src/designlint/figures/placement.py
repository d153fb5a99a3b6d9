"""Where the ranks of each parallel group stand: which GPUs of which servers, or scale-up domains, one group takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.derivations.workload.ranks import data_stride, most_spread
from designlint.figures.shared.canvas import WIDTH, Canvas, number
from designlint.figures.shared.facts import Facts, each, margin
from designlint.figures.shared.text import sentences
from designlint.language.sentences import many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design.design import Design
    from designlint.figures.shared.figure import Figure, Omission
    from designlint.findings.report import Report

PLACE, TITLE = 2, "Parallel groups on servers"
#: Workloads that are drawn.
MOST = 6
NEEDED = ("gpus", "scale_up_domain", "tensor", "pipeline", "data_parallel")
#: Domains drawn of a group, the last one at the end; and GPUs of a domain drawn one by one.
DOMAINS, MOST_CELLS = 4, 144
#: Where the domains stand, and the room for each.
LEFT, ROOM, GAP = 196.0, 106.0, 17.0
#: What rules call the size of a group where it is not the degree.
JUDGED = {"context": "group"}
#: What joins a group, from near to far, in words.
JOINED = {
    "scale-up": "inside one scale-up network",
    "leaf": "below one leaf switch",
    "spine": "across leaf switches",
    "network": "across the network",
}


class PlacementGroup(NamedTuple):
    """
    One group.

    Attributes:
        name: kind of parallelism.
        ranks: how many, one every `stride` GPUs from the GPU `first` on.
        level: the tier that joins them.
        color: how it is drawn.
    """

    name: str
    ranks: int
    stride: int
    level: str
    color: str
    first: int = 0

    def domains(self, size: int) -> list[int]:
        """The domains that it reaches, as many as are drawn; the last of them stands for the end."""
        reached = self.count_reached(size)
        shown = [self.domain(at, size) for at in range(min(reached, DOMAINS))]
        return shown if reached <= DOMAINS else [*shown[:-1], self._last // size]

    def domain(self, at: int, size: int) -> int:
        """The number of a domain that it reaches."""
        return (self.first + at * self.stride) // size if self.stride >= size else self.first // size + at

    def count_reached(self, size: int) -> int:
        """How many domains it reaches."""
        return self.ranks if self.stride >= size else self._last // size - self.first // size + 1

    @property
    def _last(self) -> int:
        return self.first + (self.ranks - 1) * self.stride

    def taken_ranks(self, domain: int, size: int) -> dict[int, int]:
        """Its ranks in one domain, by the place of their GPU there."""
        before = domain * size - self.first
        start, end = max(0, -(-before // self.stride)), min(self.ranks, -(-(before + size) // self.stride))
        return {rank * self.stride - before: rank for rank in range(start, min(end, start + MOST_CELLS))}


def draw(design: Design, report: Report) -> Iterator[Figure | Omission]:
    """A figure for each workload whose split is known."""

    def drawn(one: Facts, label: str) -> Figure | str:
        if lacking := one.lacks(NEEDED):
            return lacking
        groups = _groups(one)
        return _figure(design, report, one, label, groups) if groups else f"{one.name} uses no parallelism"

    return each(design, "placement", TITLE, "Workload", MOST, drawn)


def _groups(facts: Facts) -> list[PlacementGroup]:
    """The groups with more than one rank, innermost first."""
    tensor, context, pipeline, data, expert, split, stage = (
        max(1, facts.count(word) or 1)
        for word in (
            "tensor", "context", "pipeline", "data_parallel", "expert", "expert_tensor", "pipeline_stride",
        )
    )  # fmt: skip
    order = facts.fact("rank_order")
    beside = data_stride(tensor, context, pipeline, order if isinstance(order, str) else "")
    found = [
        PlacementGroup("tensor", tensor, 1, "tensor_level", "c1"),
        PlacementGroup("context", context, tensor, "context_level", "c2"),
        PlacementGroup("expert", expert * split, 1, "expert_level", "c5"),
        PlacementGroup("pipeline", pipeline, stage, "pipeline_level", "c4"),
        PlacementGroup("data", data, beside, "data_level", "c3"),
    ]
    return [one._replace(level=facts.text_of(one.level)) for one in found if one.ranks > 1]


def _figure(design: Design, report: Report, facts: Facts, label: str, groups: list[PlacementGroup]) -> Figure:
    canvas, size = Canvas(), _count_taken(facts)
    canvas.text(0, 13, _head(facts, groups), "ink t-head b", WIDTH)
    canvas.text(0, 31, f"the group of the first GPU, by kind of parallelism; {_box(facts)}", "dim t-small", WIDTH)
    top, told, shown = 48.0, list[str](), [each for one in groups for each in (one, _worst(one, facts, size)) if each]
    for one in shown:
        canvas.line(0, top - 6, WIDTH, top - 6, "s-grid thin")
        judged = margin(report, facts, JUDGED.get(one.name, one.name))
        beyond = _leaves(one) or bool(judged and judged.room < 0)
        top = max(_group(canvas, facts, one, size, top, beyond=beyond), top + 62)
        told.append(_description(one, facts, size, beyond=beyond))
    words = sentences(_head(facts, groups), f"In the figure, {_box(facts)}", *told)
    return canvas.figure(design, label, f"{TITLE}: {facts.name}", words, top)


def _description(group: PlacementGroup, facts: Facts, size: int, *, beyond: bool) -> str:
    """A row in words."""
    first, *others = (str(domain + 1) for domain in group.domains(size))
    *between, last = others or [""]
    joined = " to " if group.count_reached(size) > DOMAINS else " and "
    place = f"{_unit(facts, len(others) + 1)} {', '.join([first, *between])}{joined + last if last else ''}"
    limit = "; it should fit in one" if beyond else ""
    return f"{_group_name(group)}: {_reach(group, facts, size)} ({place}), {_join_ranks(group)}{limit}"


def _worst(group: PlacementGroup, facts: Facts, size: int) -> PlacementGroup | None:
    """The group of a kind that reaches most domains; None where that of the first GPU reaches as many."""
    first = most_spread(group.ranks, group.stride, size, facts.count("gpus") or 0)
    return group._replace(first=first) if first else None


def _leaves(group: PlacementGroup) -> bool:
    """Whether a group leaves the scale-up network that those of its kind fit into."""
    return bool(group.first) and group.level == "scale-up"


def _count_taken(facts: Facts) -> int:
    """GPUs of a domain that the job takes."""
    return max(1, facts.count("gpus_of_domain") or facts.count("scale_up_domain") or 1)


def _group_name(group: PlacementGroup) -> str:
    return f"{group.name}, worst case" if group.first else group.name


def _head(facts: Facts, groups: list[PlacementGroup]) -> str:
    split = " × ".join(f"{one.name} {one.ranks}" for one in groups if one.name != "expert")
    expert = next((f", expert {one.ranks}" for one in groups if one.name == "expert"), "")
    return f"{facts.name}: {facts.text_of('gpus')} GPUs{_on(facts)} = {split or 1}{expert}"


def _on(facts: Facts) -> str:
    """The pool that it runs on, where the design has several."""
    pool = facts.part("runs_on", "nodes")
    return f" of {pool.name}" if pool and len(Facts.of_kind(facts.design, "NodePool")) > 1 else ""


def _unit(facts: Facts, many: int) -> str:
    """What a box stands for."""
    word = "server" if facts.count("gpus_per_server") == facts.count("scale_up_domain") else "domain"
    return word if many == 1 else f"{word}s"


def _box(facts: Facts) -> str:
    size = facts.count("scale_up_domain") or 1
    unit = _unit(facts, 1) if _unit(facts, 1) == "server" else "scale-up domain"
    taken = f", {_count_taken(facts)} of them taken" if _count_taken(facts) < size else ""
    return f"a box is a {unit} of {many(size, 'GPU')}{taken}"


def _reach(group: PlacementGroup, facts: Facts, size: int) -> str:
    reached = group.count_reached(size)
    return f"{group.ranks} ranks in {reached} {_unit(facts, reached)}"


def _join_ranks(group: PlacementGroup) -> str:
    if group.first:
        return f"that of GPU {group.first + 1}"
    return JOINED.get(group.level, "the tier that connects them is unknown")


def _group(canvas: Canvas, facts: Facts, group: PlacementGroup, size: int, top: float, *, beyond: bool) -> float:
    """One row: words on the left, the boxes of the domains on the right; the height below it."""
    canvas.rect(0, top, 5, 46, group.color)
    told = _group_name(group) if group.first else f"{group.name} {group.ranks}"
    canvas.text(12, top + 11, told, "ink t-head b", LEFT - 20 - (20 if beyond else 0))
    canvas.text(12, top + 27, _reach(group, facts, size), "ink t-small", LEFT - 20)
    canvas.text(12, top + 42, _join_ranks(group), f"{'bad' if beyond else 'dim'} t-small", LEFT - 20)
    if beyond:
        canvas.mark(LEFT - 28, top + 7, "bad")
    domains, whole = group.domains(size), max(size, facts.count("scale_up_domain") or 1)
    bottom = top
    for at, domain in enumerate(domains):
        x = LEFT + at * (ROOM + GAP)
        if at and domain > domains[at - 1] + 1:
            canvas.text(x - GAP / 2, top + 20, "…", "dim t-head b m")
        bottom = max(bottom, _domain(canvas, group.taken_ranks(domain, size), group, whole, (x, top)))
        canvas.text(x, bottom + 11, f"{_unit(facts, 1)} {domain + 1}", "dim t-small", min(ROOM + GAP - 4, WIDTH - x))
    return bottom + 26


def _domain(canvas: Canvas, taken: dict[int, int], group: PlacementGroup, size: int, at: tuple[float, float]) -> float:
    """A box of GPUs, those of the group filled and numbered; one bar where there are too many to draw."""
    x, y = at
    if size > MOST_CELLS:
        share = min(1.0, len(range(0, size, group.stride)) / size, group.ranks / size)
        canvas.rect(x, y, ROOM, 24, "grid", 2)
        canvas.rect(x, y, max(2.0, ROOM * share), 24, group.color, 2)
        return y + 24
    columns = min(size, 4 if size <= 8 else 8 if size <= 32 else 18)
    cell = min(24.0, ROOM / columns)
    rows = -(-size // columns)
    cells = {place: (x + place % columns * cell, y + place // columns * max(cell, 8)) for place in range(size)}
    wide, high = cell - 1, max(cell, 8) - 1
    shapes = {
        place: f"M{number(left)} {number(above)}h{wide:.3g}v{high:.3g}h-{wide:.3g}z"
        for place, (left, above) in cells.items()
    }
    canvas.path("".join(shape for place, shape in shapes.items() if place not in taken), "grid")
    canvas.path("".join(shapes[place] for place in taken), group.color)
    for place, rank in taken.items() if cell >= 13 else ():
        left, above = cells[place]
        if len(str(rank)) * 6.6 < cell + 1:
            canvas.text(left + wide / 2, above + cell / 2 + 3.4, str(rank), "paper t-tiny m")
    return y + rows * max(cell, 8)
