"""`designlint rules`: all rules, a line each."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from designlint import engine
from designlint.cli import Format, put


def command(format: Annotated[Format, typer.Option(help="How the list is written.")] = Format.TEXT) -> None:
    """List the rules."""
    known = engine.shipped().rules.values()
    if format is Format.JSON:
        keys = ("id", "title", "severity", "about", "since", "principles", "sources", "limits")
        put(json.dumps([{key: rule[key] for key in keys} for rule in known], indent=2, ensure_ascii=False))
        return
    widest = max(len(rule.id) for rule in known)
    put("\n".join(f"{rule.id:{widest}}  {rule.severity:7}  {rule['title']}" for rule in known))
