"""From a brief to a design: its size and layout first, then the cluster around it, then every rule."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from designlint.applying import session
from designlint.design.design import read_design
from designlint.findings.model import Severity
from designlint.language.values import spell_value
from designlint.layouts.search import apart
from designlint.linting.pipeline import lint
from designlint.planning import aims, cluster, practices, takeover, unserved, unsupported
from designlint.planning.brief import COMPUTE, JOB, OTHERS, Brief
from designlint.planning.document import Chosen, in_words, leaves, overlay, write_design
from designlint.planning.failures import recovery, shortest_interval
from designlint.planning.models import with_model
from designlint.planning.networks import domain_servers
from designlint.planning.racks import filling_racks
from designlint.planning.reasons import broken_limits
from designlint.planning.result import PlanAnswer
from designlint.planning.rivals import reason
from designlint.planning.sensitivity import changes
from designlint.planning.skeleton import FILE, derive_facts, furnish_storage, skeleton
from designlint.planning.soundness import sound
from designlint.planning.statements import errors, find_contradiction, plan_without_spares
from designlint.reading import read_bytes
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.findings.model import Finding
    from designlint.judging.result import Result
    from designlint.layouts.search import Layout
    from designlint.planning.result import PlanChange
    from designlint.planning.sizes import Size, Sizes
    from designlint.rules.engine import Engine

#: The order in which a design is read: what it is, what it is for, then how it is run.
SECTIONS = ("designlint", "name", "description", "nodes", "fabrics", "storage", "workloads", "facility", "scheduler")
#: Layouts of which a whole design is made and checked, those of them that may be alike, and how much slower than the fastest
#: they may be.
TRIED, NEAR, SLOWER = 8, 3, 0.15
#: Rules whose findings are of the layout: another one may be free of them.
OF_LAYOUT = ("parallelism/", "memory/", "communication/", "compute/", "network/experts-")
#: Those of which more GPUs may be free, too, and larger sizes that are tried then.
OF_MEMORY, MORE = "memory/", 3
#: Notes that count as faults where another layout is free of them: the second where a scale-up domain is a rack.
NO_ROOM, BEYOND_RACK = "memory/communicators-leave-no-room", "parallelism/expert-beyond-scale-up-domain"
#: Rules of the same topic whose findings are of the aims: no layout that is slower mends them.
OF_AIMS = ("compute/deadline-", "compute/budget-")


def plan_cluster(
    design: dict[str, Any], engine: Engine, progress: Callable[[str], None] = lambda text: None, folder: str = ""
) -> PlanAnswer:
    """
    The plan for a brief. Raises UsageError where the brief lacks what every plan needs.

    Args:
        progress: is given what is being looked at.
        folder: where files lie that the brief names.
    """
    answer = _plan_brief(design, engine, progress, folder)
    if answer.error:
        return answer

    def again(other: dict[str, Any]) -> PlanAnswer:
        return _plan_brief(other, engine, progress, folder)

    if errors(answer):
        answer = plan_without_spares(answer, design, again) or answer
    refused = find_contradiction(answer, design, again)
    if refused is not None:
        return PlanAnswer(answer.brief, refused, error=refused.error)
    answer.find_changes = partial(_changes, answer, engine, progress)
    return answer


def _changes(answer: PlanAnswer, engine: Engine, progress: Callable[[str], None]) -> list[PlanChange]:
    """What a tenth less of each thing would do."""
    progress("what a tenth less would change")
    return changes(answer, engine)


def _plan_brief(design: dict[str, Any], engine: Engine, progress: Callable[[str], None], folder: str) -> PlanAnswer:
    """The plan for a brief, whatever the rules say of what the brief states beside its layout. Raises UsageError."""
    brief = _brief(design, engine, folder)
    found = (
        unserved.refuse_unserved(brief, engine)
        or unsupported.refuse_unsupported(brief)
        or _settle(brief, engine, progress)
    )
    if found.size is None:
        found = _forbidden(found, engine) or found
        return PlanAnswer(brief, found, error=found.error)
    progress("networks, storage, power, and every rule")
    answer = _roomier(_of(found, found.size, engine), engine)
    if refused := _refusal_of_rules(answer, found.sizes):
        return PlanAnswer(brief, refused, error=refused.error)
    return answer


def _brief(design: dict[str, Any], engine: Engine, folder: str) -> Brief:
    """A brief with a whole model. Raises UsageError where it lacks what every plan needs."""
    brief = with_model(Brief(design, engine.vocabulary, folder))
    if not brief.job.get("model"):
        raise UsageError("the brief states no model: name one, or state its parameters")
    if brief.gpus is None and brief.power is None and brief.tokens is None:
        if brief.deadline is not None or brief.budget is not None:
            aim = "a deadline" if brief.deadline is not None else "a budget of GPU hours"
            raise UsageError(f"the brief states {aim} and no tokens; state how many the run trains on")
        raise UsageError("the brief states neither GPUs, nor tokens and a deadline, nor a power limit: one is needed")
    return brief


def _of(found: aims.SettledAims, size: Size, engine: Engine) -> PlanAnswer:
    """The plan at a size."""
    answer = PlanAnswer(size.brief, found._replace(size=size), layouts=size.candidates.layouts)
    return _best(answer, size, engine)


def _roomier(answer: PlanAnswer, engine: Engine) -> PlanAnswer:
    """The plan on more GPUs where the brief leaves their number open and a rule finds these short of memory."""
    sizes, size = answer.settled.sizes, answer.settled.size
    if sizes is None or sizes.brief.servers is not None or not _tight(answer):
        return answer
    for _ in range(MORE):
        size = None if size is None else sizes.nearest(size.servers)
        if size is None or broken_limits(size, sure=answer.settled.sure):
            break
        if not _tight(other := _of(answer.settled, size, engine)):
            return other
    return answer


def _tight(answer: PlanAnswer) -> bool:
    """Whether a rule finds the GPUs short of memory."""
    return any(one.severity is not Severity.INFO and one.rule.startswith(OF_MEMORY) for one in answer.findings)


def _refusal_of_rules(answer: PlanAnswer, sizes: Sizes | None) -> aims.SettledAims | None:
    """That a rule excludes the layout which the brief states; None where it states none, or no rule does."""
    wrong = (one for one in answer.findings if one.severity is Severity.ERROR and _of_layout(one))
    if sizes is None or not sizes.brief.states("layout") or not (fault := next(wrong, None)):
        return None
    return aims.forbidden(sizes, f"{fault.message} ({fault.rule})")


def _forbidden(found: aims.SettledAims, engine: Engine) -> aims.SettledAims | None:
    """
    That a rule excludes the stated layout on whatever number of GPUs, where something else is in conflict, too.

    What is in conflict is then told of the brief without its layout.
    """
    sizes = found.sizes
    if sizes is None or not sizes.brief.states("layout") or found.conflict == ("layout",):
        return None
    size = sizes.of(sizes.brief.only("layout")).smallest()
    refused = None if size is None else _refusal_of_rules(_of(found, size, engine), sizes)
    if refused is None:
        return None
    others = (one for one in aims.AIMS if one != "layout")
    rest = aims.settle_aims(sizes.brief.only(*others), engine, sizes.progress)
    if rest.size is not None:
        return refused
    return rest._replace(why=f"{rest.why}; {refused.why}", nor=rest.nor or refused.conflict)


def _settle(brief: Brief, engine: Engine, progress: Callable[[str], None]) -> aims.SettledAims:
    """The size for a brief, or what is in conflict. Raises UsageError where its GPU has no servers, or it is no design."""
    progress(f"servers with {brief.machine.gpu}")
    sound(read_bytes(write_design(brief.design).encode(), FILE), engine, "the brief", (COMPUTE, *OTHERS))
    return aims.settle_aims(brief, engine, progress)


def _best(answer: PlanAnswer, size: Size, engine: Engine) -> PlanAnswer:
    """The answer with the design of the first layout that no rule finds fault with; where all have one, of the fastest."""
    brief = answer.brief
    found: list[tuple[int, Layout, list[Finding], str, Result | None]] = []
    fastest = answer.layouts[0].cost.step
    for layout in (*apart(answer.layouts, NEAR, TRIED), *filling_racks(brief, answer.layouts)):
        if layout.cost.step > fastest * (1 + SLOWER):
            continue
        design = _design(answer, size, layout, engine)
        rough = (
            _faults(brief, lint(read_bytes(write_design(design).encode(), FILE), engine, repair=False)) if found else []
        )
        if found and len(rough) >= min(number for number, *_ in found):
            found.append((len(rough), layout, rough, "", None))
            continue
        text, result = _repair_design(design, brief, engine)
        faults = _faults(brief, result)
        found.append((len(faults), layout, faults, text, result))
        if not faults:
            break
    _, chosen, _, answer.text, answer.result = min(found, key=lambda one: one[0])
    others = [one for one in answer.layouts if one is not chosen]
    passed = {
        id(one): faults for _, one, faults, _, _ in found if one is not chosen and one.cost.step < chosen.cost.step
    }
    answer.layouts = [chosen, *others]
    answer.passed = {
        number: f"{passed[id(one)][0].message} ({passed[id(one)][0].rule})"
        for number, one in enumerate(answer.layouts)
        if id(one) in passed
    }
    return answer


def _faults(brief: Brief, result: Result) -> list[Finding]:
    """The findings of which another layout may be free."""
    notes = (NO_ROOM, BEYOND_RACK) if domain_servers(brief) > 1 else (NO_ROOM,)
    counted = (one for one in result.findings if one.severity is not Severity.INFO or one.rule in notes)
    return [one for one in counted if _of_layout(one)]


def _of_layout(finding: Finding) -> bool:
    """Whether another layout may be free of a finding."""
    return finding.rule.startswith(OF_LAYOUT) and not finding.rule.startswith(OF_AIMS)


def _design(answer: PlanAnswer, size: Size, best: Layout, engine: Engine) -> dict[str, Any]:
    """The whole design."""
    brief, servers = answer.brief, size.servers
    words = {
        name: Chosen(spell_value(value), reason(best, answer.layouts, name))
        for name, value in best.words.items()
        if name != "sequence" and value is not None
    }
    if best.words["first_stage_layers"] is not None:
        words["uneven_stages"] = Chosen("true", "embedding and output count as a layer each")
    if best.words["pipeline"] > 1 and "schedule" not in words:
        words["schedule"] = Chosen("interleaved" if (best.words["virtual_stages"] or 1) > 1 else "1f1b")
    words["global_batch"] = Chosen(words["global_batch"].text, size.candidates.why_batch(best))
    given = brief.practices
    usual = given
    for made in (
        practices.audits(brief, given),
        practices.kept_metrics(brief, given),
        practices.spare_gpus(brief, given, servers),
    ):
        usual = overlay(usual, made)
    design = furnish_storage(brief, servers, overlay(usual, skeleton(brief, servers, words)), engine)
    job = derive_facts(design, engine).graph.by_class["Workload"][0]
    saved = recovery(brief, job, shortest_interval(engine, best.cost.step)).words
    run = overlay(overlay(saved, practices.aimed_utilisation(size, best)), {"data": takeover.data(brief)})
    design = overlay(design, {"workloads": [{"name": brief.job.get("name", JOB), **run}]})
    graph = derive_facts(design, engine).graph
    pool = graph.by_class["NodePool"][0]
    around = {
        "facility": cluster.facility(brief, graph.root, pool),
        "acceptance": takeover.tests(brief, graph.root, pool),
        "software": takeover.software(brief, best.words),
    }
    whole_design = overlay(overlay(design, around), brief.design)
    return {name: whole_design[name] for name in sorted(whole_design, key=_place)}


def _place(section: str) -> int:
    return SECTIONS.index(section) if section in SECTIONS else len(SECTIONS)


def _repair_design(design: dict[str, Any], brief: Brief, engine: Engine) -> tuple[str, Result]:
    """The text of a design after the rules' own fixes of what the plan chose; what the brief fixes is never changed."""
    document = read_bytes(write_design(design).encode(), FILE)
    fixed = {in_words(brief.design, path) for path in leaves(brief.design)}

    def wanted(finding: Finding, fix: Any, trial: Any) -> bool:
        changed = [change.path for change in fix.changes]
        chosen = any(path in fixed or "/parallelism/" in path for path in changed)
        return finding.severity is not Severity.INFO and not chosen

    done = session.apply_fixes(read_design(document, engine), wanted)
    text = done.after.design.document.text
    return text, lint(read_bytes(text.encode(), FILE), engine, repair=False)
