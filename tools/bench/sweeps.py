"""Sweeps: the questions of `what-if`."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from tools.bench.measuring import CHECK, DESIGNLINT, ROOT, Row, cpu

if TYPE_CHECKING:
    from pathlib import Path

ORDER, TURNS = 5, 5


def rows(folder: Path) -> list[Row]:
    """Rows on a sweep of a thousand points, beside as many checks of the design."""
    file, found = str(ROOT / "examples" / "hawk-4096" / "design.yaml"), list[Row]()
    for shown in ("days,cost,power,error", "findings,unknown"):
        command = [DESIGNLINT, "what-if", file, "--sweep", "nodes/train/count=1..1000", "--show", shown]
        pairs = [(cpu(command)[0], cpu([*CHECK, file])[0]) for _ in range(TURNS)]
        taken, once = (median(one) for one in zip(*pairs, strict=True))
        what = f"`what-if` at 1,000 points of 4,096 GPUs, `{shown}`"
        found.append((what, "goal at most 5 s CPU", f"{taken:.1f} s"))
        found.append(
            ("the same, ratio", f"1,000 times `check` of the design at {once:.3f} s", f"1 : {1000 * once / taken:.0f}")
        )
    return found
