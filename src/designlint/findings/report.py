"""The answer of a run."""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.reading.location import lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.findings.model import Finding, Outcome, Severity, Verdict
    from designlint.findings.notices import Adjustment, Avoidance, Fixed, Standard
    from designlint.reading.discovery import Unjudged

#: The most that an unknown may weigh, see `Outcome`.
HEAVIEST = 4


class Report(Struct, frozen=True):
    """
    The answer of a run: plain values, without the graphs, so that it can be sent and kept.

    Attributes:
        files: the designs, in the order in which they were checked.
        findings: those that count.
        outcomes: every judgement, failed or not.
        avoid: parallelisations and topologies that the hardware rules out.
        error: what a rule that refuses the whole design answers; empty where none does.
        accepted: findings that do not count, because of a waiver or the baseline.
        settings: what configurations and options changed about the judgement.
        texts: of every file that a location may name.
        fixed: what `--fix` did before the findings were looked for.
        standards: what the rules say that found something, by id.
        spent: seconds by phase and by rule, where somebody asked.
        unjudged: files that look like designs and were not judged.
        untried: findings whose fix was not tried, because what may be tried on a design was used up.
    """

    files: Sequence[str]
    findings: Sequence[Finding]
    outcomes: Sequence[Outcome]
    avoid: Sequence[Avoidance] = ()
    error: str = ""
    accepted: Sequence[Finding] = ()
    settings: Sequence[Adjustment] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    fixed: Sequence[Fixed] = ()
    standards: Mapping[str, Standard] = field(default_factory=dict)
    spent: Mapping[str, float] = field(default_factory=dict)
    untried: int = 0
    unjudged: Sequence[Unjudged] = ()

    def line(self, file: str, number: int) -> str:
        """A line of a file by its number, without its line end."""
        return lines(self.texts[file])[number - 1]

    def count(self, severity: Severity) -> int:
        """How many findings are of a severity."""
        return sum(one.severity is severity for one in self.findings)

    def total(self, verdict: Verdict) -> int:
        """How many judgements came out so."""
        return [one.verdict for one in self.outcomes].count(verdict)

    def margins(self) -> list[Outcome]:
        """The judgements whose margin is known, tightest first."""
        return sorted(
            (one for one in self.outcomes if one.margin is not None),
            key=lambda one: (one.margin and one.margin.room, one.file, one.rule, one.subject, one.margin),
        )

    @property
    def jobs(self) -> bool:
        """Whether jobs were judged, too."""
        return any(one.of_jobs for one in self.settings)

    def left_out(self) -> int:
        """How many rules did not judge every design, because a configuration or an option says so."""
        return len({rule for one in self.settings if one.leaves_out for rule in one.rules})

    def unlocking(self, most: int = 5) -> list[tuple[str, str, int]]:
        """
        The missing facts to state next: file, path of the fact, number of rules that wait for it.

        First what decides most targets that the design states, then what could turn out an error, a warning, a note.
        """
        waiting: dict[str, dict[str, dict[str, int]]] = {}
        for one in self.outcomes:
            if one.missing:
                facts = waiting.setdefault(one.file, {})
                rule, weight = one.rule, one.weight
                for fact in one.missing:
                    rules = facts.get(fact)
                    if rules is None:
                        facts[fact] = {rule: weight}
                    elif rules.get(rule, -1) < weight:
                        rules[rule] = weight
        ranked = nsmallest(
            most,
            ((_least_first(rules), file, fact) for file, facts in waiting.items() for fact, rules in facts.items()),
        )
        return [(file, fact, len(waiting[file][fact])) for _, file, fact in ranked]


def _least_first(rules: Mapping[str, int]) -> list[int]:
    """What sorts the fact first that decides most of what weighs most."""
    counts = [0] * 5
    for weight in rules.values():
        counts[HEAVIEST - weight] -= 1
    return counts
