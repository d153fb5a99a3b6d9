"""Models as MaxText describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, Words, put, whole
from designlint.importers.workloads import count, drop, fill_words, flag, get

if TYPE_CHECKING:
    from designlint.importers.notations.structured import Table

#: Blocks of a local and a global layer: MaxText counts the pair as one (configs/models/gemma2-27b.yml).
PAIRED = frozenset(("gemma2",))
#: What only softmax attention has; another kind that no word describes leaves it unknown.
OF_ATTENTION = ("heads", "kv_heads", "head_dimension", "query_rank", "kv_rank", "rope_dimension", "value_dimension")
#: What a mixture of experts has, and ranks of latent attention, which the defaults of every model state.
OF_EXPERTS = (
    "experts", "experts_per_token", "expert_feed_forward", "shared_expert_feed_forward", "dense_layers", "expert_layers",
    "servers_per_token", "capacity_factor",
)  # fmt: skip
OF_LATENT = OF_ATTENTION[3:]


def model(table: Table, found: Fragment) -> Words:
    """The shape of a model."""
    words: Words = {}
    scale = count(table.get("global_parameter_scale"))
    if scale is None or scale.text == "1":
        fill_words(words, table, "maxtext", "scaled")
    block, layers = table.get("decoder_block"), get(words, "layers")
    if block is not None and block.text in PAIRED and layers is not None:
        words["layers"] = layers.but(2 * (whole(layers) or 0), f"decoder_block {block.text} holds two layers")
    fill_words(words, table, "maxtext")
    if whole(get(words, "multi_token_prediction_layers")) == 0:
        drop(words, "multi_token_prediction_layers")
    step, layers = whole(table.get("interleave_moe_layer_step")), get(words, "layers")
    if step is not None and step > 1 and layers is not None:
        at = table.get("interleave_moe_layer_step") or layers
        put(words, "expert_layers", at.but((whole(layers) or 0) // step, f"one layer in {step} has experts"))
    _attention(table, words, found)
    _windows(table, words)
    activations = table.at("mlp_activations")
    if activations is not None and activations.kind == "list":
        at = table.source.value("", activations.start, activations.end)
        put(words, "gated", at.but("linear" in [one.text for one in activations.items], "mlp_activations"))
    put(words, "tied_embeddings", flag(table.get("logits_via_embedding")))
    if table.get("moe_expert_input_dim") is not None:  # experts narrower than the model: no word holds that
        words.pop("expert_feed_forward", None)
    _routing(table, words)
    return words


def _routing(table: Table, words: Words) -> None:
    """Shared experts, tokens that are dropped; one expert is none."""
    capacity = table.get("capacity_factor")
    put(words, "capacity_factor", capacity if capacity is not None and (capacity.number or 0) > 0 else None)
    shared, width = count(table.get("shared_experts")), get(words, "expert_feed_forward")
    if shared is not None and width is not None:
        total = (whole(shared) or 0) * (whole(width) or 0)
        put(
            words,
            "shared_expert_feed_forward",
            shared.but(total, f"{shared.text} shared experts x {width.text}") if total else None,
        )
    if whole(get(words, "experts")) == 1:
        for word in OF_EXPERTS:
            words.pop(word, None)


def _windows(table: Table, words: Words) -> None:
    """Layers with a window stand in cycles: by their family, or those that rotate positions (Llama 4)."""
    block, layers = table.get("decoder_block"), get(words, "layers")
    window = count(table.get("sliding_window_size", "chunk_attn_window_size"))
    if window is None or not whole(window):
        return
    put(words, "window", window)
    tool = defaults.tool("maxtext")
    every = count(table.get("nope_layer_interval"))
    if every is None and block is not None:
        every = tool.value("full_attention_every", block.text, block)
    step, total = whole(every), whole(layers)
    if every is not None and step and total:
        put(words, "windowed_layers", every.but(total - total // step, f"all layers but one in {step}", every.how))


def _attention(table: Table, words: Words, found: Fragment) -> None:
    """Latent attention states its ranks; layers of linear attention stand between those of softmax."""
    kind = table.get("attention_type")
    if kind is not None and kind.text == "mla":
        put(words, "attention", kind.as_text())
        words.pop("kv_heads", None)
        words.pop("head_dimension", None)
        put(words, "head_dimension", count(table.get("qk_nope_head_dim")))
    elif kind is not None and kind.text != "compressed":
        for word in OF_LATENT:
            words.pop(word, None)
    elif kind is not None:
        for word in OF_ATTENTION:
            words.pop(word, None)
        why = "the design language has no words for compressed attention"
        found.unknown("workloads/model/attention", why, "state `parameters`", kind)
    if table.get("gdn_num_value_heads") is None:
        return
    fill_words(words, table, "maxtext", "linear_attention")
    every, layers = count(table.get("inhomogeneous_layer_cycle_interval")), get(words, "layers")
    step = whole(every) or 0
    if every is not None and step > 1 and layers is not None:
        total = whole(layers) or 0
        put(words, "linear_layers", every.but(total - total // step, f"all layers but one in {step}"))
        put(words, "linear_attention", every.but("gated-deltanet", "gdn_* describes it").as_text())
        put(words, "gated_attention", every.but("true", "softmax attention of Qwen3-Next has a gate"))
