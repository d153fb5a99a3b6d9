"""What the started program is, and what its arguments say of the workload."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, How, Value, Words, put
from designlint.importers.frameworks import local_models, torchtitan_options
from designlint.importers.jobs import configurations, dialects, exclusive, roles, serving, spreading
from designlint.importers.megatron import arguments, names
from designlint.importers.megatron.saving import TRAINER
from designlint.importers.shell.options import CONFIGURATION
from designlint.importers.workloads import LAUNCH, count, drop, get, is_on, merge

if TYPE_CHECKING:
    from collections.abc import Collection

    from designlint.importers.base import Context
    from designlint.importers.shell.launches import Launch
    from designlint.importers.shell.record import Script

#: Scripts of Megatron-LM itself, whose defaults are known.
OWN = (
    "pretrain_gpt.py",
    "pretrain_bert.py",
    "pretrain_t5.py",
    "pretrain_mamba.py",
    "pretrain_retro.py",
    "pretrain_vlm.py",
    "pretrain_hybrid.py",
)
#: How Python and YAML spell that an argument is left out.
NOTHING = frozenset(("none", "null", ""))
#: An argument of programs that DeepSpeed trains, each of whose processes drives one GPU.
CONFIGURED = "deepspeed_config"
#: Programs that take the arguments of a trainer and take no step: they convert checkpoints or prepare data.
TOOL = re.compile(
    r"(?:\A|.*[._/-])(?:convert(?:er|or)?|preprocess|tokenize)(?:[._-]|\Z)|.*[a-z]2(?:hf|mcore|megatron)[._-]"
)


def fill(words: Words, main: Launch, script: Script, context: Context, found: Fragment, path: str) -> None:
    """Adds what the program says to the words of its workload."""
    _open_texts(main)
    without = arguments.unclear([name for name, one in main.arguments.items() if one.value is None])
    rivals = arguments.deciding(without)
    given = {name: one.value for name, one in main.arguments.items() if one.value is not None and name not in rivals}
    at = _at(main)
    if main.benchmark:
        found.fact("benchmark", at.but(main.benchmark).as_text())
        return
    if TOOL.match(main.script.lower()):
        found.fact("tool", at.but(main.script).as_text())
        return
    if main.script and main.launchers:
        found.fact(LAUNCH, at.but(" ".join((*main.launchers[-1:], main.script))).as_text())
    kind = _framework(main, given)
    if kind:
        put(words, "framework", at.but(kind, f"{' '.join(main.launchers[-1:])} {main.script}".strip()).as_text())
    _put_arguments(words, main, given, found)
    _named_gpus(words, given, found)
    _files(main, found)
    _vocabulary(words, main)
    if "megatron" in kind and "save" in main.arguments and get(words, "checkpoint/at_exit") is None:
        note = f"{defaults.tool('megatron-lm').label}: saves at the end of training only"
        put(words, "checkpoint/at_exit", at.but(False, note, How.DEFAULT))
    _put_loaded_batch(words, given, kind)
    dialects.put_strategy(words, main)
    merge(words, configurations.of_deepspeed(words, main, script, context, found, path))
    if kind == "deepspeed":
        _bf16(words, found)
    if kind == "torchtitan":
        configurations.of_torchtitan(words, main, context, found, path)
    configurations.of_trainer(words, main, context, found, path)
    _put_local_model(words, given, context)
    put(words, "kind", get(words, "kind") or dialects.purpose(main, at, training=kind == "torchtitan"))
    own = main.script in OWN and "num_layers" in given and not is_on(given.get("use_checkpoint_args"))
    if own and not main.open:
        _defaults(words, main, at, kind == "deepspeed", without)
        if kind == "megatron" and "precision/model" not in without:
            arguments.recipe(given, words)


def _put_loaded_batch(words: Words, given: dict[str, Value], kind: str) -> None:
    """The batch of a rank as scripts of FSDP count it, who load one for training and one for validation."""
    if kind == "fsdp" and "val_batch_size" in given and get(words, "parallelism/micro_batch") is None:
        loaded = count(given.get("train_batch_size"))
        put(words, "parallelism/micro_batch", loaded and loaded.but(loaded.text, "the batch of each rank's loader"))


def _put_local_model(words: Words, given: dict[str, Value], context: Context) -> None:
    """The model in a folder of the repository that Hugging Face's trainer is given, all bits of it."""
    if TRAINER in given and given.keys().isdisjoint(defaults.tool("finetuning").lists["reduced"]):
        local_models.put_shape(given.get("model_name_or_path") or given.get("model"), words, context)


def _open_texts(main: Launch) -> None:
    """Leaves open what is to be a number and is a text, so that no default stands in for it."""
    for name in names.counted() & main.arguments.keys():
        stated = main.arguments[name].value
        if stated is not None and stated.number is None and stated.text.lower() not in NOTHING:
            main.arguments[name] = main.arguments[name]._replace(value=None, why=f"{stated.text[:40]} is no number")


def _put_arguments(words: Words, main: Launch, given: dict[str, Value], found: Fragment) -> None:
    merge(words, arguments.words(given))
    megatron = main.script in OWN or "tensor_model_parallel_size" in given
    exclusive.report(main, given, found, megatron=megatron)
    exclusive.report_misspelt(main, given, found, megatron=megatron)
    exclusive.report_recipe(main, _at(main), found)
    roles.put_rollout_gpus(words, main)
    if main.launchers == ["srun"] and (main.script in OWN or CONFIGURED in given or spreading.ranks_by_task(main)):
        put(words, "job/tasks_are_ranks", _at(main).but(True, f"srun starts {main.script} without a launcher"))


def _at(main: Launch) -> Value:
    command = main.command
    return Value("", command.source, command.start, min(command.end, command.start + 200))


def _framework(main: Launch, given: dict[str, Value]) -> str:
    if any(name in given for name in ("deepspeed", *configurations.DEEPSPEED)) or "deepspeed" in main.launchers:
        return "deepspeed"
    if dialects.of_lightning(main):
        return ""
    if main.script in OWN or "tensor_model_parallel_size" in given:
        return "megatron"
    if any(name in main.arguments for name in configurations.TITAN[:1]) or "torchtitan" in main.script:
        return "torchtitan"
    return "fsdp" if "sharding_strategy" in given else ""


def _files(main: Launch, found: Fragment) -> None:
    """Files of a tokenizer that another flag wants, by their names."""
    for flag, own, other in (("merge_file", "merges", "vocab"), ("vocab_file", "vocab", "merges")):
        argument = main.arguments.get(flag)
        name = argument.tail.rpartition("/")[2].lower() if argument is not None else ""
        if argument is not None and own not in name and other in name:
            at = argument.value or Value(name, argument.at.source, argument.at.start, argument.at.end)
            stated = f"--{flag.replace('_', '-')}"
            found.clash("import/file-of-other-flag", at, name=name[:60], flag=stated, wanted=own)


def _vocabulary(words: Words, main: Launch) -> None:
    """The size of a published vocabulary, by the name of its file."""
    stated = main.arguments.get("vocab_file")
    if stated is None or get(words, "model/vocabulary") is not None:
        return
    name = stated.tail.rpartition("/")[2]
    size = defaults.tool("megatron-lm").tables["vocabularies"].get(name)
    at = stated.value or Value("", stated.at.source, stated.at.start, stated.at.end)
    put(words, "model/vocabulary", at.but(size, f"the published vocabulary of {name}", How.DEFAULT) if size else None)


def _named_gpus(words: Words, given: dict[str, Value], found: Fragment) -> None:
    """GPUs that the program is told to use: they must be those that the job gets."""
    total = given.get("num_gpus") or given.get("ng")
    if total is not None and total.number is not None and get(words, "runs_on/gpus") is None:
        if "num_nodes" not in given:
            put(words, "runs_on/gpus", total)
        elif get(words, "job/gpus_per_server") is None:
            put(words, "job/gpus_per_server", total)
    each = given.get("gpus_per_node")
    if each is not None and each.number is not None and get(words, "job/gpus_per_server") is None:
        put(words, "job/gpus_per_server", each)
    fsdp = given.get("use_megatron_fsdp")
    found.fact("sharding", fsdp.but("megatron_fsdp", "use-megatron-fsdp") if fsdp is not None and is_on(fsdp) else None)
    kind = given.get("gpu")
    if kind is not None and re.search(r"[a-z]+\d", kind.text.lower()):
        put(words, "job/gpu", kind.as_text())
    for name in ("gpu", "model_name", "model_name_or_path", "model_size", "model_recipe_name"):
        found.fact(name.replace("_", " "), given.get(name))


def _defaults(words: Words, main: Launch, at: Value, deepspeed: bool, without: Collection[str]) -> None:
    """Megatron-LM's defaults; without `--save` nothing is saved, and under DeepSpeed its configuration decides on ZeRO."""
    stage, heads = get(words, "parallelism/zero_stage"), get(words, "model/heads")
    if {"num_query_groups", "group_query_attention"} & main.arguments.keys() == {
        "num_query_groups"
    } and heads is not None:
        note = "num-query-groups has no effect without group-query-attention"
        put(words, "model/kv_heads", heads.but(heads.text, note))
    arguments.fill_defaults(words, at, without)
    if deepspeed and stage is None:
        drop(words, "parallelism/zero_stage")
    if main.script == "pretrain_gpt.py" and not deepspeed and not arguments.may_stage(main.arguments):
        note = f"{defaults.tool('megatron-lm').label}: as many layers on each stage"
        put(words, "parallelism/uneven_stages", at.but(False, note, How.DEFAULT))
    if "save" not in main.arguments:
        note = f"{defaults.tool('megatron-lm').label}: nothing is saved without --save"
        put(words, "checkpoint/mode", at.but("none", note, How.DEFAULT).as_text())


def _bf16(words: Words, found: Fragment) -> None:
    """DeepSpeed's optimizer for BF16 shards its state as stage 1 does where stage 0 is stated."""
    stage, form = get(words, "parallelism/zero_stage"), get(words, "precision/matmul")
    if stage is not None and stage.text == "0" and form is not None and form.text == "bf16":
        found.fact("zero stage in file", stage)
        put(words, "parallelism/zero_stage", stage.but(1, "DeepSpeed's BF16 optimizer shards its state"))


def understood(main: Launch) -> frozenset[str]:
    """The names of arguments that are read here of a program, besides Megatron-LM's."""
    known = roles.understood(main) | serving.understood(main) | {CONFIGURATION}
    return known | torchtitan_options.understood() if _framework(main, {}) == "torchtitan" else known
