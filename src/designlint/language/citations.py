"""How a source is cited: with how its content is known, so that nobody takes a figure from memory for one that was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: What `:confidence` of a source or a figure says to people.
LABELS = {"verified": "verified", "secondary": "secondary source", "from-memory": "from memory"}


def cite_source(source: str, confidence: str) -> str:
    """A source with how its content is known, as `zero-2020, from memory`; the source alone where that is not stated."""
    label = LABELS.get(confidence, "")
    return f"{source}, {label}" if label else source


def citations(sources: Iterable[str], confidence: Mapping[str, str]) -> list[str]:
    """Each source as it is cited."""
    return [cite_source(source, confidence.get(source, "")) for source in sources]
