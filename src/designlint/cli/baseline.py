"""`designlint baseline`: the findings that a repository starts with."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from designlint import baseline, discovery, engine, pipeline
from designlint.baseline import Checked
from designlint.cli import put
from designlint.cli.choosing import options
from designlint.configuration import Policy
from designlint.errors import UsageError
from designlint.reporters.text import printable
from designlint.source.writing import put as write

if TYPE_CHECKING:
    from designlint.model import Report

command = typer.Typer(help="Accept the findings that a repository starts with.", no_args_is_help=True)

PATHS = Annotated[list[str] | None, typer.Argument(help="Designs, and folders that are searched for them.")]
FILE = Annotated[Path, typer.Option("--baseline", help="The file of the baseline.")]
RULES = Annotated[list[Path] | None, typer.Option(help="A further folder of rules; repeatable.")]
TODAY = Annotated[str, typer.Option(help="Judge as of this day, YYYY-MM-DD.")]
HERE = Path(baseline.NAME)


@command.command("create")
def create(
    paths: PATHS = None,
    file: FILE = HERE,
    rules: RULES = None,
    today: TODAY = "",
    force: Annotated[bool, typer.Option("--force", help="Replace a baseline that is there.")] = False,
) -> None:
    """Write a baseline of all present findings; only what is new or gets worse counts from then on."""
    if file.exists() and not force:
        raise UsageError(
            f"{file} exists already: `designlint baseline prune` takes out what is gone, --force starts anew"
        )
    report, checked = _checked(paths, rules, today)
    made, refused = baseline.created(report, file, checked, baseline.read(file).entries if file.exists() else {})
    write(file, made.written().encode())
    put(f"{file}: {_many(len(made.entries), 'finding')} of {_many(len(report.files), 'design')}")
    if refused:
        print(f"designlint: {_many(refused, 'finding')} that nobody may waive still count", file=sys.stderr)


@command.command("prune")
def prune(paths: PATHS = None, file: FILE = HERE, rules: RULES = None, today: TODAY = "") -> None:
    """Take out what is no longer found, and note values that became better; nothing is ever added."""
    held = baseline.read(file)
    report, checked = _checked(paths, rules, today)
    left, gone, tighter = baseline.pruned(report, held, checked)
    if gone or tighter:
        write(file, left.written().encode())
    put(f"{file}: {gone} removed, {tighter} tightened, {len(left.entries)} left")


@command.command("show")
def show(file: FILE = HERE) -> None:
    """List what a baseline holds, rule by rule."""
    held = baseline.read(file)
    counted = Counter(key[1] for key in held.entries)
    lines: list[str] = []
    for rule, number in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"{number:>5}  {rule}")
        for key, entry in sorted(held.entries.items()):
            if key[1] == rule:
                told = (
                    key[0],
                    "/".join(filter(None, key[2:])),
                    entry.stated.get("measured"),
                    entry.stated.get("reason"),
                )
                lines.append("         " + "  ".join(str(one) for one in told if one))
    put(printable_lines([*lines, f"{_many(len(held.entries), 'finding')} of {_many(len(counted), 'rule')}"]))


def printable_lines(lines: list[str]) -> str:
    """Lines without what would steer a terminal."""
    return "\n".join(map(printable, lines))


def _checked(paths: list[str] | None, rules: list[Path] | None, today: str) -> tuple[Report, Checked]:
    policy, named = Policy(options(rules=rules, today=today)), paths or ["."]
    if discovery.STDIN in named:
        raise UsageError("a baseline is of files, not of standard input")
    known, reports = dict(engine.shipped().rules), []
    for document in map(discovery.open_document, discovery.discover(named)):
        chosen = policy.engine(document.file)
        known |= chosen.rules
        reports.append(pipeline.lint(document, chosen, repair=False).report())
    return pipeline.report(reports), Checked(named, known)


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
