"""Picotron's JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, Source, Words, put
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import fill_words, number_format, of_framework, took

if TYPE_CHECKING:
    from designlint.importers.base import Context

TITLE = "Picotron configuration"
JOBS = True
TOOLS = ("picotron",)
#: Its pipeline engines as the design language calls these schedules: all forward passes first, or one of each in turn.
SCHEDULES = {"afab": "gpipe", "1f1b": "1f1b"}


def sure(source: Source) -> int:
    """8 where the degrees stand as only Picotron calls them."""
    if '"tp_size"' not in source.text[:20_000] or '"pp_engine"' not in source.text[:20_000]:
        return 0
    return 8 if structured.keys(source) >= {"distributed", "training", "model"} else 0


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training; what the named model says stays unknown."""
    table = Table(source, structured.root(source))
    words = of_framework(source, "picotron")
    fill_words(words, table, "picotron")
    put(words, "precision/matmul", number_format(table.get("model/dtype")))
    engine, name = table.get("distributed/pp_engine"), table.get("model/name")
    if engine is not None and engine.text in SCHEDULES:
        put(words, "parallelism/schedule", engine.but(SCHEDULES[engine.text], f"pp_engine {engine.text}").as_text())
    if name is not None:
        found.fact("model name", name)
        why = f"{name.text} states it in its config.json, which is not here"
        found.unknown("workloads/model", why, "designlint import FILE config.json", name)
    degrees = [took(words, f"parallelism/{one}") for one in ("data", "tensor", "pipeline", "context")]
    data = table.get("distributed/dp_size")
    if data is not None and all(degrees):
        total = math.prod(one or 1 for one in degrees)
        put(words, "runs_on/gpus", data.but(total, "data x tensor x pipeline x context"))
    put(words, "name", table.get("logging/run_name"))
    return words
