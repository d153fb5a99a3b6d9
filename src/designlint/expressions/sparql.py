"""
Expressions as SPARQL, so that any engine can be asked what a rule asks.

Numbers are doubles. SPARQL calculates with integers and decimals too; so where no argument is surely a double, the
first one is cast. A quotient by zero is unknown: SPARQL has an infinity there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.expressions.limits import PREFIXES, limit, number
from designlint.expressions.operators import COMPARING, OPERATORS, PREFIX
from designlint.expressions.tree import Let, Limit, Named, Node, Number, Operation, WordNode, collect_names
from designlint.expressions.writing import binding, write_expression

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

CALCULATED = ("+", "-", "*", "/")
#: Functions whose result is a double where their arguments are.
KEPT = ("ABS", "FLOOR", "CEIL", "ROUND", "COALESCE")


def expression(node: Node) -> str:
    """The expression in SPARQL."""
    if isinstance(node, Number):
        return number(node.value)
    if isinstance(node, Operation):
        return _operation(node)
    return write_expression(node)


def _operation(node: Operation) -> str:
    name, arguments = node.operator, node.arguments
    if name == "BOUND":
        return _bind(arguments[0])
    if name == "!":
        return f"!{_within(arguments[0], PREFIX)}"
    if name == "IN":
        return f"{_within(arguments[0], COMPARING + 1)} IN ({', '.join(map(expression, arguments[1:]))})"
    if name in CALCULATED:
        return _calculate(name, arguments)
    if name == "XSD:INTEGER":
        return f"xsd:double(xsd:integer({expression(arguments[0])}))"
    if name == "STR":  # nothing below nothing has no sign
        return f"STR({_within(arguments[0], OPERATORS['+'].strength)} + 0)"
    strength = OPERATORS[name].strength
    if not strength:
        return f"{name}({', '.join(map(expression, arguments))})"
    left, right = _within(arguments[0], strength + (strength == COMPARING)), _within(arguments[1], strength + 1)
    return f"{left} {name} {right}"


def _bind(node: Node) -> str:
    if isinstance(node, WordNode) and node.many:  # a variable would give a row for each value
        return f"EXISTS {{ ?focus {path(node)} [] }}"
    return f"BOUND({write_expression(node)})"


def _calculate(name: str, arguments: Sequence[Node]) -> str:
    left, right = arguments
    strength = OPERATORS[name].strength
    first, second = _within(left, strength), _within(right, strength + 1)
    if not is_double(left) and not is_double(right):
        first = f"xsd:double({expression(left)})"
    if name == "/" and not isinstance(right, Number):
        second = f"IF({expression(right)} = 0, 1/0, {expression(right)})"
    return f"{first} {name} {second}"


def is_double(node: Node) -> bool:
    """Whether the value is surely a double in SPARQL, where it is known."""
    if isinstance(node, Number | Limit):
        return isinstance(node.value, float)
    if isinstance(node, Let):
        return is_double(node.body)
    if not isinstance(node, Operation):
        return False
    if node.operator in KEPT:
        return all(map(is_double, node.arguments))
    if node.operator == "IF":
        return all(map(is_double, node.arguments[1:]))
    return node.operator in (*CALCULATED, "XSD:INTEGER")


def _within(node: Node, least: int) -> str:
    text = expression(node)
    return text if _binding(node) >= least else f"({text})"


def _binding(node: Node) -> int:
    """How strongly the outermost sign binds, as SPARQL writes it."""
    if isinstance(node, Operation) and node.operator == "!":
        return PREFIX
    return PREFIX if isinstance(node, Number) and node.value < 0 else binding(node)


def path(word: WordNode) -> str:
    """The way from the subject to a word, as a path of SPARQL."""
    return "/".join(f":{step}" for step in word.path)


def query(about: str, judge: Node, when: Node | None, shown: Mapping[str, Named]) -> str:
    """
    The query that asks of every subject of a class what a rule asks, as `?when` and `?ok`.

    Args:
        shown: the words, limits and computed values that it reads and selects, by name.
    """
    found = _order_names(shown.values())
    limits = [limit(one.name, one.value) for one in found if isinstance(one, Limit)]
    reads = [f"OPTIONAL {{ ?focus {path(one)} ?{one.name} }}" for one in found if isinstance(one, WordNode)]
    binds = [f"BIND(({expression(one.body)}) AS ?{one.name})" for one in found if isinstance(one, Let)]
    body = "\n  ".join([f"?focus a :{about} .", *limits, *reads, *binds])
    condition = "true" if when is None else expression(when)
    answers = f"(({condition}) AS ?when) (({expression(judge)}) AS ?ok)"
    return f"{PREFIXES}SELECT ?focus{''.join(f' ?{one}' for one in shown)} {answers}\nWHERE {{\n  {body}\n}}"


def _order_names(shown: Iterable[Named]) -> list[Named]:
    """The same, what a computed value reads before that value."""
    found: dict[str, Named] = {}

    def add(one: Named) -> None:
        for inner in collect_names(one.body, inside=False).values() if isinstance(one, Let) else ():
            if isinstance(inner, Let):
                add(inner)
        found.setdefault(one.name, one)

    for one in shown:
        add(one)
    return list(found.values())
