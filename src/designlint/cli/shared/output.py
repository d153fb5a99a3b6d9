"""Where a report goes: `--format X` to standard output, `--format X=FILE` to a file, as many as are asked for."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from designlint import reporters
from designlint.cli.shared.terminal import Color, complain, is_colored, linking, print_text
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.findings.report import Report
    from designlint.reporters.shared.options import RenderOptions


class Target(NamedTuple):
    """A format and the file that gets it; None is standard output."""

    format: str
    file: Path | None


def targets(asked: Sequence[str]) -> list[Target]:
    """What `--format` asks for; where it is not given, annotations inside a GitHub workflow, else text. Raises UsageError."""
    usual = "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"
    chosen = [_target(one) for one in asked or (usual,)]
    printed = [one.format for one in chosen if one.file is None]
    if len(printed) > 1:
        raise UsageError(
            f"only one format can go to standard output, not {' and '.join(printed)}: "
            f"write the others to files, as in --format {printed[-1]}=FILE"
        )
    files = [one.file.resolve() for one in chosen if one.file is not None]
    for file in files:
        if files.count(file) > 1:
            raise UsageError(f"{file}: two formats cannot go to one file")
        if file.is_dir():
            raise UsageError(f"{file}: a folder; --format requires a file to write to")
    return chosen


def _target(text: str) -> Target:
    format, joined, file = text.partition("=")
    known = reporters.names()
    if format not in known:
        from designlint.language.values import instead

        hint = instead(format, known, ".")
        raise UsageError(f"--format: there is no format `{format}`{hint} There are {', '.join(known)}")
    if joined and not file:
        raise UsageError(f"--format {text} names no file")
    return Target(format, Path(file) if file and file != "-" else None)


def deliver(report: Report, wanted: Sequence[Target], options: RenderOptions, color: Color | None = None) -> None:
    """Write the report everywhere it is wanted. Raises: UsageError where a design would be overwritten; OSError."""
    designs = {Path(file).resolve() for file in report.texts}
    for format, file in wanted:
        if file is None:
            shown = replace(options, color=is_colored(wanted=color), links=linking())
            print_text(reporters.render(format, report, shown), commands=format == "github", styled=True)
            continue
        if file.resolve() in designs:
            raise UsageError(f"{file}: refusing to overwrite a design with a report")
        from designlint.reading import writing

        text = reporters.render(format, report, options)
        writing.write_file(file, encode(text if text.endswith("\n") else text + "\n"))
    if any(one.format == "github" for one in wanted):
        _summarise(report, options)
    if all(one.file is not None for one in wanted):
        from designlint.reporters import text as words
        from designlint.reporters.shared.terminal import painter

        complain(words.count_findings(report, painter(color=is_colored(sys.stderr, color))), styled=True)


def _summarise(report: Report, options: RenderOptions) -> None:
    """Add the report to the page of a GitHub job, where there is one."""
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    if page:
        with Path(page).open("ab") as stream:
            stream.write(encode(reporters.render("markdown", report, options)))


def encode(text: str) -> bytes:
    """Text as UTF-8; what it cannot hold is escaped."""
    return text.encode("utf-8", "backslashreplace")
