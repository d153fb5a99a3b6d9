"""The document as OSCAL 1.1.3 assessment results: a result for each design, a finding for each principle."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, UUID, uuid5

from designlint.language.vocabulary import HOME, PRINCIPLE, RULE
from designlint.reading.errors import UsageError
from designlint.report.dossier import Status
from designlint.reporters.shared.terminal import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.report.dossier import (
        Decider,
        Dossier,
        DossierEvidence,
        DossierFault,
        DossierJudged,
        Portfolio,
        Risk,
    )

VERSION = "1.1.3"
SPACE = f"{HOME}/oscal"
ROOT = uuid5(NAMESPACE_URL, SPACE)
#: Links that a reader may follow: pages, and files beside the design; what would run something stays text.
FOLLOWED = re.compile(r"https?://|[^:/\s][^:]*\Z|/[^:]*\Z", re.IGNORECASE)
#: Letters of a text.
LONGEST = 2000
#: What OSCAL calls the state of an objective, and why it is so; it has no word for what nobody knows.
STATES = {
    Status.VIOLATED: ("not-satisfied", "fail"),
    Status.UNKNOWN: ("not-satisfied", "other"),
    Status.PARTLY: ("not-satisfied", "other"),
    Status.WAIVED: ("not-satisfied", "other"),
    Status.ATTESTED: ("satisfied", "other"),
    Status.PROVEN: ("satisfied", "pass"),
    Status.NOT_APPLICABLE: ("satisfied", "other"),
}


def render(portfolio: Portfolio) -> str:
    """The assessment results as one JSON object. Raises UsageError where no day was given."""
    place = identity(ROOT, portfolio.version, portfolio.today, portfolio.profile_file, *_digests(portfolio))
    plan = identity(place, "plan")
    results = {
        "uuid": str(place),
        "metadata": metadata(portfolio, f"{portfolio.title}: {portfolio.profile}"),
        "import-ap": {"href": f"#{plan}", "remarks": "There is no plan apart from the profile."},
        "results": [_OscalResult(one, portfolio, place).assessment() for one in portfolio.designs],
        "back-matter": {
            "resources": [
                {
                    "uuid": str(plan),
                    "title": line(portfolio.profile),
                    "description": f"The profile {portfolio.profile_file}. {portfolio.about} Its catalog: "
                    "designlint report --format oscal-catalog.",
                    "rlinks": [{"href": HOME}],
                }
            ]
        },
    }
    return json.dumps({"assessment-results": results}, indent=2, ensure_ascii=False)


def metadata(portfolio: Portfolio, title: str) -> dict[str, Any]:
    """Who made the file, and when. Raises UsageError where no day was given."""
    return {
        "title": line(title),
        "last-modified": moment(portfolio),
        "version": portfolio.version,
        "oscal-version": VERSION,
        "props": [_prop("tool", f"designlint {portfolio.version}"), _prop("rules-sha256", portfolio.standard.sha256)],
    }


def moment(portfolio: Portfolio) -> str:
    """The day of the run as a point in time. Raises UsageError where none was given."""
    if not portfolio.today:
        raise UsageError("OSCAL states when something was assessed: give --today YYYY-MM-DD")
    return f"{portfolio.today}T00:00:00Z"


def control(principle: str) -> str:
    """A principle as the id of a control."""
    return principle.replace("/", ".")


def identity(place: UUID, *names: str) -> UUID:
    """An identifier that the same thing in the same input always has."""
    return uuid5(place, "\0".join(names).encode("utf-8", "backslashreplace").decode())


def line(text: str) -> str:
    """A text that any value of OSCAL can hold."""
    return shorten(printable(text).strip(), LONGEST) or "not stated"


def _digests(portfolio: Portfolio) -> list[str]:
    return [file.sha256 for one in portfolio.designs for file in one.files] + [one.sha256 for one in portfolio.packs]


def _prop(name: str, value: str) -> dict[str, str]:
    return {"name": name, "ns": SPACE, "value": line(value)}


class _OscalResult:
    """One design on its way into the results."""

    def __init__(self, one: Dossier, portfolio: Portfolio, place: UUID) -> None:
        self.one, self.when = one, moment(portfolio)
        self.identity = partial(identity, identity(place, "result", one.file))
        self.subject = {"subject-uuid": str(self.identity("design")), "type": "component", "title": line(one.name)}
        self.judged = [each for each in one.principles if each.status is not Status.TAILORED]

    def assessment(self) -> dict[str, Any]:
        """The result, without the lists that would be empty."""
        one = self.one
        left = [{"control-id": control(each.id)} for each in one.principles if each.status is Status.TAILORED]
        selection: dict[str, Any] = {"include-controls": [{"control-id": control(each.id)} for each in self.judged]}
        if not self.judged:
            selection = {"include-all": {}}
        lists = {
            "observations": [
                *map(self._rule, self._rules()),
                *map(self._attested_observation, enumerate(one.evidence)),
            ],
            "risks": [
                *map(self._fault, (*one.findings, *one.accepted)),
                *map(self._risk, enumerate(one.risks)),
            ],
            "findings": [self._finding(each) for each in self.judged],
        }
        return {
            "uuid": str(self.identity()),
            "title": line(one.name),
            "description": line(one.told),
            "start": self.when,
            "end": self.when,
            "props": [
                _prop("verdict", one.verdict),
                *(_prop(f"sha256-{number}", f"{file.sha256} {file.file}") for number, file in enumerate(one.files, 1)),
            ],
            "local-definitions": {"components": [self._component()]},
            "reviewed-controls": {
                "control-selections": [selection | ({"exclude-controls": left} if left else {})],
            },
            **{name: made for name, made in lists.items() if made},
        }

    def _component(self) -> dict[str, Any]:
        return {
            "uuid": self.subject["subject-uuid"],
            "type": "system",
            "title": line(self.one.name),
            "description": line(self.one.description),
            "status": {"state": "under-development"},
        }

    def _rules(self) -> Sequence[Decider]:
        rules = {each.rule: each for one in self.judged for each in one.rules}
        return [rules[name] for name in sorted(rules)]

    def _rule(self, one: Decider) -> dict[str, Any]:
        changed = f" The configuration changed it: {one.changed}." if one.changed else ""
        return {
            "uuid": str(self.identity("rule", one.rule)),
            "title": line(one.rule),
            "description": f"The rule {line(one.rule)} on all parts of the design that it is about: {one.status}.{changed}",
            "props": [_prop("status", one.status)],
            "links": [{"href": RULE + quote(one.rule), "rel": "reference"}],
            "methods": ["TEST"],
            "subjects": [self.subject],
            "collected": self.when,
        }

    def _attested_observation(self, told: tuple[int, DossierEvidence]) -> dict[str, Any]:
        number, one = told
        record = {"description": line(" ".join(filter(None, (one.note, one.link))))}
        return {
            "uuid": str(self.identity("evidence", str(number))),
            "title": line(f"Evidence for {one.principle}"),
            "description": line(f"{one.owner or 'Nobody'} attests {one.principle}."),
            "props": [_prop("owner", one.owner or "nobody"), _prop("counts", "yes" if one.valid else "no")],
            "methods": ["EXAMINE"],
            "subjects": [self.subject],
            "relevant-evidence": [
                record | ({"href": quote(one.link, safe="/:#?&=%@+,;")} if FOLLOWED.match(one.link) else {})
            ],
            "collected": f"{one.on}T00:00:00Z" if one.on else self.when,
            **({"expires": f"{one.until}T00:00:00Z"} if one.until else {}),
        }

    def _fault(self, one: DossierFault) -> dict[str, Any]:
        accepted = one.accepted
        props = [_prop("rule", one.rule), _prop("severity", one.severity)]
        if accepted is not None:
            told = {"owner": accepted.owner, "reason": accepted.reason, "until": accepted.until, "how": accepted.how}
            props += [_prop(name, value) for name, value in told.items() if value]
        return {
            "uuid": str(self.identity("fault", one.id)),
            "title": line(one.title),
            "description": line(f"{one.message} ({one.place.file}:{one.place.line})"),
            "statement": line(one.problem or one.message),
            "props": props,
            "status": "open" if accepted is None else "deviation-approved",
            **({"remediations": [self._way(one)]} if one.remedy else {}),
            **self._decided_observation(one.rule),
        }

    def _way(self, one: DossierFault) -> dict[str, Any]:
        changes = "; ".join(change for fix in one.repairs[:1] for change in fix.changes)
        return {
            "uuid": str(self.identity("remedy", one.id)),
            "lifecycle": "recommendation",
            "title": line(one.repairs[0].title if one.repairs else "What to do"),
            "description": line(f"{one.remedy} {changes}"),
        }

    def _decided_observation(self, rule: str) -> dict[str, Any]:
        known = any(rule == one.rule for one in self._rules())
        return {"related-observations": [{"observation-uuid": str(self.identity("rule", rule))}]} if known else {}

    def _risk(self, told: tuple[int, Risk]) -> dict[str, Any]:
        number, one = told
        return {
            "uuid": str(self.identity("risk", str(number))),
            "title": line(one.name),
            "description": line(f"Failure domain: {one.domain or 'not stated'}."),
            "statement": line(f"Impact {one.impact or 'not stated'}, likelihood {one.likelihood or 'not stated'}."),
            "props": [_prop("owner", one.owner or "nobody")],
            "status": "open",
            "mitigating-factors": [
                {"uuid": str(self.identity("mitigation", str(number))), "description": line(one.mitigation)}
            ],
        }

    def _finding(self, one: DossierJudged) -> dict[str, Any]:
        state, reason = STATES[one.status]
        numbers = {each: number for number, each in enumerate(self.one.evidence)}
        seen = [self.identity("rule", each.rule) for each in one.rules]
        seen += [self.identity("evidence", str(numbers[each])) for each in one.evidence]
        return {
            "uuid": str(self.identity("principle", one.id)),
            "title": line(one.id),
            "description": line(one.statement),
            "props": [_prop("status", one.status)],
            "links": [{"href": PRINCIPLE + quote(one.id), "rel": "reference"}],
            "target": {
                "type": "objective-id",
                "target-id": control(one.id),
                "status": {"state": state, "reason": reason, "remarks": str(one.status)},
            },
            **({"related-observations": [{"observation-uuid": str(each)} for each in seen]} if seen else {}),
        }
