"""
Conditions as SPARQL that needs no third truth value: for engines that take what is unknown for false.

SPARQL keeps an error apart from false, and so do rules; some stores do not, and some end a query at a division by zero.
So each truth becomes two questions that always have an answer, whether it surely holds and whether it surely does not,
and each number or text becomes whether it is known, and what it is then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.expressions.limits import PREFIXES, number
from designlint.expressions.sparql import CALCULATED, is_double, path
from designlint.expressions.tree import Flag, Let, Limit, Node, Number, Operation, Text, Type, WordNode
from designlint.expressions.writing import write_expression
from designlint.language.vocabulary import UNREAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.expressions.condition import Condition

TRUE, FALSE = "(1 = 1)", "(1 = 0)"
COMPARED = ("=", "!=", "<", "<=", ">", ">=")


class Truth(NamedTuple):
    """An expression that is a truth: when it surely is true, and when surely false."""

    true: str
    false: str


class PartialValue(NamedTuple):
    """An expression that is a number or a text: when it is known, and its value then."""

    known: str
    value: str


def query(condition: Condition, only: str = "") -> str:
    """
    The query that gives `?verdict` of every subject in every graph: `pass`, `fail`, `unknown` or `not applicable`.

    Its columns are `?design`, the graph, `?focus` and `?verdict`; with `only`, its rows are those of that verdict.
    """
    made = _Writer()
    judge = made.truth(condition.judge)
    when = made.truth(condition.when) if condition.when is not None else Truth(TRUE, FALSE)
    verdict = f'IF({when.false}, "not applicable", IF(!({when.true}), "unknown", {_answer(judge)}))'
    if condition.guesses:
        unread = made.unread(
            [one for one in condition.names.values() if isinstance(one, WordNode) and one.path[0][0] != "^"]
        )
        verdict = f'IF({" || ".join(unread)}, "unknown", {verdict})' if unread else verdict
    body = "\n    ".join([f"?focus a :{condition.about} .", *made.lines])
    whole = f"GRAPH ?design {{\n    {body}\n  }}"
    if only:
        failing = f"({when.true} && {judge.false})" if only == "fail" else f'{verdict} = "{only}"'
        known = f"FILTER({failing})" if only != "fail" or "?unread" not in verdict else f'FILTER({verdict} = "fail")'
        return f'{PREFIXES}SELECT ?design ?focus ("{only}" AS ?verdict)\nWHERE {{\n  {whole}\n  {known}\n}}'
    return f"{PREFIXES}SELECT ?design ?focus ({verdict} AS ?verdict)\nWHERE {{\n  {whole}\n}}"


def _answer(judge: Truth) -> str:
    return f'IF({judge.true}, "pass", IF({judge.false}, "fail", "unknown"))'


class _Writer:
    """Writes expressions, and gathers the lines of the pattern that give their words values."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._words: set[str] = set()
        self._lets: dict[str, Truth | PartialValue] = {}

    def word(self, node: WordNode) -> str:
        if node.name not in self._words:
            self._words.add(node.name)
            self.lines.append(f"OPTIONAL {{ ?focus {path(node)} ?{node.name} }}")
        return f"?{node.name}"

    def unread(self, words: Sequence[WordNode]) -> list[str]:
        """Whether one of these words may stand in a place that could not be read."""
        ways: dict[tuple[str, ...], list[str]] = {}
        for one in words:
            ways.setdefault(one.path[:-1], []).append(f'"{one.path[-1]}"')
        for number_, (way, names) in enumerate(ways.items()):
            steps = "/".join(f":{step}" for step in (*way, UNREAD))
            listed = " || ".join(f"?unread{number_} = {name}" for name in dict.fromkeys(names))
            self.lines.append(f"OPTIONAL {{ ?focus {steps} ?unread{number_} . FILTER({listed}) }}")
        return [f"BOUND(?unread{number_})" for number_ in range(len(ways))]

    # -- truths

    def truth(self, node: Node) -> Truth:
        """An expression that is a truth."""
        if isinstance(node, Flag):
            return Truth(TRUE, FALSE) if node.value else Truth(FALSE, TRUE)
        if isinstance(node, WordNode):
            name = self.word(node)
            return Truth(f"(BOUND({name}) && {name} = true)", f"(BOUND({name}) && {name} = false)")
        if isinstance(node, Let):
            return self._let(node)
        if not isinstance(node, Operation):
            return Truth(FALSE, FALSE)
        return self._operation(node)

    def _let(self, node: Let) -> Truth:
        found = self._lets.get(node.name)
        if not isinstance(found, Truth):
            found = self._lets[node.name] = self.truth(node.body)
        return found

    def _operation(self, node: Operation) -> Truth:
        name, arguments = node.operator, node.arguments
        if name in ("&&", "||"):
            left, right = map(self.truth, arguments)
            both = Truth(f"({left.true} && {right.true})", f"({left.false} || {right.false})")
            either = Truth(f"({left.true} || {right.true})", f"({left.false} && {right.false})")
            return both if name == "&&" else either
        if name == "!":
            return Truth(*reversed(self.truth(arguments[0])))
        if name == "BOUND":
            return self._write_bound(arguments[0])
        if name == "IF":
            return self._chosen(*map(self.truth, arguments))
        if name == "COALESCE":
            return self._first([self.truth(one) for one in arguments])
        if name in ("=", "!=") and any(map(_flag, arguments)):
            return self._same(name, *map(self.truth, arguments))
        return self._write_comparison(node)

    def _write_bound(self, node: Node) -> Truth:
        if isinstance(node, WordNode) and node.many:
            self.lines.append(f"OPTIONAL {{ ?focus {path(node)} ?{node.name}_any }}")
            found = f"BOUND(?{node.name}_any)"
        elif _flag(node):
            found = f"({' || '.join(self.truth(node))})"
        else:
            found = self.value(node).known
        return Truth(found, f"(!({found}))")

    def _chosen(self, condition: Truth, first: Truth, second: Truth) -> Truth:
        return Truth(
            f"(({condition.true} && {first.true}) || ({condition.false} && {second.true}))",
            f"(({condition.true} && {first.false}) || ({condition.false} && {second.false}))",
        )

    def _first(self, found: list[Truth]) -> Truth:
        *before, last = found
        for one in reversed(before):
            unknown = f"(!{one.true} && !{one.false})"
            last = Truth(f"({one.true} || ({unknown} && {last.true}))", f"({one.false} || ({unknown} && {last.false}))")
        return last

    def _same(self, name: str, left: Truth, right: Truth) -> Truth:
        alike = f"(({left.true} && {right.true}) || ({left.false} && {right.false}))"
        other = f"(({left.true} && {right.false}) || ({left.false} && {right.true}))"
        return Truth(alike, other) if name == "=" else Truth(other, alike)

    def _write_comparison(self, node: Operation) -> Truth:
        """A comparison, or a function that gives a truth: known where all its arguments are."""
        values = [self.value(one) for one in node.arguments]
        known = _all([one.known for one in values])
        if node.operator == "IN":
            first, *rest = (one.value for one in values)
            told = f"({' || '.join(f'{first} = {one}' for one in rest)})"
        elif node.operator in COMPARED:
            told = f"({values[0].value} {node.operator} {values[1].value})"
        else:
            told = f"{node.operator}({', '.join(one.value for one in values)})"
        return Truth(f"({known} && {told})", f"({known} && !({told}))")

    # -- values

    def value(self, node: Node) -> PartialValue:
        """An expression that is a number or a text."""
        if isinstance(node, Number | Limit):
            return PartialValue(TRUE, number(node.value))
        if isinstance(node, Text):
            return PartialValue(TRUE, write_expression(node))
        if isinstance(node, WordNode):
            name = self.word(node)
            return PartialValue(f"BOUND({name})", name)
        if isinstance(node, Let):
            found = self._lets.get(node.name)
            if not isinstance(found, PartialValue):
                found = self._lets[node.name] = self.value(node.body)
            return found
        return self._write_calculation(node) if isinstance(node, Operation) else PartialValue(FALSE, "0")

    def _write_calculation(self, node: Operation) -> PartialValue:
        name, arguments = node.operator, node.arguments
        if name == "IF":
            condition, first, second = self.truth(arguments[0]), self.value(arguments[1]), self.value(arguments[2])
            known = f"(({condition.true} && {first.known}) || ({condition.false} && {second.known}))"
            return PartialValue(known, f"IF({condition.true}, {first.value}, {second.value})")
        values = [self.value(one) for one in arguments]
        if name == "COALESCE":
            *before, last = values
            for one in reversed(before):
                last = PartialValue(f"({one.known} || {last.known})", f"IF({one.known}, {one.value}, {last.value})")
            return last
        known = _all([one.known for one in values])
        if name in CALCULATED:
            return self._sum(node, values, known)
        if name == "XSD:INTEGER":
            return PartialValue(known, f"xsd:double(xsd:integer({values[0].value}))")
        return PartialValue(known, f"{name}({', '.join(one.value for one in values)})")

    def _sum(self, node: Operation, values: list[PartialValue], known: str) -> PartialValue:
        """A sum, product or quotient of doubles; a divisor of zero leaves it unknown, and nothing is divided by it."""
        left, right = (one.value for one in values)
        if not any(map(is_double, node.arguments)):
            left = f"xsd:double({left})"
        if node.operator == "/" and not isinstance(node.arguments[1], Number):
            return PartialValue(f"({known} && {right} != 0)", f"({left} / IF({right} = 0, 1, {right}))")
        return PartialValue(known, f"({left} {node.operator} {right})")


def _all(parts: list[str]) -> str:
    found = [one for one in dict.fromkeys(parts) if one != TRUE]
    return f"({' && '.join(found)})" if found else TRUE


def _flag(node: Node) -> bool:
    """Whether an expression is a truth, not a value."""
    if isinstance(node, WordNode):
        return node.type is Type.FLAG
    if isinstance(node, Let):
        return _flag(node.body)
    if isinstance(node, Operation):
        if node.operator in ("IF", "COALESCE"):
            return _flag(node.arguments[-1])
        return node.operator in ("&&", "||", "!", "BOUND", "IN", "STRSTARTS", "STRENDS", "CONTAINS", *COMPARED)
    return isinstance(node, Flag)
