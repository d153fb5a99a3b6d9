"""The environment that jobs start with, as shell lines: NCCL's variables and those beside them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from designlint.design.known import spot_of
from designlint.exporters.base import Export, ExportRefusal, head
from designlint.graph.subjects import Subject
from designlint.importers.environment import counts, known_variables

if TYPE_CHECKING:
    from designlint.exporters.base import Order

TITLE = "Environment of jobs"


def write(order: Order) -> Export:
    """An export for each variable that the design states. Raises: Refusal where it states none."""
    root = order.design.graph.root
    software = root.facts.get("software")
    stated = software.facts.get("environment") if isinstance(software, Subject) else None
    if not isinstance(stated, Subject) or stated.node is None:
        raise ExportRefusal("the design states no `software.environment`", spot_of(root.node))
    lines: list[str] = []
    for name in sorted(known_variables()):
        fact = stated.facts.get(name.lower())
        if isinstance(fact, str | int) and stated.origins[name.lower()].how == "stated":
            told = str(fact).upper() if name == "NCCL_DEBUG" else str(fact)
            lines.append(f"export {name}={told if name in counts() else shlex.quote(told)}")
    if not lines:
        raise ExportRefusal("the design's `software.environment` sets no variable", spot_of(stated.node))
    return Export("\n".join([*head(order, TITLE, ()), *lines]) + "\n")
