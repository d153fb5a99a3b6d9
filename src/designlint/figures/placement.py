"""Where the ranks of each parallel group stand: which GPUs of which servers, or scale-up domains, one group takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.derivations.ranks import data_stride
from designlint.figures.shared.canvas import WIDTH, Canvas
from designlint.figures.shared.facts import margin, named, parts, rest
from designlint.figures.shared.text import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design import Design
    from designlint.figures import Figure
    from designlint.figures.shared.facts import Facts
    from designlint.model import Margin, Report

from designlint.figures import Omission

PLACE, TITLE = 2, "Parallel groups on servers"
#: Workloads that are drawn.
MOST = 6
NEEDED = ("gpus", "scale_up_domain", "tensor", "pipeline", "data_parallel")
#: Domains drawn of a group, the last one at the end; and GPUs of a domain drawn one by one.
DOMAINS, MOST_CELLS = 4, 144
#: Where the domains stand, and the room for each.
LEFT, ROOM, GAP = 196.0, 106.0, 17.0
#: What joins a group, from near to far, in words.
JOINED = {
    "scale-up": "inside one scale-up network",
    "leaf": "below one leaf switch",
    "spine": "across leaf switches",
    "network": "across the network",
}


class Group(NamedTuple):
    """One kind of group: its name, ranks, the GPUs from one rank to the next, the tier that joins it, its colour."""

    name: str
    ranks: int
    stride: int
    level: str
    color: str

    def domains(self, size: int) -> list[int]:
        """The domains that it reaches, as many as are drawn; the last of them stands for the end."""
        last = (self.ranks - 1) * self.stride
        reached = self.ranks if self.stride >= size else last // size + 1
        first = [self.domain(at, size) for at in range(min(reached, DOMAINS))]
        return first if reached <= DOMAINS else [*first[:-1], last // size]

    def domain(self, at: int, size: int) -> int:
        """The number of a domain that it reaches."""
        return at * self.stride // size if self.stride >= size else at

    def reached(self, size: int) -> int:
        """How many domains it reaches."""
        return self.ranks if self.stride >= size else (self.ranks - 1) * self.stride // size + 1

    def taken(self, domain: int, size: int) -> dict[int, int]:
        """Its ranks in one domain, by the place of their GPU there."""
        first = -(-domain * size // self.stride)
        end = min(self.ranks, -(-(domain + 1) * size // self.stride))
        return {rank * self.stride - domain * size: rank for rank in range(first, min(end, first + MOST_CELLS))}


def draw(design: Design, report: Report) -> Iterator[Figure | Omission]:
    """A figure for each workload whose split is known."""
    workloads = parts(design, "Workload")
    for label, one in zip(named("placement", workloads[:MOST]), workloads[:MOST], strict=True):
        reason = one.lacks(NEEDED)
        groups = [] if reason else _groups(one)
        if not reason and not groups:
            reason = f"{one.name} is not split over GPUs"
        yield Omission(label, TITLE, reason) if reason else _figure(design, report, one, label, groups)
    yield from rest("placement", TITLE, workloads, MOST)
    if not workloads:
        yield Omission("placement", TITLE, "the design states no workload")


def _groups(facts: Facts) -> list[Group]:
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
        Group("tensor", tensor, 1, "tensor_level", "c1"),
        Group("context", context, tensor, "context_level", "c2"),
        Group("expert", expert * split, 1, "expert_level", "c5"),
        Group("pipeline", pipeline, stage, "pipeline_level", "c4"),
        Group("data", data, beside, "data_level", "c3"),
    ]
    return [one._replace(level=facts.told(one.level)) for one in found if one.ranks > 1]


def _figure(design: Design, report: Report, facts: Facts, label: str, groups: list[Group]) -> Figure:
    canvas, size = Canvas(), max(1, facts.count("scale_up_domain") or 1)
    canvas.text(0, 13, _head(facts, groups), "ink t-head b", WIDTH)
    canvas.text(0, 31, f"the group of the first GPU, by kind of parallelism; {_box(facts)}", "dim t-small", WIDTH)
    top = 48.0
    for one in groups:
        canvas.line(0, top - 6, WIDTH, top - 6, "s-grid thin")
        top = max(_group(canvas, facts, one, size, top, margin(report, facts, one.name)), top + 62)
    words = [f"{one.name}: {_reach(one, facts, size)}, {_joined(one)}" for one in groups]
    return canvas.figure(design, label, f"{TITLE}: {facts.name}", sentences(_head(facts, groups), *words), top)


def _head(facts: Facts, groups: list[Group]) -> str:
    split = " × ".join(f"{one.name} {one.ranks}" for one in groups if one.name != "expert")
    expert = next((f", expert {one.ranks}" for one in groups if one.name == "expert"), "")
    return f"{facts.name}: {facts.told('gpus')} GPUs = {split or 1}{expert}"


def _unit(facts: Facts, many: int) -> str:
    """What a box stands for."""
    word = "server" if facts.count("gpus_per_server") == facts.count("scale_up_domain") else "domain"
    return word if many == 1 else f"{word}s"


def _box(facts: Facts) -> str:
    size = facts.count("scale_up_domain") or 1
    unit = _unit(facts, 1) if _unit(facts, 1) == "server" else "scale-up domain"
    return f"a box is a {unit} of {size} GPU{'' if size == 1 else 's'}"


def _reach(group: Group, facts: Facts, size: int) -> str:
    reached = group.reached(size)
    return f"{group.ranks} ranks in {reached} {_unit(facts, reached)}"


def _joined(group: Group) -> str:
    return JOINED.get(group.level, "the tier that joins them is unknown")


def _group(canvas: Canvas, facts: Facts, group: Group, size: int, top: float, judged: Margin | None) -> float:
    """One row: words on the left, the boxes of the domains on the right; the height below it."""
    canvas.rect(0, top, 5, 46, group.color)
    canvas.text(12, top + 11, f"{group.name} {group.ranks}", "ink t-head b", LEFT - 20)
    canvas.text(12, top + 27, _reach(group, facts, size), "ink t-small", LEFT - 20)
    beyond = bool(judged and judged.room < 0)
    canvas.text(12, top + 42, _joined(group), f"{'bad' if beyond else 'dim'} t-small", LEFT - 20)
    if beyond:
        canvas.mark(LEFT - 28, top + 7, "bad")
    domains = group.domains(size)
    bottom = top
    for at, domain in enumerate(domains):
        x = LEFT + at * (ROOM + GAP)
        if at and domain > domains[at - 1] + 1:
            canvas.text(x - GAP / 2, top + 20, "…", "dim t-head b m")
        bottom = max(bottom, _domain(canvas, group, domain, size, (x, top)))
        canvas.text(x, bottom + 11, f"{_unit(facts, 1)} {domain + 1}", "dim t-small", min(ROOM + GAP - 4, WIDTH - x))
    return bottom + 26


def _domain(canvas: Canvas, group: Group, domain: int, size: int, at: tuple[float, float]) -> float:
    """A box of GPUs, those of the group filled and numbered; one bar where there are too many to draw."""
    (x, y), taken = at, group.taken(domain, size)
    if size > MOST_CELLS:
        share = min(1.0, len(range(0, size, group.stride)) / size, group.ranks / size)
        canvas.rect(x, y, ROOM, 24, "grid", 2)
        canvas.rect(x, y, max(2.0, ROOM * share), 24, group.color, 2)
        return y + 24
    columns = min(size, 4 if size <= 8 else 8 if size <= 32 else 18)
    cell = min(24.0, ROOM / columns)
    rows = -(-size // columns)
    for place in range(size):
        row, column = divmod(place, columns)
        left, above, full = x + column * cell, y + row * max(cell, 8), place in taken
        canvas.rect(left, above, cell - 1, max(cell, 8) - 1, group.color if full else "grid", 1.5 if cell > 8 else 0)
        if full and cell >= 13:
            text = str(taken[place])
            if len(text) * 6.6 < cell + 1:
                canvas.text(left + (cell - 1) / 2, above + cell / 2 + 3.4, text, "paper t-tiny m")
    return y + rows * max(cell, 8)
