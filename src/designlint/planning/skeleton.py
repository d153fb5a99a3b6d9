"""The job of a brief on its servers, enough for all that costs a layout to follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.design.design import Design, read_design
from designlint.planning import cluster, networks
from designlint.planning.brief import JOB
from designlint.planning.choices import choices
from designlint.planning.document import overlay, write_design
from designlint.reading.reader import read_bytes

if TYPE_CHECKING:
    from collections.abc import Collection

    from designlint.planning.brief import Brief
    from designlint.rules.engine import Engine

FILE = "plan.yaml"


#: A layout to begin with.
ONE = {"tensor": "1", "pipeline": "1", "micro_batch": "1", "global_batch": "1"}


def derive_facts(design: dict[str, Any], engine: Engine, steps: Collection[int] | None = None) -> Design:
    """A design with what follows from it, by all calculations when `steps` are left out."""
    return read_design(read_bytes(write_design(design).encode(), FILE), engine, steps=steps)


def skeleton(brief: Brief, servers: int, split: dict[str, Any] | None = None) -> dict[str, Any]:
    """The job on its servers with any layout, enough for all that costs a layout to follow."""
    pool = cluster.nodes(brief, servers)
    run = choices()["run"]
    job: dict[str, Any] = {
        "name": brief.job.get("name", JOB),
        "runs_on": {"nodes": pool["name"], "gpus": str(servers * brief.gpus_per_server)},
        "framework": brief.hardware.get("framework", "megatron"),
        **({"software_profile": profile} if (profile := brief.hardware.get("profile")) else {}),
        "precision": brief.hardware.get("precision", run["precision"]),
        "flash_attention": "true",
        "targets": {"checkpoint_overhead": run["checkpoint_overhead"]},
        "parallelism": {
            "overlap": "true",
            "offload": "none",
            **(split or {"tensor": "1", "micro_batch": "1", "global_batch": "1"}),
        },
    }
    made = {
        "designlint": "1",
        "nodes": [pool],
        "fabrics": networks.fabrics(brief, servers, cluster.spares(brief, servers)) or [],
        "workloads": [job],
    }
    return dict(overlay(made, brief.design))


def furnish_storage(brief: Brief, servers: int, design: dict[str, Any], engine: Engine) -> dict[str, Any]:
    """A design with its storage."""
    job = derive_facts(design, engine).graph.by_class["Workload"][0]
    return dict(
        overlay(design, {"storage": overlay(cluster.storage(brief, servers, job), brief.design.get("storage"))})
    )
