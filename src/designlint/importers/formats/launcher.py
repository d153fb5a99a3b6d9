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
    r"^[ \t]*(?:#SBATCH\b|#PBS\b|export[ \t]+\w+=|srun\b|torchrun\b|mpirun\b|deepspeed\b|declare[ \t]+-a|\w*ARGS\+?=\(|: \"\$\{)",
    re.MULTILINE,
)
#: Files that quote commands: logs, pages, and configurations with commands inside.
OTHER = re.compile(r"\.(?:out|log|md|rst|html?|ya?ml|json|py|ipynb|toml|csv|xml)\Z", re.IGNORECASE)
#: Lines as scripts have them; a log that shows a command has others.
SHELL = re.compile(
    r"[ \t]*(?:#|\Z|[)}\"']|[\w\[\]]+\+?=|-{1,2}[A-Za-z]|.*\\\s*\Z|(?:export|declare|if|then|elif|else|fi|for|while|do|done"
    r"|case|esac|function|echo|cd|mkdir|source|\.|set|unset|module|ml|conda|pip|srun|torchrun|mpirun|deepspeed|python3?|time"
    r"|exit|wait)\b)"
)
#: What a script does that starts a program without a header: it sets variables, or names what runs the program.
STARTING = re.compile(
    r"^[ \t]*(?:[A-Z][A-Z0-9_]*=[^\s=]"
    r"|(?:python3?|torchrun|accelerate|deepspeed|llamafactory-cli|axolotl|tune|ray)[ \t]+[\w./\\-])",
    re.MULTILINE,
)


def sure(source: Source) -> int:
    """5 for shell scripts, 6 for batch scripts: anything more special goes first."""
    head = source.text[:200_000]
    if re.search(r"^#SBATCH\b", head, re.MULTILINE) and not OTHER.search(source.file):
        return 6
    if SHEBANG.match(head) or (HINT.search(head) and not OTHER.search(source.file) and _is_shell(head)):
        return 5
    return 2 if source.file.endswith((".sh", ".sbatch", ".slurm", ".pbs")) and STARTING.search(head) else 0


def _is_shell(text: str) -> bool:
    """Whether most lines are a script's; here-documents and Python inside are the smaller part."""
    lines = text.splitlines()[:500]
    return 2 * sum(SHELL.match(one) is not None for one in lines) >= len(lines)


def read(source: Source, context: Context) -> Source:
    """The file itself; it is evaluated when all are known. Raises: Refusal where shell cannot be read."""
    from designlint.importers.shell.syntax import parse_script

    source.open_lines = False
    parse_script(source)
    return source


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A workload for each script."""
    found = Fragment()
    for source in models:
        found.add(script.workload(source, context))
    return found
