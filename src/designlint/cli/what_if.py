"""`designlint what-if`: what would follow from other values."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from designlint.cli.shared.loading import load_design
from designlint.cli.shared.terminal import Exit, is_colored, print_text
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from designlint.design.design import Design
    from designlint.exploring.settings import SettablePlace
    from designlint.materials.prices import PriceList


class WhatIfFormat(StrEnum):
    """Output formats."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    SVG = "svg"


def command(
    file: Annotated[str, typer.Argument(help="A design.")],
    set: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH=VALUE", help="Use this value instead, such as nodes/train/count=640; repeatable."),
    ] = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH=A..B/STEP", help="Try these values, or PATH=A,B,C; two sweeps make a grid."),
    ] = None,
    show: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="Columns of a sweep: facts (step_time, pretrain/goodput, power:MW), rules, error, warning, findings, "
            "unknown; days, step, mfu, memory, power and cost are short names.",
        ),
    ] = "error,warning",
    find: Annotated[
        str,
        typer.Option(metavar="GOAL", help='Search, as in "fewest nodes/train/count in 256..1024 with no error".'),
    ] = "",
    prices: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Price list (YAML); adds capital, cost_month, cost_run and cost_token to --show."
        ),
    ] = None,
    format: Annotated[WhatIfFormat, typer.Option(help="Output format; CSV and SVG of sweeps.")] = WhatIfFormat.TEXT,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Output file; with --set alone, the changed design."),
    ] = None,
) -> None:
    """Show the effect of other values without editing the design."""
    from designlint.exploring import settings

    if not (set or sweep or find):
        raise UsageError("what-if needs --set, --sweep or --find; see `designlint what-if --help`")
    if find and sweep:
        raise UsageError("--find and --sweep do not go together; --set adds values to either")
    if output is not None and output.exists() and Path(file).exists() and output.samefile(file):
        raise UsageError(f"{output}: refusing to overwrite a design with what-if results")
    design = load_design(file)
    fixed = [settings.setting(design, one) for one in set or ()]
    listed = None
    if prices is not None:
        from designlint.materials.prices import read_prices

        listed = read_prices(prices)
    if find:
        _find(design, find, fixed, format, output)
    elif sweep:
        _sweep(design, sweep, show, fixed, format, output, listed)
    else:
        _set_values(design, fixed, format, output, listed)


def _set_values(
    design: Design,
    fixed: list[tuple[SettablePlace, str]],
    format: WhatIfFormat,
    output: Path | None,
    prices: PriceList | None,
) -> None:
    from designlint.exploring import once

    if format not in (WhatIfFormat.TEXT, WhatIfFormat.JSON):
        raise UsageError(f"--format {format} shows sweeps; --set alone prints text or JSON")
    change = once.change_design(design, fixed, prices)
    if format is WhatIfFormat.JSON:
        print_text(once.data(change))
    else:
        print_text(once.text(change, color=is_colored()), styled=True)
    if output is not None:
        from designlint.reading import writing

        writing.write_file(output, change.text.encode())
    sys.exit(Exit.FINDINGS if change.bad else Exit.CLEAN)


def _sweep(
    design: Design,
    texts: list[str],
    show: str,
    fixed: list[tuple[SettablePlace, str]],
    format: WhatIfFormat,
    output: Path | None,
    prices: PriceList | None,
) -> None:
    from designlint.exploring import columns, settings, sweep, written

    sweeps = [settings.sweep(design, one) for one in texts]
    names = [one.strip() for one in show.split(",") if one.strip()]
    table = sweep.sweep_table(
        design, sweeps, columns.columns(design, names, prices, [one.place for one in sweeps]), fixed
    )
    if format is WhatIfFormat.SVG:
        from designlint.exploring import picture

        _deliver(picture.draw_table(table), output)
    else:
        ways = {
            WhatIfFormat.TEXT: written.text,
            WhatIfFormat.CSV: written.comma_separated,
            WhatIfFormat.JSON: written.data,
        }
        _deliver(ways[format](table), output)


def _find(
    design: Design, text: str, fixed: list[tuple[SettablePlace, str]], format: WhatIfFormat, output: Path | None
) -> None:
    from designlint.exploring import search, written

    if format not in (WhatIfFormat.TEXT, WhatIfFormat.JSON):
        raise UsageError(f"--format {format} shows sweeps; --find prints text or JSON")
    found = search.search(design, search.goal(design, text), fixed)
    _deliver(
        json.dumps(written.found_data(found), indent=2) if format is WhatIfFormat.JSON else written.outcome(found),
        output,
    )
    sys.exit(Exit.CLEAN if found.value is not None else Exit.FINDINGS)


def _deliver(text: str, output: Path | None) -> None:
    if output is None:
        print_text(text)
        return
    from designlint.cli.shared.output import encode
    from designlint.reading import writing

    writing.write_file(output, encode(text if text.endswith("\n") else f"{text}\n"))
