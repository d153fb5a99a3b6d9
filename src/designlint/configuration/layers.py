"""Lays configurations over one another for one design: the extended file, the file, its overrides, the command line."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from designlint.configuration import checks, discovery, paths
from designlint.configuration.source import ConfigurationFile, display_path, open_configuration
from designlint.configuration.tables import ConfigurationTable, Layer
from designlint.reading.bases import DEEPEST
from designlint.rules.settings import Settings


def effective(file: Path | None, design: str, given: Settings) -> Settings:
    """The settings of a design. Raises AuthoringError at a file, UsageError at an option."""
    layers = chain(file) if file is not None else ()
    checks.words(layers, given)
    settings = Settings()
    for layer in layers:
        settings = settings.overlay(layer.top)
        relative = os.path.relpath(os.path.abspath(design), layer.file.parent).replace(os.sep, "/")  # noqa: PTH100
        for one in layer.overrides:
            if any(paths.matches(pattern, relative) for pattern in one.paths):
                settings = settings.overlay(one.settings)
    return settings.overlay(given)


def chain(file: Path) -> tuple[Layer, ...]:
    """A file and those that it extends, the lowest first. Raises AuthoringError."""
    boundary = discovery.boundary(file)
    sources = [open_configuration(file)]
    while True:
        below = ConfigurationTable(sources[-1], boundary).extended_file()
        if below is None:
            return tuple(_layer(one, boundary) for one in reversed(sources))
        below = Path(os.path.abspath(below))  # noqa: PTH100
        if any(below.samefile(one.path) for one in sources) or len(sources) == DEEPEST:
            told = " -> ".join([*(one.shown for one in sources), display_path(below)])
            raise sources[-1].error(f"configurations extend each other in a cycle: {told}", "extend")
        sources.append(open_configuration(below))


@lru_cache(maxsize=256)
def _layer(source: ConfigurationFile, boundary: Path) -> Layer:
    table = ConfigurationTable(source, boundary)
    return Layer(source.path, table.top(), tuple(table.overrides()))
