"""`designlint check`: the findings on designs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from designlint import reporters
from designlint.cli import Exit, output, put, verdict
from designlint.cli.choosing import options
from designlint.cli.run import Run
from designlint.cli.wish import wish
from designlint.configuration import Policy
from designlint.reporters import Manner
from designlint.settings import FailOn

if TYPE_CHECKING:
    import typer


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
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Judge every design, and keep no report for the next run.")
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

        watching.run(named, [*(rules or ()), *map(Path, filter(None, (config, baseline)))], sys.argv[2:], policy)
    run = Run(named, policy, stdin_filename, since, designs_only=designs_only)
    if mending is not None:
        run.mend(mending)
        if diff:
            sys.exit(Exit.FINDINGS if run.fixed else Exit.CLEAN)
        if run.piped:  # standard output is the design
            wanted = [one for one in wanted if one.file is not None]
    reports = run.reports(jobs, margins=margins, timed=statistics, cached=not no_cache)
    report, least = run.joined(reports), run.least(reports)
    if statistics:
        from designlint.views import statistics as counted

        put(counted.render(report, machine=any(one.format == "json" for one in wanted)))
    else:
        output.deliver(report, wanted, Manner(accepted=show_accepted, failing=verdict.fatal(least), today=today))
    sys.exit(Exit.FINDINGS if verdict.fails(report, least) else Exit.CLEAN)
