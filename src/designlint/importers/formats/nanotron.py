"""nanotron's YAML."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, Source, Words, put
from designlint.importers.formats import hf_config
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import filled, fragment, get, number_format, start, took

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "nanotron configuration"
JOBS = True
MAPPING = {
    "parallelism/data": "parallelism/dp",
    "parallelism/tensor": "parallelism/tp",
    "parallelism/pipeline": "parallelism/pp",
    "parallelism/context": "parallelism/context_parallel_size|parallelism/cp",
    "parallelism/expert": "parallelism/expert_parallel_size",
    "parallelism/micro_batch": "tokens/micro_batch_size",
    "parallelism/gradient_accumulation": "tokens/batch_accumulation_per_replica",
    "parallelism/zero_stage": "optimizer/zero_stage",
    "model/sequence": "tokens/sequence_length",
    "targets/steps": "tokens/train_steps",
    "checkpoint/interval_steps": "checkpoints/checkpoint_interval",
}
IMMATERIAL = frozenset(
    [
        "general",
        "data_stages",
        "logging",
        "lighteval",
        "profiler",
        "s3_upload",
        "metrics_logging",
        "learning_rate_scheduler",
        "optimizer_factory",
        "weight_decay",
        "clip_grad",
        "accumulate_grad_in_fp32",
        "pp_engine",
        "tp_mode",
        "tp_linear_async_communication",
        "tp_recompute_allgather",
        "limit_test_batches",
        "limit_val_batches",
        "val_check_interval",
        "init_method",
        "ddp_bucket_cap_mb",
        "make_vocab_size_divisible_by",
        "checkpoints_path",
        "resume_checkpoint_path",
        "save_initial_state",
        "checkpoints_path_is_shared_file_system",
        "save_final_state",
        "load_lr_scheduler",
        "load_optimizer",
        "tokenizer",
        "moe_layer",
        "bos_token_id",
        "eos_token_id",
        "pad_token_id",
        "hidden_act",
        "initializer_range",
        "is_*",
        "max_position_embeddings",
        "rope_*",
        "rms_norm_eps",
        "use_cache",
        "transformers_version",
        "_attn_implementation",
        "attention_bias",
        "no_rope_layer",
        "sliding_window*",
        "z_loss*",
        "attn_pdrop",
        "interleaved_*",
        "_use_*",
        "_fused*",
        "pretraining_tp",
        "moe_config",
        "tie_word_embeddings",
        "recompute_layer",
    ]
)


def _gpus(words: Words) -> None:
    """nanotron starts on exactly as many GPUs as its degrees multiply to."""
    degrees = [took(words, f"parallelism/{one}") for one in ("data", "tensor", "pipeline")]
    data = get(words, "parallelism/data")
    if data is not None and all(degrees):
        total = math.prod(one or 1 for one in degrees) * (took(words, "parallelism/context") or 1)
        put(words, "runs_on/gpus", data.but(total, "data x tensor x pipeline x context"))


def sure(source: Source) -> int:
    """8 where the top has the sections that only nanotron has together."""
    keys = structured.keys(source, "parallelism", "tokens")
    return 8 if keys >= {"parallelism", "tokens", "model", "optimizer"} else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A workload for each file."""
    found = Fragment()
    for source in models:
        table = Table(source, structured.root(source))
        words: Words = {"framework": {"other": start(source).but("nanotron", "the file is nanotron's").named()}}
        shape = hf_config.model(table.table("model/model_config"), found)
        if shape:
            words["model"] = shape
        filled(words, table, MAPPING)
        put(words, "precision/matmul", number_format(table.get("model/dtype")))
        _gpus(words)
        found.add(fragment(source, words, table.get("general/run")))
        structured.close(source, IMMATERIAL)
    return found
