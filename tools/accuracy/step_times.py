"""The section on predicted steps: errors on measured steps that the fit had not seen, intervals, order of layouts."""

from __future__ import annotations

import csv
import math
import statistics
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tests.corpus import convert, steps

from designlint.compiler import bundle
from designlint.language.sentences import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tests.corpus.convert import Row

PREDICTIONS = steps.TABLE.with_name("step_time_predictions.csv")
#: What is left out of a fit together, by the column of the predictions.
LEFT_OUT = {"without_model": "model", "without_family": "family of models", "without_source": "publisher"}
#: Fewest layouts of a group whose order says something.
FEWEST = 4
LAYOUT = (
    "tensor",
    "pipeline",
    "virtual_stages",
    "context",
    "expert",
    "micro_batch",
    "zero_stage",
    "sharding_group",
    "recompute",
    "recompute_layers",
    "recompute_modules",
)
HEAD = """\
## Step time

{rows} measured steps of {models} models (`tests/corpus/step_times.csv`), each predicted by a fit that had not seen the row's
model, by one that had not seen its family of models, and by one that had not seen anything of its publisher. The constants
that ship are fitted on all rows; `make calibrate` makes all of them. *Error* is predicted over measured, less 1; its sign counts
for the bias only. {never} rows are never fitted: their layout is uncertain, or their software was years behind.
"""
PEERS = """\
The same layouts in two releases of one vendor differ by 3.0 % (median) and 9.8 % (90th percentile), with experts by up to 77 %:
no prediction that is blind to releases can be better. Peers, as we ran them on rows that they were not tuned on, each on
those that it can express (median error): calculon 16 %, llm-analysis 17 %, mlsysim 15 % on dense models, one constant
utilisation for each GPU and precision 15 %. In print, on their own: vTrain 15 % on several servers, SimuMax 5.6 % and Primus
5 to 9 % with kernels measured on the very machine. On the vTrain groups above, calculon's order has Spearman 0.97, 0.67 and
0.85, mlsysim's 0.82, 0.84 and 0.60 (3.6, 18.4 and 175 billion parameters).
"""


@dataclass(frozen=True, slots=True)
class Step:
    """A measured step and what each fit predicts for it. [s]"""

    row: Row
    measured: float
    predicted: dict[str, float]

    def error(self, column: str) -> float:
        """Predicted over measured, less 1."""
        return self.predicted[column] / self.measured - 1


@cache
def measure_steps() -> list[Step]:
    """Every measured step that a fit predicts."""
    with PREDICTIONS.open(encoding="utf-8", newline="") as file:
        predictions = {row.pop("id"): {name: float(cell) for name, cell in row.items()} for row in csv.DictReader(file)}
    found = (row for row in steps.rows() if row["id"] in predictions)
    return [Step(row, float(row["step_seconds"]), predictions[row["id"]]) for row in found]


def dense(row: Row) -> bool:
    """Whether the row's model has no experts."""
    return "expert" not in row


#: Classes of rows, by what the tables call them.
CLASSES: dict[str, Callable[[Row], bool]] = {
    "all": lambda _: True,
    "dense, H100, Megatron": lambda row: (
        dense(row) and row["gpu"] == "h100-sxm-80gb" and row["software_profile"].startswith("megatron")
    ),
    "weights shared out (FSDP, ZeRO-3)": lambda row: row["zero_stage"] == "3",
    "dense, Blackwell": lambda row: dense(row) and row["gpu"].startswith(("b", "gb")),
    "mixtures of experts": lambda row: not dense(row),
    "1,024 GPUs and more": lambda row: int(row["gpu_count"]) >= 1024,
    "A100": lambda row: row["gpu"].startswith("a100"),
}


def section() -> str:
    """The section, in Markdown."""
    rows = measure_steps()
    never = sum(step.row["use"] != "fit" for step in rows)
    head = HEAD.format(rows=len(rows), models=len({step.row["model"] for step in rows}), never=never)
    return "\n".join([head, *errors(rows), "", *coverage(rows), "", *order(rows), "", PEERS])


def errors(rows: Sequence[Step]) -> list[str]:
    """Errors by class, for each kind of leaving out."""
    lines = [
        "| rows | count | left out | median | 90th percentile | worst | bias |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, test in CLASSES.items():
        chosen = [step for step in rows if test(step.row)]
        for column, what in LEFT_OUT.items():
            signed = [step.error(column) for step in chosen]
            size = sorted(map(abs, signed))
            figures = (statistics.median(size), quantile(size, 0.9), size[-1])
            shown = " | ".join(percent(figure, ".1%") for figure in figures)
            lines.append(
                f"| {name} | {len(chosen)} | {what} | {shown} | {percent(statistics.median(signed), '+.1%')} |"
            )
    return lines


def coverage(rows: Sequence[Step]) -> list[str]:
    """How often the shipped interval, laid around predictions of fits that had not seen the row, holds the measured step."""
    lines = [
        "| rows | inside the 80 % interval, model left out | publisher left out | half-width |",
        "| --- | --- | --- | --- |",
    ]
    for name, test in CLASSES.items():
        chosen = [step for step in rows if test(step.row)]
        held = [
            statistics.mean(abs(log_error(step, column)) <= width(step.row) for step in chosen)
            for column in ("without_model", "without_source")
        ]
        typical = statistics.median(math.expm1(width(step.row)) for step in chosen)
        lines.append(f"| {name} | {percent(held[0])} | {percent(held[1])} | {percent(typical)} |")
    return lines


def log_error(step: Step, column: str) -> float:
    """Logarithm of predicted over measured."""
    return math.log(step.predicted[column] / step.measured)


@cache
def figures() -> dict[str, float]:
    """The shipped constants."""
    found: dict[str, float] = bundle.load()["catalog"]["StepTimeModel"]["public-2026"]["figures"]
    return found


def width(row: Row) -> float:
    """Half of the interval of a row, in the logarithm."""
    known = figures()
    parts = (
        known["base_spread"],
        0.0 if dense(row) else known["expert_spread"],
        known["sharded_spread"] if row["zero_stage"] == "3" else 0.0,
        generation_spread(row["gpu"]),
    )
    return known["interval_width"] * math.hypot(*parts)


@cache
def generation_spread(gpu: str) -> float:
    """Further spread of the generation of a GPU, by the name that a row has for it."""
    catalog = bundle.load()["catalog"]
    generation = catalog["Gpu"][steps.model_of(gpu)]["figures"]["generation"]
    return float(catalog["GpuGeneration"][f"generation-{generation}"]["figures"]["generation_spread"])


def order(rows: Sequence[Step]) -> list[str]:
    """How well layouts of one model on the same GPUs are put in order."""
    lines = [
        "| layouts of | count | Spearman | regret of the first choice | regret of the best of three |",
        "| --- | --- | --- | --- | --- |",
    ]
    found = {name: rank_group(group) for name, group in layouts(rows).items()}
    lines += [
        f"| {name} | {one.count} | {one.rho:.2f} | {percent(one.first, '.1%')} | {percent(one.third, '.1%')} |"
        for name, one in found.items()
    ]
    means = [statistics.mean(getattr(one, figure) for one in found.values()) for figure in ("rho", "first", "third")]
    return [
        *lines,
        f"| mean of {len(found)} groups | | {means[0]:.2f} | {percent(means[1], '.1%')} | {percent(means[2], '.1%')} |",
    ]


@dataclass(frozen=True, slots=True)
class Ranked:
    """How well a group of layouts is put in order: rank correlation, and what the first choice and the best of three cost."""

    count: int
    rho: float
    first: float
    third: float


def rank_group(group: Sequence[Step]) -> Ranked:
    """The order of a group by predictions of a fit that had not seen its model."""
    cost = [step.measured / int(step.row["global_batch"]) for step in group]
    guess = [step.predicted["without_model"] / int(step.row["global_batch"]) for step in group]
    chosen = [cost[at] for at in sorted(range(len(guess)), key=guess.__getitem__)]
    regret = [min(chosen[:first]) / min(cost) - 1 for first in (1, 3)]
    return Ranked(len(group), statistics.correlation(ranks(cost), ranks(guess)), *regret)


def layouts(rows: Iterable[Step]) -> dict[str, list[Step]]:
    """Groups of measured layouts of one model on as many GPUs, from one set; each layout once."""
    groups: dict[str, dict[tuple[str, ...], Step]] = defaultdict(dict)
    for step in rows:
        row = step.row
        name = f"{row['model']}, {row['gpu_count']} {row['gpu']}, sequence {row['sequence']}, {row['precision']} ({row['set']})"
        groups[name].setdefault(tuple(row.get(word, "") for word in LAYOUT), step)
    return {name: list(group.values()) for name, group in sorted(groups.items()) if len(group) >= FEWEST}


def ranks(values: Sequence[float]) -> list[float]:
    """Ranks; the mean where values are equal."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value that so many of the ordered values do not exceed, between neighbours in proportion."""
    at = share * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def sources() -> dict[str, str]:
    """Where each set of measured steps comes from."""
    return {row["set"]: row["source"] for row in convert.rows("step_time_sets")}
