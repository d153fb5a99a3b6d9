"""`designlint explain`: a rule's page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from designlint.cli.shared import values
from designlint.cli.shared.terminal import Color, ListFormat, is_colored, print_text
from designlint.configuration import engine
from designlint.reading.errors import UsageError
from designlint.reporters.shared.terminal import painter

if TYPE_CHECKING:
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule


def command(
    rule: Annotated[
        str,
        typer.Argument(help="A rule, such as parallelism/tensor-beyond-scale-up-domain.", autocompletion=values.rules),
    ],
    sparql: Annotated[bool, typer.Option("--sparql", help="Print the equivalent SPARQL query.")] = False,
    format: Annotated[ListFormat, typer.Option(help="Output format.")] = ListFormat.TEXT,
    color: Annotated[Color, typer.Option(help="Colour the output.")] = Color.AUTO,
) -> None:
    """Show a rule's documentation."""
    from designlint.compiler import examples
    from designlint.documentation import rules
    from designlint.language.values import instead

    shipped = engine.shipped_engine()
    known = shipped.rules
    if rule not in known:
        raise UsageError(f"no rule is called `{rule}`{instead(rule, known)}")
    if sparql and known[rule].built_in:
        raise UsageError(f"{rule} is checked while files are read; it has no equivalent query")
    one, shown = known[rule], examples.of_rule(known[rule], shipped.vocabulary)
    if sparql:
        print_text(_query_text(one, shipped))
    elif format is ListFormat.JSON:
        print_text(json.dumps(rules.data(one, shown), indent=2, ensure_ascii=False))
    else:
        print_text(_paint(rules.page(one, shown), color=is_colored(wanted=color)), styled=True)


def _query_text(rule: CompiledRule, shipped: Engine) -> str:
    """The query that a rule is, or those that a rule about every number asks of a store of designs."""
    if not rule.sweep:
        return rule.sparql
    from designlint.fleet import numbers

    return "\n\n".join(numbers.queries(rule, shipped.vocabulary, faults=True))


def _paint(text: str, *, color: bool) -> str:
    """Markdown with its headings in bold, and code dimmed."""
    paint, code, lines = painter(color=color), False, []
    for line in text.split("\n"):
        code ^= line.startswith("```")
        dim = code or line.startswith("```")
        lines.append(paint("dim", line) if line and dim else paint("bold", line) if line.startswith("#") else line)
    return "\n".join(lines)
