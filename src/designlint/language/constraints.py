"""Constraints of Slurm: labels of servers with operators between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

#: All labels together, or any of several; what stands in brackets is one alternative for all servers.
ALL, ANY = "&", "|"
#: One label, without counts of servers and further operators.
LABEL = re.compile(r"[\w.@:/+-]+\Z")
#: Numbers, and the letter of a model before them: a B200 is no misspelt H200.
NUMBERS = re.compile(r"(?:(?<![a-z0-9])[a-z])?\d+")
#: Letters that look like a digit beside others.
LIKE_DIGITS = str.maketrans("OoIl", "0011")
#: How alike two labels are, from 0 to 1, where one is the other misspelt.
ALIKE = 0.8


def read(text: str) -> tuple[str, list[str]] | None:
    """The operator and its labels; None where different operators, or counts of servers, stand together."""
    bare = text.strip().strip("\"'")
    if bare[:1] + bare[-1:] in ("[]", "()"):
        bare = bare[1:-1]
    for operator in (ALL, ANY):
        labels = [one.strip() for one in bare.split(operator)]
        if all(map(LABEL.match, labels)):
            return operator, labels
    return None


def meets(text: str, has: Callable[[str], bool]) -> bool | None:
    """Whether servers meet a constraint, by whether they have a label; None where it cannot be read."""
    found = read(text)
    if found is None:
        return None
    operator, labels = found
    return all(map(has, labels)) if operator == ALL else any(map(has, labels))


def label_texts(stated: Iterable[str]) -> list[str]:
    """Labels as jobs name them: whole, or by the value alone where a key stands before it, as in `key=value`."""
    return [text for one in stated for text in (one, one.partition("=")[2]) if text]


def near_label(label: str, known: Iterable[str]) -> str:
    """The label that another one misspells: other letters or hyphens, but the same numbers; empty where there is none."""
    from difflib import get_close_matches

    alike = [one for one in known if _numbers(one) == _numbers(label)]
    found = get_close_matches(label.lower(), [one.lower() for one in alike], n=1, cutoff=ALIKE)
    return next((one for one in alike if found and one.lower() == found[0] and one != label), "")


def _numbers(label: str) -> list[str]:
    return NUMBERS.findall(label.translate(LIKE_DIGITS).lower())
