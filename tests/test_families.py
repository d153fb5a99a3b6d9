"""Families of today's models, written as their publications describe them: no fault, and the published figures."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.findings.model import Severity
from designlint.linting import pipeline
from designlint.reading import read_bytes

#: Each as a whole design; layouts only where they were published.
FAMILIES = {
    # DeepSeek-V3 report, sections 3 and 4: 2048 H800, 16 stages under DualPipe, 64-way experts, one further token, 14.8 T tokens,
    # 180 thousand GPU hours for each T
    "deepseek-v3": """
nodes: [{name: train, gpu: h800-sxm-80gb, gpus: 8, count: 256, scale_up_domain: 8}]
workloads:
  - name: job
    framework: proprietary
    model: {model: deepseek-v3, sequence: 4096}
    data: {tokens: 14.8e12}
    precision: fp8-deepseek
    flash_attention: true
    parallelism:
      {tensor: 1, pipeline: 16, context: 1, expert: 64, expert_tensor: 1, schedule: dualpipe,
       uneven_stages: true, global_batch: 15360, micro_batch: 1,
       zero_stage: 1, recompute: selective, recompute_modules: [layernorm, mla_up_proj], expert_overlap: true}
    measured_tokens_per_second: 3160494 per s
""",
    # Nemotron-H report: 54 Mamba-2, 54 feed-forward and 10 attention layers, FP8, 20 T tokens
    "nemotron-h-56b": """
nodes: [{name: train, model: dgx-h100, count: 768}]
workloads:
  - name: job
    framework: megatron
    model: {model: nemotron-h-56b, sequence: 8192}
    data: {tokens: 20e12}
    precision: fp8
    flash_attention: true
    parallelism:
      {tensor: 8, pipeline: 1, context: 1,
       zero_stage: 1, sequence_parallel: true, recompute: none, micro_batch: 1, global_batch: 768}
""",
    # Qwen3-Next: three layers of four with linear attention, 512 experts
    "qwen3-next": """
nodes: [{name: train, model: dgx-h100, count: 32}]
workloads:
  - name: job
    framework: megatron
    model: {model: qwen3-next-80b-a3b, sequence: 4096, multi_token_prediction_layers: 1}
    data: {tokens: 15e12}
    precision: bf16
    flash_attention: true
    parallelism:
      {tensor: 1, pipeline: 4, context: 1, expert: 8, expert_tensor: 1,
       zero_stage: 1, micro_batch: 1, global_batch: 1024, recompute: full}
""",
    # gpt-oss: windows in every second layer
    "gpt-oss-120b": """
nodes: [{name: train, model: dgx-h100, count: 8}]
workloads:
  - name: job
    framework: megatron
    model: {model: gpt-oss-120b, sequence: 4096}
    precision: bf16
    flash_attention: true
    parallelism:
      {tensor: 1, pipeline: 4, context: 1, expert: 8, expert_tensor: 1,
       zero_stage: 1, micro_batch: 1, global_batch: 512, recompute: full}
""",
    # Llama 4 Maverick: experts in every second layer, chunked attention in three of four
    "llama-4-maverick": """
nodes: [{name: train, model: dgx-h100, count: 64}]
workloads:
  - name: job
    framework: megatron
    model: {model: llama-4-maverick, sequence: 8192}
    precision: bf16
    flash_attention: true
    parallelism:
      {tensor: 4, pipeline: 4, context: 1, expert: 32, expert_tensor: 1,
       zero_stage: 1, sequence_parallel: true, micro_batch: 1, global_batch: 1024, recompute: full}
""",
    # INTELLECT-1 report: 14 servers apart from each other, an exchange every 100 steps
    "intellect-1": """
nodes: [{name: train, model: dgx-h100, count: 14}]
workloads:
  - name: job
    framework: fsdp
    model:
      {layers: 42, hidden: 4096, heads: 32, kv_heads: 8, head_dimension: 128, attention: gqa, feed_forward: 14336, gated: true,
       vocabulary: 128256, tied_embeddings: false, norm: rmsnorm, sequence: 8192}
    data: {tokens: 1e12}
    precision: bf16-fsdp
    targets: {mfu: 36.2 %}
    parallelism:
      {tensor: 1, pipeline: 1, context: 1, zero_stage: 3, sharding_group: 8, local_steps: 100}
    measured_mfu: 36.2 %
""",
}


@cache
def judged(name: str) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """Facts of the job and of its model, and every error and warning."""
    document = read_bytes(f"designlint: 1\nname: {name}{FAMILIES[name]}".encode(), name)
    shipped = engine.shipped_engine()
    design = read_design(document, shipped)
    assert not design.problems
    found = pipeline.lint(document, shipped, repair=False).findings
    subjects = design.graph.subjects
    loud = [f"{one.rule}: {one.message}" for one in found if one.severity is not Severity.INFO]
    return subjects["workloads/job"].facts, subjects["workloads/job/model"].facts, loud


@pytest.mark.parametrize("name", FAMILIES)
def test_what_ran_draws_no_warning(name: str) -> None:
    assert judged(name)[2] == []


def test_deepseek_v3() -> None:
    job, model, _ = judged("deepseek-v3")
    assert model["parameters"] == pytest.approx(671e9, rel=0.01)
    assert model["prediction_parameters"] == pytest.approx(11.5e9, rel=0.02)
    assert job["micro_batches"] == 120
    assert job["pipeline_bubble"] == pytest.approx((16 / 2 - 1) * 2 / 3 / 120)
    assert job["micro_batches_in_flight"] == 17
    # published: 2.664 million GPU hours of pre-training
    assert job["measured_training_time"] * 2048 / 3600 == pytest.approx(2.664e6, rel=0.001)
    # 37 billion parameters a token, and attention: a third of the FP8 peak of 1979 TFLOP/s is out of reach
    assert 0.18 < job["measured_mfu"] < 0.25


def test_nemotron_h() -> None:
    job, model, _ = judged("nemotron-h-56b")
    assert model["parameters"] == pytest.approx(56.3e9, rel=0.01)
    assert job["recurrent_flops_per_token"] / job["flops_per_token"] < 0.04
    assert job["attention_flops_per_token"] / job["flops_per_token"] < 0.04
    assert job["memory_per_gpu"] < 80e9


def test_qwen3_next() -> None:
    job, model, _ = judged("qwen3-next")
    assert model["parameters"] == pytest.approx(79.7e9, rel=0.01)
    assert model["active_parameters"] - model["embedding_parameters"] == pytest.approx(3.5e9, rel=0.05)
    assert model["full_attention_layers"] == 12
    assert job["memory_per_gpu"] < 80e9


def test_windows_of_gpt_oss_and_llama_4() -> None:
    oss, llama = judged("gpt-oss-120b"), judged("llama-4-maverick")
    assert oss[1]["seen_tokens"] < 36 * 4096 * 0.55
    assert llama[1]["parameters"] == pytest.approx(400e9, rel=0.01)
    assert llama[1]["layers_with_experts"] == 24
    assert llama[1]["active_parameters"] == pytest.approx(17e9, rel=0.03)


def test_intellect_1() -> None:
    """State of 16 bytes a parameter on 8 GPUs; gradients leave a server once in 100 steps."""
    job, model, _ = judged("intellect-1")
    assert model["parameters"] == pytest.approx(10.2e9, rel=0.01)
    assert job["state_memory"] == pytest.approx(16 * 10.2e9 / 8, rel=0.02)
    assert job["exchange_period"] == 100
