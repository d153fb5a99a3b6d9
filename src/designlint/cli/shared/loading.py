"""One design for the commands that look into it; what is wrong with its text is said, not passed over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from designlint import figures
from designlint.cli.shared.terminal import fault
from designlint.figures.shared.figure import Figure, Omission
from designlint.language.sentences import many
from designlint.language.values import instead
from designlint.linting import pipeline
from designlint.reading.discovery import discover
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from designlint.design.design import Design


def load_design(file: str) -> Design:
    """
    The design in a file, or the only one in a folder.

    Raises UsageError where its text is broken; faults of its shape are told on standard error.
    """
    design = pipeline.load(single(file))
    shown = design.document.file
    if design.document.root is None or not design.document.complete:
        raise UsageError(f"{shown}: the file is broken; `designlint check` says where")
    if design.problems:
        fault(f"{shown} has {many(len(design.problems), 'fault')}; `designlint check` names each")
    return design


def single(path: str) -> str:
    """The design that a folder holds; a file is itself. Raises UsageError."""
    if not Path(path).is_dir():
        return path
    found = list(discover([path]))
    if len(found) != 1:
        raise UsageError(f"{path} holds {len(found)} designs; name one of them")
    return found[0]


def draw_figure(file: str, name: str) -> Figure:
    """The figure of a design by its name, or by its kind where there is one of it. Raises UsageError."""
    design = load_design(file)
    kind = next((one for one in figures.kinds() if name == one or name.startswith(f"{one}-")), None)
    if kind is None:
        hint = instead(name, figures.kinds(), ".")
        raise UsageError(f"--figure: there is no figure `{name}`{hint} There are {', '.join(figures.kinds())}")
    report = pipeline.lint(design.document, design.engine, repair=False, margins=True).report()
    found = figures.draw_figures(kind, design, report)
    there = [one for one in found if isinstance(one, Figure)]
    chosen = [one for one in there if one.name == name] or (there if name == kind else [])
    if len(chosen) == 1:
        return chosen[0]
    if chosen:
        raise UsageError(f"--figure: there are several: {', '.join(one.name for one in chosen)}")
    for one in found:
        if isinstance(one, Omission) and one.name.startswith(name):
            raise UsageError(f"--figure: {one.name} cannot be drawn: {one.reason}")
    raise UsageError(f"--figure: the design has no `{name}`; it has {', '.join(one.name for one in found)}")
