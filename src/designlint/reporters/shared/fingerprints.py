"""What services know a finding by from run to run: never its line."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from designlint.reporters.shared.places import path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from designlint.findings.model import Finding


def fingerprints(found: Sequence[Finding]) -> Iterator[tuple[Finding, str]]:
    """Each finding with a number in hexadecimal that no other one has."""
    return zip(found, number_keys((path(one.design or one.location.file), *one.key) for one in found), strict=True)


def number_keys(keys: Iterable[Sequence[str]]) -> Iterator[str]:
    """For each key a number in hexadecimal that no other one has, the same keys counted."""
    seen: Counter[str] = Counter()
    for key in keys:
        known = "\0".join(key)
        seen[known] += 1
        again = f"\0{seen[known]}" if seen[known] > 1 else ""
        yield hashlib.sha256((known + again).encode("utf-8", "backslashreplace")).hexdigest()[:32]
