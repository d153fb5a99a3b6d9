"""MaxText's YAML: run configurations, which inherit from a base, model files, and Primus' experiments with MaxText."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, Source, Value, Words, put, whole
from designlint.importers.frameworks import primus
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count, flag, fragment, number_format, start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "MaxText configuration"
JOBS = True
MARKS = frozenset(
    [
        "base_emb_dim",
        "base_num_query_heads",
        "base_num_decoder_layers",
        "per_device_batch_size",
        "max_target_length",
        "base_config",
        "remat_policy",
        "decoder_block",
        "dcn_data_parallelism",
        "ici_tensor_parallelism",
        "ici_fsdp_parallelism",
        "scan_layers",
    ]
)
#: Words that MaxText scales by `global_parameter_scale`, and those that it does not.
SCALED = {
    "hidden": "base_emb_dim",
    "heads": "base_num_query_heads",
    "kv_heads": "base_num_kv_heads",
    "layers": "base_num_decoder_layers",
    "feed_forward": "base_mlp_dim",
    "expert_feed_forward": "base_moe_mlp_dim",
}
PLAIN = {
    "head_dimension": "head_dim",
    "vocabulary": "vocab_size",
    "experts": "num_experts",
    "experts_per_token": "num_experts_per_tok",
    "dense_layers": "first_num_dense_layers",
    "query_rank": "q_lora_rank",
    "kv_rank": "kv_lora_rank",
    "rope_dimension": "qk_rope_head_dim",
    "value_dimension": "v_head_dim",
    "servers_per_token": "topk_routing_group",
}
#: Blocks of a local and a global layer: MaxText counts the pair as one (configs/models/gemma2-27b.yml).
PAIRED = frozenset(("gemma2",))
DEGREES = {
    "tensor": ("ici_tensor_parallelism", "dcn_tensor_parallelism"),
    "pipeline": ("ici_pipeline_parallelism", "dcn_pipeline_parallelism"),
    "context": ("ici_context_parallelism", "dcn_context_parallelism"),
    "expert": ("ici_expert_parallelism", "dcn_expert_parallelism"),
}
IMMATERIAL = frozenset(
    [
        "run_name",
        "base_output_directory",
        "dataset_*",
        "dataset_type",
        "use_iota_embed",
        "scan_layers",
        "logits_dot_in_fp32",
        "max_segments_per_seq",
        "attention",
        "enable_dropout",
        "dropout_rate",
        "normalization_layer_epsilon",
        "norm_topk_prob",
        "routed_*",
        "score_func",
        "mscale",
        "rope_*",
        "rope_type",
        "max_position_embeddings",
        "original_max_position_embeddings",
        "beta_*",
        "attention_bias",
        "learning_rate*",
        "adam*",
        "profiler*",
        "upload_all*",
        "tokenizer*",
        "hf_*",
        "steps_*",
        "eval_*",
        "gcs_metrics",
        "data_shuffle*",
        "mesh_axes",
        "logical_axis*",
        "data_sharding",
        "weight_dtype",
        "megablox",
        "sparse_matmul",
        "capacity_factor",
        "load_balance*",
        "use_random_routing",
        "n_routing_groups",
        "fused_*",
        "packing",
        "grain_*",
        "record_*",
        "log_*",
        "metrics_*",
        "reuse_example_batch",
        "quantization_*",
        "use_*",
        "sa_*",
        "jax_*",
        "compile*",
        "compiled*",
        "hardware",
        "enable_nnx",
        "interleave_*",
        "num_layer_repeats*",
        "inhomogeneous*",
        "cast_logits*",
        "enable_goodput*",
        "monitor*",
        "skip_*",
        "save_config*",
        "gradient_*",
        "cosine*",
        "warmup*",
        "opt_type",
        "dcn_*",
        "ici_*",
        "allow_split*",
        "shardy",
        "context_parallel*",
        "attn_*",
        "float32*",
        "local_checkpoint*",
        "emergency*",
        "trainable*",
        "decoder_block",
        "query_pre_attn_scalar",
        "final_logits*",
        "post_norm",
        "sliding_window*",
        "v_norm",
        "custom_mesh",
        "xla_*",
        "base_config",
        "override*",
        "vocab_tiling",
        "shared_experts_*",
        "chunk_attn*",
        "mtp*",
        "nope_*",
    ]
)


#: The key by which a configuration inherits from another file.
INHERITS = re.compile(r"""^base_config:[ ]*["']?[\w./-]+\.ya?ml\b""", re.MULTILINE)


def sure(source: Source) -> int:
    """8 for an experiment of Primus; 7 with two keys that are MaxText's own at the top; 6 where it inherits from a file."""
    if primus.module(source, "maxtext") is not None:
        return 8
    if not any(
        one in source.text for one in ("base_emb_dim", "per_device_batch_size", "max_target_length", "base_config")
    ):
        return 0
    if len(MARKS & structured.keys(source)) >= 2:
        return 7
    return 6 if INHERITS.search(source.text) else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A workload for each file; what it inherits stays unknown."""
    found = Fragment()
    for source in models:
        table, module = Table(source, structured.root(source)), primus.module(source, "maxtext")
        if module is None:
            found.add(fragment(source, _words(table, found), table.get("run_name")))
        else:
            found.add(primus.workload(source, module, found, lambda overrides: _words(overrides, found)))
        structured.close(source, IMMATERIAL | primus.IMMATERIAL)
    return found


def _words(table: Table, found: Fragment) -> Words:
    words: Words = {"framework": start(table.source).but("jax", "the file is MaxText's").named()}
    model = _model(table)
    if model:
        words["model"] = model
    for key in ("model_name", "hardware", "per_device_batch_size", "base_config", "shared_experts"):
        value = table.get(key)
        found.fact(key.replace("_", " "), value)
        if key in ("model_name", "base_config") and value is not None:
            why = f"{key} {value.text} states it in a file of MaxText's that is not here"
            found.unknown(
                "workloads/model" if key == "model_name" else "workloads/parallelism",
                why,
                "the configuration that MaxText prints at the start",
                value,
            )
    put(words, "model/sequence", count(table.get("max_target_length")))
    put(words, "targets/steps", count(table.get("steps")))
    for word, keys in DEGREES.items():
        put(words, f"parallelism/{word}", _degree(table, keys))
    policy = table.get("remat_policy")
    if policy is not None:
        mode = {"full": "full", "none": "none", "minimal": "selective"}.get(policy.text.partition("_")[0], "selective")
        put(words, "parallelism/recompute", policy.but(mode, f"remat_policy {policy.text}").named())
    quantized, kind = table.get("quantization"), table.get("dtype")
    put(
        words,
        "precision/matmul",
        number_format(quantized) if quantized is not None and quantized.text else number_format(kind),
    )
    _checkpoint(table, words)
    return words


def _model(table: Table) -> Words:
    words: Words = {}
    scale = count(table.get("global_parameter_scale"))
    for word, key in SCALED.items():
        value = count(table.get(key))
        if value is not None and (scale is None or scale.text == "1"):
            put(words, word, value)
    block, layers = table.get("decoder_block"), words.get("layers")
    if block is not None and block.text in PAIRED and isinstance(layers, Value):
        words["layers"] = layers.but(2 * (whole(layers) or 0), f"decoder_block {block.text} holds two layers")
    for word, key in PLAIN.items():
        put(words, word, count(table.get(key)))
    kind = table.get("attention_type")
    if kind is not None and kind.text == "mla":
        put(words, "attention", kind.named())
        words.pop("kv_heads", None)
        words.pop("head_dimension", None)
        put(words, "head_dimension", count(table.get("qk_nope_head_dim")))
    activations = table.at("mlp_activations")
    if activations is not None and activations.kind == "list":
        at = table.source.value("", activations.start, activations.end)
        put(words, "gated", at.but("linear" in [one.text for one in activations.items], "mlp_activations"))
    put(words, "tied_embeddings", flag(table.get("logits_via_embedding")))
    if table.get("moe_expert_input_dim") is not None:  # experts narrower than the model: no word holds that
        words.pop("expert_feed_forward", None)
    shared, width = count(table.get("shared_experts")), words.get("expert_feed_forward")
    if shared is not None and isinstance(width, Value):
        total = (whole(shared) or 0) * (whole(width) or 0)
        put(
            words,
            "shared_expert_feed_forward",
            shared.but(total, f"{shared.text} shared experts x {width.text}") if total else None,
        )
    if (whole(words["experts"]) if isinstance(words.get("experts"), Value) else 0) == 1:  # type: ignore[arg-type]
        words.pop("experts")
    return words


def _degree(table: Table, keys: tuple[str, str]) -> Value | None:
    """The product of a degree inside a slice and across slices, both stated and neither -1."""
    inside, across = (count(table.get(key)) for key in keys)
    if inside is None or across is None:
        return inside if across is None else across
    return inside.but((whole(inside) or 0) * (whole(across) or 0), "inside x across slices")


def _checkpoint(table: Table, words: Words) -> None:
    enabled, later = table.get("enable_checkpointing"), table.get("async_checkpointing")
    if enabled is not None and enabled.text.lower() == "false":
        put(words, "checkpoint/mode", enabled.but("none", "enable_checkpointing").named())
        return
    put(words, "checkpoint/interval_steps", count(table.get("checkpoint_period")))
    if enabled is not None and later is not None:
        put(
            words,
            "checkpoint/mode",
            later.but("asynchronous" if later.text.lower() == "true" else "synchronous").named(),
        )
