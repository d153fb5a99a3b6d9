"""Every rule tried, on known-good designs or else on its own examples, and how many were tried how."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from . import examples, harness
from .judged import shipped

if TYPE_CHECKING:
    from .harness import Answer, Mutation


@cache
def answers() -> list[Answer]:
    """Every mutation, judged; of rules that have none, their examples."""
    tried = {one.rule for one in whole()}
    left = [rule for rule in shipped().rules.values() if rule.id not in tried]
    return [*map(harness.answer, whole()), *(one for rule in left for one in examples.answers(rule))]


@cache
def whole() -> list[Mutation]:
    """The mutations of known-good designs."""
    return list(harness.mutations())


def by_examples(found: list[Answer]) -> list[str]:
    """The rules that were tried on their own examples only."""
    return sorted({one.mutation.rule for one in found if one.mutation.base == examples.BASE})


def untried(found: list[Answer]) -> list[str]:
    """The rules that were not tried at all."""
    return sorted(shipped().rules.keys() - {one.mutation.rule for one in found})


def summary(found: list[Answer]) -> str:
    """The detection rate, and how many rules were tried how."""
    detected, rules = sum(one.detected for one in found), len(shipped().rules)
    own, none = by_examples(found), untried(found)
    return "\n".join(
        (
            f"{detected} of {len(found)} mutations detected ({detected / len(found):.1%})",
            f"{rules - len(own) - len(none)} of {rules} rules tried on whole known-good designs",
            f"{len(own)} on their own examples only: {', '.join(own) or 'none'}",
            f"{len(none)} not at all: {', '.join(none) or 'none'}",
        )
    )


if __name__ == "__main__":
    print(summary(answers()))
