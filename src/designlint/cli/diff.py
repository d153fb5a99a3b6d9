"""`designlint diff`: what a change of designs means."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from designlint import changes, engine, pipeline, sides
from designlint.cli import Exit, colored, put, watch
from designlint.cli.choosing import options
from designlint.cli.verdict import failing
from designlint.configuration import Policy
from designlint.settings import FailOn
from designlint.timing import HANGS
from designlint.views import changes as views


class Format(StrEnum):
    """How the changes are told."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


def command(
    old: Annotated[str, typer.Argument(help="A design, a folder, a git revision, or REVISION:PATH.")],
    new: Annotated[str, typer.Argument(help="The same; the work tree when left out.")] = "",
    format: Annotated[Format, typer.Option(help="How the changes are told.")] = Format.TEXT,
    fail_on: Annotated[
        FailOn | None, typer.Option(help="The least new or worse finding that makes the exit code 1; error by default.")
    ] = None,
    select: Annotated[list[str] | None, typer.Option(help="Only these rules judge: ids, topics, globs.")] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="These rules do not judge.")] = None,
    rules: Annotated[list[Path] | None, typer.Option(help="A further folder of rules; repeatable.")] = None,
    config: Annotated[str, typer.Option(help="The configuration of all designs, in place of the nearest one.")] = "",
    isolated: Annotated[bool, typer.Option("--isolated", help="Read no configuration.")] = False,
    today: Annotated[str, typer.Option(help="Judge both as of this day, YYYY-MM-DD.")] = "",
) -> None:
    """Tell what a change means: facts stated, what follows from them, findings introduced, worse, fixed, better."""
    given = options(select=select, ignore=ignore, rules=rules, fail_on=fail_on, today=today)
    policy = Policy(given, config, isolated=isolated)
    found: list[changes.Changes] = []
    fails = False
    with ExitStack() as held:
        for pair in (one for one in sides.pairs(old, new, held) if not one.same):
            settings = policy.settings(pair.path)
            if settings.rules:  # a rule pack is foreign data: none of its queries may hang the run
                watch(f"the rules of {pair.shown} take more than {HANGS} seconds", HANGS)
            told = _between(pair, engine.configured(settings))
            if told:
                found.append(told)
                fails |= _fails(told, FailOn(settings.fail_on or FailOn.ERROR))
    if format is Format.JSON:
        put(json.dumps(views.data(found), indent=2, ensure_ascii=False))
    else:
        put(views.markdown(found) if format is Format.MARKDOWN else views.text(found, color=colored()))
    sys.exit(Exit.FINDINGS if fails else Exit.CLEAN)


def _between(pair: sides.Pair, chosen: engine.Engine) -> changes.Changes:
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
