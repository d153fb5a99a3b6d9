"""
What a calculation reads, as a function in Python, written when the bundle is made like those of the rules.

The function takes a subject, and gives the arguments and where each came from; None where a needed one is missing.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from designlint.graph.arguments import all_values, each_value
from designlint.graph.subjects import Subject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: What the text names.
NAMES: Mapping[str, Any] = MappingProxyType({"Subject": Subject, "all_values": all_values, "each_value": each_value})
#: How a parameter of several values takes them.
SEVERAL = {"all": "all_values", "each": "each_value"}


def key(number: int) -> str:
    """The name by which the function of a step is kept."""
    return f"step {number}"


def write_reader(step: Mapping[str, Any], name: str) -> tuple[str, str]:
    """The text of the function of a step, and what stands for it in a table."""
    params = step["params"]
    writer = _ReaderWriter({tuple(path[:at]) for path, mode, *_ in params if mode == "one" for at in range(len(path))})
    for path, mode, *gaps in params:
        if mode in SEVERAL:
            writer.several(SEVERAL[mode], path, gaps)
        else:
            writer.word(path, needed=mode == "one")
    values = "".join(f"{one}," for one in writer.values)
    lines = [*writer.lines, *writer.write_return(f"({values})")]
    return "\n".join([f"def {name}(s):", *(f" {line}" for line in lines)]), name


class _ReaderWriter:
    """
    Writes the body of one function.

    Args:
        needed: the ways that must lead to a subject.

    Attributes:
        values: what stands for the arguments, in their order.
    """

    def __init__(self, needed: set[tuple[str, ...]]) -> None:
        self.lines = ["f = s.facts"]
        self.values: list[str] = []
        self._needed = needed
        self._ends: dict[tuple[str, ...], str] = {(): "s"}
        self._used: list[tuple[str, str]] = []

    def several(self, taker: str, path: Sequence[str], gaps: Sequence[Any]) -> None:
        """All values along a path."""
        made = self._value()
        given = "".join(f", {tuple(one)!r}" for one in gaps)
        if taker == "all_values" and len(path) == 1:
            self.lines += [f"{made} = f.get({path[0]!r})", f"if {made} is None:", " return None"]
            self.lines.append(f"{made} = tuple({made}) if {made}.__class__ is list else ({made},)")
            self._used.append(("", f"(s, {path[0]!r})"))
            return
        self.lines.append(f"{made} = {taker}(s, {tuple(path)!r}{given})")
        if taker == "all_values":
            self.lines += [f"if {made} is None:", " return None"]
        self.lines += [f"{made}, u{made} = {made}"]
        self._used.append(("", f"*u{made}"))

    def word(self, path: Sequence[str], *, needed: bool) -> None:
        """One word; one that is not needed is unknown, not left out, where it may stand in a place that could not be read."""
        *way, word = path
        end, made = self._end(tuple(way)), self._value()
        known = "" if not way or tuple(way) in self._needed else f"{end} is not None"
        facts = f"{end}.facts" if way else "f"
        self.lines.append(f"{made} = {facts}.get({word!r})" + (f" if {known} else None" if known else ""))
        unread = "" if needed else " and ".join(filter(None, (known, f"{word!r} in {end}.unread")))
        self.lines += [f"if {made} is None{unread and f' and {unread}'}:", " return None"]
        self._used.append(("" if needed else made, f"({end}, {word!r})"))

    def _value(self) -> str:
        self.values.append(f"v{len(self.values)}")
        return self.values[-1]

    def _end(self, way: tuple[str, ...]) -> str:
        """What stands for the subject at the end of a way; None where a part is missing on a way that is not needed."""
        if way in self._ends:
            return self._ends[way]
        before, made = self._end(way[:-1]), f"e{len(self._ends)}"
        self._ends[way] = made
        known = "" if before == "s" or way[:-1] in self._needed else f" if {before} is not None else None"
        facts = "f" if before == "s" else f"{before}.facts"
        self.lines += [f"{made} = {facts}.get({way[-1]!r}){known}", f"if {made}.__class__ is not Subject:"]
        self.lines.append(" return None" if way in self._needed else f" {made} = None")
        return made

    def write_return(self, values: str) -> list[str]:
        """The lines that note where the arguments came from, in their order, and give both."""
        groups = [(met, ", ".join(one for _, one in each)) for met, each in groupby(self._used, itemgetter(0))]
        if len(groups) == 1 and not groups[0][0]:
            return [f"return {values}, [{groups[0][1]}]"]
        lines = [f"{f'if {met} is not None: ' if met else ''}used += [{listed}]" for met, listed in groups]
        return ["used = []", *lines, f"return {values}, used"]
