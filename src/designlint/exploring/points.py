"""A design with other values: changed in place where only facts change, else read and judged again."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.exploring.settings import place_value
from designlint.findings.model import Severity, Verdict
from designlint.fixes.proof import with_texts
from designlint.fixes.trial import FactTrials
from designlint.graph.incremental import statement
from designlint.judging.judge import judge_design
from designlint.reading import read_bytes
from designlint.reading.edits import EditRefused, apply
from designlint.reading.errors import UsageError
from designlint.suppressions import waivers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from designlint.design.design import Design
    from designlint.exploring.settings import SettablePlace
    from designlint.findings.model import Finding
    from designlint.fixes.changed import Changed
    from designlint.graph.incremental import StatedFact
    from designlint.judging.judge import Judged
    from designlint.reading import Node


class State(Struct, dict=True):
    """
    The design as it would be.

    Attributes:
        design: its graph holds the facts of this state only as long as the state does.
        before: what was said of it last as a whole, and `changed` what is different now.
        unknowns: the rule and subject of each unknown before.
    """

    design: Design
    before: Judged
    changed: Changed | None = None
    unknowns: Sequence[tuple[str, str]] = ()

    @cached_property
    def verdicts(self) -> Mapping[tuple[str, str], Verdict]:
        """The verdicts by rule and subject, the worst where there are several."""
        if self.changed is None:
            return self.before.verdicts
        asked, whole = self.changed.asked, self.changed.whole
        kept = {key: one for key, one in self.before.verdicts.items() if key not in asked and key[0] not in whole}
        return kept | self.changed.verdicts

    @property
    def unknown(self) -> int:
        """How many verdicts are unknown."""
        if self.changed is None:
            return sum(one is Verdict.UNKNOWN for one in self.before.verdicts.values())
        asked, whole = self.changed.asked, self.changed.whole
        kept = (key for key in self.unknowns if key not in asked and key[0] not in whole)
        return sum(1 for _ in kept) + sum(one is Verdict.UNKNOWN for one in self.changed.verdicts.values())

    @cached_property
    def findings(self) -> Sequence[Finding]:
        """Those that count; asked for first while the state holds."""
        if self.changed is None:
            return waivers.counting(self.before.findings, self.design)
        gone = Counter(map(id, self.changed.before))
        kept = [one for one in self.before.findings if not gone[id(one)]]
        return waivers.counting(kept + self.changed.after, self.design)

    @cached_property
    def severities(self) -> Counter[Severity]:
        """How many findings are how bad."""
        if self.changed is None or waivers.may_hold_waiver(self.design):
            return Counter(one.severity for one in self.findings)
        counts = Counter(one.severity for one in self.before.findings)
        counts.subtract(one.severity for one in self.changed.before)
        counts.update(one.severity for one in self.changed.failures)
        return counts

    def count(self, severity: Severity) -> int:
        """How many findings are this bad."""
        return self.severities[severity]

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return self.count(Severity.ERROR)


class Explorer:
    """
    A design and what would follow from other values of some of its words.

    Args:
        rules: the rules that somebody wants to know of; all of them where it is None.
        shown: the words that somebody wants to know besides; all of them where it is None.

    Attributes:
        reason: why each state is read again; empty where facts are changed in place.
    """

    def __init__(
        self,
        design: Design,
        places: Sequence[SettablePlace],
        rules: Collection[str] | None = None,
        shown: Collection[str] | None = None,
    ) -> None:
        self.design, self.places, self.shown = design, places, shown
        self.rules = None if waivers.may_hold_waiver(design) else rules  # a waiver without use is a finding, too
        self.reason = self._reason()

    @cached_property
    def judged(self) -> Judged:
        """The design as it is, with all that is wrong with it."""
        return judge_design(self.design)

    @cached_property
    def trials(self) -> FactTrials:
        """Changes of facts in place."""
        return FactTrials(self.judged, self.rules, self.shown)

    @cached_property
    def _unknowns(self) -> list[tuple[str, str]]:
        return [key for key, one in self.judged.verdicts.items() if one is Verdict.UNKNOWN]

    def _reason(self) -> str:
        if self.design.problems:
            return "the design has faults of text or shape"
        if self.design.engine.settings.shapes:
            return "SHACL shapes read the whole graph"
        for place in self.places:
            node = place.subject.keys.get(place.word.name)
            known = node.text if node is not None and node.kind == "scalar" else place.word.example
            if statement(self.design.graph, place.path, _value(known)) is None:
                return f"{place.path} changes more than facts"
            if place_value(self.design, place, known).also:
                return f"{place.path} is reached through an alias"
        return ""

    @contextmanager
    def at(self, values: Sequence[str]) -> Iterator[State]:
        """The design with these values of its places. Raises UsageError where a file does not let them be stated."""
        statements = None if self.reason else self._statements(values)
        if statements is None:
            yield self.judge_text(values)
            return
        with self.trials.assuming(statements) as changed:
            _ = changed.answers
            yield State(self.design, self.judged, changed, self._unknowns)

    def _statements(self, values: Sequence[str]) -> list[StatedFact] | None:
        found = [
            statement(self.design.graph, place.path, _value(value))
            for place, value in zip(self.places, values, strict=True)
        ]
        return None if any(one is None for one in found) else [one for one in found if one is not None]

    def judge_text(self, values: Sequence[str]) -> State:
        """The design with these values in its text, read and judged again. Raises UsageError."""
        again = judge_design(with_texts(self.design, {self.design.document: self.text(values)}))
        return State(again.design, again)

    def text(self, values: Sequence[str]) -> str:
        """The text of the design with these values. Raises UsageError."""
        edits = [place_value(self.design, place, value).edit for place, value in zip(self.places, values, strict=True)]
        try:
            return apply(self.design.document, edits)
        except EditRefused as refused:
            raise UsageError(f"{self.design.document.file} cannot be changed this way: {refused}") from None


def _value(text: str) -> Node | None:
    return read_bytes(text.encode(), "value").root
