"""A report in words or for machines. Each module of this folder is a format: its name, and `render(report, manner)`."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.model import Severity

if TYPE_CHECKING:
    from collections.abc import Collection

    from designlint.model import Report


@dataclass(frozen=True, slots=True)
class Manner:
    """
    How a report is written, as far as its format can follow.

    Attributes:
        accepted: waived and baselined findings are listed too, marked as such.
        failing: the severities that fail a run.
        today: the day as of which the designs were judged, where it was given.
    """

    color: bool = False
    accepted: bool = False
    failing: Collection[Severity] = (Severity.ERROR,)
    today: str = ""


def names() -> list[str]:
    """The formats there are."""
    return sorted(file.stem for file in Path(__file__).parent.glob("*.py") if file.stem != "__init__")


def render(format: str, report: Report, manner: Manner) -> str:
    """The report in one of the formats; only its module is imported."""
    text: str = import_module(f"designlint.reporters.{format}").render(report, manner)
    return text
