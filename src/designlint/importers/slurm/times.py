"""Times as Slurm writes them: `MM`, `MM:SS`, `HH:MM:SS`, `D-HH`, `D-HH:MM`, `D-HH:MM:SS`; no part of them is bounded."""

from __future__ import annotations

import re

FORM = re.compile(r"(?:(\d{1,6})-)?(\d{1,8})(?::(\d{1,6}))?(?::(\d{1,6}))?\Z")
UNLIMITED = frozenset(("infinite", "unlimited", "-1"))


def seconds(text: str) -> int | None:
    """The seconds of a time limit; None where it is none, as `7d` is. Slurm adds up what it reads: 99 seconds are 99."""
    found = FORM.match(text.strip())
    if found is None:
        return None
    days, first, second, third = (None if one is None else int(one) for one in found.groups())
    if days is not None:
        parts = (first or 0, second or 0, third or 0)
    elif third is not None:
        parts = (first or 0, second or 0, third)
    else:
        parts = (0, first or 0, second or 0)
    return ((days or 0) * 24 + parts[0]) * 3600 + parts[1] * 60 + parts[2]


def duration(total: int) -> str:
    """Seconds as a design states them: in the largest unit that shows them whole."""
    for size, unit in ((3600, "h"), (60, "min")):
        if total and total % size == 0:
            return f"{total // size} {unit}"
    return f"{total} s"


def spell_time(total: int) -> str:
    """Seconds as Slurm's manual writes them: `HH:MM:SS`, with days before where there are more than two."""
    days, rest = divmod(total, 86400) if total > 2 * 86400 else (0, total)
    clock = f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    return f"{days}-{clock}" if days else clock
