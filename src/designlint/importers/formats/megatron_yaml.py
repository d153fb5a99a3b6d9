"""
Megatron's arguments as YAML: its own test recipes, under MODEL_ARGS with an environment under ENV_VARS, the files that its
`--yaml-cfg` takes instead of a command line, and Primus' experiments, as overrides of a module whose other settings stand in
files of Primus.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import environment
from designlint.importers.base import Fragment, Source, Value, Words, of_node, put
from designlint.importers.frameworks import primus
from designlint.importers.megatron import arguments, names
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table, scalars
from designlint.importers.workloads import fragment, start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "Megatron YAML"
JOBS = True
#: What a recipe's MODE makes of the job.
MODES = {"pretraining": "pretraining", "inference": "inference", "rl": "reinforcement-learning"}


#: The sections of a file for `--yaml-cfg`: what the model is, and how it is split.
SECTIONS = ("language_model", "model_parallel")


def sure(source: Source) -> int:
    """8 where the top has MODEL_ARGS, the sections of `--yaml-cfg`, or modules of Primus that train with Megatron."""
    if "MODEL_ARGS" in structured.keys(source, "MODEL_ARGS") or structured.keys(source, *SECTIONS) >= {*SECTIONS}:
        return 8
    return 8 if primus.module(source, "megatron") is not None else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A workload for each file."""
    found = Fragment()
    for source in models:
        top = Table(source, structured.root(source))
        module = primus.module(source, "megatron")
        complete = all(top.table(one).node is not None for one in SECTIONS)
        words = _experiment(module, found) if module is not None else _complete(top) if complete else _recipe(top)
        variables = top.table("ENV_VARS") or top.table("env")
        environment.fill(
            words, {key: value for key in variables.names() if (value := variables.get(key)) is not None}, found
        )
        found.add(fragment(source, words))
        tools = ("megatron-lm", "primus", "primus-megatron", *(("megatron-yaml-cfg",) if complete else ()))
        structured.close(source, *tools, normal=_normal)
    return found


def _recipe(top: Table) -> Words:
    words: Words = {"framework": start(top.source).but("megatron", "the file is Megatron's").as_text()}
    mode = top.get("MODE")
    if mode is not None and mode.text in MODES:
        words["kind"] = mode.but(MODES[mode.text], f"MODE {mode.text}").as_text()
    words |= arguments.words(_given_arguments(top.table("MODEL_ARGS")))
    arguments.fill_defaults(words, start(top.source))
    return words


def _complete(top: Table) -> Words:
    """All arguments of a run, of which null is none."""
    words: Words = {"framework": start(top.source).but("megatron", "the file is Megatron's").as_text()}
    given = {name: value for one in (*map(top.table, SECTIONS), top) for name, value in _given_arguments(one).items()}
    activation = top.get("language_model/activation_func")
    if activation is not None:  # it decides, whatever `swiglu` and `gated_linear_unit` say
        given["swiglu"] = activation.but(activation.text == "swiglu", f"activation_func {activation.text}")
    if "num_moe_experts" not in given:
        given.pop("moe_router_topk", None)
    words |= arguments.words(given)
    if _is_null(top, "save"):
        words["checkpoint"] = {"mode": _none(top, "save")}
    if _is_null(top, "language_model/recompute_granularity"):
        put(words, "parallelism/recompute", _none(top, "language_model/recompute_granularity"))
    arguments.fill_defaults(words, start(top.source))
    return words


def _none(table: Table, key: str) -> Value:
    node = table.at(key)
    assert node is not None
    return of_node(table.source, node).but("none", f"{key.rpartition('/')[2]} is null").as_text()


def _is_null(table: Table, key: str) -> bool:
    node = table.at(key)
    return node is not None and node.scalar() is None


def _experiment(module: Table, found: Fragment) -> Words:
    """What overrides say; the model and all else stand in other files, whose defaults are not Megatron's."""
    found.fact("model file", module.get("model"))
    words: Words = {"framework": start(module.source).but("megatron", "framework: megatron").as_text()}
    given = module.table("overrides")
    values = {
        name: value for name, one in _given_arguments(given).items() if (value := primus.settable(one)) is not None
    }
    if "kv_channels" not in values:  # heads alone would make heads of a width that the model's own file may state
        found.fact("attention heads", values.pop("num_attention_heads", None))
    if _is_null(given, "save"):
        values.pop("save_interval", None)
        put(words, "checkpoint/mode", _none(given, "save"))
    return words | arguments.words(values)


def _given_arguments(table: Table) -> dict[str, Value]:
    """Arguments that are understood, by Megatron's names."""
    wanted = names.understood()
    named = {_normal(key): key for key in table.names()}
    return {name: value for name, key in named.items() if name in wanted and (value := _value(table, key)) is not None}


def _normal(key: str) -> str:
    return key.lstrip("-").replace("-", "_").lower()


def _value(table: Table, key: str) -> Value | None:
    node = table.at(key)
    if node is not None and node.kind == "list":
        listed = scalars(table.source, node)
        return listed[0].but(" ".join(one.text for one in listed)) if listed else None
    return table.get(key)
