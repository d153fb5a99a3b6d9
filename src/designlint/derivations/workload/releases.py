"""What a framework refuses together, and what a stated release of it does not have yet."""

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
#: Degrees of which more never use fewer features.
DEGREES = ("tensor", "pipeline", "context", "expert", "virtual_stages")


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
    tied_embeddings: Flag | None
    pipeline: Count | None
    virtual_stages: Count | None
    schedule: Text | None
    context: Count | None
    context_method: Text | None
    overlap: Flag | None

    def features(self) -> dict[str, bool | None]:
        """Whether the words ask for each feature, by its name in the catalogue; None where they leave it open."""
        return {**self._of_model(), **self._of_layout(), **self._of_numbers()}

    def _of_model(self) -> dict[str, bool | None]:
        return {
            "latent attention": self.attention == "mla",
            "attention windows": self.window is not None,
            "shared experts": bool(self.shared_expert_feed_forward),
            "dense layers beside experts": self._shared_out and bool(self.dense_layers),
            "node-limited routing": self.servers_per_token is not None,
            "experts with a capacity": self.capacity_factor is not None,
            "multi-token prediction": bool(self.multi_token_prediction_layers),
            "Mamba layers": bool(self.mamba_layers),
            "tied embeddings": self.tied_embeddings,
        }

    def _of_layout(self) -> dict[str, bool | None]:
        tensor, staged = self.tensor or 1, (self.pipeline or 1) > 1
        ring = (self.context or 1) > 1 and self.context_method == "ring"
        return {
            "expert parallelism": self._shared_out,
            "sharding groups beside experts": self._shared_out and self.sharding_group is not None,
            "a pipeline": staged,
            "experts in a pipeline": staged and self._shared_out,
            "uneven first and last stages": (self.first_stage_layers, self.last_stage_layers) != (None, None),
            "virtual stages": (self.virtual_stages or 1) > 1 or self.schedule == "interleaved",
            "context parallelism": (self.context or 1) > 1,
            "a context-parallel ring": ring,
            "fewer KV heads than tensor ranks": self.kv_heads is not None and self.kv_heads < tensor,
            "a choice of recomputed modules": (self.recomputed_names or "core_attn") != "core_attn",
            "offload of activations": self.offload == "activations",
            "offload of the optimizer": self.offload == "optimizer",
            "asynchronous checkpoints": self.mode == "asynchronous",
        }

    def _of_numbers(self) -> dict[str, bool | None]:
        low = (self.matmul or "").endswith("fp8")
        return {
            "FP16": self.matmul == "fp16",
            "a number format of the router": self._shared_out and self.router not in (None, "fp32"),
            "Mamba layers in FP8": low and bool(self.mamba_layers),
            "experts in FP8": low and self._shared_out,
            "moments of two bytes": self.moment_bytes == TWO_BYTES,
            "multiplications in NVFP4": self.matmul == "nvfp4",
            "Muon": self.optimizer == "muon",
            "overlapped gradients": bool(self.overlap),
        }

    @property
    def _shared_out(self) -> bool:
        return (self.expert or 1) > 1


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


@derivation(of="Workload", groups=(Uses,), grows=DEGREES)
def unreleased_features(framework_version: Text, framework_features: Text, uses: Uses) -> Text | None:
    """
    Features that the design uses and that came after the stated release of its framework, each with its first release.

    Empty if the release has all of them. Absent for a version that is no number.
    """
    stated = VERSION.match(framework_version.strip().lower())
    if stated is None:
        return None
    first = dict(one.rsplit(" ", 1) for one in framework_features.split("; "))
    used = [name for name, asked in uses.features().items() if asked and name in first]
    late = [name for name in used if numbers(first[name]) > numbers(stated[1])]
    return ", ".join(f"{name} ({first[name]})" for name in late)


@derivation(of="Workload", grows=("unreleased_features",))
def unreleased_count(unreleased_features: Text) -> Count:
    """Number of features that the design uses and that came after the stated release of its framework."""
    return len(unreleased_features.split(", ")) if unreleased_features else 0


@derivation(of="Workload", groups=(Uses,), grows=DEGREES)
def refused_together(framework_refusals: Text, framework_version: Text | None, uses: Uses) -> Text:
    """Pairs of features that the design uses and that its framework refuses together, each with the releases that do."""
    return "; ".join(name for name, used in _refusals(framework_refusals, framework_version, uses) if used)


@derivation(of="Workload", grows=("refused_together",))
def refused_pairs(refused_together: Text) -> Count:
    """Number of pairs of features that the design uses and that its framework refuses together."""
    return len(refused_together.split("; ")) if refused_together else 0


@derivation(of="Workload", groups=(Uses,))
def open_pairs(framework_refusals: Text, framework_version: Text | None, uses: Uses) -> Count:
    """Number of such pairs of which words decide that the design leaves open, the release of the framework among them."""
    return sum(used is None for _, used in _refusals(framework_refusals, framework_version, uses))


def _refusals(refusals: str, version: str | None, uses: Uses) -> Iterator[tuple[str, bool | None]]:
    """Each refused pair, and whether the design uses both in a release that refuses them; None where that is open."""
    asked = uses.features()
    for refusal in refusals.split("; "):
        pair, _, releases = refusal.partition(": ")
        one, other = pair.split(" + ")
        name = f"{one} with {other}" + (f" ({releases})" if releases else "")
        yield name, _all(asked[one], asked[other], _within(releases, version))


def _all(*answers: bool | None) -> bool | None:
    """Whether all is so: not if anything is not, and open if anything is open."""
    return False if False in answers else None if None in answers else True


def _within(releases: str, stated: str | None) -> bool | None:
    """Whether a release is one of a range such as `0.4 to 0.15` or `from 0.7`; one that is not stated is taken as new."""
    first, _, last = releases.removeprefix("from ").partition(" to ")
    version = VERSION.match((stated or "").strip().lower())
    if version is None:
        return None if last or stated else True
    series = numbers(".".join(version[1].split(".")[:2]))
    return (not first or numbers(first) <= series) and (not last or series <= numbers(last))


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, to compare it by; trailing zeros do not count."""
    found = [int(one) for one in version.split(".")]
    while found and found[-1] == 0:
        found.pop()
    return tuple(found)
