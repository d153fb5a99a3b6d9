"""GPT-NeoX's YAML, in which keys stand with dashes or underscores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import costs, defaults
from designlint.importers.base import Fragment, How, Source, Words, put, whole
from designlint.importers.frameworks import neox, neox_layers
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import (
    count,
    drop,
    fill_words,
    flag,
    get,
    is_on,
    number_format,
    of_framework,
    start,
    took,
)

if TYPE_CHECKING:
    from designlint.importers.base import Context

TITLE = "GPT-NeoX configuration"
JOBS = True
TOOLS = ("gpt-neox",)
OWN = frozenset(
    (
        "pipe_parallel_size",
        "model_parallel_size",
        "checkpoint_factor",
        "train_micro_batch_size_per_gpu",
        "pos_emb",
        "no_weight_tying",
        "gpt_j_residual",
        "output_layer_init_method",
        "synchronize_each_layer",
    )
)
#: Feed-forward layers by `mlp_type`, and whether they have a gate; "gated" is what StableLM's branch calls one.
MLPS = {"regular": False, "llama": True, "gated": True}


def sure(source: Source) -> int:
    """9 where the top has at least two keys that are NeoX's own."""
    if not any(one in source.text for one in ("parallel", "checkpoint_factor", "checkpoint-factor")):
        return 0
    if len(source.text) > 500_000:
        return 0
    keys = {one.replace("-", "_") for one in structured.keys(source)}
    return 9 if len(keys & OWN) >= 2 else 0


def read(source: Source, context: Context) -> Source:
    """The file itself, with underscores in its keys."""
    root = structured.root(source)
    structured.refuse_broken(source)
    if root is not None:
        root.entries = {key.replace("-", "_"): node for key, node in root.entries.items()}
    return source


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training; several files are of one run, and NeoX lays them together."""
    table = Table(source, structured.root(source))
    words = of_framework(table.source, "gpt-neox")
    unknown = fill_words(words, table, "gpt-neox")
    scale = table.get("checkpoint_scale")
    if scale is not None and scale.text != "linear":  # powers of the factor
        drop(words, "checkpoint/interval_steps")
    pipeline = count(table.get("pipe_parallel_size"))
    put(
        words,
        "parallelism/pipeline",
        pipeline and pipeline.but(max(whole(pipeline) or 0, 1), "" if pipeline.text != "0" else "0 means none"),
    )
    put(words, "parallelism/zero_stage", count(table.get("zero_optimization/stage")))
    put(words, "parallelism/overlap", flag(table.get("zero_optimization/overlap_comm")))
    put(words, "parallelism/sequence_parallel", flag(table.get("sequence_parallel")))
    recomputed = table.get("checkpoint_activations")
    costs.put_recompute(words, recomputed, "checkpoint_activations")
    offload = table.get("zero_optimization/cpu_offload")
    if offload is not None and is_on(offload):
        put(words, "parallelism/offload", offload.but("optimizer", "cpu_offload").as_text())
    _precision(table, words)
    _model(table, words)
    if table.at("mlp_type") is not None:
        unknown.add("model/gated")
    if whole(get(words, "parallelism/tensor")) == 0:
        drop(words, "parallelism/tensor")
    neox.fill(table, words)
    _defaults(table, words, unknown, found)
    return words


def _defaults(table: Table, words: Words, unknown: set[str], facts: Fragment) -> None:
    """What NeoX fills in where a file describes a whole model, and the recipe that follows from its optimizer."""
    at = start(table.source)
    tool = defaults.tool("gpt-neox")
    complete = took(words, "model/layers") is not None and table.get("include") is None
    kinds = neox_layers.kinds(table)
    counted = neox_layers.MAMBA in kinds and neox_layers.put_mamba(table, words)
    if kinds == {neox_layers.MAMBA}:
        unknown = unknown | {"model/gated"}
    if "rwkv" in kinds or (
        neox_layers.MAMBA in kinds and not counted
    ):  # heads and the inner width are read by nobody, and the model is no transformer
        known, complete = {"model": words.pop("model", None) or {}}, False
        facts.fact("layers without attention", get(known, "model/layers"))
        for word in ("model/hidden", "model/sequence"):
            put(words, word, get(known, word))
    if complete:
        tool.fill(words, "configuration", at, {*unknown, *(("kind",) if is_on(table.get("finetune")) else ())})
        if (took(words, "model/experts") or 1) > 1:
            tool.fill(words, "experts", at, unknown)
    form, optimizer = get(words, "precision/matmul"), table.get("optimizer/type")
    if form is not None and form.text == "fp16" and optimizer is not None and optimizer.text == "Adam":
        recipe = form.but("fp16", "DeepSpeed's FP16 optimizer with Adam", How.DERIVED)
        put(words, "precision/model", recipe.of("Precision"))


def _precision(table: Table, words: Words) -> None:
    stated = number_format(table.get("precision"))
    if stated is None:
        for key in ("bf16", "fp16"):
            enabled = table.get(f"{key}/enabled", f"{key}/{key}")
            if enabled is not None and is_on(enabled):
                kind = table.get(f"{key}/type")
                name = "bf16" if kind is not None and "bfloat16" in kind.text else key
                stated = enabled.but(name, f"{key}.enabled").as_text()
    put(words, "precision/matmul", stated)


def _model(table: Table, words: Words) -> None:
    """Norm, tying and feed-forward layer."""
    norm = table.get("norm")
    if norm is not None and norm.text in ("layernorm", "rmsnorm", "non_parametric_layernorm"):
        put(words, "model/norm", norm.but("rmsnorm" if norm.text == "rmsnorm" else "layernorm").as_text())
    positions = table.get("pos_emb")
    put(words, "model/learned_positions", positions and positions.but(positions.text == "learned", positions.text))
    untied = flag(table.get("no_weight_tying"))
    put(words, "model/tied_embeddings", untied and untied.but(untied.text != "true", "no_weight_tying"))
    kind, activation = table.get("mlp_type"), table.get("activation")
    if activation is not None and activation.text in ("swiglu", "geglu", "reglu"):
        put(words, "model/gated", activation.but(True, f"activation {activation.text}"))
    elif kind is not None:
        gate = MLPS.get(kind.text)
        put(words, "model/gated", kind.but(gate, f"mlp_type {kind.text}") if gate is not None else None)
    neox.width(table, words)
