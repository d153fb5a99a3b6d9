"""Measured steps as facts: all that a prediction needs, computed once, and the steps that depend on what is fitted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from tests.corpus import steps

from designlint.configuration import engine
from tools.accuracy import designs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.corpus.convert import Row

JOB = "workloads/job"
TARGET = "predicted_step_time"
#: One calculation: its function, where its arguments stand, which of them may be missing, where its result goes.
Step: TypeAlias = "tuple[Callable[..., Any], tuple[int, ...], tuple[bool, ...], int]"


class Program:
    """The calculations from fitted constants to the predicted step, in their order, over one flat list of facts."""

    def __init__(self, fitted: Iterable[str]) -> None:
        self.slots: dict[str, int] = {}
        self.steps: list[Step] = []
        changing = {one: self.slot(one) for one in fitted}
        plan = engine.shipped().plan
        for number, step in enumerate(plan.steps):
            if step["of"] != "Workload" or "params" not in step:
                continue
            paths = ["/".join(path) for path, _ in step["params"]]
            if any(path in changing for path in paths):
                optional = tuple(mode == "optional" for _, mode in step["params"])
                changing[step["word"]] = self.slot(step["word"])
                places = tuple(self.slot(path) for path in paths)
                self.steps.append((plan.function(number), places, optional, changing[step["word"]]))
        self.steps = self._needed()
        self.slot("gpu_generation")
        self._compiled: dict[frozenset[int], Callable[[list[Any]], Any]] = {}

    def _needed(self) -> list[Step]:
        """The calculations that lead to the predicted step."""
        wanted, kept = {self.slots[TARGET]}, []
        for step in reversed(self.steps):
            if step[3] in wanted:
                wanted.update(step[1])
                kept.append(step)
        return kept[::-1]

    def slot(self, path: str) -> int:
        """The place of a fact in the list; a new one for a new fact."""
        return self.slots.setdefault(path, len(self.slots))

    def read(self, row: Row) -> Case:
        """A row as facts. Raises ValueError where its design is no design, LookupError where a prediction lacks a fact."""
        job = designs.read(steps.design(row)).graph.subjects[JOB]
        facts = [_value(job, path) for path in self.slots]
        missing = frozenset(at for at, value in enumerate(facts) if value is None)
        if missing not in self._compiled:
            self._compiled[missing] = self._compile(missing)
        case = Case(row, facts, float(row["step_seconds"]), self._compiled[missing], self.slots[TARGET])
        if case.predicted() is None:
            lacking = [path for path, at in self.slots.items() if facts[at] is None]
            raise LookupError(f"{row['id']}: nothing is predicted without {', '.join(lacking)}")
        return case

    def _compile(self, missing: frozenset[int]) -> Callable[[list[Any]], Any]:
        """One straight line of calls, for jobs that lack the same facts."""
        lines, functions, gone = ["def line(v):"], {}, set(missing)
        for number, (function, places, optional, into) in enumerate(self.steps):
            gone.discard(into)
            if any(place in gone and not free for place, free in zip(places, optional, strict=True)):
                gone.add(into)
                continue
            functions[f"f{number}"] = function
            results = {one for _, _, _, one in self.steps}
            needed = [at for at, free in zip(places, optional, strict=True) if not free and at in results]
            known = " and ".join(f"v[{at}] is not None" for at in needed) or "True"
            lines.append(f"    v[{into}] = f{number}({', '.join(f'v[{at}]' for at in places)}) if {known} else None")
        exec("\n".join(lines), functions)
        return functions["line"]


@dataclass(slots=True)
class Case:
    """A measured step: its row, its facts, its time, and the calculations that predict it."""

    row: Row
    facts: list[Any]
    measured: float
    line: Callable[[list[Any]], Any]
    target: int

    def predicted(self) -> Any:
        """The predicted time with the facts as they are now. [s]"""
        self.line(self.facts)
        return self.facts[self.target]


def _value(job: Any, path: str) -> Any:
    *parts, word = path.split("/")
    for part in parts:
        job = job.facts.get(part)
        if job is None or isinstance(job, list):
            return None
    return job.facts.get(word)
