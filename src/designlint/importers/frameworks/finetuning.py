"""Configurations of programs around Hugging Face's trainer: axolotl's, LLaMA-Factory's, and TRL's for supervised training."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from designlint.importers import defaults
from designlint.importers.base import Fragment, How, Source, Value, Words, put
from designlint.importers.frameworks import accelerate, deepspeed, local_models
from designlint.importers.frameworks import finetuning_parts as parts
from designlint.importers.megatron import arguments, names, saving, trainers
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import get, is_on, merge, name_workload, start

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from designlint.importers.base import Context


class Dialect(NamedTuple):
    """
    How a program names what it trains.

    Attributes:
        marks: keys of which its files have all.
        renamed: its own names, and those that mean the same elsewhere.
        model: the key of the model.
        adapted: the key that says how much of the model is trained.
        adapters: its values that mean adapters.
        whole: its values that mean all weights.
        silent: its value where it is left out.
    """

    tool: str
    marks: tuple[str, ...]
    renamed: Mapping[str, str]
    model: str
    adapted: str
    adapters: tuple[str, ...]
    whole: tuple[str, ...]
    silent: str


AXOLOTL = Dialect(
    "axolotl", ("base_model", "micro_batch_size"),
    {"sequence_len": "seq_length", "flash_attention": "use_flash_attn", "sequence_parallel_degree": "context_parallel_size"},
    "base_model", "adapter", ("lora", "qlora"), ("",), "",
)  # fmt: skip
LLAMA_FACTORY = Dialect(
    "llama-factory", ("model_name_or_path", "stage", "per_device_train_batch_size"),
    {"cutoff_len": "seq_length", "optim": "optimizer"},
    "model_name_or_path", "finetuning_type", ("lora", "oft"), ("full",), "lora",
)  # fmt: skip
TRL = Dialect(
    "trl", ("model_name_or_path", "per_device_train_batch_size", "output_dir"),
    {"max_length": "seq_length", "max_seq_length": "seq_length", "optim": "optimizer"},
    "model_name_or_path", "use_peft", ("true",), ("false",), "false",
)  # fmt: skip
DIALECTS = (AXOLOTL, LLAMA_FACTORY, TRL)
#: Keys of trainings that generate what they learn from, whose other models are not described.
REWARDED = frozenset(
    (
        "num_generations", "reward_funcs", "reward_model_path", "sft_model_path", "max_completion_length", "use_vllm",
        "reward_weights", "response_length", "num_sample_generations",
    )
)  # fmt: skip
#: Keys that split more than data.
SPLITTING = ("tensor_parallel_size", "expert_parallel_size", "context_parallel_size")
#: Ends of names of published weights that have the shape of the model before them.
VARIANT = re.compile(r"[-_](?:instruct|chat|it|base|hf)(?:-(?:\d{4}|hf|v\d[.\d]*))?\Z", re.IGNORECASE)
#: What keys of adapters are called by scripts that take the trainer's arguments as TRL does, and others beside them.
ADAPTING = re.compile("lora|peft|adapter|train_mode|tuning")
STAGES = {"pt": "continued-pretraining", "sft": "fine-tuning", "ppo": "reinforcement-learning"}
LEARNING = ("grpo", "gdpo", "ppo")


def recognise_dialect(source: Source) -> Dialect | None:
    """The dialect of a configuration; None where it is of none of the programs."""
    keys = structured.keys(source)
    found = next((one for one in DIALECTS if keys >= {*one.marks}), None)
    return None if found is TRL and keys & REWARDED else found


def workload(source: Source, dialect: Dialect, context: Context, found: Fragment, path: str) -> Words:
    """What a configuration says of its training."""
    table = Table(source, structured.root(source))
    wanted = understood(dialect)
    read = ((name, table.get(name)) for name in table.names() if name in wanted)
    given = {dialect.renamed.get(name, name): one for name, one in read if one is not None}
    own = defaults.tool("finetuning").lists["read"]
    words = arguments.words({name: one for name, one in given.items() if name not in own})
    words.pop("optimizer", None)
    saving.put_end(words)
    trainers.put_optimizer(given.get("optimizer"), words)
    recomputed = given.get("gradient_checkpointing")
    if is_on(recomputed):
        put(words, "parallelism/recompute", recomputed and recomputed.but("full", "gradient_checkpointing").as_text())
    found.fact("model name or path", given.get(dialect.model))
    _put_training(table, given, dialect, words, context)
    parts.fill(table, given, words, dialect.tool)
    sharded = _read_sharding(table, given, context, found, path)
    moved = get(sharded, "parallelism/offload")
    put(words, "parallelism/offload", moved if moved is not None and moved.text == "weights" else None)
    merge(words, sharded)
    return words


def _on(table: Table, key: str) -> bool:
    """Whether a key has a value or a list that is not off."""
    node = table.at(key)
    return node is not None and bool(node.items or node.entries or node.text.lower() not in ("", "false", "null", "~"))


def _put_training(table: Table, given: Mapping[str, Value], dialect: Dialect, words: Words, context: Context) -> None:
    """The kind of training and its model, where all of its weights are trained, or adapters on all of them."""
    model, stage, learning = given.get(dialect.model), given.get("stage"), given.get("rl")
    if model is None:
        return
    stated = given.get(dialect.adapted)
    kind = stated.text.lower() if stated is not None else dialect.silent
    if stated is None and dialect is TRL and any(ADAPTING.search(name) for name in table.names()):
        return
    if kind in dialect.adapters:
        put(words, "kind", (stated or model).but("lora", f"{dialect.adapted} {kind}").as_text())
    elif learning is not None and learning.text.lower() in LEARNING:
        put(words, "kind", learning.but("reinforcement-learning", learning.text).as_text())
    elif kind in dialect.whole:
        name = STAGES.get(stage.text, "fine-tuning") if stage is not None else "fine-tuning"
        note = f"all weights of {model.text[:40]} are trained"
        put(words, "kind", (stage or stated or model).but(name, note).as_text())
    if kind not in (*dialect.adapters, *dialect.whole):
        return
    if not any(_on(table, one) for one in defaults.tool("finetuning").lists["reduced"]):
        names_of_it = (model.text, VARIANT.sub("", model.text))
        known = next((one for name in names_of_it if (one := context.catalogued("Model", name))), None)
        put(words, "model/model", model.but(known, model.text).of("Model") if known else None)
        local_models.put_shape(model, words, context)


def _read_sharding(table: Table, given: Mapping[str, Value], context: Context, found: Fragment, path: str) -> Words:
    """DeepSpeed's file, or FSDP as accelerate spells it."""
    stated = given.get("deepspeed")
    if stated is not None and stated.text and not stated.text.startswith("{"):
        words = deepspeed.of_file(stated, stated.source, context, found, path)
        return words or {"framework": stated.but("deepspeed", "it names DeepSpeed's configuration").as_text()}
    inner = table.table("fsdp_config")
    if not inner.names() and "fsdp" not in given:
        return {}
    options = {
        name if name.startswith("fsdp_") else f"fsdp_{name}": one for name in inner.names() if (one := inner.get(name))
    }
    if "fsdp_version" in given:
        options["fsdp_version"] = given["fsdp_version"]
    options["use_fsdp"] = start(table.source).but("true", "fsdp_config", How.DERIVED)
    words = accelerate.words(options, found)
    if not any(one in given for one in SPLITTING):  # its own mesh does what FSDP alone does not
        put(words, "framework", start(table.source).but("fsdp", "the file sets FSDP").as_text())
    return words


def understood(dialect: Dialect) -> frozenset[str]:
    """The keys that are read."""
    lists = defaults.tool("finetuning").lists
    return names.understood().union(lists["read"], lists["reduced"], dialect.renamed, (dialect.model, dialect.adapted))


def importer(dialect: Dialect) -> tuple[Callable[[Source], int], Callable[[Source, Fragment, Context], Words]]:
    """What a format's module offers of a dialect: how sure a file is of it, and the workload of a file."""

    def sure(source: Source) -> int:
        return 8 if recognise_dialect(source) is dialect else 0

    def workload_of(source: Source, found: Fragment, context: Context) -> Words:
        return workload(source, dialect, context, found, f"workloads/{name_workload(source).text}")

    return sure, workload_of
