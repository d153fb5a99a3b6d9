"""Sweeps: the questions of `what-if`."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from tools.bench.measuring import DESIGNLINT, ROOT, Row, cpu

if TYPE_CHECKING:
    from pathlib import Path

ORDER = 5


def rows(folder: Path) -> list[Row]:
    """Rows on a sweep of a thousand points."""
    file, found = str(ROOT / "examples" / "hawk-4096" / "design.yaml"), list[Row]()
    for shown in ("days,cost,power,error", "findings,unknown"):
        command = [DESIGNLINT, "what-if", file, "--sweep", "nodes/train/count=1..1000", "--show", shown]
        taken = median(cpu(command)[0] for _ in range(3))
        found.append((f"`what-if` at 1,000 points of 4,096 GPUs, `{shown}`", "goal at most 5 s CPU", f"{taken:.1f} s"))
    return found
