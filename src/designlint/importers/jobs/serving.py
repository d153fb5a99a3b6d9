"""Jobs that generate or serve: the servers of vLLM and SGLang, and what only training has."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, How, Value, Words, put, whole
from designlint.importers.frameworks.local_models import put_shape
from designlint.importers.workloads import count, drop, get

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.importers.base import Context
    from designlint.importers.shell.launches import Launch

#: Scripts that generate or serve.
SERVING = re.compile(r"(?:.*[_./-])?(?:text_generation|inference|infer|serve|server|generate)(?:[_./-].*|\Z)")
#: The servers as commands and modules, and vLLM's option that changes the configuration of the model.
VLLM, SERVERS = re.compile(r"vllm(?:\.entrypoints\..*)?\Z"), re.compile(r"vllm(?:\..*)?\Z|sglang(?:\.launch_server)?\Z")
OVERRIDES = "hf_overrides"
#: Their short names, and those that mean the same elsewhere.
RENAMED = {
    "tp": "tensor_parallel_size",
    "tp_size": "tensor_parallel_size",
    "pp": "pipeline_parallel_size",
    "pp_size": "pipeline_parallel_size",
    "dp": "data_parallel_size",
    "dp_size": "data_parallel_size",
    "model_path": "model",
}
#: Words of a split, and the options that state them.
SPLITS = {"parallelism/tensor": "tensor_parallel_size", "parallelism/pipeline": "pipeline_parallel_size"}
#: How far a sequence may grow, and the part of a GPU's memory that the server takes: facts without a word.
FACTS = {
    "longest sequence that is served": ("max_model_len", "context_length"),
    "part of the memory of a GPU that is used": ("gpu_memory_utilization", "mem_fraction_static"),
}
#: Switches by which data-parallel ranks share what the model has once.
SHARING = ("enable_expert_parallel", "enable_dp_attention", "moe_a2a_backend")
#: What the arguments of a trainer say that a script which generates or serves takes over and has no use for.
TRAINING = ("checkpoint", "targets", "optimizer", "data")
STEPS = ("gradient_accumulation", "recompute", "recompute_modules", "overlap", "global_batch")


def is_server(main: Launch) -> bool:
    """Whether the program is a server of vLLM or SGLang."""
    return SERVERS.match(main.script) is not None


def adapt(main: Launch) -> None:
    """Gives arguments of servers the names that they have elsewhere."""
    if not is_server(main):
        return
    given = main.arguments
    main.arguments = {RENAMED.get(name, name): one for name, one in given.items()}
    if "nnodes" in given:
        main.runner.setdefault("nnodes", given["nnodes"])


def serve(words: Words, main: Launch, context: Context, found: Fragment) -> None:
    """Takes what only training has out of the words of a job that generates or serves, and reads its server."""
    kind = get(words, "kind")
    if kind is None or kind.text != "inference":
        return
    for word in TRAINING:
        words.pop(word, None)
    for word in STEPS:
        drop(words, f"parallelism/{word}")
    if is_server(main):
        _put_model(words, main, context)
        _put_split(words, main)
        for name, options in FACTS.items():
            found.fact(
                name, next((one for option in options if (one := _stated_value(main, option)) is not None), None)
            )


def _put_model(words: Words, main: Launch, context: Context) -> None:
    model = _stated_value(main, "model")
    if OVERRIDES not in main.arguments and model is not None:
        known = context.catalogued("Model", model.text)
        put(words, "model/model", model.but(known, model.text).of("Model") if known else None)
        put_shape(model, words, context)


def _put_split(words: Words, main: Launch) -> None:
    """Degrees, vLLM's defaults, and the GPUs that the server takes where nothing else counts them."""
    command = main.command
    at = Value("", command.source, command.start, min(command.end, command.start + 200))
    if VLLM.match(main.script) and not main.open:
        stated = {path for path, name in SPLITS.items() if name in main.arguments}
        defaults.tool("vllm").fill(words, "serving", at, stated)
    copies = count(_stated_value(main, "data_parallel_size"))
    if copies is not None and whole(copies) and not any(name in main.arguments for name in SHARING):
        put(words, "parallelism/data", copies)


def put_used_gpus(words: Words, everything: Iterable[Launch]) -> None:
    """The GPUs that the only server takes, which may be fewer than its job has; several servers share these."""
    servers = [one for one in everything if is_server(one)]
    degrees = [get(words, path) for path in SPLITS]
    if len(servers) != 1 or "data_parallel_size" in servers[0].arguments or None in degrees:
        return
    total, known = prod(whole(one) or 0 for one in degrees if one is not None), whole(get(words, "runs_on/gpus"))
    first = next(one for one in degrees if one is not None)
    if total and (known is None or known > total):
        put(words, "runs_on/gpus", first.but(total, "tensor x pipeline", How.DERIVED))


def _stated_value(main: Launch, name: str) -> Value | None:
    argument = main.arguments.get(name)
    return None if argument is None else argument.value


def understood(main: Launch) -> frozenset[str]:
    """The names that are read here of a server."""
    read = (*RENAMED.values(), *(name for names in FACTS.values() for name in names), *SHARING, OVERRIDES, "nnodes")
    return frozenset(read) if is_server(main) else frozenset()
