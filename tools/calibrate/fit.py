"""The fit: least squares of log errors with a soft L1 loss, priors and bounds, one weight for each set and family."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import least_squares

from tools.calibrate.parameters import Model, Values, logs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tools.calibrate.cases import Case

#: Log error beyond which a row pulls with constant force.
SCALE = 0.1
#: Weight of a prior of one sigma against a row of weight 1.
PRIOR = 0.35


def fit(model: Model, cases: Sequence[Case], start: Values, rounds: int) -> Values:
    """The numbers that fit these cases best."""
    parameters = model.parameters
    low, high = (np.log([getattr(one, side) for one in parameters]) for side in ("low", "high"))
    centre, sigma = np.array(logs(model.starts(), parameters)), np.array([one.sigma for one in parameters])
    weight = np.array(weights(cases))
    measured = np.log([case.measured for case in cases])

    def residuals(at: NDArray[np.float64]) -> NDArray[np.float64]:
        values = {one.name: math.exp(log) for one, log in zip(parameters, at, strict=True)}
        error = np.log(predict(model, cases, values)) - measured
        soft = np.sqrt(2 * (np.sqrt(1 + (error / SCALE) ** 2) - 1)) * np.sign(error)
        return np.concatenate([weight * soft, PRIOR * (at - centre) / sigma])

    begin = np.clip(logs(start, parameters), low + 1e-6, high - 1e-6)
    found = least_squares(residuals, begin, bounds=(low, high), x_scale=0.1, max_nfev=rounds)
    return {one.name: math.exp(log) for one, log in zip(parameters, found.x, strict=True)}


def predict(model: Model, cases: Sequence[Case], values: Values) -> list[float]:
    """The times of cases that these numbers predict. [s]"""
    arguments = model.arguments(values)
    return [case.predicted(*arguments(case))[0] for case in cases]


def weights(cases: Sequence[Case]) -> list[float]:
    """The fourth root of one over the rows of the same set, family and software: no set drowns the others."""
    keys = [(case.row["set"], case.row["family"], case.row["software_profile"]) for case in cases]
    rows = Counter(keys)
    return [rows[key] ** -0.25 for key in keys]
