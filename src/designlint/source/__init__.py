"""YAML text, the place of every value, and (in `edits`, imported only to fix) surgical edits."""

from __future__ import annotations

from designlint.source.reader import (
    LIMITS,
    Document,
    Limits,
    Problem,
    looks_like_design,
    read_bytes,
    read_file,
)
from designlint.source.tree import Node, Path, Value, tree_paths

__all__ = [
    "LIMITS",
    "Document",
    "Limits",
    "Node",
    "Path",
    "Problem",
    "Value",
    "looks_like_design",
    "read_bytes",
    "read_file",
    "tree_paths",
]
