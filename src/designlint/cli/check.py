"""`designlint check`: the findings on designs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from designlint import reporters
from designlint.cli.shared import output, values, verdict
from designlint.cli.shared.choosing import options, pairs
from designlint.cli.shared.fix_options import fix_options
from designlint.cli.shared.run import CheckRun
from designlint.cli.shared.terminal import Color, Exit, print_text
from designlint.configuration import Policy
from designlint.findings.model import Severity
from designlint.reporters.shared.options import RenderOptions
from designlint.rules.settings import FailOn

if TYPE_CHECKING:
    import typer


def command(
    paths: Annotated[
        list[str] | None, typer.Argument(help="Designs, job files, folders to search, or `-` for standard input.")
    ] = None,
    format: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORMAT[=FILE]",
            help=f"Report format, and the file to write; repeatable. One of {', '.join(reporters.names())}.",
            autocompletion=reporters.names,
        ),
    ] = None,
    fail_on: Annotated[
        FailOn | None,
        typer.Option(help="Lowest severity that makes the exit code 1; `error` by default."),
    ] = None,
    design: Annotated[str, typer.Option(metavar="FILE", help="Check jobs against the cluster of this design.")] = "",
    set: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="For jobs: a script variable, or nodes=64; repeatable."),
    ] = None,
    margins: Annotated[bool, typer.Option("--margins", help="List the checks nearest to their limit.")] = False,
    from_: Annotated[
        str,
        typer.Option(
            "--from", metavar="URL", help="Check the designs in this SPARQL store; see `designlint graph --to`."
        ),
    ] = "",
    since: Annotated[
        str, typer.Option(metavar="REVISION", help="Report only what changed since this git revision.")
    ] = "",
    trust_change: Annotated[
        bool,
        typer.Option(
            "--trust-change",
            help="With --since: use the settings, rules, baselines and waivers of the change itself.",
        ),
    ] = False,
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULES",
            help="Run only these rules: ids, topics or globs; repeatable.",
            autocompletion=values.chosen,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="RULES", help="Skip these rules.", autocompletion=values.chosen)
    ] = None,
    rules: Annotated[
        list[Path] | None, typer.Option(metavar="FOLDER", help="Add a folder of rules; repeatable.")
    ] = None,
    shapes: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Add SHACL shapes in Turtle; repeatable.")
    ] = None,
    fix: Annotated[
        str,
        typer.Option(
            metavar="[=RULES]",
            help="Apply safe fixes and write the files; --fix=RULE,... for some rules only.",
        ),
    ] = "",
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="Apply unsafe fixes, too: they may change the meaning.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show fixes as a diff and write nothing.")] = False,
    interactive: Annotated[bool, typer.Option("-i", "--interactive", help="With --fix: ask before each fix.")] = False,
    config: Annotated[str, typer.Option(metavar="FILE", help="Use this configuration for all designs.")] = "",
    isolated: Annotated[bool, typer.Option("--isolated", help="Ignore all configuration files.")] = False,
    today: Annotated[str, typer.Option(metavar="DAY", help="Check as of this day (YYYY-MM-DD).")] = "",
    no_waivers: Annotated[bool, typer.Option("--no-waivers", help="Ignore waivers.")] = False,
    baseline: Annotated[str, typer.Option(metavar="FILE", help="Accept the findings in this baseline file.")] = "",
    no_baseline: Annotated[bool, typer.Option("--no-baseline", help="Ignore the baseline.")] = False,
    show_accepted: Annotated[
        bool, typer.Option("--show-accepted", help="Show waived and baselined findings, too.")
    ] = False,
    statistics: Annotated[
        bool,
        typer.Option("--statistics", help="Show counts and time by rule and phase."),
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Check again whenever a file changes.")] = False,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Ignore the report cache.")] = False,
    jobs: Annotated[int, typer.Option(min=0, help="Worker processes; 0 = automatic.")] = 0,
    stdin_filename: Annotated[str, typer.Option(metavar="NAME", help="File name for standard input.")] = "<stdin>",
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show all details of each finding, and everything that is unknown.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show findings only, without counts and advice.")
    ] = False,
    min_severity: Annotated[
        Severity | None, typer.Option(help="Show findings of this severity and above; the exit code does not change.")
    ] = None,
    color: Annotated[Color | None, typer.Option(help="Colour the output.")] = None,
    designs_only: Annotated[
        bool, typer.Option("--designs-only", help="Skip files that are not designs; finding none is not an error.")
    ] = False,
) -> None:
    """
    Check designs, and jobs against the design of their cluster.

    Exit code 0: no finding at or above --fail-on. 1: findings. 2: could not run. 3: a bug in designlint.
    """
    wanted = output.targets(format or ())
    mending = fix_options(fix, unsafe=unsafe_fixes, diff=diff, ask=interactive)
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
    if from_:
        from designlint.cli.shared import stored

        sys.exit(stored.check(from_, paths or [], format or [], policy, fail_on))
    named = paths or ["."]
    if watch:
        from designlint.cli.shared import watching

        watching.run(
            named, [*(rules or ()), *map(Path, filter(None, (config, baseline, design)))], sys.argv[2:], policy
        )
    run = CheckRun(
        named, policy, stdin_filename, since, designs_only=designs_only, trusted=trust_change, cluster=design,
        given=pairs(set or ()),
    )  # fmt: skip
    if mending is not None:
        run.mend(mending)
        if diff:
            sys.exit(Exit.FINDINGS if run.fixed else Exit.CLEAN)
        if run.piped:  # standard output is the design
            wanted = [one for one in wanted if one.file is not None]
    reports = run.reports(jobs, margins=margins, timed=statistics, cached=not no_cache)
    report, least = run.join_reports(reports), run.least(reports)
    if statistics:
        from designlint.views import statistics as counted

        print_text(counted.render(report, machine=any(one.format == "json" for one in wanted)))
    else:
        how = RenderOptions(
            accepted=show_accepted,
            verbose=verbose,
            quiet=quiet,
            least=min_severity,
            failing=verdict.fatal(least),
            today=today,
        )
        output.deliver(report, wanted, how, color)
    sys.exit(Exit.FINDINGS if verdict.fails(report, least) else Exit.CLEAN)
