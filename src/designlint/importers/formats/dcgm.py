"""Metric lists of the DCGM exporter: three columns, comments between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fate, Fragment, How, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context, Value

TITLE = "DCGM metric list"
TEXT = True
ROW = re.compile(r"\s*(DCGM_(?:FI|EXP)_\w+)\s*,\s*(gauge|counter|label|histogram|summary)\s*,", re.IGNORECASE)

#: The key of a manifest or of values for a chart whose text the list is.
HOLDER = re.compile(r"^[^#\n]*:[ \t]*[|>][-+0-9]*[ \t]*$", re.MULTILINE)
#: What the fields of DCGM tell of a GPU, by their names; remapped rows and retired pages follow errors of memory.
KINDS = (
    ("nvlink-errors", re.compile(r"_NVLINK_\w*ERR")),
    ("xid-errors", re.compile(r"_XID_")),
    ("ecc-errors", re.compile(r"_ECC_|REMAP|_RETIRED_")),
    ("throttling", re.compile(r"_VIOLATION|THROTTLE|CLOCKS?_EVENT")),
    ("temperature", re.compile(r"_(?:GPU|MEMORY)_TEMP\Z")),
    ("power", re.compile(r"_POWER_USAGE|_ENERGY_")),
    ("clocks", re.compile(r"_(?:SM|MEM)_CLOCK\Z")),
    ("memory", re.compile(r"_FB_(?:USED|FREE)")),
    ("utilization", re.compile(r"_GPU_UTIL|_(?:GR_ENGINE|SM)_ACTIVE")),
)


def sure(source: Source) -> int:
    """8 where three lines name a field and its type."""
    return 8 if sum(ROW.match(line) is not None for line in source.text[:50_000].splitlines()) >= 3 else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """What the exporter collects of GPUs, each kind at the first of its fields."""
    found = Fragment()
    for source in models:
        source.open_lines = HOLDER.search(source.text) is None
        kinds: dict[str, Value] = {}
        first, fields = None, 0
        for number, (start, end, text) in enumerate(source.lines(), 1):
            row = ROW.match(text)
            if row is None:
                continue
            source.marks[number] = Fate.UNDERSTOOD
            fields += 1
            first = first or source.value("", start, end, How.DERIVED)
            kind = next((name for name, pattern in KINDS if pattern.search(row[1].upper())), None)
            if kind is not None and kind not in kinds:
                kinds[kind] = source.value(kind, start, end, How.DERIVED, row[1])
        if kinds and "observability" not in found.words:
            found.words["observability"] = {"gpu_metrics": list(kinds.values())}
        found.fact("fields", first and first.but(fields, "lines counted"))
    return found
