"""Megatron-LM's own test recipes: a YAML mapping of its arguments under MODEL_ARGS, and of the environment under ENV_VARS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import environment
from designlint.importers.base import Fragment, Source, Value, Words
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


def sure(source: Source) -> int:
    """8 where the top has MODEL_ARGS."""
    return 8 if "MODEL_ARGS" in structured.keys(source, "MODEL_ARGS") else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A workload for each file."""
    found = Fragment()
    for source in models:
        top = Table(source, structured.root(source))
        given = top.table("MODEL_ARGS")
        named = {_normal(key): key for key in given.names()}
        wanted = names.understood()
        values = {
            name: value for name, key in named.items() if name in wanted and (value := _value(given, key)) is not None
        }
        words: Words = {"framework": start(source).but("megatron", "the file is Megatron's").named()}
        mode = top.get("MODE")
        if mode is not None and mode.text in MODES:
            words["kind"] = mode.but(MODES[mode.text], f"MODE {mode.text}").named()
        words |= arguments.words(values)
        arguments.defaulted(words, start(source))
        variables = top.table("ENV_VARS")
        environment.fill(
            words, {key: value for key in variables.names() if (value := variables.get(key)) is not None}, found
        )
        found.add(fragment(source, words))
        structured.close(source, IMMATERIAL, _normal)
    return found


def _normal(key: str) -> str:
    return key.lstrip("-").replace("-", "_").lower()


def _value(table: Table, key: str) -> Value | None:
    node = table.at(key)
    if node is not None and node.kind == "list":
        listed = scalars(table.source, node)
        return listed[0].but(" ".join(one.text for one in listed)) if listed else None
    return table.get(key)
