"""Facts that follow: runs the calculations in their order, and says which missing fact kept one from running."""

from __future__ import annotations

import importlib
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.derivations.base import REGISTRY, Derivation, made_function
from designlint.expressions import python
from designlint.graph import readers
from designlint.graph.arguments import entry, safely, single
from designlint.graph.subjects import Fact, Graph, Origin, Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from designlint.graph.arguments import Used

    #: A step at work: the fact and its origin, or None.
    Result: TypeAlias = Callable[[Subject], "tuple[Fact, Origin] | None"]

#: Facts that one unknown is said to wait for: a person acts on a few, and thousands of nodes may be asked.
MOST_ASKED = 12
#: What a known fact waits for.
NOTHING: list[str] = []
#: What facts wait for, by node and word.
Asked: TypeAlias = dict[tuple[str, str], list[str]]


class Plan:
    """
    The steps of the compiled bundle, each with what it reads.

    Args:
        texts: gives the words of the steps for people.
        made: gives what was written for a step, see `readers`; None where Python would have to compile it at each run.
        optional: words for what a sound design need not have.
    """

    def __init__(
        self,
        steps: Sequence[Mapping[str, Any]],
        texts: Callable[[], Mapping[str, Any]],
        made: Callable[[str], Any],
        optional: Collection[str] = (),
    ) -> None:
        self.steps, self._texts, self._kept, self.optional = steps, texts, made, optional
        self._functions: dict[int, Callable[..., Any]] = {}
        self._results: dict[int, Result] = {}
        self._written: dict[str, dict[str, int]] = {}
        self._needed: dict[int, Sequence[Sequence[str]]] = {}
        #: Of each step that was made, the words of the subject without which there is no result.
        self._begins: dict[int, frozenset[str]] = {}

    def step(self, subject: Subject, word: str) -> int | None:
        """The number of the step that writes a word of a subject, or None."""
        written = self._written.get(subject.cls)
        if written is None:
            written = self._written[subject.cls] = {}
            for kind in reversed(subject.kinds):  # a class's own steps go before those of the classes above
                written |= self._numbers.get(kind, {})
        return written.get(word)

    @cached_property
    def _numbers(self) -> dict[str, dict[str, int]]:
        """The steps by class and word."""
        found: dict[str, dict[str, int]] = {}
        for number, step in enumerate(self.steps):
            found.setdefault(step["of"], {})[step["word"]] = number
        return found

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
            for path in paths_of(step):
                found.setdefault(path[-1], []).append((number, path))
        return found

    def description(self, number: int) -> Mapping[str, Any]:
        """The formula, the sources and the description of a step."""
        told: Mapping[str, Any] = self._texts()["plan"][number]
        return told

    def function(self, number: int) -> Callable[..., Any]:
        """The calculation of a step, of all words that it reads one by one."""
        known = self._functions.get(number)
        if known is None:
            known = self._functions[number] = self.derivation(number).call
        return known

    def reader(self, number: int) -> Callable[[Subject], tuple[tuple[Any, ...], list[Used]] | None]:
        """What takes the arguments of a calculation and where each came from, see `readers`."""
        found: Callable[[Subject], Any] = self._kept(readers.key(number)) or python.execute(
            partial(readers.write_reader, self.steps[number]), readers.NAMES
        )
        return found

    def derivation(self, number: int) -> Derivation:
        """The calculation of a step as it is declared; its module is imported only when it is first asked for."""
        step = self.steps[number]
        if "equals" in step:
            return Derivation(step["of"], made_function(step["equals"]), (), (), text=step["equals"])
        importlib.import_module(step["module"])
        return REGISTRY[step["of"], step.get("calculation", step["word"])]

    def run(
        self, graph: Graph, only: Collection[int] | None = None,
        again: tuple[Collection[int], Mapping[str, Sequence[Subject]]] | None = None,
    ) -> None:  # fmt: skip
        """
        Add every fact that follows from those that are there; what is stated stays.

        Args:
            only: the steps that are taken; all when left out.
            again: where most facts are known already, the steps that are taken of all subjects, and by class those subjects
                of which all steps are taken.
        """
        for number in sorted([number for cls in graph.by_class for number in self._of.get(cls, ())]):
            if only is not None and number not in only:
                continue
            cls, word = self._writes[number]
            subjects = (graph.by_class if again is None or number in again[0] else again[1]).get(cls, ())
            if not subjects:
                continue
            result, needed = self._results.get(number) or self._make_result(number), self._begins[number]
            for subject in subjects:
                known = subject.facts
                if word in known or not known.keys() >= needed:
                    continue
                if (found := result(subject)) is not None:
                    known[word], subject.origins[word] = found

    @cached_property
    def _writes(self) -> list[tuple[str, str]]:
        """The class and the word of each step."""
        return [(step["of"], step["word"]) for step in self.steps]

    @cached_property
    def _of(self) -> dict[str, list[int]]:
        """The steps by the class that they are of."""
        found: dict[str, list[int]] = {}
        for number, (cls, _) in enumerate(self._writes):
            found.setdefault(cls, []).append(number)
        return found

    def _needs(self, number: int) -> Sequence[Sequence[str]]:
        """The paths at whose ends stands what a step cannot do without."""
        found = self._needed.get(number)
        if found is None:
            found = self._needed[number] = needed_by(self.steps[number])
        return found

    def needed_steps(self, words: Collection[str]) -> frozenset[int]:
        """The steps without which one of these words might be missing, by number."""
        wanted, found = set(words), set[int]()
        for number in range(len(self.steps) - 1, -1, -1):  # what a step reads is written by those before it
            step = self.steps[number]
            if step["word"] in wanted:
                found.add(number)
                wanted.update(*paths_of(step))
        return frozenset(found)

    def result(self, number: int, subject: Subject) -> tuple[Fact, Origin] | None:
        """What a step gives for a subject, and where it comes from; None where that is unknown."""
        return (self._results.get(number) or self._make_result(number))(subject)

    def _make_result(self, number: int) -> Result:
        step = self.steps[number]
        make = _looked_up if "table" in step else _following if "path" in step else self._calculation
        found = self._results[number] = make(step, number)
        self._begins[number] = frozenset([path[0] for path in self._needs(number) if path[0][0] != "^"])
        return found

    def reads(self, number: int, subject: Subject) -> Iterator[tuple[Subject, str]]:
        """The places that a step reads for a subject, whether a fact is there or not."""
        return (end for path in paths_of(self.steps[number]) for end in subject.follow(path))

    def _calculation(self, step: Mapping[str, Any], number: int) -> Result:
        read_of = self.reader(number)
        module, function = step.get("module", ""), None

        def calculated(subject: Subject) -> tuple[Fact, Origin] | None:
            nonlocal function
            read = read_of(subject)
            if read is None:
                return None
            function = function or self.function(number)  # imported only where all that it needs is there
            found = safely(function, read[0])
            return None if found is None else (found, Origin("derived", module, inputs=read[1], step=number))

        return calculated

    def lacking_facts(self, subject: Subject, paths: Sequence[Sequence[str]], asked: Asked) -> list[str]:
        """The facts that a design would have to state before all at the ends of some paths are known; see `lacks`."""
        found: list[str] = []
        for path in paths:
            if len(path) > 1:
                found += self.lacks(subject, path, asked)
            elif path[0] not in subject.facts:
                known = asked.get((subject.path, path[0]))
                found += self._lacking(subject, path[0], asked) if known is None else known
        return list(dict.fromkeys(found)) if len(found) > 1 else found

    def lacks(self, subject: Subject, path: Sequence[str], asked: Asked) -> list[str]:
        """The facts that a design would have to state before the one at the end of a path is known; `asked` keeps answers."""
        end = single(subject, path[:-1]) if len(path) > 1 else subject
        if end is not None:
            word = path[-1]
            if word in end.facts:
                return NOTHING
            known = asked.get((end.path, word))
            return self._lacking(end, word, asked) if known is None else known
        ends = [one for one, _ in subject.follow(path)]
        if not ends:
            return [_first_gap(subject, path)]
        found = dict.fromkeys(fact for one in ends[:MOST_ASKED] for fact in self._lacking(one, path[-1], asked))
        return list(found)[:MOST_ASKED]

    def _lacking(self, subject: Subject, word: str, asked: Asked) -> list[str]:
        if word in subject.facts:
            return NOTHING
        key = subject.path, word
        found = asked.get(key)
        if found is None:
            asked[key] = []  # a filler may ask for itself along another way: the first asking answers
            asked[key] = found = self._inputs_lacked(subject, word, asked)[:MOST_ASKED]
        return found

    def _inputs_lacked(self, subject: Subject, word: str, asked: Asked) -> list[str]:
        number, stated = self.step(subject, word), [f"{subject.path}/{word}".lstrip("/")]
        found = [] if number is None else self.lacking_facts(subject, self._needs(number), asked)
        if found or number is None or self.steps[number].get("fills"):
            return found or stated
        # all that it needs is there, so what it may use besides would have decided; a sound design need not have all of that
        besides = self.lacking_facts(subject, paths_of(self.steps[number]), asked)
        return [one for one in besides if one.rpartition("/")[2] not in self.optional] or besides


def paths_of(step: Mapping[str, Any]) -> Sequence[Sequence[str]]:
    """The paths at whose ends stands what a step reads."""
    return [step["path"]] if "path" in step else [path for path, *_ in step["params"]]


def needed_by(step: Mapping[str, Any]) -> Sequence[Sequence[str]]:
    """The paths at whose ends stands what a step cannot do without."""
    return [step["path"]] if "path" in step else [path for path, mode, *_ in step["params"] if mode in ("one", "all")]


def _following(step: Mapping[str, Any], number: int) -> Result:
    path, many = tuple(step["path"]), step["many"]
    words, parts, last = "/".join(path), path[:-1], path[-1]

    def followed(subject: Subject) -> tuple[Fact, Origin] | None:
        end = None if many else single(subject, parts)
        if end is not None:
            fact = end.facts.get(last)
            if fact is not None and not isinstance(fact, list):
                return fact, Origin("followed", words, inputs=[(end, last)], step=number)
        ends = list(subject.follow(path))
        found: list[Any] = [one.facts.get(last) for one, _ in ends]
        if not found or None in found:
            return None
        facts = [fact for one in found for fact in (one if isinstance(one, list) else [one])]
        return facts if many else facts[0], Origin("followed", words, inputs=ends, step=number)

    return followed


def _looked_up(step: Mapping[str, Any], number: int) -> Result:
    table, (named,) = step["table"], step["path"]

    def looked_up(subject: Subject) -> tuple[Fact, Origin] | None:
        found = entry(table, subject.facts.get(named))
        if found is None:
            return None
        return found[0], Origin("catalog", found[1], found[2], step=number, confidence=found[3])

    return looked_up


def _first_gap(subject: Subject, path: Sequence[str]) -> str:
    """The path of the part that is missing on the way to a fact; for who should name a subject, class, word and its name."""
    for one, word in (step for at in range(1, len(path)) for step in subject.follow(path[:at])):
        if word[0] == "^" and not one.step(word):
            return f"{word[1:]} = {one.name}"
        if word[0] != "^" and word not in one.facts:
            return "/".join(filter(None, (one.path, word)))
    return "/".join(filter(None, (subject.path, *path)))
