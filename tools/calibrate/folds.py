"""Predictions of steps that the fit had not seen: one fit for each group that is left out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.corpus import convert

from tools.calibrate.fit import fit, predict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tools.calibrate.cases import Case
    from tools.calibrate.parameters import Model, Values

#: Rounds of a fit that starts from the fit on all rows.
ROUNDS = 4
#: Fits for each way of leaving out; every group is in one of them.
FOLDS = 7


def groups() -> dict[str, Callable[[Case], str]]:
    """What is left out together: the rows of one model, of one family of models, of one publisher."""
    publishers = {row["set"]: row["group"] for row in convert.rows("step_time_sets")}
    return {
        "without_model": lambda case: case.row["fold"],
        "without_family": lambda case: case.row["family"],
        "without_source": lambda case: publishers[case.row["set"]],
    }


def left_out(model: Model, cases: Sequence[Case], values: Values, group: Callable[[Case], str]) -> dict[str, float]:
    """The predicted time of every case by a fit that saw nothing of its group, by id. [s]"""
    found: dict[str, float] = {}
    for names in dealt(Counter(group(case) for case in cases)):
        unseen = [case for case in cases if group(case) in names]
        seen = [case for case in cases if group(case) not in names and case.row["use"] == "fit"]
        without = fit(model, seen, values, ROUNDS)
        times = predict(model, unseen, without)
        found |= {case.row["id"]: time for case, time in zip(unseen, times, strict=True)}
        print(f"  without {', '.join(sorted(names))}", flush=True)
    return found


def dealt(sizes: Counter[str]) -> list[set[str]]:
    """The groups dealt out to folds, the largest first, each to the fold with fewest rows."""
    folds: list[set[str]] = [set() for _ in range(min(FOLDS, len(sizes)))]
    for name, _ in sorted(sizes.items(), key=lambda one: (-one[1], one[0])):
        min(folds, key=lambda fold: sum(sizes[other] for other in fold)).add(name)
    return folds
