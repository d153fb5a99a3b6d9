"""`designlint diff DESIGN --built FILES`: a fabric as built against the fabric as designed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from designlint import reporters
from designlint.cli.shared.loading import single
from designlint.cli.shared.terminal import complain, is_colored, print_text
from designlint.cli.shared.verdict import failing
from designlint.comparing.asbuilt import files
from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.reading.discovery import open_document
from designlint.reading.errors import UsageError
from designlint.reporters.shared.options import RenderOptions
from designlint.rules.settings import FailOn
from designlint.views import asbuilt as views

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.comparing.asbuilt.comparison import AsBuiltComparison
    from designlint.configuration import Policy
    from designlint.design.design import Design


#: Files of a discovery that a heading names.
MOST_SHOWN = 4


class BuiltOptions(NamedTuple):
    """The files of the discovery, and the options of the command."""

    built: Sequence[str]
    fabric: str
    names: str
    figure: str
    format: str


def files_of(named: Sequence[str]) -> list[str]:
    """The files of a discovery: those named, and all within the folders named, hidden ones aside."""
    found: list[str] = []
    for one in named:
        inside = Path(one).rglob("*") if Path(one).is_dir() else None
        files = [str(path) for path in sorted(inside) if path.is_file() and path.name[0] != "."] if inside else [one]
        if not files:
            raise UsageError(f"{one}: the folder is empty")
        found += files
    return found


def compare(policy: Policy, path: str, asked: BuiltOptions) -> bool:
    """Print how a built fabric differs from its design; whether that fails the run."""
    path = single(path)
    settings = policy.settings(path)
    design = read_design(open_document(path), engine.configure_engine(settings))
    found = files.against(design, asked.built, fabric=asked.fabric, names=asked.names)
    fabric = f", fabric {found.design.fabric}" if found.design.fabric else ""
    head = f"{path}{fabric}, as built in {_list_files(asked.built)}"
    if asked.format == "text":
        print_text(views.text(found, head, color=is_colored()), styled=True)
    else:
        print_text(_render(found, design, asked, head))
    if asked.figure:
        if not fabric:
            raise UsageError(f"--figure draws a fabric; {_list_files(asked.built)} describes none")
        from designlint.views import asbuilt_figure

        Path(asked.figure).write_text(asbuilt_figure.draw(found, design).svg, "utf-8")
        complain(f"Wrote {asked.figure}")
    least = FailOn(settings.fail_on or FailOn.ERROR)
    if least is FailOn.NEVER:
        return False
    lost = least is FailOn.UNKNOWN and any(None in one for one in found.counts.values())
    return lost or any(one.finding.severity in failing(least) for one in found.differences)


def _render(found: AsBuiltComparison, design: Design, asked: BuiltOptions, head: str) -> str:
    """The comparison for tools and tickets."""
    if asked.format == "markdown":
        return views.markdown(found, head)
    if asked.format == "sarif":
        return reporters.render("sarif", views.report(found, design, asked.built), RenderOptions())
    told = {"design": design.document.file, "built": list(asked.built)} | views.data(found)
    return json.dumps(told, indent=2, ensure_ascii=False)


def _list_files(files: Sequence[str]) -> str:
    """The files, cut after a few."""
    more = len(files) - MOST_SHOWN
    return ", ".join(files) if more <= 1 else f"{', '.join(files[:MOST_SHOWN])} and {more} more files"
