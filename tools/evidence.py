"""Writes the measured runs that plans are compared with: the fastest row of each job in the corpus, with its source."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.corpus import convert, steps

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.graph.subjects import Subject
from designlint.reading.reader import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.rules.engine import Engine

FILE = Path(__file__).parents[1] / "ontology" / "measured-runs.csv"
#: What makes two rows measurements of one job, whose fastest is kept.
JOB = ("model", "gpu", "gpu_count", "precision", "sequence", "global_batch")
#: The layout as rows state it, in the shorthand of the field.
DEGREES = {
    "tensor": "TP", "pipeline": "PP", "virtual_stages": "VPP", "context": "CP", "expert": "EP", "micro_batch": "MBS",
}  # fmt: skip
COLUMNS = ("model", "parameters", "active", "gpu", "gpus", "precision", "sequence", "layout", "step", "mfu", "source")
#: Tables whose rows state their own source.
TABLES = ("runs", "bridge", "foundry")
#: Uses of rows that are no runs as a plan means them: fine-tuning, stalls of a framework.
LEFT_OUT = "stress"


def main() -> None:
    """Writes the file."""
    FILE.write_text(text(engine.shipped_engine()), "utf-8")
    print(f"wrote {FILE}")


def text(chosen: Engine) -> str:
    """The table, sorted."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(sorted(_rows(chosen), key=str))
    return out.getvalue()


def _rows(chosen: Engine) -> Iterator[list[Any]]:
    sources = {row["set"]: row["source"] for row in convert.rows("step_time_sets")}
    cited = {row["source"]: row["citation"] for row in convert.rows("sources")}
    own = {row["id"]: row for table in TABLES for row in convert.rows(table)}
    for row in _fastest():
        job = read_design(read_bytes(_spell(row), "row.yaml"), chosen).graph.by_class["Workload"][0]
        flops, peak, tokens = (_number(job, one) for one in ("flops_per_token", "peak_compute", "tokens_per_step"))
        model = job.facts["model"]
        assert isinstance(model, Subject)
        step = float(row["step_seconds"])
        if not flops or not peak or not tokens:
            continue
        mfu = flops * tokens / step / peak / int(row["gpu_count"])
        yield [
            row["model"], f"{_number(model, 'parameters') or _number(job, 'parameters'):.4g}",
            f"{_number(job, 'active_parameters') or _number(model, 'active_parameters'):.4g}", row["gpu"], row["gpu_count"],
            row["precision"], row.get("sequence", ""), _layout(row), f"{step:.4g}", f"{mfu:.3f}",
            cited[own[row["id"]]["source"]] if row["id"] in own else sources[row["set"]],
        ]  # fmt: skip


def _fastest() -> list[convert.Row]:
    found: dict[tuple[str, ...], convert.Row] = {}
    for row in steps.rows():
        key = tuple(row.get(one, "") for one in JOB)
        if row["use"] != LEFT_OUT and float(row["step_seconds"]) < float(found.get(key, row)["step_seconds"]) + 1e-9:
            found[key] = row
    return list(found.values())


def _spell(row: convert.Row) -> bytes:
    import yaml

    return yaml.safe_dump(steps.design(row)).encode()


def _layout(row: convert.Row) -> str:
    degrees = [f"{name}{row[word]}" for word, name in DEGREES.items() if row.get(word, "1") != "1"]
    return " ".join(degrees) or "DP"


def _number(subject: Subject, word: str) -> float:
    found = subject.facts.get(word)
    return float(found) if isinstance(found, int | float) else 0.0


if __name__ == "__main__":
    main()
