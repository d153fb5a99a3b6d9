"""Primus' experiments: overrides of a framework's settings, whose other values stand in files of Primus."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, How, Source, Value, Words, put
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table

if TYPE_CHECKING:
    from collections.abc import Callable

#: The modules that train.
MODULES = ("pre_trainer", "post_trainer", "sft_trainer")
#: What a value is that the environment may set.
SETTABLE = re.compile(r"\$\{(\w+):([^}]*)\}")


class Overrides(Table):
    """A mapping whose values may be `${NAME:default}`: NAME replaces the default where it is set."""

    def table(self, path: str) -> Overrides:
        """The mapping at a path; an empty one where there is none."""
        return Overrides(self.source, super().table(path).node)

    def get(self, *paths: str) -> Value | None:
        """The scalar at the first path that has one, with its default; None where only the environment says it."""
        value = super().get(*paths)
        return None if value is None else settable(value)


def module(source: Source, framework: str) -> Table | None:
    """The module of an experiment that trains with a framework; None where the file is no such experiment."""
    if "overrides" not in source.text or "modules" not in structured.keys(source, "overrides"):
        return None
    modules = Table(source, structured.root(source)).table("modules")
    for name in MODULES:
        stated = modules.get(f"{name}/framework")
        if stated is not None and stated.text == framework and modules.at(f"{name}/overrides") is not None:
            return modules.table(name)
    return None


def workload(source: Source, module: Table, found: Fragment, words: Callable[[Table], Words]) -> Words:
    """The workload of an experiment: what its overrides say; the model and all else stand in other files."""
    model = module.get("model")
    found.fact("model file", model)
    if model is not None:
        why = f"{model.text} states it in a file of Primus that is not here"
        found.unknown("workloads/model", why, "the configuration that Primus prints at the start", model)
    stated = words(Overrides(source, module.table("overrides").node))
    put(stated, "name", Overrides(source, structured.root(source)).get("exp_name"))
    return stated


def settable(value: Value) -> Value | None:
    """A value with the default of `${NAME:default}` in it, which NAME may replace; None where it says nothing."""
    name = SETTABLE.search(value.text)
    if name is None:
        return None if "${" in value.text else value
    text = SETTABLE.sub(lambda one: one[2], value.text)
    said = text not in ("", '""', "null")
    return value.but(text, f"the file's own, unless {name[1]} is set", How.DEFAULT) if said else None
