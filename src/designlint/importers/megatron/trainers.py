"""Arguments of Hugging Face's trainer, of scripts around it and of Megatron-DeepSpeed that Megatron-LM's names do not cover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import put, whole
from designlint.importers.workloads import count, flag, get, is_on

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Value, Words

#: The batch of a GPU, as only this trainer calls it.
OWN = "per_device_train_batch_size"
#: Switches that train adapters instead of the weights.
ADAPTED = ("use_lora", "use_qlora", "use_peft")
#: Arguments that this module reads.
READ = frozenset(
    ("no_pipeline_parallel", "gradient_checkpointing", "block_size", "lora_dim", "only_optimize_lora", *ADAPTED)
)


def fill(given: Mapping[str, Value], found: Words) -> None:
    """What these arguments say, after the others."""
    recomputed = flag(given.get("gradient_checkpointing"))
    if recomputed is not None and get(found, "parallelism/recompute") is None:
        kind = "full" if recomputed.text == "true" else "none"
        put(found, "parallelism/recompute", recomputed.but(kind, "gradient-checkpointing").named())
    alone = given.get("no_pipeline_parallel")  # of Megatron-DeepSpeed
    if is_on(alone) and alone is not None and get(found, "parallelism/pipeline") is None:
        put(found, "parallelism/pipeline", alone.but(1, "no-pipeline-parallel"))
    if OWN in given and get(found, "model/sequence") is None:
        put(found, "model/sequence", count(given.get("block_size")))
    adapted = next((given[name] for name in ADAPTED if is_on(given.get(name))), None)
    rank = given.get("lora_dim")  # of DeepSpeed-Chat, which trains all weights beside the adapters unless told not to
    if rank is not None and whole(rank) and is_on(given.get("only_optimize_lora")):
        adapted = rank
    put(found, "kind", adapted and adapted.but("lora", "only adapters are trained").named())
