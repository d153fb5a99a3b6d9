"""The switches of each network, with what joins them; a few stand for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.figures.shared import dragonfly, tiers, torus
from designlint.figures.shared.canvas import WIDTH, Canvas
from designlint.figures.shared.facts import each
from designlint.figures.shared.text import sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from designlint.design.design import Design
    from designlint.figures.shared.facts import Facts
    from designlint.figures.shared.figure import Figure, Omission
    from designlint.findings.report import Report

PLACE, TITLE = 1, "Network topology"
#: Fabrics that are drawn.
MOST = 8


class NetworkKind(NamedTuple):
    """A kind of network: what it is called, why one cannot be drawn, and how it is drawn and told."""

    name: str
    lacks: Callable[[Facts], str] = tiers.lacks
    draw: Callable[[Canvas, Report, Facts], tuple[list[str], float]] = tiers.draw


KINDS = {
    "fat-tree": NetworkKind("fat tree"),
    "rail-only": NetworkKind("rail-only network"),
    "single-switch": NetworkKind("single switch"),
    "dragonfly": NetworkKind("dragonfly", dragonfly.lacks, dragonfly.draw),
    "dragonfly-plus": NetworkKind("dragonfly+", dragonfly.lacks, dragonfly.draw),
    "torus": NetworkKind("torus", torus.lacks, torus.draw),
}
UNKNOWN = NetworkKind("network")


def draw(design: Design, report: Report) -> Iterator[Figure | Omission]:
    """A figure for each fabric whose shape is known."""

    def drawn(one: Facts, label: str) -> Figure | str:
        return KINDS.get(one.text_of("kind"), UNKNOWN).lacks(one) or _figure(design, report, one, label)

    return each(design, "fabric", TITLE, "Fabric", MOST, drawn)


def _figure(design: Design, report: Report, facts: Facts, label: str) -> Figure:
    canvas, kind = Canvas(), KINDS.get(facts.text_of("kind"), UNKNOWN)
    head = _head(facts, kind.name)
    canvas.text(0, 13, head, "ink t-head b", WIDTH)
    told, height = kind.draw(canvas, report, facts)
    return canvas.figure(design, label, f"{TITLE}: {facts.name}", sentences(head, *told), height)


def _head(facts: Facts, kind: str) -> str:
    tiers_, groups, switches, cables = (facts.text_of(one) for one in ("tiers", "groups", "switch_count", "cables"))
    shape = kind + (f" of {tiers_} tier{'' if tiers_ == '1' else 's'}" if tiers_ and kind != "single switch" else "")
    shape += f" of {groups} group{'' if groups == '1' else 's'}" if groups else ""
    switches = switches or facts.text_of("torus_switches")
    counted = [
        f"{switches} switch{'' if switches == '1' else 'es'}" if switches else "",
        f"{cables} cables" if cables else "",
    ]
    return f"{facts.name}: {', '.join([shape, *filter(None, counted)])}"
