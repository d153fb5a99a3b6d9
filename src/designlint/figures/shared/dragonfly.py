"""Dragonflies: groups that are joined pairwise, and one of them with its switches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.figures.shared.canvas import WIDTH
from designlint.figures.shared.facts import margin
from designlint.figures.shared.hosts import hosts_of
from designlint.figures.shared.links import Link, judge_link, to_hosts
from designlint.figures.shared.switches import BOX, LEFT, RIGHT, row

if TYPE_CHECKING:
    from designlint.figures.shared.canvas import Canvas
    from designlint.figures.shared.facts import Facts
    from designlint.figures.shared.switches import TierRow
    from designlint.findings.report import Report

#: Where the groups stand, how high the links above switches rise, and how far what stands below is away.
TOP, ARCH, ARCH_WITHIN, APART = 96.0, 44.0, 26.0, 64.0


def lacks(facts: Facts) -> str:
    """Why its groups cannot be drawn; empty where they can."""
    return facts.lacks(["groups"]) or ("" if facts.count("groups") else f"{facts.name} has no group")


def draw(canvas: Canvas, report: Report, facts: Facts) -> tuple[list[str], float]:
    """The groups, the first one with its switches, and what is attached; in words, and the height below all."""
    plus, hosts = facts.text_of("kind") == "dragonfly-plus", hosts_of(facts)
    between, within, down = (
        _between(report, facts, plus=plus),
        _within(report, facts, plus=plus),
        to_hosts(report, facts, "leaf" if plus else "switch"),
    )
    told = "all groups are connected pairwise; one group is drawn, with some of its switches"
    canvas.text(0, 30, "; ".join(filter(None, (facts.text_of("technology"), told))), "dim t-small", WIDTH)
    groups = row((LEFT, RIGHT), TOP, facts.count("groups"), 1, 0)
    groups.arch(canvas, between.look, ARCH)
    groups.draw(canvas)
    between.words(canvas, TOP - ARCH / 2)
    _label(canvas, TOP, f"{facts.text_of('groups')} groups", "")
    panel, tiers = TOP + BOX + 20, _tiers(facts, plus=plus)
    bottom = panel + 20 + (len(tiers) - 1) * APART + (0 if plus else ARCH_WITHIN) + BOX + 8
    _open_group(canvas, groups, panel, bottom)
    first = row((LEFT + 8, RIGHT - 8), bottom - 8 - BOX, tiers[0][0], 1, 0)
    lowest, middle = bottom + 46, bottom - 8 - BOX - (APART - BOX) / 2
    hosts.draw(canvas, first, lowest, down.look)
    if plus:
        spines = row((LEFT + 8, RIGHT - 8), first.top - APART, tiers[1][0], 1, 0)
        first.join(canvas, spines, within.look)
        spines.draw(canvas)
        _label(canvas, spines.top, *tiers[1][1:])
    else:
        first.arch(canvas, within.look, ARCH_WITHIN)
    first.draw(canvas)
    _label(canvas, first.top, *tiers[0][1:])
    within.words(canvas, middle if plus else first.top)
    down.words(canvas, bottom + 26)
    return [
        f"It is {technology}" if (technology := facts.text_of("technology")) else "",
        between.description,
        within.description,
        *(f"{one[1]} {one[2]}".strip() for one in tiers),
        down.description,
        hosts.description,
    ], lowest + 42


def _tiers(facts: Facts, *, plus: bool) -> list[tuple[int | None, str, str]]:
    """The switches of a group, tier by tier: how many, that in words, and where."""
    words = (("leaves", "leaves"), ("spines", "spines")) if plus else (("leaves", "switches"),)
    groups, found = max(1, facts.count("groups") or 1), list[tuple[int | None, str, str]]()
    for word, called in words:
        count = facts.count(word)
        each = count // groups if count and count % groups == 0 else None
        told = f"{each} {called}" if each else called
        found.append(
            (each, told, "in each group" if each else f"{count} in all groups" if count else "number not stated")
        )
    return found


def _label(canvas: Canvas, top: float, head: str, about: str) -> None:
    canvas.text(0, top + (11 if about else 18), head, "ink t-head b", LEFT - 6)
    canvas.text(0, top + 25, about, "dim t-small", LEFT - 6)


def _open_group(canvas: Canvas, groups: TierRow, top: float, bottom: float) -> None:
    """The first group, opened."""
    first = groups.switches[0]
    for x, to_x in ((first.x - groups.wide / 2, LEFT), (first.x + groups.wide / 2, RIGHT)):
        canvas.line(x, groups.top + BOX, to_x, top, "s-edge thin dash")
    canvas.rect(LEFT, top, RIGHT - LEFT, bottom - top, "s-edge dash", 4)
    canvas.text(RIGHT - 8, top + 13, "group 1", "dim t-small e")


def _between(report: Report, facts: Facts, *, plus: bool) -> Link:
    """The links between groups, against the ports of their hosts and the number of groups."""
    links, each, reached = facts.text_of("group_links"), facts.text_of("global_links"), margin(report, facts, "groups")
    told = [f"{links} links leave each group" if links else "links between groups not stated"]
    told += [f"{each} on each {'spine' if plus else 'switch'}"] if each else []
    link = Link("Between groups", told, measure="host ")
    if reached and reached.room < 0:
        return link._replace(ratio=f"enough for {reached.limit:.0f} groups", verdict="bad", measure="")
    return judge_link(link, "ports to links", facts.number("group_ratio"), margin(report, facts, "group_ratio"))


def _within(report: Report, facts: Facts, *, plus: bool) -> Link:
    """The links within a group."""
    if plus:
        per, ratio = facts.text_of("uplinks_per_leaf"), facts.number("oversubscription")
        link = Link(
            "Within a group",
            [f"{per} links from each leaf" if per else "links of leaves not stated"],
            measure="bandwidth ",
        )
        return judge_link(link, "down to up", ratio, margin(report, facts, "working_oversubscription"))
    each = facts.text_of("local_links")
    return Link("Within a group", [f"{each} links on each switch" if each else "links within groups not stated"])
