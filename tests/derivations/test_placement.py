"""Memory that can hold a job and degrees that divide, worked by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designlint.derivations.workload import domains, placement, ranks

if TYPE_CHECKING:
    from collections.abc import Callable

GB, GIB, DAY = 1e9, 2**30, 86400


def test_what_the_driver_reports_is_what_a_job_can_use() -> None:
    """A100 of 80 GB: nvidia-smi prints 81920 MiB; an H200 reports more than its nominal 141 GB, too."""
    assert placement.usable_gpu_memory(80 * GB, 81920 * 2**20) == 80 * GIB
    assert placement.usable_gpu_memory(16 * GB, None) == 16 * GIB
    assert placement.usable_gpu_memory(96 * GB, 80 * GIB) == 96 * GB


def test_a_trillion_parameters_on_eight_v100() -> None:
    """16-bit weights alone are 2 TB; eight GPUs of 16 GiB hold 137 GB, and offloading brings in CPU memory."""
    assert placement.state_room(16 * GIB, 8, None, None, None, None) == 128 * GIB < 2e12
    assert placement.state_room(16 * GIB, 8, "activations", None, 512 * GB, 1) == 128 * GIB
    assert placement.state_room(16 * GIB, 8, "optimizer", "cpu", 512 * GB, 1) == 128 * GIB + 512 * GB
    assert placement.state_room(16 * GIB, 8, "weights", None, None, 1) is None
    assert placement.state_room(16 * GIB, 8, "weights", "nvme", 512 * GB, 1) is None


def test_offloaded_state_is_shared_out_over_servers() -> None:
    """175 billion parameters: 12 bytes each of Adam and master weights are 2.1 TB, 16-bit weights 0.35 TB."""
    each: dict[str, Any] = {
        "parameters": 175 * 10**9, "layers_parameters": None, "weight_bytes": 2, "optimizer_state_bytes": 12,
        "trains_all_parameters": True, "servers": 1, "offload": "optimizer", "stays_on_gpu": 0.0,
    }  # fmt: skip

    def offloaded(**changes: Any) -> float | None:
        return placement.offloaded_state(**each | changes)

    assert offloaded() == offloaded(weight_bytes=None) == 2.1e12
    assert offloaded(stays_on_gpu=0.5) == 1.05e12
    assert offloaded(parameters=None, layers_parameters=150 * 10**9) == 1.8e12
    assert offloaded(offload="weights", servers=2, optimizer_state_bytes=None, trains_all_parameters=None) == 1.75e11
    absent = {"offload": "activations"}, {"parameters": None}, {"optimizer_state_bytes": None}
    for one in (*absent, {"trains_all_parameters": False}, {"trains_all_parameters": None}):
        assert offloaded(**one) is None
    assert placement.offloaded_memory(2.1e12, None) == placement.offloaded_memory(2.1e12, "cpu") == 2.1e12
    assert placement.offloaded_memory(2.1e12, "nvme") is None


def test_selective_recomputation_of_korthikanti_2022(facts: Callable[..., Any]) -> None:
    """Figure 1, 175B: 12.35 GiB of activations with sequence parallelism, on top of the state."""
    job = facts(
        kind="pretraining", layers=96, hidden=12288, heads=96, feed_forward=49152, gated=False, sequence=2048,
        vocabulary=51200, tensor=8, pipeline=8, context=1, virtual_stages=3, micro_batch=1, micro_batches=64,
        sequence_parallel=True, flash_attention=False, dropout=True, activation_bytes=2.0, state_memory=45.5625 * GIB,
        zero_stage=0, recompute="full", parameters=175 * 10**9, weight_bytes=2.0, gradient_bytes=4.0,
    )  # fmt: skip
    scores = 5 * 96 * 2048**2 / 8
    assert job["selective_memory"] == pytest.approx((45.5625 + 12.3515625) * GIB + scores)


@pytest.mark.parametrize(("heads", "tensor", "wanted"), [(52, 8, 4), (128, 8, 8), (30, 16, 2), (7, 8, None)])
def test_tensor_degree_that_divides_heads(heads: int, tensor: int, wanted: int | None) -> None:
    assert placement.tensor_that_divides_heads(heads, tensor) == wanted
    assert placement.expert_that_divides_experts(heads, tensor) == wanted


@pytest.mark.parametrize(
    ("model_parallel", "server", "wanted"), [(64, 8, 64), (4, 8, 8), (12, 8, 24), (None, 8, 8), (16, 0, 16)]
)
def test_gpus_grow_by_whole_copies_on_whole_servers(
    model_parallel: int | None, server: int | None, wanted: int
) -> None:
    assert placement.gpu_step(model_parallel, server) == wanted


@pytest.mark.parametrize(("domain", "tensor", "wanted"), [(8, 6, 4), (8, 8, 8), (72, 16, 12), (8, 3, 2), (8, 16, None)])
def test_tensor_degree_that_divides_the_domain(domain: int, tensor: int, wanted: int | None) -> None:
    assert placement.tensor_that_divides_domain(domain, tensor) == wanted


def test_group_that_belongs_together() -> None:
    """Llama 3 on long sequences: 8 x 16 ranks. DeepSeek-V3: 64 ranks of experts."""
    assert placement.scale_up_group(8, 16, 1, None) == 128
    assert placement.scale_up_group(1, 1, 64, None) == 64
    assert placement.scale_up_group(2, 1, 8, 2) == 16


def test_a_trillion_tokens_in_thirty_days() -> None:
    """175 dense billion on 1024 A100: 6 x 175e9 x 1e12 FLOPs are 127 % of 30 days at 312 TFLOP/s."""
    peak = placement.best_peak(None, 312e12, 312e12, None, None)
    assert peak is not None
    assert peak == 312e12
    needed = placement.least_mfu_needed(10**12, 6 * 175e9, 30 * DAY, 1024, peak)
    assert needed is not None
    assert needed == pytest.approx(1.05e24 / (1024 * 312e12 * 2592000))
    assert placement.least_training_time(10**12, 6 * 175e9, 1024, peak, 0.5) == pytest.approx(needed * 60 * DAY)
    assert placement.least_training_time(10**12, 6 * 175e9, 1024, peak, 0) is None
    assert placement.least_gpu_time(1024, 60.0) == 61440
    assert placement.least_mfu_needed(10**12, 6 * 175e9, 0, 1024, peak) is None


def test_number_format_decides_the_peak_where_it_is_known() -> None:
    assert placement.best_peak(989e12, 989e12, 989e12, 1979e12, None) == 989e12
    assert placement.best_peak(None, 989e12, 989e12, 1979e12, None) == 1979e12
    assert placement.best_peak(None, None, None, None, None) is None


def test_fsdp_takes_ragged_micro_batches() -> None:
    assert placement.batch_unit(12, 4, None) == 48
    assert placement.batch_unit(12, 4, "fsdp") == 12


def test_stated_ranks_share_the_batch() -> None:
    assert placement.batch_ranks(123, 124) == 123
    assert placement.batch_ranks(None, 124) == 124
    assert placement.batch_ranks(None, None) is None


def test_flags() -> None:
    assert placement.even_stages(16, None, None, None)
    assert not placement.even_stages(16, True, None, None)
    assert not placement.even_stages(1, None, None, None)
    assert not placement.even_stages(16, None, 7, None)
    assert placement.megatron("nemo")
    assert not placement.megatron(None)
    assert placement.grouped_heads(128, 8, None)
    assert placement.grouped_heads(128, 128, "mha") is False
    assert placement.grouped_heads(128, None, "mla") is False
    assert placement.grouped_heads(128, None, "gqa") is None


@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 24), st.integers(1, 400))
def test_the_most_spread_group_by_trying_all(size: int, stride: int, room: int, gpus: int) -> None:
    """Every group of every whole block, rank by rank."""
    starts = [block + at for block in range(0, gpus - size * stride + 1, size * stride) for at in range(stride)]

    def reached(start: int) -> int:
        return len({(start + rank * stride) // room for rank in range(size)})

    found = ranks.most_spread(size, stride, room, gpus)
    assert found in (0, *starts)
    assert reached(found) == max(map(reached, (0, *starts)))


@pytest.mark.parametrize(
    ("domain", "group", "server", "gpus", "taken"),
    [(72, 64, 4, 512, 64), (72, 64, 4, 500, 72), (72, 8, 4, 512, 72), (8, 6, 8, 48, 8), (72, 80, 4, 160, 72)],
)
def test_gpus_taken_of_a_domain(domain: int, group: int, server: int, gpus: int, taken: int) -> None:
    assert placement.gpus_of_domain(domain, group, server, gpus, None) == taken


@pytest.mark.parametrize(
    ("size", "room", "gpus", "rooms", "together"),
    [
        (64, 72, 2880, 40, 32),  # the fifth group lies half in one rack, half in the next
        (64, 72, 2560, 40, 64),  # 8 GPUs of each of 40 racks stay free
        (64, 72, 2880, None, 64),  # how many racks there are is open
        (8, 72, 2880, 40, 8),
        (144, 72, 2880, 40, 72),
        (48, 72, 144, 2, 24),
    ],
)
def test_a_group_that_racks_divide(size: int, room: int, gpus: int, rooms: int | None, together: int) -> None:
    assert domains.largest_share(size, room, gpus, rooms) == together


@pytest.mark.parametrize(
    ("servers", "in_service", "found"), [(720, 2880, 40), (728, 2880, 41), (162, 576, 9), (64, 256, None)]
)
def test_racks_of_a_pool(servers: int, in_service: int, found: int | None) -> None:
    """Trays of four GPUs, 72 to a rack: whole with their spares, or without."""
    assert domains.scale_up_domains(servers, 4, in_service, 72) == found
