"""How much may be tried on a design: one budget for whoever changes it to see what comes of that."""

from __future__ import annotations

import gc
import math
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from designlint.design.design import Design
    from designlint.judging.judge import Judged

#: What a try costs beside the letters of the design that it reads, in letters that take as long: it judges, derives and
#: judges each node, and holds the findings against those before (10 ms, 0.06 ms and 0.5 ms where 1,000 letters took 1.5 ms,
#: 2026-11-20; nodes 2026-11-22).
EACH, EACH_NODE, EACH_FINDING = 7_000, 40, 350
#: What trying a change of single facts costs, which reads no text.
EACH_FACT = 2_000
#: Letters after which what tries left over is thrown away: trees of text refer to themselves, and would fill the memory.
KEPT = 3_000_000


class TrialBudget(Struct):
    """
    How much may still be tried, in letters read: each try reads and judges a design again. Counted, not timed: the same
    design gets as far on every machine.

    Attributes:
        cut: more was wanted.
    """

    left: float = math.inf
    cut: bool = False
    _since: float = 0

    def over(self) -> bool:
        """Whether no more may be tried; who asks wants more."""
        self.cut = self.cut or self.left <= 0
        return self.cut

    def another(self, state: Judged) -> bool:
        """Whether a design may be tried once more, which then counts."""
        if not self.over():
            nodes = len(state.design.graph.subjects)
            self.spend(EACH + letters(state.design) + EACH_NODE * nodes + EACH_FINDING * len(state.findings))
        return not self.cut

    def spend(self, letters: float) -> None:
        """Count so many letters read."""
        self.left -= letters
        self._since += letters
        if self._since > KEPT:
            self._since = 0
            gc.collect()


def letters(design: Design) -> int:
    """The letters of all files of a design."""
    return sum(map(len, design.texts().values()))
