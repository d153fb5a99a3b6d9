"""Whole ways out as a reader sees them: what would be changed together, what that comes to, what would be left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.applying.routes import routes
from designlint.comparing import changes
from designlint.findings.model import Severity
from designlint.language.sentences import many
from designlint.report.dossier import DossierLeft, DossierPlan, Effect, Revision
from designlint.report.wording import CALLED, fact_text
from designlint.reporters.shared.differences import difference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.applying.routes import Route
    from designlint.design.design import Design
    from designlint.findings.report import Report
    from designlint.report.profile import Profile

#: By what a way out is measured, and what that is called.
PRICES = (
    ("cluster_servers", "servers in service"),
    ("cluster_gpus", "GPUs in service"),
    ("switch_count", "switches"),
    ("cables", "cables"),
    ("facility_power", "facility power"),
    ("ordered_cost", "total price of orders"),
    ("training_time", CALLED["training_time"]),
    ("failures_in_run", "failures in the run"),
    ("run_energy", "energy of the run"),
    ("memory_per_gpu", CALLED["memory_per_gpu"]),
)


def plans(design: Design, report: Report, profile: Profile) -> tuple[list[DossierPlan], bool]:
    """
    The ways out of all findings that count: with the aims kept, and where that leaves less, with aims given up. And
    whether the search for them was cut.
    """
    made = routes(design, profile.aim, {one.key for one in report.accepted})
    return [_plan(design, one, profile) for one in made.found], made.cut


def _plan(design: Design, route: Route, profile: Profile) -> DossierPlan:
    after = route.after.design
    texts, new = design.texts(), after.texts()
    revisions = list(_revisions(design, route))
    given_up = [one.path for one in revisions if profile.aim(one.path)]
    errors, warnings, _ = route.weight
    return DossierPlan(
        title=f"{many(len(given_up), 'target')} given up" if given_up else "All targets kept",
        keeps=not given_up,
        given_up=given_up,
        revisions=revisions,
        effects=list(_effects(design, after)),
        errors=errors,
        warnings=warnings,
        left=sorted(
            (DossierLeft(str(one.severity), one.rule, one.message) for one in route.left),
            key=lambda one: Severity(one.severity).rank,
        ),
        diff="".join(difference(file, old, new[file], context=2) for file, old in sorted(texts.items()) if file in new),
    )


def _revisions(design: Design, route: Route) -> Iterator[Revision]:
    """Each value that changes in the end, with the last fix that set it."""
    reasons = {change.path: (made.fix.title, made.finding.rule) for made in route.made for change in made.fix.changes}
    for one in changes.changed_statements(design, route.after.design):
        path = "/".join(filter(None, (one.subject, one.word)))
        yield Revision(path, one.before, one.after, *reasons.get(path, ("", "")))


def _effects(old: Design, new: Design) -> Iterator[Effect]:
    for word, meaning in PRICES:
        for path, one in old.graph.subjects.items():
            other = new.graph.subjects.get(path)
            if other is None or word not in one.facts or word not in other.facts or one.origins[word].how == "followed":
                continue
            before, after = fact_text(one, word, old), fact_text(other, word, new)
            if before and after and before != after:
                yield Effect(path, word, meaning, before, after)
