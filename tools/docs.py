"""Writes every generated file, the outputs in README and in docs included; with --check, only says which are stale."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from designlint.docs import pages

ROOT = Path(__file__).resolve().parent.parent
#: A console block: its command, and the output that must be current.
BLOCK = re.compile(r"(```console\n\$ (designlint [^\n]+)\n)(.*?)(```)", re.DOTALL)
#: Longest output shown; the rest is cut, and said to be.
SHOWN = 60


def told() -> list[Path]:
    """The pages written by hand that may show what commands print."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def current(page: Path) -> str:
    """A page with the output of each of its `$ designlint ...` blocks as it is now."""
    return BLOCK.sub(lambda found: found[1] + output(found[2]) + found[4], page.read_text("utf-8"))


def output(command: str) -> str:
    """What a command prints, cut after so many lines."""
    words = [sys.executable, "-m", *command.split()]
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "CI_"))}
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False, encoding="utf-8", env=outside)
    lines = (done.stdout + done.stderr).rstrip("\n").split("\n")
    cut = [f"... ({len(lines) - SHOWN} more lines)"] if len(lines) > SHOWN else []
    return "\n".join([*lines[:SHOWN], *cut]) + "\n"


def main() -> None:
    """Write, or check and exit 1 where something is stale."""
    stale = pages.stale(ROOT)
    now = {page: current(page) for page in told()}
    stale += [str(page.relative_to(ROOT)) for page, text in now.items() if text != page.read_text("utf-8")]
    if "--check" not in sys.argv:
        pages.write(ROOT)
        for page, text in now.items():
            page.write_text(text, "utf-8")
    for name in stale:
        print(f"{'stale' if '--check' in sys.argv else 'wrote'}: {name}")
    if stale and "--check" in sys.argv:
        sys.exit("run `make docs`")


if __name__ == "__main__":
    main()
