"""What tools check of arguments and variables before they start: names, choices, ranges, numbers that must fit each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import whole
from designlint.importers.workloads import NO, count
from designlint.language.values import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from designlint.importers.base import Fragment, Value
    from designlint.importers.defaults import Tool

RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "below": lambda one, other: one < other,
    "at_most": lambda one, other: one <= other,
    "multiple_of": lambda one, other: other == 0 or one % other == 0,
    "divisor_of": lambda one, other: one > 0 and other % one == 0,
}
WORDS = {"below": "below", "at_most": "at most", "multiple_of": "a multiple of", "divisor_of": "a divisor of"}
#: How alike a value and a choice are, from 0 to 1, where one is the other misspelt; the same for a part of a name.
CHOICE_ALIKE, PART_ALIKE = 0.7, 0.75
#: Letters of the shortest part of a name that is taken for a misspelt one.
SHORTEST = 3


def report(given: Mapping[str, Value], found: Fragment, tool: Tool, spell: Callable[[str], str] = str) -> None:
    """
    Notes what a tool refuses; a choice in other letters, capital or small, is one of its forks'.

    Args:
        spell: how a name is written on the command line.
    """
    for name, choices in tool.tables.get("choices", {}).items():
        value = given.get(name)
        if value is None or value.text.lower() in {one.lower() for one in choices}:
            continue
        if nearest(value.text, choices, 1, CHOICE_ALIKE):
            wanted = f"a value of `{spell(name)}`: {', '.join(choices)}"
            found.clash("import/not-a-value", value, text=value.text[:40], wanted=wanted)
    for name, (least, most) in tool.tables.get("ranges", {}).items():
        value = given.get(name)
        if value is not None and value.number is not None and not least <= value.number <= most:
            wanted = f"a value of `{spell(name)}`, which goes from {least} to {most}"
            found.clash("import/not-a-value", value, text=value.text[:40], wanted=wanted)
    for name, wanted in tool.tables.get("relations", {}).items():
        _relate(given, name, wanted, found, tool, spell)


def _relate(
    given: Mapping[str, Value],
    name: str,
    wanted: dict[str, str],
    found: Fragment,
    tool: Tool,
    spell: Callable[[str], str],
) -> None:
    """Two numbers that must fit each other; of several others, the first that is given counts."""
    switches = [(given.get(wanted[key]), on) for key, on in (("when", True), ("unless", False)) if key in wanted]
    if any((one is not None and one.text.lower() not in NO) is not on for one, on in switches):
        return
    for relation, fits in RELATIONS.items():
        other = next((one for one in wanted.get(relation, "").split() if one in given), "")
        numbers = [whole(count(given.get(one))) for one in (name, other)]
        if other and None not in numbers and not fits(numbers[0] or 0, numbers[1] or 0):
            one, two = given[name], given[other]
            values = {"name": spell(name), "one": one.text, "relation": WORDS[relation], "tool": tool.name}
            found.clash("import/arguments-do-not-fit", one, **values, other=spell(other), two=two.text, where=two.place)


def misspelt(names: Collection[str], known: Collection[str], *, shortened: bool = True) -> Iterator[tuple[str, str]]:
    """
    Names that are a known one but for a part, which is misspelt: the name, and the known one that is not given.

    Args:
        shortened: the start of a name stands for it, as for launchers.
    """
    for name in names:
        parts = name.split("_")
        for one in known if name not in known else ():
            others = one.split("_")
            pairs = [pair for pair in zip(parts, others, strict=False) if pair[0] != pair[1]]
            if (
                len(parts) == len(others)
                and len(pairs) == 1
                and one not in names
                and _is_slip(*pairs[0], shortened=shortened)
            ):
                yield name, one


def _is_slip(part: str, other: str, *, shortened: bool) -> bool:
    if not (part.isalpha() and other.isalpha()) or min(len(part), len(other)) < SHORTEST:
        return False
    if shortened and (part.startswith(other) or other.startswith(part)):  # plurals may be names of their own
        return False
    return bool(nearest(part, [other], 1, PART_ALIKE))
