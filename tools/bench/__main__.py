"""Measures every group of this folder and writes docs/benchmarks.md; with names of groups, prints only these."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from designlint import __version__
from tools.bench.measuring import ROOT, ROUNDS, Row

#: Modules of this folder that are no group of rows.
SHARED = {"__init__", "__main__", "measuring", "designs"}


def groups(wanted: list[str]) -> list[str]:
    """The names of the groups, in the order of the page."""
    found = {file.stem for file in Path(__file__).parent.glob("*.py")} - SHARED
    return sorted(wanted or found, key=lambda name: (import_module(f"tools.bench.{name}").ORDER, name))


def main() -> None:
    """Measure and print; write the page where all groups were measured."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    load, rows = os.getloadavg()[1], list[Row]()
    with tempfile.TemporaryDirectory() as kept:
        os.environ["DESIGNLINT_CACHE_DIR"] = kept
        for name in groups(sys.argv[1:]):
            with tempfile.TemporaryDirectory() as folder:
                rows += import_module(f"tools.bench.{name}").rows(Path(folder))
    lines = ["| what | against | figure |", "| --- | --- | --- |", *(f"| {' | '.join(row)} |" for row in rows)]
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    made = (
        f"`make bench` on {datetime.now(UTC):%Y-%m-%d}, {machine}, designlint {__version__}, load of others {load:.1f}"
    )
    text = f"# Benchmarks\n\n{made}. Times of whole processes are CPU time, median of {ROUNDS} rounds in turns.\n\n"
    text += "\n".join(lines) + "\n"
    if len(sys.argv) == 1:
        (ROOT / "docs" / "benchmarks.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
