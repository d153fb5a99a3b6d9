"""Names of GPUs as drivers, schedulers, clouds and people write them, and the spellings that a catalogue may have of them."""

from __future__ import annotations

import re

#: Vendor and family before the model's name, and words between.
VENDOR = re.compile(
    r"\b(?:nvidia|amd|intel|instinct|tesla|blackwell|hopper|grace|superchip|ampere|ultra|mega|gpu|accelerator|habana|tensor[-\s_]core)(?=[-\s_(]|\Z)[-\s_]*"
)
#: What follows the model and its memory: the kind of memory, the form of the module where it has one, AMD's mode in which a
#: GPU is whole, its power.
AFTER = re.compile(r"-(?:hbm\d\w?|oam|dlc|lc|liquid-cooled|nps\d|spx|\d{2,4}w)(?=-|\Z)")
SOCKET = re.compile(r"\bsxm\d\b")
#: Memory before the form of the module, as NVIDIA's library names GPUs; catalogues have it behind.
MEMORY_FIRST = re.compile(r"(\d+gb)-(pcie|sxm\d?|nvl)\Z")
BRACKET = re.compile(r"\(([^()]{2,40})\)")


def spellings(text: str) -> list[str]:
    """Spellings to look a name up by, the stated one first. A size of memory is never left out: it tells models apart."""
    found = [text]
    lowered = text.lower().strip()
    inside = BRACKET.findall(lowered)
    for one in (BRACKET.sub(r" \1", lowered), *inside, BRACKET.sub("", lowered)):
        bare = re.sub(r"[\s_-]+", "-", VENDOR.sub("", one)).strip("-")
        bare = re.sub(r"(?<=\d)-(?=gb\b)", "", AFTER.sub("", bare))
        found += [bare, SOCKET.sub("sxm", bare), SOCKET.sub("sxm", MEMORY_FIRST.sub(r"\2-\1", bare))]
    return list(dict.fromkeys(one for one in found if one))
