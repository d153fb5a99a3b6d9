"""What a plan answers: the choice and what was considered beside it, in words."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from designlint.language.sentences import many, percent
from designlint.layouts.search import domains_spanned, half_width, of_degrees
from designlint.planning.aims import REFUSAL
from designlint.planning.amounts import days, hours, step_time, whole_share
from designlint.planning.evidence import nearest
from designlint.planning.rivals import ALIKE
from designlint.reporters.shared.tables import align_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from designlint.layouts.search import Layout
    from designlint.planning.failures import Recovery
    from designlint.planning.result import PlanAnswer

#: What the aims of a brief are called.
NAMES = {
    "layout": "the stated layout", "power": "the power", "budget": "the budget of GPU hours", "gpus": "the number of GPUs",
    "deadline": "the deadline", "goodput": "the goodput", "precision": "the number format",
}  # fmt: skip
#: How the words of a layout are shown in a table, in this order; the others follow from them.
SHORT = {
    "tensor": "TP", "pipeline": "PP", "virtual_stages": "VPP", "context": "CP", "expert": "EP", "data": "DP",
    "micro_batch": "MBS", "zero_stage": "ZeRO", "recompute": "recompute",
}  # fmt: skip


def why_not(answer: PlanAnswer, other: Layout) -> str:
    """The part of a step that makes a layout slower than the chosen one, or the rule that speaks against it."""
    best = answer.layouts[0]
    number = next((at for at, one in enumerate(answer.layouts) if one is other), 0)
    slower = other.cost.step / best.cost.step - 1
    if number in answer.passed:
        return f"{percent(slower, '+.0%')}, but {answer.passed[number]}"
    mine = best.cost.waits | {"work of the stages": best.cost.work}
    parts = other.cost.waits | {"work of the stages": other.cost.work}
    name = max(parts, key=lambda one: parts[one] - mine[one])
    here, there = mine[name], parts[name]
    domain = int(answer.job.number("scale_up_domain") or 1)
    spanned = domains_spanned(other.words, domain)
    if slower < -ALIKE and spanned > domains_spanned(best.words, domain):
        return f"{percent(slower, '+.1%')}, but its groups span {spanned} scale-up domains"
    widths = half_width(other.cost), half_width(best.cost)
    if slower < -ALIKE and widths[0] > widths[1]:
        return f"{percent(slower, '+.1%')}, but less certain: ± {percent(widths[0])}, not ± {percent(widths[1])}"
    if slower < ALIKE:
        return "as fast"
    return f"+{percent(slower)}: {name} {step_time(there)} s, not {step_time(here)} s"


def lines(answer: PlanAnswer, top: int, stated: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """
    The answer for people.

    Args:
        stated: where the brief states its aims, such as `brief.yaml:7`.
    """
    if answer.error:
        yield from _describe_refusal(answer, stated)
        return
    size = answer.settled.size
    assert size is not None
    yield f"{size.gpus} x {answer.brief.gpu} in {many(size.servers, 'server')} of {answer.brief.machine.name}"
    best = answer.layouts[0]
    yield f"Step {interval(best)}, model FLOPs utilisation {_percent(best.cost.mfu)} predicted"
    yield from unmeasured_notes(answer)
    yield from totals(answer)
    yield from offloading(answer)
    yield from missed_aims(answer)
    yield ""
    yield from _table(answer, top)
    yield ""
    yield from _changes(answer)
    yield "Nearest measured runs:"
    yield from (f"  {one.line}" for one in nearest(answer))
    yield ""
    fit, found = len(answer.layouts), len(answer.findings)
    left = f"{many(found, 'finding') if found else 'no findings'} on the plan"
    yield f"{fit} {'layout fits' if fit == 1 else 'layouts fit'}; {left}{':' if found else ''}"
    yield from (f"  {one.severity}[{one.rule}] {one.message}" for one in answer.findings)


def _table(answer: PlanAnswer, top: int) -> Iterator[str]:
    """The best layout of each degree, with its time, its memory, and why it is not the chosen one."""
    units = answer.brief.vocabulary.units
    rows = [("", *SHORT.values(), "step", "MFU", "memory", "free", "why not")]
    for number, one in enumerate(of_degrees(answer.layouts, top), 1):
        words = (str(one.words[word]) for word in SHORT)
        used = percent(one.cost.memory / one.cost.usable)
        free = units.format(float(f"{one.cost.usable - one.cost.memory:.2g}"), "Bytes")
        reason = "chosen" if number == 1 else why_not(answer, one)
        rows.append((str(number), *words, interval(one), _percent(one.cost.mfu), used, free, reason))
    yield from align_rows(rows)


def _changes(answer: PlanAnswer) -> Iterator[str]:
    """What a tenth less of each thing does to the run."""
    if answer.changes:
        yield "What would change it:"
    yield from (f"  {one.sentence}" for one in answer.changes)
    if answer.changes:
        yield ""


def totals(answer: PlanAnswer) -> Iterator[str]:
    """How long the run takes, what it spends, and the limits of the brief."""
    brief, best, size = answer.brief, answer.layouts[0], answer.settled.size
    units = brief.vocabulary.units
    assert size is not None
    took, likely = size.run_time(best), size.run_time(best, sure=False)
    if took is not None and likely is not None:
        aimed = "" if brief.deadline is None else f"; the deadline is {days(brief.deadline)}"
        yield f"Run time {days(likely, took)}, at most {days(took)} in nine of ten cases{aimed}"
        yield from _goodput(size.recovery)
        budget = "" if brief.budget is None else f"; the budget is {hours(brief.budget)}"
        yield f"GPU time {hours(likely * size.gpus)}, at most {hours(took * size.gpus)}{budget}"
        if answer.settled.likely and brief.budget is not None and {brief.deadline, brief.gpus, brief.power} == {None}:
            yield "More GPUs would be faster, but use more GPU hours for the same run; request them with --gpus or --deadline"
        yield from _unlikely(answer)
        if answer.settled.likely and not answer.settled.sure:
            yield "The limits hold for the predicted step time, but not for the slow end of its interval"
    limit = "" if brief.power is None else f"; the limit is {units.format(brief.power, 'Power')}"
    yield f"Utility power {units.format_planned(size.power, 'Power', 'up')}{limit}"


def unmeasured_notes(answer: PlanAnswer) -> Iterator[str]:
    """That the interval is wide, where nobody measured steps on such GPUs or of such layers."""
    if answer.job.facts.get("recurrent_core_time"):
        yield (
            "The interval is wide: the step time of Mamba and linear-attention layers follows from published kernel speeds, "
            "not from measured runs"
        )
    if not answer.job.facts.get("steps_measured"):
        yield f"The step time is extrapolated: no training on {answer.brief.gpu} was measured, so the interval is wide"


def _unlikely(answer: PlanAnswer) -> Iterator[str]:
    """The limits that hold at the fast end of the interval only, and what would make them likely."""
    settled = answer.settled
    if settled.likely:
        return
    ways = f"; likely with {', or '.join(settled.ways)}" if settled.ways else ""
    yield f"Likely missed: {settled.why}{ways}"


def offloading(answer: PlanAnswer) -> Iterator[str]:
    """Why the optimizer is in CPU memory, and what that costs."""
    size, cost = answer.settled.size, answer.layouts[0].cost
    if size is not None and size.kept_away:
        yield (
            f"Optimizer state is in CPU memory, where its update takes {step_time(cost.offload)} s per step; on the GPUs, "
            f"{size.kept_away}"
        )


def _goodput(recovery: Recovery) -> Iterator[str]:
    """The share of time that failures leave, and the one that the days are counted with."""
    if recovery.reached is not None and recovery.reached > recovery.goodput:
        yield (
            f"Goodput {whole_share(recovery.reached)} predicted from failures and checkpoints; the run is planned at "
            f"{percent(recovery.goodput)}, which allows for all other interruptions"
        )
    elif recovery.reached is not None:
        yield f"Goodput {whole_share(recovery.reached)} predicted from failures and checkpoints"
    else:
        yield f"Goodput {percent(recovery.goodput)} assumed; the failure rate is not known"


def _describe_refusal(answer: PlanAnswer, stated: Mapping[str, str]) -> Iterator[str]:
    """What is in conflict and where it is stated, and what would make it possible."""
    why, ways = answer.settled.why, answer.settled.ways
    if answer.settled.beyond_memory:
        yield f"No plan: {REFUSAL[0].lower()}{REFUSAL[1:]}."
        yield f"  {why[0].upper()}{why[1:]}."
    else:
        yield f"No plan: {why}."
    yield from (f"  {one}." for one in conflicts(answer, stated))
    if ways:
        yield f"  Possible with: {', or '.join(ways)}."


def conflicts(answer: PlanAnswer, stated: Mapping[str, str]) -> Iterator[str]:
    """The aims that cannot hold together, and where the brief states them; each sentence without a full stop."""
    for aims, more in ((answer.settled.conflict, ""), (answer.settled.nor, " either")):
        told = "These requirements cannot all be met" if len(aims) > 1 else "This requirement cannot be met"
        if aims:
            named = (NAMES.get(one, f"`{one}`") + (f" ({stated[one]})" if one in stated else "") for one in aims)
            yield f"{told}{more}: {', '.join(named)}"


def missed_aims(answer: PlanAnswer) -> Iterator[str]:
    """What the brief aims at and no layout is predicted to reach."""
    wanted = (answer.brief.job.get("targets") or {}).get("mfu")
    best = answer.layouts[0].cost
    if wanted is None or best.mfu is None:
        return
    aim, high = answer.brief.number(wanted, "Ratio"), best.mfu * best.step / (best.low or best.step)
    low = best.mfu * best.step / (best.high or best.step)
    if aim > best.mfu:
        beyond = aim > high and percent(aim) != percent(high)
        likely = f"do not promise {percent(aim)}" if beyond else f"plan for {percent(best.mfu)}"
        predicted = f"{percent(best.mfu)} ({percent(low)} to {percent(high)}) is predicted"
        yield f"The brief targets {percent(aim)} MFU; {predicted}; {likely}"


def interval(one: Layout) -> str:
    """The time of a step, and the interval that holds it in four cases of five."""
    low, high = one.cost.low, one.cost.high
    around = f" ({step_time(low)} to {step_time(high)})" if low is not None and high is not None else ""
    return f"{step_time(one.cost.step)} s{around}"


def _percent(share: float | None) -> str:
    if share is None:
        return "?"
    return percent(share) if share >= 0.05 or share <= 0 else f"{share * 100:.2g} %"
