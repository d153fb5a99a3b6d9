"""Fleets: ten thousand designs in a Virtuoso of their own. This group takes the better part of an hour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools import fleet, virtuoso

if TYPE_CHECKING:
    from pathlib import Path

    from tools.bench.measuring import Row

ORDER = 7
DESIGNS = 10_000


def rows(folder: Path) -> list[Row]:
    """Rows on loading, judging and asking; a row that says why where there is no Virtuoso."""
    reason = virtuoso.missing()
    return [("fleet", reason, "left out")] if reason else fleet.measure_rows(DESIGNS, folder)
