"""Plans: from a brief to a design, whole processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.bench.measuring import DESIGNLINT, Row, cpu

if TYPE_CHECKING:
    from pathlib import Path

ORDER = 6
#: What is planned, and the goal.
PLANS = (
    ("llama-3-405b", "h100", "16384", 5),
    ("deepseek-v3", "h100", "16384", 5),
    ("llama-3-405b", "h100", "131072", 10),
    ("deepseek-v3", "h100", "131072", 10),
)


def rows(folder: Path) -> list[Row]:
    """Rows on plans of dense and mixed models, with their design, alternatives and sensitivity."""
    found = list[Row]()
    for model, gpu, gpus, goal in PLANS:
        taken = cpu([DESIGNLINT, "plan", "--model", model, "--tokens", "10T", "--gpu", gpu, "--gpus", gpus])[0]
        found.append(
            (f"`plan`: {model} on {int(gpus):,} {gpu}, whole process", f"goal at most {goal} s CPU", f"{taken:.1f} s")
        )
    return found
