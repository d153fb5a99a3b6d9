"""Regular expressions that Python matches in a time that grows no faster than the square of the text."""

from __future__ import annotations

import re

#: Signs that both dialects read alike; classes such as `\\d` differ beyond ASCII.
PLAIN = r"[A-Za-z0-9 _,.:;/=^$|()\[\]*+?-]*"
#: What may make a text match in many ways: a repeated group, or more than two repetitions.
REPEATED_GROUP = r"\)[*+]"
REPETITION = r"[*+]"
MOST_REPETITIONS = 2


def quick(pattern: str) -> bool:
    """Whether a pattern is one that no text keeps busy."""
    if not re.fullmatch(PLAIN, pattern) or "(?" in pattern or re.search(REPEATED_GROUP, pattern):
        return False
    return len(re.findall(REPETITION, pattern)) <= MOST_REPETITIONS


def translate_pattern(pattern: str) -> re.Pattern[str]:
    """The pattern as Python spells it: `$` is the end of the text, not also what stands before a last line break."""
    return re.compile(pattern.replace("$", r"\Z"), re.ASCII)
