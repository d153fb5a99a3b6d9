"""Kinds of parts whose names say their figures, so that the catalogue need not have each."""

from __future__ import annotations

from designlint.language import optic_names

READERS = {"Transceiver": optic_names.read}


def says_figures(cls: str, name: str) -> bool:
    """Whether a part of a class is known by its name alone."""
    return cls in READERS and READERS[cls](name) is not None
