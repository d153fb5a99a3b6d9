"""Which answers of an expression are certain, by what its words are: exact, bounds or estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.expressions.directions import argument
from designlint.expressions.operators import Direction
from designlint.expressions.tree import Let, Node, Operation, Unknown, WordNode
from designlint.language.kinds import Side

if TYPE_CHECKING:
    from collections.abc import Callable


class Certainty(Struct, frozen=True):
    """
    What is certain of a value.

    Attributes:
        below: a number is no more than the truth; of a condition, true is certain.
        above: a number is no less than the truth; of a condition, false is certain.
    """

    below: bool
    above: bool

    @property
    def turned(self) -> Certainty:
        """That of the contrary."""
        return Certainty(self.above, self.below)

    def join(self, other: Certainty) -> Certainty:
        """That of what grows with both."""
        return Certainty(self.below and other.below, self.above and other.above)

    def along(self, direction: Direction) -> Certainty:
        """That of what answers to the value in a direction."""
        if direction is Direction.BOTH:
            return Certainty(*[self.below and self.above] * 2)
        return self if direction is Direction.UP else self.turned


CERTAIN = Certainty(below=True, above=True)
OF_SIDE = {
    Side.EXACT: CERTAIN,
    Side.LOWER: Certainty(below=True, above=False),
    Side.UPPER: Certainty(below=False, above=True),
    Side.ESTIMATE: Certainty(below=False, above=False),
}


def certainty(node: Node, known: Callable[[WordNode], Side]) -> Certainty:
    """
    What is certain of an expression.

    Args:
        known: what a word is.
    """
    if isinstance(node, WordNode):
        return OF_SIDE[known(node)]
    if isinstance(node, Let):
        return certainty(node.body, known)
    if not isinstance(node, Operation) or node.operator == "BOUND":
        return CERTAIN
    parts = [certainty(one, known) for one in node.arguments]
    if node.operator == "IF" and parts[0] != CERTAIN:
        return _chosen(node, parts)
    found = CERTAIN
    for at, part in enumerate(parts):
        found = found.join(part.along(argument(node, at)))
    never = any(map(never_known, node.arguments))
    return Certainty(found.below or (never and node.operator == "&&"), found.above or (never and node.operator == "||"))


def _chosen(node: Operation, parts: list[Certainty]) -> Certainty:
    """A choice by what is not exact is certain where only one way has an answer, and it is certain that it is taken."""
    condition, then, other = parts
    if never_known(node.arguments[1]) and condition.above:
        return other
    return then if never_known(node.arguments[2]) and condition.below else OF_SIDE[Side.ESTIMATE]


def never_known(node: Node) -> bool:
    """Whether an expression has no answer, as `1/0 = 1` has none."""
    if isinstance(node, Operation) and node.operator not in ("&&", "||", "IF", "COALESCE", "BOUND"):
        return any(map(never_known, node.arguments))
    return isinstance(node, Unknown)


def find_doubt(node: Node, known: Callable[[WordNode], Side]) -> Node | None:
    """The smallest part of a condition whose false answer is not certain; None where the whole is certain to be false."""
    if certainty(node, known).above:
        return None
    parts = node.arguments if isinstance(node, Operation) and node.operator == "&&" else ()
    return next((found for one in parts if (found := find_doubt(one, known)) is not None), node)
