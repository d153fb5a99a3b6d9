"""What the optimizer keeps of each parameter, by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count, Ratio

#: Moments of Adam, which the recipes of the catalogue keep.
ADAM = 2


@derivation(of="Workload", sources=("muon-2025",))
def plain_share(
    optimizer: Text | None,
    parameters: Count | None,
    embedding_parameters: Count | None,
    embedding_matrices: Count | None,
) -> Ratio:
    """
    Share of the parameters that Muon leaves to Adam. [1]

    Embedding and output matrices, as its authors do; norms are too few to count. 0 for other optimizers, and where the
    vocabulary is open: a lower bound then.
    """
    if optimizer != "muon" or None in (parameters, embedding_parameters, embedding_matrices) or not parameters:
        return 0.0
    return min(1.0, (embedding_parameters or 0) * (embedding_matrices or 0) / parameters)


@derivation(of="Workload", sources=("zero-2020",))
def optimizer_state_bytes(
    optimizer: Text | None,
    optimizer_bytes: Bytes,
    moment_bytes: Bytes | None,
    optimizer_moments: Count | None,
    optimizer_moment_bytes: Bytes | None,
    plain_share: Ratio,
) -> Bytes | None:
    """
    Bytes of optimizer state per parameter, master weights included. [B]

    That of the recipe, which is Adam's with two moments, where the design names no optimizer. Otherwise the recipe
    without them, and the moments of the named one: 8-bit optimizers keep each in a byte. Absent for optimizers that the
    catalogue lacks, and where the stated bytes are too few for Adam's moments, which they are to include.
    """
    if optimizer is None:
        return optimizer_bytes
    if optimizer_moments is None:
        return None
    if optimizer_moments == ADAM and optimizer_moment_bytes is None:
        return optimizer_bytes
    if moment_bytes is None or optimizer_bytes < ADAM * moment_bytes:
        return None
    moments = optimizer_moments * (1 - plain_share) + ADAM * plain_share
    return optimizer_bytes - ADAM * moment_bytes + moments * (optimizer_moment_bytes or moment_bytes)


@derivation(of="Workload", sources=("torchtune-memory",))
def least_state_share(
    trains_all_parameters: Flag,
    named_recipe: Text | None,
    framework_other_recipes: Text | None,
    weight_bytes: Bytes | None,
    gradient_bytes: Bytes | None,
    optimizer_state_bytes: Bytes | None,
    pure_moment_bytes: Bytes | None,
    optimizer_moments: Count | None,
    optimizer_moment_bytes: Bytes | None,
) -> Ratio:
    """
    Share of the counted state that the job keeps at least. [1]

    Less than 1 where users call a training without master weights by the name of the recipe, and the framework is not known to
    mean the recipe: weights and moments then, each gradient used up as soon as it is there. It holds for any stage of ZeRO.
    """
    own = framework_other_recipes is not None and named_recipe not in framework_other_recipes.split(", ")
    counted = (weight_bytes or 0.0) + (gradient_bytes or 0.0)
    if (
        own
        or not trains_all_parameters
        or None in (named_recipe, pure_moment_bytes, optimizer_state_bytes)
        or not counted
    ):
        return 1.0
    moments = (ADAM if optimizer_moments is None else optimizer_moments) * (
        optimizer_moment_bytes or pure_moment_bytes or 0.0
    )
    weight = weight_bytes or 0.0
    return min(1.0, weight / counted, (weight + moments) / (counted + (optimizer_state_bytes or 0.0)))


@derivation(of="Workload")
def proven_state_share(least_state_share: Ratio, kind: Text, name: Text | None) -> Ratio:
    """
    Share of the counted state by which a need of memory is proven. [1]

    All of it where the job pretrains, for which no recipe without master weights goes by the same name; otherwise what it
    keeps at least.
    """
    return 1.0 if kind == "pretraining" or "pretrain" in (name or "").lower() else least_state_share
