"""The header of a batch script: its own, or that of a batch script which it writes and hands to sbatch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import How, Value
from designlint.importers.jobs import header_values, requests
from designlint.importers.shell import header
from designlint.importers.shell.pieces import Piece
from designlint.importers.shell.submitted import documents
from designlint.importers.shell.syntax import parse_script
from designlint.language.sentences import many

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Context, Fragment, Source
    from designlint.importers.shell.pieces import Text
    from designlint.importers.shell.record import Script


def options(source: Source, context: Context, found: Fragment) -> tuple[dict[str, Value], Value | None]:
    """The options of all components of the job, those that `--set` gives first, and their servers together."""
    stated, total = _together(header.components(source), found)
    for key, option in requests.SETTINGS.items():
        if key in context.settings:
            note = f"--set {key}={context.settings[key]}"
            stated[option] = Value(context.settings[key], source, 0, 0, How.STATED, note)
    return stated, total


def submitted_options(script: Script, found: Fragment) -> tuple[dict[str, Value], Value | None]:
    """The same of the only batch script that a script writes and submits, whose steps see what Slurm makes of them."""
    written = documents(script)
    stated, total = _together(header.written_options(written[0]), found) if len(written) == 1 else ({}, None)
    script.scheduled |= variables(stated)
    return stated, total


def variables(stated: Mapping[str, Value]) -> dict[str, Text]:
    """The variables that Slurm sets in a job with these options."""
    found = requests.variables(stated).items()
    return {name: (Piece(one.text, one.source, one.start, one.end, one.how, one.note),) for name, one in found}


def report_header(source: Source, found: Fragment) -> None:
    """Notes options that Slurm passes over, as they come after the first command or stand twice, and no interpreter."""
    if "#SBATCH" not in source.text:
        return
    for name, line, at in header.repetitions(source):
        found.clash("import/key-twice", at, name=f"--{name}", line=line)
    first = source.text.find(header.MARK)
    if not source.text.startswith("#!") and header.components(source) != [{}]:
        at = Value("", source, first, first + len(header.MARK))
        found.clash("import/no-interpreter", at, line=source.document.line(1).strip()[:40])
    command, places = header.late(parse_script(source))
    if places:
        count = len(places) - 1
        more = f" and {many(count, 'more option')}" if count else ""
        found.clash("import/option-after-command", places[0], text=places[0].text.strip()[:60], more=more, line=command)


def _together(parts: list[dict[str, Value]], found: Fragment) -> tuple[dict[str, Value], Value | None]:
    for part in parts:
        header_values.report(part, found)
    return requests.together(parts)
