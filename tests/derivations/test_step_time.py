"""Parts of a predicted step worked by hand, and what must hold of every prediction."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tools.accuracy import designs

from designlint.derivations.workload.step_time import (
    exchange,
    experts,
    layer_parts,
    layers,
    matrices,
    prediction,
    whole_step,
)

GB = 1e9
JOB = "workloads/pretrain"
LLAMA: dict[str, Any] = {
    "designlint": 1,
    "name": "llama",
    "nodes": [
        {
            "name": "train",
            "model": "dgx-h100",
            "count": 64,
            "networks": [{"fabric": "compute", "ports": 8, "speed": "400 Gbit/s"}],
        }
    ],
    "fabrics": [{"name": "compute", "purpose": "compute"}],
    "workloads": [
        {
            "name": "pretrain",
            "model": {
                "layers": 80, "hidden": 8192, "heads": 64, "kv_heads": 8, "attention": "gqa", "feed_forward": 28672,
                "gated": True,
                "vocabulary": 128256, "tied_embeddings": False, "norm": "rmsnorm", "sequence": 8192,
            },
            "data": {"tokens": 2_000_000_000_000},
            "precision": "bf16",
            "software_profile": "megatron-2024",
            "parallelism": {
                "tensor": 4, "pipeline": 4, "virtual_stages": 5, "context": 2, "micro_batch": 1, "global_batch": 512,
                "zero_stage": 1, "recompute": "none", "sequence_parallel": True,
            },
        }
    ],
}  # fmt: skip


#: The same servers without their name in the catalogue.
OWN_SERVERS = {"nodes/train/model": None, "nodes/train/gpus": 8, "nodes/train/scale_up_domain": 8}


def facts(**words: Any) -> dict[str, Any]:
    """The facts of the job with words changed, `__` for a step down."""
    changed = {f"{JOB}/{word.replace('__', '/')}": value for word, value in words.items()}
    found: dict[str, Any] = designs.read(designs.change_words(LLAMA, changed)).graph.subjects[JOB].facts
    return found


def with_servers(**words: Any) -> float:
    """The predicted step with words of the servers changed. [s]"""
    changed = {f"nodes/train/{word.replace('__', '/')}": value for word, value in words.items()}
    found: Any = designs.read(designs.change_words(LLAMA, changed)).graph.subjects[JOB].facts["predicted_step_time"]
    return float(found)


def test_a_multiplication_takes_twice_its_time_at_the_knee() -> None:
    large = matrices.multiplication_time(1e9, 1e9, 1e9, 1e15, 500)
    assert large == pytest.approx(2e27 / 1e15, rel=1e-5)
    assert matrices.multiplication_time(500, 1e9, 1e9, 1e15, 500) == pytest.approx(2 * 2 * 500 * 1e18 / 1e15, rel=1e-5)


def test_blockwise_attention_skips_what_the_mask_cuts_off() -> None:
    blockwise = layer_parts.attention_core_time(8192, 8192, 8192, 8192, 64, 4, True, 4e14, 8e14, 2e12)
    assert blockwise == 8192 * 8192 * 16384 / 4 / 4e14
    stored = layer_parts.attention_core_time(8192, 8192, 8192, 8192, 64, 4, False, 4e14, 8e14, 2e12)
    assert stored == 2 * 8192 * 8192 * 16384 / 4 / 8e14 + 5 * 2 * 8192 * 8192 * 64 / 4 / 2e12


def test_a_group_that_leaves_its_domain_uses_the_links_of_all_its_members_inside() -> None:
    assert exchange.group_rate(8, 8, 360 * GB, 45 * GB) == 360 * GB
    assert exchange.group_rate(16, 8, 450 * GB, 45 * GB) == 360 * GB
    assert exchange.group_rate(16, 8, 300 * GB, 45 * GB) == 300 * GB
    assert exchange.group_rate(16, 8, 300 * GB, None) is None
    assert exchange.group_rate(16, 1, None, 45 * GB) == 45 * GB


def test_a_small_group_of_a_mesh_has_one_link_to_each_other_member() -> None:
    assert exchange.joined_rate(8, 8, True, 448 * GB) == 448 * GB
    assert exchange.joined_rate(4, 8, True, 448 * GB) == 448 * GB * 3 / 7
    assert exchange.joined_rate(2, 8, True, 448 * GB) == 448 * GB / 7
    assert exchange.joined_rate(4, 8, None, 448 * GB) == 448 * GB


def test_context_exchange_hides_behind_attention_scores() -> None:
    assert exchange.uncovered_time(1.0, 10.0, 0.8, 0.1) == pytest.approx(0.1)
    assert exchange.uncovered_time(10.0, 10.0, 0.8, 0.1) == pytest.approx(3.0)


def test_each_expert_has_its_share_of_the_tokens() -> None:
    shape = experts.Experts(7168, 256, 8, 2048, 64, 1, 1)
    assert experts.sent_tokens(4096, 8, 1) == 32768
    assert experts.expert_tokens(32768, 1) == experts.expert_tokens(32768, None) == 32768
    assert experts.expert_rows(32768, shape) == 32768 * 64 / 256


def test_experts_of_one_rank_exchange_nothing() -> None:
    alone = experts.Experts(7168, 8, 2, 2048, 1, 1, 1)
    assert experts.exposed_expert_time(8192, alone, None, 8, 8, None, None, None, 0.3) == 0.0


def test_the_output_layer_sets_the_pace_of_even_stages() -> None:
    assert whole_step.stage_time(32, 8, 1, None, None, 8.0, 16.0, 4.0, 0.25) == 24 / 8 + 4
    assert whole_step.stage_time(32, 1, 1, None, None, 8.0, 16.0, 4.0, 0.25) == 28


def test_uneven_stages_are_balanced_in_whole_layers() -> None:
    """126 layers on 16 stages, as Llama 3 405B: eight each, and fewer where embedding and loss stand."""
    assert whole_step.stage_time(126, 16, 1, True, None, 42.0, 84.0, 1.0, 0.25) == 8
    assert whole_step.stage_time(126, 16, 1, True, None, 42.0, 84.0, 12.0, 0.25) == 12


def test_bubble_shrinks_with_chunks() -> None:
    assert whole_step.fill_time(4, 1, None, 1.0, 2.0, 1.0, 0.5) == 3 * 1.5
    assert whole_step.fill_time(4, 3, None, 1.0, 2.0, 1.0, 0.5) == 1.5
    assert whole_step.fill_time(1, 1, None, 1.0, 2.0, 1.0, 0.0) == 0


def test_data_exchange_without_overlap_is_waited_for() -> None:
    assert whole_step.exposed_data_time(2.0, 1.0, None, False, True, 0.3, 0.9, 1.0, 2.0, 1) == 3.0
    assert whole_step.exposed_data_time(1.0, 0.0, None, None, True, 0.3, 0.9, 1.0, 2.0, 1) == pytest.approx(0.3)
    assert whole_step.exposed_data_time(5.0, 0.0, None, True, None, 0.3, 0.9, 1.0, 2.0, 1) == pytest.approx(
        5 - 2.7 + 0.3 * 2.7
    )
    assert whole_step.exposed_data_time(5.0, 0.0, 10, False, None, 0.3, 0.9, 1.0, 2.0, 1) == 0.5


def test_a_stated_last_stage_sets_the_pace() -> None:
    assert whole_step.stage_time(126, 16, 1, True, 6, 42.0, 84.0, 3.0, 0.25) == 9
    assert whole_step.stage_time(126, 16, 1, True, 6, 42.0, 84.0, 1.0, 0.25) == 8


def test_zero_bubble_schedules_fill_most_of_the_bubble() -> None:
    assert whole_step.fill_time(4, 1, "zero-bubble", 1.0, 2.0, 1.0, 0.0) == pytest.approx(1.0)


def test_short_messages_to_many_servers_are_slow() -> None:
    whole = whole_step.GroupLinks(8, None, 300 * GB, 45 * GB, 1e6, None, None)
    buckets = whole_step.GroupLinks(8, None, 300 * GB, 45 * GB, 1e6, None, 8e6)
    assert whole_step.state_exchange_time(1.0, 1e9, 64, 64, 1, whole) == pytest.approx(
        1e9 * 63 / 64 / (300 * GB) * 1.008
    )
    assert whole_step.state_exchange_time(1.0, 1e9, 64, 64, 1, buckets) == pytest.approx(1e9 * 63 / 64 / (300 * GB) * 2)
    assert whole_step.state_exchange_time(1.0, 1e9, 8, 8, 1, buckets) == pytest.approx(1e9 * 7 / 8 / (300 * GB))


def test_groups_that_share_state_add_up_gradients_between_them() -> None:
    links = whole_step.GroupLinks(8, None, 300 * GB, 45 * GB, 0.0, None, None)
    whole = whole_step.dense_state_exchange_time(1e9, 1, None, 64, 1, 64, 1, links)
    groups = whole_step.dense_state_exchange_time(1e9, 1, None, 64, 1, 8, 1, links)
    assert whole == pytest.approx(6e9 * 63 / 64 / (300 * GB))
    assert groups == pytest.approx(6e9 * 7 / 8 / (300 * GB) + 0.5e9 * 7 / 8 / (45 * GB))
    assert whole_step.dense_state_exchange_time(1e9, 3, None, 64, 1, 64, 1, links) == 0


def test_shared_weights_are_gathered_for_each_micro_batch() -> None:
    assert whole_step.gathered_micro_batch_time(3, 0.5, 1.0, 2.0, 0.0, 0.0, 1) == 3.0
    assert whole_step.gathered_micro_batch_time(3, 2.0, 1.0, 2.0, 0.0, 0.0, 1) == 6.0
    assert whole_step.gathered_micro_batch_time(1, 2.0, 1.0, 2.0, 0.0, 0.0, 1) is None


def test_layers_of_a_kind_whose_time_is_open_leave_the_sum_open() -> None:
    assert layers.layers_forward_time(4, 6, 1.0, 2.0) == 16
    assert layers.layers_forward_time(10, 0, 1.0, None) == 10
    assert layers.layers_forward_time(4, 6, 1.0, None) is None
    assert layers.layers_backward_time(4, 6, None, 1.0) is None


def test_layers_that_predict_further_tokens_are_like_the_last_one() -> None:
    assert (layers.plain_layers(61, 58, 1), layers.mixed_layers(58, 1)) == (3, 59)
    assert (layers.plain_layers(32, 0, 1), layers.mixed_layers(0, 1)) == (33, 0)


def test_windows_spare_attention_scores() -> None:
    windowed = facts(model__windowed_layers=60, model__window=1024)
    assert windowed["attended_tokens"] < facts()["attended_tokens"] == 8192
    assert windowed["predicted_step_time"] < facts()["predicted_step_time"]


def test_interval_is_a_share_either_way() -> None:
    assert prediction.predicted_step_time_low(10.0, 0.1, 1.28) == pytest.approx(10 * math.exp(-0.128))
    assert prediction.predicted_step_time_high(10.0, 0.1, 1.28) == pytest.approx(10 * math.exp(0.128))


def test_a_job_is_predicted_with_its_interval_and_all_that_follows() -> None:
    job = facts()
    low, step, high = (job[f"predicted_step_time{end}"] for end in ("_low", "", "_high"))
    assert low < step < high
    assert job["predicted_tokens_per_second"] == pytest.approx(512 * 8192 / step)
    assert job["predicted_mfu"] == pytest.approx(job["compute_time"] / step)
    assert job["predicted_mfu_low"] < 0.55
    assert job["predicted_mfu_high"] > 0.45
    assert job["predicted_training_time"] == pytest.approx(2e12 / (512 * 8192) * step)


@pytest.mark.parametrize(
    "servers",
    [
        {"networks": [{"fabric": "compute", "ports": 4, "speed": "400 Gbit/s"}]},
        {"gpu": {"model": "h100-sxm-80gb", "memory_bandwidth": "2 TB/s"}},
        {"gpu": {"model": "h100-sxm-80gb", "scale_up_bandwidth": "400 GB/s"}},
        {"gpu": {"model": "h100-sxm-80gb", "peak_bf16": "800 TFLOP/s", "peak_fp16": "800 TFLOP/s"}},
    ],
)
def test_slower_hardware_never_speeds_a_step(servers: dict[str, Any]) -> None:
    assert with_servers(**servers) > with_servers()


@pytest.mark.parametrize(
    "words",
    [
        {"parallelism__recompute": "full"},
        {"parallelism__virtual_stages": 1},
        {"parallelism__overlap": False},
        {"software_profile": {"model": "megatron-2024", "tensor_overlap": False}},
        {"software_profile": "megatron-2023"},
        {"software_profile": "megatron-untuned-2024"},
        {"compiled": False},
    ],
)
def test_what_costs_time_makes_the_step_longer(words: dict[str, Any]) -> None:
    assert facts(**words)["predicted_step_time"] > facts()["predicted_step_time"]


def test_a_measured_step_of_ones_own_scales_the_prediction() -> None:
    own = facts(software_profile={"model": "megatron-2024", "stack_factor": 2})["predicted_step_time"]
    before = facts(software_profile={"model": "megatron-2024", "stack_factor": 1})["predicted_step_time"]
    assert 1.99 < own / before <= 2


def test_what_was_never_measured_widens_the_interval() -> None:
    known = facts()["step_time_spread"]
    assert facts(software_profile=None)["step_time_spread"] > known
    gpu = {
        "name": "vr200",
        "peak_bf16": "989 TFLOP/s",
        "memory_bandwidth": "3.35 TB/s",
        "scale_up_bandwidth": "900 GB/s",
    }
    unknown = (
        designs.read(designs.change_words(LLAMA, OWN_SERVERS | {"nodes/train/gpu": gpu})).graph.subjects[JOB].facts
    )
    assert unknown["step_time_spread"] > known
    assert "predicted_step_time" in unknown


def test_a_framework_stands_in_for_its_newest_profile() -> None:
    stated, framework = facts(software_profile="megatron-2025"), facts(software_profile=None, framework="nemo")
    assert framework["predicted_step_time"] == pytest.approx(stated["predicted_step_time"])
    assert stated["step_time_spread"] < framework["step_time_spread"]


def test_cpus_update_the_parameters_whose_optimizer_they_keep() -> None:
    """70.6e9 parameters on 64 servers that update 1.4e9 a second each, one embedding of each end counted with every stage."""
    on_gpu, whole = facts(), facts(parallelism__offload="optimizer")
    assert on_gpu["offload_time"] == 0
    assert whole["offload_time"] == pytest.approx(70.6e9 / 64 / 1.4e9, rel=0.05)
    waited = whole["offload_time"] + whole["optimizer_time"] - on_gpu["optimizer_time"]
    assert whole["predicted_step_time"] - on_gpu["predicted_step_time"] == pytest.approx(waited)
    assert whole["step_time_spread"] > on_gpu["step_time_spread"]
    half = facts(parallelism__offload="optimizer", parallelism__offload_share=0.5)
    assert half["offload_time"] == pytest.approx(whole["offload_time"] / 2)
    assert on_gpu["optimizer_time"] > half["optimizer_time"] > whole["optimizer_time"]


@pytest.mark.parametrize("offload", ["weights", "activations"])
def test_a_step_that_fetches_weights_or_activations_is_not_predicted(offload: str) -> None:
    assert "predicted_step_time" not in facts(parallelism__offload=offload)


@pytest.mark.parametrize("kind", ["inference", "lora", "reinforcement-learning"])
def test_jobs_that_do_not_train_all_parameters_are_not_predicted(kind: str) -> None:
    assert "predicted_step_time" not in facts(kind=kind)
