"""
A report in words or for machines.

In: a report. Out: text of one format. It knows no design and no rule.
Each module of this folder is a format: its name, and `render(report, options)`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from designlint.findings.report import Report
    from designlint.reporters.shared.options import RenderOptions


def names() -> list[str]:
    """The formats there are."""
    return sorted(file.stem for file in Path(__file__).parent.glob("*.py") if file.stem != "__init__")


def render(format: str, report: Report, options: RenderOptions) -> str:
    """The report in one of the formats; only its module is imported."""
    text: str = import_module(f"designlint.reporters.{format}").render(report, options)
    return text
