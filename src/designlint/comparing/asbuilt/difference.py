"""One difference before it is a finding: the rule that says it, the values of its message, and its places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.language.sentences import many

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.design.known import Spot


class Deviation(NamedTuple):
    """
    A difference.

    Attributes:
        designed, seen: its place in the design, and in the dump.
        ends: the switches that it is about, by their names in the design, or in the dump where the design has no such.
    """

    rule: str
    values: Mapping[str, Any]
    designed: Spot | None
    seen: Spot | None
    ends: tuple[str, ...] = ()


def leading(count: int) -> str:
    """So many cables that lead somewhere, with the verb."""
    return f"{many(count, 'cable')} lead{'s' if count == 1 else ''}" if count else "no cable leads"


def cables(count: int) -> str:
    """So many cables that are seen, with the verb."""
    return f"{many(count, 'cable')} {'is' if count == 1 else 'are'}" if count else "no cable is"
