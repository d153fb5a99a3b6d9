"""The search for a split of a job over its GPUs that fits and costs least."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING, NamedTuple

from designlint.derivations.search.divisors import divisors

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Degrees and micro-batches that are tried at most: no published run has larger ones.
LARGEST_TENSOR, LARGEST_PIPELINE, LARGEST_EXPERT, LARGEST_MICRO_BATCH = 64, 512, 1024, 1024
#: Splits that are tried at most, about a second; published runs have some thousands.
MOST_SPLITS = 200_000
RECOMPUTE = ("none", "selective", "full")


class Split(NamedTuple):
    """One way to split a step over the GPUs of a job."""

    tensor: int
    pipeline: int
    expert: int
    micro_batch: int
    zero_stage: int
    recompute: str
    sequence_parallel: bool


@dataclass(frozen=True, slots=True)
class Job:
    """What of a job and its GPUs no split changes; zero or None where the design does not say."""

    stated: Split
    gpus: int
    context: int
    global_batch: int
    memory: float
    domain: int
    parameters: int
    routed: int
    layers: int
    heads: int
    kv_heads: int
    feed_forward: int
    experts: int
    weight: float
    gradient: float
    optimizer: float
    embedding: int = 0
    embeddings: int = 0
    sequence: int = 0
    hidden: int = 0
    token_bytes: float = 0.0
    layer_token_bytes: float | None = None
    score_token_bytes: float = 0.0
    norm_token_bytes: float = 0.0
    scale_up_rate: float = 0.0
    network_rate: float = 0.0
    compute_time: float = 0.0

    def ranks(self, one: Split) -> int:
        """Data-parallel ranks; 0 where the split does not divide the GPUs, the experts' groups or the batch."""
        group = one.tensor * one.pipeline * self.context
        experts = one.pipeline * one.expert if self.routed else 1
        if self.gpus % group or self.gpus % experts:
            return 0
        ranks = self.gpus // group
        return 0 if self.global_batch % (ranks * one.micro_batch) else ranks

    def held(self, one: Split) -> float:
        """Parameters on a GPU of the first stage: its layers and an embedding; without pipeline all embeddings."""
        stage = math.ceil(self.layers / one.pipeline) / self.layers if self.layers else 1 / one.pipeline
        tables = self.embedding * (self.embeddings if one.pipeline == 1 else 1)
        body = self.parameters - self.routed - self.embedding * self.embeddings
        return (body * stage + tables) / one.tensor + self.routed / one.expert * stage

    def need(self, one: Split, ranks: int) -> float:
        """Memory of a GPU of the first stage: state and, where the model's shape is known, activations. [B]"""
        held, owned = self.held(one), self.parameters / self.gpus
        kept = (
            (self.weight, one.zero_stage >= 3),
            (self.gradient, one.zero_stage >= 2),
            (self.optimizer, one.zero_stage >= 1),
        )
        state = sum(size * (owned if shared else held) for size, shared in kept)
        formats = (self.weight, self.gradient)
        gathered = (
            held / max(self.layers // one.pipeline, 1) * sum(min(size, self.token_bytes or size) for size in formats)
        )
        return state + (gathered if one.zero_stage >= 3 else 0) + self.activations(one, ranks)

    def activations(self, one: Split, ranks: int) -> float:
        """What the first stage keeps of its micro-batches in flight, and the layer at work. [B]"""
        tokens = math.ceil(self.sequence * one.micro_batch / self.context)
        across = one.tensor if one.sequence_parallel else 1
        inputs = tokens * self.hidden * self.token_bytes / across
        whole = tokens * (self.norm_token_bytes / across + (self.layer_token_bytes or 0) / one.tensor)
        scores = tokens * self.score_token_bytes / one.tensor
        kept, again = {"none": (whole + scores, 0.0), "selective": (whole, scores)}.get(
            one.recompute, (inputs, whole + scores)
        )
        batches = self.global_batch // (ranks * one.micro_batch)
        return kept * math.ceil(self.layers / one.pipeline) * min(batches, one.pipeline) + again

    def cost(self, one: Split, ranks: int) -> float:
        """Time of a step that is lost to exchange, idle stages and recomputation; in bytes where rates are unknown."""
        inner, outer = (self.scale_up_rate, self.network_rate) if self.scale_up_rate and self.network_rate else (1, 1)
        batches = self.global_batch // (ranks * one.micro_batch)
        tokens = self.global_batch / ranks * self.sequence / self.context
        tensor = 8 * tokens * self.hidden * self.token_bytes * self.layers / one.pipeline * (1 - 1 / one.tensor)
        stages = 2 * tokens * self.hidden * self.token_bytes / one.tensor * (one.pipeline > 1)
        data = (3 if one.zero_stage >= 3 else 2) * self.held(one) * self.weight * (1 - 1 / ranks)
        lost = (one.pipeline - 1) / batches + {"none": 0.0, "selective": 0.0}.get(one.recompute, 1 / 3)
        return tensor / inner + (stages + data) / outer + lost * self.compute_time


def best(job: Job) -> Split | None:
    """The split that fits and costs least, as near to the stated one as that allows; None where none fits."""
    found: tuple[float, int, Split] | None = None
    for number, one in enumerate(islice(candidates(job), MOST_SPLITS)):
        ranks = job.ranks(one)
        if (
            not ranks
            or job.global_batch // (ranks * one.micro_batch) < one.pipeline
            or job.need(one, ranks) > job.memory
        ):
            continue
        rated = (float(f"{job.cost(one, ranks):.6g}"), number, one)
        found = rated if found is None else min(found, rated)
    return None if found is None else found[2]


def candidates(job: Job) -> Iterator[Split]:
    """All splits in question; what saves memory without cost, and less of it, first."""
    stated = job.stated
    smaller = divisors(stated.micro_batch, LARGEST_MICRO_BATCH)[::-1]
    micro = dict.fromkeys((stated.micro_batch, *smaller))
    zero = list(dict.fromkeys((stated.zero_stage, max(stated.zero_stage, 1), 3)))
    recompute = RECOMPUTE[RECOMPUTE.index(stated.recompute) :]
    for stage, again, batch, together in product(
        zero, recompute, micro, dict.fromkeys((stated.sequence_parallel, True))
    ):
        for tensor, pipeline, expert in product(_tensors(job), _pipelines(job), _experts(job)):
            if stage < 3 or pipeline == 1:  # pipelines and shared weights do not go together in common frameworks
                yield Split(tensor, pipeline, expert, batch, stage, again, together and tensor > 1)


def _tensors(job: Job) -> list[int]:
    found = divisors(job.domain, LARGEST_TENSOR)
    widths = [width for width in (job.heads, job.feed_forward) if width]
    fits = [one for one in found if not any(width % one for width in widths)]
    return [one for one in fits if not job.kv_heads or not job.kv_heads % one or not one % job.kv_heads]


def _pipelines(job: Job) -> list[int]:
    even = divisors(job.layers or job.gpus, LARGEST_PIPELINE)
    return even if job.stated.pipeline in even else sorted({*even, job.stated.pipeline})


def _experts(job: Job) -> list[int]:
    if not job.experts:
        return [job.stated.expert]
    return list(dict.fromkeys((job.stated.expert, *divisors(job.experts, LARGEST_EXPERT))))
