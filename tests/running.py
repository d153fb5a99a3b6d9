"""Runs the command line as its user does: a process of its own, real files, real exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests import forking, inside

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent
#: A design with one error: tensor parallelism that leaves the server.
BAD = b"""\
designlint: 1
nodes:
  - {name: train, model: dgx-h100, count: 4}
workloads:
  - name: pretrain
    parallelism: {tensor: 16}
"""
#: A rule of one's own, which it breaks too.
RULE = """\
title: A cluster without a spare
severity: warning
since: 0.1.0
about: NodePool
judge: "?count > 100"
message: "{focus} has {count} servers"
problem: Too few.
remedy: Add servers.
examples:
  bad: [{design: "nodes: [{name: a, count: 3}]", says: "a has 3 servers"}]
  good: [{design: "nodes: [{name: a, count: 300}]"}]
  unknown: [{design: "nodes: [{name: a}]"}]
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Standard output, read as JSON."""
        return json.loads(self.out)


def surroundings() -> dict[str, str]:
    """The environment without what a run inside CI would follow."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "CI_"))}


def designlint(*arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None, **environment: str) -> Run:
    """Run `python -m designlint`; a traceback or a hang is a failed test whatever the code."""
    words, around = [*map(str, arguments)], {**surroundings(), "NO_COLOR": "1", **environment}
    start = inside.run if forking.possible(words, environment) else new_process
    code, out, err = start(words, stdin, cwd or ROOT, around, 60)
    run = Run(code, out.decode(), err.decode())
    assert "Traceback" not in run.err, run.err
    return run


def new_process(
    arguments: Sequence[str], stdin: bytes, folder: Path, environment: Mapping[str, str], seconds: float
) -> tuple[int, bytes, bytes]:
    """Exit code, standard output and standard error of a Python of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "designlint", *arguments],
        input=stdin,
        capture_output=True,
        cwd=folder,
        env=environment,
        timeout=seconds,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr
