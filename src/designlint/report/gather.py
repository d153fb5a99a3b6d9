"""Gathers the whole document: designs read, judged, held against the principles of a profile."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint import figures
from designlint.applying.routes import too_large
from designlint.compiler import principles
from designlint.compiler.sources import bibliography
from designlint.configuration import engine
from designlint.findings.model import Severity, Verdict
from designlint.language import resources
from designlint.language.citations import LABELS
from designlint.language.sentences import many
from designlint.reading.recognition import start
from designlint.reading.tree import LIMITS
from designlint.report import decisions, faults, layouts, plans, statuses
from designlint.report.answers import Answers
from designlint.report.dossier import (
    Avoided,
    Digest,
    Dossier,
    DossierDocument,
    DossierField,
    DossierGap,
    DossierOverride,
    Portfolio,
    Tailoring,
)
from designlint.report.key_facts import key_facts
from designlint.report.profile import load
from designlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from designlint.design.design import Design
    from designlint.findings.notices import Adjustment
    from designlint.findings.report import Report
    from designlint.language.vocabulary import Vocabulary
    from designlint.report.profile import Profile
    from designlint.rules.rule import CompiledRule

#: Missing facts that are listed; margins that are; statements on what the hardware rules out.
MOST_GAPS, MOST_MARGINS, MOST_AVOIDED = 25, 100, 200


def portfolio(
    judged: Iterable[tuple[Design, Report]],
    profile: str,
    today: str,
    packs: Sequence[Path] = (),
    adjustments: Sequence[Adjustment] = (),
) -> Portfolio:
    """
    The document on some designs. Raises UsageError and AuthoringError where the profile is wrong.

    Args:
        today: the day as of which designs are judged.
        packs: further folders of rules.
        adjustments: what configurations changed about the judgement.
    """
    known = principles.shipped_principles()
    chosen = load(profile, known)
    designs = _told_apart([Gathered(design, report, chosen).dossier() for design, report in judged])
    applied = [one for one in known.values() if chosen.applies(one)]
    return Portfolio(
        title=designs[0].name if len(designs) == 1 else f"Portfolio of {len(designs)} designs",
        version=__version__,
        today=today,
        profile=chosen.title,
        profile_file=chosen.file,
        about=chosen.about,
        documents=_documents(Counter(one.document for one in applied)),
        tailoring=[
            Tailoring(one.pattern, one.reason, sum(chosen.exclusion(each.id) is one for each in applied))
            for one in chosen.tailoring
        ],
        standard=_standard(),
        packs=[
            _digest(path.as_posix(), start(path, LIMITS.bytes))
            for pack in packs
            for path in resources.files(pack, ".yaml")
        ],
        overrides=[DossierOverride(one.what, one.text, one.reason, one.origin, list(one.rules)) for one in adjustments],
        designs=designs,
    )


def _told_apart(designs: Sequence[Dossier]) -> list[Dossier]:
    """Designs of one name with their files beside it."""
    counts = Counter(one.name for one in designs)
    return [one if counts[one.name] == 1 else replace(one, name=f"{one.name} ({one.file})") for one in designs]


def _documents(counts: Counter[str]) -> list[DossierDocument]:
    return [
        DossierDocument(key, source.title, source.creator, counts[key], LABELS[source.confidence])
        for key, source in bibliography().items()
        if counts[key]
    ]


@cache
def _standard() -> Digest:
    """What comes along and judges: the rules, the ontology, its catalogue and principles, as one digest."""
    made = hashlib.sha256()
    for path in [*resources.files(resources.rules(), ".yaml"), *resources.files(resources.ontology(), ".ttl")]:
        made.update(f"{resources.display_path(path)}\0".encode() + path.read_bytes() + b"\0")
    return Digest(
        f"{len(engine.shipped_engine().rules)} rules and the ontology of designlint {__version__}", made.hexdigest()
    )


def _digest(file: str, content: bytes) -> Digest:
    return Digest(file, hashlib.sha256(content).hexdigest())


def _digest_stored(file: str) -> Digest:
    """A file that could not be read as text, as it is stored; empty where it is not."""
    if not Path(file).is_file():
        return _digest(file, b"")
    with Path(file).open("rb") as stream:
        return Digest(file, hashlib.file_digest(stream, "sha256").hexdigest())


def _rules(design: Design) -> dict[str, CompiledRule]:
    """The rules that judge a design, and those that would without its configuration."""
    return {**engine.shipped_engine().rules, **design.engine.rules}


class Gathered:
    """One design, judged, on its way into the document."""

    def __init__(self, design: Design, report: Report, profile: Profile) -> None:
        self.design, self.report, self.profile = design, report, profile

    def dossier(self) -> Dossier:
        """All about it."""
        design, report, root = self.design, self.report, self.design.graph.root
        judged = statuses.judge_principles(principles.coverage(_rules(design)), design, report, self.profile)
        found = sorted(faults.faults(report.findings, design, report), key=lambda one: Severity(one.severity).rank)
        accepted, margins = faults.faults(report.accepted, design, report), faults.margins(report)
        gaps, fields, (drawn, undrawn) = self._gaps(), self._fields(), figures.every(design, report)
        (ways, cut), (verdict, told) = plans.plans(design, report, self.profile), self._verdict()
        return Dossier(
            file=report.files[0],
            name=root.name if "name" in root.facts else report.files[0],
            description=str(root.facts.get("description", "")),
            verdict=verdict,
            told=told,
            errors=report.count(Severity.ERROR),
            warnings=report.count(Severity.WARNING),
            infos=report.count(Severity.INFO),
            outcomes=[(str(one), report.total(one)) for one in Verdict],
            statuses=statuses.count_statuses(judged),
            key_facts=key_facts(design),
            answers=Answers(design, report, self.profile, found, accepted, margins, ways, cut=cut).all(gaps, fields),
            gaps=gaps,
            fields=fields,
            matrices=statuses.matrices(judged, self.profile),
            principles=judged,
            findings=found,
            plans=ways,
            layouts=layouts.compare_layouts(design),
            untried=too_large(design),
            cut=cut,
            accepted=accepted,
            margins=[one for one in margins if one.room or not one.holds][:MOST_MARGINS],
            evidence=statuses.evidence(design),
            avoid=[Avoided(one.rule, one.subject, one.statement) for one in report.avoid[:MOST_AVOIDED]],
            risks=decisions.risks(design),
            losses=decisions.losses(design),
            decisions=decisions.decisions(design),
            figures=drawn,
            undrawn=undrawn,
            files=[*self._files()],
        )

    def _files(self) -> Iterator[Digest]:
        """What the design is made of, byte by byte."""
        for one in sorted((self.design.document, *self.design.others), key=lambda one: one.file):
            content = one.content()
            yield _digest_stored(one.file) if content is None else _digest(one.file, content)

    def _verdict(self) -> tuple[str, str]:
        """Whether it can be signed, in a word and in a sentence."""
        report, open_ = self.report, self.report.total(Verdict.UNKNOWN)
        warnings = report.count(Severity.WARNING)
        made = report.total(Verdict.PASS) + report.total(Verdict.FAIL)
        rest = f" {many(open_, 'check')} could not be made." if open_ else " Every applicable check was made."
        rest = rest if made else " Nothing could be checked."
        if report.error:
            return "refused", f"Refused. {report.error}."
        if report.count(Severity.ERROR):
            told = many(report.count(Severity.ERROR), "error")
            also = f" and {many(warnings, 'warning')}" if warnings else ""
            return "errors", f"Not ready for signature: {told}{also}.{rest}"
        if warnings:
            return "warnings", f"No errors; {many(warnings, 'warning')} to decide.{rest}"
        if not made:
            return "unknown", "Nothing was checked: the design states no fact that a rule needs."
        return "clean", f"No errors and no warnings.{rest}"

    def _gaps(self) -> list[DossierGap]:
        return [
            DossierGap(fact, rules, _meaning(self.design.engine.vocabulary, fact))
            for _, fact, rules in self.report.unlocking(MOST_GAPS)
        ]

    def _fields(self) -> list[DossierField]:
        judged: dict[str, Counter[Verdict]] = defaultdict(Counter)
        for one in self.report.outcomes:
            judged[one.rule.partition("/")[0]][one.verdict] += 1
        return [
            DossierField(topic, counts[Verdict.PASS] + counts[Verdict.FAIL], counts[Verdict.UNKNOWN])
            for topic, counts in sorted(judged.items())
            if counts.total() > counts[Verdict.NOT_APPLICABLE]
        ]


def _meaning(vocabulary: Vocabulary, fact: str) -> str:
    """The definition of the word at the end of a fact's path; empty where no class on the way has such a word."""
    steps, owner, word = iter(fact.split("/")), "Design", None
    for step in steps:
        word = vocabulary.classes[owner].get(step)
        if word is None:
            return ""
        if word.kind in vocabulary.classes:
            owner = word.kind
        if word.form == "parts":
            next(steps, None)
    return word.comment if word else ""
