"""`designlint import`: what foreign files say, as a design to own."""  # noqa: N999  named after the command

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from designlint import importers
from designlint.cli.shared.choosing import pairs
from designlint.cli.shared.terminal import Exit, complain, print_text
from designlint.configuration import engine
from designlint.findings.model import Problem
from designlint.importers import writing
from designlint.judging import findings
from designlint.language.sentences import many
from designlint.reading.errors import UsageError
from designlint.reading.writing import write_file as put_file
from designlint.running import setting
from designlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.findings.model import Finding
    from designlint.importers import Account, Imported
    from designlint.rules.engine import Engine

#: Lines that are not understood, of each file, that the summary shows.
SHOWN = 3


def command(
    files: Annotated[list[str], typer.Argument(help="Files to read together; formats are recognised by content.")],
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the design to this file instead of standard output."
        ),
    ] = "",
    format: Annotated[
        str,
        typer.Option(
            metavar="FORMAT",
            help=f"The format of all files, instead of the recognised one: {', '.join(importers.names())}.",
            autocompletion=importers.names,
        ),
    ] = "",
    set: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A script variable, or nodes=64; repeatable."),
    ] = None,
    lines: Annotated[bool, typer.Option("--lines", help="List every line that was not understood.")] = False,
    overwrite: Annotated[bool, typer.Option("--force", help="Overwrite an existing design.")] = False,
) -> None:
    """Read configurations, discovery dumps, launch scripts and manifests; write a design with the source of every value."""
    if format and format not in importers.names():
        raise UsageError(f"--format: `{format}` is not one of {', '.join(importers.names())}")
    chosen = engine.shipped_engine()
    given = pairs(set or ())
    found = importers.import_files(
        files,
        format=format or None,
        settings=given,
        catalogued=chosen.vocabulary.catalogue_name,
    )
    if given and not found.refused:
        setting.refuse([found], given)
    text = writing.text(found, __version__)
    told = list(_notes(found, chosen, every=lines))
    if not found.sources:
        complain("\n".join(told))
        sys.exit(Exit.COULD_NOT_RUN)
    if output:
        told += _write(Path(output), text, overwrite)
    else:
        print_text(text)
    complain("\n".join(told))
    sys.exit(Exit.COULD_NOT_RUN if found.refused else Exit.FINDINGS if found.clashes else Exit.CLEAN)


def _notes(found: Imported, chosen: Engine, *, every: bool) -> Iterator[str]:
    """What a person must know besides the design: contradictions, refusals, lines that were not understood."""
    for finding in contradictions(found, chosen):
        at = finding.location
        yield f"{at.file}:{at.line}:{at.column}: {finding.severity}: {finding.message} [{finding.rule}]"
    for refused in found.refused:
        yield f"{refused.file}:{refused.line}: not read: {refused.why}. {refused.remedy}".rstrip()
    for account, source in zip(found.accounts(), found.sources, strict=True):
        kind = found.formats.get(account.file, "included")
        yield _summary(account, kind)
        shown = account.unclear if every else account.unclear[:SHOWN]
        for number in shown:
            yield f"  {account.file}:{number}: {source.document.line(number).strip()[:100]}"
    if found.unknowns:
        count = len(found.unknowns)
        yield f"{count} {'value is' if count == 1 else 'values are'} unknown; comments in the design say why and how to find out"
    if not every and any(len(one.unclear) > SHOWN for one in found.accounts()):
        yield f"To list them all: designlint import --lines {' '.join(found.formats)}"


def _summary(account: Account, kind: str) -> str:
    unclear = len(account.unclear)
    end = f"{unclear} not understood" + (":" if unclear else "")
    counts = f"{account.understood} understood, {account.immaterial} irrelevant to a design, {end}"
    return f"{account.file} ({kind}, {many(account.lines, 'line')}): {counts}"


def contradictions(found: Imported, chosen: Engine) -> list[Finding]:
    """What the files contradict, as findings."""
    problems = [
        Problem(one.rule, one.at.source.document, one.at.start, max(one.at.end, one.at.start + 1), one.values)
        for one in found.clashes
        if one.rule in chosen.rules
    ]
    return [findings.of_problem(one, chosen) for one in problems]


def _write(path: Path, text: str, overwrite: bool) -> list[str]:
    """Write the design; over one that is there only where asked for, and else tell what would change in it."""
    from designlint.importers import differences

    try:
        old = path.read_text("utf-8") if path.exists() else None
        if old is not None and not overwrite:
            changes = differences.between(old, text)
            differ = "1 value differs" if len(changes) == 1 else f"{len(changes)} values differ"
            kept = f"{path} exists and was not changed: {differ}; use --force to overwrite it"
            return [*changes, kept if changes else f"{path} is up to date"]
        put_file(path, text.encode())
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from None
    return [f"Wrote {path}. Next: designlint check {path}"]
