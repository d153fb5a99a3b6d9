"""
Megatron's arguments as YAML: its own test recipes, under MODEL_ARGS with an environment under ENV_VARS, and Primus'
experiments, as overrides of a module whose other settings stand in files of Primus.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import environment
from designlint.importers.base import Fragment, How, Source, Value, Words, put
from designlint.importers.frameworks import primus
from designlint.importers.megatron import arguments, names
from designlint.importers.megatron.immaterial import IMMATERIAL
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
#: Settings of Primus' trainer that Megatron does not have.
OF_PRIMUS = primus.IMMATERIAL | frozenset(
    (
        "log_avg_*", "use_turbo_*", "train_data_path",
        "valid_data_path", "test_data_path", "auto_continue_train", "disable_last_saving", "disable_wandb", "finetune",
        "disable_tensorboard", "manual_gc*", "moe_router_force_load_balancing", "cross_entropy_*", "moe_use_legacy_*",
        "turbo_*", "pp_warmup", "no_load_*", "no_save_*", "apply_rope_fusion", "log_interval", "save",
    )
)  # fmt: skip


def sure(source: Source) -> int:
    """8 where the top has MODEL_ARGS, or modules of Primus that train with Megatron."""
    if "MODEL_ARGS" in structured.keys(source, "MODEL_ARGS"):
        return 8
    return 8 if primus.module(source, "megatron") is not None else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A workload for each file."""
    found = Fragment()
    for source in models:
        top = Table(source, structured.root(source))
        module = primus.module(source, "megatron")
        words = _recipe(top) if module is None else _experiment(module, found)
        variables = top.table("ENV_VARS") or top.table("env")
        environment.fill(
            words, {key: value for key in variables.names() if (value := variables.get(key)) is not None}, found
        )
        found.add(fragment(source, words))
        structured.close(source, IMMATERIAL | OF_PRIMUS, _normal)
    return found


def _recipe(top: Table) -> Words:
    words: Words = {"framework": start(top.source).but("megatron", "the file is Megatron's").as_text()}
    mode = top.get("MODE")
    if mode is not None and mode.text in MODES:
        words["kind"] = mode.but(MODES[mode.text], f"MODE {mode.text}").as_text()
    words |= arguments.words(_given_arguments(top.table("MODEL_ARGS")))
    arguments.fill_defaults(words, start(top.source))
    return words


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
    saving = given.at("save")
    if saving is not None and saving.scalar() is None:
        values.pop("save_interval", None)
        at = Value("", module.source, saving.start, saving.end)
        put(words, "checkpoint/mode", at.but("none", "save is null", How.DERIVED).as_text())
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
