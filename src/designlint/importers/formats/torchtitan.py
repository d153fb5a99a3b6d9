"""TorchTitan's job configuration: its own TOML, and the overrides of Primus' experiments with TorchTitan."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, Source
from designlint.importers.frameworks import primus, torchtitan
from designlint.importers.notations import structured, toml
from designlint.importers.workloads import fragment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "TorchTitan configuration"
JOBS = True


def sure(source: Source) -> int:
    """8 where at least three of TorchTitan's sections stand, and for an experiment of Primus."""
    return 8 if primus.module(source, "torchtitan") is not None or torchtitan.is_torchtitan(source) else 0


def read(source: Source, context: Context) -> Source:
    """The file itself."""
    if primus.module(source, "torchtitan") is None:
        toml.root(source)
    return source


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A workload for each file."""
    found = Fragment()
    for source in models:
        module = primus.module(source, "torchtitan")
        if module is None:
            found.add(torchtitan.workload(source, found))
            continue
        words = partial(torchtitan.read_sections, facts=found, shipped=False)
        found.add(fragment(source, primus.workload(source, module, found, words)))
        structured.close(source, "torchtitan", "primus")
    return found
