"""The architecture document of a plan: `ontology/plan-document.md` with the values of the planned design."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from designlint.graph.subjects import Subject
from designlint.language import resources
from designlint.layouts.search import of_degrees, short
from designlint.planning.aims import days, hours
from designlint.planning.answer import aimed, totals, why_not
from designlint.planning.evidence import nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.planning.frontier import Point
    from designlint.planning.plan import Answer

#: A value in the template: `{part:path/of/words}`, or a name of its own.
PLACE = re.compile(r"\{(?:(\w+):)?([\w/]+)(%?)\}")
UNKNOWN = "not known"
#: The section that shows the run on other numbers of GPUs.
SIZE = "Size"


def written(answer: Answer, points: Sequence[Point]) -> str:
    """The document in Markdown."""
    template = resources.ontology("plan-document.md").read_text("utf-8")
    parts, own = _parts(answer), _own(answer, points)

    def filled(found: re.Match[str]) -> str:
        return own[found[2]] if found[1] is None else _value(parts[found[1]], found[2], answer, share=bool(found[3]))

    return PLACE.sub(filled, template)


def _parts(answer: Answer) -> dict[str, Any]:
    """The parts of the design that the template names."""
    graph = answer.job_design.graph
    root = graph.root.facts
    named = {"compute": f"fabrics/{answer.brief.compute}", "scratch": "storage/scratch"}
    return {
        "job": answer.job,
        "pool": graph.by_class["NodePool"][0],
        "facility": root.get("facility"),
        "scheduler": root.get("scheduler"),
        **{name: graph.subjects.get(path) for name, path in named.items()},
    }


def _own(answer: Answer, points: Sequence[Point]) -> dict[str, str]:
    """What the template names that no single word of the design says."""
    best = answer.layouts[0]
    avoid = () if answer.result is None else answer.result.avoid
    compute: Any = _parts(answer)["compute"]
    topology: Any = compute.facts["topology"]
    planes = topology.facts.get("planes", 1)
    return {
        "server": answer.brief.server,
        "gpu": answer.brief.gpu,
        "layout": short(best.words),
        "planes": "one plane" if planes == 1 else f"{planes} planes",
        "exchange": f"{best.cost.exchange:.2g} s",
        "bubble": f"{best.cost.bubble:.2g} s",
        "optimizer": f"{best.cost.optimizer:.2g} s",
        "boundaries": _bullets([*totals(answer), *aimed(answer)], "No limit is stated."),
        "alternatives": "\n".join(
            f"- Not {short(one.words)}: {why_not(answer, one)}." for one in of_degrees(answer.layouts, 4)[1:]
        ),
        "sizes": _sizes(answer, points),
        "changes": _bullets([f"{one.told[0].upper()}{one.told[1:]}." for one in answer.changes], UNKNOWN),
        "evidence": _bullets([one.told for one in nearest(answer)], UNKNOWN),
        "avoid": _bullets([one.statement for one in avoid], "Nothing that a rule names."),
        "risks": _bullets([f"{one.message} ({one.rule})" for one in answer.findings], "None that a rule finds."),
    }


def _sizes(answer: Answer, points: Sequence[Point]) -> str:
    """A table of the run on other numbers of GPUs; what is lacking for it otherwise."""
    if not points:
        return "Days are not known: the brief states no tokens."
    units = answer.brief.vocabulary.units
    rows = ["| GPUs | days | at most | GPU hours | utility power | layout |", "| --- | --- | --- | --- | --- | --- |"]
    for one in points:
        mark = "**" if one.planned else ""
        power = units.planned(one.power, "Power", "up")
        cells = (str(one.gpus), days(one.took), days(one.late), hours(one.spent), power, one.layout)
        rows.append("| " + " | ".join(f"{mark}{cell}{mark}" for cell in cells) + " |")
    return "\n".join(rows)


def _bullets(texts: Sequence[str], none: str) -> str:
    return "\n".join(f"- {one}" for one in texts) or f"- {none}"


def _value(at: Any, path: str, answer: Answer, *, share: bool) -> str:
    """A value of the design, printed in its unit, or as a percentage."""
    *way, word = path.split("/")
    for step in way:
        at = at.facts.get(step) if isinstance(at, Subject) else None
    if not isinstance(at, Subject) or word not in at.facts:
        return UNKNOWN
    if share and isinstance(at.facts[word], float):
        return f"{at.facts[word]:.0%}"
    vocabulary, fact = answer.brief.vocabulary, at.facts[word]
    kind = vocabulary.word(at.cls, (word,)).kind
    if isinstance(fact, int | float) and not isinstance(fact, bool) and kind in vocabulary.units:
        return vocabulary.units.format(fact, kind)
    return str(fact)
