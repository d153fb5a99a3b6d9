"""MaxText's mesh: the degree of each axis inside a slice (ICI) and across slices (DCN), and what follows from all of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.importers.base import Value, Words, put, whole
from designlint.importers.workloads import count, took

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.notations.structured import Table

#: Words of a split, and the axes that they are.
DEGREES = {
    "tensor": ("ici_tensor_parallelism", "dcn_tensor_parallelism"),
    "pipeline": ("ici_pipeline_parallelism", "dcn_pipeline_parallelism"),
    "context": ("ici_context_parallelism", "dcn_context_parallelism"),
    "expert": ("ici_expert_parallelism", "dcn_expert_parallelism"),
}
#: The axes along which MaxText splits the batch; those that also split weights.
BATCH = ("data", "fsdp", "fsdp_transpose", "expert")
SHARDING = ("fsdp", "fsdp_transpose")
#: The two axes that take the rest of the devices unless they are stated (configs/base.yml).
REST = ("dcn_data_parallelism", "ici_fsdp_parallelism")
#: The file that all configurations of MaxText override.
BASE = "base.yml"
METHODS = {"all_gather": "all-gather", "ring": "ring", "ulysses": "ulysses"}


def mesh(table: Table, words: Words) -> None:
    """The degrees, the GPUs that they multiply to, and the batch of each."""
    for word, keys in DEGREES.items():
        put(words, f"parallelism/{word}", _degree(table, keys))
    if (took(words, "parallelism/pipeline") or 1) > 1:
        repeats = count(table.get("num_pipeline_repeats"))  # -1: as many as the layers make
        put(words, "parallelism/virtual_stages", repeats if whole(repeats) else None)
        if repeats is None:
            put(words, "parallelism/layers_per_virtual_stage", count(table.get("num_layers_per_pipeline_stage")))
    strategy = table.get("context_parallel_strategy")
    if strategy is not None and strategy.text in METHODS:
        put(words, "parallelism/context_method", strategy.but(METHODS[strategy.text]).as_text())
    put(words, "parallelism/gradient_accumulation", count(table.get("gradient_accumulation_steps")))
    axes = _axes(table)
    shards = table.get("ici_fsdp_parallelism", "dcn_fsdp_parallelism")
    if shards is not None and any(axes.get(one, 1) != 1 for one in SHARDING):
        put(words, "parallelism/zero_stage", shards.but(3, "FSDP shards weights"))
    over = table.get("shard_optimizer_over_data")
    if over is not None and over.text.lower() == "true" and "zero_stage" not in words.get("parallelism", {}):
        put(words, "parallelism/zero_stage", over.but(1, "shard_optimizer_over_data"))
    rest = [table.get(one) for one in REST]
    at = next((one for one in rest if one is not None), None)
    if at is None or None in rest or any(one < 1 for one in axes.values()):
        base = table.get("base_config")
        if (
            base is not None and base.text.rpartition("/")[2] == BASE
        ):  # axes that nobody states are 1, or take what is left
            put(words, "parallelism/micro_batch", _each(table, axes))
        return
    data = math.prod(axes.get(one, 1) for one in BATCH)
    copies = math.prod(axes.get(one, 1) for one in ("data", "expert"))
    put(words, "parallelism/data", at.but(data, "data x fsdp x expert"))
    if data > copies > 1:
        put(words, "parallelism/sharding_group", at.but(data // copies, "fsdp"))
    put(words, "runs_on/gpus", at.but(math.prod(axes.values()), "product of the degrees"))
    _batch(table, words, axes)


def _axes(table: Table) -> dict[str, int]:
    """The degree of each axis that a file states, across slices times inside; below 1 where it takes what is left."""
    found: dict[str, int] = {}
    for key in table.names():
        place, _, rest = key.partition("_")
        axis, _, ending = rest.rpartition("_")
        if place not in ("ici", "dcn") or ending != "parallelism":
            continue
        stated = table.get(key)
        number = whole(stated)
        if number is None:
            found[axis] = 0
        else:
            found[axis] = found.get(axis, 1) * number if number > 0 else 0
    return found


def _batch(table: Table, words: Words, axes: dict[str, int]) -> None:
    """Sequences that a device computes at once, where no axis but those of the batch splits them."""
    each = _each(table, axes)
    if each is None:
        return
    put(words, "parallelism/micro_batch", each)
    steps = took(words, "parallelism/gradient_accumulation") or 1
    total = (whole(each) or 0) * math.prod(axes.values()) * steps
    put(words, "parallelism/global_batch", each.but(total, "per_device_batch_size of all devices"))


def _each(table: Table, axes: Mapping[str, int]) -> Value | None:
    """The batch of a device, where no axis but those of the batch splits its sequences or layers."""
    each = count(table.get("per_device_batch_size"))
    return (
        each if each is not None and whole(each) and all(axes[one] == 1 for one in axes if one not in BATCH) else None
    )


def _degree(table: Table, keys: tuple[str, str]) -> Value | None:
    """The product of a degree inside a slice and across slices, both stated and neither -1."""
    inside, across = (count(table.get(key)) for key in keys)
    if inside is None or across is None:
        return inside if across is None else across
    return inside.but((whole(inside) or 0) * (whole(across) or 0), "inside x across slices")
