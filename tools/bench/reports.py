"""The report for approval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.bench.measuring import DESIGNLINT, ROOT, Row, seconds

if TYPE_CHECKING:
    from pathlib import Path

ORDER = 4


def rows(folder: Path) -> list[Row]:
    """Rows on the report for approval, of a faulty design of 4,096 GPUs and of the same thirty-two times as large."""
    small = (ROOT / "examples" / "hawk-4096" / "design.yaml").read_text("utf-8")
    large = small.replace("count: 512", "count: 16384").replace("gpus: 4096", "gpus: 131072")
    for tier, number in (("leaves", 136), ("spines", 136), ("cores", 68)):
        large = large.replace(f"{tier}: {number}", f"{tier}: {32 * number}")
    rows = []
    for name, text, goal in (("4,096", small, "3 s and 3 MB"), ("131,072", large, "10 s")):
        file, made = folder / f"{name}.yaml", folder / f"{name}.html"
        file.write_text(text, "utf-8")
        times = seconds({"report": [DESIGNLINT, "report", str(file), "-o", str(made)]})
        size = made.stat().st_size / 1e6
        rows.append(
            (
                f"report on {name} GPUs, ways out included",
                f"goal at most {goal}",
                f"{times['report']:.1f} s, {size:.2f} MB",
            )
        )
    return rows
