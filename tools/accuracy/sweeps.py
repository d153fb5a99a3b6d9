"""Whole tables of published runs at once: each is one line, with the worst of its errors."""

from __future__ import annotations

from collections import defaultdict
from statistics import median
from typing import Any

from tests.corpus import convert

from designlint.language.sentences import percent
from tools.accuracy.designs import fact, parse_yaml, published_designs, read

JOB = "workloads/job"
NAMES = {
    "runs": "curated runs",
    "bridge": "Megatron-Bridge performance summaries",
    "foundry": "llm-foundry benchmark tables",
}


def memory_floors() -> list[dict[str, Any]]:
    """Least memory over usable memory, over all runs that ran: the largest of each table."""
    found: dict[str, list[float]] = defaultdict(list)
    for name in NAMES:
        for row in convert.rows(name):
            if row["outcome"] == "ran" and (share := _share(row["id"])) is not None:
                found[name].append(share)
    return [
        {
            "what": f"{NAMES[name]}: {len(shares)} runs with a floor",
            "predicted": f"at most {percent(max(shares))} of the GPU",
            "published": "all ran",
            "source": f"`tests/corpus/{name}.csv`",
            "agrees": max(shares) <= 1,
        }
        for name, shares in found.items()
    ]


def _share(case: str) -> float | None:
    design = read(parse_yaml(published_designs()[case].yaml))
    try:
        return fact(design, f"{JOB}/memory_floor")[0] / fact(design, f"{JOB}/usable_gpu_memory")[0]
    except LookupError:
        return None


def bridge_flops() -> list[dict[str, Any]]:
    """FLOPs per token of Megatron-Bridge: the median of each model, job and sequence length."""
    return _flops("bridge", "{family} of {size:.0f} B, {kind}, {sequence} tokens")


def foundry_flops() -> list[dict[str, Any]]:
    """FLOPs per token of llm-foundry: the median of each sequence length."""
    return _flops("foundry", "{sequence} tokens")


def _flops(table: str, named: str) -> list[dict[str, Any]]:
    """Rows that print both a rate in FLOP/s and one in tokens, in groups of one name."""
    found: dict[tuple[int, str], list[tuple[float, float]]] = defaultdict(list)
    for row in convert.rows(table):
        if row["outcome"] != "ran" or "tflops" not in row or "tokens_per_s_per_gpu" not in row:
            continue
        printed = float(row["tflops"]) * 1e12 / float(row["tokens_per_s_per_gpu"])
        value, _ = fact(read(parse_yaml(published_designs()[row["id"]].yaml)), f"{JOB}/flops_per_token")
        name = named.format_map({"kind": "pretraining", **row, "size": float(row["parameters"]) / 1e9})
        found[int(row["sequence"]), name].append((value / printed - 1, printed))
    return [_line(name, table, pairs) for (_, name), pairs in sorted(found.items())]


def _line(name: str, table: str, pairs: list[tuple[float, float]]) -> dict[str, Any]:
    """One line: the median of the errors, and how far they spread."""
    errors = sorted(error for error, _ in pairs)
    printed = sorted(one / 1e9 for _, one in pairs)
    ends = f"{printed[0]:.4g} to {printed[-1]:.4g}" if printed[0] < 0.98 * printed[-1] else f"{median(printed):.4g}"
    return {
        "what": f"{name}: {len(pairs)} rows",
        "predicted": f"off by {100 * errors[0]:+.1f} to {100 * errors[-1]:+.1f} %",
        "published": f"{ends} GFLOP",
        "source": f"`tests/corpus/{table}.csv`",
        "error": median(errors),
    }
