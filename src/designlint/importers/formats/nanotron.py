"""nanotron's YAML."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.importers import costs
from designlint.importers.base import Fragment, Source, Words, of_node, put
from designlint.importers.formats import hf_config
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count, fill_words, flag, get, is_on, number_format, of_framework, took

if TYPE_CHECKING:
    from designlint.importers.base import Context

TITLE = "nanotron configuration"
JOBS = True
TOOLS = ("nanotron",)
#: Keys that say which of nanotron's models a file describes, of those with a gated feed-forward layer.
GATED = ("is_llama_config", "is_qwen2_config")
MODES = {"reduce_scatter": True, "all_reduce": False}
#: Kernels that compute blockwise, and how keys and values reach other ranks of a sequence.
KERNELS = {"flash_attention_2": "", "llama3_ring_attention": "all-gather"}
DROPPED = ("resid_pdrop", "attn_pdrop", "embd_pdrop")
SCHEDULES = {"1f1b": "1f1b", "afab": "gpipe"}


def _gate(described: Table, words: Words) -> None:
    """nanotron's own Llama and Qwen2 have a gated feed-forward layer, whatever the activation."""
    kind = next((one for key in GATED if is_on(one := flag(described.get(key)))), None)
    if kind is not None:
        put(words, "model/gated", kind.but(True, "nanotron's Llama and Qwen2 are gated"))


def _experts(table: Table, words: Words) -> None:
    """Experts under `moe_config`; a shared one only where it is enabled."""
    stated = table.table("model/model_config/moe_config")
    fill_words(words, stated, "nanotron", "experts")
    if is_on(stated.get("enable_shared_expert")):
        put(words, "model/shared_expert_feed_forward", count(stated.get("shared_expert_intermediate_size")))
    layers = stated.at("layers")
    listed = [one.text for one in layers.items] if layers is not None else []
    if layers is not None and listed and "-1" not in listed:
        put(words, "model/expert_layers", of_node(table.source, layers.items[0]).but(len(listed), "counted"))


def _modes(table: Table, words: Words) -> None:
    """How the split works, what is recomputed, the optimizer, and who loads the data."""
    mode, engine = table.get("parallelism/tp_mode"), table.get("parallelism/pp_engine")
    if mode is not None and mode.text.lower() in MODES:
        put(words, "parallelism/sequence_parallel", mode.but(MODES[mode.text.lower()], f"tp_mode {mode.text}"))
    if engine is not None and engine.text in SCHEDULES and (took(words, "parallelism/pipeline") or 1) > 1:
        put(words, "parallelism/schedule", engine.but(SCHEDULES[engine.text], f"pp_engine {engine.text}").as_text())
    kernel = table.get("model/model_config/_attn_implementation")
    if kernel is not None and kernel.text in KERNELS:
        put(words, "flash_attention", kernel.but(True, kernel.text))
        method = KERNELS[kernel.text] if (took(words, "parallelism/context") or 1) > 1 else ""
        put(words, "parallelism/context_method", kernel.but(method, kernel.text).as_text() if method else None)
    again = flag(table.get("parallelism/recompute_layer"))
    if again is not None:
        put(
            words,
            "parallelism/recompute",
            again.but("full" if again.text == "true" else "none", "recompute_layer").as_text(),
        )
    kind = table.get("parallelism/recompute_granularity")  # of versions before `recompute_layer`
    if kind is not None and kind.text.lower() in ("full", "selective"):
        put(words, "parallelism/recompute", kind.but(kind.text.lower(), f"recompute_granularity {kind.text}").as_text())
    last = table.get("checkpoints/save_final_state")
    put(words, "checkpoint/at_exit", flag(last) if is_on(last) else None)
    costs.optimizer(words, table.get("optimizer/optimizer_factory/name"))
    alone = table.get(
        "optimizer/torch_adam_is_fused", "optimizer/adam_beta1"
    )  # of versions that had no other optimizer
    put(words, "optimizer", alone.but("adam", "the optimizer is Adam").as_text() if alone is not None else None)
    places = (table.get(f"model/{one}", f"model/model_config/{one}") for one in DROPPED)
    costs.dropout(words, *(one for one in places if one is not None))
    stages = [one.table("data") for one in table.tables("data_stages")] or [table.table("data")]
    loaders = [found for one in stages if (found := count(one.get("num_loading_workers"))) is not None]
    if loaders and len({one.text for one in loaders}) == 1:
        put(words, "job/data_loader_workers", loaders[0])


def _gpus(words: Words) -> None:
    """nanotron starts on exactly as many GPUs as its degrees multiply to."""
    degrees = [took(words, f"parallelism/{one}") for one in ("data", "tensor", "pipeline")]
    data = get(words, "parallelism/data")
    if (took(words, "parallelism/expert") or 1) > 1:  # versions disagree on whether it is one of the factors
        return
    if data is not None and all(degrees):
        total = math.prod(one or 1 for one in degrees) * (took(words, "parallelism/context") or 1)
        put(words, "runs_on/gpus", data.but(total, "data x tensor x pipeline x context"))


def sure(source: Source) -> int:
    """8 where the top has the sections that only nanotron has together."""
    keys = structured.keys(source, "parallelism", "tokens")
    return 8 if keys >= {"parallelism", "tokens", "model", "optimizer"} else 0


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training."""
    table = Table(source, structured.root(source))
    words = of_framework(source, "nanotron")
    described = table.table("model/model_config")
    shape = hf_config.model(described if described.node is not None else table.table("model"), found)
    if shape:
        words["model"] = shape
    fill_words(words, table, "nanotron")
    put(words, "precision/matmul", number_format(table.get("model/dtype")))
    _gate(described, words)
    _experts(table, words)
    _modes(table, words)
    _gpus(words)
    put(words, "name", table.get("general/run"))
    return words
