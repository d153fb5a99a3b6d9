"""Mends every design that a mutation broke and counts those that come out without an error."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from designlint import pipeline
from designlint.fixing import mended
from designlint.model import Severity

from . import harness
from .bases import document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.judging import Judged
    from designlint.model import Finding

    from .harness import Mutation


@dataclass(frozen=True, slots=True)
class Mending:
    """A mutation that brought errors, the fixes that were made, and the rules whose errors are left."""

    mutation: Mutation
    made: tuple[str, ...]
    left: tuple[str, ...]

    def __str__(self) -> str:
        fault = f"{self.mutation.rule} on {self.mutation.base}: {self.mutation.what}".replace("\n", " ")[:100]
        return f"{fault} | {'; '.join(self.made) or 'no fix'} | left: {', '.join(self.left) or 'nothing'}"


def mendings(every: int = 1) -> Iterable[Mending]:
    """Each mutation, or each so-manyth of them, that brings an error, mended as `--fix --unsafe-fixes` does."""
    broken = 0
    for mutation in harness.mutations():
        was = harness.said(mutation.before, mutation.base, mutation.rule)
        now = harness.said(mutation.text, mutation.base, mutation.rule)
        if not Counter(_severe(now)) - Counter(_severe(was)):
            continue
        broken += 1
        if broken % every == 0:
            yield mending(mutation)


def mending(mutation: Mutation) -> Mending:
    """What becomes of one mutation when every fix is made that holds."""
    done = mended(pipeline.read(document(mutation.text, mutation.base), harness.shipped()), lambda *_: True)
    made = tuple(f"{one.fix.title} [{one.finding.rule}]" for one in done.made)
    return Mending(mutation, made, tuple(sorted(set(_errors(done.after)))))


def _errors(judged: Judged) -> list[str]:
    return _severe(judged.findings)


def _severe(findings: Iterable[Finding]) -> list[str]:
    return [one.rule for one in findings if one.severity is Severity.ERROR]


def summary(found: list[Mending]) -> str:
    """The repair rate in a line, then what is left, by rule."""
    mended_ones = sum(not one.left for one in found)
    lines = [f"{mended_ones} of {len(found)} broken designs repaired ({mended_ones / len(found):.1%})"]
    return "\n".join([*lines, *sorted(str(one) for one in found if one.left)])


if __name__ == "__main__":
    print(summary(list(mendings())))
