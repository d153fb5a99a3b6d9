"""What a rule answers about the subjects of a design: judgements, each with its values and its margin."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from designlint.expressions.evaluation import UNMET, SeveralError, evaluate, of_subject, of_values, plain
from designlint.expressions.tree import WordNode
from designlint.findings.model import Margin, Verdict
from designlint.reading.errors import AuthoringError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from designlint.expressions.condition import Condition
    from designlint.graph.asking import AskedGraph
    from designlint.graph.subjects import Graph, Subject
    from designlint.language.units import Units
    from designlint.rules.rule import CompiledRule

    Values: TypeAlias = "Mapping[str, Any]"

#: Columns of a query that are not values of the judgement.
OWN = ("focus", "ok", "when")
#: How the columns begin that only a margin reads.
HIDDEN = "__"
#: The verdicts of what conditions answer, but for what is as good as true.
DECIDED = {None: Verdict.UNKNOWN, UNMET: Verdict.NOT_APPLICABLE, False: Verdict.FAIL, "": Verdict.FAIL}
#: Ways to combine words of several values that are judged for one subject; with more it is unknown.
MOST_COMBINED = 1000


class Judgement(Struct, eq=False):
    """
    What one rule says about one subject.

    Attributes:
        rule: the rule, and `subject` what it is about.
        verdict: its answer.
        word: of a rule about all numbers, the one that it is about.
    """

    rule: CompiledRule
    subject: Subject
    verdict: Verdict
    _source: Subject | Values | QueryRow
    word: str = ""
    _values: dict[str, Any] | None = None
    _margin: Margin | bool | None = False

    @property
    def values(self) -> dict[str, Any]:
        """Words, limits and computed values by name; one that is unknown is left out."""
        if self._values is None:
            self._values = {name: value for name, value in self._read_values() if value is not None}
        return self._values

    def _read_values(self) -> Iterator[tuple[str, Any]]:
        if isinstance(self._source, QueryRow):
            known = ((name, value) for name, value in self._source.values.items() if not name.startswith(HIDDEN))
            yield from ((name, value) for name, value in known if name not in OWN)
        elif self.rule.sweep and isinstance(self._source, dict):
            yield from self._source.items()
        elif self.rule.condition is not None:
            read = of_values if isinstance(self._source, dict) else of_subject
            yield from ((name, evaluate(one, self._source, read)) for name, one in self.rule.condition.shown.items())

    def margin(self, units: Units) -> Margin | None:
        """How far it is from its limit; None where no comparison of numbers decides it."""
        if isinstance(self._margin, bool):
            self._margin = self._measure(units)
        return self._margin

    def _measure(self, units: Units) -> Margin | None:
        if self.verdict not in (Verdict.PASS, Verdict.FAIL):
            return None
        by_values = isinstance(self._source, dict | QueryRow)
        measuring = self.rule.measuring(units, by_values=by_values)
        source = self._source.values if isinstance(self._source, QueryRow) else self._source
        reach = measuring(source) if measuring is not None else None
        return reach.margin if reach is not None and reach.holds is (self.verdict is Verdict.PASS) else None


class QueryRow:
    """One row of a query, by its columns."""

    __slots__ = ("_cells", "_names", "_values")

    def __init__(self, names: Sequence[str], cells: Sequence[Any]) -> None:
        self._names, self._cells = names, cells
        self._values: dict[str, Any] | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The values by column."""
        if self._values is None:
            self._values = dict(zip(self._names, self._cells, strict=True))
        return self._values


def judge_subjects(
    rule: CompiledRule, condition: Condition, subjects: Iterable[Subject], graph: Graph
) -> list[Judgement]:
    """The answers of a rule that is a condition about one subject after the other."""
    answer = condition.answer
    guesses, shown = graph.unread and condition.guesses, rule.avoid is not None
    fail, found = Verdict.FAIL, list[Judgement]()
    for subject in subjects:
        try:
            verdict = DECIDED.get(None if guesses and _unread(rule, subject) else answer(subject), Verdict.PASS)
            judgement = Judgement(rule, subject, verdict, subject)
            if verdict is fail or shown:
                judgement.values  # noqa: B018 (read now: where there are several, each is judged)
        except SeveralError:
            found += _several(rule, condition, subject)
        else:
            found.append(judgement)
    return found


def _unread(rule: CompiledRule, subject: Subject) -> bool:
    """Whether a word that a rule takes for left out may stand in a place that could not be read."""
    return any(word in one.unread for path in rule.paths.values() for one, word in subject.follow(path))


def _several(rule: CompiledRule, condition: Condition, subject: Subject) -> Iterator[Judgement]:
    """The answers about a subject of which some words have several values: one for each way to combine them."""
    words = [one for one in condition.names.values() if isinstance(one, WordNode)]
    facts = [_facts(subject, one, sought=one.name in condition.existence_words) for one in words]
    ways = list(islice(product(*facts), MOST_COMBINED + 1))
    if len(ways) > MOST_COMBINED:
        yield Judgement(rule, subject, Verdict.UNKNOWN, {})
        return
    for way in ways:
        values = {one.name: value for one, value in zip(words, way, strict=True)}
        yield Judgement(rule, subject, DECIDED.get(condition.evaluate_tree(values, of_values), Verdict.PASS), values)


def _facts(subject: Subject, word: WordNode, *, sought: bool) -> list[Any]:
    """The values of a word, or None; of a list of which only is asked whether there is one, the first."""
    ends = [end.facts.get(last) for end, last in subject.follow(word.path)]
    facts = [one for end in ends for one in (end if isinstance(end, list) else [end]) if one is not None]
    return [plain(one) for one in (facts[:1] if sought else facts)] or [None]


def answer_query(rule: CompiledRule, graph: AskedGraph) -> list[Judgement]:
    """The answers of a rule that is a query."""
    if not rule.select:
        return []
    return order_judgements(of_rows(rule, graph, *graph.rows(rule.joined, rule)), graph)


def of_rows(
    rule: CompiledRule, graph: AskedGraph, names: Sequence[str], found: Iterable[Sequence[Any]]
) -> list[Judgement]:
    """The answers that the rows of a query stand for, in the order of the rows."""
    focus, ok, when = names.index("focus"), names.index("ok"), names.index("when") if "when" in names else None
    judgements: list[Judgement] = []
    unread = graph.graph.unread and not rule.words.isdisjoint(graph.graph.unread)
    for cells in found:
        subject, answers = cells[focus], (True if when is None else cells[when], cells[ok])
        if rule.about not in getattr(subject, "kinds", ()) or not all(
            one is None or one.__class__ is bool for one in answers
        ):
            message = f"its query must give a ?focus that is a {rule.about}, and truth values"
            raise AuthoringError(message, file=rule.texts.file)
        verdict = Verdict.UNKNOWN if unread else _verdict(*answers)
        judgements.append(Judgement(rule, subject, verdict, QueryRow(names, cells)))
    return judgements


def _verdict(applies: bool | None, ok: bool | None) -> Verdict:
    """The verdict of two answers, None for unknown."""
    if applies is False:
        return Verdict.NOT_APPLICABLE
    if applies is None or ok is None:
        return Verdict.UNKNOWN
    return Verdict.PASS if ok else Verdict.FAIL


def order_judgements(judgements: list[Judgement], graph: AskedGraph) -> list[Judgement]:
    """The answers of a query in the order of the design."""
    order = graph.order
    judgements.sort(key=lambda one: order[one.subject.path])
    if len({one.subject.path for one in judgements}) < len(judgements):
        judgements.sort(key=lambda one: (order[one.subject.path], str(sorted(one.values.items(), key=str))))
    return judgements
