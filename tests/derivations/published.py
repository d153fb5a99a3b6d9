"""Published jobs and recipes, in the words that calculations read."""

from __future__ import annotations

from typing import Any

Given = dict[str, Any]

MEGATRON_BF16: Given = {"weight_bytes": 2, "gradient_bytes": 4, "optimizer_bytes": 12, "activation_bytes": 2}
ONE_GPU_EACH: Given = {
    "kind": "pretraining",
    "tensor": 1,
    "pipeline": 1,
    "context": 1,
    "expert": 1,
    "virtual_stages": 1,
}

LLAMA_3_70B: Given = ONE_GPU_EACH | {
    "layers": 80, "hidden": 8192, "heads": 64, "kv_heads": 8, "feed_forward": 28672, "vocabulary": 128256,
    "gated": True, "tied_embeddings": False, "norm": "rmsnorm", "sequence": 8192,
}  # fmt: skip
#: A job of Megatron-LM whose optimizer is shared out, with blockwise attention.
SHARED_OPTIMIZER: Given = {
    "kind": "pretraining", "tensor": 1, "pipeline": 1, "context": 1, "virtual_stages": 1, "micro_batch": 1,
    "sequence": 4096, "flash_attention": True, "gated": True, "norm": "rmsnorm", "tied_embeddings": False,
    "zero_stage": 1, "weight_bytes": 2, "gradient_bytes": 4, "optimizer_bytes": 12, "activation_bytes": 2,
    "router_bytes": 4,
}  # fmt: skip
DEEPSEEK_V3: Given = SHARED_OPTIMIZER | {
    "layers": 61, "hidden": 7168, "heads": 128, "attention": "mla", "head_dimension": 128, "rope_dimension": 64,
    "query_rank": 1536, "kv_rank": 512, "value_dimension": 128, "vocabulary": 129280, "feed_forward": 18432,
    "dense_layers": 3, "experts": 256, "experts_per_token": 8, "expert_feed_forward": 2048,
    "shared_expert_feed_forward": 2048, "gpus": 256, "pipeline": 4, "virtual_stages": 4, "expert": 64,
    "global_batch": 4096, "recompute": "none",
}  # fmt: skip
