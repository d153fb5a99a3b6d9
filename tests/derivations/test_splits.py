"""The search for a split and numbers that divide, by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from designlint.derivations.search import divisors, splits, splitting
from designlint.derivations.search.splits import Job, Split

STATED = Split(1, 1, 1, 1, 0, "none", False)
#: 8000 parameters of 16 bytes in 8 layers on 8 GPUs, 64 tokens of 2 kB in a step.
JOB = Job(
    stated=STATED, gpus=8, context=1, global_batch=64, memory=128_000, domain=8, parameters=8000, routed=0, layers=8,
    heads=8, kv_heads=8, feed_forward=0, experts=0, weight=2, gradient=2, optimizer=12, sequence=1, hidden=1000,
    token_bytes=2,
)  # fmt: skip


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, STATED),
        # Weights and gradients whole, an eighth of the optimizer state: 32 000 + 12 000.
        ({"memory": 44_000}, STATED._replace(zero_stage=1)),
        # All state shared, and one layer gathered: 16 000 + 4 000; half as much exchange again, still less than stages.
        ({"memory": 43_999}, STATED._replace(zero_stage=3)),
        # An eighth of all state is more.
        ({"memory": 15_999}, None),
        ({"gpus": 1}, STATED),
        ({"gpus": 1, "memory": 127_999}, None),
        # 32 000 + 96 000 / 7 on a prime number of GPUs, of which no batch of 64 is a multiple.
        ({"gpus": 7, "global_batch": 70, "memory": 45_715}, STATED._replace(zero_stage=1)),
        ({"gpus": 7}, None),
    ],
)
def test_the_cheapest_split_that_fits(change: dict[str, Any], found: Split | None) -> None:
    assert splits.best(replace(JOB, **change)) == found


def test_what_each_exchange_costs() -> None:
    """Gradients 2 x 16 000 x 7/8; halves of layers 8 x 16 x 2000 x 8 / 2 and 2 x 8000 x 3/4; two stages 2 x 16 x 2000."""
    assert JOB.cost(STATED, 8) == 28_000
    assert JOB.cost(STATED._replace(tensor=2), 4) == 1_024_000 + 12_000
    assert JOB.cost(STATED._replace(pipeline=2), 4) == 64_000 + 12_000


@pytest.mark.parametrize(
    ("heads", "kv_heads", "feed_forward", "degrees"),
    [(8, 8, 0, [1, 2, 4, 8]), (8, 2, 0, [1, 2, 4, 8]), (12, 3, 0, [1]), (8, 0, 10, [1, 2]), (7, 7, 0, [1])],
)
def test_tensor_degrees_suit_heads_and_groups(heads: int, kv_heads: int, feed_forward: int, degrees: list[int]) -> None:
    job = replace(JOB, heads=heads, kv_heads=kv_heads, feed_forward=feed_forward)
    assert list(dict.fromkeys(one.tensor for one in splits.candidates(job))) == degrees


def test_experts_are_split_by_their_own_degree() -> None:
    job = replace(JOB, routed=4000, experts=8)
    assert job.held(STATED._replace(tensor=2, expert=4)) == 4000 / 2 + 4000 / 4
    assert job.ranks(STATED._replace(expert=3)) == 0
    assert {one.expert for one in splits.candidates(job)} == {1, 2, 4, 8}


def test_the_first_stage_holds_an_embedding() -> None:
    """Two of 500 parameters; 7000 in 8 layers, or in 6, of which the longest of four stages has 2."""
    job = replace(JOB, embedding=500, embeddings=2)
    assert job.held(STATED) == 8000
    assert job.held(STATED._replace(pipeline=2)) == 3500 + 500
    assert replace(job, layers=6).held(STATED._replace(pipeline=4)) == pytest.approx(7000 / 3 + 500)


@pytest.mark.parametrize(
    ("stated", "fails"),
    [
        ({}, False), ({"tensor": 3}, True), ({"tensor": 4, "heads": 6}, True), ({"tensor": 4, "scale_up_domain": 2}, True),
        ({"memory_floor": 81e9}, True), ({"first_stage_memory": 81e9}, True), ({"first_stage_memory": 79e9}, False),
    ],
)  # fmt: skip
def test_what_fails(stated: dict[str, Any], fails: bool) -> None:
    unknown: dict[str, Any] = dict.fromkeys(
        ("scale_up_domain", "heads", "feed_forward", "memory_floor", "first_stage_memory")
    )
    given = {"gpus": 8, "tensor": 2, "pipeline": 1, "context": 1, "usable_gpu_memory": 80e9}
    assert splitting.split_fails(**unknown | given | stated) is fails


def test_the_parts_of_a_split() -> None:
    found = "2 4 8 1 3 full true"
    assert (splitting.fitting_tensor(found), splitting.fitting_pipeline(found), splitting.fitting_expert(found)) == (
        2,
        4,
        8,
    )
    assert (splitting.fitting_micro_batch(found), splitting.fitting_zero_stage(found)) == (1, 3)
    assert (splitting.fitting_recompute(found), splitting.fitting_sequence_parallel(found)) == ("full", True)
    assert splitting.fitting_data(2, 4, 1, 64) == 8


def test_heads_that_divide() -> None:
    """Of 4096, 8 wide or a multiple: powers of two up to 512; of two as near the larger."""
    assert divisors.heads_that_divide(4096, 30, None, None, None) == 32
    assert divisors.heads_that_divide(4096, 30, 128, None, None) == 30
    assert divisors.heads_that_divide(4096, 30, 128, 8, None) == 32
    assert divisors.heads_that_divide(4096, 3, None, None, 8) == 8
    assert divisors.heads_that_divide(4099, 30, None, None, None) is None
    assert divisors.kv_heads_that_divide(32, 6, 8) == 8
    assert divisors.kv_heads_that_divide(7, 3, None) == 1


def test_stages_experts_and_gpus_that_divide() -> None:
    assert divisors.virtual_stages_that_divide(12, 5) == 4
    assert divisors.virtual_stages_that_divide(7, 5) == 1
    assert divisors.expert_that_divides_gpus(64, 4, 6, None, 96) == 8
    assert divisors.expert_that_divides_gpus(7, 1, 4, None, 8) is None
    assert divisors.expert_that_divides_gpus(10, 4, 2, None, 8) is None
    assert divisors.gpus_that_divide(100, 128, 16, 8, 2, 8, None) == 96
    assert divisors.gpus_that_divide(100, 8, 16, 8, 2, 8, None) is None
