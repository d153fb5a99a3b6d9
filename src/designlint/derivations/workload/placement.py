"""Where a job fits: memory that can hold it, and degrees that divide what they split."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, estimate, lower, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Computation, ComputeRate, Count, Duration, Ratio

#: Bytes in a GiB per bytes in a GB: memory sold by the GB is often built by the GiB.
BINARY = 2**30 / 10**9

#: Scale-up domains beyond this size are slips; their divisors are not searched for.
LARGEST_DOMAIN = 1_000_000

#: What `offload` must name for state to leave the GPUs.
STATE = frozenset({"optimizer", "weights"})
DRIVES = "nvme"


@derivation(of="Workload", kind=upper)
def usable_gpu_memory(gpu_memory: Bytes, reported_gpu_memory: Bytes | None) -> Bytes:
    """
    Maximum memory of one GPU that a job could use. [B]

    What the driver reports, never less than the nominal size. Assumes a nominal size in GiB where nothing is
    reported: an upper bound.
    """
    if reported_gpu_memory is None:
        return gpu_memory * BINARY
    return max(gpu_memory, reported_gpu_memory)


@derivation(of="Workload", sources=("zero-2020",), kind=upper)
def state_room(
    usable_gpu_memory: Bytes,
    gpus: Count,
    offload: Text | None,
    offload_to: Text | None,
    host_memory: Bytes | None,
    servers: Count | None,
) -> Bytes | None:
    """
    Memory that could hold weights, gradients and optimizer state. [B]

    Of all GPUs of the job together, and of their servers' CPUs where the design offloads state; absent where
    it does and the CPU memory is not known, or drives take it.
    """
    if offload not in STATE:
        return usable_gpu_memory * gpus
    if offload_to == DRIVES or host_memory is None or servers is None:
        return None
    return usable_gpu_memory * gpus + host_memory * servers


@derivation(of="Workload", sources=("zero-2020",), kind=lower)
def offloaded_state(
    parameters: Count | None,
    layers_parameters: Count | None,
    weight_bytes: Bytes | None,
    optimizer_state_bytes: Bytes | None,
    trains_all_parameters: Flag | None,
    servers: Count,
    offload: Text,
    stays_on_gpu: Ratio,
) -> Bytes | None:
    """
    Minimum state that each server keeps outside its GPUs; absent if nothing is offloaded. [B]

    Assumes that all servers share it out evenly: a lower bound, of the layers alone where the vocabulary is open. Absent
    where no state is offloaded, and of an optimizer that does not surely train all parameters.
    """
    held = layers_parameters if parameters is None else parameters
    if offload not in STATE or held is None:
        return None
    if offload == "weights":
        return None if weight_bytes is None else weight_bytes * held / servers
    if optimizer_state_bytes is None or not trains_all_parameters:
        return None
    return (1 - stays_on_gpu) * optimizer_state_bytes * held / servers


@derivation(of="Workload", kind=lower)
def offloaded_memory(offloaded_state: Bytes, offload_to: Text | None) -> Bytes | None:
    """
    Minimum state in the CPU memory of one server; absent if nothing is offloaded, or to drives. [B]

    Assumes CPU memory where the design does not name drives.
    """
    return None if offload_to == DRIVES else offloaded_state


@derivation(of="Workload", sources=("korthikanti-2022",), kind=estimate())
def selective_memory(
    state_memory: Bytes,
    residual_activation_memory: Bytes,
    split_activation_memory: Bytes,
    score_memory: Bytes,
    layers_per_stage: Count,
    micro_batches_in_flight: Ratio,
    logit_memory: Bytes,
    gathered_memory: Bytes,
    offload: Text | None,
) -> Bytes | None:
    """
    Memory needed by the most loaded GPU if only attention scores were recomputed. [B]

    As `first_stage_memory` otherwise. Absent where activations are kept in CPU memory.
    """
    if offload == "activations":
        return None
    layers = layers_per_stage * micro_batches_in_flight
    kept = (residual_activation_memory + split_activation_memory) * layers
    return state_memory + kept + gathered_memory + max(score_memory, logit_memory)


@derivation(of="Workload")
def tensor_that_divides_heads(heads: Count, tensor: Count) -> Count | None:
    """
    Largest degree that divides both the attention heads and the tensor degree. [1]

    A divisor of the tensor degree keeps the job's GPUs divisible. Absent where only 1 divides both.
    """
    degree = math.gcd(heads, tensor)
    return degree if degree > 1 else None


@derivation(of="Workload")
def tensor_that_divides_domain(scale_up_domain: Count, tensor: Count) -> Count | None:
    """
    Largest tensor degree, no larger than the stated one, that divides the scale-up domain. [1]

    Absent where the degree exceeds the domain, or the domain any that could be built.
    """
    if tensor > scale_up_domain or scale_up_domain > LARGEST_DOMAIN:
        return None
    return next(degree for degree in range(tensor, 0, -1) if scale_up_domain % degree == 0)


@derivation(of="Workload")
def expert_that_divides_experts(experts: Count, expert: Count) -> Count | None:
    """
    Largest degree that divides both the routed experts and the expert degree. [1]

    A divisor of the expert degree keeps the job's GPUs divisible. Absent where only 1 divides both.
    """
    degree = math.gcd(experts, expert)
    return degree if degree > 1 else None


@derivation(of="Workload")
def gpu_step(model_parallel: Count | None, gpus_per_server: Count | None) -> Count:
    """
    GPU increment by which the job can grow: whole copies of the model on whole servers. [1]

    What the design leaves open does not count.
    """
    return math.lcm(model_parallel or 1, gpus_per_server or 1)


@derivation(of="Workload")
def scale_up_group(tensor: Count, context: Count, expert: Count, expert_tensor: Count | None) -> Count:
    """
    GPUs of the largest group that wants to stay inside one scale-up domain. [1]

    Tensor and context ranks together, or expert ranks; assumes unsplit experts where the design does not say
    how they are split.
    """
    return max(tensor * context, expert * (expert_tensor or 1))


@derivation(of="Workload", sources=("megatron-bridge",))
def gpus_of_domain(
    scale_up_domain: Count, scale_up_group: Count, gpus_per_server: Count, gpus: Count, scale_up_domains: Count | None
) -> Count:
    """
    GPUs that the job uses in each scale-up domain. [1]

    Assumes neighbouring GPUs; of domains over several servers only as many as whole groups fill, where the job's GPUs
    come in such numbers and the pool has so many domains: 64 of the 72 of a rack.
    """
    whole = scale_up_domain // scale_up_group * scale_up_group
    spares = scale_up_domain > gpus_per_server and whole > 0 and gpus % whole == 0
    if scale_up_domains is not None:
        spares = spares and gpus <= whole * scale_up_domains
    return whole if spares else scale_up_domain


@derivation(of="Workload", kind=upper)
def best_peak(
    peak_compute: ComputeRate | None,
    peak_fp16: ComputeRate | None,
    peak_bf16: ComputeRate | None,
    peak_fp8: ComputeRate | None,
    peak_fp4: ComputeRate | None,
) -> ComputeRate | None:
    """
    Dense peak of one GPU in the job's number format, or in its fastest format if none is stated. [FLOP/s]

    An upper bound of what the job can reach.
    """
    if peak_compute is not None:
        return peak_compute
    return max((peak for peak in (peak_fp16, peak_bf16, peak_fp8, peak_fp4) if peak is not None), default=None)


@derivation(of="Workload", sources=("kaplan-2020",), kind=lower)
def least_mfu_needed(
    tokens: Count, least_flops_per_token: Computation, deadline: Duration, gpus: Count, best_peak: ComputeRate
) -> Ratio | None:
    """
    Minimum model FLOPs utilisation (MFU) that the deadline requires. [1]

    A lower bound, as `least_flops_per_token` is; lost time comes on top.
    """
    if deadline <= 0:
        return None
    return tokens * least_flops_per_token / (deadline * gpus * best_peak)


@derivation(of="Workload", kind=lower)
def least_training_time(
    tokens: Count, least_flops_per_token: Computation, gpus: Count, best_peak: ComputeRate, mfu: Ratio
) -> Duration | None:
    """
    Minimum time to train on all tokens at the targeted utilisation. [s]

    A lower bound, as `least_flops_per_token` is; lost time comes on top.
    """
    return tokens * least_flops_per_token / (gpus * best_peak * mfu) if mfu > 0 else None


@derivation(of="Workload", kind=lower)
def least_gpu_time(gpus: Count, least_training_time: Duration) -> Duration:
    """
    Minimum total GPU time of the run. [s]

    A lower bound, as `least_training_time` is.
    """
    return gpus * least_training_time


@derivation(of="Workload")
def batch_ranks(stated_data_parallel: Count | None, data_parallel: Count | None) -> Count | None:
    """
    Data-parallel ranks that share the global batch. [1]

    As many as the design states, or as its GPUs give.
    """
    return stated_data_parallel or data_parallel


@derivation(of="Workload")
def batch_unit(batch_ranks: Count, micro_batch: Count, framework: Text | None) -> Count:
    """
    Sequences that the global batch must be a multiple of. [1]

    Whole micro-batches on every data-parallel rank; FSDP frameworks let the last micro-batch be smaller.
    """
    return batch_ranks * (1 if framework == "fsdp" else micro_batch)


@derivation(of="Workload")
def even_stages(
    pipeline: Count, uneven_stages: Flag | None, first_stage_layers: Count | None, last_stage_layers: Count | None
) -> Flag:
    """
    Whether stages are meant to hold equally many layers.

    Assumes so where there are stages and the design does not say otherwise.
    """
    stated = first_stage_layers is not None or last_stage_layers is not None
    return pipeline > 1 and not uneven_stages and not stated


@derivation(of="Workload")
def megatron(framework: Text | None) -> Flag:
    """
    Whether the job runs on Megatron or what is built on it.

    Assumes not where the design names no framework.
    """
    return framework in ("megatron", "nemo")


@derivation(of="Workload")
def grouped_heads(heads: Count | None, kv_heads: Count | None, attention: Text | None) -> Flag | None:
    """
    Whether several query heads share a key and value head.

    Latent attention has no such heads.
    """
    if attention == "mla":
        return False
    return None if heads is None or kv_heads is None else kv_heads < heads
