"""Spans of files as people and editors name them, and what an edit puts there."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

LINE_END = re.compile(r"\r\n?|\n")


class Location(NamedTuple):
    """A stretch of a file: 1-based, columns count characters, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


class Replacement(NamedTuple):
    """The same change as an editor makes it: what stands at the location becomes the text."""

    location: Location
    text: str


@lru_cache(maxsize=64)
def lines(text: str) -> list[str]:
    """The lines of a text, without their line ends."""
    return LINE_END.split(text)
