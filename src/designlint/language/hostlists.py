"""Slurm's lists of host names: `circe-n[001-016],n[019-020]`. A prefix holds for its own brackets only."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Names that one list may stand for: Slurm itself stops at 65,536 by default.
MOST = 200_000
PIECE = r"\[([^\[\]]*)\]|([^\[\],]+)"
RANGE = r"(\d+)(?:-(\d+))?\Z"


class HostListError(ValueError):
    """A list that no reader of Slurm's would take, or that stands for more names than are read."""


def expand(text: str) -> list[str]:
    """Every name that a list stands for, in its order. Raises: HostListError."""
    names: list[str] = []
    for one in split(text):
        names += _expand_list(one, MOST - len(names))
    return names


def distinct(lists: Iterable[str]) -> int | None:
    """Number of different names in lists; None where there are none, or a list is not to be read."""
    try:
        return len({name for one in lists for name in expand(one)}) or None
    except HostListError:
        return None


@lru_cache(maxsize=1)
def find_repeated(lists: tuple[str, ...]) -> frozenset[str]:
    """Names that stand more than once in lists. Raises: HostListError."""
    times = Counter(name for one in lists for name in expand(one))
    return frozenset(name for name, often in times.items() if often > 1)


def split(text: str) -> list[str]:
    """The parts of a list, commas in brackets left alone. Raises: HostListError."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if depth not in (0, 1):
            raise HostListError("its brackets do not match")
        if letter == "," and not depth:
            parts.append(text[start:at])
            start = at + 1
    if depth:
        raise HostListError("its brackets do not match")
    return [one.strip() for one in (*parts, text[start:]) if one.strip()]


def _expand_list(one: str, room: int) -> list[str]:
    choices: list[list[str]] = []
    total = 1
    for inside, outside in re.findall(PIECE, one):
        choices.append([outside] if outside else _numbers(inside, room))
        total *= len(choices[-1])
        if total > room:
            raise HostListError(f"it expands to more than {MOST} names")
    return ["".join(parts) for parts in product(*choices)]


def _numbers(inside: str, room: int) -> list[str]:
    found: list[str] = []
    for one in inside.split(","):
        matched = re.match(RANGE, one.strip())
        if matched is None:
            raise HostListError(f"`[{inside[:40]}]` is not a range of numbers")
        first, last = matched[1], matched[2] or matched[1]
        low, high = int(first[:12]), int(last[:12])
        if high - low >= room or max(len(first), len(last)) > 12:
            raise HostListError(f"it expands to more than {MOST} names")
        if high < low:
            raise HostListError(f"`{first}-{last}` runs backwards")
        found += [str(number).zfill(len(first)) for number in range(low, high + 1)]
    return found


def fold(names: list[str]) -> str:
    """A short list of these names, ranges in brackets where numbers follow one another."""
    runs: list[tuple[str, int, int, int, str]] = []
    for name in names:
        prefix, digits, suffix = _split_name(name)
        value = int(digits) if digits else -1
        if runs and digits:
            before, low, high, width, after = runs[-1]
            same = width == len(digits) or (digits[0] != "0" and len(str(low)) == width)
            if same and (before, after, high + 1) == (prefix, suffix, value):
                runs[-1] = (before, low, value, width, after)
                continue
        runs.append((prefix, value, value, len(digits), suffix))
    return ",".join(_run(one) for one in runs)


def _split_name(name: str) -> tuple[str, str, str]:
    found = re.match(r"(.*?)(\d{1,12})(\D*)\Z", name, re.DOTALL)
    return (found[1], found[2], found[3]) if found else (name, "", "")


def _run(run: tuple[str, int, int, int, str]) -> str:
    prefix, low, high, width, suffix = run
    if low < 0:
        return prefix
    if low == high:
        return f"{prefix}{str(low).zfill(width)}{suffix}"
    return f"{prefix}[{str(low).zfill(width)}-{str(high).zfill(width)}]{suffix}"
