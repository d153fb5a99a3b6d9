"""Bytes, links and times of one step, worked by hand and against published points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from designlint.derivations.workload import bounds, communication, memory, ranks, sharing, step

if TYPE_CHECKING:
    from collections.abc import Callable

GB = 1e9
GBIT = 1e9
H100 = {"peak_compute": 989e12, "scale_up_domain": 8, "scale_up_rate": 450 * GB, "network_rate": 50 * GB}
LLAMA3 = {
    "kind": "pretraining", "parameters": 405853388800, "layers": 126, "hidden": 16384, "heads": 128, "kv_heads": 8,
    "head_dimension": 128, "attention": "gqa", "gpus": 16384, "tensor": 8, "pipeline": 16, "virtual_stages": 1,
    "zero_stage": 2, "activation_bytes": 2.0, "weight_bytes": 2.0, "expert": 1, "rank_order": "tp-cp-ep-pp-dp",
}  # fmt: skip


def shared(stage: int, gradient: float, ranks: int, micro_batches: int) -> sharing.Sharing:
    """Weights and activations of 2 B, state shared among so many ranks, an exchange in every step."""
    return sharing.Sharing(stage, gradient, 2.0, 2.0, micro_batches, ranks, None, 1, "deepspeed")


def test_tensor_exchange_of_narayanan_2021(facts: Callable[..., Any]) -> None:
    """Section 3.2: 8 b s h (t - 1) / t values for each layer, GPU and micro-batch; GPT-3, one sequence, 96 layers."""
    job = facts(
        kind="pretraining", tokens_per_step=2048, data_parallel=1, context=1, hidden=12288, activation_bytes=2.0, layers=96,
        dense_layers=96, pipeline=1, tensor=8,
    )  # fmt: skip
    assert job["tensor_bytes"] == 2 * 96 * 8 * 1 * 2048 * 12288 * 7 / 8
    assert facts(kind="inference", tokens_per_step=2048, data_parallel=1, context=1)["rank_tokens"] is None


def test_experts_that_are_not_split_spare_half_of_the_tensor_exchange() -> None:
    whole = communication.tensor_bytes(1000, 4096, 2.0, 10, 1.0, 0, None, 1, 2)
    assert communication.tensor_bytes(1000, 4096, 2.0, 10, 1.0, 10, 1, 1, 2) == whole / 2
    assert communication.tensor_bytes(1000, 4096, 2.0, 10, 1.0, 8, 1, 1, 2) == whole * 12 / 20
    assert communication.tensor_bytes(1000, 4096, 2.0, 10, 1.0, 10, 2, 1, 2) == whole
    assert communication.tensor_bytes(1000, 4096, 2.0, 10, 0.5, 0, None, 1, 2) == whole / 2  # layers of one part


@pytest.mark.parametrize(("stage", "values"), [(0, 2), (1, 2), (2, 2), (3, 3)])
def test_volumes_of_zero_2020(stage: int, values: int) -> None:
    """Section 7: twice the parameters up to stage 2, three times in stage 3, on many ranks and with one micro-batch."""
    assert shared(stage, 2, 10**6, 1).sent_bytes(10**6) == pytest.approx(2 * values, rel=1e-5)


def test_shared_gradients_are_reduced_in_every_micro_batch() -> None:
    """DeepSpeed refuses `no_sync` with partitioned gradients: 32 micro-batches, 32 reductions, one gather of weights."""
    assert shared(2, 2, 2, 32).sent_bytes(2) == (32 * 2 + 2) / 2
    assert shared(1, 2, 2, 32).sent_bytes(2) == (2 + 2) / 2


def test_a_second_copy_of_the_weights_spares_half_of_the_gathers() -> None:
    """ZeRO++: the backward pass gathers inside a server."""
    assert sharing.Sharing(3, 2.0, 2.0, 2.0, 1, 64, 8, 1, "deepspeed").sent_bytes(64) == (2 + 2) * 63 / 64
    assert memory.weight_memory(2, 3, 1000, 10, 8) == 2 * (10 + 125)
    assert memory.weight_memory(2, 3, 1000, 10, None) == 20


def test_groups_that_share_state_exchange_shares() -> None:
    """64 ranks in groups of 8: gathers and reductions inside, then an all-reduce of an eighth over 8 groups."""
    hybrid = shared(3, 2, 8, 1)
    assert hybrid.sent_bytes(64) == (2 + 2 * 2) * 7 / 8
    assert hybrid.sent_to_replicas(64) == 2 * 2 / 8 * 7 / 8
    assert shared(3, 2, 64, 1).sent_to_replicas(64) == 0
    assert (sharing.state_sharers(32, 2, 8, 100), sharing.state_sharers(32, 2, None, None)) == (8, 64)
    assert sharing.state_sharers(32, 2, None, 100) is None, "DiLoCo's workers share nothing between two outer steps"


def test_stage_three_gathers_in_every_micro_batch() -> None:
    assert shared(3, 2, 2, 8).sent_bytes(2) == (8 * 2 + 2 * 8 * 2) / 2
    assert shared(3, 2, 1, 8).sent_bytes(1) == 0


def test_two_billion_parameters_of_ml_engineering() -> None:
    """
    FP32 gradients of 2e9 parameters: 16 GB, 0.053 s inside a server of A100, 0.64 s over 200 Gbit/s of each server.

    The book leaves (n - 1) / n out: 7/8 inside one server, 3/4 between four.
    """
    alone = shared(0, 4, 8, 4).sent_bytes(8) * 2e9
    assert alone == 16 * GB * 7 / 8
    assert step.exchange_time(alone, 8, 8, 300 * GB, None) == pytest.approx(16 / 300 * 7 / 8)
    four = shared(0, 4, 32, 4).sent_bytes(32) * 2e9
    assert step.exchange_time(four, 32, 8, 300 * GB, 200 / 8 / 8 * GB) == pytest.approx(0.64 * 3 / 4)


def test_pipeline_messages_are_shared_out_over_tensor_ranks() -> None:
    """Narayanan 2021, section 4.1: b s h / t for each border; eight stages of six chunks have 47 borders."""
    assert communication.pipeline_bytes(2048, 12288, 2.0, 1, 8, 2) == 2 * 2048 * 12288 * 2 / 8 / 2
    assert communication.pipeline_bytes(2048, 12288, 2.0, 6, 8, 8) == 2 * 47 * 2048 * 12288 * 2 / 8 / 8
    assert communication.pipeline_bytes(2048, 12288, 2.0, 1, 8, 1) == 0


def test_keys_and_values_go_around(facts: Callable[..., Any]) -> None:
    """Llama 3 at 131072 tokens: one key and one value head of 128 on each tensor rank, 15 other ranks, three passes."""
    job = facts(LLAMA3, rank_tokens=131072 * 16 / 16, context=16)
    assert job["context_bytes"] == 3 * 126 * 131072 * (2 * 128) * 2 * 15 / 16
    assert facts(LLAMA3, rank_tokens=131072, context=1)["context_bytes"] == 0
    assert communication.context_bytes(1.0, 128, 128, 2.0, 61, "mla", 16, 1, 2) is None
    assert communication.context_bytes(1.0, None, None, 2.0, 61, "mla", 16, 1, 1) == 0


def test_tokens_of_deepseek_v3() -> None:
    """58 layers over 16 stages; 8 experts for each token, dispatched in FP8 and combined in BF16, there and back."""
    sent = communication.expert_bytes(1000, 7168, 2.0, "fp8", 58, 8, 1, 16, 64)
    assert sent == pytest.approx(1000 * 8 * 58 / 16 * 7168 * 2 * (1 + 2) * 63 / 64)
    away = communication.expert_network_bytes(sent, 8, 4, 64, 8)
    assert away == pytest.approx(1000 * 58 / 16 * 7168 * 6 * 4 * 7 / 8)
    assert communication.expert_network_bytes(sent, 8, 4, 64, 64) == 0


def test_servers_that_a_token_visits() -> None:
    """Eight experts drawn from eight servers stand in 8 (1 - (7/8)^8) = 5.25 of them, 7/8 of those are others."""
    assert communication.domains_reached(8, 8, None) == pytest.approx(8 * (1 - (7 / 8) ** 8) * 7 / 8)
    assert communication.domains_reached(8, 8, 4) == 3.5
    assert communication.domains_reached(2, 1, None) == 0.5


def test_gradients_are_exchanged_in_the_shorter_format() -> None:
    assert sharing.exchanged_gradient_bytes(4, 2) == 2
    assert sharing.exchanged_gradient_bytes(2, 4) == 2


def test_bandwidth_of_a_gpu() -> None:
    """Data sheets add both directions of NVLink; eight ports of 400 Gbit/s are 50 GB/s for each of eight GPUs."""
    assert ranks.scale_up_rate(900 * GB) == 450 * GB
    assert ranks.network_rate((400 * GBIT, 0)) == 50 * GB
    assert ranks.network_rate((0, 0)) is None
    assert ranks.training_rate("storage", 100 * GBIT) == 0
    assert ranks.training_rate("compute", None) is None


def test_gpus_below_a_leaf() -> None:
    """A scalable unit of 32 servers; rails take one port of a server, plain wiring all eight."""
    assert ranks.leaf_gpus(32, None, True, 8, (8,)) == 256
    assert ranks.leaf_gpus(32, None, False, 8, (8,)) == 32
    assert ranks.leaf_gpus(32, 31, True, 8, (8,)) == 248
    assert ranks.leaf_gpus(None, None, True, 8, (8,)) is None
    assert ranks.training_leaf_gpus(True, 256) == ranks.leaf_group((256, 0)) == 256
    assert ranks.training_leaf_gpus(False, 256) == 0
    assert ranks.leaf_group((0,)) is None
    assert ranks.training_oversubscription(True, 2.0) == ranks.leaf_oversubscription((2.0, 0.0)) == 2.0
    assert ranks.training_oversubscription(False, 2.0) == 0
    assert ranks.leaf_oversubscription((0.0,)) is None


def test_switches_that_may_add_up() -> None:
    assert ranks.may_reduce("infiniband-ndr", None)
    assert ranks.may_reduce(None, None)
    assert ranks.may_reduce("ethernet", "sharp")
    assert ranks.may_reduce("one-of-its-own", None)
    assert not ranks.may_reduce("roce-v2", None)
    assert not ranks.may_reduce("infiniband-ndr", "none")
    assert ranks.switches_may_reduce((False, True))


def test_order_of_ranks_of_llama_3(facts: Callable[..., Any]) -> None:
    """[TP, CP, PP, DP], section 3.3.2: a stage is the next server, data-parallel ranks stand 128 GPUs apart."""
    job = facts(LLAMA3, H100, data_parallel=128, context=1, leaf_group=128)
    assert job["pipeline_stride"] == 8
    assert (job["tensor_level"], job["pipeline_level"], job["data_level"]) == ("scale-up", "leaf", "spine")
    assert (job["data_neighbours"], job["data_leaf_neighbours"]) == (1, 1)
    long = facts(LLAMA3, H100, data_parallel=8, context=16)
    assert (long["context_level"], long["pipeline_level"]) == ("network", "network")
    assert facts(LLAMA3, H100, data_parallel=8, context=1, scale_up_domain=4096)["data_neighbours"] == 8


def test_order_of_ranks_of_megatron(facts: Callable[..., Any]) -> None:
    """Data-parallel ranks stand next to the tensor ranks, pipeline stages outermost."""
    order = {"rank_order": "tp-cp-ep-dp-pp", "tensor": 2, "context": 1, "pipeline": 4, "scale_up_domain": 8}
    job = facts(order, data_parallel=16, expert=8, expert_tensor=1, expert_data_parallel=4, leaf_group=64)
    assert job["pipeline_stride"] == 32
    assert (job["data_level"], job["pipeline_level"], job["expert_level"]) == ("leaf", "spine", "scale-up")
    assert (job["data_neighbours"], job["data_leaf_neighbours"], job["expert_data_neighbours"]) == (4, 16, 1)
    assert facts(order, tensor=1, pipeline=1, data_parallel=1, expert=1)["data_level"] is None


def test_neighbours_share_what_leaves_their_domain() -> None:
    """Eight of 32 ranks in a server: 24 / (31 x 8) of a ring's bytes leave it, the rest of the sum is made inside."""
    assert step.beyond(32, 8) == 24 / 31 / 8
    assert step.beyond(8, 8) == 0
    assert step.inside(8, 8) == 1
    assert step.inside(32, 1) == 0
    assert step.exchange_time(31.0, 32, 8, 1e9, 1.0) == 3.0
    assert step.exchange_time(31.0, 32, 8, None, None) is None
    assert step.exchange_time(31.0, 8, 8, None, 1.0) is None
    assert step.exchange_time(0.0, 1, 1, None, None) == 0


def test_a_step_of_llama_3(facts: Callable[..., Any]) -> None:
    """2048 sequences of 8192 tokens; the paper reports 41 % of the peak, and hides the exchange of weights."""
    job = facts(
        LLAMA3, H100, tokens_per_step=2048 * 8192, data_parallel=128, context=1, dense_layers=126, gradient_bytes=4.0,
        flops_per_token=2.5e12, active_parameters=405853388800, routed_parameters=0, mfu=0.41,
        exchanged_gradient_bytes=4.0, switches_may_reduce=False,
    )  # fmt: skip
    assert job["rank_tokens"] == 131072
    assert job["compute_time"] == pytest.approx(2048 * 8192 * 2.5e12 / 16384 / 989e12)
    assert job["tensor_time"] == pytest.approx(8 * 131072 * 16384 * 2 * 7 / 8 * 126 / 16 / 450e9)
    assert job["pipeline_time"] == pytest.approx(2 * 15 * 131072 * 16384 * 2 / 8 / 16 / 50e9)
    assert job["data_time"] == pytest.approx(405853388800 / 128 * (4 + 2) * 127 / 128 / 50e9)
    assert job["communication_time"] == pytest.approx(0.526 + 0.020 + 0.377, abs=1e-3)
    assert job["communication_share"] == pytest.approx(0.924 / (0.924 + 2.589), abs=1e-3)
    assert job["time_to_hide"] == 0
    assert job["least_data_time"] == pytest.approx(job["data_time"])
    assert job["most_mfu"] == 1
    assert job["most_mfu_without_overlap"] == pytest.approx(2.589 / (2.589 + 0.377), abs=1e-3)
    assert facts(step_time=6.0, recompute="full")["backward_time"] == 4.5
    assert facts(step_time=6.0)["backward_time"] == 4.0


def test_what_a_step_leaves_for_communication_and_asks_of_kernels() -> None:
    """4 s of computation with a bubble of 0.5 s and 3 s of communication in a step of 10 s."""
    assert bounds.bubble_time(4.0, 0.125) == 0.5
    assert bounds.exposable_time(10.0, 4.0, 0.5) == 5.5
    assert bounds.exposable_time(10.0, 4.0, None) == 6
    assert bounds.exposable_time(4.0, 4.0, 0.5) == 0
    assert bounds.peak_share_if_hidden(10.0, 4.0, 0.125) == pytest.approx(0.45)
    assert bounds.peak_share_if_exposed(10.0, 4.0, 0.125, 3.0) == pytest.approx(4.5 / 7)
    assert bounds.peak_share_if_exposed(10.0, 4.0, None, 10.0) is None


def test_kernels_beyond_their_peak() -> None:
    """55 % with full recomputation (a third more) and 15 idle of 32 slots: 108 % of the peak."""
    assert bounds.least_kernel_share(0.55, 15 / 32, 1.0, True) == pytest.approx(0.55 * 4 / 3 * 47 / 32)
    assert bounds.least_kernel_share(0.55, None, 0.0, True) == 0.55
    assert bounds.least_kernel_share(0.6, None, 0.5, True) == pytest.approx(0.7)
    assert bounds.least_kernel_share(0.55, 0.0, 1.0, False) == 0.55


def test_what_overlap_must_hide() -> None:
    assert step.time_to_hide(3.0, 4.0, 5.0) == 2
    assert step.time_to_hide(1.0, 4.0, 5.0) == 0
    assert step.communication_time(1, 2, 3, 4, 8, None) is None
    assert step.communication_time(1, 2, 3, 4, 8, 5) == 15


def test_oversubscribed_uplinks_count_where_traffic_crosses_them() -> None:
    """Stages on other leaves send everything up; of four ranks below a leaf, a fourth of the sum goes up."""
    assert step.pipeline_time(100.0, 4, 64, 8, 1e9, 10.0, 64, 2.0) == 20
    assert step.pipeline_time(100.0, 4, 8, 8, 1e9, 10.0, 64, 2.0) == 10
    assert step.pipeline_time(100.0, 16, 8, 8, 1e9, 10.0, 64, 2.0) == 10
    assert step.pipeline_time(100.0, 2, 4, 8, 50.0, None, None, None) == 2
    assert step.pipeline_time(100.0, 4, 8, 8, None, None, None, None) is None
    links = step.GpuLinks(None, 10.0)
    crowded, plain = step.Neighbours(1, 4, None, 8.0), step.Neighbours(1, 4, None, 2.0)
    assert step.data_time(80.0, 0.0, 8, 1, 8, 0.0, None, crowded, links) == pytest.approx(80 * 4 / 7 / 4 * 8 / 10)
    assert step.data_time(80.0, 0.0, 8, 1, 8, 0.0, None, plain, links) == 8
    both = step.GpuLinks(100.0, 10.0)
    assert step.data_time(80.0, 6.0, 16, 1, 8, 0.0, None, step.Neighbours(8, 16, None, 1.0), both) == 80 / 100 + 6 / 10
    assert step.expert_time(90.0, 50.0, 64, 1, 45.0, 10.0, 16, 2.0) == 7.5
    assert step.expert_time(90.0, 0.0, 8, 1, 45.0, None, None, None) == 2
    assert step.expert_time(90.0, 50.0, 64, 1, None, None, None, None) is None


def test_least_exchange() -> None:
    """A billion parameters on 32 ranks of four servers: each GPU sends an eighth of 3/4 of the gradients, and gets as much."""
    sent = bounds.departing_parameters(10**9, 10**9, 0, None, 1, 1, 1, None, 32, 1, 32, 8)
    assert sent == 10**9 * 3 // 32
    assert bounds.least_data_time(True, sent, 2, 2, False, 25 * GB, 1) == sent * 4 / 25e9
    assert bounds.least_data_time(True, sent, 2, 2, True, 25 * GB, 1) == sent * 2 / 25e9
    assert bounds.least_data_time(True, sent, 2, 2, None, None, 1) is None
    assert bounds.least_data_time(True, 0, 2, 2, None, None, 1) == 0
    assert bounds.least_data_time(True, sent, 2, 2, True, 25 * GB, 100) == pytest.approx(sent * 2 / 25e11)
    assert bounds.least_data_time(False, sent, 2, 2, False, 25 * GB, 1) is None
    assert bounds.departing_parameters(10**9, 10**8, 0, None, 1, 1, 1, None, 32, 1, 32, 8) is None


def test_experts_are_exchanged_between_their_copies() -> None:
    """Eight ranks of experts on 32 GPUs have four copies, which can stand in one server at best."""
    copies = shared(1, 2.0, 4, 1)
    assert sharing.expert_exchange(True, 8 * 10**8, 8, 1, 1, 4, copies) == 10**8 * 4 * 3 / 4
    assert sharing.expert_exchange(True, 0, 1, 1, 1, None, copies) == 0
    assert sharing.expert_exchange(True, 10**8, 8, None, 1, None, copies) is None
    assert bounds.departing_parameters(10**9, 10**8, 8 * 10**8, 64, 1, 1, 8, 1, 32, 1, 4, 8) == 2 * 10**8 * 3 // 32


def test_a_group_beyond_its_domain_is_bound_by_the_network() -> None:
    """Sixteen tensor ranks over two servers: an eighth of half of the sum goes out of each GPU."""
    assert bounds.least_tensor_time(15 * 16.0, 16, 8, None, 1.0) == pytest.approx(15 * 16 / 2 * 8 / 15 / 8)
    assert bounds.least_tensor_time(80.0, 8, 8, 10.0, None) == 4
    assert bounds.least_step_time(2.0, 3.0, None) == 3
    assert bounds.most_mfu(2.0, 4.0) == 0.5


def test_megatron_adds_up_shared_gradients_once_a_step() -> None:
    once = sharing.Sharing(2, 4.0, 2.0, 2.0, 32, 64, None, 1, "megatron")
    each = sharing.Sharing(2, 4.0, 2.0, 2.0, 32, 64, None, 1, "deepspeed")
    assert once.sent_bytes(64) == (4 + 2) * 63 / 64
    assert each.sent_bytes(64) == (32 * 4 + 2) * 63 / 64
    assert sharing.Sharing(2, 4.0, 2.0, 2.0, 32, 64, None, 1, None).sent_bytes(64) == once.sent_bytes(64), (
        "unknown: at least once"
    )
