"""Facts that follow: runs the calculations in their order, and says which missing fact kept one from running."""

from __future__ import annotations

import importlib
import math
from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.derivations.base import REGISTRY
from designlint.graph.subjects import Graph, Origin, Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

#: A parameter of a calculation: the parts that lead to it, its word, its mode, the whole path.
Param: TypeAlias = tuple[tuple[str, ...], str, str, list[str]]
#: Facts that one unknown is said to wait for: a person acts on a few, and thousands of nodes may be asked.
MOST_ASKED = 12
#: What facts wait for, by node and word.
Asked: TypeAlias = dict[tuple[str, str], list[str]]
#: A float keeps so many digits in the graph: enough for any design, and 0.1 + 0.2 is 0.3.
DIGITS = 12


class Plan:
    """The steps of the compiled bundle, each with what it reads."""

    def __init__(self, steps: Sequence[Mapping[str, Any]], texts: Callable[[], Mapping[str, Any]]) -> None:
        self.steps = steps
        self._texts = texts
        self.number = {(step["of"], step["word"]): at for at, step in enumerate(steps)}
        self._functions: dict[int, Callable[..., Any]] = {}

    def step(self, graph: Graph, subject: Subject, word: str) -> int | None:
        """The number of the step that writes a word of a subject, or None."""
        for cls in subject.kinds:
            if (cls, word) in self.number:
                return self.number[cls, word]
        return None

    def told(self, number: int) -> Mapping[str, Any]:
        """The formula, the sources and the description of a step."""
        told: Mapping[str, Any] = self._texts()["plan"][number]
        return told

    def function(self, number: int) -> Callable[..., Any]:
        """The calculation of a step; its module is imported only when it is first asked for."""
        known = self._functions.get(number)
        if known is None:
            step = self.steps[number]
            importlib.import_module(step["module"])
            known = self._functions[number] = REGISTRY[step["of"], step["word"]].call
        return known

    def run(self, graph: Graph) -> None:
        """Add every fact that follows from those that are there; what is stated stays."""
        for number, step in enumerate(self.steps):
            subjects = graph.by_class.get(step["of"])
            if subjects:
                act = self._look_up if "table" in step else self._follow if "path" in step else self._calculate
                act(graph, number, [one for one in subjects if step["word"] not in one.facts])

    def _follow(self, graph: Graph, number: int, subjects: list[Subject]) -> None:
        step = self.steps[number]
        path = tuple(step["path"])
        for subject in subjects:
            ends = list(subject.follow(path))
            if ends and all(word in one.facts for one, word in ends):
                facts = [one.facts[word] for one, word in ends]
                origin = Origin("followed", "/".join(path), inputs=ends, step=number)
                subject.state(step["word"], facts if step["many"] else facts[0], origin)

    def _look_up(self, graph: Graph, number: int, subjects: list[Subject]) -> None:
        step = self.steps[number]
        for subject in subjects:
            found = step["table"].get(subject.facts.get(step["path"][0]))
            if found is not None:
                value, name, source = found
                subject.state(step["word"], value, Origin("catalog", name, source))

    def _calculate(self, graph: Graph, number: int, subjects: list[Subject]) -> None:
        step = self.steps[number]
        word, module = step["word"], step["module"]
        params: list[Param] = [(tuple(path[:-1]), path[-1], mode, path) for path, mode in step["params"]]
        function = None
        for subject in subjects:
            read = _inputs(subject, params)
            if read is None:
                continue
            function = function or self.function(number)
            result = _safely(function, read[0])
            if result is not None:
                subject.state(word, result, Origin("derived", module, inputs=read[1], step=number))

    def lacks(self, graph: Graph, subject: Subject, path: Sequence[str], asked: Asked) -> list[str]:
        """
        The facts that a design would have to state before the one at the end of a path is known.

        Args:
            asked: the answers so far, by node and word: many rules wait for the same facts.
        """
        end = _single(subject, path[:-1]) if len(path) > 1 else subject
        if end is not None:
            return self._lacking(graph, end, path[-1], asked)
        ends = [one for one, _ in subject.follow(path)]
        if not ends:
            return [_first_gap(subject, path)]
        found = dict.fromkeys(fact for one in ends[:MOST_ASKED] for fact in self._lacking(graph, one, path[-1], asked))
        return list(found)[:MOST_ASKED]

    def _lacking(self, graph: Graph, subject: Subject, word: str, asked: Asked) -> list[str]:
        if word in subject.facts:
            return []
        key = subject.path, word
        if key not in asked:
            asked[key] = []  # a filler may ask for itself along another way: the first asking answers
            number = self.step(graph, subject, word)
            stated = [f"{subject.path}/{word}".lstrip("/")]
            asked[key] = stated if number is None else self._inputs_lacked(graph, subject, number, asked)[:MOST_ASKED]
        return asked[key]

    def _inputs_lacked(self, graph: Graph, subject: Subject, number: int, asked: Asked) -> list[str]:
        step = self.steps[number]
        if "path" in step:
            return self.lacks(graph, subject, step["path"], asked)
        needed = [
            one
            for path, mode in step["params"]
            if mode != "optional"
            for one in self.lacks(graph, subject, path, asked)
        ]
        # Where all that it needs is there, what it may use besides would have decided.
        return list(
            dict.fromkeys(needed)
            or dict.fromkeys(one for path, _ in step["params"] for one in self.lacks(graph, subject, path, asked))
        )


def _inputs(subject: Subject, params: Sequence[Param]) -> tuple[list[Any], list[tuple[Subject, str]]] | None:
    """The arguments of a calculation and where each came from; None where a needed one is missing."""
    values: list[Any] = []
    used: list[tuple[Subject, str]] = []
    for parts, word, mode, path in params:
        end: Subject | None = subject
        if mode == "all":
            ends = list(subject.follow(path))
            if not ends or not all(word in one.facts for one, word in ends):
                return None
            facts = [one.facts[word] for one, word in ends]
            values.append(tuple(facts[0] if len(facts) == 1 and isinstance(facts[0], list) else facts))
            used += ends
            continue
        if parts:
            end = _single(subject, parts)
        if end is not None and word in end.facts:
            values.append(end.facts[word])
            used.append((end, word))
        elif mode == "optional":
            values.append(None)
        else:
            return None
    return values, used


def _single(subject: Subject, parts: Sequence[str]) -> Subject | None:
    """The subject at the end of a path of parts, or None where one is missing."""
    at = subject
    for step in parts:
        fact = at.facts.get(step)
        if not isinstance(fact, Subject):
            return None
        at = fact
    return at


def _safely(function: Callable[..., Any], values: list[Any]) -> Any:
    """The result, rounded; None where the numbers of the design leave the formula's range."""
    try:
        result = function(*values)
    except (ZeroDivisionError, OverflowError):
        return None
    if isinstance(result, float):
        return float(f"{result:.{DIGITS}g}") if math.isfinite(result) else None
    return result


def _first_gap(subject: Subject, path: Sequence[str]) -> str:
    """The path of the part that is missing on the way to a fact; for who should name a subject, class, word and its name."""
    for at in range(1, len(path)):
        for one, word in subject.follow(path[:at]):
            if word[0] == "^" and not one.step(word):
                return f"{word[1:]} = {one.name}"
            if word[0] != "^" and word not in one.facts:
                return "/".join(filter(None, (one.path, word)))
    return "/".join(filter(None, (subject.path, *path)))
