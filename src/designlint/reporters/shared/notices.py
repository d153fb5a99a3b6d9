"""What a reviewer has to know beside the findings: what was not judged, or judged otherwise than rules are shipped."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from designlint.language.sentences import cut, many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.findings.notices import Adjustment
    from designlint.findings.report import Report

#: Rules that a notice names; notices that formats for people list.
MOST_RULES, MOST = 4, 20


class Notice(NamedTuple):
    """
    One thing to know, in words.

    Attributes:
        file, line: where it is decided; no file where that is an option of the run, no line where it is a whole file.
    """

    text: str
    file: str = ""
    line: int = 0


def notices(report: Report) -> list[Notice]:
    """Everything to know, each once, in the order in which it weighs."""
    return [*_unjudged_notices(report), *_settings(report), *_accepted_notices(report), *_untried_notices(report)]


def first(report: Report) -> list[Notice]:
    """The same for people: no more than they read, then how many more there are."""
    found = notices(report)
    return found[:MOST] + [Notice(f"... and {len(found) - MOST} more") for _ in found[MOST : MOST + 1]]


def shortly(report: Report) -> list[str]:
    """The first as lines of text, with their place."""
    return [notice_line(one) for one in first(report)]


def notice_line(one: Notice) -> str:
    """A notice as a line of text that begins with its place."""
    return f"{one.file}:{one.line}: {one.text}" if one.line else one.text


def _unjudged_notices(report: Report) -> Iterator[Notice]:
    for one in report.unjudged:
        yield Notice(f"{one.file} was not checked: {one.reason}", one.file)


def _settings(report: Report) -> Iterator[Notice]:
    for one in report.settings:
        file, _, line = one.origin.rpartition(":")
        placed = file if line.isdigit() else ""
        reason = f": {one.reason}" if one.reason else ""
        told = one.text if one.of_jobs else f"{_describe_change(one)} ({one.origin}){reason}"
        yield Notice(told, placed, int(line) if placed else 0)


def _describe_change(one: Adjustment) -> str:
    if not one.leaves_out:
        return one.text
    return f"{many(len(one.rules), 'rule')} {one.what}, not checked: {cut(one.rules, MOST_RULES)}"


def _accepted_notices(report: Report) -> Iterator[Notice]:
    """Each waiver at its place; baselines and revisions as a number."""
    for one in report.accepted:
        if one.accepted is not None and one.accepted.how == "waiver":
            at = one.accepted.location or one.location
            reason = f": {one.accepted.reason}" if one.accepted.reason else ""
            yield Notice(f"{one.severity}[{one.rule}] is waived{reason}", at.file, at.line)
    ways = Counter(one.accepted.how for one in report.accepted if one.accepted)
    if ways["baseline"]:
        count = f"{ways['baseline']} findings are" if ways["baseline"] > 1 else "1 finding is"
        yield Notice(f"{count} accepted by the baseline")


def _untried_notices(report: Report) -> Iterator[Notice]:
    if report.untried:
        count = f"{report.untried} findings" if report.untried > 1 else "1 finding"
        yield Notice(f"The fixes of {count} were not tried; fix the others first, then check again")
