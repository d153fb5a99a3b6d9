"""What services know a finding by from run to run: never its line."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from designlint.reporters.shared.places import path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.model import Finding


def fingerprints(found: Sequence[Finding]) -> Iterator[tuple[Finding, str]]:
    """Each finding with a number in hexadecimal that no other one has."""
    seen: Counter[str] = Counter()
    for one in found:
        known = "\0".join((path(one.design or one.location.file), *one.key))
        seen[known] += 1
        again = f"\0{seen[known]}" if seen[known] > 1 else ""
        yield one, hashlib.sha256((known + again).encode("utf-8", "backslashreplace")).hexdigest()[:32]
