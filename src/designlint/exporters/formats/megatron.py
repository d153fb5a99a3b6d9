"""Arguments of Megatron-LM for one workload, as shell arrays that a launch script sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.exporters.base import Export, ExportRefusal, head
from designlint.exporters.workloads import chosen
from designlint.graph.subjects import Subject
from designlint.importers import defaults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design.known import Known
    from designlint.exporters.base import Order

TITLE = "Megatron-LM arguments"
#: Words that Megatron-LM derives or reads elsewhere, and those that it spells in another way.
ELSEWHERE = frozenset(
    (
        "parallelism/gradient_accumulation",
        "model/vocabulary",
        "model/servers_per_token",
        "job/data_loader_workers",
        "data/tokens",
        "targets/samples",
    )
)
#: Two words for one thing: Megatron-LM takes one of them.
VIRTUAL = ("parallelism/virtual_stages", "parallelism/layers_per_virtual_stage")


def write(order: Order) -> Export:
    """The arguments that the workload's words decide. Raises: Refusal where it states no parallelism."""
    workload = chosen(order)
    notes: list[str] = []
    arguments = [*_counts(workload), *_others(workload, notes)]
    if not arguments:
        raise ExportRefusal(f"{workload.subject.name} states nothing that is an argument of Megatron-LM", workload.spot)
    notes.append("data, tokenizer, learning rate and paths are not part of a design")
    lines = [*head(order, f"{TITLE} of {workload.subject.name}", notes), "MEGATRON_ARGS=("]
    return Export("\n".join([*lines, *(f"    {one}" for one in arguments), ")"]) + "\n", notes)


def _stated_value(workload: Known, path: str) -> object:
    """A value that the design states, or that its catalogue entry does; None for what was calculated or left out."""
    subject = workload.subject
    *parts, word = path.split("/")
    for part in parts:
        inner = subject.facts.get(part)
        if not isinstance(inner, Subject):
            return None
        subject = inner
    origin = subject.origins.get(word)
    return subject.facts.get(word) if origin is not None and origin.how in ("stated", "catalog") else None


def _counts(workload: Known) -> Iterator[str]:
    skipped = set(ELSEWHERE)
    if _stated_value(workload, VIRTUAL[0]) is not None or _stated_value(workload, "parallelism/pipeline") in (None, 1):
        skipped.add(VIRTUAL[1])
    if _stated_value(workload, VIRTUAL[0]) == 1:
        skipped.add(VIRTUAL[0])
    experts = _stated_value(workload, "model/experts")
    for path, names in defaults.tool("megatron-lm").tables["counts"].items():
        value = _stated_value(workload, path)
        if path in skipped or not isinstance(value, int) or (path == "parallelism/expert" and not experts):
            continue
        if path == "model/kv_heads" or value == 0:  # Megatron-LM takes none of these where the argument is left out
            continue
        latent = path == "model/head_dimension" and _stated_value(workload, "model/attention") == "mla"
        yield f"--{'qk_head_dim' if latent else names.split()[0]} {value}".replace("_", "-")


def _others(workload: Known, notes: list[str]) -> Iterator[str]:
    """Arguments that are no count."""
    for path, names in defaults.tool("megatron-lm").tables["flags"].items():
        if _stated_value(workload, path) is True:
            yield f"--{names.split()[0].replace('_', '-')}"
    heads, groups = _stated_value(workload, "model/heads"), _stated_value(workload, "model/kv_heads")
    if isinstance(groups, int) and groups != heads:
        yield from ("--group-query-attention", f"--num-query-groups {groups}")
    norm = {"rmsnorm": "RMSNorm", "layernorm": "LayerNorm"}.get(str(_stated_value(workload, "model/norm")))
    if norm:
        yield f"--normalization {norm}"
    if _stated_value(workload, "model/tied_embeddings") is False:
        yield "--untie-embeddings-and-output-weights"
    if _stated_value(workload, "model/attention") == "mla":
        yield "--multi-latent-attention"
    yield from _layers(workload, notes)
    yield from _length(workload, notes)
    yield from _memory(workload, notes)
    matmul = _stated_value(workload, "precision/matmul")
    if matmul in ("bf16", "fp16"):
        yield f"--{matmul}"
    elif matmul:
        notes.append(f"left out: precision {matmul}: Megatron-LM has several formats and recipes for it")
    if _stated_value(workload, "checkpoint/mode") == "asynchronous":
        yield "--async-save"
    timeout = _stated_value(workload, "recovery/communication_timeout")
    if isinstance(timeout, int | float):
        yield f"--distributed-timeout-minutes {round(timeout / 60)}"
    if isinstance(_stated_value(workload, "checkpoint/interval"), int | float):
        notes.append("left out: --save-interval counts steps, and the design states the time between checkpoints")


def _layers(workload: Known, notes: list[str]) -> Iterator[str]:
    """Which layers have experts, and which stage has which layers."""
    limit = _stated_value(workload, "model/servers_per_token")
    if isinstance(limit, int):
        why = "Megatron-LM needs --moe-router-num-groups with it, which the design does not state"
        notes.append(f"left out: --moe-router-group-topk {limit}: {why}")
    dense, layers = _stated_value(workload, "model/dense_layers"), _stated_value(workload, "model/layers")
    if isinstance(dense, int) and isinstance(layers, int) and 0 < dense < layers:
        yield f'--moe-layer-freq "([0]*{dense}+[1]*{layers - dense})"'
    if _stated_value(workload, "parallelism/uneven_stages") is True:
        notes.append("left out: which layers each stage has: write a --pipeline-model-parallel-layout for them")


def _length(workload: Known, notes: list[str]) -> Iterator[str]:
    """The end of the run: Megatron-LM counts iterations or samples, one of both."""
    steps, samples, tokens = (
        _stated_value(workload, one) for one in ("targets/steps", "targets/samples", "data/tokens")
    )
    sequence = _stated_value(workload, "model/sequence")
    if _stated_value(workload, "model/positions") is None:
        notes.append("left out: --max-position-embeddings, at least --seq-length: the design states no `positions`")
    if steps is None and isinstance(samples, int):
        yield f"--train-samples {samples}"
    elif steps is None and isinstance(tokens, int | float) and isinstance(sequence, int):
        yield f"--train-samples {int(tokens // sequence)}"
        notes.append(f"--train-samples is {tokens:.6g} tokens in sequences of {sequence}")
    elif steps is None and tokens is not None:
        notes.append("left out: the end of the run: Megatron-LM counts samples, and the design states no `sequence`")


def _memory(workload: Known, notes: list[str]) -> Iterator[str]:
    """Sharding, recomputation, overlap."""
    stage = _stated_value(workload, "parallelism/zero_stage")
    if stage == 1:
        yield "--use-distributed-optimizer"
    elif isinstance(stage, int) and stage > 1:
        notes.append(f"left out: ZeRO stage {stage}: choose Megatron-FSDP and its sharding strategy")
    recompute = _stated_value(workload, "parallelism/recompute")
    if recompute == "selective":
        yield "--recompute-granularity selective"
    elif recompute == "full":
        yield "--recompute-granularity full"
        notes.append(
            "--recompute-granularity full needs a --recompute-method and --recompute-num-layers, which the design does not state"
        )
    if _stated_value(workload, "parallelism/overlap") is True:
        yield "--overlap-grad-reduce"
