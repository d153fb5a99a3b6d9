"""
YAML text, the place of every value, and (in `edits`, imported only to fix) surgical edits.

In: bytes of files. Out: trees whose values know their spans; new text where edits are asked for.
It knows no word of the design language.
"""

from __future__ import annotations

from designlint.reading.reader import LIMITS, Document, Limits, TextProblem, looks_like_design, read_bytes, read_file
from designlint.reading.tree import Node, Path, Value, tree_paths

__all__ = [
    "LIMITS",
    "Document",
    "Limits",
    "Node",
    "Path",
    "TextProblem",
    "Value",
    "looks_like_design",
    "read_bytes",
    "read_file",
    "tree_paths",
]
