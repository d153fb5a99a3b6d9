"""How wide the interval is: the errors on models, families and publishers that the fit had not seen, class by class."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.calibrate.cases import Case

#: Share of measured steps that the interval holds here, and the standard deviations on either side that hold it.
HELD, WIDTH = 0.8, 1.2816
#: Spread for GPUs and software that were never measured: errors on the same when they are left out altogether.
UNKNOWN = 0.2
#: The architecture of GPUs with most sources, which has no spread of its own, and the others that were measured enough.
MEASURED_BEST, MEASURED = "hopper", ("ampere", "blackwell")
BASE, SHARDED, EXPERTS = "base_spread", "sharded_spread", "expert_spread"


def spreads(cases: Sequence[Case], *columns: Mapping[str, float]) -> dict[str, float]:
    """
    The figures of the interval, and the further spread of architectures of GPUs by their names.

    Each cause in turn is given the spread that makes the interval hold the wanted share of its steps, on top of the
    causes before it. Of each step, the worst error counts.

    Args:
        columns: predictions by fits that had not seen the model, its family, or its publisher, by id. [s]
    """
    errors = {case.row["id"]: max(abs(log_error(case, column)) for column in columns) for case in cases}
    found: dict[str, float] = {}
    for cause in (BASE, *MEASURED, SHARDED, EXPERTS):
        own = [case for case in cases if causes(case)[-1] == cause]
        found[cause] = float(np.quantile([lacking(case, errors, found) for case in own], HELD))
    return {**found, "unknown_spread": UNKNOWN, "interval_width": WIDTH}


def causes(case: Case) -> list[str]:
    """The causes of spread of a case, in the order in which they are laid upon each other."""
    of = architecture(case.generation)
    found = [BASE] if of == MEASURED_BEST else [BASE, of]
    if case.row["zero_stage"] == "3":
        found.append(SHARDED)
    return [*found, EXPERTS] if "expert" in case.row else found


def architecture(generation: str) -> str:
    """What generations that share their matrix units have in common: `blackwell` of `blackwell-ultra`."""
    return generation.partition("-")[0]


def log_error(case: Case, times: Mapping[str, float]) -> float:
    """Logarithm of predicted over measured."""
    return math.log(times[case.row["id"]] / case.measured)


def lacking(case: Case, errors: Mapping[str, float], known: Mapping[str, float]) -> float:
    """The least further spread with which the interval would hold the case."""
    wanted = errors[case.row["id"]] / WIDTH
    return math.sqrt(max(0.0, wanted**2 - sum(known.get(cause, 0.0) ** 2 for cause in causes(case))))
