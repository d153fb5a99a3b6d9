"""Published runs planned again from their model, GPUs and batch: where the published layout then stands."""

from __future__ import annotations

from collections import Counter
from typing import Any

from designlint.configuration import engine
from designlint.layouts.search import of_degrees
from designlint.planning.brief import Brief
from designlint.planning.candidates import Candidates
from designlint.planning.choices import choices
from designlint.planning.models import with_model
from tests.corpus import steps

#: Sets of rows that were a vendor's or an author's own choice of layout, no sweep over layouts.
CHOSEN = ("megatron-bridge", "papers", "mlperf", "dgxc", "nemo")
DEGREES = ("tensor", "pipeline", "context", "expert")
#: Every so many jobs is planned again; all of them were once: docs/planning.md.
EVERY = 6


def spelled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: spelled(one) for key, one in value.items()}
    if isinstance(value, list):
        return [spelled(one) for one in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def places(every: int) -> Counter[str]:
    """How many rows have their layout first, among the first three, among the first ten, beyond, or not at all."""
    jobs: dict[tuple[str | None, ...], list[Any]] = {}
    for row in steps.rows():
        if row["gpu"] in choices()["hardware"] and row["set"].startswith(CHOSEN):
            key = ("model", "gpu", "gpu_count", "sequence", "global_batch", "precision")
            jobs.setdefault(tuple(row.get(one) for one in key), []).append(row)
    found: Counter[str] = Counter()
    for rows in list(jobs.values())[::every]:
        ranked = [tuple(one.words[word] for word in DEGREES) for one in of_degrees(candidates(rows[0]), 10_000)]
        for row in rows:
            wanted = tuple(int(row.get(word, 1)) for word in DEGREES)
            at = ranked.index(wanted) if wanted in ranked else None
            found["absent" if at is None else "3" if at < 3 else "10" if at < 10 else "beyond"] += 1
    return found


def candidates(row: Any) -> list[Any]:
    design = spelled(steps.design(row))
    job, pool = design["workloads"][0], design["nodes"][0]
    batch = (job.get("parallelism") or {}).get("global_batch")
    job["parallelism"] = {"global_batch": batch} if batch else {}
    brief = with_model(
        Brief({"designlint": "1", "nodes": [pool], "workloads": [job]}, engine.shipped_engine().vocabulary)
    )
    return Candidates(brief, -(-int(row["gpu_count"]) // int(row["gpus_per_node"])), engine.shipped_engine()).layouts


def test_published_layouts_are_among_the_first_ten_or_predicted_to_be_slower() -> None:
    found = places(EVERY)
    everything = found.total()
    assert everything > 50
    assert found["absent"] <= 0.02 * everything, "a layout that ran is not even looked at"
    assert found["3"] + found["10"] >= 0.75 * everything
