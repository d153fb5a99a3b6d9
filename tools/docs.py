"""Writes every generated file, outputs and figures of README and docs included; with --check, only says which are stale."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.cli.shared.loading import draw_figure
from tools import pages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT = Path(__file__).resolve().parent.parent
#: A console block: its command, and the output that must be current.
BLOCK = re.compile(r"(```console\n\$ (designlint [^\n]+)\n)(.*?)(```)", re.DOTALL)
#: A figure that a page shows: of which example, and its name.
FIGURE = re.compile(r"figures/([a-z0-9-]+)/([a-z0-9-]+)\.svg")
#: Longest output shown; the rest is cut, and said to be.
SHOWN = 60
#: The exit code of a run that met a bug: what it printed is not for a page.
BUG = 3


def handwritten() -> list[Path]:
    """The pages written by hand that may show what commands print."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def run_output(arguments: Sequence[str]) -> str:
    """What a run prints: its answer, and what it says beside it."""
    words = [sys.executable, "-m", "designlint", *arguments]
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "CI_"))}
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False, encoding="utf-8", env=outside)
    if done.returncode == BUG:
        raise RuntimeError(f"`designlint {' '.join(arguments)}` ended with a bug:\n{done.stderr}")
    return done.stdout + done.stderr


def current(page: Path, run: Callable[[Sequence[str]], str] = run_output) -> str:
    """
    A page with the output of each of its `$ designlint ...` blocks as it is now.

    Args:
        run: what a command prints, from its arguments.
    """
    return BLOCK.sub(lambda found: found[1] + output(found[2], run) + found[4], page.read_text("utf-8"))


def pictures() -> dict[Path, str]:
    """The figures that the pages show, as they are now."""
    shown = sorted({found for page in handwritten() for found in FIGURE.findall(page.read_text("utf-8"))})
    return {
        ROOT / "docs" / "figures" / example / f"{name}.svg": draw_figure(f"examples/{example}/design.yaml", name).svg
        + "\n"
        for example, name in shown
    }


def output(command: str, run: Callable[[Sequence[str]], str]) -> str:
    """What a command prints, cut after so many lines."""
    lines = run(shlex.split(command)[1:]).rstrip("\n").split("\n")
    cut = [f"... ({len(lines) - SHOWN} more lines)"] if len(lines) > SHOWN else []
    return "\n".join([*lines[:SHOWN], *cut]) + "\n"


def main() -> None:
    """Write, or check and exit 1 where something is stale."""
    stale = pages.stale(ROOT)
    os.chdir(ROOT)
    now = {page: current(page) for page in handwritten()} | pictures()
    stale += [
        str(one.relative_to(ROOT)) for one, text in now.items() if not one.exists() or text != one.read_text("utf-8")
    ]
    if "--check" not in sys.argv:
        pages.write(ROOT)
        for page, text in now.items():
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text, "utf-8")
    for name in stale:
        print(f"{'stale' if '--check' in sys.argv else 'wrote'}: {name}")
    if stale and "--check" in sys.argv:
        sys.exit("run `make docs`")


if __name__ == "__main__":
    main()
