"""Expressions as text again: as an author writes them, and as a person reads them in a message."""

from __future__ import annotations

from designlint.expressions.operators import COMPARING, OPERATORS, PREFIX
from designlint.expressions.tree import Flag, Let, Limit, Node, Operation, Text, Unknown, WordNode, walk

#: Signs of calculations as people write them.
SPOKEN = {"+": "+", "-": "-", "*": "×", "/": "/"}
#: Letters beyond which an expression is not for people.
LONGEST = 48


def write_expression(node: Node, *, mark: str = "?") -> str:
    """The expression as an author writes it, with as few brackets as it needs; `mark` stands before each name."""
    if isinstance(node, WordNode | Limit | Let):
        return f"{mark}{node.name}"
    if isinstance(node, Text):
        escaped = node.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{escaped}"'
    if isinstance(node, Operation):
        return _operation(node, mark)
    if isinstance(node, Flag):
        return "true" if node.value else "false"
    return "1/0" if isinstance(node, Unknown) else repr(node.value)


def _operation(node: Operation, mark: str) -> str:
    name, arguments = node.operator, node.arguments
    if name == "!" and isinstance(arguments[0], Operation) and arguments[0].operator == "IN":
        return _among(arguments[0], "NOT IN", mark)
    if name == "IN":
        return _among(node, "IN", mark)
    if name == "!":
        return f"!{_within(arguments[0], PREFIX, mark)}"
    strength = OPERATORS[name].strength
    if not strength:
        inside = ", ".join(write_expression(one, mark=mark) for one in arguments)
        return f"{name.replace('XSD:INTEGER', 'xsd:integer')}({inside})"
    left = _within(arguments[0], strength + (strength == COMPARING), mark)
    return f"{left} {name} {_within(arguments[1], strength + 1, mark)}"


def _among(node: Operation, sign: str, mark: str) -> str:
    choices = ", ".join(write_expression(one, mark=mark) for one in node.arguments[1:])
    return f"{_within(node.arguments[0], COMPARING + 1, mark)} {sign} ({choices})"


def binding(node: Node) -> int:
    """How strongly the outermost sign of a node binds; more than any sign where it needs no brackets."""
    if isinstance(node, Unknown):
        return OPERATORS["/"].strength
    if not isinstance(node, Operation):
        return PREFIX + 1
    if node.operator == "!":
        inner = node.arguments[0]
        return COMPARING if isinstance(inner, Operation) and inner.operator == "IN" else PREFIX
    return OPERATORS[node.operator].strength or PREFIX + 1


def _within(node: Node, least: int, mark: str) -> str:
    text = write_expression(node, mark=mark)
    return text if binding(node) >= least else f"({text})"


def spoken(node: Node) -> str:
    """A short calculation as a person reads it in a sentence: words spaced; empty where it is none."""
    for one in walk(node, inside=False):
        if isinstance(one, Text | Flag | Unknown) or (isinstance(one, Operation) and one.operator not in SPOKEN):
            return ""
    words = _spoken(node)
    return words if len(words) <= LONGEST else ""


def _spoken(node: Node) -> str:
    if not isinstance(node, Operation):
        return write_expression(node, mark="").replace("_", " ")
    strength = OPERATORS[node.operator].strength
    left, right = (
        _spoken(one) if binding(one) >= least else f"({_spoken(one)})"
        for one, least in zip(node.arguments, (strength, strength + 1), strict=True)
    )
    return f"{left} {SPOKEN[node.operator]} {right}"
