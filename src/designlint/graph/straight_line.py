"""
Derivations of a graph as one straight-line function of the words that vary, for searches that try many layouts.

The function is written from the very steps that `check` and `why` run, so there is no second model of anything: what no
word that varies reaches is a constant, the rest is one call a step, made again only where a word that it depends on has
changed, or one before that: a search calls it in nested loops, in the order of the words.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from designlint.graph.arguments import each, entry
from designlint.graph.incremental import Dependencies, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from types import CodeType

    from msgspec import Struct

    from designlint.graph.derive import Plan
    from designlint.graph.subjects import Graph, Subject


def compile_function(
    plan: Plan, graph: Graph, inputs: Sequence[Place], outputs: Sequence[Place]
) -> Callable[..., tuple[Any, ...]]:
    """
    A function of the inputs, in their order, that returns the outputs; None stands for what is unknown.

    Args:
        graph: with all that follows from it; the function holds as long as its other facts, nodes and references stay.
        inputs: words that a design may state; what the graph knows of them does not matter.
    """
    return StraightLine(plan, graph, inputs).function(outputs)


class StraightLine:
    """
    The derivations of a graph between the same inputs and any outputs; see `compile_function`.

    Args:
        graph: with all that follows from it; it holds as long as its other facts, nodes and references stay.
        steps: those that lead to the outputs; all when left out.
    """

    def __init__(self, plan: Plan, graph: Graph, inputs: Sequence[Place], steps: Collection[int] | None = None) -> None:
        self.plan, self.inputs = plan, [Place(*one) for one in inputs]
        self.dependencies = Dependencies(plan, graph, steps)
        self.varying = self._varying()

    def function(self, outputs: Sequence[Place]) -> Callable[..., tuple[Any, ...]]:
        """A function of the inputs, in their order, that returns the outputs; None stands for what is unknown."""
        return _Writer(self, outputs).function()

    def _varying(self) -> set[Place]:
        """Everything that an input reaches; what is stated stays as it is stated."""
        found, waiting = set(self.inputs), list(self.inputs)
        while waiting:
            for place in self.dependencies.readers(waiting.pop()):
                origin = place.subject.origins.get(place.word)
                if place not in found and (origin is None or origin.step >= 0):
                    found.add(place)
                    waiting.append(place)
        return found


@lru_cache(maxsize=8)
def _code(text: str) -> CodeType:
    """Text as code: jobs that state the same words are calculated by the same lines, with other constants."""
    return compile(text, "<derivations>", "exec")


class _Writer:
    """Gathers the places that lie between inputs and outputs, and the lines that calculate them."""

    def __init__(self, line: StraightLine, outputs: Sequence[Place]) -> None:
        self.plan, self.inputs, self.outputs = line.plan, line.inputs, [Place(*one) for one in outputs]
        self.dependencies, self.varying = line.dependencies, line.varying
        self.names: dict[Place, str] = {place: f"i{at}" for at, place in enumerate(self.inputs)}
        self.levels = {name: at for at, name in enumerate(self.names.values())}
        self.lines: list[list[str]] = [[] for _ in self.inputs]
        self.constants: dict[str, Any] = {}
        self.functions: dict[type, str] = {}
        self.groups: dict[str, str] = {}

    def _needed_places(self) -> list[Place]:
        """What lies between, in the order of calculation."""
        found, waiting = set(self.outputs), list(self.outputs)
        while waiting:
            place = waiting.pop()
            for number in self._steps(place):
                for read in map(Place._make, self.plan.reads(number, place.subject)):
                    if read in self.varying and read not in found:
                        found.add(read)
                        waiting.append(read)
        inner = [one for one in found if one in self.varying and one not in self.names]
        return sorted(inner, key=lambda one: (self.dependencies.order(one), one.subject.path))

    def _steps(self, place: Place) -> list[int]:
        return self.dependencies.writers(place) if place in self.varying and place not in self.inputs else []

    def function(self) -> Callable[..., tuple[Any, ...]]:
        for place in self._needed_places():
            self._calculate(place)
        exec(_code(self._text()), self.constants)  # made of our own names only, no text of a design
        function: Callable[..., tuple[Any, ...]] = self.constants["made"]()
        return function

    def _text(self) -> str:
        """A function that makes the function, which keeps what it calculated last."""
        inputs = [self.names[one] for one in self.inputs]
        kept = [*(f"last_{one}" for one in inputs), *(one for one in self.levels if one not in inputs)]
        lines = [f"nonlocal {', '.join(kept)}", "new = False"]
        for level, name in enumerate(inputs):
            lines += [f"if new or {name} != last_{name}:", f"    new, last_{name} = True, {name}"]
            lines += [f"    {line}" for line in self.lines[level]]
        lines.append(f"return ({''.join(f'{self._value(place)}, ' for place in self.outputs)})")
        head = ["def made():", f"    {' = '.join(kept)} = ()", f"    def calculated({', '.join(inputs)}):"]
        return "\n".join([*head, *(f"        {line}" for line in lines), "    return calculated"])

    def _calculate(self, place: Place) -> None:
        calls = [one for number in self._steps(place) if (one := self._write_call(number, place.subject)) is not None]
        name = f"v{len(self.levels)}"
        lines = [f"{name} = None"]
        for at, (needed, call, _) in enumerate(calls):
            tried = ["try:", f"    {name} = {call}", "except (ZeroDivisionError, OverflowError):", "    pass"]
            conditions = [*([f"{name} is None"] if at else []), *(f"{one} is not None" for one in needed)]
            if conditions:
                tried = [f"if {' and '.join(dict.fromkeys(conditions))}:", *(f"    {line}" for line in tried)]
            lines += tried
        self._write(name, lines, [one for _, _, read in calls for one in read])
        self.names[place] = name

    def _write(self, name: str, lines: Sequence[str], read: Iterable[str]) -> None:
        """The lines that give a name its value, at the last of the inputs that they depend on."""
        self.levels[name] = max((self.levels[one] for one in read if one in self.levels), default=0)
        self.lines[self.levels[name]].extend(lines)

    def _write_call(self, number: int, subject: Subject) -> tuple[list[str], str, list[str]] | None:
        """What must be known for a step, its call, and all that it reads; None where a constant that it needs is unknown."""
        arguments: list[str] = []
        needed: list[str] = []
        read: list[str] = []
        for path, mode, *gaps in self._parameters(number):
            if mode == "each":
                found = [None if end is None else Place(end, path[-1]) for end in each(subject, path, *gaps)]
                values = ["None" if one is None else self._value(one) for one in found]
                arguments.append(self._all(found, values))
                read += values
                continue
            ends = [Place._make(end) for end in subject.follow(path)]
            values = [self._value(end) for end in ends]
            if mode == "optional":
                if any(one.word in one.subject.unread for one in ends):
                    return None
                values = values[:1] or ["None"]
            elif not values or "None" in values:
                return None
            else:
                needed += [one for one in values if one in self.levels]
            arguments.append(values[0] if mode != "all" else self._all(ends, values))
            read += values
        return needed, self._call(number, arguments), read

    def _call(self, number: int, arguments: Sequence[str]) -> str:
        """The call of a step."""
        step = self.plan.steps[number]
        if "table" in step:
            table = step["table"]
            return f"{self._constant(lambda name: (entry(table, name) or (None,))[0])}({arguments[0]})"
        if "path" in step:
            return f"list({arguments[0]})" if step["many"] else arguments[0]
        declared, words = self.plan.derivation(number), iter(arguments)
        made = [next(words) if one is None else self._group(one, words) for one in declared.shape]
        return f"{self._constant(declared.function)}({', '.join(made)})"

    def _group(self, group: type[Struct], words: Iterator[str]) -> str:
        """Words that several steps read together, put together once."""
        if group not in self.functions:
            self.functions[group] = self._constant(group)
        made = f"{self.functions[group]}({', '.join(islice(words, len(group.__struct_fields__)))})"
        if made not in self.groups:
            self.groups[made] = name = f"v{len(self.levels)}"
            self._write(name, [f"{name} = {made}"], re.findall(r"\w+", made))
        return self.groups[made]

    def _all(self, ends: Sequence[Place | None], values: Sequence[str]) -> str:
        """All values of a path as a tuple; a single list of them is that tuple."""
        only = ends[0].subject.facts.get(ends[0].word) if len(ends) == 1 and ends[0] else None
        return f"tuple({values[0]})" if isinstance(only, list) else f"({''.join(f'{one}, ' for one in values)})"

    def _parameters(self, number: int) -> Iterator[Sequence[Any]]:
        step = self.plan.steps[number]
        if "path" in step:
            yield step["path"], "all" if step.get("many") else "needed"
        else:
            yield from step["params"]

    def _value(self, place: Place) -> str:
        """How a place stands in the lines: a name where it varies, a constant else."""
        if place not in self.names:
            fact = place.subject.facts.get(place.word)
            self.names[place] = "None" if fact is None else self._constant(fact)
        return self.names[place]

    def _constant(self, value: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = value
        return name
