"""What checking one design gave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from designlint.findings.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from designlint.design.design import Design
    from designlint.findings.model import Finding, Outcome
    from designlint.findings.notices import Avoidance
    from designlint.rules.rule import CompiledRule


class Result(Struct):
    """What checking one design gave."""

    design: Design
    findings: list[Finding]
    outcomes: list[Outcome]
    avoid: list[Avoidance]
    accepted: list[Finding]
    untried: int = 0

    def report(self) -> Report:
        """The answer for this design alone."""
        rules, file = self.design.engine.rules, self.design.document.file
        return Report(
            files=[file],
            findings=[replace(one, design=file) for one in self.findings],
            outcomes=self.outcomes,
            avoid=self.avoid,
            error=refusal(self.findings, rules),
            accepted=[replace(one, design=file) for one in self.accepted],
            settings=[replace(one, files=(file,)) for one in self.design.engine.adjustments],
            texts=self.design.texts(),
            standards={
                name: rules[name].standard for name in sorted({one.rule for one in (*self.findings, *self.accepted)})
            },
            untried=self.untried,
        )


def refusal(findings: Iterable[Finding], rules: Mapping[str, CompiledRule]) -> str:
    """What the sources answer to a design that cannot work; empty where each finding that says so is in doubt."""
    sure = (rules[one.rule] for one in findings if one.severity is rules[one.rule].severity)
    return next((rule.texts.refusal for rule in sure if rule.texts.refusal), "")
