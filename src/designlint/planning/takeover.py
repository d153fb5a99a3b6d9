"""What stands on a planned cluster before its job starts: the software, the data, and the tests that it must pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.planning.choices import choices
from designlint.planning.document import Chosen
from designlint.planning.rounding import exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.graph.subjects import Subject
    from designlint.planning.brief import Brief

#: Names of NVIDIA's software in the order in which it is stated.
SOFTWARE = ("driver", "cuda", "cudnn", "nccl")


def software(brief: Brief, layout: Mapping[str, Any]) -> dict[str, Any]:
    """Versions that fit together, where the GPU is one of those that a release of them supports, and its work queues."""
    given, queue = choices()["software"], choices()["one_queue"]
    gathers = layout["zero_stage"] == 3 and layout["tensor"] == 1
    one = brief.gpu in queue["gpus"] and brief.hardware.get("framework", "megatron") == "megatron" and not gathers
    environment = {"cuda_device_max_connections": Chosen("1", f"tensor-parallel overlap ({queue['source']})")}
    used = str(brief.job.get("framework", ""))
    own = {"frameworks": [used]} if used in given["frameworks"] else {}
    return {**({"environment": environment} if one else {}), **own, **_versions(brief, given)}


def _versions(brief: Brief, given: dict[str, Any]) -> dict[str, Any]:
    if brief.gpu not in given["gpus"]:
        return {}
    why = f"released together ({given['source']}); pin what the site has tested"
    return {name: Chosen(given[name], why if name == SOFTWARE[0] else "") for name in SOFTWARE}


def data(brief: Brief) -> dict[str, Any]:
    """Where the tokens lie and how much room they take."""
    local = brief.machine.figures.get("local_storage", {}).get("capacity")
    found: dict[str, Any] = {"storage": brief.tiers[1], "versioned": "true", **({"cached": "true"} if local else {})}
    if brief.tokens is not None:
        each = choices()["file_system"]["bytes_per_token"]
        size = brief.vocabulary.units.format_planned(brief.tokens * float(each), "Bytes", "up")
        found["size"] = Chosen(size, f"{each} bytes per token")
    return found


def tests(brief: Brief, design: Subject, pool: Subject) -> dict[str, Any]:
    """Targets that the cluster must reach: its collectives, its storage, and a job on all of its GPUs."""
    storage: Any = design.facts["storage"]
    shared = next(one for one in storage if one.facts["name"] == brief.tiers[1])
    units = brief.vocabulary.units
    bought = {
        f"storage_{way}": Chosen(
            units.format_planned(rate, "Bandwidth", "up"), "the rate that the file system is sized for"
        )
        for way in ("read", "write")
        if (rate := shared.number(way)) is not None
    }
    jobs: Any = design.facts["workloads"]
    job = jobs[0]
    gpus, planned = job.facts["runs_on"].facts["gpus"], job.number("targets/mfu")
    aimed = (brief.job.get("targets") or {}).get("mfu")
    mfu = aimed or (None if planned is None else exact(planned))
    why = "the value that the job is planned with" if aimed is None else "the target of the brief"
    aim = {} if mfu is None else {"mfu": Chosen(str(mfu), why)}
    return {**_collectives(brief, pool), **bought, "training_scales": [f"{gpus:.0f}"], **aim}


def _collectives(brief: Brief, pool: Subject) -> dict[str, Any]:
    """Bus bandwidth of few servers, where each is a scale-up domain of its own and of a class that was measured."""
    given, units, hardware = choices()["collectives"], brief.vocabulary.units, brief.hardware
    rate = int(hardware["ports"]) * brief.number(hardware["speed"], "DataRate")
    servers = min(int(given["servers"]), int(pool.number("count") or 0))
    if (
        servers < 2
        or brief.machine.domain != brief.gpus_per_server
        or rate < brief.number(given["least_rate"], "DataRate")
    ):
        return {}
    share = brief.number(given["share"], "Ratio")
    wanted = {
        "nodes": str(servers),
        "message": given["message"],
        "bus_bandwidth": Chosen(
            units.format_planned(share * rate / 8, "Bandwidth", "up"),
            f"{given['share']} of the port rate ({given['source']})",
        ),
    }
    return {"all_reduce": wanted, "all_gather": dict(wanted)}
