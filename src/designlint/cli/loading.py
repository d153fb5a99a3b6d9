"""One design for the commands that look into it; what is wrong with its text is said, not passed over."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from designlint import pipeline
from designlint.errors import UsageError

if TYPE_CHECKING:
    from designlint.design import Design


def loaded(file: str) -> Design:
    """The design in a file. Raises UsageError where its text is broken; faults of its shape are told on standard error."""
    design = pipeline.load(file)
    shown = design.document.file
    if design.document.root is None or not design.document.complete:
        raise UsageError(f"{shown}: the file is broken; `designlint check` says where")
    if design.problems:
        print(f"designlint: {shown} has {len(design.problems)} faults; `designlint check` lists them", file=sys.stderr)
    return design
