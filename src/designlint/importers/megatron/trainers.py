"""Arguments of Hugging Face's trainer, of scripts around it and of Megatron-DeepSpeed that Megatron-LM's names do not cover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import put, whole
from designlint.importers.megatron.sharding import put_in_one_line
from designlint.importers.workloads import NO, count, flag, get, is_on

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Value, Words

#: The batch of a GPU, as only this trainer calls it.
OWN = "per_device_train_batch_size"
#: Switches that train adapters instead of the weights.
ADAPTED = ("use_lora", "use_qlora", "use_peft")
#: Switches of kernels that never keep the logits of all tokens.
FUSED = ("use_liger_kernel", "enable_liger_kernel", "liger_fused_linear_cross_entropy", "cut_cross_entropy")
#: LLaMA-Factory's kernels of attention; `sdpa` is what PyTorch chooses.
KERNELS = {"fa2": True, "fa3": True, "disabled": False}
#: Seconds that no job waits: whoever writes so many switches the limit off.
NEVER = 365 * 24 * 3600


def fill(given: Mapping[str, Value], found: Words) -> None:
    """What these arguments say, after the others."""
    recomputed = flag(given.get("gradient_checkpointing"))
    if recomputed is not None and get(found, "parallelism/recompute") is None:
        kind = "full" if recomputed.text == "true" else "none"
        put(found, "parallelism/recompute", recomputed.but(kind, "gradient-checkpointing").as_text())
    alone = given.get("no_pipeline_parallel")  # of Megatron-DeepSpeed
    if is_on(alone) and alone is not None and get(found, "parallelism/pipeline") is None:
        put(found, "parallelism/pipeline", alone.but(1, "no-pipeline-parallel"))
    if OWN in given and get(found, "model/sequence") is None:
        put(found, "model/sequence", count(given.get("block_size") or given.get("model_max_length")))
    adapted = next((given[name] for name in ADAPTED if is_on(given.get(name))), None)
    rank = given.get("lora_dim")  # of DeepSpeed-Chat, which trains all weights beside the adapters unless told not to
    if rank is not None and whole(rank) and is_on(given.get("only_optimize_lora")):
        adapted = rank
    put(found, "kind", adapted and adapted.but("lora", "only adapters are trained").as_text())
    if OWN in given and "fsdp" in given:
        put_in_one_line(given["fsdp"], found)
    if OWN in given:
        put_optimizer(given.get("optim"), found)
    _put_checkpoints(given, found)


def put_optimizer(stated: Value | None, words: Words) -> None:
    """The optimizer by the trainer's name for it; a paged one moves to CPU memory where GPUs run out of theirs."""
    if stated is None:
        return
    known = defaults.tool("transformers").tables["optimizers"].get(stated.text.removeprefix("paged_"))
    put(words, "optimizer", stated.but(known, stated.text).as_text() if known else None)
    if stated.text.startswith("paged_"):
        put(words, "parallelism/offload", stated.but("optimizer", "a paged optimizer").as_text())


def _put_checkpoints(given: Mapping[str, Value], found: Words) -> None:
    """Checkpoints that stay, the time that ranks wait for one another, kernels, and activations in host memory."""
    keep, limit, kernel = count(given.get("save_total_limit")), count(given.get("ddp_timeout")), given.get("flash_attn")
    put(found, "checkpoint/keep", keep if whole(keep) else None)
    if limit is not None and 0 < (whole(limit) or 0) < NEVER:
        put(found, "recovery/communication_timeout", limit.but(f"{limit.text} s", "", limit.how))
    if kernel is not None and kernel.text in KERNELS:
        put(found, "flash_attention", kernel.but(KERNELS[kernel.text], f"flash_attn {kernel.text}"))
    put(found, "compiled", flag(given.get("torch_compile")))
    fused = next((given[name] for name in FUSED if is_on(given.get(name))), None)
    put(found, "fused_loss", fused and fused.but(True, "logits are never kept whole"))
    moved = given.get("activation_offloading")  # of axolotl and TRL: `legacy` and `disk` say how
    if moved is not None and moved.text.lower() not in NO and get(found, "parallelism/offload") is None:
        put(found, "parallelism/offload", moved.but("activations", "activation_offloading").as_text())
        put(found, "parallelism/offload_to", moved.but("nvme", "to disk").as_text() if moved.text == "disk" else None)
