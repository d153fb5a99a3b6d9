"""`designlint rules`: all rules, a line each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from designlint.cli.shared import values
from designlint.cli.shared.terminal import Color, ListFormat, is_colored, linking, print_text
from designlint.configuration import engine
from designlint.findings.model import Severity
from designlint.language.values import instead
from designlint.reading.errors import UsageError
from designlint.reporters.shared.terminal import link_rule, painter

if TYPE_CHECKING:
    from collections.abc import Collection

    from designlint.rules.rule import CompiledRule


def command(
    topic: Annotated[
        list[str] | None,
        typer.Option(metavar="TOPIC", help="List these topics only; repeatable.", autocompletion=values.topics),
    ] = None,
    severity: Annotated[
        list[Severity] | None, typer.Option(help="List rules of these severities only; repeatable.")
    ] = None,
    format: Annotated[ListFormat, typer.Option(help="Output format.")] = ListFormat.TEXT,
    color: Annotated[Color, typer.Option(help="Colour the output.")] = Color.AUTO,
) -> None:
    """List the rules."""
    from designlint.documentation.rules import summary

    known = _chosen(topic or (), severity or ())
    if format is ListFormat.JSON:
        print_text(json.dumps(list(map(summary, known)), indent=2, ensure_ascii=False))
        return
    widest = max((len(rule.id) for rule in known), default=0)
    paint = painter(color=is_colored(wanted=color))
    print_text(
        "\n".join(
            f"{_pad(rule.id, widest)}  {paint(rule.severity, f'{rule.severity:7}')}  {rule.texts.title}"
            for rule in known
        ),
        styled=True,
    )


def _pad(rule: str, width: int) -> str:
    return link_rule(rule, linking()) + " " * (width - len(rule))


def _chosen(topics: Collection[str], severities: Collection[str]) -> list[CompiledRule]:
    """The rules of these topics and severities, all where none is named. Raises UsageError."""
    known = engine.shipped_engine().rules.values()
    there = sorted({one.id.partition("/")[0] for one in known})
    for topic in topics:
        if topic not in there:
            hint = instead(topic, there, f"; there are {', '.join(there)}")
            raise UsageError(f"--topic: no topic is called `{topic}`{hint}")
    return [
        one
        for one in known
        if (not topics or one.id.partition("/")[0] in topics) and (not severities or one.severity in severities)
    ]
