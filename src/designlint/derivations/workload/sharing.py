"""How much each GPU sends in a step because data-parallel ranks hold copies, or shares, of the same state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count


@derivation(of="Precision", sources=("ml-engineering",), kind=lower)
def exchanged_gradient_bytes(gradient_bytes: Bytes, activation_bytes: Bytes) -> Bytes:
    """
    Bytes of a gradient as data-parallel ranks exchange it, where the design states none. [B]

    Assumes the format of activations where gradients are kept in a longer one: a lower bound, frameworks can
    send either.
    """
    return min(gradient_bytes, activation_bytes)


@derivation(of="Workload", sources=("megatron-lm", "pytorch-fsdp-2023"), kind=lower)
def reduced_gradient_bytes(exchanged_gradient_bytes: Bytes, gradient_bytes: Bytes, megatron: Flag) -> Bytes:
    """
    Bytes of a gradient as data-parallel ranks add it up. [B]

    Megatron adds up its gradient buffer in the format that it is kept in; for other frameworks a lower bound.
    """
    return max(exchanged_gradient_bytes, gradient_bytes) if megatron else exchanged_gradient_bytes


@derivation(of="Workload", sources=("pytorch-fsdp-2023",))
def state_sharers(
    data_parallel: Count, context: Count, sharding_group: Count | None, local_steps: Count | None
) -> Count | None:
    """
    Data- and context-parallel ranks over which state is sharded. [1]

    All of them where the design states no group; absent then where ranks take steps of their own, since not all can share.
    """
    if sharding_group is None and (local_steps or 1) > 1:
        return None
    return min(data_parallel * context, sharding_group or data_parallel * context)


@derivation(of="Workload")
def exchange_period(local_steps: Count | None) -> Count:
    """
    Steps between two exchanges of gradients. [1]

    Assumes an exchange in every step where the design does not say.
    """
    return local_steps or 1


@derivation(of="Workload", sources=("megatron-lm", "deepspeed-docs"))
def exchanges_known(local_steps: Count | None, framework: Text | None) -> Flag:
    """
    Whether it is certain how often data-parallel ranks exchange gradients.

    Where the design says it, and on Megatron and DeepSpeed, which exchange them in every step.
    """
    return local_steps is not None or framework in ("megatron", "nemo", "deepspeed")


class Sharing(Struct, frozen=True):
    """How data-parallel ranks share the state of each parameter."""

    zero_stage: Count
    reduced_gradient_bytes: Bytes
    weight_bytes: Bytes
    activation_bytes: Bytes
    micro_batches: Count | None
    state_sharers: Count
    weight_group: Count | None
    exchange_period: Count
    framework: Text | None

    @property
    def reductions(self) -> int:
        """Times that shared gradients are added up in a step: in every micro-batch where that is certain, else once."""
        certain = self.zero_stage == 3 or (self.zero_stage == 2 and self.framework == "deepspeed")
        return (self.micro_batches or 1) if certain else 1

    def sent_bytes(self, ranks: Count) -> float:
        """
        Bytes that each of so many ranks sends to those that it shares state with, per parameter and step.

        All-reduce of gradients where nothing is shared; otherwise reduce-scatter and an all-gather of weights. DeepSpeed
        reduces shared gradients in every micro-batch, Megatron's kind once a step. Shared weights are gathered forward
        and backward; where a group keeps a second copy of them (hpZ), the backward pass gathers inside it, which is not
        counted.
        """
        among = min(ranks, self.state_sharers)
        weight = min(self.weight_bytes, self.activation_bytes)
        rounds = self.reductions
        gathers = {0: 0, 3: rounds if self.weight_group else 2 * rounds}.get(self.zero_stage, 1)
        reductions = 2 if self.zero_stage == 0 else rounds
        return (reductions * self.reduced_gradient_bytes + gathers * weight) * (among - 1) / among

    def sent_to_replicas(self, ranks: Count) -> float:
        """Bytes that each of so many ranks sends to those that hold the same share in other groups, likewise."""
        among = min(ranks, self.state_sharers)
        groups = ranks / among
        every = self.zero_stage >= 2 and self.exchange_period == 1
        rounds = self.reductions if every else 1
        return 2 * rounds * self.reduced_gradient_bytes / among * (groups - 1) / groups / self.exchange_period


@derivation(of="Workload", sources=("zero-2020", "ml-engineering"), groups=(Sharing,), kind=lower)
def dense_exchange(
    trains_all_parameters: Flag,
    parameters: Count,
    active_parameters: Count,
    routed_parameters: Count,
    experts: Count | None,
    tensor: Count,
    pipeline: Count,
    data_parallel: Count,
    context: Count,
    sharing: Sharing,
) -> Bytes | None:
    """
    Bytes that each GPU sends per step for gradients and weights outside experts. [B]

    To the data- and context-parallel ranks that it shares state with: 2 values per parameter up to ZeRO stage 1, a
    gradient for each micro-batch and a weight in stage 2, a gradient and two weights for each in stage 3. All ranks
    share state where the design states no group. Absent for jobs that train a part of the parameters, and for mixtures
    of experts that are not described.
    """
    if not trains_all_parameters or (experts is None and active_parameters < parameters):
        return None
    return (parameters - routed_parameters) / (tensor * pipeline) * sharing.sent_bytes(data_parallel * context)


@derivation(of="Workload", sources=("zero-2020", "megatron-core-moe-2026"), groups=(Sharing,), kind=lower)
def expert_exchange(
    trains_all_parameters: Flag,
    routed_parameters: Count,
    expert: Count,
    expert_tensor: Count | None,
    pipeline: Count,
    expert_data_parallel: Count | None,
    sharing: Sharing,
) -> Bytes | None:
    """
    Bytes that each GPU sends per step for gradients and weights of experts. [B]

    As `dense_exchange`, over the copies of each expert.
    """
    if routed_parameters == 0:
        return 0.0
    if not trains_all_parameters or expert_data_parallel is None:
        return None
    return routed_parameters / (expert * (expert_tensor or 1) * pipeline) * sharing.sent_bytes(expert_data_parallel)


@derivation(of="Workload", sources=("pytorch-fsdp-2023",), groups=(Sharing,), kind=lower)
def replica_exchange(
    dense_exchange: Bytes,
    parameters: Count,
    routed_parameters: Count,
    tensor: Count,
    pipeline: Count,
    data_parallel: Count,
    context: Count,
    sharing: Sharing,
) -> Bytes:
    """
    Bytes that each GPU sends in a step for gradients outside experts to the other groups that share state. [B]

    An all-reduce of its share; 0 where all ranks share one copy. Experts are not counted.
    """
    share = (parameters - routed_parameters) / (tensor * pipeline)
    return share * sharing.sent_to_replicas(data_parallel * context) if dense_exchange else 0.0
