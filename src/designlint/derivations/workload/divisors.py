"""The nearest number that divides: heads, widths and stages that a model or a split could have instead."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.language.units import Count

#: Numbers that are tried: no model has more heads or layers.
LARGEST = 4096


def divisors(number: int, most: int = LARGEST) -> list[int]:
    """The divisors of a number from 1 up, none above a constant: a stated number never says how long a search takes."""
    return [one for one in range(1, min(number, most) + 1) if number % one == 0]


def nearest(wanted: int, numbers: Iterable[int]) -> int | None:
    """The number closest to a wanted one, the larger of two; None where there is none."""
    return min(numbers, key=lambda one: (abs(one - wanted), -one), default=None)


@derivation(of="Workload")
def heads_that_divide(
    hidden: Count, heads: Count, head_dimension: Count | None, kv_heads: Count | None, tensor: Count | None
) -> Count | None:
    """
    Attention heads nearest to the stated ones that divide the hidden width and are divided by groups and GPUs. [1]

    Their width is a multiple of 8, as matrix units want. The tensor degree counts where it divides the hidden width.
    A width of heads that the design states frees their number from the hidden width.
    """
    group = kv_heads or 1
    across = tensor if tensor and hidden % tensor == 0 else 1
    unit = 1 if group == heads else group
    least = math.lcm(unit, across)
    if least > LARGEST:
        return None
    fits = (one for one in range(least, LARGEST + 1, least) if head_dimension or hidden % (8 * one) == 0)
    return nearest(heads, fits)


@derivation(of="Workload")
def kv_heads_that_divide(heads: Count, kv_heads: Count, tensor: Count | None) -> Count | None:
    """
    Number of key and value heads nearest to the stated one that divides the heads and suits the tensor degree. [1]

    One is a multiple of the other, so that no head is split and none is copied unevenly.
    """
    across = tensor or 1
    return nearest(
        kv_heads,
        (one for one in divisors(heads) if one % across == 0 or across % one == 0),
    )


@derivation(of="Workload")
def virtual_stages_that_divide(layers_per_stage: Count, virtual_stages: Count) -> Count:
    """
    Largest number of virtual stages, no larger than the stated one, that divides the layers of a stage. [1]

    Assumes stages of equal length.
    """
    return next(
        one for one in range(min(virtual_stages, layers_per_stage, LARGEST), 0, -1) if layers_per_stage % one == 0
    )


@derivation(of="Workload")
def tensor_that_divides_gpus(
    gpus: Count, pipeline: Count, context: Count, heads: Count, scale_up_domain: Count, tensor: Count
) -> Count | None:
    """
    Tensor degree nearest to the stated one that divides heads, scale-up domain and the GPUs of a stage. [1]

    Absent where only 1 does.
    """
    whole, rest = divmod(gpus, pipeline * context)
    return None if rest else nearest(tensor, divisors(math.gcd(whole, heads, scale_up_domain))[1:])


@derivation(of="Workload")
def expert_that_divides_gpus(
    gpus: Count, pipeline: Count, expert: Count, expert_tensor: Count | None, experts: Count | None
) -> Count | None:
    """
    Expert degree nearest to the stated one that divides both the experts and the GPUs of a stage. [1]

    Absent where only 1 does.
    """
    whole, rest = divmod(gpus, pipeline * (expert_tensor or 1))
    least = math.gcd(whole, experts) if experts else whole
    if rest or not least:
        return None
    return nearest(expert, divisors(least)[1:])


@derivation(of="Workload")
def gpus_that_divide(
    gpus: Count,
    pool_gpus: Count | None,
    model_parallel: Count,
    gpus_per_server: Count | None,
    pipeline: Count,
    expert: Count,
    expert_tensor: Count | None,
) -> Count | None:
    """
    GPUs nearest to the stated ones on which whole copies of the model and of its experts fill whole servers. [1]

    No more than the pool has.
    """
    step = math.lcm(model_parallel, gpus_per_server or 1, pipeline * expert * (expert_tensor or 1))
    most = (pool_gpus or gpus) // step * step
    if not most:
        return None
    return nearest(gpus, {min(max(gpus // step, 1) * step, most), min(-(-gpus // step) * step, most)})
