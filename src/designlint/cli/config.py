"""`designlint config`: the settings that a design is judged by, and where each comes from."""

from __future__ import annotations

import json
import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from designlint.cli.shared.choosing import options
from designlint.cli.shared.terminal import print_text
from designlint.configuration import Policy, engine
from designlint.configuration.source import display_path
from designlint.configuration.tables import KEYS
from designlint.rules.settings import FailOn, Settings

command = typer.Typer(help="Show a design's effective settings.", no_args_is_help=True)

#: What holds where nothing is said.
DEFAULTS: dict[str, Any] = {"select": ["*"], "fixable": ["*"], "fail_on": str(FailOn.ERROR), "baseline": None}


class ConfigFormat(StrEnum):
    """Ways to write the settings."""

    TEXT = "text"
    JSON = "json"


@command.callback()
def _group() -> None:
    pass


@command.command("show")
def show(
    file: Annotated[
        str, typer.Argument(help="A design or a folder, existing or not; the working folder by default.")
    ] = ".",
    origin: Annotated[bool, typer.Option("--origin", help="Show where each setting comes from.")] = False,
    format: Annotated[ConfigFormat, typer.Option(help="Output format.")] = ConfigFormat.TEXT,
    select: Annotated[list[str] | None, typer.Option(metavar="RULES", help="As for `check`.")] = None,
    ignore: Annotated[list[str] | None, typer.Option(metavar="RULES", help="As for `check`.")] = None,
    rules: Annotated[list[Path] | None, typer.Option(metavar="FOLDER", help="As for `check`.")] = None,
    fail_on: Annotated[FailOn | None, typer.Option(help="As for `check`.")] = None,
    config: Annotated[str, typer.Option(metavar="FILE", help="As for `check`.")] = "",
    isolated: Annotated[bool, typer.Option("--isolated", help="As for `check`.")] = False,
) -> None:
    """Show a design's effective settings: nearest configuration, overrides, command line."""
    given = options(select=select, ignore=ignore, rules=rules, fail_on=fail_on)
    policy = Policy(given, config, isolated=isolated)
    design = os.path.join(file, "design.yaml") if os.path.isdir(file) else file  # noqa: PTH112, PTH118
    found = policy.file(design)
    settings = policy.settings(design)
    judging = engine.configure_engine(settings)
    data = {
        "configuration": None if found is None else display_path(found),
        "settings": state_settings(settings),
        "rules": {"judging": len(judging.rules), "left_out": sum(_remaining_rules(one) for one in judging.adjustments)},
    }
    print_text(
        json.dumps(data, indent=2, ensure_ascii=False)
        if format is ConfigFormat.JSON
        else format_settings(data, origin=origin)
    )


def _remaining_rules(adjustment: Any) -> int:
    return len(adjustment.rules) if adjustment.what in ("ignored", "not selected") else 0


def state_settings(settings: Settings) -> list[dict[str, Any]]:
    """Every setting as plain data: the key, its value, where it is stated, and why where that is said."""
    found: list[dict[str, Any]] = []
    for key in KEYS:
        values = getattr(settings, key, None)
        if key in ("extend", "root", "overrides"):
            continue
        if not values:
            found.append({"key": key, "value": DEFAULTS.get(key, []), "origin": "default"})
        elif key == "severity":
            found += [_row(f"severity.{one.pattern}", one.level, one) for one in settings.severity]
        elif key == "limits":
            found += [_row(f"limits.{one.rule}.{one.name}", one.value, one) for one in settings.limits]
        elif settings.jobs is not None and key == "jobs":
            stated_here = {"jobs.design": settings.jobs.design, "jobs.files": list(settings.jobs.files)}
            found += [
                {"key": one, "value": value, "origin": str(settings.origin(key))} for one, value in stated_here.items()
            ]
        elif key in ("fail_on", "baseline"):
            found.append({"key": key, "value": str(values), "origin": str(settings.origin(key))})
        elif key in ("rules", "shapes"):
            found += [{"key": key, "value": str(one), "origin": str(settings.origin(key))} for one in values]
        else:
            found += [{"key": key, "value": one.pattern, "origin": str(one.origin)} for one in values]
    return found


def _row(key: str, value: Any, one: Any) -> dict[str, Any]:
    return {"key": key, "value": value, "origin": str(one.origin), "reason": one.reason}


def format_settings(data: dict[str, Any], *, origin: bool) -> str:
    """The settings as text, a line each."""
    rows = [(one["key"], json.dumps(one["value"], ensure_ascii=False), one) for one in data["settings"]]
    key, value = (max(len(row[at]) for row in rows) for at in (0, 1))
    lines = [f"# {data['configuration'] or 'no configuration file'}"]
    for name, text, one in rows:
        reason = f"  {one['reason']}" if "reason" in one else ""
        lines.append(f"{name:{key}}  {text:{value}}  {one['origin'] if origin else ''}{reason}".rstrip())
    return "\n".join([*lines, f"# {data['rules']['judging']} rules are enabled, {data['rules']['left_out']} disabled"])
