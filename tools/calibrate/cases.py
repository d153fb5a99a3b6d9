"""Measured steps as functions: the time that the derivations predict, of the numbers that are fitted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.corpus import steps

from designlint.configuration import engine
from designlint.graph.incremental import Place
from designlint.graph.straight_line import compile_function
from tools.accuracy import designs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.corpus.convert import Row

JOB = "workloads/job"
TARGET = "predicted_step_time"


@dataclass(frozen=True, slots=True)
class Case:
    """A measured step: its row, its generation of GPUs, its time, and what is predicted for it from the fitted words. [s]"""

    row: Row
    generation: str
    measured: float
    predicted: Callable[..., tuple[float]]


def read(row: Row, fitted: Sequence[str]) -> Case:
    """
    A row as a case. Raises ValueError where its design is no design, LookupError where a prediction lacks a fact.

    Args:
        fitted: words of the job, or of a part of it, in the order in which the prediction takes them.
    """
    graph = designs.read(steps.design(row)).graph
    job = graph.subjects[JOB]
    if TARGET not in job.facts:
        raise LookupError(f"{row['id']}: nothing is predicted")
    places = [_place(job, path) for path in fitted]
    predicted: Any = compile_function(engine.shipped_engine().plan, graph, places, [Place(job, TARGET)])
    return Case(row, str(job.facts["gpu_generation"]), float(row["step_seconds"]), predicted)


def _place(job: Any, path: str) -> Place:
    *parts, word = path.split("/")
    for part in parts:
        job = job.facts[part]
    return Place(job, word)
