"""The names of Megatron-LM's arguments, and of those that other frameworks took over or spell alike."""

from __future__ import annotations

from functools import cache

from designlint.importers.megatron import attention, layers, memory, trainers

COUNTS = {
    "parallelism/tensor": "tensor_model_parallel_size tensor_parallel_size tensor_parallel_degree model_parallel_size",
    "parallelism/pipeline": "pipeline_model_parallel_size pipeline_parallel_size "
    "pipeline_parallel_degree pipe_parallel_size",
    "parallelism/context": "context_parallel_size context_parallel_degree ds_sequence_parallel_size",
    "parallelism/expert": "expert_model_parallel_size expert_parallel_size expert_parallel_degree moe_expert_parallel_size",
    "parallelism/expert_tensor": "expert_tensor_parallel_size",
    "parallelism/virtual_stages": "num_virtual_stages_per_pipeline_rank "
    "virtual_pipeline_model_parallel_size virtual_pipeline_parallel_size",
    "parallelism/layers_per_virtual_stage": "num_layers_per_virtual_pipeline_stage",
    "parallelism/first_stage_layers": "decoder_first_pipeline_num_layers num_layers_in_first_pipeline_stage",
    "parallelism/last_stage_layers": "decoder_last_pipeline_num_layers num_layers_in_last_pipeline_stage",
    "parallelism/micro_batch": "micro_batch_size train_batch_size_per_gpu "
    "train_micro_batch_size_per_gpu per_device_train_batch_size",
    "parallelism/global_batch": "global_batch_size",
    "parallelism/gradient_accumulation": "gradient_accumulation_steps grad_accumulation_steps",
    "model/sequence": "seq_length sequence_length seq_len max_context_width max_seq_length max_seq_len max_length cutoff_len",
    "model/layers": "num_layers",
    "model/hidden": "hidden_size hidden_width",
    "model/heads": "num_attention_heads num_heads",
    "model/feed_forward": "ffn_hidden_size intermediate_size",
    "model/head_dimension": "kv_channels",
    "model/kv_heads": "num_key_value_heads num_kv_heads",
    "model/vocabulary": "padded_vocab_size pad_vocab_size_to",
    "model/vocabulary_multiple": "make_vocab_size_divisible_by",
    "model/experts": "num_experts num_moe_experts moe_num_experts",
    "model/experts_per_token": "moe_router_topk moe_top_k",
    "model/expert_feed_forward": "moe_ffn_hidden_size",
    "model/expert_hidden": "moe_latent_size",
    "model/mamba_heads": "mamba_num_heads",
    "model/mamba_head_dimension": "mamba_head_dim",
    "model/mamba_state": "mamba_state_dim",
    "model/mamba_groups": "mamba_num_groups",
    "model/shared_expert_feed_forward": "moe_shared_expert_intermediate_size",
    "model/servers_per_token": "moe_router_group_topk",
    "model/multi_token_prediction_layers": "mtp_num_layers",
    "model/positions": "max_position_embeddings",
    "model/query_rank": "q_lora_rank",
    "model/kv_rank": "kv_lora_rank",
    "model/rope_dimension": "qk_pos_emb_head_dim",
    "model/value_dimension": "v_head_dim",
    "checkpoint/interval_steps": "save_interval checkpoint_freq checkpointing_steps save_steps checkpoint_interval",
    "targets/steps": "train_iters max_steps training_steps train_steps num_steps max_train_steps total_iters",
    "targets/samples": "train_samples",
    "data/tokens": "train_tokens",
    "job/data_loader_workers": "num_workers dataloader_num_workers",
}
FLAGS = {
    "parallelism/sequence_parallel": "sequence_parallel",
    "flash_attention": "use_flash_attn use_flash_attention_2 use_flash_attn_v2",
    "parallelism/expert_overlap": "overlap_moe_expert_parallel_comm",
    "model/gated": "swiglu gated_linear_unit",
    "model/capacity_padded": "moe_pad_expert_input_to_capacity",
}
#: Arguments that split layers over stages on purpose.
UNEVEN = (
    "pipeline_model_parallel_layout",
    "account_for_embedding_in_pipeline_split",
    "account_for_loss_in_pipeline_split",
    "pp_partition_method",
    "decoder_first_pipeline_num_layers",
    "decoder_last_pipeline_num_layers",
    "num_layers_in_first_pipeline_stage",
    "num_layers_in_last_pipeline_stage",
)
#: Arguments that are read one by one.
OTHERS = frozenset(
    (
        "attention_head_type",
        "group_query_attention",
        "num_query_groups",
        "normalization",
        "position_embedding_type",
        "use_rotary_position_embeddings",
        "untie_embeddings_and_output_weights",
        "use_distributed_optimizer",
        "use_megatron_fsdp",
        "use_custom_fsdp",
        "use_torch_fsdp2",
        "torch_fsdp2_no_reshard_after_forward",
        "fine_grained_activation_offloading",
        "data_parallel_sharding_strategy",
        "sharding_strategy",
        "zero_stage",
        "use_checkpoint_args",
        "recompute_granularity",
        "recompute_activations",
        "recompute_modules",
        "checkpoint_activations",
        "activations_checkpoint_granularity",
        "overlap_grad_reduce",
        "overlap_param_gather",
        "bf16",
        "fp16",
        "fp8",
        "fp8_format",
        "fp8_recipe",
        "fp4",
        "fp4_format",
        "async_save",
        "ckpt_format",
        "dist_ckpt_format",
        "save",
        "use_dist_ckpt",
        "exit_duration_in_mins",
        "exit_signal_handler",
        "distributed_timeout_minutes",
        "optimizer_cpu_offload",
        "offload_activations",
        "cpu_offload",
        "multi_latent_attention",
        "qk_head_dim",
        "moe_layer_freq",
        "moe_expert_capacity_factor",
        "optimizer",
        "rampup_batch_size",
        "num_key_value_heads",
        "cpu_optimizer",
        "remote_device",
        "num_gpus",
        "ng",
        "gpus_per_node",
        "gpu",
        "model_name",
        "model_size",
        "model_recipe_name",
        "model_name_or_path",
        "config_file",
        "job.config_file",
        "deepspeed",
        "deepspeed_config",
        "deepspeed_activation_checkpointing",
        "transformer_impl",
        "mixed_precision",
        "compute_dtype",
        "precision",
        "save_strategy",
    )
)


@cache
def counted() -> frozenset[str]:
    """The names of arguments that are numbers."""
    return frozenset(" ".join(COUNTS.values()).split())


@cache
def understood() -> frozenset[str]:
    """The names of all arguments that are read."""
    named = " ".join((*COUNTS.values(), *FLAGS.values())).split()
    return OTHERS.union(named, UNEVEN, layers.READ, attention.READ, memory.READ, trainers.READ)
