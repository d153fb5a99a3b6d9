"""`designlint check`: the findings on designs."""

from __future__ import annotations

import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from designlint import discovery, engine, pipeline
from designlint.cli import Exit, colored, put, watch
from designlint.errors import UsageError
from designlint.model import Report, Severity, Verdict
from designlint.settings import Settings
from designlint.values import is_date

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import typer

#: Progress is shown where a run has already taken so many seconds.
PATIENCE = 2.0


#: Seconds that a run with a rule pack may take.
HANGS = 300


class Format(StrEnum):
    """Output formats."""

    TEXT = "text"
    JSON = "json"


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
    format: Annotated[Format, typer.Option(help="How the report is written.")] = Format.TEXT,
    fail_on: Annotated[FailOn, typer.Option(help="The least that makes the exit code 1.")] = FailOn.ERROR,
    rules: Annotated[list[Path] | None, typer.Option(help="A further folder of rules; repeatable.")] = None,
    today: Annotated[str, typer.Option(help="Judge as of this day, YYYY-MM-DD; evidence runs out.")] = "",
    stdin_filename: Annotated[str, typer.Option(help="Name of the design given on standard input.")] = "<stdin>",
) -> None:
    """Check designs. Exit code 0: nothing at or above --fail-on; 1: findings; 2: could not run; 3: a bug of designlint."""
    if today and not is_date(today):
        raise UsageError(f"--today: `{today}` is no day such as 2026-11-20")
    chosen = engine.configured(Settings(tuple(rules or ()), today))
    if rules:  # a rule pack is foreign data: none of its queries may hang the run
        watch(f"the rules in {', '.join(map(str, rules))} take more than {HANGS} seconds", HANGS)
    named = paths or ["."]
    stdin = discovery.standard_input() if discovery.STDIN in named else None
    files = discovery.discover(named)
    results = list(
        _with_progress(
            files, lambda file: pipeline.lint(discovery.open_document(file, stdin, stdin_filename), chosen).report()
        )
    )
    report = pipeline.report(results)
    put(_rendered(report, format))
    sys.exit(Exit.FINDINGS if _fails(report, fail_on) else Exit.CLEAN)


def _with_progress(files: Sequence[str], one: Callable[[str], Report]) -> Sequence[Report]:
    start, shown, results = time.monotonic(), False, []
    for number, file in enumerate(files, 1):
        results.append(one(file))
        if sys.stderr.isatty() and time.monotonic() - start > PATIENCE:
            shown = True
            print(f"\rchecked {number} of {len(files)} designs", end="", file=sys.stderr, flush=True)
    if shown:
        print(file=sys.stderr)
    return results


def _rendered(report: Report, chosen: Format) -> str:
    if chosen is Format.JSON:
        from designlint.reporters import json

        return json.render(report)
    from designlint.reporters import text

    return text.render(report, color=colored())


def _fails(report: Report, fail_on: FailOn) -> bool:
    if fail_on is FailOn.NEVER:
        return False
    if fail_on is FailOn.UNKNOWN:
        return bool(report.findings) or report.total(Verdict.UNKNOWN) > 0
    counted: list[Any] = list(Severity)[: list(Severity).index(Severity(fail_on)) + 1]
    return any(one.severity in counted for one in report.findings)
