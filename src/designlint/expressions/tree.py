"""The syntax tree of expressions: frozen nodes, with what walks and folds over them."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Result = TypeVar("Result")

#: Where a node stands in its text: first character, and the one behind the last.
Span: TypeAlias = "tuple[int, int]"
NOWHERE: Span = (0, 0)
#: Numbers are doubles; up to here whole ones are exact.
EXACT = 2**53


class Type(StrEnum):
    """What values a node can have; `ANY` is the type of what is never known."""

    NUMBER = "number"
    TEXT = "text"
    FLAG = "flag"
    DATE = "date"
    PART = "part"
    ANY = "anything"


class _Node(Struct, frozen=True, eq=False):
    """What all nodes share: the place in the text is no part of what a node is."""

    def _values(self) -> tuple[Any, ...]:
        return (type(self), *(getattr(self, name) for name in self.__struct_fields__ if name != "span"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Node) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        kind, *values = self._values()
        return f"{kind.__name__}({', '.join(map(repr, values))})"


class Number(_Node, frozen=True, eq=False):
    """A number as the author wrote it."""

    value: int | float
    span: Span = NOWHERE


class Text(_Node, frozen=True, eq=False):
    """A text between quotes."""

    value: str
    span: Span = NOWHERE


class Flag(_Node, frozen=True, eq=False):
    """`true` or `false`."""

    value: bool
    span: Span = NOWHERE


class Unknown(_Node, frozen=True, eq=False):
    """What is never known, spelled `1/0`."""

    span: Span = NOWHERE


class WordNode(_Node, frozen=True, eq=False):
    """
    A word of the design language, read of the subject.

    Attributes:
        path: the words that lead from the subject to it.
        kind: its kind of quantity, `Text`, `Flag`, `Date`, or the class of its part or name.
        many: whether it may have several values; each is then judged.
    """

    name: str
    path: tuple[str, ...]
    kind: str
    type: Type
    many: bool = False
    span: Span = NOWHERE


class Limit(_Node, frozen=True, eq=False):
    """A limit of the rule, in the canonical unit of its kind."""

    name: str
    kind: str
    value: int | float
    span: Span = NOWHERE


class Let(_Node, frozen=True, eq=False):
    """A value that the rule computes under a name of its own."""

    name: str
    kind: str
    body: Node
    span: Span = NOWHERE


class Operation(_Node, frozen=True, eq=False):
    """An operator or function at work; what it means stands in `designlint.expressions.operators`."""

    operator: str
    arguments: tuple[Node, ...]
    span: Span = NOWHERE


Node: TypeAlias = "Number | Text | Flag | Unknown | WordNode | Limit | Let | Operation"
Named: TypeAlias = "WordNode | Limit | Let"


def parts(node: Node) -> tuple[Node, ...]:
    """What a node is made of: the arguments of an operation, the body of a computed value."""
    if isinstance(node, Operation):
        return node.arguments
    return (node.body,) if isinstance(node, Let) else ()


def fold(node: Node, work: Callable[[Node, tuple[Result, ...]], Result]) -> Result:
    """What `work` makes of a node and of the results for its parts, from the leaves up."""
    return work(node, tuple(fold(part, work) for part in parts(node)))


def walk(node: Node, *, inside: bool = True) -> Iterator[Node]:
    """The node and all below it in the order of the text; with `inside`, through computed values too."""
    yield node
    if inside or not isinstance(node, Let):
        for part in parts(node):
            yield from walk(part, inside=inside)


def collect_names(node: Node, *, inside: bool = True) -> dict[str, Named]:
    """Words, limits and computed values of an expression, by name in the order of the text."""
    found: dict[str, Named] = {}
    for one in walk(node, inside=inside):
        if isinstance(one, WordNode | Limit | Let):
            found.setdefault(one.name, one)
    return found


def conjuncts(node: Node) -> Iterator[Node]:
    """The parts of a condition that must all hold."""
    if isinstance(node, Operation) and node.operator == "&&":
        for one in node.arguments:
            yield from conjuncts(one)
    else:
        yield node


def encode_node(node: Node) -> Any:
    """A node as JSON-able data: what has a name is that name after a `?`."""
    if isinstance(node, WordNode | Limit | Let):
        return f"?{node.name}"
    if isinstance(node, Operation):
        return [node.operator, *map(encode_node, node.arguments)]
    if isinstance(node, Text):
        return ["text", node.value]
    return None if isinstance(node, Unknown) else node.value


def decode_node(data: Any, names: Mapping[str, Node]) -> Node:
    """The node that data stands for; `names` gives what has a name, by that name after a `?`."""
    kind = data.__class__
    if kind is str:
        return names[data]
    if kind is list:
        if data[0] == "text":
            return Text(data[1])
        return Operation(data[0], tuple([decode_node(part, names) for part in data[1:]]))
    if kind is bool:
        return Flag(data)
    return Unknown() if data is None else Number(data)
