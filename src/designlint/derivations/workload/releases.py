"""What a stated release of a framework does not have yet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count, Ratio

#: A version as released: numbers with dots, and whatever follows them.
VERSION = re.compile(r"(?:core_)?[rv]?(\d+(?:\.\d+)+)")
TWO_BYTES = 2


class Uses(Struct, frozen=True):
    """
    The words of a design that need something of its framework.

    None speaks by a default: experts score in FP32 where a design says nothing, so only another format asks for a choice.
    """

    expert: Count | None
    first_stage_layers: Count | None
    last_stage_layers: Count | None
    recomputed_names: Text | None
    offload: Text | None
    mode: Text | None
    attention: Text | None
    window: Count | None
    shared_expert_feed_forward: Count | None
    dense_layers: Count | None
    servers_per_token: Count | None
    router: Text | None
    multi_token_prediction_layers: Count | None
    mamba_layers: Count | None
    sharding_group: Count | None
    capacity_factor: Ratio | None
    matmul: Text | None
    moment_bytes: Bytes | None
    optimizer: Text | None
    kv_heads: Count | None
    tensor: Count | None

    def features(self) -> Iterator[str]:
        """The features that the words ask for, by their names in the catalogue."""
        experts = (self.expert or 1) > 1
        low = (self.matmul or "").endswith("fp8")
        wanted = {
            "expert parallelism": experts,
            "uneven first and last stages": (self.first_stage_layers, self.last_stage_layers) != (None, None),
            "a choice of recomputed modules": (self.recomputed_names or "core_attn") != "core_attn",
            "offload of activations": self.offload == "activations",
            "offload of the optimizer": self.offload == "optimizer",
            "asynchronous checkpoints": self.mode == "asynchronous",
            "latent attention": self.attention == "mla",
            "attention windows": self.window is not None,
            "shared experts": bool(self.shared_expert_feed_forward),
            "dense layers beside experts": experts and bool(self.dense_layers),
            "node-limited routing": self.servers_per_token is not None,
            "a number format of the router": experts and self.router not in (None, "fp32"),
            "multi-token prediction": bool(self.multi_token_prediction_layers),
            "Mamba layers": bool(self.mamba_layers),
            "Mamba layers in FP8": low and bool(self.mamba_layers),
            "experts in FP8": low and experts,
            "experts with a capacity": self.capacity_factor is not None,
            "sharding groups beside experts": experts and self.sharding_group is not None,
            "moments of two bytes": self.moment_bytes == TWO_BYTES,
            "multiplications in NVFP4": self.matmul == "nvfp4",
            "Muon": self.optimizer == "muon",
            "fewer KV heads than tensor ranks": self.kv_heads is not None and self.kv_heads < (self.tensor or 1),
        }
        yield from (name for name, used in wanted.items() if used)


@derivation(of="Workload")
def release_series(framework_version: Text) -> Text | None:
    """
    Series of the stated release: its first two numbers.

    Absent for a version that is no number.
    """
    stated = VERSION.match(framework_version.strip().lower())
    return None if stated is None else ".".join(stated[1].split(".")[:2])


@derivation(of="Workload")
def release_is_newer(release_series: Text, framework_releases: Text) -> Flag:
    """Whether the stated release is newer than all that the catalogue knows."""
    return numbers(release_series) > max(map(numbers, framework_releases.split(", ")))


@derivation(of="Workload", groups=(Uses,))
def unreleased_features(framework_version: Text, framework_features: Text, uses: Uses) -> Text | None:
    """
    Features that the design uses and that came after the stated release of its framework, each with its first release.

    Empty if the release has all of them. Absent for a version that is no number.
    """
    stated = VERSION.match(framework_version.strip().lower())
    if stated is None:
        return None
    first = dict(one.rsplit(" ", 1) for one in framework_features.split("; "))
    late = [name for name in uses.features() if name in first and numbers(first[name]) > numbers(stated[1])]
    return ", ".join(f"{name} ({first[name]})" for name in late)


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, to compare it by; trailing zeros do not count."""
    found = [int(one) for one in version.split(".")]
    while found and found[-1] == 0:
        found.pop()
    return tuple(found)
