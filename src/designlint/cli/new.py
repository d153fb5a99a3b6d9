"""`designlint new`: a rule to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from designlint.cli.shared.terminal import print_text
from designlint.compiler.rules import ID
from designlint.reading.errors import UsageError
from designlint.version import __version__

command = typer.Typer(help="Create a new rule.", no_args_is_help=True)

RULE = """\
title: What is wrong, in a line
severity: warning          # error: cannot work; warning: works worse; info: practice
since: {version}
about: Workload            # the class it judges of the design language
judge: ?tensor <= ?most    # an expression over words of the class and its parts: true passes, unbound is unknown
message: "{{focus}} has tensor {{tensor}}, more than {{most}}"
problem: >-
  Why it hurts, and what the rule does not see.
remedy: >-
  What to do about it.
limits:
  most: {{value: 8, kind: Count, source: our-handbook}}
examples:
  bad:
    - why: over the limit
      design: |
        workloads:
          - name: pretrain
            parallelism:
              tensor: 16  # finding
      says: "pretrain has tensor 16, more than 8"
  good:
    - why: at the limit
      design: |
        workloads:
          - name: pretrain
            parallelism: {{tensor: 8}}
  unknown:
    - why: parallelism is not stated
      design: |
        workloads:
          - name: pretrain
      missing: [workloads/pretrain/parallelism/tensor]
"""


@command.callback()
def _group() -> None:
    pass


@command.command("rule")
def rule(
    name: Annotated[str, typer.Argument(help="TOPIC/FAULT: the fault, never the cure; it must read after `allow`.")],
    folder: Annotated[Path, typer.Option(help="The folder of rules.")] = Path("rules"),
) -> None:
    """Write a new rule file with examples that pass."""
    if not ID.fullmatch(name):
        raise UsageError(f"{name}: a rule is named topic/fault, lower case with hyphens")
    place = folder / f"{name}.yaml"
    if place.exists():
        raise UsageError(f"{place} exists already")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(RULE.format(version=__version__), "utf-8")
    print_text(f"{place}\nNext: edit it, then run `designlint test {folder}`.")
