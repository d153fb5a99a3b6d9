"""`designlint diff`: what a change of designs means."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from enum import StrEnum
from typing import Annotated

import typer

from designlint.cli.shared import values
from designlint.cli.shared.choosing import options
from designlint.cli.shared.common import Config, Isolated, Rules
from designlint.cli.shared.terminal import Exit, is_colored, print_text
from designlint.cli.shared.verdict import failing
from designlint.comparing import changes, sides
from designlint.configuration import Policy, engine
from designlint.linting import pipeline
from designlint.reading.errors import UsageError
from designlint.rules.engine import Engine
from designlint.rules.settings import FailOn
from designlint.views import changes as views


class DiffFormat(StrEnum):
    """Output formats."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    SARIF = "sarif"


def command(
    old: Annotated[str, typer.Argument(help="A design, a folder, a git revision, or REVISION:PATH.")],
    new: Annotated[
        list[str] | None,
        typer.Argument(help="The same; the work tree by default. With --built: further files of the discovery."),
    ] = None,
    format: Annotated[DiffFormat, typer.Option(help="Output format; SARIF goes with --built.")] = DiffFormat.TEXT,
    fail_on: Annotated[
        FailOn | None, typer.Option(help="Lowest severity of a new or worse finding that makes the exit code 1.")
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(metavar="RULES", help="Run only these rules: ids, topics or globs.", autocompletion=values.chosen),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="RULES", help="Skip these rules.", autocompletion=values.chosen)
    ] = None,
    rules: Rules = None,
    config: Config = "",
    isolated: Isolated = False,
    today: Annotated[str, typer.Option(metavar="DAY", help="Check both as of this day (YYYY-MM-DD).")] = "",
    built: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Compare with the fabric and servers in these files or folders, such as an ibnetdiscover dump.",
        ),
    ] = None,
    fabric: Annotated[
        str, typer.Option(metavar="NAME", help="With --built: the fabric to compare; the training fabric by default.")
    ] = "",
    map: Annotated[
        str, typer.Option(metavar="FILE", help="With --built: a file of lines NAME_IN_DESIGN,NAME_IN_DUMP.")
    ] = "",
    figure: Annotated[
        str, typer.Option(metavar="FILE", help="With --built: write the differences as a picture (SVG) to this file.")
    ] = "",
) -> None:
    """Show how two designs differ (values, derived facts, findings), or how a built fabric differs from its design."""
    given = options(select=select, ignore=ignore, rules=rules, fail_on=fail_on, today=today)
    policy = Policy(given, config, isolated=isolated)
    if built:
        from designlint.cli.shared import asbuilt

        files = asbuilt.files_of([*built, *(new or [])])
        fails = asbuilt.compare(policy, old, asbuilt.BuiltOptions(files, fabric, map, figure, format.value))
        sys.exit(Exit.FINDINGS if fails else Exit.CLEAN)
    if fabric or map or figure:
        raise UsageError("--fabric, --map and --figure go with --built")
    if format is DiffFormat.SARIF:
        raise UsageError("--format sarif goes with --built; of two designs, `designlint check --since` writes it")
    if new and len(new) > 1:
        raise UsageError(f"diff compares two designs; {', '.join(new[1:4])} would be a third")
    found: list[changes.Changes] = []
    fails = False
    with ExitStack() as held:
        for pair in (one for one in sides.pairs(old, new[0] if new else "", held) if not one.same):
            settings = policy.settings(pair.path)
            told = _between(pair, engine.configure_engine(settings))
            if told:
                found.append(told)
                fails |= _fails(told, FailOn(settings.fail_on or FailOn.ERROR))
    if format is DiffFormat.JSON:
        print_text(json.dumps(views.data(found), indent=2, ensure_ascii=False))
    else:
        text = views.markdown(found) if format is DiffFormat.MARKDOWN else views.text(found, color=is_colored())
        print_text(text, styled=format is DiffFormat.TEXT)
    sys.exit(Exit.FINDINGS if fails else Exit.CLEAN)


def _between(pair: sides.Pair, chosen: Engine) -> changes.Changes:
    judged = [
        None if side is None else pipeline.lint(side.document(pair.key), chosen, repair=False, margins=True)
        for side in (pair.old, pair.new)
    ]
    return changes.between(pair.shown, *judged)


def _fails(told: changes.Changes, least: FailOn) -> bool:
    if least is FailOn.NEVER:
        return False
    lost = least is FailOn.UNKNOWN and bool(told.unanswered)
    return lost or any(one.severity in failing(least) for one in told.bad)
