"""The names of Megatron-LM's arguments, and of those that other frameworks took over or spell alike."""

from __future__ import annotations

from functools import cache

from designlint.importers import defaults


@cache
def counted() -> frozenset[str]:
    """The names of arguments that are numbers."""
    return defaults.tool("megatron-lm").keys("counts")


@cache
def understood() -> frozenset[str]:
    """The names of all arguments that are read."""
    tool = defaults.tool("megatron-lm")
    return tool.lists["read"].union(*map(tool.keys, ("counts", "flags", "linear_attention")))


def word_of(name: str) -> str:
    """The word that an argument states as a number; its name where it states none."""
    counts = defaults.tool("megatron-lm").tables["counts"]
    return next((word for word, names in counts.items() if name in names.split()), name)
