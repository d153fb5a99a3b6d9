"""Quantities as Kubernetes writes them: CPUs in thousandths, memory with binary or decimal suffixes."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Value

CPUS = re.compile(r"(\d{1,9})(m?)\Z")
MEMORY = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)(Ki|Mi|Gi|Ti|Pi|k|M|G|T|P)?\Z")

AMOUNT = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)(m|Ki|Mi|Gi|Ti|Pi|k|M|G|T|P)?\Z")


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


def all_cpus(asked: Sequence[Value]) -> Value | None:
    """Whole CPUs that the containers of a pod ask for together; None where one of them cannot be read."""
    numbers = [cpus(one) for one in asked]
    if not asked or None in numbers:
        return None
    note = f"{len(asked)} containers" if len(asked) > 1 else ""
    return asked[0].but(sum(one or 0 for one in numbers), note)


def all_memory(asked: Sequence[Value]) -> Value | None:
    """Memory that the containers of a pod ask for together; None where one of them cannot be read."""
    first = memory(asked[0]) if asked else None
    if len(asked) < 2:
        return asked[0].but(first, "") if first is not None else None
    found = [MEMORY.match(one.text.strip()) for one in asked]
    if not all(found):
        return None
    total = sum(Decimal(one[1]) * factor(one[2] or "") for one in found if one is not None)
    size = f"{total / 2**20:f}".rstrip("0").rstrip(".") if total % 2**20 else str(int(total // 2**20))
    return asked[0].but(f"{size} MiB", f"{len(asked)} containers")


def amount(value: Value | None) -> Decimal | None:
    """A quantity of any kind as a number; None where it is none."""
    found = AMOUNT.match(value.text.strip()) if value is not None else None
    if found is None:
        return None
    return Decimal(found[1]) / 1000 if found[2] == "m" else Decimal(found[1]) * factor(found[2] or "")


def largest(asked: Sequence[Value | None]) -> Value | None:
    """The largest of what pods ask for, as a design states it; what some do not ask for is none of them."""
    sized = [
        (amount(one.but(one.text.removesuffix("B").replace(" ", ""))) or 0, one) for one in asked if one is not None
    ]
    return max(sized, key=lambda pair: pair[0])[1] if sized else None


def factor(prefix: str) -> int:
    """What a prefix of Kubernetes' quantities stands for."""
    power = "kMGTP".find(prefix[:1].replace("K", "k")) + 1 if prefix else 0
    return int((1024 if prefix.endswith("i") else 1000) ** power)
