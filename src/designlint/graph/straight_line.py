"""
Derivations of a graph as one straight-line function of the words that vary, for searches that try many layouts.

The function is written from the very steps that `check` and `why` run, so there is no second model of anything: what no
word that varies reaches is a constant, the rest is one call a step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.graph.derive import each
from designlint.graph.incremental import Dependencies, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from designlint.graph.derive import Plan
    from designlint.graph.subjects import Graph, Subject


def compiled(
    plan: Plan, graph: Graph, inputs: Sequence[Place], outputs: Sequence[Place]
) -> Callable[..., tuple[Any, ...]]:
    """
    A function of the inputs, in their order, that returns the outputs; None stands for what is unknown.

    Args:
        graph: with all that follows from it; the function holds as long as its other facts, nodes and references stay.
        inputs: words that a design may state; what the graph knows of them does not matter.
    """
    return _Writer(plan, graph, inputs, outputs).function()


class _Writer:
    """Gathers the places that lie between inputs and outputs, and the lines that calculate them."""

    def __init__(self, plan: Plan, graph: Graph, inputs: Sequence[Place], outputs: Sequence[Place]) -> None:
        self.plan, self.inputs, self.outputs = plan, [Place(*one) for one in inputs], [Place(*one) for one in outputs]
        self.dependencies = Dependencies(plan, graph)
        self.varying = self._varying()
        self.names: dict[Place, str] = {place: f"i{at}" for at, place in enumerate(self.inputs)}
        self.constants: dict[str, Any] = {}
        self.lines: list[str] = []

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

    def _needed(self) -> list[Place]:
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
        for place in self._needed():
            self._calculate(place)
        result = "".join(f"{self._value(place)}, " for place in self.outputs)
        head = f"def calculated({', '.join(self.names[one] for one in self.inputs)}):"
        text = "\n".join([head, *(f"    {line}" for line in self.lines), f"    return ({result})"])
        exec(compile(text, "<derivations>", "exec"), self.constants)  # made of our own names only, no text of a design
        function: Callable[..., tuple[Any, ...]] = self.constants["calculated"]
        return function

    def _calculate(self, place: Place) -> None:
        name = f"v{len(self.names)}"
        self.lines.append(f"{name} = None")
        for at, number in enumerate(self._steps(place)):
            self._step(name, number, place.subject, again=at > 0)
        self.names[place] = name

    def _step(self, name: str, number: int, subject: Subject, *, again: bool) -> None:
        """The lines of one step; none where a constant that it needs is unknown."""
        arguments, needed = [], [f"{name} is None"] * again
        for path, mode, *gaps in self._parameters(number):
            if mode == "each":
                arguments.append(self._each(each(subject, path, *gaps), path[-1]))
                continue
            ends = [Place._make(end) for end in subject.follow(path)]
            if mode == "optional":
                if any(one.word in one.subject.unread for one in ends):
                    return
                arguments.append(self._value(ends[0]) if ends else "None")
                continue
            values = [self._value(end) for end in ends]
            if not values or any(one == "None" for one in values):
                return
            needed += [f"{one} is not None" for one in values if one[0] in "iv"]
            arguments.append(values[0] if mode != "all" else self._all(ends, values))
        call = f"{self._constant(self._calculation(number, subject), 'f')}({', '.join(arguments)})"
        indent = "    " if needed else ""
        if needed:
            self.lines.append(f"if {' and '.join(dict.fromkeys(needed))}:")
        self.lines += [
            f"{indent}try:",
            f"{indent}    {name} = {call}",
            f"{indent}except (ZeroDivisionError, OverflowError):",
            f"{indent}    pass",
        ]

    def _all(self, ends: Sequence[Place], values: Sequence[str]) -> str:
        """All values of a path as a tuple; a single list of them is that tuple."""
        only = ends[0].subject.facts.get(ends[0].word) if len(ends) == 1 else None
        return f"tuple({values[0]})" if isinstance(only, list) else f"({', '.join(values)},)"

    def _each(self, ends: Sequence[Subject | None], word: str) -> str:
        """The known values of a path as a tuple, None in the place of each other."""
        return f"({''.join('None, ' if end is None else f'{self._value(Place(end, word))}, ' for end in ends)})"

    def _parameters(self, number: int) -> Iterator[Sequence[Any]]:
        step = self.plan.steps[number]
        if "path" in step:
            yield step["path"], "all" if step.get("many") else "needed"
        else:
            yield from step["params"]

    def _calculation(self, number: int, subject: Subject) -> Callable[..., Any]:
        step = self.plan.steps[number]
        if "table" in step:
            table = step["table"]
            return lambda name: (table.get(name) or (None,))[0]
        if "path" in step:
            return list if step["many"] else _same
        return self.plan.function(number)

    def _value(self, place: Place) -> str:
        """How a place stands in the lines: a name where it varies, a constant else."""
        if place in self.names:
            return self.names[place]
        fact = place.subject.facts.get(place.word)
        return "None" if fact is None else self._constant(fact, "c")

    def _constant(self, value: Any, letter: str) -> str:
        name = f"{letter}{len(self.constants)}"
        self.constants[name] = value
        return name


def _same(value: Any) -> Any:
    return value


def places(graph: Graph, paths: Iterable[str]) -> list[Place]:
    """Words by their paths, such as `workloads/pretrain/parallelism/tensor`."""
    split = [path.rpartition("/") for path in paths]
    return [Place(graph.subjects[owner], word) for owner, _, word in split]
