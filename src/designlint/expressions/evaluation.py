"""
Expressions at work on the values of one subject.

Three values: what is unknown is None, and so is what is computed from it, unless the rest decides. Numbers are doubles:
a whole number is kept as an `int` while a double would hold it exactly. A quotient by zero is unknown.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.expressions.functions import STRICT
from designlint.expressions.tree import EXACT, Flag, Let, Limit, Node, Number, Operation, Text, WordNode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

#: The value of an expression about a subject; None where it is unknown.
Evaluate: TypeAlias = "Callable[[Any], Any]"
#: What a condition answers where it does not apply.
UNMET = "unmet"
#: How a word is read of a subject.
Read: TypeAlias = "Callable[[WordNode], Evaluate]"

#: What a word holds that is neither one part nor unknown: a list of parts, or a name that leads to none.
NO_PART = frozenset({list, str, bool, int, float})


class SeveralError(Exception):
    """A word has several values, each of which is to be judged."""


class AddressError(Exception):
    """The text of a part is asked for, which is its address in RDF."""


def of_subject(word: WordNode) -> Evaluate:
    """How a word is read of a subject. What it gives raises SeveralError where there are several values."""
    *way, last = word.path
    if not way:
        return lambda subject: plain(subject.facts.get(last))
    if len(way) == 1:
        return _of_part(way[0], last)

    def value(subject: Any) -> Any:
        here = subject
        for step in way:
            here = here.facts.get(step)
            if here is None:
                return None
            if here.__class__ in NO_PART:
                raise SeveralError
        return plain(here.facts.get(last))

    return value


def _of_part(step: str, last: str) -> Evaluate:
    def value(subject: Any) -> Any:
        part = subject.facts.get(step)
        if part is None:
            return None
        if part.__class__ in NO_PART:
            raise SeveralError
        return plain(part.facts.get(last))

    return value


def plain(fact: Any) -> Any:
    """A fact as expressions calculate with it. Raises SeveralError."""
    kind = fact.__class__
    if kind is int:
        return fact if -EXACT <= fact <= EXACT else float(fact)
    if kind is list:
        if len(fact) > 1:
            raise SeveralError
        return plain(fact[0]) if fact else None
    return fact


def of_values(word: WordNode) -> Evaluate:
    """How a word is read of a mapping of values by name."""
    return operator.methodcaller("get", word.name)


def compiled(node: Node, read: Read = of_subject) -> Evaluate:
    """The expression, ready to be asked about one subject after the other."""
    return _Compiler(read).made(node)


def postponed(make: Callable[[], Evaluate]) -> Evaluate:
    """What `make` makes, made when it is first asked."""
    made: Evaluate | None = None

    def asked(subject: Any) -> Any:
        nonlocal made
        made = made or make()
        return made(subject)

    return asked


class _Compiler:
    """Makes closures of nodes; a computed value is made once."""

    def __init__(self, read: Read) -> None:
        self.read = read
        self.lets: dict[str, Evaluate] = {}

    def made(self, node: Node) -> Evaluate:
        if node.__class__ is Operation:
            return self.operation(node)
        if node.__class__ is WordNode:
            return self.read(node)
        if node.__class__ is Let:
            if node.name not in self.lets:
                self.lets[node.name] = self.made(node.body)
            return self.lets[node.name]
        value = node.value if isinstance(node, Number | Limit | Text | Flag) else None
        return lambda _: value

    def operation(self, node: Operation) -> Evaluate:
        name = node.operator
        if name == "BOUND" and isinstance(node.arguments[0], WordNode) and self.read is of_subject:
            path = node.arguments[0].path
            return lambda subject: has(subject, path)
        if name == "IN" and all(isinstance(one, Text) for one in node.arguments[1:]):
            return _among(
                self.made(node.arguments[0]), {one.value for one in node.arguments[1:] if isinstance(one, Text)}
            )
        parts = [self.made(one) for one in node.arguments]
        if name in LAZY:
            return LAZY[name](*parts)
        return _strict(STRICT[name], parts)


def _strict(work: Callable[..., Any], parts: Sequence[Evaluate]) -> Evaluate:
    """An operation that is unknown where an argument is."""
    if len(parts) == 2:
        left, right = parts

        def joined(subject: Any) -> Any:
            first = left(subject)
            if first is None:
                return None
            second = right(subject)
            return None if second is None else work(first, second)

        return joined

    def applied(subject: Any) -> Any:
        values = [one(subject) for one in parts]
        return None if None in values else work(*values)

    return applied


def has(subject: Any, path: Sequence[str]) -> bool:
    """Whether a subject has a word at the end of a path, once or several times."""
    return any(one.facts.get(word) not in (None, []) for one, word in subject.follow(path))


def _among(part: Evaluate, texts: set[str]) -> Evaluate:
    def among(subject: Any) -> Any:
        value = part(subject)
        return None if value is None else value in texts

    return among


def _and(left: Evaluate, right: Evaluate) -> Evaluate:
    def both(subject: Any) -> Any:
        first = left(subject)
        if first is False:
            return False
        second = right(subject)
        return second if first or second is False else None

    return both


def _or(left: Evaluate, right: Evaluate) -> Evaluate:
    def either(subject: Any) -> Any:
        first = left(subject)
        if first is True:
            return True
        second = right(subject)
        return second if first is False or second is True else None

    return either


def _if(condition: Evaluate, then: Evaluate, other: Evaluate) -> Evaluate:
    def chosen(subject: Any) -> Any:
        met = condition(subject)
        return None if met is None else then(subject) if met else other(subject)

    return chosen


def _coalesce(*parts: Evaluate) -> Evaluate:
    def first(subject: Any) -> Any:
        for one in parts:
            value = one(subject)
            if value is not None:
                return value
        return None

    return first


def _in(part: Evaluate, *choices: Evaluate) -> Evaluate:
    def among(subject: Any) -> Any:
        value = part(subject)
        known = [one(subject) for one in choices]
        if value is None:
            return None
        return any(value == one for one in known) or (None if None in known else False)

    return among


def _bound(part: Evaluate) -> Evaluate:
    return lambda subject: part(subject) is not None


LAZY: Mapping[str, Callable[..., Evaluate]] = {
    "&&": _and,
    "||": _or,
    "IF": _if,
    "COALESCE": _coalesce,
    "IN": _in,
    "BOUND": _bound,
}
