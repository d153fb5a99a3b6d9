"""How designs are judged: which rules, with which severities and limits, as of which day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """
    What a run or a configuration file decides; plain values, so that a run can be split over processes.

    Attributes:
        rules: further folders of rules.
        today: the day as of which designs are judged, YYYY-MM-DD; the present day where it is empty.
        waivers: whether the waivers of the designs hold.
    """

    rules: tuple[Path, ...] = ()
    today: str = ""
    waivers: bool = True
