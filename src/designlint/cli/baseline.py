"""`designlint baseline`: the findings that a repository starts with."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from designlint.cli.shared.choosing import options
from designlint.cli.shared.common import Rules, Today
from designlint.cli.shared.terminal import fault, print_text
from designlint.configuration import Policy, engine
from designlint.language.sentences import many
from designlint.linting import pipeline
from designlint.reading import discovery
from designlint.reading.errors import UsageError
from designlint.reading.writing import write_file as write
from designlint.reporters.shared.terminal import printable
from designlint.running import jobs
from designlint.suppressions import baseline
from designlint.suppressions.baseline import Checked

if TYPE_CHECKING:
    from designlint.findings.report import Report

command = typer.Typer(help="Accept existing findings, so that only new ones count.", no_args_is_help=True)

PATHS = Annotated[list[str] | None, typer.Argument(help="Designs, or folders to search.")]
FILE = Annotated[Path, typer.Option("--baseline", help="Baseline file.")]
DESIGN = Annotated[str, typer.Option(metavar="FILE", help="Check jobs against the cluster of this design.")]
HERE = Path(baseline.NAME)


@command.command("create")
def create(
    paths: PATHS = None,
    file: FILE = HERE,
    rules: Rules = None,
    today: Today = "",
    design: DESIGN = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing baseline.")] = False,
) -> None:
    """Write a baseline of all current findings; from then on only new or worse ones count."""
    if file.exists() and not force:
        raise UsageError(
            f"{file} exists already: `designlint baseline prune` removes entries that are gone, --force starts over"
        )
    report, checked = _check(paths, rules, today, design)
    made, refused = baseline.create_baseline(
        report, file, checked, baseline.read_baseline(file).entries if file.exists() else {}
    )
    write(file, made.write_text().encode())
    print_text(f"{file}: {many(len(made.entries), 'finding')} of {many(len(report.files), 'design')}")
    if refused:
        fault(f"{many(refused, 'finding')} that cannot be waived still count")


@command.command("prune")
def prune(paths: PATHS = None, file: FILE = HERE, rules: Rules = None, today: Today = "", design: DESIGN = "") -> None:
    """Remove what is no longer found and record better values; nothing is added."""
    held = baseline.read_baseline(file)
    report, checked = _check(paths, rules, today, design)
    left, gone, tighter = baseline.prune_baseline(report, held, checked)
    if gone or tighter:
        write(file, left.write_text().encode())
    print_text(f"{file}: {gone} removed, {tighter} tightened, {len(left.entries)} left")


@command.command("show")
def show(file: FILE = HERE) -> None:
    """List the findings in a baseline, by rule."""
    held = baseline.read_baseline(file)
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
    print_text(printable_lines([*lines, f"{many(len(held.entries), 'finding')} of {many(len(counted), 'rule')}"]))


def printable_lines(lines: list[str]) -> str:
    """Lines without what would steer a terminal."""
    return "\n".join(map(printable, lines))


def _check(paths: list[str] | None, rules: list[Path] | None, today: str, cluster: str) -> tuple[Report, Checked]:
    policy, named = Policy(options(rules=rules, today=today)), paths or ["."]
    if discovery.STDIN in named:
        raise UsageError("a baseline covers files, not standard input")
    known, reports = dict(engine.shipped_engine().rules), []
    designs, tasks = jobs.JobFileSearch(cluster, {}, policy.settings).find(named)
    for document in map(discovery.open_document, designs):
        chosen = policy.engine(document.file)
        known |= chosen.rules
        reports.append(pipeline.lint(document, chosen, repair=False).report())
    for task in tasks:
        settings = policy.settings(task.file)
        known |= engine.configure_engine(settings).rules
        reports.append(jobs.judge_job_file(task, settings, repair=False))
    return pipeline.report(reports), Checked(named, known)
