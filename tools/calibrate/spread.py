"""How wide the interval is: the spread of errors on models that the fit had not seen, by class."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import nnls

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.calibrate.cases import Case

#: Log errors are cut off here, so that a few regressions of software do not set the width for all.
LARGEST = 0.4
#: Share of measured steps that the interval is made to hold here; elsewhere it will hold fewer.
HELD = 0.83
#: Spread for GPUs and software that were never measured: errors on the same when they are left out altogether.
UNKNOWN = 0.2


NAMES = ("base_spread", "expert_spread", "sharded_spread", "blackwell")


def spreads(cases: Sequence[Case], *columns: Mapping[str, float]) -> dict[str, float]:
    """The figures of the interval, from predictions by fits that had not seen the model, its family, or its publisher."""
    errors = np.array([math.log(column[case.row["id"]] / case.measured) for column in columns for case in cases])
    classes = np.array([of(case) for _ in columns for case in cases], dtype=float)
    squares, _ = nnls(classes, np.minimum(np.abs(errors), LARGEST) ** 2)
    width = float(np.quantile(np.abs(errors) / np.sqrt(classes @ squares), HELD))
    found = {name: math.sqrt(square) for name, square in zip(NAMES, squares, strict=True)}
    return {**found, "unknown_spread": UNKNOWN, "interval_width": width}


def of(case: Case) -> tuple[bool, ...]:
    """Which classes of spread a case is in: all, experts, weights shared out, newest GPUs."""
    row = case.row
    return True, "expert" in row, row["zero_stage"] == "3", row["gpu"].startswith(("b", "gb"))
