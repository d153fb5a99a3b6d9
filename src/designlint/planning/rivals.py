"""What speaks for each word of the chosen layout: the best layout that has another value of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.language.sentences import percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.layouts.search import Layout

#: The words of a layout of which another value is told, and what they are called.
NAMES = {
    "tensor": "tensor parallelism", "pipeline": "pipeline stages", "virtual_stages": "virtual stages",
    "context": "context parallelism", "expert": "expert parallelism", "micro_batch": "micro-batch",
    "zero_stage": "ZeRO stage", "recompute": "recomputation",
}  # fmt: skip
#: Share by which a step must be longer for a value to be one to avoid, and values of one word that are told.
CLEARLY, MOST = 0.05, 4
#: Share of a step below which two layouts are as fast.
ALIKE = 0.005


class Rival(NamedTuple):
    """Another value of a word, and by which share a step takes longer with the best layout that has it."""

    value: Any
    longer: float


def rivals(chosen: Layout, layouts: Sequence[Layout], word: str) -> list[Rival]:
    """Each other value of a word that some layout has which fits, the best first."""
    best: dict[Any, float] = {}
    for one in layouts:
        value = one.words[word]
        if value != chosen.words[word]:
            best[value] = min(one.cost.step, best.get(value, one.cost.step))
    found = [Rival(value, step / chosen.cost.step - 1) for value, step in best.items()]
    return sorted(found, key=lambda one: (one.longer, str(one.value)))


def reason(chosen: Layout, layouts: Sequence[Layout], word: str) -> str:
    """Why a word has its value, in a few words; empty where no other value was possible or another one is faster."""
    others = rivals(chosen, layouts, word) if word in NAMES else []
    if not others or others[0].longer < 0:
        return ""
    value, longer = others[0]
    if longer < ALIKE:
        return f"as fast with {value}"
    told = f"{percent(longer, '.1%')} longer" if longer < 1 else f"{1 + longer:.3g} times as long"
    return f"with {value}, a step takes at least {told}"


def list_avoided(chosen: Layout, layouts: Sequence[Layout]) -> list[str]:
    """The values of each word that make every layout clearly slower, one sentence for each word."""
    found = []
    for word, name in NAMES.items():
        slow = [one for one in rivals(chosen, layouts, word) if one.longer >= CLEARLY][-MOST:]
        if slow:
            told = ", ".join(
                f"{one.value} ({f'+{percent(one.longer)}' if one.longer < 1 else f'x {1 + one.longer:.3g}'})"
                for one in slow
            )
            found.append(f"**{name[0].upper()}{name[1:]} {told}**: the step time increases by at least this much.")
    return found
