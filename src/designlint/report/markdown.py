"""The document in Markdown, for a pull request: the answers, what came out, what is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.report.dossier import Status
from designlint.reporters.shared import tables
from designlint.reporters.shared.markup import code, fold_details, inline_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from designlint.report.dossier import (
        Dossier,
        DossierFault,
        DossierPlace,
        DossierPlan,
        DossierPoint,
        Matrix,
        Portfolio,
    )

#: Rows of a table, letters of a cell: a comment on GitHub holds 65,536.
ROWS, CELL = 40, 240
#: What a reader of a change has to see of the principles.
OPEN = (Status.VIOLATED, Status.WAIVED, Status.ATTESTED)


def render(portfolio: Portfolio) -> str:
    """The whole text."""
    blocks = [f"# {_cell(portfolio.title)}: compliance report"]
    when = f", checked as of {portfolio.today}" if portfolio.today else ""
    blocks.append(f"designlint {portfolio.version}{when}. Profile: {_cell(portfolio.profile)}.")
    if len(portfolio.designs) > 1:
        blocks.append(_overview(portfolio.designs))
    for one in portfolio.designs:
        blocks += _design(one, alone=len(portfolio.designs) == 1)
    blocks.append(_provenance(portfolio))
    return "\n\n".join(blocks)


def _overview(designs: Sequence[Dossier]) -> str:
    rows = [
        [_cell(one.name), one.verdict, one.errors, one.warnings, one.outcomes[2][1], _cell(one.answers[0].answer)]
        for one in designs
    ]
    return _table(["Design", "Verdict", "Errors", "Warnings", "Unknown", "Is the target reachable?"], rows)


def _layouts(one: Dossier) -> str:
    """Stated layouts beside planned ones."""
    rows = [[_cell(each.subject), _cell(each.stated), _cell(each.planned), _cell(each.told)] for each in one.layouts]
    return _table(["Job", "Stated", "As planned", "Result"], rows)


def _design(one: Dossier, *, alone: bool) -> Iterator[str]:
    if not alone:
        yield f"## {_cell(one.name)}"
    yield f"**{_cell(one.told)}**"
    if one.key_facts:
        facts = [[_cell(each.name), _cell(each.value), _cell(each.note)] for each in one.key_facts]
        yield _table(["Key fact", "Value", ""], facts)
    for answer in one.answers:
        yield f"### {answer.question}\n\n**{_cell(answer.answer)}**" + _points(answer.points)
    if one.findings:
        yield fold_details("Findings", _findings(one.findings))
    for plan in one.plans:
        yield fold_details(f"Plan: {_cell(plan.title)}", _plan(plan))
    if one.layouts:
        yield fold_details("Layouts", _layouts(one))
    if one.gaps:
        rows = [[_code(gap.fact), _cell(gap.meaning), gap.rules] for gap in one.gaps]
        yield fold_details("Unknown", _table(["Fact to state", "What it is", "Waiting rules"], rows))
    for matrix in one.matrices:
        yield fold_details(_cell(matrix.title), _matrix(matrix))
    rows = [
        [_code(each.id), _cell(each.statement), each.status, ", ".join(_code(rule.rule) for rule in each.rules)]
        for each in one.principles
        if each.status in OPEN
    ]
    counts = ", ".join(f"{number} {status}" for status, number in one.statuses if number)
    yield fold_details(f"Principles: {counts}", _table(["Principle", "Statement", "Status", "Decided by"], rows))
    yield from _accepted_lines(one)
    if one.avoid:
        yield fold_details("Ruled out", _list(f"{_cell(a.statement)} {_code(a.rule)}" for a in one.avoid))
    yield from _risks(one)


def _findings(found: Sequence[DossierFault]) -> str:
    rows = [
        [one.severity, _place(one.place), f"{_cell(one.message)}<br>{_code(one.rule)}", _cell(one.remedy)]
        for one in found
    ]
    return _table(["", "Where", "Finding", "Remedy"], rows)


def _plan(plan: DossierPlan) -> str:
    changed = [
        [_code(one.path), _cell(one.before or "not stated"), _cell(one.after or "not stated"), _code(one.rule)]
        for one in plan.revisions
    ]
    effects = [
        [_cell(one.meaning), _cell(one.subject or "the design"), _cell(one.before), _cell(one.after)]
        for one in plan.effects
    ]
    left = (f"{one.severity}: {_cell(one.message)} {_code(one.rule)}" for one in plan.left)
    parts = [_table(["Change", "Now", "Then", "For"], changed)]
    parts += [_table(["Quantity", "Of", "Now", "Then"], effects)] if effects else []
    return "\n\n".join([*parts, f"Remaining findings:\n\n{_list(left)}" if plan.left else "No finding remains."])


def _matrix(matrix: Matrix) -> str:
    rows = [[_cell(row.title), row.status, *(number for _, number in row.counts)] for row in matrix.rows]
    return _table(["", "Overall", *(str(status) for status in Status)], rows)


def _accepted_lines(one: Dossier) -> Iterator[str]:
    waived = [(each, each.accepted) for each in one.accepted if each.accepted]
    if waived:
        rows = [
            [
                _cell(each.message),
                _cell(why.reason),
                _cell(why.owner or "nobody"),
                _cell(why.until or "no end"),
                why.how,
            ]
            for each, why in waived
        ]
        yield fold_details("Accepted findings", _table(["Finding", "Reason", "Owner", "Until", "How"], rows))
    if one.evidence:
        rows = [
            [
                _code(each.principle),
                _cell(each.owner or "nobody"),
                _cell(each.on),
                _cell(each.until or "no end"),
                _cell(each.link),
                "yes" if each.valid else "no",
            ]
            for each in one.evidence
        ]
        yield fold_details("Evidence", _table(["Principle", "Owner", "Of", "Until", "Record", "Counts"], rows))


def _risks(one: Dossier) -> Iterator[str]:
    parts = [*(f"**{_cell(each.key)}**: {_cell(each.text)}" for each in one.losses)]
    parts += [
        f"**{_cell(risk.name)}** ({_cell(risk.domain or 'no failure domain stated')}): "
        f"**{_cell(risk.mitigation or 'no mitigation stated')}** — {_cell(risk.owner or 'no owner')}"
        for risk in one.risks
    ]
    if parts:
        yield fold_details("Failure domains, risks, mitigations", _list(parts))


def _provenance(portfolio: Portfolio) -> str:
    rows = [[_code(file.file), _code(file.sha256)] for one in portfolio.designs for file in one.files]
    rows += [[_code(file.file), _code(file.sha256)] for file in (portfolio.standard, *portfolio.packs)]
    told = [_table(["File", "SHA-256"], rows)]
    told += [_list(f"{_cell(one.what)}: {_cell(one.value)} ({_cell(one.stated)})" for one in portfolio.overrides)]
    told += [_list(f"left out: {_code(one.principles)}: {_cell(one.reason)}" for one in portfolio.tailoring)]
    return fold_details("Provenance", "\n\n".join(filter(None, told)))


def _points(points: Sequence[DossierPoint]) -> str:
    return f"\n\n{_list(f'**{_cell(one.key)}**: {_cell(one.text)}' for one in points)}" if points else ""


def _list(items: Iterable[str]) -> str:
    waiting = list(items)
    more = [f"- {len(waiting) - ROWS} more"] if len(waiting) > ROWS else []
    return "\n".join([*(f"- {one}" for one in waiting[:ROWS]), *more])


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    written = [list(map(str, row)) for row in rows[:ROWS]]
    if len(rows) > ROWS:
        written.append([f"{len(rows) - ROWS} more", *[""] * (len(head) - 1)])
    return "\n".join(tables.markdown(head, written))


def _place(at: DossierPlace) -> str:
    return _code(f"{at.file}:{at.line}")


def _cell(text: str) -> str:
    return inline_text(text, CELL)


def _code(text: str) -> str:
    return code(text, CELL)
