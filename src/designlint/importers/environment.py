"""Environment variables that a job starts with: those that the design language has words for, and NCCL's others as facts."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from designlint.importers import checked, defaults
from designlint.importers.base import put
from designlint.importers.workloads import count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Fragment, Value, Words

#: How NCCL's variables begin.
PREFIX = "NCCL_"
#: Adapters by their whole names, not by how they begin, and none left out.
LISTED = re.compile(r"=?\w+_\d+(?::\d+)?(?:,\w+_\d+(?::\d+)?)+\Z")

#: A number with more behind it, of which only the digits count.
CUT_SHORT = re.compile(r"(?!0[xX])\d+(?:\.\d+)? ?[A-Za-z]+")


@cache
def _variables(table: str) -> frozenset[str]:
    """Variables of `ontology/tools/environment.yaml`."""
    return frozenset(defaults.tool("environment").tables["variables"][table].split())


def counts() -> frozenset[str]:
    """The variables that the design language has words for and that hold a count."""
    return _variables("counts")


def known_variables() -> frozenset[str]:
    """The variables that the design language has words for."""
    return _variables("counts") | _variables("texts")


@cache
def _log_levels() -> frozenset[str]:
    """Levels of NCCL's log; it takes any other word for none."""
    return frozenset(defaults.tool("nccl").tables["debug"]["levels"])


def _report(variables: Mapping[str, Value], fragment: Fragment) -> None:
    """Notes values that NCCL and libfabric refuse, and variables that look like one of NCCL's and are none."""
    tool = defaults.tool("nccl")
    checked.report(variables, fragment, tool)
    endings = tuple(str(tool.tables["numbers"]["endings"]).split())
    for name, one in variables.items():
        if name.startswith(PREFIX) and name.endswith(endings) and CUT_SHORT.fullmatch(one.text):
            fragment.clash("import/not-a-value", one, text=one.text[:40], wanted="a whole number without a unit")
    single = {name: one for name, one in variables.items() if one.text.isidentifier()}  # no list, no layers
    checked.report(single, fragment, defaults.tool("libfabric"))
    names = [one for one in variables if one.startswith(PREFIX)]
    for name, near in checked.misspelt(names, str(tool.tables["variables"]["names"]).split(), shortened=False):
        fragment.clash("import/misspelt-key", variables[name], name=name[:60], proposal=near, tool=tool.name)


def tells(name: str) -> bool:
    """Whether a variable says something about communication."""
    return name.startswith(tuple(_variables("beginnings")))


def fill(words: Words, variables: Mapping[str, Value], fragment: Fragment | None = None) -> None:
    """The environment of a workload; NCCL's variables without a word become facts."""
    if fragment is not None:
        _report(variables, fragment)
    for name, value in variables.items():
        if not value.text or not tells(name):
            continue
        if fragment is not None and name == "NCCL_IB_HCA" and LISTED.match(value.text):
            fragment.fact("adapters", value.but(value.text.count(",") + 1, "named by NCCL_IB_HCA"))
        if fragment is not None and name == "NCCL_COLLNET_ENABLE" and value.text == "1":
            fragment.fact("in network reduction", value.but("sharp", "NCCL_COLLNET_ENABLE 1"))
        known = name in known_variables()
        if fragment is not None and not known:
            fragment.fact(name, value)
            continue
        word = f"environment/{name.lower()}"
        if name in counts():
            put(words, word, count(value))
        elif name == "NCCL_DEBUG" and value.text.isalpha() and value.text.upper() not in _log_levels():
            continue
        elif known:
            put(words, word, value.but(value.text.lower() if name == "NCCL_DEBUG" else value.text).as_text())
