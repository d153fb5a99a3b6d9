"""Which variables a nested group may see: the rules by which an answer from left to right is the answer of SPARQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class UnsupportedError(Exception):
    """A query is left to an engine."""


class GroupScope:
    """
    The variables of a group while it is read.

    Attributes:
        outer: those that may be bound around it, which SPARQL hides from it until both are joined.
        possible: those that it may have bound so far, and `certain` those that it has.
        met: all that its patterns and expressions name.
        hidden: those of `outer` that its filters do not see either: the filters of an OPTIONAL see the group that holds it.
    """

    def __init__(
        self, outer: set[str], possible: set[str], certain: set[str] | None = None, hidden: set[str] | None = None
    ) -> None:
        self.outer, self.possible, self.certain = outer, possible, certain or set()
        self.hidden = outer if hidden is None else hidden
        self.met: set[str] = set()

    def inside(self, *, conditional: bool) -> GroupScope:
        """The scope of a group in this one, of an OPTIONAL where it is conditional."""
        return GroupScope(self.outer | self.possible, set(), hidden=self.outer - self.certain if conditional else None)

    def meet(self, names: Iterable[str], certain: Iterable[str]) -> None:
        """Patterns have bound variables, or what they bound may be unbound."""
        names = set(names)
        self.met |= names
        self.possible |= names
        self.certain |= names.intersection(certain)

    def offer(self, optional: GroupScope) -> None:
        """
        An OPTIONAL has been read.

        Raises:
            UnsupportedError: it shares a variable with what is around this group, and this group need not bind it.
        """
        self.own(optional.met, self.outer)
        self.met |= optional.met
        self.possible |= optional.possible

    def bind(self, name: str) -> None:
        """A value has been computed. Raises UnsupportedError where the name is taken outside."""
        if name in self.outer or name in self.possible:
            raise UnsupportedError
        self.met.add(name)
        self.possible.add(name)

    def check(self, used: set[str], *, filtering: bool) -> None:
        """An expression reads variables. Raises UnsupportedError where SPARQL would hide one of them."""
        self.met |= used
        self.own(used, self.hidden if filtering else self.outer)

    def own(self, used: set[str], hidden: set[str]) -> None:
        """Raise UnsupportedError where one of the variables is hidden, and this group need not bind it itself."""
        if (used & hidden) - self.certain:
            raise UnsupportedError
