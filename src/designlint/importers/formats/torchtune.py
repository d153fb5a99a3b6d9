"""torchtune's YAML: components by the names of Python, batches of a data-parallel rank, FSDP in the recipes of several GPUs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import costs
from designlint.importers.base import Fragment, Source, Words, put, whole
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Resolved
from designlint.importers.workloads import count, fill_words, flag, get, is_on, number_format, of_framework

if TYPE_CHECKING:
    from designlint.importers.base import Context, Value

TITLE = "torchtune configuration"
JOBS = True
TOOLS = ("torchtune",)
#: Builders of models: adapters or not, the family with its version, the size.
BUILDER = re.compile(r"((?:q?lora|q?dora)_)?([a-z]+\d?(?:_\d)?)_((?:\d_)?\d+b)(?:_instruct|_base)?\Z")
ADAPTED = re.compile(r"\Aq?(?:lora|dora)_")
#: Optimizers by the last part of their names, and whether their states have 8 bits; paged ones move to CPU memory.
SMALL = re.compile(r"(?:Paged)?(AdamW?|Lion)8bit\Z")
#: Keys that only the recipes of several GPUs have.
SHARDED = ("fsdp_cpu_offload", "fsdp_reshard_after_forward", "custom_sharded_layers", "data_parallel_shard_dim")


def sure(source: Source) -> int:
    """8 where a model is one of torchtune's components."""
    if "torchtune." not in source.text or not structured.keys(source, "_component_") >= {"model"}:
        return 0
    builder = Resolved(source, structured.root(source)).get("model/_component_")
    return 8 if builder is not None and builder.text.startswith("torchtune.") and _trains(source) else 0


def _trains(source: Source) -> bool:
    """Whether it is a recipe of training: others generate, evaluate or quantize."""
    return structured.keys(source) >= {"optimizer", "batch_size"}


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training."""
    table = Resolved(source, structured.root(source))
    words = of_framework(table.source, "torchtune")
    fill_words(words, table, "torchtune")
    put(words, "precision/matmul", number_format(table.get("dtype")))
    put(words, "compiled", flag(table.get("compile")))
    recomputed = flag(table.get("enable_activation_checkpointing"))
    costs.put_recompute(words, recomputed, "enable_activation_checkpointing")
    for key, moved in (("fsdp_cpu_offload", "weights"), ("enable_activation_offloading", "activations")):
        stated = table.get(key)
        if stated is not None and is_on(stated) and get(words, "parallelism/offload") is None:
            put(words, "parallelism/offload", stated.but(moved, key).as_text())
    saved = flag(table.get("enable_async_checkpointing"))
    if is_on(saved):
        put(words, "checkpoint/mode", saved and saved.but("asynchronous", "enable_async_checkpointing").as_text())
    _put_model(table.get("model/_component_"), words, context)
    _put_optimizer(table.get("optimizer/_component_"), words)
    _put_sharding(table, words)
    _put_state(words, table.get("dtype"))
    return words


def _put_model(builder: Value | None, words: Words, context: Context) -> None:
    """The published model that a builder makes, and whether only adapters on it are trained."""
    if builder is None:
        return
    name = builder.text.rpartition(".")[2]
    adapted = ADAPTED.match(name) is not None
    put(words, "kind", builder.but("lora" if adapted else "fine-tuning", f"the model is {name}").as_text())
    parts = BUILDER.match(name)
    if parts is None or (parts[1] or "").startswith("q"):  # of fewer bits
        return
    size = f"{parts[2]}-{parts[3]}".replace("_", ".")
    known = context.catalogued("Model", size)
    put(words, "model/model", builder.but(known, name).of("Model") if known else None)


def _put_optimizer(stated: Value | None, words: Words) -> None:
    """The optimizer by the last part of its name."""
    if stated is None:
        return
    name = stated.text.rpartition(".")[2]
    small = SMALL.match(name)
    costs.optimizer(words, stated.but(small[1] if small else name, name), small=small is not None)
    if name.startswith("Paged"):
        put(words, "parallelism/offload", get(words, "parallelism/offload") or stated.but("optimizer", name).as_text())


def _put_sharding(table: Resolved, words: Words) -> None:
    """FSDP2, which shards weights again after each layer unless told not to."""
    at = next((one for key in SHARDED if (one := table.get(key)) is not None), None)
    if at is None:
        return
    again = table.get("fsdp_reshard_after_forward")
    stage = 2 if again is not None and not is_on(again) else 3
    put(words, "parallelism/zero_stage", at.but(stage, "torchtune's recipes of several GPUs use FSDP2"))
    copies, shards = count(table.get("data_parallel_replicate_dim")), count(table.get("data_parallel_shard_dim"))
    if shards is None or not (whole(shards) or 0) or copies is None:
        return
    several = whole(copies) or 1
    put(words, "parallelism/data", shards.but((whole(shards) or 1) * several, "shards x copies"))
    put(words, "parallelism/sharding_group", shards if several > 1 else None)


def _put_state(words: Words, form: Value | None) -> None:
    """Where all weights are trained in one format, there is no copy of them in another: moments have it, too."""
    kind, optimizer = get(words, "kind"), get(words, "optimizer")
    if form is None or form.text not in ("bf16", "fp16") or kind is None or kind.text != "fine-tuning":
        return
    note = f"dtype {form.text}: no copy in FP32"
    for word in ("weight_bytes", "gradient_bytes"):
        put(words, f"precision/{word}", form.but("2 B", note))
    if optimizer is not None and optimizer.text == "adam":
        put(words, "precision/optimizer_bytes", form.but("4 B", note))
        put(words, "precision/moment_bytes", form.but("2 B", note))
