"""A thousand designs in one command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.corpus.convert import designs
from tests.mutation.harness import mutations

from tools.bench.measuring import DESIGNLINT, ROOT, Row, cpu

if TYPE_CHECKING:
    from pathlib import Path

ORDER = 3


def thousand(folder: Path) -> None:
    """A thousand designs, all different: examples, broken ones of the mutation tests, published runs and fabrics."""
    texts = {path.read_text("utf-8"): None for path in sorted((ROOT / "examples").rglob("*.yaml"))}
    texts |= {one.text: None for one in mutations()}
    texts |= {case.yaml: None for case in designs()}
    chosen = sorted(texts)[:: max(1, len(texts) // 1000)][:1000]
    for number, text in enumerate(chosen):
        (folder / f"{number:04}.yaml").write_text(text, "utf-8")


def rows(folder: Path) -> list[Row]:
    """Rows on a thousand designs in one command."""
    thousand(folder)
    number = len(list(folder.iterdir()))
    kept = [DESIGNLINT, "check", str(folder), "--format", "concise", "--jobs"]
    (alone, told), (both, again) = (cpu([*kept, jobs, "--no-cache"]) for jobs in ("1", "2"))
    (first, _), (later, same) = (cpu([*kept, "1"]) for _ in range(2))
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in folder.iterdir()) // number
    what = f"{number} designs of {lines} lines on average in one command, CPU for each"
    return [
        (what, "one process (goal at most 0.04 s)", f"{alone / number:.3f} s"),
        (what, "two processes", f"{both / number:.3f} s"),
        (what, "one process that keeps the reports", f"{first / number:.3f} s"),
        (what, "one process, all reports kept before", f"{later / number:.4f} s"),
        (
            "the same, output",
            "of one process, of two, and of kept reports",
            "identical" if told == again == same else "DIFFERENT",
        ),
    ]
