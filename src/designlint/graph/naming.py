"""Names for parts that lack one or share one: the name that the design refers to and does not find."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.model import Problem

NAMELESS = ("shape/missing-name", "shape/duplicate-name")
#: Names that need no quotes in YAML.
PLAIN = re.compile(r"[A-Za-z][\w.-]*")


def suggested(problems: Sequence[Problem]) -> list[Problem]:
    """The problems, with a `suggestion` for nameless parts: the one name that is sought, or the same with a number."""
    sought: dict[str, set[str]] = {}
    for one in problems:
        if one.rule == "shape/unknown-reference":
            sought.setdefault(one.values["cls"], set()).add(one.values["name"])
    lacking = Counter(one.values["cls"] for one in problems if one.rule in NAMELESS)
    taken: Counter[tuple[str, str]] = Counter()
    found: list[Problem] = []
    for one in problems:
        if one.rule in NAMELESS and one.values.get("word", "name") == "name":
            cls, name = one.values["cls"], one.values.get("name", "")
            names = sought.get(cls, set())
            taken[cls, name] += 1
            told = next(iter(names)) if len(names) == lacking[cls] == 1 else name and f"{name}-{taken[cls, name] + 1}"
            one = replace(one, values={**one.values, "suggestion": told if PLAIN.fullmatch(told) else ""})
        found.append(one)
    return found
