"""
Expressions at work on the values of one subject.

Three values: what is unknown is None, and so is what is computed from it, unless the rest decides. Numbers are doubles:
a whole number is kept as an `int` while a double would hold it exactly. A quotient by zero is unknown.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.expressions.functions import STRICT
from designlint.expressions.logic import LAZY, simpler
from designlint.expressions.tree import EXACT, Let, Node, Operation, Unknown, WordNode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: The value of an expression about a subject; None where it is unknown.
Evaluate: TypeAlias = "Callable[[Any], Any]"
#: What a condition answers where it does not apply.
UNMET = "unmet"
#: What gives the value of a word of a subject, or of values by name.
Read: TypeAlias = "Callable[[Any, WordNode], Any]"

#: What a word holds that is neither one part nor unknown: a list of parts, or a name that leads to none.
NO_PART = frozenset({list, str, bool, int, float})


class SeveralError(Exception):
    """A word has several values, each of which is to be judged."""


class AddressError(Exception):
    """The text of a part is asked for, which is its address in RDF."""


def of_subject(subject: Any, word: WordNode) -> Any:
    """The value of a word of a subject. Raises SeveralError where there are several."""
    *way, last = word.path
    here = subject
    for step in way:
        here = here.facts.get(step)
        if here is None:
            return None
        if here.__class__ in NO_PART:
            raise SeveralError
    return plain(here.facts.get(last))


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


def of_values(values: Any, word: WordNode) -> Any:
    """The value of a word among values by name."""
    return values.get(word.name)


def evaluate(node: Node, source: Any, read: Read = of_subject) -> Any:
    """The value of an expression about a subject, or about what else `read` reads words of."""
    if isinstance(node, Operation):
        return _evaluate_operation(node, source, read)
    if isinstance(node, WordNode):
        return read(source, node)
    if isinstance(node, Let):
        return evaluate(node.body, source, read)
    return None if isinstance(node, Unknown) else node.value


def _evaluate_operation(node: Operation, source: Any, read: Read) -> Any:
    name, arguments = node.operator, node.arguments
    if name == "BOUND":
        (word,) = arguments
        if isinstance(word, WordNode) and read is of_subject:
            return has(source, word.path)
        return evaluate(word, source, read) is not None
    simple = simpler(node)
    if simple is not node:
        return evaluate(simple, source, read)
    if name in LAZY:
        return LAZY[name](*[partial(evaluate, one, source, read) for one in arguments])
    values: list[Any] = []
    for one in arguments:
        value = evaluate(one, source, read)
        if value is None:
            return None
        values.append(value)
    return STRICT[name](*values)


def has(subject: Any, path: Sequence[str]) -> bool:
    """Whether a subject has a word at the end of a path, once or several times."""
    return any(one.facts.get(word) not in (None, []) for one, word in subject.follow(path))
