"""All ways to split a step over the GPUs of a job that could work."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from designlint.derivations.workload.divisors import divisors

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

#: The words of a layout, those that vary least from one to the next first.
WORDS = (
    "tensor", "sequence_parallel", "context", "pipeline", "first_stage_layers", "last_stage_layers", "uneven_stages",
    "data", "micro_batch", "expert", "expert_tensor", "zero_stage", "virtual_stages", "recompute",
)  # fmt: skip
#: Those of them that only layers have which do not divide over the stages.
ENDS = ("first_stage_layers", "last_stage_layers", "uneven_stages")
#: Largest degrees that are tried where a job states none: no published run has more stages, or ranks that share a sequence.
MOST_PIPELINE, MOST_CONTEXT, MOST_VIRTUAL, MOST_MICRO_BATCH = 64, 32, 12, 8
#: The schedule of stages that have several chunks of layers each; all others have one.
INTERLEAVED = "interleaved"
#: Sequences that context parallelism splits have so many tokens and more; each rank keeps half of them at least.
SHORTEST_CONTEXT = 8192


def never() -> bool:
    """Of no layout it is known that it does not fit."""
    return False


#: What data-parallel ranks may share: FSDP always shards gradients with the optimizer state, and weights where it is told to.
STAGES = {"fsdp": (2, 3), "torchtitan": (2, 3)}


#: What data-parallel ranks may share only where there is no pipeline.
ALONE = {"megatron": 3}


#: Number formats in which a framework shares no experts out: validate_args() of Megatron-LM refuses it in FP16.
UNSHARED = {"megatron": ("fp16",)}


#: Frameworks whose pipelines give each stage one run of layers.
CHUNKLESS = ("deepspeed",)


class Space(Struct, frozen=True):
    """
    What a layout may be: the job's numbers that bound it, and the words that a brief fixes.

    A number that is not known is 0, and bounds nothing.
    """

    gpus: int
    batch: int
    layers: int
    heads: int
    kv_heads: int
    domain: int
    experts: int
    sequence: int
    fixed: dict[str, Any]
    feed_forward: int = 0
    framework: str = ""
    matmul: str = ""

    def layouts(self, beyond: Callable[[], bool] = never) -> Iterator[dict[str, Any]]:
        """
        Every layout whose degrees divide what they split.

        Args:
            beyond: whether the layout that came last needs more than a GPU has. What is sure to need as much is left out.
        """
        for tensor, context, pipeline in product(self._tensors(), self._contexts(), self._pipelines()):
            group = tensor * context * pipeline
            if self.gpus % group or self.batch % (ranks := self.gpus // group):
                continue
            if self.fixed.get("data", ranks) != ranks:
                continue
            for micro in self._micro_batches(self.batch // ranks):
                batches, rest = divmod(self.batch // ranks, micro)
                chunks = self._virtual(pipeline, batches)
                if rest or batches < pipeline or not chunks:
                    continue
                fit = False
                for expert, across in self._experts(self.gpus // pipeline, tensor):
                    degrees = {
                        "tensor": tensor, "pipeline": pipeline, "virtual_stages": 1, "context": context, "expert": expert,
                        "expert_tensor": across, "data": ranks, "micro_batch": micro,
                    }  # fmt: skip
                    fit |= yield from self._savings(degrees, chunks, beyond)
                if not fit:
                    break

    def _savings(
        self, degrees: dict[str, Any], chunks: Sequence[int], beyond: Callable[[], bool]
    ) -> Generator[dict[str, Any], None, bool]:
        """The same split with each way to keep less on a GPU, the least first; returns whether one may fit."""
        tensor, pipeline = degrees["tensor"], degrees["pipeline"]
        alone, stages = degrees["data"] == degrees["context"] == 1, STAGES.get(self.framework, (1, 3))
        zeros = self._choice("zero_stage", (0,) if alone else stages[:1] if pipeline > 1 else stages)
        # With experts the memory that selective recomputation spares depends on which modules are named.
        ways = self._choice("recompute", ("full", "none") if self.experts > 1 else ("full", "selective", "none"))
        others = {"sequence_parallel": self.fixed.get("sequence_parallel", tensor > 1), **self._ends(pipeline)}
        fit = False
        for zero, virtual in product(zeros, chunks):
            if virtual == chunks[0]:
                least = False
            elif not least:
                continue
            for recompute in ways:
                yield {**degrees, "virtual_stages": virtual, "zero_stage": zero, "recompute": recompute, **others}
                if beyond():
                    break
                least = fit = True
        return fit

    def _ends(self, pipeline: int) -> dict[str, Any]:
        """Layers of the first and last stage, where the layers do not divide: they take fewer than the others."""
        if self.layers % pipeline == 0:
            return dict.fromkeys(ENDS)
        left = self.layers - self._each(pipeline) * (pipeline - 2)
        return {"first_stage_layers": left - left // 2, "last_stage_layers": left // 2, "uneven_stages": True}

    def _each(self, pipeline: int) -> int:
        """Layers of a stage in the middle."""
        return -(-self.layers // pipeline)

    def _stageable(self, pipeline: int) -> bool:
        """Whether the layers fill the stages, the first and last with fewer than the others."""
        if self.layers % pipeline == 0:
            return True
        left = self.layers - self._each(pipeline) * (pipeline - 2)
        return pipeline > 1 and left >= 2

    def _choice(self, word: str, values: Sequence[Any]) -> Sequence[Any]:
        return (self.fixed[word],) if word in self.fixed else values

    def _tensors(self) -> Sequence[int]:
        widths = (self.heads, self.feed_forward)
        fits = [one for one in divisors(self.domain) if not any(width % one for width in widths)]
        return self._choice("tensor", [one for one in fits if not (self.kv_heads % one and one % self.kv_heads)])

    def _pipelines(self) -> Sequence[int]:
        most = min(MOST_PIPELINE, self.layers or MOST_PIPELINE)
        if self.framework in ALONE and self.fixed.get("zero_stage") == ALONE[self.framework]:
            most = 1
        # A schedule and chunks of layers are stated of a pipeline.
        least = 2 if "schedule" in self.fixed or self.fixed.get("virtual_stages", 1) > 1 else 1
        return self._choice(
            "pipeline", [one for one in divisors(self.gpus, most) if one >= least and self._stageable(one)]
        )

    def _contexts(self) -> Sequence[int]:
        long = self.sequence >= SHORTEST_CONTEXT
        most = max(1, min(MOST_CONTEXT, 2 * self.sequence // SHORTEST_CONTEXT))
        fits = [one for one in divisors(self.gpus, most) if self.sequence % (2 * one) == 0]
        return self._choice("context", [one for one in fits if one & (one - 1) == 0] if long else [1])

    def _micro_batches(self, most: int) -> Sequence[int]:
        return self._choice("micro_batch", divisors(most, MOST_MICRO_BATCH))

    def _experts(self, stage: int, tensor: int) -> Sequence[tuple[int, int | None]]:
        """Expert degree and tensor degree of the experts, which divide the GPUs of a stage; experts stay whole if spread."""
        whole = self.matmul in UNSHARED.get(self.framework, ())
        degrees = self._choice("expert", (1,) if whole else divisors(self.experts))
        if self.experts < 2:
            return [(one, None) for one in degrees]
        split = {one: self._choice("expert_tensor", (1,) if one > 1 else sorted({1, tensor})) for one in degrees}
        return [(one, across) for one in degrees for across in split[one] if stage % (one * across) == 0]

    def _virtual(self, pipeline: int, batches: int) -> Sequence[int]:
        each, ends = self._each(pipeline), self._ends(pipeline)
        if self.framework in CHUNKLESS:
            return self._choice("virtual_stages", (1,))
        even = {ends[one] for one in ENDS[:2]} in (
            {None},
            {each - 1},
        )  # else the chunks of the ends would differ from the others
        interleaved = pipeline > 1 and batches % pipeline == 0 and even
        chunks = [one for one in divisors(max(each, 1)) if (one <= MOST_VIRTUAL and each // one <= 8) or one == 1]
        chunks = chunks if interleaved else [1]
        if self.fixed.get("schedule", INTERLEAVED) != INTERLEAVED:
            chunks = [1]
        elif "schedule" in self.fixed:
            chunks = [one for one in chunks if one > 1]
        return self._choice("virtual_stages", chunks)
