"""Designs and the reports on them in every format, each design checked once."""

from __future__ import annotations

import atexit
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import pytest
from tests import hostile
from tests.running import ROOT, designlint

from designlint import reporters
from designlint.reporters.shared.options import RenderOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

#: A design whose text is far from ASCII, with a fault behind letters that UTF-8 and UTF-16 count otherwise.
UNICODE = """\
designlint: 1
name: 日本語 𝔘
nodes: [{name: "𝔘𝔘 é", model: dgx-h100, count: 4}]
workloads:
  - {name: "👩‍🔬 ünïcödé", parallelism: {tensor: 16}}
"""


@dataclass(frozen=True, slots=True)
class Checked:
    """A design that was checked: where it stands and the report on it by format."""

    folder: Path
    file: str
    reports: Mapping[str, str]

    def __getitem__(self, format: str) -> str:
        return self.reports[format]


@cache
def checked(name: str) -> Checked:
    """All reports on a design."""
    if name == "by hand":
        report = hostile.report()
        options = RenderOptions(accepted=True)
        made = {format: reporters.render(format, report, options) for format in reporters.names()}
        return Checked(ROOT, report.files[0], {format: _through_a_file(text) for format, text in made.items()})
    folder = Path(mkdtemp(prefix="designlint-")).resolve()
    atexit.register(shutil.rmtree, folder)
    (folder / ".git").mkdir()
    file = folder / ("sub folder/ünï %23#'\"&<>,;:.yaml" if name == "hostile" else "design.yaml")
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(_design(name))
    wanted = [f"--format={format}={folder}/out.{format}" for format in reporters.names()]
    run = designlint("check", file.relative_to(folder), *wanted, "--today", "2026-11-20", cwd=folder)
    assert run.out == ""
    reports = {format: (folder / f"out.{format}").read_bytes().decode() for format in reporters.names()}
    return Checked(folder, file.relative_to(folder).as_posix(), reports)


def _design(name: str) -> bytes:
    if name == "hostile":
        return hostile.design()
    if name == "unicode":
        return UNICODE.encode()
    return (ROOT / "examples" / name / "design.yaml").read_bytes()


def _through_a_file(text: str) -> str:
    """The text as a reader finds it that was written to a file."""
    return text.encode("utf-8", "backslashreplace").decode()


@pytest.fixture(params=["superpod-4su", "hawk-4096", "unicode", "hostile", "by hand"])
def reports(request: pytest.FixtureRequest) -> Checked:
    """Reports on a clean design, on one with faults, on one in many scripts, and on those that mean harm."""
    return checked(request.param)
