"""How fast an inference job can generate at best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Bandwidth, Bytes, ComputeRate, Count, Duration, Rate, Ratio

#: FLOPs of a parameter and token in a forward pass.
FORWARD = 2


@derivation(of="Workload")
def attention_tensor(tensor: Count, attention_copies: Count | None) -> Count | None:
    """
    GPUs that share every attention head group: the tensor degree, or its part in each copy of data-parallel attention. [1]

    Absent where the copies do not divide the degree.
    """
    copies = attention_copies or 1
    return None if tensor % copies else tensor // copies


@derivation(of="Workload", sources=("pope-2022",), kind=lower)
def least_pass_time(
    kind: Text,
    active_parameters: Count,
    attention_parameters: Count | None,
    weight_bytes: Bytes,
    gpus: Count,
    model_parallel: Count,
    expert: Count,
    attention_copies: Count | None,
    gpu_memory_bandwidth: Bandwidth,
) -> Duration | None:
    """
    Minimum time of one pass through the served model, in which its active weights are read from memory once. [s]

    Each active weight is read from memory once, at the data sheet's bandwidth of the GPUs of one copy, or of all where
    experts are shared out over more; those of attention by the GPUs of one copy of it, where the design states copies. A
    lower bound: batches touch more experts, and caches are read, too. Absent for jobs that do not serve.
    """
    if kind != "inference" or gpu_memory_bandwidth <= 0:
        return None
    copy = min(gpus, model_parallel)
    sharers = gpus if expert > 1 else copy
    mixed = min(attention_parameters or 0, active_parameters) if attention_copies else 0
    read = (active_parameters - mixed) / sharers + mixed / copy * min(copy, attention_copies or 1)
    return read * weight_bytes / gpu_memory_bandwidth


@derivation(of="Workload", sources=("pope-2022",), kind=upper)
def most_computed_tokens_per_second(
    kind: Text, gpus: Count, active_parameters: Count, best_peak: ComputeRate
) -> Rate | None:
    """
    Maximum output of a served model at the peak of all GPUs, however many tokens one pass adds. [1/s]

    Every token multiplies the active weights once. Absent for jobs that do not serve.
    """
    return gpus * best_peak / (FORWARD * active_parameters) if kind == "inference" else None


@derivation(of="Workload", sources=("pope-2022",), kind=upper)
def most_output_tokens_per_second(
    least_pass_time: Duration,
    sequences: Count,
    tokens_per_pass: Ratio,
    data_parallel: Count,
    most_computed_tokens_per_second: Rate | None,
) -> Rate | None:
    """
    Maximum output of all copies of the served model, in tokens per second. [1/s]

    Each sequence in memory gains the stated tokens in each pass; nor do multiplications exceed the peak. Prompts, which
    are computed besides, are not counted.
    """
    if least_pass_time <= 0:
        return None
    by_memory = data_parallel * sequences * tokens_per_pass / least_pass_time
    computed = most_computed_tokens_per_second
    return by_memory if computed is None else min(by_memory, computed)
