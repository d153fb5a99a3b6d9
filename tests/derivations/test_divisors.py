"""Numbers that divide, by hand."""

from __future__ import annotations

from designlint.derivations.workload import divisors


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


def test_a_tensor_degree_is_the_nearest_that_the_domain_takes() -> None:
    assert divisors.tensor_that_divides_gpus(128, 1, 1, 64, 8, 12) == 8
    assert divisors.tensor_that_divides_gpus(128, 1, 1, 64, 72, 12) == 8
    assert divisors.tensor_that_divides_gpus(100, 8, 1, 64, 8, 12) is None
    assert divisors.tensor_that_divides_gpus(7, 1, 1, 64, 8, 12) is None
