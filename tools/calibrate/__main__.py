"""`python -m tools.calibrate TABLE`: fit the constants of the step-time model and write them into the catalogue."""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from tests.corpus import steps

from tools.calibrate import catalogue, folds
from tools.calibrate.cases import Case, read
from tools.calibrate.fit import fit, predict
from tools.calibrate.parameters import Model, Values
from tools.calibrate.spread import spreads

#: Rounds of the fit on all rows.
ROUNDS = 40
ABOUT = (
    "Fitted {date} on {rows} measured steps of {models} models; median error {median:.1f} % on models that the fit had not seen. "
    "Bounds and priors: tools/calibrate/model.yaml."
)


def main() -> None:
    """Fit, predict what was left out, write."""
    parser = argparse.ArgumentParser(prog="python -m tools.calibrate", description=__doc__)
    parser.add_argument("table", type=Path, help="measured steps, such as tests/corpus/step_times.csv")
    table = parser.parse_args().table
    model = Model()
    cases = [read(row, model.words) for row in steps.rows(table) if row["use"] != "stress"]
    print(f"{len(cases)} measured steps", flush=True)
    values = fit(model, [case for case in cases if case.row["use"] == "fit"], model.starts(), ROUNDS)
    print("\n".join(f"  {name} {value:.4g}" for name, value in values.items()), flush=True)
    write(model, cases, values)


def write(model: Model, cases: list[Case], values: Values) -> None:
    """Predict every step by fits that had not seen it, and write the catalogue and the predictions."""
    times = predict(model, cases, values)
    columns = {"fitted": {case.row["id"]: time for case, time in zip(cases, times, strict=True)}}
    for name, group in folds.groups().items():
        print(name, flush=True)
        columns[name] = folds.left_out(model, cases, values, group)
    unseen = columns["without_model"]
    median = statistics.median(abs(unseen[case.row["id"]] / case.measured - 1) for case in cases)
    about = ABOUT.format(
        date=time.strftime("%Y-%m-%d"),
        rows=sum(case.row["use"] == "fit" for case in cases),
        models=len({case.row["model"] for case in cases}),
        median=100 * median,
    )
    catalogue.write_catalogue(model, values, spreads(cases, *(columns[name] for name in folds.groups())), about)
    catalogue.write_predictions(cases, columns)


if __name__ == "__main__":
    main()
