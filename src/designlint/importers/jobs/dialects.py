"""Programs that take names of Megatron-LM's arguments for something else, or state sizes that launchers state elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, Value, Words, put, whole
from designlint.importers.jobs import serving, sizes
from designlint.importers.shell.options import Argument
from designlint.importers.shell.pieces import reason, value
from designlint.importers.slurm import times
from designlint.importers.workloads import count, get

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.shell.launches import Launch
    from designlint.importers.shell.pieces import Text

#: Arguments that only OLMo-core has; its global batch is in tokens.
OLMO_CORE = ("train_module.", "batch_size_config.", "dataset.sequence_length")
#: Sizes of Lightning's trainer, as NeMo and others pass them on; `devices` alone may be the number of one GPU.
LIGHTNING = {
    "job/servers": (".trainer.num_nodes", "trainer.num_nodes"),
    "job/gpus_per_server": (".trainer.devices", "trainer.devices"),
}
#: Arguments that only Lightning's trainer has, and its strategies that shard state among ranks.
TRAINER = frozenset(
    ("max_epochs", "max_epoch", "default_root_dir", "replace_sampler_ddp", "val_check_interval", "save_top_k")
)
STRATEGY = re.compile(r"deepspeed_stage_(\d)(_offload)?\Z")
#: Two arguments by which many scripts of PyTorch count the servers of a job and the GPUs of each.
TOGETHER = {"job/servers": "nodes", "job/gpus_per_server": "gpus"}
#: The time limit of a stage of NeMo's launcher.
LIMIT = (".run.time_limit",)
ACCELERATORS = frozenset(("gpu", "cuda"))
#: The trainers of OpenCLIP and OpenLM, and what their names mean elsewhere.
OPEN_CLIP, OPEN_LM = re.compile(r"(?:.*\.)?(?:open_clip_train|training)\.main\Z"), "open_lm.main"
RENAMED = {
    "batch_size": "micro_batch_size",
    "accum_freq": "gradient_accumulation_steps",
    "workers": "num_workers",
    "grad_checkpointing": "checkpoint_activations",
}
#: Scripts of Megatron-LM, whose first versions call the sequences that a GPU computes at once its batch.
MEGATRON = re.compile(r"pretrain_(?:gpt2?|bert|albert|t5|ict)\.py\Z")
#: How OpenChatKit calls its pipeline stages.
GROUPED = "pipeline_group_size"

#: Commands that start torchrun themselves, and the variables by which they count its servers and processes.
STARTING = ("swift", "megatron", "llamafactory-cli")
#: The command that starts one for each GPU that it may see, where these are listed.
VISIBLY, VISIBLE, LISTED = "llamafactory-cli", "CUDA_VISIBLE_DEVICES", re.compile(r"\d+(?:,\d+)*\Z")
COUNTED = {"nnodes": "NNODES", "nproc_per_node": "NPROC_PER_NODE"}
#: What ms-swift takes the format of training from, where nothing else states it, and calls ranks that share a sequence.
SWIFT, FORMATS, SHARED = ("swift", "megatron"), {"bfloat16": "bf16", "float16": "fp16"}, "sequence_parallel_size"


def adapt(main: Launch) -> None:
    """Gives arguments the names and units that they have in Megatron-LM."""
    serving.adapt(main)
    given = main.arguments
    if any(name.startswith(OLMO_CORE) for name in given):
        _in_tokens(main)
    if main.script == OPEN_LM or (
        OPEN_CLIP.match(main.script) and "dataset_type" in given
    ):  # its batch is that of a GPU
        main.arguments = given = {RENAMED.get(name, name): one for name, one in given.items()}
    if (
        MEGATRON.match(main.script)
        and "num_layers" in given
        and "micro_batch_size" not in given
        and "batch_size" in given
    ):
        given["micro_batch_size"] = given["batch_size"]
    if GROUPED in given:
        _of_stages(given)
    if main.script in SWIFT:
        _of_swift(given)
    if {"intermediate_size", "model_parallel_size"} <= given.keys():
        given.pop("intermediate_size")  # YaLM pads it until ranks divide it
    if "decoder_seq_length" in given and "encoder_seq_length" not in given:
        given["seq_length"] = given["decoder_seq_length"]  # of the language model behind an encoder of images
    elif "encoder_seq_length" in given and "decoder_seq_length" not in given:
        given.setdefault("seq_length", given["encoder_seq_length"])


def start_torchrun(main: Launch, exports: Mapping[str, Text]) -> None:
    """Adds torchrun where a command starts it by itself, which variables tell how much."""
    if main.script not in STARTING or main.launchers:
        return
    variables = {**exports, **main.variables}
    for option, name in COUNTED.items():
        if name in variables and (text := variables[name]):
            main.runner[option] = Argument(value(text), reason(text), text[0])
    visible = variables.get(VISIBLE)
    if main.script == VISIBLY and COUNTED["nproc_per_node"] not in variables and visible and (one := value(visible)):
        number = one.but(len(one.text.split(",")), "GPUs that are visible") if LISTED.match(one.text) else None
        main.runner["nproc_per_node"] = Argument(number, "" if number else "the GPUs are not listed", visible[0])
    if "nproc_per_node" in main.runner:
        main.launchers.append("torchrun")


def _of_swift(given: dict[str, Argument]) -> None:
    """ms-swift trains in the format of the weights unless told otherwise, and shares sequences among ranks."""
    stated = given.get("torch_dtype")
    form = FORMATS.get(stated.value.text) if stated is not None and stated.value is not None else None
    if (
        form is not None
        and stated is not None
        and stated.value is not None
        and given.keys().isdisjoint(FORMATS.values())
    ):
        given[form] = stated._replace(value=stated.value.but(True, f"torch_dtype {stated.value.text}"))
    if SHARED in given and "tensor_model_parallel_size" not in given:
        given.setdefault("context_parallel_size", given[SHARED])


def _of_stages(given: dict[str, Argument]) -> None:
    """The names of OpenChatKit and the programs before it; its layers are the most that a stage has."""
    given["pipeline_model_parallel_size"] = given[GROUPED]
    given.pop("num_layers", None)
    if "embedding_dim" in given:
        given["hidden_size"] = given["embedding_dim"]


def _in_tokens(main: Launch) -> None:
    given = main.arguments
    length = given.get("dataset.sequence_length") or given.get("sequence_length")
    if length is not None:
        given["sequence_length"] = length
    batch = given.pop("global_batch_size", None)
    tokens = whole(count(batch.value)) if batch is not None else None
    each = whole(count(length.value)) if length is not None else None
    if batch is not None and batch.value is not None and tokens and each and tokens % each == 0:
        number = batch.value.but(tokens // each, f"{tokens} tokens in sequences of {each}")
        given["global_batch_size"] = batch._replace(value=number)


def put_trainer_size(words: Words, main: Launch, found: Fragment) -> None:
    """Servers and GPUs as Lightning's trainer counts them; those of the header must agree."""
    for path, names in LIGHTNING.items():
        stated = _stated_argument(main, names)
        number = count(stated)
        if number is not None and whole(number):
            sizes.agree(words, path, number, found)
    for path, name in TOGETHER.items() if {*TOGETHER.values()} <= main.arguments.keys() else ():
        number = count(main.arguments[name].value)
        if number is not None and whole(number) and main.script and get(words, path) is not None:
            sizes.agree(words, path, number, found)
    limit = _stated_argument(main, LIMIT)
    if limit is not None and get(words, "job/walltime") is None and (seconds := times.seconds(limit.text)) is not None:
        put(words, "job/walltime", limit.but(times.duration(seconds), "", limit.how))
    kind, devices = main.arguments.get("accelerator"), main.arguments.get("devices")
    on_gpus = kind is not None and kind.value is not None and kind.value.text in ACCELERATORS
    number = count(devices.value) if on_gpus and devices is not None else None
    if number is not None and whole(number) and get(words, "job/gpus_per_server") is None:
        put(words, "job/gpus_per_server", number)


def of_lightning(main: Launch) -> bool:
    """Whether Lightning's trainer takes the arguments, whatever the script is called."""
    given = main.arguments.keys()
    return "num_layers" not in given and "strategy" in given and not TRAINER.isdisjoint(given)


def put_strategy(words: Words, main: Launch) -> None:
    """What Lightning's trainer shares out by the name of its strategy, and when it saves."""
    stated = main.arguments.get("strategy") if of_lightning(main) else None
    if stated is None:
        return
    strategy = stated.value
    stage = STRATEGY.match(strategy.text) if strategy is not None else None
    if strategy is not None and strategy.text.startswith("deepspeed"):
        put(words, "framework", strategy.but("deepspeed", f"strategy {strategy.text}").as_text())
    if strategy is not None and stage is not None:
        put(words, "parallelism/zero_stage", strategy.but(stage[1], strategy.text))
        if stage[2]:
            put(words, "parallelism/offload", strategy.but("optimizer", strategy.text).as_text())
    for path, name in (("checkpoint/interval_steps", "every_n_train_steps"), ("checkpoint/keep", "save_top_k")):
        argument = main.arguments.get(name)
        number = count(argument.value) if argument is not None else None
        put(words, path, number if number is not None and whole(number) else None)


def _stated_argument(main: Launch, names: tuple[str, ...]) -> Value | None:
    """The value of the first of these names; those that begin with a dot may stand below the stage of a run."""
    found = (
        one
        for name in names
        for key, one in main.arguments.items()
        if key == name or (name[0] == "." and key.endswith(name))
    )
    return next((one.value for one in found), None)


def purpose(main: Launch, at: Value, *, training: bool) -> Value | None:
    """The kind of a job, where its script or its framework says that it trains from scratch, generates or serves."""
    kind = "pretraining" if training or main.script.startswith("pretrain") else ""
    serves = serving.is_server(main) or serving.SERVING.match(main.script.lower())
    kind = kind or ("inference" if serves else "")
    return at.but(kind, f"the script is {main.script}").as_text() if kind else None
