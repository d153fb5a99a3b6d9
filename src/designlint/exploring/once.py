"""One change of a design, whole: what it states, what follows with room to limits, findings that come and go, fixes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.comparing.changes import between
from designlint.exploring.points import Explorer
from designlint.fixes.repairs import reread
from designlint.linting import pipeline
from designlint.materials.money import data as spent
from designlint.materials.money import lines, money
from designlint.reporters.shared.terminal import printable
from designlint.views import changes as views

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.comparing.changes import Changes
    from designlint.design.design import Design
    from designlint.exploring.settings import SettablePlace
    from designlint.findings.model import Finding
    from designlint.materials.money import Money
    from designlint.materials.prices import PriceList

#: Findings whose fixes text lists.
MOST_FIXES = 12


class ChangedDesign(NamedTuple):
    """
    A design with other values, judged.

    Attributes:
        text: of the changed design.
        changes: from the design as it is.
        findings: those of the changed design, with their fixes.
        bad: those that came or became worse.
        money: what the design costs as it is, and with these values; None without a price list.
    """

    text: str
    changes: Changes
    findings: Sequence[Finding]
    bad: Sequence[Finding]
    money: tuple[Money, Money] | None = None


def change_design(
    design: Design, fixed: Sequence[tuple[SettablePlace, str]], prices: PriceList | None = None
) -> ChangedDesign:
    """The design with these values, held against the design as it is. Raises UsageError where they cannot be stated."""
    text = Explorer(design, [place for place, _ in fixed]).text([value for _, value in fixed])
    old = pipeline.lint(design.document, design.engine, held=design.held, repair=False, margins=True)
    new = pipeline.lint(reread(design.document, text), design.engine, held=design.held, margins=True)
    found = between(design.document.file, old, new)
    spent = None if prices is None else (money(old.design, prices), money(new.design, prices))
    return ChangedDesign(text, found, new.findings, found.bad, spent)


def text(one: ChangedDesign, *, color: bool = False) -> str:
    """The change for a person."""
    parts = [views.text([one.changes] if one.changes else [], color=color)]
    fixes = list(_fixes(one))
    if fixes:
        more = [f"  ... {len(fixes) - MOST_FIXES} more with --format json"] if len(fixes) > MOST_FIXES else []
        parts.append("\n".join(["fixes, each proven on the changed design", *fixes[:MOST_FIXES], *more]))
    if one.money is not None:
        before, after = one.money
        parts.append("\n".join(lines(after, before)))
    return "\n\n".join(parts)


def _fixes(one: ChangedDesign) -> Iterator[str]:
    """A line a fix; first those of findings that came or became worse."""
    bad = {finding.key for finding in one.bad}
    for finding in sorted(one.findings, key=lambda some: (some.key not in bad, some.severity.rank)):
        for fix in (fix for fix in finding.fixes if fix.proven):
            made = ", ".join(
                f"{path} = {value}" if value is not None else f"without {path}" for path, value in fix.changes
            )
            yield f"  {printable(f'{finding.severity}[{finding.rule}]: {made}')}"


def data(one: ChangedDesign) -> str:
    """All of it."""
    found: dict[str, Any] = views.data([one.changes])["designs"][0]
    found["fixes"] = [
        {
            "rule": finding.rule,
            "subject": finding.subject,
            "title": fix.title,
            "safety": fix.safety,
            "changes": [change._asdict() for change in fix.changes],
        }
        for finding in one.findings
        for fix in finding.fixes
        if fix.proven
    ]
    if one.money is not None:
        found["money"] = dict(zip(("before", "after"), map(spent, one.money), strict=True))
    return json.dumps(found, indent=2, ensure_ascii=False)
