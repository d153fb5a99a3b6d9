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
from designlint.cli.check import HANGS
from designlint.cli.verdict import failing
from designlint.errors import UsageError
from designlint.settings import FailOn, Settings
from designlint.values import is_date
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
    fail_on: Annotated[FailOn, typer.Option(help="The least new or worse finding that makes the exit code 1.")] = (
        FailOn.ERROR
    ),
    rules: Annotated[list[Path] | None, typer.Option(help="A further folder of rules; repeatable.")] = None,
    today: Annotated[str, typer.Option(help="Judge both as of this day, YYYY-MM-DD.")] = "",
) -> None:
    """Tell what a change means: facts stated, what follows from them, findings introduced, worse, fixed, better."""
    if today and not is_date(today):
        raise UsageError(f"--today: `{today}` is no day such as 2026-11-20")
    chosen = engine.configured(Settings(tuple(rules or ()), today))
    if rules:
        watch(f"the rules in {', '.join(map(str, rules))} take more than {HANGS} seconds", HANGS)
    with ExitStack() as held:
        found = [told for pair in sides.pairs(old, new, held) if (told := _between(pair, chosen))]
    if format is Format.JSON:
        put(json.dumps(views.data(found), indent=2, ensure_ascii=False))
    else:
        put(views.markdown(found) if format is Format.MARKDOWN else views.text(found, color=colored()))
    bad = any(one.severity in failing(fail_on) for each in found for one in each.bad)
    sys.exit(Exit.FINDINGS if bad and fail_on is not FailOn.NEVER else Exit.CLEAN)


def _between(pair: sides.Pair, chosen: engine.Engine) -> changes.Changes | None:
    if pair.same:
        return None
    judged = [
        None if side is None else pipeline.lint(side.document(pair.key), chosen, repair=False, margins=True)
        for side in (pair.old, pair.new)
    ]
    return changes.between(pair.shown, *judged)
