"""`designlint test`: the examples of rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from designlint import engine, resources
from designlint.cli import Exit, put
from designlint.settings import Settings


def command(
    folder: Annotated[Path | None, typer.Argument(help="A folder of rules; the shipped ones when left out.")] = None,
) -> None:
    """Run the examples of rules: marked lines, exact words, what is missing, and that each fix cures."""
    from designlint.authoring import examples

    home = folder or resources.rules()
    chosen = engine.configured(Settings((folder,) if folder else ()))
    ids = [path.relative_to(home).with_suffix("").as_posix() for path in resources.files(home, ".yaml")]
    passed, lines = 0, []
    for name in ids:
        rule = chosen.rules[name]
        found = examples.of_file(home / f"{name}.yaml", name)
        lines += [f"{rule['file']}: {gap}" for gap in examples.gaps(rule, found)]
        for one in found:
            faults = list(one.faults(rule, chosen))
            passed += not faults
            lines += [f"{rule['file']}:{one.line}: {one.kind} example ({one.why}): {fault}" for fault in faults]
    put("\n".join([*lines, f"{len(ids)} rules, {passed} examples passed, {len(lines)} faults"]))
    raise typer.Exit(Exit.FINDINGS if lines else Exit.CLEAN)
