"""The report as JUnit's XML, which CI services show as a list of tests: a suite for each design, its rules the tests."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from designlint.findings.model import Finding, Outcome, Severity, Verdict
from designlint.language.sentences import cut
from designlint.reporters.shared.notices import notices
from designlint.reporters.shared.places import path
from designlint.reporters.shared.terminal import printable, shorten
from designlint.reporters.text import reason

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from designlint.findings.report import Report
    from designlint.reporters.shared.options import RenderOptions

#: Missing facts that a skipped test names, and letters of a part of a message.
MOST_MISSING, LONGEST = 8, 4000


def render(report: Report, options: RenderOptions) -> str:
    """
    The tests of each design: a failed one for each finding that fails the run, a passed one that tells of it for each lesser
    one, a skipped one for each accepted finding and for each rule that waits for facts. What does not apply is left out.
    """
    outcomes: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in report.outcomes:
        outcomes[outcome.file].append(outcome)
    found: dict[str, list[Finding]] = defaultdict(list)
    for one in (*report.findings, *report.accepted):
        found[one.design or one.location.file].append(one)
    top = ElementTree.Element("testsuites", name="designlint")
    top.extend(_suite(file, outcomes[file], found[file], options.failing) for file in report.files)
    for suite in top[:1]:
        suite.extend(_notice_element(one.text, suite.get("name", "")) for one in notices(report))
        suite.set("skipped", str(_count(suite, suite.iter("testcase"))))
    _count(top, top.iter("testcase"))
    ElementTree.indent(top)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(top, encoding="unicode")}\n'


def _notice_element(text: str, file: str) -> ElementTree.Element:
    """What is to be known beside the findings, as a skipped test: services show why it was skipped."""
    case = ElementTree.Element("testcase", classname=f"{file}.note", name=shorten(printable(text), LONGEST))
    ElementTree.SubElement(case, "skipped", message=shorten(printable(text), LONGEST))
    return case


def _suite(
    file: str, outcomes: Sequence[Outcome], found: Sequence[Finding], failing: Collection[Severity]
) -> ElementTree.Element:
    told = printable(path(file))
    suite = ElementTree.Element("testsuite", name=told)
    by_rule: dict[str, list[ElementTree.Element]] = defaultdict(list)
    for one in found:
        by_rule[one.rule].append(_finding(one, told, failing))
    for rule, verdicts in _verdicts(outcomes).items():
        if rule not in by_rule and verdicts.keys() & {Verdict.PASS, Verdict.UNKNOWN}:
            by_rule[rule].append(_verdict_element(rule, verdicts, told))
    suite.extend(case for _, cases in sorted(by_rule.items()) for case in cases)
    skipped = _count(suite, suite.iter("testcase"))
    suite.set("skipped", str(skipped))
    return suite


def _verdicts(outcomes: Iterable[Outcome]) -> dict[str, dict[Verdict, list[str]]]:
    """Of each rule, its verdicts, each with the facts that it waits for."""
    verdicts: dict[str, dict[Verdict, list[str]]] = defaultdict(dict)
    for one in outcomes:
        verdicts[one.rule].setdefault(one.verdict, []).extend(one.missing)
    return verdicts


def _count(element: ElementTree.Element, cases: Iterable[ElementTree.Element]) -> int:
    """State how many tests there are and how many failed; the number of those skipped."""
    states = [next((part.tag for part in case if part.tag in ("failure", "skipped")), "") for case in cases]
    element.set("tests", str(len(states)))
    element.set("failures", str(states.count("failure")))
    element.set("errors", "0")
    return states.count("skipped")


def _case(rule: str, subject: str, file: str) -> ElementTree.Element:
    """A test; services take what stands before the last dot of its class for the package: the design."""
    name = f"{rule} ({shorten(printable(subject), LONGEST)})" if subject else rule
    return ElementTree.Element("testcase", classname=f"{file}.{rule.partition('/')[0]}", name=name)


def _verdict_element(rule: str, verdicts: dict[Verdict, list[str]], file: str) -> ElementTree.Element:
    case = _case(rule, "", file)
    if Verdict.UNKNOWN in verdicts:
        missing = list(dict.fromkeys(verdicts[Verdict.UNKNOWN]))
        waits = f", waits for {cut(missing, MOST_MISSING)}" if missing else ""
        ElementTree.SubElement(case, "skipped", message=shorten(printable(f"unknown{waits}"), LONGEST))
    return case


def _finding(one: Finding, file: str, failing: Collection[Severity]) -> ElementTree.Element:
    case = _case(one.rule, one.subject, file)
    message = shorten(printable(one.message), LONGEST)
    if one.accepted is not None:
        why = shorten(printable(f"{one.accepted.how}: {reason(one.accepted)}: {one.message}"), LONGEST)
        ElementTree.SubElement(case, "skipped", message=why)
    elif one.severity in failing:
        ElementTree.SubElement(case, "failure", type=one.severity, message=message).text = "\n".join(_detail_lines(one))
    else:
        ElementTree.SubElement(case, "system-out").text = "\n".join((f"{one.severity}: {message}", *_detail_lines(one)))
    return case


def _detail_lines(one: Finding) -> Iterator[str]:
    at = one.location
    lines = [f"{at.file}:{at.line}:{at.column}", f"help: {one.remedy}" if one.remedy else ""]
    lines += [f"limit: {name} {limit.text} ({limit.cited})" for name, limit in one.limits.items()]
    lines += [f"fix: {fix.title} ({fix.safety})" for fix in one.fixes]
    yield from (shorten(printable(line), LONGEST) for line in lines if line)
