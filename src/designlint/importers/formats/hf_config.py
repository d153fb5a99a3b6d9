"""Hugging Face's config.json, and the architecture files that Meta and DeepSeek publish beside their weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, How, Source, Value, Words, put, whole
from designlint.importers.mixers import mixers
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count, flag, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "Hugging Face config.json"
LAYERS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
WIDTH = ("hidden_size", "n_embd", "d_model", "dim")
#: Word of a model, and the keys it stands under, nearest first.
COUNTS = {
    "layers": LAYERS,
    "hidden": WIDTH,
    "heads": ("num_attention_heads", "n_head", "n_heads"),
    "kv_heads": ("num_key_value_heads", "num_kv_heads", "n_kv_heads", "multi_query_group_num"),
    "head_dimension": ("head_dim", "kv_channels"),
    "feed_forward": ("intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "d_ff", "inter_dim"),
    "vocabulary": ("vocab_size", "padded_vocab_size"),
    "query_rank": ("q_lora_rank",),
    "kv_rank": ("kv_lora_rank",),
    "rope_dimension": ("qk_rope_head_dim",),
    "value_dimension": ("v_head_dim",),
    "experts": ("n_routed_experts", "num_local_experts", "num_experts", "num_routed_experts", "moe_num_experts"),
    "experts_per_token": (
        "num_experts_per_tok",
        "num_experts_per_token",
        "n_activated_experts",
        "moe_topk",
        "experts_per_token",
        "moe_top_k",
    ),
    "expert_feed_forward": ("moe_intermediate_size", "moe_inter_dim", "expert_dim"),
    "dense_layers": ("first_k_dense_replace", "n_dense_layers"),
    "servers_per_token": ("topk_group", "n_limited_groups"),
}
IMMATERIAL = frozenset(
    [
        "architectures",
        "auto_map",
        "attention_bias",
        "attention_dropout",
        "bos_token_id",
        "eos_token_id",
        "pad_token_id",
        "hidden_act",
        "hidden_dropout",
        "hidden_dropout_prob",
        "embd_pdrop",
        "attn_pdrop",
        "resid_pdrop",
        "initializer_range",
        "initializer_std",
        "layer_norm_eps",
        "layer_norm_epsilon",
        "rms_norm_eps",
        "mlp_bias",
        "pretraining_tp",
        "rope_scaling",
        "rope_theta",
        "torch_dtype",
        "dtype",
        "transformers_version",
        "use_cache",
        "sliding_window",
        "use_sliding_window",
        "max_window_layers",
        "norm_topk_prob",
        "output_router_logits",
        "router_aux_loss_coef",
        "router_jitter_noise",
        "capacity_factor",
        "quantization_config",
        "aux_loss_alpha",
        "seq_aux",
        "scoring_func",
        "score_func",
        "topk_method",
        "n_group",
        "n_expert_groups",
        "route_scale",
        "routed_scaling_factor",
        "ep_size",
        "num_nextn_predict_layers",
        "moe_layer_freq",
        "activation_function",
        "id2label",
        "label2id",
        "task_specific_params",
        "summary_*",
        "scale_attn_weights",
        "bias",
        "clean_up_tokenization_spaces",
        "rotary_*",
        "rotary_dim",
        "rotary_pct",
        "partial_rotary_factor",
        "use_parallel_residual",
        "parallel_attn",
        "alibi",
        "apply_residual_connection_post_layernorm",
        "tokenizer_class",
        "qkv_bias",
        "no_bias",
        "classifier_dropout",
        "attn_config",
        "init_config",
        "norm_eps",
        "multiple_of",
        "ffn_dim_multiplier",
        "use_scaled_rope",
        "is_encoder_decoder",
        "slow_but_exact",
        "masked_softmax_fusion",
        "offset_alibi",
        "embd_pdrop",
        "gradient_checkpointing",
        "unk_token_id",
        "mlp_only_layers",
        "layer_types",
        "model_max_length",
        "max_sequence_length",
        "head_dim_list",
        "hidden_activation",
        "final_logit_softcapping",
        "attn_logit_softcapping",
        "query_pre_attn_scalar",
        "cache_implementation",
        "scale_fmt",
        "route_groups",
        "mscale",
        "original_seq_len",
        "rope_factor",
        "beta_fast",
        "beta_slow",
        "max_seq_len",
        "max_batch_size",
        "expert_dtype",
    ]
)


def sure(source: Source) -> int:
    """7 where the top of the file states layers and width, as only descriptions of models do."""
    if source.text.lstrip()[:1] != "{" or len(source.text) > 1_000_000:
        return 0
    root = structured.root(source)
    if root is None:
        return 0
    keys = root.entries.keys()
    return (
        7
        if any(one in keys for one in LAYERS) and any(one in keys for one in WIDTH) and "zero_optimization" not in keys
        else 0
    )


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A workload with the model, for each file."""
    fragment = Fragment()
    found: list[Words] = []
    for source in models:
        table = Table(source, structured.root(source))
        words = model(table, fragment)
        kind = table.get("model_type", "_name_or_path")
        found.append(
            {"name": named(source, kind if kind is not None and "/" not in kind.text else None), "model": words}
        )
        structured.close(source, IMMATERIAL)
    fragment.words["workloads"] = list(found)
    return fragment


def model(table: Table, fragment: Fragment) -> Words:
    """The words of a model."""
    words: Words = {}
    for word, keys in COUNTS.items():
        put(words, word, count(table.get(*keys)))
    kind = table.get("model_type")
    tool = defaults.tool("transformers")
    family = kind.text if kind is not None else ""
    _attention(table, words)
    mixers(table, words, family)
    _experts(table, words, family, tool)
    _feed_forward(table, words, kind, tool)
    tied = flag(table.get("tie_word_embeddings"))
    put(words, "tied_embeddings", tied or (tool.value("tied", family, kind) if kind is not None else None))
    for key, norm in (
        ("rms_norm_eps", "rmsnorm"),
        ("norm_eps", "rmsnorm"),
        ("layer_norm_eps", "layernorm"),
        ("layer_norm_epsilon", "layernorm"),
    ):
        epsilon = table.get(key)
        if epsilon is not None and "norm" not in words:
            put(words, "norm", epsilon.but(norm, f"the file has {key}").named())
    longest = count(table.get("max_position_embeddings", "n_positions"))
    scaled = table.at("rope_scaling")
    if scaled is None or scaled.kind == "scalar":  # scaled positions reach further, or are stated as scaled
        put(words, "positions", longest)
    fragment.fact("longest sequence", longest or table.get("max_seq_len"))
    fragment.fact("shared experts", table.get("n_shared_experts", "num_shared_experts"))
    fragment.fact("number format of the weights", table.get("torch_dtype", "dtype"))
    return words


def _attention(table: Table, words: Words) -> None:
    """Latent attention states its ranks; a head without its rotary part is what the design language calls a head."""
    plain = count(table.get("qk_nope_head_dim"))
    rank = words.get("kv_rank")
    if isinstance(rank, Value):
        put(words, "attention", rank.but("mla", "the file states kv_lora_rank").named())
        words.pop("head_dimension", None)
        words.pop("kv_heads", None)
        put(words, "head_dimension", plain)
        return
    shared = table.get("multi_query")
    if (
        shared is not None
        and shared.text == "true"
        and "kv_heads" not in words
        and table.get("new_decoder_architecture") is None
    ):
        put(words, "kv_heads", shared.but(1, "multi_query"))
    heads, pairs = words.get("heads"), words.get("kv_heads")
    if isinstance(heads, Value) and isinstance(pairs, Value):
        many = "mha" if heads.text == pairs.text else "mqa" if pairs.text == "1" else "gqa"
        put(words, "attention", pairs.but(many, "key and value heads against heads").named())


def _experts(table: Table, words: Words, family: str, tool: defaults.Tool) -> None:
    """Where the experts are, how wide they are, and which keys of dense layers mean nothing beside them."""
    experts = words.get("experts")
    if not isinstance(experts, Value) or (whole(experts) or 0) < 2:
        for word in ("experts", "experts_per_token", "expert_feed_forward", "dense_layers", "servers_per_token"):
            words.pop(word, None)
        return
    if "expert_feed_forward" not in words and tool.tables["expert_width_is_intermediate_size"].get(family):
        width = words.get("feed_forward")
        put(
            words,
            "expert_feed_forward",
            width.but(width.text, "each expert's width in this family") if isinstance(width, Value) else None,
        )
    shared, width = count(table.get("n_shared_experts", "num_shared_experts")), words.get("expert_feed_forward")
    if shared is not None and isinstance(width, Value):
        total = (whole(shared) or 0) * (whole(width) or 0)
        put(
            words,
            "shared_expert_feed_forward",
            shared.but(total, f"{shared.text} shared experts x {width.text}") if total else None,
        )
    else:
        put(words, "shared_expert_feed_forward", count(table.get("shared_expert_intermediate_size")))
    step, only = table.get("decoder_sparse_step"), table.at("mlp_only_layers")
    if step is not None and step.text == "1" and (only is None or not only.items):
        put(words, "dense_layers", step.but(0, "decoder_sparse_step 1: every layer has experts"))
        words.pop("feed_forward", None)


def _feed_forward(table: Table, words: Words, kind: Value | None, tool: defaults.Tool) -> None:
    """Whether the layer is gated hangs on the family, not on the activation's name; and the width that Meta's files imply."""
    if kind is not None:
        put(words, "gated", tool.value("gated", kind.text, kind))
        gated = words.get("gated")
        if isinstance(gated, Value):
            words["gated"] = kind.but(gated.text, f"model type {kind.text}", How.DERIVED)
    unit, width = count(table.get("multiple_of")), count(table.get(*WIDTH))
    if "feed_forward" in words or unit is None or width is None:
        return
    factor = table.get("ffn_dim_multiplier")
    inner = int(8 * (whole(width) or 0) / 3)
    scaled = int(float(factor.text) * inner) if factor is not None and factor.number is not None else inner
    step = max(whole(unit) or 1, 1)
    put(
        words,
        "feed_forward",
        unit.but(step * -(-scaled // step), "8/3 of the width, scaled, rounded up to multiple_of"),
    )
