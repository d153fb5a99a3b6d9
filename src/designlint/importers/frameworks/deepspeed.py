"""DeepSpeed's configuration, in a file of its own or written by a launch script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import put
from designlint.importers.workloads import count, flag, is_on, number_format, start
from designlint.language.values import nearest

if TYPE_CHECKING:
    from designlint.importers.base import Fragment, Value, Words
    from designlint.importers.notations.structured import Table

#: Keys of the top and of `zero_optimization` that DeepSpeed documents.
IMMATERIAL = frozenset(
    [
        "steps_per_print",
        "wall_clock_breakdown",
        "gradient_clipping",
        "prescale_gradients",
        "gradient_predivide_factor",
        "optimizer",
        "scheduler",
        "loss_scale",
        "loss_scale_window",
        "initial_scale_power",
        "hysteresis",
        "min_loss_scale",
        "consecutive_hysteresis",
        "auto_cast",
        "allgather_partitions",
        "allgather_bucket_size",
        "reduce_scatter",
        "reduce_bucket_size",
        "contiguous_gradients",
        "sub_group_size",
        "stage3_prefetch_bucket_size",
        "stage3_param_persistence_threshold",
        "stage3_model_persistence_threshold",
        "stage3_module_granularity_threshold",
        "stage3_use_all_reduce_for_fetch_params",
        "stage3_allgather_sequential",
        "stage3_max_live_parameters",
        "stage3_max_reuse_distance",
        "stage3_gather_16bit_weights_on_model_save",
        "stage3_gather_fp16_weights_on_model_save",
        "round_robin_gradients",
        "ignore_unused_parameters",
        "pin_memory",
        "buffer_count",
        "fast_init",
        "nvme_path",
        "ratio",
        "zero_hpz_partition_size",
        "zero_quantized_weights",
        "zero_quantized_gradients",
        "mics_*",
        "zero_quantized_nontrainable_weights",
        "zeropp_loco_param",
        "zenflow",
        "legacy_stage1",
        "cpu_offload_use_pin_memory",
        "memory_efficient_linear",
        "pipeline_loading_checkpoint",
        "override_module_apply",
        "log_trace_cache_warnings",
        "enable_sanity_checks",
        "save_muon_momentum_buffer_in_memory",
        "leaf_module",
        "buffer_size",
        "max_in_cpu",
        "pipeline_read",
        "pipeline_write",
        "super_offload",
        "cpuadam_cores_perc",
        "sparse_gradients",
        "compile",
        "hybrid_engine",
        "torch_autocast",
        "expert_parallel",
        "gradient_allreduce_op",
        "managed_gradient_accumulation",
        "dataloader_drop_last",
        "use_data_before_expert_parallelism",
        "comet",
        "comm_backend_name",
        "use_node_local_storage",
        "load_from_fp32_weights",
        "elastic_checkpoint",
        "communication_data_type",
        "tensorboard",
        "wandb",
        "csv_monitor",
        "flops_profiler",
        "dump_state",
        "memory_breakdown",
        "zero_allow_untested_optimizer",
        "zero_force_ds_cpu_optimizer",
        "aio",
        "elasticity",
        "data_types",
        "comms_logger",
        "compression_training",
        "autotuning",
        "curriculum_learning",
        "data_efficiency",
        "sparse_attention",
        "checkpoint",
        "progressive_layer_drop",
        "eigenvalue",
        "amp",
        "aio_config",
        "disable_allgather",
        "number_checkpoints",
        "synchronize_checkpoint_boundary",
        "contiguous_memory_optimization",
        "profile",
        "seq_parallel_*",
        "monitor_config",
        "loss_scale_min",
        "grad_accum_dtype",
        "use_multi_rank_bucket_allreduce",
        "overlap_step",
        "train_steps",
    ]
)
#: Their names without `stage3_`, by which DeepSpeed takes them as well.
BARE = frozenset(one.removeprefix("stage3_") for one in IMMATERIAL if one.startswith("stage3_"))
OFFLOADED = ("cpu", "nvme")
#: Every key that is no misspelling: those without meaning, and those that are read.
KNOWN = frozenset(one for one in (*IMMATERIAL, *BARE) if not one.endswith("*")) | frozenset(
    (
        "train_micro_batch_size_per_gpu",
        "train_batch_size",
        "gradient_accumulation_steps",
        "zero_optimization",
        "stage",
        "tensor_parallel",
        "bf16",
        "bfloat16",
        "fp16",
        "fp8",
        "offload_optimizer",
        "offload_param",
        "cpu_offload",
        "cpu_offload_params",
        "overlap_comm",
        "activation_checkpointing",
    )
)
PREFIXES = tuple(one[:-1] for one in IMMATERIAL if one.endswith("*"))
#: How alike a key and one that DeepSpeed knows are, from 0 to 1, for the one to be a slip of the other: people also put
#: comments and keys of other programs into the file.
ALIKE = 0.85


def workload(table: Table, fragment: Fragment, path: str) -> Words:
    """What the configuration says of a workload, whoever launches it."""
    words: Words = {"framework": start(table.source).but("deepspeed", "the file is DeepSpeed's").named()}
    for word, key in (
        ("parallelism/micro_batch", "train_micro_batch_size_per_gpu"),
        ("parallelism/global_batch", "train_batch_size"),
        ("parallelism/gradient_accumulation", "gradient_accumulation_steps"),
        ("parallelism/zero_stage", "zero_optimization/stage"),
        ("parallelism/tensor", "tensor_parallel/autotp_size"),
    ):
        value = table.get(key)
        put(words, word, count(value))
        if value is not None and count(value) is None:
            why = f"{key} is `{value.text[:40]}`: whoever starts the job decides"
            fragment.unknown(f"{path}/{word}", why, "the configuration that DeepSpeed prints at the start", value)
    _precision(table, words)
    _offload(table, words)
    put(words, "parallelism/overlap", flag(table.get("zero_optimization/overlap_comm")))
    partitioned = table.get(
        "activation_checkpointing/partition_activations", "activation_checkpointing/cpu_checkpointing"
    )
    fragment.fact("activation checkpointing", partitioned)
    for one in ("zero_optimization/offload_optimizer/device", "zero_optimization/offload_param/device"):
        fragment.fact(one.rpartition("/device")[0].rpartition("/")[2], table.get(one))
    _misspelt(table, fragment)
    for one in ("optimizer/type", "fp16/initial_scale_power"):
        fragment.fact(one.replace("/", " "), table.get(one))
    return words


def _misspelt(table: Table, fragment: Fragment) -> None:
    """Keys that DeepSpeed does not know and that look like one that it does: older versions pass over them silently."""
    for part in (table, table.table("zero_optimization")):
        for key, node in part.node.entries.items() if part.node is not None else ():
            if key in KNOWN or key.startswith(PREFIXES) or node.key_start < 0:
                continue
            for near in nearest(key, list(KNOWN), most=1, alike=ALIKE):
                at = part.source.value(key, node.key_start, node.key_end)  # one finding for one fault
                fragment.clash("import/misspelt-key", at, name=key[:60], proposal=near, tool="DeepSpeed")


def _precision(table: Table, words: Words) -> None:
    for key in ("bf16", "bfloat16", "fp16", "fp8"):
        enabled = table.get(f"{key}/enabled")
        if is_on(enabled) and "precision" not in words:
            assert enabled is not None
            put(words, "precision/matmul", number_format(enabled.but(key, f"{key}.enabled")))


def _offload(table: Table, words: Words) -> None:
    """The weights say more than the optimizer state: where both are offloaded, the state is too."""
    zero = "zero_optimization"
    optimizer = _device(table, f"{zero}/offload_optimizer/device", f"{zero}/cpu_offload")
    weights = _device(table, f"{zero}/offload_param/device", f"{zero}/cpu_offload_params")
    for value, word in ((weights, "weights"), (optimizer, "optimizer")):
        if value is not None and "offload" not in words.get("parallelism", {}):
            put(
                words,
                "parallelism/offload",
                value.but(word, f"to {value.text}" if value.text in OFFLOADED else "to cpu").named(),
            )


def _device(table: Table, new: str, old: str) -> Value | None:
    device, switch = table.get(new), table.get(old)
    if device is not None:
        return device if device.text in OFFLOADED else None
    return switch.but("cpu", "the old key of offload_*.device") if switch is not None and is_on(switch) else None
