"""Metric lists of the DCGM exporter: three columns, comments between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fate, Fragment, How, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "DCGM metric list"
TEXT = True
ROW = re.compile(r"\s*(DCGM_(?:FI|EXP)_\w+)\s*,\s*(gauge|counter|label|histogram|summary)\s*,", re.IGNORECASE)


def sure(source: Source) -> int:
    """8 where three lines name a field and its type."""
    return 8 if sum(ROW.match(line) is not None for line in source.text[:50_000].splitlines()) >= 3 else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """That GPUs are measured."""
    found = Fragment()
    for source in models:
        first = None
        fields = 0
        for number, (start, end, text) in enumerate(source.lines(), 1):
            if ROW.match(text):
                source.marks[number] = Fate.UNDERSTOOD
                fields += 1
                first = first or source.value("true", start, end, How.DERIVED, "the exporter collects GPU metrics")
        if first is not None:
            found.words["observability"] = {"gpu_metrics": first}
            found.fact("fields", first.but(fields, "lines counted"))
    return found
