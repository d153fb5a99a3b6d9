"""
Writes what a design says in the formats of other tools: schedulers, simulators, cable schedules, launchers.

In: a design with its derived facts. Out: the text of a file, and what the design does not say and was therefore left out.
It knows no rule and no importer. Nothing is invented: names and port
numbers that the design does not state are formed by a stated rule, and the file says so.

Each module of `formats/` is a format: `TITLE`, and `write(order)` that yields an `Export` or raises a `Refusal`.
"""

from __future__ import annotations

from designlint.exporters.base import Export, ExportRefusal, Order
from designlint.exporters.registry import load_format, names

__all__ = ["Export", "ExportRefusal", "Order", "load_format", "names"]
