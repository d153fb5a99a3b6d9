"""Keys of axolotl and LLaMA-Factory that only they have: data-parallel ranks, batches, kernels of the loss, FSDP in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import of_node, put, whole
from designlint.importers.megatron.sharding import put_in_one_line
from designlint.importers.notations.structured import scalars
from designlint.importers.workloads import count, flag, get, is_on, start

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Value, Words
    from designlint.importers.notations.structured import Table

#: axolotl's plug-in for a loss that never keeps the logits; it is on unless a key of its own is false.
FUSED = ("CutCrossEntropyPlugin", "cut_cross_entropy")


def fill(table: Table, given: Mapping[str, Value], words: Words, tool: str) -> None:
    """What these keys say, after the others."""
    _ranks(given, words)
    for name, form in (("float16", "fp16"), ("bfloat16", "bf16")):
        if is_on(given.get(name)) and get(words, "precision/matmul") is None:
            put(words, "precision/matmul", given[name].but(form, f"{name}: no mixed precision").as_text())
    if tool == "llama-factory":
        _put_recompute(given.get("disable_gradient_checkpointing"), table, words)
    listed, switch = scalars(table.source, table.at("plugins")), flag(table.get(FUSED[1]))
    plugin = next((one for one in listed if one.text.endswith(FUSED[0])), None)
    if plugin is not None and (switch is None or switch.text == "true"):
        put(words, "fused_loss", plugin.but(True, "logits are never kept whole"))
    _put_sharding(table, words)


def _ranks(given: Mapping[str, Value], words: Words) -> None:
    """Data-parallel ranks, of which some share out the state; and the steps that make up axolotl's `batch_size`."""
    shards, copies = count(given.get("dp_shard_size")), count(given.get("dp_replicate_size"))
    experts = whole(get(words, "parallelism/expert")) or 1  # ranks of their own beside these
    if shards is not None and (whole(shards) or 0) > 0 and experts == 1:
        several = whole(copies) or 1
        note = f"{shards.text} shards x {several} copies"
        put(words, "parallelism/data", shards.but((whole(shards) or 1) * several, note) if several > 1 else shards)
        put(words, "parallelism/sharding_group", shards if several > 1 else None)
    total, micro = count(given.get("batch_size")), get(words, "parallelism/micro_batch")
    each = whole(micro)
    if total is not None and each and get(words, "parallelism/gradient_accumulation") is None:
        put(
            words,
            "parallelism/gradient_accumulation",
            total.but((whole(total) or 0) // each, "batch_size / micro_batch_size"),
        )


def _put_recompute(switch: Value | None, table: Table, words: Words) -> None:
    """LLaMA-Factory recomputes layers unless it is switched off."""
    stated = flag(switch)
    usual = defaults.tool("llama-factory").value("training", "recompute", start(table.source))
    kind = (
        stated.but("none" if stated.text == "true" else "full", "disable_gradient_checkpointing") if stated else usual
    )
    if get(words, "parallelism/recompute") is None:
        put(words, "parallelism/recompute", kind and kind.as_text())


def _put_sharding(table: Table, words: Words) -> None:
    """FSDP as the trainer takes it by itself: a strategy among other words, in a list or in one text."""
    node = table.at("fsdp")
    if node is None or table.at("fsdp_config/fsdp_sharding_strategy") is not None:
        return
    listed = scalars(table.source, node) if node.items else [of_node(table.source, node)] if node.text else []
    for one in listed:
        put_in_one_line(one, words)
