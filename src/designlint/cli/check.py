"""`designlint check`: the findings on designs."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from designlint import checking, discovery, engine, pipeline, reporters
from designlint.cli import Exit, output, put, watch
from designlint.cli.wish import wish
from designlint.errors import UsageError
from designlint.model import Fixed, Report, Severity, Verdict
from designlint.reporters import Manner
from designlint.settings import Settings
from designlint.values import is_date

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import typer

    from designlint.engine import Engine
    from designlint.since import Since
    from designlint.source import Document

#: Progress is shown where a run has already taken so many seconds.
PATIENCE = 2.0


#: Seconds that a run with a rule pack may take.
HANGS = 300


class FailOn(StrEnum):
    """The least that makes the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    UNKNOWN = "unknown"
    NEVER = "never"


def command(
    paths: Annotated[
        list[str] | None, typer.Argument(help="Designs, folders that are searched for them, or `-`.")
    ] = None,
    format: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORMAT[=FILE]",
            help=f"How the report is written, and where to; repeatable. One of {', '.join(reporters.names())}.",
            autocompletion=reporters.names,
        ),
    ] = None,
    fail_on: Annotated[FailOn, typer.Option(help="The least that makes the exit code 1.")] = FailOn.ERROR,
    margins: Annotated[
        bool, typer.Option("--margins", help="List what is nearest to its limit, passed or failed.")
    ] = False,
    since: Annotated[
        str, typer.Option(metavar="REVISION", help="Only what the change since this git revision causes.")
    ] = "",
    rules: Annotated[list[Path] | None, typer.Option(help="A further folder of rules; repeatable.")] = None,
    fix: Annotated[
        str,
        typer.Option(
            metavar="[=RULES]",
            help="Make the safe fixes, of some rules only with --fix=RULE,topic,... and write the files.",
        ),
    ] = "",
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="Make fixes that may change what is meant, too.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what would be fixed, and write nothing.")] = False,
    interactive: Annotated[bool, typer.Option("-i", "--interactive", help="With --fix: ask about each fix.")] = False,
    today: Annotated[str, typer.Option(help="Judge as of this day, YYYY-MM-DD; evidence runs out.")] = "",
    no_waivers: Annotated[
        bool, typer.Option("--no-waivers", help="Show all findings, as if nothing were waived.")
    ] = False,
    baseline: Annotated[
        str, typer.Option(metavar="FILE", help="Accept the findings in this file, see `designlint baseline`.")
    ] = "",
    no_baseline: Annotated[
        bool, typer.Option("--no-baseline", help="Show all findings, as without a baseline.")
    ] = False,
    show_accepted: Annotated[
        bool, typer.Option("--show-accepted", help="List waived and baselined findings too, marked as such.")
    ] = False,
    statistics: Annotated[
        bool,
        typer.Option("--statistics", help="Findings and time by rule and phase, in place of the findings; or as JSON."),
    ] = False,
    jobs: Annotated[int, typer.Option(min=0, help="Processes that share the work; 0 for as many as pay.")] = 0,
    stdin_filename: Annotated[str, typer.Option(help="Name of the design given on standard input.")] = "<stdin>",
    designs_only: Annotated[
        bool, typer.Option("--designs-only", help="Pass over files that are no designs; that none is left is no error.")
    ] = False,
) -> None:
    """Check designs. Exit code 0: nothing at or above --fail-on; 1: findings; 2: could not run; 3: a bug of designlint."""
    wanted = output.targets(format or ())
    mending = wish(fix, unsafe=unsafe_fixes, diff=diff, ask=interactive)
    if today and not is_date(today):
        raise UsageError(f"--today: `{today}` is no day such as 2026-11-20")
    settings = Settings(tuple(rules or ()), today, waivers=not no_waivers)
    if rules:  # a rule pack is foreign data: none of its queries may hang the run
        watch(f"the rules in {', '.join(map(str, rules))} take more than {HANGS} seconds", HANGS)
    named = paths or ["."]
    stdin = discovery.standard_input() if discovery.STDIN in named else None
    found = discovery.discover(named, designs_only=designs_only)
    before = _before(since) if since else None
    files = found if before is None else before.changed(found, stdin, stdin_filename)
    if len(files) < len(found):
        same = f"{len(found) - len(files)} of {len(found)} designs"
        print(f"designlint: {same} unchanged since {since}", file=sys.stderr)
    held: dict[str, Document] = {}
    if stdin is not None:
        held[discovery.STDIN] = discovery.open_document(discovery.STDIN, stdin, stdin_filename)
    made: list[Fixed] = []
    if mending:
        from designlint.cli import fixing

        given = held.get(discovery.STDIN)
        documents = held | {file: discovery.open_document(file) for file in files if file not in held}
        made, documents = fixing.run(mending, documents, lambda _: engine.configured(settings), given)
        if diff:
            sys.exit(Exit.FINDINGS if made else Exit.CLEAN)
        wanted = [one for one in wanted if one.file is not None] if given is not None else wanted
        held = {file: documents[file] for file in held if file in documents}
    tasks = [checking.Job(file, settings, held.get(file), margins, statistics) for file in files]
    results = list(_with_progress(checking.run(tasks, jobs), len(tasks)))
    if before is not None:
        results = [before.caused(each, engine.configured(settings)) for each in results]
    report = replace(pipeline.report(results), fixed=made)
    if baseline and not no_baseline:
        report = _beside(report, baseline, named, engine.configured(settings), whole=before is None)
    if statistics:
        from designlint.views import statistics as counted

        put(counted.render(report, machine=any(one.format == "json" for one in wanted)))
        sys.exit(Exit.FINDINGS if _fails(report, fail_on) else Exit.CLEAN)
    output.deliver(report, wanted, Manner(accepted=show_accepted, failing=failing(fail_on), today=today))
    sys.exit(Exit.FINDINGS if _fails(report, fail_on) else Exit.CLEAN)


def _beside(report: Report, file: str, paths: Sequence[str], chosen: Engine, *, whole: bool) -> Report:
    """The report without what the baseline holds; `whole` says whether all findings of the designs are in it."""
    from designlint import baseline

    known = {**engine.shipped().rules, **chosen.rules}
    return baseline.applied(report, baseline.read(Path(file)), baseline.Checked(paths, known, whole), chosen)


def _before(revision: str) -> Since:
    """The designs as they were, kept until the process ends."""
    from atexit import register
    from contextlib import ExitStack

    from designlint.since import Since

    held = ExitStack()
    register(held.close)
    return Since(revision, held)


def _with_progress(reports: Iterable[Report], designs: int) -> Iterator[Report]:
    start, shown = time.monotonic(), False
    for number, report in enumerate(reports, 1):
        yield report
        if sys.stderr.isatty() and time.monotonic() - start > PATIENCE:
            shown = True
            print(f"\rchecked {number} of {designs} designs", end="", file=sys.stderr, flush=True)
    if shown:
        print(file=sys.stderr)


def failing(fail_on: FailOn) -> list[Severity]:
    """The severities that fail a run; errors where none does, for what a report then calls a failure."""
    if fail_on is FailOn.NEVER:
        return [Severity.ERROR]
    least = Severity.INFO if fail_on is FailOn.UNKNOWN else Severity(fail_on)
    return list(Severity)[: list(Severity).index(least) + 1]


def _fails(report: Report, fail_on: FailOn) -> bool:
    if fail_on is FailOn.NEVER:
        return False
    if fail_on is FailOn.UNKNOWN and report.total(Verdict.UNKNOWN):
        return True
    counted = failing(fail_on)
    return any(one.severity in counted for one in report.findings)
