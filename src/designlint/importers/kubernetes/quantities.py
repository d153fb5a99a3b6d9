"""Quantities as Kubernetes writes them: CPUs in thousandths, memory with binary or decimal suffixes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from designlint.importers.base import Value

CPUS = re.compile(r"(\d{1,9})(m?)\Z")
MEMORY = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)(Ki|Mi|Gi|Ti|Pi|k|M|G|T|P)?\Z")


def cpus(value: Value | None) -> int | None:
    """Whole CPUs; None where it is no quantity, or no whole number of them."""
    found = CPUS.match(value.text.strip()) if value is not None else None
    if found is None:
        return None
    number = int(found[1])
    return number if not found[2] else number // 1000 if number % 1000 == 0 else None


def memory(value: Value | None) -> str | None:
    """Memory as a design states it; None where it is no quantity."""
    found = MEMORY.match(value.text.strip()) if value is not None else None
    return f"{found[1]} {found[2] or ''}B" if found is not None else None
