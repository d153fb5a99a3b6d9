"""
Measures the groups of this folder and writes their sections of docs/benchmarks.md; all of them where none is named.

`python -m tools.bench sweeps fleet` measures two of them; the other sections stay as they are, each with its day and load.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from designlint import __version__
from tools.bench.measuring import ROOT, Row

PAGE = ROOT / "docs" / "benchmarks.md"
INTRODUCTION = """\
# Benchmarks

`make bench` measures a group and writes its section. Times of whole processes are CPU time, the median of rounds in turns; where
a row names another command, both ran in the same minutes on the same machine, so their ratio holds elsewhere, too.
"""
#: Modules of this folder that are no group of rows.
SHARED = {"__init__", "__main__", "measuring", "designs"}
SECTION = "\n## "


def groups() -> list[str]:
    """The names of all groups, in the order of the page."""
    found = {file.stem for file in Path(__file__).parent.glob("*.py")} - SHARED
    return sorted(found, key=lambda name: (import_module(f"tools.bench.{name}").ORDER, name))


def section(name: str) -> str:
    """Measure a group."""
    module, load = import_module(f"tools.bench.{name}"), os.getloadavg()[1]
    with tempfile.TemporaryDirectory() as folder:
        rows: list[Row] = module.rows(Path(folder))
    after = os.getloadavg()[1]
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    loads = f"load of others {load:.1f}, at the end with its own {after:.1f}"
    made = f"{datetime.now(UTC):%Y-%m-%d}, {machine}, designlint {__version__}, {loads}"
    lines = ["| what | against | figure |", "| --- | --- | --- |", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join([name, "", f"{(module.__doc__ or '').strip()}", "", f"{made}.", "", *lines, ""])


def page(text: str, measured: dict[str, str]) -> str:
    """The page with these sections, in the order of the groups, and those that it has of others."""
    known = {one.partition("\n")[0]: one.strip() + "\n" for one in text.split(SECTION)[1:]} | measured
    return SECTION.join([INTRODUCTION, *(known[name] for name in groups() if name in known)])


def main() -> None:
    """Measure, print, and write the page."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    wanted = [name for name in groups() if name in sys.argv[1:] or len(sys.argv) == 1]
    measured = {}
    with tempfile.TemporaryDirectory() as kept:
        os.environ["DESIGNLINT_CACHE_DIR"] = kept
        for name in wanted:
            measured[name] = section(name)
            print(f"## {measured[name]}", flush=True)
    PAGE.write_text(page(PAGE.read_text("utf-8"), measured), "utf-8")


if __name__ == "__main__":
    main()
