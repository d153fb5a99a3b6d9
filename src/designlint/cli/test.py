"""`designlint test`: the examples of rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from designlint.cli.shared.terminal import Exit, print_text
from designlint.configuration import engine
from designlint.language import resources
from designlint.language.sentences import many
from designlint.rules.settings import Settings


def command(
    folder: Annotated[Path | None, typer.Argument(help="A folder of rules; the shipped ones by default.")] = None,
) -> None:
    """Run the examples in rule files as tests."""
    from designlint.compiler import examples, rule_files
    from designlint.running.examples import faults as faults_of

    home = folder or resources.rules()
    chosen = engine.configure_engine(Settings((folder,) if folder else ()))
    sources = list(rule_files.in_folder(home))
    passed, lines = 0, []
    for source in sources:
        rule = chosen.rules[source.id]
        found = examples.of_source(source, rule, chosen.vocabulary)
        lines += [f"{rule.texts.file}: {gap}" for gap in examples.gaps(rule, found)]
        for one in found:
            faults = faults_of(one, rule, chosen)
            passed += not faults
            lines += [f"{rule.texts.file}:{one.line}: {one.kind} example ({one.why}): {fault}" for fault in faults]
    counts = (many(len(sources), "rule"), f"{many(passed, 'example')} passed", many(len(lines), "fault"))
    print_text("\n".join([*lines, ", ".join(counts)]))
    raise typer.Exit(Exit.FINDINGS if lines else Exit.CLEAN)
