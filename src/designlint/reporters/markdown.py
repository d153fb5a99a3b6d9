"""The report as Markdown, for comments on pull requests and summaries of jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.findings.model import Finding, Severity, Verdict
from designlint.language.sentences import many
from designlint.reporters.shared.margins import MOST, cells, tightest
from designlint.reporters.shared.markup import code, fold_details, inline_text
from designlint.reporters.shared.notices import shortly
from designlint.reporters.shared.places import path
from designlint.reporters.shared.terminal import painter
from designlint.reporters.text import count_findings, reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from designlint.findings.report import Report
    from designlint.reporters.shared.options import RenderOptions

#: A comment on GitHub holds 65,536 letters: so many go to the findings, to their details, to each of the other lists.
TABLE, DETAILS, LIST = 24_000, 24_000, 5_000
#: Letters of a cell; values of a finding.
CELL, MOST_VALUES = 200, 12
MARKS = {Severity.ERROR: "❌ error", Severity.WARNING: "⚠️ warning", Severity.INFO: "ℹ️ info"}


def render(report: Report, options: RenderOptions) -> str:
    """What was counted, a table of findings, and folded below: their details, what is accepted and what nobody knows yet."""
    fails = any(one.severity in options.failing for one in report.findings)
    verdict = "❌" if fails else "⚠️" if report.findings else "✅"
    blocks = [f"### {verdict} designlint: {inline_text(count_findings(report, painter(color=False)))}"]
    if report.error:
        blocks.append(f"**{inline_text(report.error)}**")
    if noted := shortly(report):
        lines = "\n".join(f"- {inline_text(one, CELL)}" for one in noted)
        blocks.append(f"**Know before you approve:**\n\n{lines}")
    if report.findings:
        head = "| | where | finding |\n| --- | --- | --- |\n"
        blocks.append(head + _fitting(map(_row, report.findings), TABLE, "| | | {} more |"))
        blocks.append(fold_details("Evidence and remedies", _fitting(map(_details, report.findings), DETAILS)))
    if report.accepted:
        blocks.append(
            fold_details(f"{len(report.accepted)} accepted", _fitting(map(_accepted_line, report.accepted), LIST))
        )
    if any(one.margin is not None for one in report.outcomes):
        head = "| room | of | compared | rule | place |\n| ---: | --- | --- | --- | --- |\n"
        rows = (f"| {' | '.join(inline_text(cell, CELL) for cell in cells(one))} |" for one in tightest(report)[:MOST])
        blocks.append(fold_details("The tightest margins", head + _fitting(rows, LIST, "| | | {} more | | |")))
    if report.outcomes:
        blocks.append(fold_details(_judgements(report), "\n\n".join(_unknown(report))))
    return "\n\n".join(blocks)


def _fitting(parts: Iterable[str], room: int, rest: str = "- {} more") -> str:
    """As many of the parts as fit into a number of letters, and how many do not."""
    waiting, taken = list(parts), list[str]()
    for part in waiting:
        room -= len(part) + 1
        if room < 0:
            return "\n".join([*taken, rest.format(len(waiting) - len(taken))])
        taken.append(part)
    return "\n".join(taken)


def _where(one: Finding) -> str:
    return code(f"{path(one.location.file)}:{one.location.line}", CELL)


def _row(one: Finding) -> str:
    return f"| {MARKS[one.severity]} | {_where(one)} | {inline_text(one.message, CELL)}<br>{code(one.rule, CELL)} |"


def _details(one: Finding) -> str:
    lines = [f"- {_where(one)} **{inline_text(one.message)}**"]
    stated = [
        f"{name} = {value.text}{f' ({value.cited})' if value.origin else ''}" for name, value in one.values.items()
    ]
    if stated:
        lines.append(f"  - because {', '.join(inline_text(value) for value in stated[:MOST_VALUES])}")
    lines += [f"  - limit {inline_text(f'{name} {limit.text} ({limit.cited})')}" for name, limit in one.limits.items()]
    if one.remedy:
        lines.append(f"  - {inline_text(one.remedy)}")
    for fix in one.fixes:
        changes = ", ".join(code(f"{change.path}: {change.value}") for change in fix.changes)
        lines.append(f"  - fix ({fix.safety}{', proven' if fix.proven else ''}): {inline_text(fix.title)}: {changes}")
    if one.principles:
        lines.append(f"  - {code(one.rule)}: {', '.join(code(name) for name in one.principles)}")
    return "\n".join(lines)


def _accepted_line(one: Finding) -> str:
    why = "" if one.accepted is None else f" ({one.accepted.how}): {inline_text(reason(one.accepted), CELL)}"
    return f"- {_where(one)} {inline_text(one.message, CELL)} {code(one.rule, CELL)}{why}"


def _judgements(report: Report) -> str:
    told = [f"{total} {verdict}" for verdict in Verdict if (total := report.total(verdict))]
    return f"{sum(map(report.total, Verdict))} checks: {', '.join(told)}"


def _unknown(report: Report) -> Iterator[str]:
    facts = []
    for file, fact, rules in report.unlocking():
        where = f" in {code(path(file), CELL)}" if len(report.files) > 1 else ""
        facts.append(f"- {code(fact, CELL)}{where}: {many(rules, 'rule')}")
    if facts:
        yield "Stating these would decide most of what is unknown:"
        yield _fitting(facts, LIST)
    if report.avoid:
        yield "The hardware rules out:"
        yield _fitting((f"- {inline_text(one.statement, CELL)} {code(one.rule, CELL)}" for one in report.avoid), LIST)
