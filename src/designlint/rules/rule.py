"""A compiled rule: what decides it, and, loaded when first asked for, what it says to people."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field, json
from msgspec.structs import replace

from designlint.expressions import condition, templates
from designlint.expressions.evaluation import of_subject, of_values
from designlint.expressions.limits import apply_limits
from designlint.findings.model import Severity
from designlint.findings.notices import Standard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from designlint.expressions.condition import Condition
    from designlint.expressions.selects.evaluation import Select
    from designlint.expressions.templates import Template
    from designlint.language.units import Units
    from designlint.rules.margins import Measure
    from designlint.rules.texts import RuleLimit, RuleTexts

#: What stands as `judge` where the reader of files or the shapes of a user decide.
BUILT_IN = "built-in"
#: What stands as `judge` of a rule that asks one question of every number, see `designlint.judging.sweeps`.
SWEEPS = tuple(
    f"every-number {one}" for one in ("seen", "in-proportion", "counted", "computed", "catalogued", "impossible")
)


#: To look one up by its name takes a tenth of what the class takes.
SEVERITIES = {one.value: one for one in Severity}


class CompiledRule(Struct, frozen=True, dict=True):
    """
    One rule, ready to judge.

    Attributes:
        about: the class whose subjects it judges.
        needs: the words that decide it, in the order of its text.
        read: all words of the vocabulary that it reads, and the classes, or their JSON.
        waivable: whether a waiver or a configuration may hide what it finds.
        avoid: what it rules out whether a design does it or not; None where it says nothing of that.
        select: the query that decides it where it joins more than one subject; empty where it is an expression.
        in_place: whether that query can be answered without an engine of SPARQL.
        joins: gives that query as data, where it can.
        values: the limits of such a query or sweep.
        ways: the path of each word that a query needs, or that an expression reads and that is not the subject's own.
        stated: the condition that decides it, as data or its JSON; None where a query or the reader of files does.
        made: gives the function that was written for it, see `Condition`, or the `Select`; None where there is none.
        sweep: the question that it asks of every number; empty for all other rules.
        kinds: the kind of quantity of each value, where every run needs it; otherwise the texts have it.
    """

    id: str
    about: str
    severity: Severity
    needs: tuple[str, ...]
    read: Sequence[str] | str
    waivable: bool
    avoid: Template | None
    select: str
    values: Mapping[str, int | float]
    ways: Mapping[str, Sequence[str]]
    stated: Mapping[str, Any] | str | None
    load: Callable[[], RuleTexts] = field()
    sweep: str = ""
    in_place: bool = False
    joins: Callable[[], Mapping[str, Any]] | None = None
    kinds: Mapping[str, str] | None = None
    made: Callable[[], Any] | None = None
    changed: Mapping[str, RuleLimit] = field(default_factory=dict)
    measures: dict[bool, Measure | None] = field(default_factory=dict)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the vocabulary that it reads, and the classes."""
        return frozenset(_open_data(self.read))

    @cached_property
    def texts(self) -> RuleTexts:
        """What it says to people."""
        texts = self.load()
        return replace(texts, limits={**texts.limits, **self.changed}) if self.changed else texts

    @cached_property
    def paths(self) -> Mapping[str, tuple[str, ...]]:
        """The way to each word that it reads."""
        if self.condition is None:
            return {name: tuple(path) for name, path in self.ways.items()}  # all that it needs
        return self.condition.paths

    @cached_property
    def aims(self) -> Sequence[tuple[str, ...]]:
        """The ways to words of targets."""
        return [tuple(path) for path in self.ways.values() if path[0] == "targets"]

    @cached_property
    def lacked(self) -> tuple[tuple[str, ...], ...]:
        """The ways to the words without which it cannot answer."""
        return tuple([tuple(self.ways.get(name, (name,))) for name in self.needs])

    @property
    def built_in(self) -> bool:
        """Whether the reader of files judges it, not an expression or a query."""
        return self.stated is None and not self.select and not self.sweep

    @property
    def decides(self) -> Mapping[str, Any] | None:
        """The condition that decides it, as data."""
        return None if self.condition is None else self.condition.named.data

    @cached_property
    def condition(self) -> Condition | None:
        """The condition that decides it; None where a query or the reader of files does."""
        if self.stated is None:
            return None
        return condition.condition(self.about, self.stated, self._changed_limits(), self.made)

    @cached_property
    def joined(self) -> Select | None:
        """The query that decides it, ready to be answered in place; None where only an engine answers it."""
        if not self.in_place:
            return None
        made: Select | None = None if self.made is None else self.made()
        if made is None and self.joins is not None:
            from designlint.expressions.selects import python

            made = python.select(self.joins(), self.values)
        return None if made is None else made.with_limits(self._changed_limits())

    @cached_property
    def sparql(self) -> str:
        """The query that asks the same of any SPARQL engine; empty where the reader of files judges."""
        if self.condition is not None:
            return self.condition.sparql
        return apply_limits(self.select, self.limits) if self.select else ""

    @cached_property
    def limits(self) -> Mapping[str, int | float]:
        """The limits of a query or of a question about all numbers, as they hold now."""
        return {**self.values, **self._changed_limits()}

    def _changed_limits(self) -> dict[str, int | float]:
        return {name: one.value for name, one in self.changed.items()}

    def as_severe(self, severity: Severity) -> CompiledRule:
        """The same rule with another severity."""
        return replace(self, severity=severity)

    def with_limit(self, name: str, limit: RuleLimit) -> CompiledRule:
        """The same rule with another value of one limit."""
        return replace(self, changed={**self.changed, name: limit}, measures={})

    @property
    def standard(self) -> Standard:
        """What it says whatever the design."""
        texts = self.texts
        return Standard(
            title=texts.title,
            severity=self.severity,
            problem=texts.general(texts.problem),
            remedy=texts.general(texts.remedy),
            principles=texts.principles,
            sources=texts.sources,
            citations=tuple(map(texts.cite_source, texts.sources)),
        )

    def measuring(self, units: Units, *, by_values: bool) -> Measure | None:
        """What tells the margin of a subject, or of values by name; None where it compares no numbers."""
        if by_values not in self.measures:
            self.measures[by_values] = self._measuring(units, by_values=by_values)
        return self.measures[by_values]

    def _measuring(self, units: Units, *, by_values: bool) -> Measure | None:
        from designlint.rules.margins import compares, measure  # a run that finds nothing measures nothing

        data, found = self.texts.measured if self.select else None, self.condition
        if data is not None:
            found = condition.condition(self.about, data, self._changed_limits())
        if found is None or not compares(found.judge):
            return None
        return measure(found.judge, units, of_values if by_values else of_subject)

    def kind(self, name: str) -> str:
        """The kind of quantity of a value; empty where it has none."""
        return (self.texts.kinds if self.kinds is None else self.kinds).get(name, "")


def _open_data(data: Any) -> Any:
    """Data of a rule that the bundle keeps as JSON until it is asked for."""
    return json.decode(data) if isinstance(data, str) else data


def of_entry(
    entry: Mapping[str, Any],
    texts: Callable[[], Mapping[str, Any]],
    made: Callable[[], Any] | None = None,
) -> CompiledRule:
    """
    The rule that an entry of the bundle stands for.

    Args:
        texts: gives the rest of the entry.
        made: gives what was written for it, see `CompiledRule`.
    """
    avoid = entry.get("avoid")
    return CompiledRule(
        id=entry["id"],
        about=entry["about"],
        severity=SEVERITIES[entry["severity"]],
        needs=tuple(entry["needs"]),
        read=entry["words"],
        waivable=entry["waivable"],
        avoid=templates.decode_template(avoid) if avoid else None,
        select=entry.get("select", ""),
        values=entry.get("values", {}),
        ways=entry.get("paths", {}),
        stated=entry.get("decides"),
        sweep=entry.get("sweep", ""),
        in_place=entry.get("in_place", False),
        joins=lambda: texts()["joins"],
        load=lambda: _texts(texts()),
        kinds=entry.get("avoid_kinds"),
        made=made,
    )


def _texts(entry: Mapping[str, Any]) -> RuleTexts:
    from designlint.rules import texts  # most rules of most runs say nothing

    return texts.of_data(entry)
