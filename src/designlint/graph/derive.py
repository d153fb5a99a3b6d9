"""Facts that follow: runs the calculations in their order, and says which missing fact kept one from running."""

from __future__ import annotations

import importlib
import math
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.derivations.base import REGISTRY
from designlint.graph.subjects import Fact, Graph, Origin, Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from designlint.derivations.base import Derivation

    #: A step at work: the fact and its origin, or None.
    Result: TypeAlias = Callable[[Subject], "tuple[Fact, Origin] | None"]

#: A parameter of a calculation: the parts that lead to it, its word, its mode, the whole path, its steps that may be gaps.
Param: TypeAlias = tuple[tuple[str, ...], str, str, list[str], list[int]]
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
        self._results: dict[int, Result] = {}

    def step(self, graph: Graph, subject: Subject, word: str) -> int | None:
        """The number of the step that writes a word of a subject, or None."""
        for cls in subject.kinds:
            if (cls, word) in self.number:
                return self.number[cls, word]
        return None

    @cached_property
    def writing(self) -> dict[tuple[str, str], list[int]]:
        """The steps that write each word of a class."""
        found: dict[tuple[str, str], list[int]] = {}
        for number, step in enumerate(self.steps):
            found.setdefault((step["of"], step["word"]), []).append(number)
        return found

    @cached_property
    def reading(self) -> dict[str, list[tuple[int, Sequence[str]]]]:
        """The steps that read each word, with the path at whose end it stands."""
        found: dict[str, list[tuple[int, Sequence[str]]]] = {}
        for number, step in enumerate(self.steps):
            for path in self._paths(step):
                found.setdefault(path[-1], []).append((number, path))
        return found

    def told(self, number: int) -> Mapping[str, Any]:
        """The formula, the sources and the description of a step."""
        told: Mapping[str, Any] = self._texts()["plan"][number]
        return told

    def function(self, number: int) -> Callable[..., Any]:
        """The calculation of a step, of all words that it reads one by one."""
        known = self._functions.get(number)
        if known is None:
            known = self._functions[number] = self.derivation(number).call
        return known

    def derivation(self, number: int) -> Derivation:
        """The calculation of a step as it is declared; its module is imported only when it is first asked for."""
        step = self.steps[number]
        importlib.import_module(step["module"])
        return REGISTRY[step["of"], step.get("calculation", step["word"])]

    def run(self, graph: Graph, only: Collection[int] | None = None) -> None:
        """
        Add every fact that follows from those that are there; what is stated stays.

        Args:
            only: the steps that are taken; all when left out.
        """
        for number, step in enumerate(self.steps):
            if only is not None and number not in only:
                continue
            word = step["word"]
            for subject in graph.by_class.get(step["of"], ()):
                if word not in subject.facts and (found := self.result(number, subject)) is not None:
                    subject.state(word, *found)

    def needed(self, words: Collection[str]) -> frozenset[int]:
        """The steps without which one of these words might be missing, by number."""
        wanted, found = set(words), set[int]()
        for number in range(len(self.steps) - 1, -1, -1):  # what a step reads is written by those before it
            step = self.steps[number]
            if step["word"] in wanted:
                found.add(number)
                wanted.update(word for path in self._paths(step) for word in path)
        return frozenset(found)

    def result(self, number: int, subject: Subject) -> tuple[Fact, Origin] | None:
        """What a step gives for a subject, and where it comes from; None where that is unknown."""
        known = self._results.get(number)
        if known is None:
            step = self.steps[number]
            make = _looked_up if "table" in step else _followed if "path" in step else self._calculated
            known = self._results[number] = make(step, number)
        return known(subject)

    def reads(self, number: int, subject: Subject) -> Iterator[tuple[Subject, str]]:
        """The places that a step reads for a subject, whether a fact is there or not."""
        return (end for path in self._paths(self.steps[number]) for end in subject.follow(path))

    @staticmethod
    def _paths(step: Mapping[str, Any]) -> Sequence[Sequence[str]]:
        return [step["path"]] if "path" in step else [path for path, *_ in step["params"]]

    def _calculated(self, step: Mapping[str, Any], number: int) -> Result:
        params, module = parameters(step), step["module"]

        def calculated(subject: Subject) -> tuple[Fact, Origin] | None:
            read = _inputs(subject, params)
            found = None if read is None else _safely(self.function(number), read[0])
            if read is None or found is None:
                return None
            return found, Origin("derived", module, inputs=read[1], step=number)

        return calculated

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
            for path, mode, *_ in step["params"]
            if mode in ("one", "all")
            for one in self.lacks(graph, subject, path, asked)
        ]
        # Where all that it needs is there, what it may use besides would have decided.
        return list(
            dict.fromkeys(needed)
            or dict.fromkeys(one for path in self._paths(step) for one in self.lacks(graph, subject, path, asked))
        )


def _followed(step: Mapping[str, Any], number: int) -> Result:
    path, many = tuple(step["path"]), step["many"]
    words = "/".join(path)

    def followed(subject: Subject) -> tuple[Fact, Origin] | None:
        ends = list(subject.follow(path))
        if not ends or not all(word in one.facts for one, word in ends):
            return None
        found = [one.facts[word] for one, word in ends]
        facts = [fact for one in found for fact in (one if isinstance(one, list) else [one])]
        return facts if many else facts[0], Origin("followed", words, inputs=ends, step=number)

    return followed


def _looked_up(step: Mapping[str, Any], number: int) -> Result:
    table, (named,) = step["table"], step["path"]

    def looked_up(subject: Subject) -> tuple[Fact, Origin] | None:
        found = table.get(subject.facts.get(named))
        return (
            None
            if found is None
            else (found[0], Origin("catalog", found[1], found[2], step=number, confidence=found[3]))
        )

    return looked_up


def parameters(step: Mapping[str, Any]) -> list[Param]:
    """What a calculation reads."""
    read = step.get("params", ())
    return [(tuple(path[:-1]), path[-1], mode, path, gaps[0] if gaps else []) for path, mode, *gaps in read]


def _inputs(subject: Subject, params: Sequence[Param]) -> tuple[list[Any], list[tuple[Subject, str]]] | None:
    """The arguments of a calculation and where each came from; None where a needed one is missing."""
    values: list[Any] = []
    used: list[tuple[Subject, str]] = []
    for parts, word, mode, path, gaps in params:
        end: Subject | None = subject
        if mode == "each":
            found = each(subject, path, gaps)
            values.append(tuple(None if one is None else one.facts.get(word) for one in found))
            used += [(one, word) for one in found if one is not None and word in one.facts]
            continue
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
        elif mode == "optional" and not (end is not None and word in end.unread):
            values.append(None)
        else:
            return None
    return values, used


def each(subject: Subject, path: Sequence[str], gaps: Sequence[int]) -> list[Subject | None]:
    """The subjects at the end of a path; None in the place of each that is missing."""
    here: list[Subject | None] = [subject]
    for at, step in enumerate(path[:-1]):
        missing: list[Subject | None] = [None] if at in gaps else []
        here = [end for one in here for end in ([None] if one is None else one.step(step) or missing)]
    return here


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
