"""Jobs on GPUs that a plan knows no servers for: refused where all of these GPUs together cannot hold the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.planning.aims import SettledAims
from designlint.planning.brief import JOB, POOL
from designlint.planning.candidates import too_little
from designlint.planning.choices import choices
from designlint.planning.document import overlay
from designlint.planning.skeleton import ONE, derive_facts

if TYPE_CHECKING:
    from designlint.planning.brief import Brief
    from designlint.rules.engine import Engine


def refuse_unserved(brief: Brief, engine: Engine) -> SettledAims | None:
    """Why a job cannot work on such GPUs; None where they have servers, or may hold it."""
    gpu = brief.vocabulary.catalogue_name("Gpu", str(brief.pool.get("gpu")))
    gpus = (brief.job.get("runs_on") or {}).get("gpus")
    if gpu is None or gpu in choices()["hardware"] or gpus is None or "model" in brief.pool:
        return None
    pool: dict[str, Any] = {"name": brief.pool.get("name", POOL), "gpus": gpus, "count": "1"}
    job = {"name": brief.job.get("name", JOB), "precision": "fp16", "parallelism": ONE}
    made = overlay({"designlint": "1", "nodes": [pool], "workloads": [job]}, brief.design)
    held = derive_facts(made, engine).graph.by_class["Workload"][0]
    total, usable = held.number("state_memory_total"), held.number("usable_gpu_memory")
    count = int(brief.number(gpus, "Count"))
    if total is None or usable is None or total <= usable * count:
        return None

    def amount_text(amount: float) -> str:
        return brief.vocabulary.units.format(amount, "Bytes", decimal=True)

    return SettledAims(
        None, sure=False, conflict=("gpus",), why=too_little(total, usable, count, amount_text), beyond_memory=True
    )
