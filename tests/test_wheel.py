"""The package stands on its own: installed elsewhere, it finds what the checkout finds."""

from __future__ import annotations

import subprocess
import sys
import venv
from typing import TYPE_CHECKING

from tests.running import ROOT, designlint

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = ("hawk-4096", "impossible-1t", "ten-lines")


def test_an_installed_wheel_finds_the_same(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", tmp_path, ROOT], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("designlint-*.whl")
    home = tmp_path / "home"
    venv.create(home, with_pip=True)
    subprocess.run([home / "bin" / "pip", "install", "--quiet", wheel], check=True, capture_output=True)
    for name in EXAMPLES:
        (tmp_path / f"{name}.yaml").write_bytes((ROOT / "examples" / name / "design.yaml").read_bytes())
        for arguments in (
            ["check", f"{name}.yaml", "--format", "json", "--fail-on", "never"],
            ["report", f"{name}.yaml", "--format", "json", "--today", "2026-11-20"],
        ):
            installed = subprocess.run(
                [home / "bin" / "designlint", *arguments], cwd=tmp_path, capture_output=True, check=True
            )
            assert installed.stdout.decode() == designlint(*arguments, cwd=tmp_path).out
    explained = subprocess.run(
        [home / "bin" / "designlint", "explain", "memory/need-beyond-gpu"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert explained.stdout.decode() == designlint("explain", "memory/need-beyond-gpu").out
