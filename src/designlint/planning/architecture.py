"""The architecture document of a plan: `ontology/plan-document.md` with the values of the planned design."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from designlint.graph.subjects import Subject
from designlint.language import resources
from designlint.language.sentences import many, percent
from designlint.language.values import is_number
from designlint.layouts.search import of_degrees, short
from designlint.planning.amounts import days, hours, step_time, whole_share
from designlint.planning.answer import conflicts, interval, missed_aims, totals, unmeasured_notes, why_not
from designlint.planning.choices import choices
from designlint.planning.cluster import reserve
from designlint.planning.evidence import nearest
from designlint.planning.rivals import list_avoided
from designlint.planning.site_texts import site_texts
from designlint.reporters.shared import tables
from designlint.reporters.shared.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from designlint.findings.model import Finding
    from designlint.findings.notices import Avoidance
    from designlint.planning.brief import Brief
    from designlint.planning.frontier import FrontierPoint
    from designlint.planning.result import PlanAnswer

#: A value in the template: `{part:path/of/words}`, or a name of its own.
PLACE = re.compile(r"\{(?:(\w+):)?([\w/]+)(%?)\}")
UNKNOWN = "not known"
#: The section that shows the run on other numbers of GPUs.
SIZE = "Size"


def write_document(answer: PlanAnswer, points: Sequence[FrontierPoint]) -> str:
    """The document in Markdown."""
    template = resources.ontology("plan-document.md").read_text("utf-8")
    parts, own = _parts(answer), _own(answer, points)

    def filled(found: re.Match[str]) -> str:
        return own[found[2]] if found[1] is None else _value(parts[found[1]], found[2], answer, share=bool(found[3]))

    return PLACE.sub(filled, template)


def write_refusal(answer: PlanAnswer, stated: Mapping[str, str]) -> str:
    """
    The document of a request that no plan can meet: why, what is in conflict, and what would make it possible.

    Args:
        stated: where the brief states its aims, such as `brief.yaml:7`.
    """
    settled = answer.settled
    possible = [f"{one[0].upper()}{one[1:]}." for one in settled.ways]
    sections = {
        "No plan": f"**{answer.error}.** {printable(f'{settled.why[0].upper()}{settled.why[1:]}.')}",
        "Conflict": _bullets([f"{one}." for one in conflicts(answer, stated)], "No stated requirement is the reason."),
        "What would make it possible": _bullets(possible, "Giving up a single requirement does not make it possible."),
    }
    if settled.beyond_memory:
        sections["No plan"] += f"\n\n`{json.dumps({'error': answer.error})}`"
    return "\n\n".join(f"## {title}\n\n{text}" for title, text in sections.items()) + "\n"


def _parts(answer: PlanAnswer) -> dict[str, Any]:
    """The parts of the design that the template names."""
    graph = answer.job_design.graph
    root = graph.root.facts
    named = {"compute": f"fabrics/{answer.brief.compute}", "storage": f"storage/{answer.brief.tiers[1]}"}
    return {
        "job": answer.job,
        "pool": graph.by_class["NodePool"][0],
        "facility": root.get("facility"),
        "scheduler": root.get("scheduler"),
        **{name: graph.subjects.get(path) for name, path in named.items()},
    }


def _own(answer: PlanAnswer, points: Sequence[FrontierPoint]) -> dict[str, str]:
    """What the template names that no single word of the design says."""
    best = answer.layouts[0]
    compute: Any = _parts(answer)["compute"]
    library, topology = "RCCL" if answer.brief.gpu in choices()["rccl"] else "NCCL", compute.facts["topology"]
    ratio = max(1.0, float(compute.facts.get("working_oversubscription") or 1))
    spares, reached = int(_parts(answer)["pool"].facts.get("spares") or 0), answer.job.facts.get("goodput")
    return {
        "server": printable(answer.brief.machine.server or f"server with {answer.brief.machine.name}"),
        "domain": many(answer.brief.machine.domain, "GPU"),
        "gpu": printable(answer.brief.gpu),
        "layout": short(best.words),
        "batch": many(int(best.words["global_batch"]), "sequence"),
        "spares": many(spares, "spare"),
        "network": _network(topology.facts, ratio, library),
        "library": library,
        "leaf_loss": _leaf_loss(topology.facts),
        "oversubscription": f"{ratio:.3g}:1",
        "traffic": "collectives" if compute.facts.get("technology") == "ethernet" else "RDMA",
        "reserve": percent(reserve(answer.brief)),
        "goodput": whole_share(reached) if isinstance(reached, float) else UNKNOWN,
        "working": _working(answer),
        "splits": _bullets(list(_splits(answer)), UNKNOWN),
        "step": interval(best),
        "bottleneck": _bottleneck(answer),
        "exchange": f"{step_time(best.cost.exchange, 2)} s",
        "bubble": f"the pipeline bubble takes {step_time(best.cost.bubble, 2)} s, " if best.cost.bubble else "",
        "places": ", ".join(_places(best.words, answer.brief, topology.facts)),
        "optimizer": f"{step_time(best.cost.optimizer + best.cost.offload, 2)} s",
        "boundaries": _boundaries(answer),
        "alternatives": "\n".join(
            f"- Not {short(one.words)}: {printable(why_not(answer, one))}." for one in of_degrees(answer.layouts, 4)[1:]
        ),
        "sizes": _sizes(answer, points),
        "changes": _bullets([f"{one.sentence[0].upper()}{one.sentence[1:]}." for one in answer.changes], UNKNOWN),
        "evidence": _bullets([one.sentence for one in nearest(answer)], UNKNOWN),
        "avoid": _avoidances(answer),
        "risks": _bullets([*_late(answer), *map(_risk, answer.findings)], UNKNOWN),
        **site_texts(answer),
    }


def _boundaries(answer: PlanAnswer) -> str:
    return _bullets([*unmeasured_notes(answer), *totals(answer), *missed_aims(answer)], "No limit is stated.")


def _avoidances(answer: PlanAnswer) -> str:
    """What rules exclude, and what makes every layout slower."""
    excluded = () if answer.result is None else answer.result.avoid
    avoided = [*_ruled_out(answer, excluded), *list_avoided(answer.layouts[0], answer.layouts)]
    return _bullets(avoided, "No rule or search result rules anything out.")


def _working(answer: PlanAnswer) -> str:
    """Temporary memory, of logits and of layers gathered or recomputed, where there is some."""
    size = answer.job.number("working_memory")
    if not size:
        return ""
    return f", {answer.brief.vocabulary.units.format(size, 'Bytes', decimal=True)} of temporary memory"


def _risk(finding: Finding) -> str:
    """A finding, and what to do about it."""
    mitigation = f" Mitigation: {finding.remedy[0].lower()}{finding.remedy[1:]}" if finding.remedy else ""
    return f"{finding.message} ({finding.rule}).{mitigation}"


def _splits(answer: PlanAnswer) -> Iterator[str]:
    """Each degree of the layout, and which links it takes."""
    words, domain = answer.layouts[0].words, int(answer.job.number("scale_up_domain") or 1)
    tensor, context, pipeline, expert, data, zero = (
        int(words[one] or 1) for one in ("tensor", "context", "pipeline", "expert", "data", "zero_stage")
    )
    if tensor > 1:
        together = " and sequence parallelism" if words["sequence_parallel"] else ""
        yield f"**Tensor parallelism {tensor}**{together}, {_within(tensor, domain)}."
    if context > 1:
        yield f"**Context parallelism {context}**: groups of {tensor * context} GPUs, {_within(tensor * context, domain)}."
    if expert > 1:
        across = expert * int(words["expert_tensor"] or 1)
        yield f"**Expert parallelism {expert}**: all-to-all among {across} GPUs, {_within(across, domain)}."
    if pipeline > 1:
        virtual = f" of {words['virtual_stages']} virtual stages each" if words["virtual_stages"] > 1 else ""
        yield f"**{pipeline} pipeline stages**{virtual}; activations pass point to point between stages."
    kept = ("all state on every rank", "optimizer state", "optimizer state and gradients", "all state")[zero]
    if data > 1:
        yield f"**{data} data-parallel ranks**, ZeRO stage {zero}: {kept}{' sharded over them' if zero else ''}."


def _network(topology: Mapping[str, Any], ratio: float, library: str) -> str:
    """
    What the compute network is made of.

    Args:
        ratio: ports of servers in service for each uplink of a leaf.
    """
    planes = int(topology.get("planes", 1))
    within = "one plane" if planes == 1 else f"{planes} planes"
    if topology["tiers"] == 1:
        return (
            "one switch connects all servers" if planes == 1 else f"{within}, one switch connects all servers in each"
        )
    switches = f"{topology['leaves']} leaves and {many(topology['spines'], 'spine')}"
    if topology["tiers"] > 2:
        switches = f"{topology['leaves']} leaves, {topology['spines']} spines and {topology['cores']} cores"
    built = "non-blocking Clos" if ratio <= 1 else "Clos"
    return (
        f"a {built} of {topology['tiers']} tiers in {within}, {switches}, rail-optimized; {library} traffic of a rail "
        "stays below its leaf where possible"
    )


def _leaf_loss(topology: Mapping[str, Any]) -> str:
    """What the loss of a leaf or a cable takes."""
    lost = "adaptive routing avoids a lost spine"
    if topology["tiers"] > 1:
        rails = int(topology["host_ports_per_leaf"]) // int(topology["scalable_unit"])
        some = "one rail" if rails == 1 else f"{rails} rails"
        return f"{some} of a unit; the job restarts and reaches the other rails over the scale-up links; {lost}"
    if topology.get("planes", 1) > 1:
        return "one plane; the job restarts and reaches the others over the scale-up links"
    return "losing a cable takes down one server port; without the switch the job waits for its replacement: keep one in stock"


def _within(group: int, domain: int) -> str:
    return f"{'within' if group <= domain else 'beyond'} the scale-up domain of {many(domain, 'GPU')}"


def _places(words: dict[str, Any], brief: Brief, topology: Mapping[str, Any]) -> Iterator[str]:
    """Where the ranks of each degree belong."""
    domain, stages = brief.machine.domain, words["tensor"] * words["context"] * words["pipeline"]
    if words["tensor"] > 1:
        yield "tensor-parallel groups in one scale-up domain"
    across = {
        "context-parallel": words["context"] > 1 and words["tensor"] * words["context"],
        "expert-parallel": (words["expert"] or 1) > 1 and words["expert"] * (words["expert_tensor"] or 1),
    }
    for name, size in across.items():
        if size:
            yield f"{name} groups {'in one scale-up domain' if size <= domain else 'on neighbouring servers'}"
    if words["pipeline"] > 1:
        unit = int(topology.get("scalable_unit") or 0) * brief.gpus_per_server
        near = "in one scale-up domain" if stages <= domain else "on neighbouring servers"
        yield f"pipeline stages {near if stages <= unit or topology['tiers'] == 1 else 'on neighbouring leaves'}"
    if words["data"] > 1:
        yield f"data-parallel ranks across {'the rest' if stages * (words['expert'] or 1) > 1 else 'all servers'}"


def _bottleneck(answer: PlanAnswer) -> str:
    """What a step loses most to beside the stages' own work, and what slower links would cost."""
    cost = answer.layouts[0].cost
    parts = cost.waits
    name = max(parts, key=parts.__getitem__)
    links = [one.sentence for one in answer.changes if "network" in one.what or "links" in one.what]
    return "; ".join([f"**{name}, {percent(parts[name] / cost.step, '.1%')} of a step**", *links])


def _ruled_out(answer: PlanAnswer, avoid: Iterable[Avoidance]) -> Iterator[str]:
    """What rules rule out, once for each thing, without the name of the only job."""
    seen = set()
    for one in avoid:
        statement = one.statement.removeprefix(f"{answer.job.facts['name']}: ")
        what, _, _ = statement.partition(":")
        if what not in seen:
            seen.add(what)
            yield f"{statement[0].upper()}{statement[1:]}."


def _late(answer: PlanAnswer) -> Iterator[str]:
    """What the run comes to at the slow end of the interval, and how to know earlier."""
    size, best = answer.settled.size, answer.layouts[0]
    took, late = (None, None) if size is None else (size.run_time(best, sure=False), size.run_time(best))
    comes = "" if took is None or late is None else f"; at its slow end the run takes {days(late)}, not {days(took)}"
    limits = "" if answer.settled.sure else ", and a limit of the brief does not hold"
    yield f"**Step time is predicted**, {interval(best)}{comes}{limits}. Mitigation: measure a step on one unit first."


def _sizes(answer: PlanAnswer, points: Sequence[FrontierPoint]) -> str:
    """A table of the run on other numbers of GPUs; what is lacking for it otherwise."""
    if not points:
        return "Days are not known: the brief states no tokens."
    units = answer.brief.vocabulary.units
    rows: list[list[str]] = []
    for one in points:
        mark = "**" if one.planned else ""
        power = units.format_planned(one.power, "Power", "up")
        cells = (
            str(one.gpus),
            days(one.took),
            days(one.late),
            hours(one.spent).removesuffix(" GPU hours"),
            power,
            one.layout,
        )
        rows.append([f"{mark}{cell}{mark}" for cell in cells])
    return "\n".join(tables.markdown(("GPUs", "days", "at most", "GPU hours", "utility power", "layout"), rows))


def _bullets(texts: Sequence[str], none: str) -> str:
    """A list, each item in one line whatever a brief calls its parts."""
    return "\n".join(f"- {printable(one)}" for one in texts) or f"- {none}"


def _value(at: Any, path: str, answer: PlanAnswer, *, share: bool) -> str:
    """A value of the design, printed in its unit, or as a percentage."""
    *way, word = path.split("/")
    for step in way:
        at = at.facts.get(step) if isinstance(at, Subject) else None
    if not isinstance(at, Subject) or word not in at.facts:
        return UNKNOWN
    vocabulary, fact = answer.brief.vocabulary, at.facts[word]
    if share and isinstance(fact, float):
        return percent(fact)
    kind = vocabulary.word(at.cls, (word,)).kind
    if is_number(fact) and kind in vocabulary.units:
        return vocabulary.units.format(fact, kind, decimal=True)
    return printable(str(choices()["spelled"].get(str(fact), fact)))
