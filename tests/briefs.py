"""Random briefs: models, GPUs, counts, tokens and deadlines, as somebody would ask for a plan."""

from __future__ import annotations

import random
from typing import Any

from designlint.planning.choices import choices

#: Models of the catalogue with and without experts, and bare numbers of parameters.
MODELS = (
    "llama-3-8b", "llama-3-70b", "llama-3-405b", "qwen2.5-32b", "gpt3-175b", "deepseek-v3", "mixtral-8x7b", "7e9", "30e9",
    "120e9", "500e9", "1e12", "1.3e9",
)  # fmt: skip
COUNTS = (1, 2, 4, 8, 16, 24, 64, 72, 96, 128, 256, 512, 1000, 1024, 2048, 3072, 4096, 6144, 8192, 10000, 16384, 24576)


def brief(seed: int) -> dict[str, Any]:
    """The brief of a seed, as nested values."""
    chance = random.Random(seed)
    gpu = chance.choice(list(choices()["hardware"]))
    job: dict[str, Any] = {"name": "job", "model": chance.choice(MODELS)}
    if job["model"][0].isdigit():
        job["model"] = {"parameters": job["model"]}
    if chance.random() < 0.8:
        job["data"] = {"tokens": f"{chance.choice([0.1, 0.5, 2, 10, 15])}T"}
    if "data" in job and chance.random() < 0.3:
        job["targets"] = {"deadline": f"{chance.choice([5, 15, 30, 90, 200])} days"}
    if "targets" not in job or chance.random() < 0.4:
        job["runs_on"] = {"gpus": str(chance.choice(COUNTS))}
    if chance.random() < 0.15:
        job["parallelism"] = {"tensor": str(chance.choice([1, 2, 4, 8]))}
    design: dict[str, Any] = {"designlint": "1", "nodes": [{"name": "pool", "gpu": gpu}], "workloads": [job]}
    if chance.random() < 0.1:
        design["facility"] = {"utility_power": f"{chance.choice([0.2, 2, 20, 100])} MW"}
    if "data" in job and chance.random() < 0.1:
        job.setdefault("targets", {})["gpu_time_budget"] = f"{chance.choice([1e4, 1e5, 1e6, 3e7])} h"
    return design
