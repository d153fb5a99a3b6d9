"""A compiled rule at work: its query over the graph, the verdict of each row, the words of a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint import expressions
from designlint.arithmetic import BeyondError
from designlint.errors import AuthoringError
from designlint.model import Outcome, Severity, Verdict
from designlint.notices import Standard
from designlint.wording import general

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from designlint.derive import Plan
    from designlint.graph.store import Cells, Store
    from designlint.graph.subjects import Subject


#: What ?ok and ?when may be.
ANSWERS = {"true": True, "false": False, None: None}
#: Variables of a query that are not values of the judgement.
OWN = ("focus", "ok", "when")
#: How the variables begin that only a margin reads.
MEASURE = "__"


class Rule:
    """
    One rule of the bundle.

    Args:
        entry: what judging needs.
        texts: gives the rest of the rule when it is first asked for; left out where the entry has it all.
    """

    __slots__ = ("_decide", "_entry", "_texts", "about", "id", "needs", "paths", "severity")

    def __init__(self, entry: Mapping[str, Any], texts: Callable[[], Mapping[str, Any]] | None = None) -> None:
        self._entry, self._texts = entry, texts
        self.id: str = entry["id"]
        self.about: str = entry["about"]
        self.severity = Severity(entry["severity"])
        self.needs: list[str] = entry["needs"]
        self.paths: dict[str, list[str]] = entry["paths"]
        self._decide: Callable[[Subject], tuple[Any, Any]] | None = None

    def __getitem__(self, key: str) -> Any:
        if key in self._entry or self._texts is None:
            return self._entry[key]
        return self._texts()["rules"][self.id][key]

    def changed(self, **entries: Any) -> Rule:
        """The same rule with some of its entries replaced."""
        return Rule({**self._entry, **entries}, self._texts)

    def limited(self, name: str, limit: Mapping[str, Any]) -> Rule:
        """The same rule with another value of one limit, in its queries too."""
        old, new = (bound((name, one)) for one in (self["limits"][name], limit))
        told = {key: self[key].replace(old, new) for key in ("query", "telling")}
        plain = expressions.limited(self["plain"], name, limit["value"])
        return self.changed(limits=self["limits"] | {name: limit}, plain=plain, **told)

    @property
    def message(self) -> str:
        """What a finding says, its values in braces."""
        return str(self["message"])

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return str(self["remedy"])

    @property
    def standard(self) -> Standard:
        """What it says whatever the design."""
        return Standard(
            title=self["title"],
            severity=self.severity,
            problem=self["problem"],
            remedy=general(self.remedy),
            principles=tuple(self["principles"]),
            sources=tuple(self["sources"]),
        )

    @property
    def whole(self) -> bool:
        """Whether its judgement is a query of its own, not an expression."""
        return not self._entry["short"]

    @property
    def mandatory(self) -> bool:
        """Whether no waiver and no configuration may hide what it finds."""
        return not self["waivable"]

    @property
    def built_in(self) -> bool:
        """Whether the reader of files judges it, not a query."""
        return bool(self._entry["plain"] == [])

    @property
    def query(self) -> str:
        """The SPARQL that decides; empty where it is built in."""
        return str(self["query"])

    @property
    def asks(self) -> bool:
        """Whether only a query can decide it: it is no plain expression, or every run tells its values."""
        return self._entry["plain"] is None or bool(self["avoid"])

    def decide(self, subject: Subject) -> tuple[Any, Any]:
        """Whether it applies to a subject and what it answers, without a query. Raises BeyondError."""
        if self._decide is None:
            self._decide = expressions.decider(self._entry["plain"])
        return self._decide(subject)

    def idle(self, known: Collection[tuple[str, str]]) -> bool:
        """Whether nothing that decides it is known anywhere: then all is unbound, and no query is needed to say so."""
        return any(all((cls, word) not in known for cls, word in gate) for gate in self._entry["gates"])

    def kind(self, name: str) -> str:
        """The kind of quantity of a variable; empty where it has none."""
        kind: str = self["kinds"].get(name, "")
        return kind


def bound(limit: tuple[str, Mapping[str, Any]]) -> str:
    """The line of a query that gives a limit its value."""
    name, one = limit
    return f"BIND({one['value']!r} AS ?{name})"


class Row:
    """One answer of a rule: a subject, the verdict and, read only when asked for, the variables."""

    __slots__ = ("_cells", "_names", "_store", "_values", "subject", "verdict")

    def __init__(
        self, subject: Subject, verdict: Verdict, store: Store, names: Sequence[str] = (), cells: Cells = ()
    ) -> None:
        self.subject, self.verdict = subject, verdict
        self._store, self._names, self._cells = store, names, cells
        self._values: dict[str, Any] | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The variables as plain values; one that is unbound is left out."""
        if self._values is None:
            self._values = {
                name: value for name, value in self._told() if name not in OWN and not name.startswith(MEASURE)
            }
        return self._values

    @property
    def measures(self) -> dict[str, Any]:
        """What its margin is told from; empty where the query did not ask for it."""
        return {name: value for name, value in self._told() if name.startswith(MEASURE)}

    def _told(self) -> Iterator[tuple[str, Any]]:
        told = zip(self._names, map(self._store.plain, self._cells), strict=True)
        return ((name, value) for name, value in told if value is not None)


def _verdict(applies: bool | None, ok: bool | None) -> Verdict:
    """The verdict of two answers, None for unbound."""
    if applies is False:
        return Verdict.NOT_APPLICABLE
    if applies is None or ok is None:
        return Verdict.UNKNOWN
    return Verdict.PASS if ok else Verdict.FAIL


def judge(rule: Rule, store: Store, *, measure: bool = False) -> list[Row]:
    """The answers of a rule, in the order of the design; with `measure`, those that pass tell their margin too."""
    subjects = store.graph.by_class.get(rule.about)
    if not subjects:
        return []
    if rule.idle(store.known) and not rule["avoid"]:
        return [Row(subject, Verdict.UNKNOWN, store) for subject in subjects]
    if measure and rule["margin"]:
        return _rows(rule, rule["telling"], store)
    decided = _decided(rule, subjects, store)
    rows = decided or _rows(rule, rule.query, store)
    if rule["avoid"] or any(row.verdict is Verdict.FAIL for row in rows):
        return _rows(rule, rule["telling"] or rule.query, store) if decided or rule["telling"] else rows
    return rows


def _decided(rule: Rule, subjects: Sequence[Subject], store: Store) -> list[Row]:
    """The answers of a rule that needs no query, without values; none where it needs one."""
    if rule.asks:
        return []
    try:
        return [Row(subject, _verdict(*rule.decide(subject)), store) for subject in subjects]
    except BeyondError:
        return []


def _rows(rule: Rule, query: str, store: Store) -> list[Row]:
    names, found = store.select(query, rule["words"])
    focus, ok, when = names.index("focus"), names.index("ok"), names.index("when") if "when" in names else None
    subjects = store.subjects
    rows: list[Row] = []
    for cells in found:
        answer, applies = cells[ok], None if when is None else cells[when]
        texts = ("true" if when is None else applies and applies.value, answer and answer.value)
        subject = subjects.get(getattr(cells[focus], "value", ""))
        if subject is None or rule.about not in subject.kinds or not ANSWERS.keys() >= set(texts):
            raise AuthoringError(
                f"its query must give a ?focus that is a {rule.about}, and truth values", file=rule["file"]
            )
        rows.append(Row(subject, _verdict(*map(ANSWERS.__getitem__, texts)), store, names, cells))
    return _sorted(rows, store)


def _sorted(rows: list[Row], store: Store) -> list[Row]:
    order = store.order
    rows.sort(key=lambda row: order[row.subject.path])
    if len({row.subject.path for row in rows}) < len(rows):
        rows.sort(key=lambda row: (order[row.subject.path], str(sorted(row.values.items(), key=str))))
    return rows


def missing(rule: Rule, row: Row, plan: Plan, store: Store) -> tuple[str, ...]:
    """The facts that an unknown waits for, as paths in the design."""
    known = row.values if rule.whole else ()
    lacked = (rule.paths[name] for name in rule.needs if name not in known)
    facts = (fact for path in lacked for fact in plan.lacks(store.graph, row.subject, path, store.asked))
    return tuple(dict.fromkeys(facts))


def absent(rule: Rule, file: str, store: Store) -> Iterator[Outcome]:
    """The outcome of a rule that has nothing to judge: unknown where the design could have stated it."""
    vocabulary = store.graph.vocabulary
    for word in vocabulary.classes["Design"].values():
        if word.form == "parts" and rule.about in vocabulary.reachable(word.kind):
            verdict = (
                Verdict.NOT_APPLICABLE if word.name in store.graph.root.facts or word.optional else Verdict.UNKNOWN
            )
            yield Outcome(rule.id, file, "", verdict, (word.name,) if verdict is Verdict.UNKNOWN else ())
            return
