"""Mends every design that a mutation broke and counts those that come out without an error."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from designlint.applying.session import apply_fixes
from designlint.linting import pipeline

from . import tally
from .bases import document, texts
from .harness import errors
from .judged import shipped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .harness import Answer, Mutation


@dataclass(frozen=True, slots=True)
class Mending:
    """A mutation that brought errors, the fixes that were made, and the rules whose errors are left."""

    mutation: Mutation
    made: tuple[str, ...]
    left: tuple[str, ...]

    def __str__(self) -> str:
        fault = f"{self.mutation.rule} on {self.mutation.base}: {self.mutation.what}".replace("\n", " ")[:100]
        return f"{fault} | {'; '.join(self.made) or 'no fix'} | left: {', '.join(self.left) or 'nothing'}"


def mendings(answers: Iterable[Answer], every: int = 1) -> Iterable[Mending]:
    """Each mutation of a whole design, or each so-manyth, that brings an error, mended as `--fix --unsafe-fixes` does."""
    broken = (one.mutation for one in answers if one.broken and one.mutation.base in texts())
    return map(mending, islice(broken, every - 1, None, every))


def mending(mutation: Mutation) -> Mending:
    """What becomes of one mutation when every fix is made that holds."""
    done = apply_fixes(pipeline.read_design(document(mutation.text, mutation.base), shipped()), lambda *_: True)
    made = tuple(f"{one.fix.title} [{one.finding.rule}]" for one in done.made)
    return Mending(mutation, made, tuple(sorted(set(errors(done.after.findings)))))


def summary(found: list[Mending]) -> str:
    """The repair rate in a line, then what is left, by rule."""
    mended_ones = sum(not one.left for one in found)
    lines = [f"{mended_ones} of {len(found)} broken designs repaired ({mended_ones / len(found):.1%})"]
    return "\n".join([*lines, *sorted(str(one) for one in found if one.left)])


if __name__ == "__main__":
    print(summary(list(mendings(tally.answers()))))
