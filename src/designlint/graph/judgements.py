"""Judgements in RDF: a SHACL validation report for each design, an EARL assertion for each judgement, and the run in PROV."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING
from urllib.parse import quote

import pyoxigraph as ox

from designlint.findings.model import Finding, Outcome, Severity, Verdict
from designlint.graph.provenance import ENTITY, PROV
from designlint.graph.rdf import BOOLEAN, DATE, INTEGER, RDF_TYPE, XSD, iri, term
from designlint.language.vocabulary import HOME, NAMESPACE, PRINCIPLE, RULE
from designlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from designlint.findings.model import Acceptance
    from designlint.findings.notices import Standard
    from designlint.findings.report import Report
    from designlint.reading.location import Location

    Named = Sequence[tuple[Finding, str]]

DCTERMS, POINTERS = "http://purl.org/dc/terms/", "http://www.w3.org/2009/pointers#"
EARL, SHACL = "http://www.w3.org/ns/earl#", "http://www.w3.org/ns/shacl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
PREFIXES = {
    "": NAMESPACE, "dcterms": DCTERMS, "earl": EARL, "principle": PRINCIPLE, "prov": PROV, "ptr": POINTERS, "sh": SHACL,
    "xsd": XSD,
}  # fmt: skip
OUTCOMES = {
    Verdict.PASS: "passed",
    Verdict.FAIL: "failed",
    Verdict.UNKNOWN: "cantTell",
    Verdict.NOT_APPLICABLE: "inapplicable",
}
SEVERITIES = {Severity.ERROR: "Violation", Severity.WARNING: "Warning", Severity.INFO: "Info"}
TOOL = ox.NamedNode(f"{HOME}/version/{__version__}")
#: Letters of a path that an assertion is named after.
LONGEST = 200
#: Words of a path, as a finding states what is at fault; what stands behind tells it from others of its kind.
WORDS = re.compile(r"[a-z_]\w*(/[a-z_]\w*)*", re.ASCII)


def write_report(report: Report, named: Named, files: Mapping[str, str], today: str) -> str:
    """
    A report as Turtle.

    Args:
        named: the findings, accepted ones too, each with a name that no other one has.
        files: the path of each file as others know it.
        today: the day as of which the designs were judged, where it was given.
    """
    told = dict.fromkeys(_Writer(report, files, today).triples(named))
    return (ox.serialize(told, format=ox.RdfFormat.TURTLE, prefixes=PREFIXES) or b"").decode()


def _fact(
    subject: ox.NamedNode | ox.BlankNode, predicate: str, value: str | ox.NamedNode | ox.BlankNode | ox.Literal
) -> ox.Triple:
    """A triple; text is a literal, without what no encoding can hold."""
    term = ox.Literal(value.encode("utf-8", "backslashreplace").decode()) if isinstance(value, str) else value
    return ox.Triple(subject, ox.NamedNode(predicate), term)


def _short(path: str) -> str:
    """A path as the end of an IRI; a number in the place of a long one."""
    if len(path) > LONGEST:
        return hashlib.sha256(path.encode("utf-8", "backslashreplace")).hexdigest()[:32]
    return quote(path, safe="/", errors="replace")


def _is(subject: ox.NamedNode | ox.BlankNode, *kinds: str) -> Iterator[ox.Triple]:
    return (_fact(subject, RDF_TYPE.value, ox.NamedNode(kind)) for kind in kinds)


class _Writer:
    def __init__(self, report: Report, files: Mapping[str, str], today: str) -> None:
        self.report, self.today = report, today
        self.files = {
            file: f"urn:designlint:file:{quote(path, safe='/', errors='replace')}" for file, path in files.items()
        }
        self.contents = {
            self.files[file]: hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
            for file, text in sorted(report.texts.items())
        }
        known = "\n".join((__version__, today, *(f"{place} {digest}" for place, digest in self.contents.items())))
        #: The same input is the same run.
        self.run = ox.NamedNode(f"urn:designlint:run:{hashlib.sha256(known.encode()).hexdigest()[:32]}")

    def triples(self, named: Named) -> Iterator[ox.Triple]:
        outcomes: dict[str, list[Outcome]] = defaultdict(list)
        found: dict[str, list[tuple[Finding, str]]] = defaultdict(list)
        for outcome in self.report.outcomes:
            outcomes[outcome.file].append(outcome)
        for finding, name in named:
            found[finding.design or finding.location.file].append((finding, name))
        yield from self._provenance()
        rules = {one.rule for one in self.report.outcomes} | {one.rule for one, _ in named}
        for rule in sorted(rules):
            yield from self._rule(rule, self.report.standards.get(rule))
        for file in self.report.files:
            yield from self._conclusion(file, found[file])
            yield from self._assertions(file, outcomes[file], found[file])

    def _provenance(self) -> Iterator[ox.Triple]:
        yield from _is(TOOL, EARL + "Software", PROV + "SoftwareAgent")
        yield _fact(TOOL, DCTERMS + "title", f"designlint {__version__}")
        yield from _is(self.run, PROV + "Activity")
        yield _fact(self.run, PROV + "wasAssociatedWith", TOOL)
        if self.today:
            yield _fact(self.run, DCTERMS + "date", ox.Literal(self.today, datatype=DATE))
        for place in self.contents:
            yield _fact(self.run, PROV + "used", ox.NamedNode(place))
        for place, digest in self.contents.items():
            yield from _is(ox.NamedNode(place), ENTITY.value)
            yield _fact(ox.NamedNode(place), DCTERMS + "identifier", f"sha256:{digest}")

    @staticmethod
    def _rule(name: str, standard: Standard | None) -> Iterator[ox.Triple]:
        rule = ox.NamedNode(RULE + name)
        yield from _is(rule, EARL + "TestCase")
        if standard is None:
            return
        yield _fact(rule, DCTERMS + "title", standard.title)
        for principle in standard.principles:
            yield _fact(
                rule, DCTERMS + "isPartOf", ox.NamedNode(PRINCIPLE + quote(principle, safe="/", errors="replace"))
            )

    def _conclusion(self, file: str, found: Named) -> Iterator[ox.Triple]:
        """The validation report on a design: it conforms where no finding counts."""
        report, counted = ox.NamedNode(f"{self.files[file]}#report"), [one for one in found if one[0].accepted is None]
        yield from _is(report, SHACL + "ValidationReport", ENTITY.value)
        yield _fact(report, SHACL + "conforms", ox.Literal("false" if counted else "true", datatype=BOOLEAN))
        yield _fact(report, PROV + "wasDerivedFrom", ox.NamedNode(self.files[file]))
        yield _fact(report, PROV + "wasGeneratedBy", self.run)
        for _, name in counted:
            yield _fact(report, SHACL + "result", self._result(file, name))

    def _result(self, file: str, name: str) -> ox.NamedNode:
        return ox.NamedNode(f"{self.files[file]}#result-{name}")

    def _assertions(self, file: str, outcomes: Iterable[Outcome], found: Named) -> Iterator[ox.Triple]:
        """All judgements of a design: those of the rules, and those that are made when its files are read."""
        waiting: dict[tuple[str, str], list[tuple[Finding, str]]] = defaultdict(list)
        for one in found:
            waiting[one[0].rule, one[0].subject].append(one)
        judged = Counter[tuple[str, str]]()
        for outcome in outcomes:
            key = outcome.rule, outcome.subject
            judged[key] += 1
            mine = waiting[key].pop(0) if outcome.verdict is Verdict.FAIL and waiting[key] else None
            yield from self._assertion(outcome, judged[key], mine, "SPARQLConstraintComponent")
        for key, left in waiting.items():
            for one in left:
                judged[key] += 1
                yield from self._assertion(
                    Outcome(key[0], file, key[1], Verdict.FAIL), judged[key], one, "NodeConstraintComponent"
                )

    def _assertion(
        self, outcome: Outcome, number: int, found: tuple[Finding, str] | None, component: str
    ) -> Iterator[ox.Triple]:
        again = f"~{number}" if number > 1 else ""
        place = f"{self.files[outcome.file]}#{outcome.rule}@{_short(outcome.subject)}{again}"
        assertion, subject = ox.NamedNode(place), iri(outcome.subject)
        result = ox.NamedNode(f"{place}-result") if found is None else self._result(outcome.file, found[1])
        yield from _is(assertion, EARL + "Assertion")
        yield _fact(assertion, EARL + "assertedBy", TOOL)
        yield _fact(assertion, EARL + "mode", ox.NamedNode(EARL + "automatic"))
        yield _fact(assertion, EARL + "subject", subject)
        yield _fact(assertion, EARL + "test", ox.NamedNode(RULE + outcome.rule))
        yield _fact(assertion, EARL + "result", result)
        yield _fact(assertion, PROV + "wasGeneratedBy", self.run)
        yield from _is(result, EARL + "TestResult")
        yield _fact(result, EARL + "outcome", ox.NamedNode(EARL + OUTCOMES[outcome.verdict]))
        if outcome.missing:
            yield _fact(result, EARL + "info", f"waits for {', '.join(outcome.missing)}")
        if found is not None:
            yield from self._finding(result, found[0], subject, component)

    def _finding(
        self, result: ox.NamedNode, one: Finding, subject: ox.NamedNode, component: str
    ) -> Iterator[ox.Triple]:
        yield _fact(result, EARL + "pointer", self._pointer(one.location))
        if one.remedy:
            yield _fact(result, EARL + "info", one.remedy)
        if one.accepted is None:
            yield from self._violation(result, one, subject, component)
        else:
            yield from _acceptance(result, one.accepted)
        yield from self._at(one.location)

    @staticmethod
    def _violation(result: ox.NamedNode, one: Finding, subject: ox.NamedNode, component: str) -> Iterator[ox.Triple]:
        """A finding in the terms of SHACL."""
        yield from _is(result, SHACL + "ValidationResult")
        yield _fact(result, SHACL + "focusNode", subject)
        yield _fact(result, SHACL + "resultSeverity", ox.NamedNode(SHACL + SEVERITIES[one.severity]))
        yield _fact(result, SHACL + "sourceConstraintComponent", ox.NamedNode(SHACL + component))
        yield _fact(result, SHACL + "sourceShape", ox.NamedNode(RULE + one.rule))
        yield _fact(result, SHACL + "resultMessage", one.message)
        for value in [value for value in one.values.values() if value.location == one.location][:1]:
            yield _fact(result, SHACL + "value", term("", value.value))
        yield from _path(result, one.constraint)

    def _pointer(self, at: Location) -> ox.NamedNode:
        return ox.NamedNode(f"{self.files[at.file]}#{at.line}:{at.column}")

    def _at(self, at: Location) -> Iterator[ox.Triple]:
        """A place of a file, in the terms of the W3C."""
        pointer = self._pointer(at)
        yield from _is(pointer, POINTERS + "LineCharPointer")
        yield _fact(pointer, POINTERS + "reference", ox.NamedNode(self.files[at.file]))
        for name, number in (("lineNumber", at.line), ("charNumber", at.column)):
            yield _fact(pointer, POINTERS + name, ox.Literal(str(number), datatype=INTEGER))


def _acceptance(result: ox.NamedNode, one: Acceptance) -> Iterator[ox.Triple]:
    """Why a failed judgement does not count."""
    told = {"how": one.how, "reason": one.reason, "owner": one.owner, "until": one.until, "ticket": one.ticket}
    for name, text in told.items():
        if text:
            yield _fact(result, NAMESPACE + f"accepted_{name}", text)


def _path(result: ox.NamedNode, constraint: str) -> Iterator[ox.Triple]:
    """The words that lead to what is at fault: one, or a sequence."""
    found = WORDS.match(constraint)
    if found is None:
        return
    words = [ox.NamedNode(NAMESPACE + word) for word in found[0].split("/")]
    if len(words) == 1:
        yield _fact(result, SHACL + "resultPath", words[0])
        return
    nodes = [ox.BlankNode(f"{found[0].replace('/', '-')}-{number}") for number in range(len(words))]
    rests: list[ox.BlankNode | ox.NamedNode] = [*nodes[1:], ox.NamedNode(RDF + "nil")]
    yield _fact(result, SHACL + "resultPath", nodes[0])
    for word, node, rest in zip(words, nodes, rests, strict=True):
        yield _fact(node, RDF + "first", word)
        yield _fact(node, RDF + "rest", rest)
