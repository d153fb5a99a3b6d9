"""`designlint explain`: a rule's page."""

from __future__ import annotations

from typing import Annotated

import typer

from designlint import engine
from designlint.cli import put
from designlint.errors import UsageError


def command(
    rule: Annotated[str, typer.Argument(help="A rule, such as parallelism/tensor-beyond-scale-up-domain.")],
) -> None:
    """Say what a rule finds, why it matters, what to do, with examples."""
    from designlint.docs.rules import page
    from designlint.values import closest

    known = engine.shipped().rules
    if rule not in known:
        near = closest(rule, list(known))
        raise UsageError(f"no rule is called {rule}" + (f"; did you mean {near}?" if near else ""))
    put(page(known[rule]))
