"""Keys of Hugging Face's config.json that describe a model's shape."""

from __future__ import annotations

LAYERS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
WIDTH = ("hidden_size", "n_embd", "n_embed", "d_model", "dim")
#: Word of a model, and the keys it stands under, nearest first.
COUNTS = {
    "layers": LAYERS,
    "hidden": WIDTH,
    "heads": ("num_attention_heads", "n_head", "n_heads", "num_heads"),
    "kv_heads": (
        "num_key_value_heads",
        "num_kv_heads",
        "n_kv_heads",
        "n_head_kv",
        "multi_query_group_num",
        "attn_config/kv_n_heads",
    ),
    "head_dimension": ("head_dim", "attention_head_dim", "kv_channels", "d_kv"),
    "feed_forward": (
        "dense_intermediate_size",
        "intermediate_size_mlp",
        "intermediate_size",
        "n_inner",
        "ffn_dim",
        "ffn_hidden_size",
        "d_ff",
        "inter_dim",
        "ffn_config/ffn_hidden_size",
    ),
    "vocabulary": ("vocab_size", "padded_vocab_size"),
    "multi_token_prediction_layers": ("num_nextn_predict_layers", "mtp_num_hidden_layers"),
    "query_rank": ("q_lora_rank",),
    "kv_rank": ("kv_lora_rank",),
    "rope_dimension": ("qk_rope_head_dim",),
    "value_dimension": ("v_head_dim",),
    "experts": (
        "n_routed_experts",
        "num_local_experts",
        "num_experts",
        "num_routed_experts",
        "moe_num_experts",
        "ffn_config/moe_num_experts",
    ),
    "experts_per_token": (
        "num_experts_per_tok",
        "num_experts_per_token",
        "n_activated_experts",
        "moe_topk",
        "experts_per_token",
        "moe_top_k",
        "top_k_experts",
        "ffn_config/moe_top_k",
    ),
    "expert_feed_forward": (
        "moe_intermediate_size",
        "expert_intermediate_size",
        "moe_inter_dim",
        "expert_dim",
        "ffn_config/ffn_hidden_size",
    ),
    "expert_hidden": ("moe_latent_size",),
    "dense_layers": ("first_k_dense_replace", "n_dense_layers"),
    "servers_per_token": ("topk_group", "n_limited_groups"),
}
