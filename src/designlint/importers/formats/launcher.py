"""Batch and launch scripts: `#SBATCH` headers, srun, torchrun, mpirun, deepspeed, and the arguments of what they start."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, Source
from designlint.importers.jobs import script
from designlint.importers.registry import SHEBANG

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "launch script"
JOBS = True
HINT = re.compile(
    r"^[ \t]*(?:#SBATCH\b|export[ \t]+\w+=|srun\b|torchrun\b|mpirun\b|deepspeed\b|declare[ \t]+-a|\w*ARGS\+?=\(|: \"\$\{)",
    re.MULTILINE,
)
#: Files that quote commands: logs, pages, and configurations with commands inside.
OTHER = re.compile(r"\.(?:out|log|md|rst|html?|ya?ml|json|py|ipynb|toml|csv|xml)\Z", re.IGNORECASE)
ASSIGNED = re.compile(r"^[A-Z][A-Z0-9_]*=[^\s=]", re.MULTILINE)


def sure(source: Source) -> int:
    """5 for shell scripts, 6 for batch scripts: anything more special goes first."""
    head = source.text[:200_000]
    if re.search(r"^#SBATCH\b", head, re.MULTILINE) and not OTHER.search(source.file):
        return 6
    if SHEBANG.match(head) or (HINT.search(head) and not OTHER.search(source.file)):
        return 5
    return 2 if source.file.endswith((".sh", ".sbatch", ".slurm")) and ASSIGNED.search(head) else 0


def read(source: Source, context: Context) -> Source:
    """The file itself; it is evaluated when all are known. Raises: Refusal where shell cannot be read."""
    from designlint.importers.shell.syntax import ScriptTree

    source.open_lines = False
    ScriptTree(source)
    return source


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A workload for each script."""
    found = Fragment()
    for source in models:
        found.add(script.workload(source, context))
    return found
