"""
The rules asked of all designs of a store at once.

A condition is asked of the store, in words that need no third truth value: engines differ there. A rule that joins
several parts counts and groups, where engines differ by more: what such rules read is fetched, and the same query is
asked here, design by design.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.expressions import two_valued
from designlint.findings.model import Severity, Verdict
from designlint.fleet import numbers
from designlint.graph import fleet
from designlint.judging.judge import WORST
from designlint.language.vocabulary import NAMESPACE, UNREAD
from designlint.reading.errors import AuthoringError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from designlint.fleet.client import Client, Row
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule

LOADED, RDF_TYPE = f"{NAMESPACE}LoadedDesign", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
#: Numbers as they are: some stores print a double with six digits, but a decimal whole.
EXACTLY = (
    "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
    "SELECT ?d ?s ?p ?o (IF(DATATYPE(?o) = xsd:double, xsd:decimal(?o), 0) AS ?e)"
)
#: Designs, and words, that one request reads.
BATCH, WORDS = 25, 40
#: Answers that are kept for designs that are alike.
MOST_KNOWN = 100_000
#: How stores write truths.
TRUTHS = {"true": True, "1": True, "false": False, "0": False}


class StoreVerdict(NamedTuple):
    """What a rule says of a node of a design in a store."""

    design: str
    rule: str
    severity: Severity
    subject: str
    verdict: Verdict


class StoreJudging:
    """
    The rules of an engine over the designs of a store.

    Args:
        every: whether all verdicts are wanted, not only failures.
    """

    def __init__(self, client: Client, engine: Engine, *, every: bool = False) -> None:
        self.client, self.engine, self.every = client, engine, every
        self._known: dict[tuple[Any, ...], list[Row]] = {}

    @property
    def fetched(self) -> list[CompiledRule]:
        """The rules that join several parts."""
        return [one for one in self.engine.rules.values() if one.select]

    @cached_property
    def loaded(self) -> dict[str, str]:
        """The graph of each design of the store, with the version of designlint that loaded it. Raises UsageError."""
        query = f"{{ ?d a <{LOADED}> ; <{NAMESPACE}designlint_version> ?version }}"
        return {
            row["d"]: row["version"] for row in self.client.select(f"SELECT ?d ?version WHERE {{ GRAPH ?d {query} }}")
        }

    def verdicts(self) -> Iterator[StoreVerdict]:
        """The verdicts; of several on one node the worst. Raises UsageError."""
        for rule in self.engine.rules.values():
            if rule.condition is not None:
                query = two_valued.query(rule.condition, only="" if self.every else str(Verdict.FAIL))
                yield from self._worst(rule, self.client.select(query))
            elif rule.sweep:
                yield from self._of_numbers(rule)
        graphs = sorted(self.loaded)
        for start in range(0, len(graphs), BATCH):
            yield from self._judge_joins(graphs[start : start + BATCH])

    def _worst(self, rule: CompiledRule, rows: Iterable[Row]) -> Iterator[StoreVerdict]:
        worst: dict[tuple[str, str], Verdict] = {}
        for row in rows:
            key, verdict = (row["design"], row["focus"]), Verdict(row["verdict"])
            worst[key] = min(verdict, worst.get(key, verdict), key=WORST.index)
        for (design, focus), verdict in sorted(worst.items()):
            if self.every or verdict is Verdict.FAIL:
                yield StoreVerdict(fleet.file_of(design), rule.id, rule.severity, fleet.path_of(focus), verdict)

    def _of_numbers(self, rule: CompiledRule) -> Iterator[StoreVerdict]:
        """What a rule about every number says: of each node at fault, and of a design that has none that it passes."""
        faults = self._places(rule, faults=True)
        for design, focus in sorted(faults):
            yield StoreVerdict(fleet.file_of(design), rule.id, rule.severity, fleet.path_of(focus), Verdict.FAIL)
        if self.every:
            asked = {design for design, _ in self._places(rule, faults=False)}
            for design in sorted(asked - {design for design, _ in faults}):
                yield StoreVerdict(fleet.file_of(design), rule.id, rule.severity, "", Verdict.PASS)

    def _places(self, rule: CompiledRule, *, faults: bool) -> set[tuple[str, str]]:
        texts = numbers.queries(rule, self.engine.vocabulary, faults=faults)
        return {(row["design"], row["focus"]) for text in texts for row in self.client.select(text)}

    def _judge_joins(self, graphs: Sequence[str]) -> Iterator[StoreVerdict]:
        """What the rules that join several parts say of some designs."""
        flags = {
            name
            for words in self.engine.vocabulary.classes.values()
            for name, one in words.items()
            if one.kind == "Flag"
        }
        for graph, rows in self._read_statements(graphs).items():
            copy = fleet.Copy(rows, flags)
            for rule in self.fetched:
                if rule.about in copy.classes:
                    found = self._answers(rule, copy)
                    yield from self._worst(rule, [{**row, "design": graph} for row in found])

    def _answers(self, rule: CompiledRule, copy: fleet.Copy) -> list[Row]:
        """What a rule says of a design; of designs that are alike in all that it reads, it is asked once."""
        key = rule.id, copy.digest(sorted(rule.words)), not rule.words.isdisjoint(copy.unread)
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = [
                {"focus": row["focus"], "verdict": str(self._verdict(rule, row, copy.unread))}
                for row in copy.select(rule.sparql)
                if "focus" in row
            ]
        return self._known[key]

    def _read_statements(self, graphs: Sequence[str]) -> dict[str, list[Any]]:
        """The statements of some designs that those rules read."""
        named = " ".join(f"<{one}>" for one in graphs)
        found: dict[str, list[Any]] = {one: [] for one in graphs}
        for start in range(0, len(self._words), WORDS):
            words = " ".join(f"<{one}>" for one in self._words[start : start + WORDS])
            query = f"{EXACTLY} WHERE {{ VALUES ?d {{ {named} }} VALUES ?p {{ {words} }} GRAPH ?d {{ ?s ?p ?o }} }}"
            for row in self.client.answer(query)["results"]["bindings"]:
                found[row["d"]["value"]].append(row)
        return found

    def _verdict(self, rule: CompiledRule, row: Row, unread: Collection[str]) -> Verdict:
        if not rule.words.isdisjoint(unread):
            return Verdict.UNKNOWN
        when, ok = (None if row.get(name) is None else TRUTHS.get(row[name]) for name in ("when", "ok"))
        if "?when" not in rule.select:
            when = True
        if row.get("ok") is not None and ok is None:
            raise AuthoringError("its query must give a ?focus and truth values", file=rule.texts.file)
        if when is False:
            return Verdict.NOT_APPLICABLE
        if when is None or ok is None:
            return Verdict.UNKNOWN
        return Verdict.PASS if ok else Verdict.FAIL

    @cached_property
    def _words(self) -> list[str]:
        """The IRIs of all words that those rules read."""
        names = {word for rule in self.fetched for word in rule.words} - self.engine.vocabulary.classes.keys()
        return [RDF_TYPE, *(NAMESPACE + word for word in sorted({*names, UNREAD}))]
