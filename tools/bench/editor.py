"""The editor: from a change to its diagnostics."""

from __future__ import annotations

import asyncio
import time
from statistics import median
from typing import TYPE_CHECKING

from tools.bench.designs import design
from tools.bench.measuring import LINES, ROUNDS, Row

if TYPE_CHECKING:
    from pathlib import Path

ORDER = 2


def rows(folder: Path) -> list[Row]:
    """One row."""
    what = f"a change to a design of {LINES} lines in an editor, until its diagnostics (goal at most 0.3 s)"
    return [(what, "", f"{editing(folder):.3f} s")]


def editing(folder: Path) -> float:
    """Median time from a change in an editor to its diagnostics [s], over a whole language server session."""
    from tools.session import Session

    async def session() -> list[float]:
        file, text, taken = folder / "edited.yaml", design(LINES), list[float]()
        async with Session(folder) as editor:
            await editor.open(file, text)
            for version in range(2, ROUNDS + 3):
                start = time.perf_counter()
                await editor.change(file, text.replace("tensor: 8", "tensor: 16", version % 2), version)
                taken.append(time.perf_counter() - start)
        return taken[1:]

    return median(asyncio.run(session()))
