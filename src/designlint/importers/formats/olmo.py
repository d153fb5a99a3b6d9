"""OLMo's YAML: a model of its own words, batches as LLM Foundry counts them, durations in steps or tokens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import costs
from designlint.importers.base import Fragment, Source, Words, number, put, whole
from designlint.importers.megatron.sharding import sharding
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Resolved
from designlint.importers.workloads import count, fill_words, flag, is_on, number_format, start, took

if TYPE_CHECKING:
    from designlint.importers.base import Context, Value

TITLE = "OLMo configuration"
JOBS = True
TOOLS = ("llm-foundry", "olmo")
TOKENS = re.compile(r"([\d_.e+]+)\s*T\Z")
#: Layers that are recomputed, of so many.
SHARES = {
    "one_in_two": (1, 2), "one_in_three": (1, 3), "one_in_four": (1, 4), "one_in_eight": (1, 8),
    "two_in_three": (2, 3), "three_in_four": (3, 4),
}  # fmt: skip
#: What only OLMo calls so, of its model.
OWN = frozenset(("mlp_hidden_size", "mlp_ratio", "weight_tying", "n_layers"))


def sure(source: Source) -> int:
    """9 where the top has a model in OLMo's words beside its batches."""
    if "global_train_batch_size" not in source.text or "max_sequence_length" not in source.text:
        return 0
    root = structured.root(source)
    model = root.entries.get("model") if root is not None and root.kind == "map" else None
    return 9 if model is not None and model.kind == "map" and len(OWN & model.entries.keys()) > 1 else 0


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training."""
    table = Resolved(source, structured.root(source))
    words: Words = {}
    if table.get("fsdp/wrapping_strategy", "fsdp/precision", "fsdp/sharding_strategy") is not None:
        put(words, "framework", start(table.source).but("fsdp", "the file sets FSDP").as_text())
    fill_words(words, table, "olmo")
    _put_checkpoints(table, words)
    put(words, "precision/matmul", number_format(table.get("precision")))
    put(words, "parallelism/zero_stage", sharding(table.get("fsdp/sharding_strategy")))
    recomputed = table.get("activation_checkpointing")
    if recomputed is not None and recomputed.text == "whole_layer":
        put(words, "parallelism/recompute", recomputed.but("full", recomputed.text).as_text())
    elif recomputed is not None and (share := SHARES.get(recomputed.text)) and (layers := took(words, "model/layers")):
        put(words, "parallelism/recompute", recomputed.but("full", recomputed.text).as_text())
        first = sum(at % share[1] == 0 for at in range(layers))
        chosen = first if share[0] == 1 else layers - first
        put(words, "parallelism/recompute_layers", recomputed.but(chosen, f"{recomputed.text} of {layers} layers"))
    put(words, "fused_loss", flag(table.get("fused_loss")))
    costs.optimizer(words, table.get("optimizer/name"))
    costs.dropout(words, *(table.get(f"model/{one}_dropout") for one in ("attention", "residual", "embedding")))
    put(words, "job/data_loader_workers", count(table.get("data/num_workers")))
    _model(table, words)
    _duration(table.get("max_duration"), words)
    return words


def _put_checkpoints(table: Resolved, words: Words) -> None:
    """A run that fails goes on from its last checkpoint, be it one that is kept or one that the next replaces."""
    stated = (count(table.get(key)) for key in ("save_interval", "save_interval_ephemeral"))
    every = [one for one in stated if one is not None and whole(one)]
    put(words, "checkpoint/interval_steps", min(every, key=lambda one: whole(one) or 0) if every else None)
    keep = count(table.get("save_num_checkpoints_to_keep"))
    put(words, "checkpoint/keep", keep if keep is not None and whole(keep) else None)


def _model(table: Resolved, words: Words) -> None:
    """The layer's own shape: a width that holds both halves of a gated layer, the norm, whether embeddings are tied."""
    kind, width = table.get("model/activation_type"), count(table.get("model/mlp_hidden_size"))
    ratio, hidden = count(table.get("model/mlp_ratio")), count(table.get("model/d_model"))
    if kind is not None:
        gated = kind.text == "swiglu"
        put(words, "model/gated", kind.but(gated, kind.text))
        both = whole(width) if width is not None else (whole(ratio) or 0) * (whole(hidden) or 0)
        if both and width is not None:
            note = "half of mlp_hidden_size, which holds the gate too" if gated else "mlp_hidden_size"
            put(words, "model/feed_forward", width.but(both // 2 if gated else both, note))
        elif both and ratio is not None:
            note = "half of d_model x mlp_ratio, the other half is the gate" if gated else "d_model x mlp_ratio"
            put(words, "model/feed_forward", ratio.but(both // 2 if gated else both, note))
    norm = table.get("model/layer_norm_type")
    put(words, "model/norm", norm and norm.but("rmsnorm" if norm.text == "rms" else "layernorm").as_text())
    put(words, "model/tied_embeddings", table.get("model/weight_tying"))
    flash = table.get("model/flash_attention")
    put(words, "flash_attention", flash and flash.but(is_on(flash)))


def _duration(value: Value | None, words: Words) -> None:
    """Steps where it has no unit, tokens with a T; epochs say neither."""
    tokens = TOKENS.match(value.text.replace("_", "")) if value is not None else None
    if value is None or (tokens is None and count(value) is None):
        return
    amount = number(tokens[1]) if tokens is not None else whole(value)
    if tokens is None:
        put(words, "targets/steps", value.but(amount, f"{value.text}: steps"))
    elif amount is not None:
        put(words, "data/tokens", value.but(int(amount), f"{value.text}: tokens"))
