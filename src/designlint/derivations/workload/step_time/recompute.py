"""Time of what selective recomputation computes again in one layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, estimate

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Duration, Ratio

#: Passes over the residual stream of both norms of a layer: read and write.
NORM_PASSES = 4
#: Share of a gated feed-forward part's multiplications in one of its three matrices.
GATED_MATRIX = 1 / 3


class Selection(Struct, frozen=True):
    """What is computed again, and the parts that every layer has."""

    recompute: Text | None
    recomputed_names: Text | None
    blockwise: Flag
    attention_core_time: Duration
    residual_time: Duration
    residual_passes: Ratio
    output_projection_time: Duration
    latent_projection_time: Duration | None

    def again(self, own: dict[str, Duration]) -> Duration:
        """Time of the named modules, or of stored scores where none is named; `own` are those of the kind of layer. [s]"""
        if self.recompute != "selective":
            return 0.0
        if self.recomputed_names is None:
            return 0.0 if self.blockwise else self.attention_core_time
        times = own | {
            "core_attn": self.attention_core_time,
            "layernorm": min(1.0, NORM_PASSES / self.residual_passes) * self.residual_time,
            "mla_up_proj": self.latent_projection_time or 0.0,
            "op": self.output_projection_time + self.residual_time + own.get("op", 0.0),
        }
        names = self.recomputed_names.split()
        within = ("shared_experts",) if "moe" in names else ()
        return sum(times.get(name, 0.0) for name in names if name not in within)


@derivation(of="Workload")
def recomputed_names(recompute_modules: tuple[Text, ...]) -> Text:
    """
    Names of the recomputed modules as one text.

    In the order of the alphabet.
    """
    return " ".join(sorted({*recompute_modules}))


@derivation(
    of="Workload", sources=("korthikanti-2022", "megatron-lm", "torchtitan-code"), groups=(Selection,), kind=estimate()
)
def dense_module_recompute_time(
    selection: Selection,
    gated: Flag | None,
    feed_forward_time: Duration,
    activation_function_time: Duration,
) -> Duration:
    """
    Time to recompute parts of one layer without experts for one micro-batch, under selective recomputation. [s]

    The named modules; attention scores where none is named, but not those of kernels that never store them. TorchTitan's
    policy computes all but attention and every second matrix again.
    """
    second = feed_forward_time * GATED_MATRIX if gated else 0.0
    return selection.again(
        {"mlp": feed_forward_time + activation_function_time, "op": second + activation_function_time}
    )


@derivation(of="Workload", sources=("megatron-lm", "megatron-core-moe-2026"), groups=(Selection,), kind=estimate())
def expert_module_recompute_time(
    selection: Selection,
    expert_matrix_time: Duration,
    shared_expert_time: Duration,
    permutation_time: Duration,
    exposed_expert_time: Duration,
    expert_gather_time: Duration,
) -> Duration:
    """
    Time to recompute parts of one layer with experts for one micro-batch, under selective recomputation. [s]

    As `dense_module_recompute_time`. The whole expert part exchanges tokens again, too.
    """
    whole = expert_matrix_time + shared_expert_time + permutation_time + exposed_expert_time + expert_gather_time
    return selection.again({"moe": whole, "shared_experts": shared_expert_time})
