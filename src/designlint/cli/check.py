"""`designlint check`: the findings on designs."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from designlint import checking, discovery, engine, reporters
from designlint.cli import Exit, output, put, verdict
from designlint.cli import watch as guard
from designlint.cli.choosing import options
from designlint.cli.wish import wish
from designlint.configuration import Policy
from designlint.model import Fixed, Report
from designlint.reporters import Manner
from designlint.settings import FailOn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import typer

    from designlint.settings import Settings
    from designlint.since import Since
    from designlint.source import Document

#: Progress is shown where a run has already taken so many seconds.
PATIENCE = 2.0


#: Seconds that a run with a rule pack may take.
HANGS = 300


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
    fail_on: Annotated[
        FailOn | None,
        typer.Option(help="The least that makes the exit code 1; `error` where no configuration says otherwise."),
    ] = None,
    margins: Annotated[
        bool, typer.Option("--margins", help="List what is nearest to its limit, passed or failed.")
    ] = False,
    since: Annotated[
        str, typer.Option(metavar="REVISION", help="Only what the change since this git revision causes.")
    ] = "",
    select: Annotated[
        list[str] | None, typer.Option(help="Only these rules judge: ids, topics, globs; repeatable, comma separated.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="These rules do not judge.")] = None,
    rules: Annotated[list[Path] | None, typer.Option(help="A further folder of rules; repeatable.")] = None,
    shapes: Annotated[list[Path] | None, typer.Option(help="SHACL shapes in Turtle; repeatable.")] = None,
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
    config: Annotated[
        str, typer.Option(help="The configuration of all designs, in place of the nearest one above each.")
    ] = "",
    isolated: Annotated[bool, typer.Option("--isolated", help="Read no configuration.")] = False,
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
    watch: Annotated[
        bool, typer.Option("--watch", help="Check again after every change of a file; Ctrl-C ends.")
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
    given = options(
        select=select,
        ignore=ignore,
        rules=rules,
        shapes=shapes,
        fail_on=fail_on,
        today=today,
        waivers=not no_waivers,
        baseline=baseline,
        baselines=not no_baseline,
    )
    policy = Policy(given, config, isolated=isolated)
    named = paths or ["."]
    if watch:
        from designlint.cli import watching

        watching.run(named, [*(rules or ()), *map(Path, filter(None, (config, baseline)))], sys.argv[2:])
    stdin = discovery.standard_input() if discovery.STDIN in named else None
    found = discovery.discover(named, designs_only=designs_only)
    before = _before(since) if since else None
    files = found if before is None else before.changed(found, stdin, stdin_filename)
    if len(files) < len(found):
        same = f"{len(found) - len(files)} of {len(found)} designs"
        print(f"designlint: {same} unchanged since {since}", file=sys.stderr)
    chosen = {file: policy.settings(stdin_filename if file == discovery.STDIN else file) for file in files}
    if any(
        one.rules or one.shapes for one in chosen.values()
    ):  # a rule pack is foreign data: none of its queries may hang the run
        guard(f"the rules in {_packs(chosen.values())} take more than {HANGS} seconds", HANGS)
    held: dict[str, Document] = {}
    if stdin is not None:
        held[discovery.STDIN] = discovery.open_document(discovery.STDIN, stdin, stdin_filename)
    made: list[Fixed] = []
    if mending:
        from designlint.cli import fixing

        piped = held.get(discovery.STDIN)
        documents = held | {file: discovery.open_document(file) for file in files if file not in held}
        made, documents = fixing.run(mending, documents, lambda document: policy.engine(document.file), piped)
        if diff:
            sys.exit(Exit.FINDINGS if made else Exit.CLEAN)
        wanted = [one for one in wanted if one.file is not None] if piped is not None else wanted
        held = {file: documents[file] for file in held if file in documents}
    tasks = [checking.Job(file, chosen[file], held.get(file), margins, statistics) for file in files]
    reports = list(_with_progress(checking.run(tasks, jobs), len(tasks)))
    if before is not None:
        reports = [
            before.caused(one, engine.configured(chosen[file])) for file, one in zip(files, reports, strict=True)
        ]
    least = {
        one.files[0]: FailOn(chosen[file].fail_on or FailOn.ERROR) for file, one in zip(files, reports, strict=True)
    }
    report = replace(verdict.joined(reports, list(chosen.values()), named, whole=before is None), fixed=made)
    if statistics:
        from designlint.views import statistics as counted

        put(counted.render(report, machine=any(one.format == "json" for one in wanted)))
    else:
        output.deliver(report, wanted, Manner(accepted=show_accepted, failing=verdict.fatal(least), today=today))
    sys.exit(Exit.FINDINGS if verdict.fails(report, least) else Exit.CLEAN)


def _packs(settings: Iterable[Settings]) -> str:
    return ", ".join(dict.fromkeys(str(folder) for one in settings for folder in (*one.rules, *one.shapes)))


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
