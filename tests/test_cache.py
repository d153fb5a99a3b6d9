"""Kept reports: what comes from them is what judging anew gives, and whatever a report is made from makes it made anew."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from designlint import reporters
from tests.kept import KEPT, Place
from tests.running import BAD, ROOT, RULE, designlint, surroundings

if TYPE_CHECKING:
    from pathlib import Path


def everything(place: Place, target: Path, *arguments: str) -> dict[str, bytes]:
    """What a run over all examples writes, in every format."""
    target.mkdir()
    formats = [part for name in reporters.names() for part in ("--format", f"{name}={target / name}")]
    run = designlint(
        "check", ROOT / "examples", "--margins", *arguments, *formats, DESIGNLINT_CACHE_DIR=str(place.cache)
    )
    written = {path.name: path.read_bytes() for path in target.iterdir()}
    return {**written, "": f"{run.code} {run.out} {run.err}".encode()}


def test_every_format_is_the_same_with_and_without(place: Place, tmp_path: Path) -> None:
    anew = everything(place, tmp_path / "anew", "--no-cache")
    assert not place.entries()
    first = everything(place, tmp_path / "first", "--jobs", "2")
    assert len(place.entries()) == len(list((ROOT / "examples").rglob("design.yaml")))
    again, shared = (everything(place, tmp_path / f"again-{jobs}", "--jobs", jobs) for jobs in "12")
    assert anew == first == again == shared


def test_a_report_is_used_again(place: Place) -> None:
    place.mark()
    assert place.hits("design.yaml", "--jobs", "2")
    assert place.hits()


def test_a_changed_design_is_judged_anew(place: Place) -> None:
    place.mark()
    place.design.write_bytes(BAD + b"# more\n")
    assert not place.hits()
    place.design.write_bytes(BAD)
    assert place.hits()


def test_the_same_design_elsewhere_is_told_there(place: Place) -> None:
    place.mark()
    place.write("other.yaml", BAD)
    assert "other.yaml:6" in place.run("other.yaml").out


@pytest.mark.parametrize(
    "arguments", [("--today", "2030-01-01"), ("--margins",), ("--ignore", "storage"), ("--no-waivers",)]
)
def test_what_is_asked_decides(place: Place, arguments: tuple[str, ...]) -> None:
    place.mark()
    assert not place.hits("design.yaml", *arguments)


def test_the_day_decides(place: Place) -> None:
    place.mark()
    tomorrow = "import time; told = time.strftime; time.strftime = lambda *_: '2099-01-01'"
    assert KEPT not in altered(place, tomorrow)
    assert KEPT in altered(place, "")


def test_the_version_decides(place: Place) -> None:
    place.mark()
    other = "import designlint.version; designlint.version.__version__ = '99.0'"
    unwritten = (
        "from designlint.compiler import bundle; bundle._write = lambda *_: None"  # this checkout has one version
    )
    assert KEPT not in altered(place, f"{other}\n{unwritten}")


def altered(place: Place, code: str) -> str:
    """What a run prints in a process where some code ran before."""
    code += (
        "\nimport sys; sys.argv = ['designlint', 'check', 'design.yaml']\nfrom designlint.cli.main import main; main()"
    )
    environment = {**surroundings(), "DESIGNLINT_CACHE_DIR": str(place.cache)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=place.home, env=environment, capture_output=True, check=False
    )
    assert done.returncode == 1, done.stderr
    return done.stdout.decode()


def test_a_changed_configuration_decides(place: Place) -> None:
    place.mark()
    place.write("designlint.toml", "ignore = ['storage']\n")
    assert not place.hits()
    place.mark()
    place.write("designlint.toml", "ignore = ['network']\n")
    assert not place.hits()


def test_a_changed_rule_decides(place: Place) -> None:
    rule = place.write("own/cluster/no-spare.yaml", RULE)
    place.mark("design.yaml", "--rules", "own")
    rule.write_text(RULE.replace("> 100", "> 200"))
    assert not place.hits("design.yaml", "--rules", "own")
    rule.write_text(RULE)
    assert place.hits("design.yaml", "--rules", "own")
    place.write("own/cluster/another.yaml", RULE)
    assert not place.hits("design.yaml", "--rules", "own")


def test_a_folder_of_rules_that_is_gone_is_told(place: Place) -> None:
    rule = place.write("own/cluster/no-spare.yaml", RULE)
    place.mark("design.yaml", "--rules", "own")
    rule.unlink()
    rule.parent.rmdir()
    rule.parent.parent.rmdir()
    assert place.run("design.yaml", "--rules", "own").code == 2


def test_a_changed_base_is_read_anew(place: Place) -> None:
    place.write("base.yaml", "designlint: 1\nname: a\n")
    place.write("low.yaml", "designlint: 1\nsite: b\n")
    place.write("design.yaml", b"extends: base.yaml\n" + BAD)
    place.mark()
    base = place.write("base.yaml", "designlint: 1\nname: c\n")
    assert not place.hits()
    base.write_text("extends: low.yaml\ndesignlint: 1\nname: a\n")
    place.mark()
    place.write("low.yaml", "designlint: 1\nsite: c\n")
    assert not place.hits()
    place.mark()
    (place.home / "low.yaml").unlink()
    assert not place.hits()


def test_a_base_that_appears_is_read(place: Place) -> None:
    place.write("design.yaml", b"extends: base.yaml\n" + BAD)
    place.mark()
    place.write("base.yaml", "designlint: 1\nname: a\n")
    assert not place.hits()


def test_a_base_that_a_link_leads_to_elsewhere_is_read(place: Place) -> None:
    for name in "ab":
        place.write(f"{name}.yaml", "designlint: 1\nname: a\n")
    place.write("design.yaml", b"extends: base.yaml\n" + BAD)
    link = place.home / "base.yaml"
    link.symlink_to("a.yaml")
    place.mark()
    link.unlink()
    link.symlink_to("b.yaml")
    assert not place.hits()


def test_a_base_comes_within_reach_with_the_repository(place: Place) -> None:
    place.write("base.yaml", "designlint: 1\nname: a\n")
    place.write("sub/design.yaml", b"extends: ../base.yaml\n" + BAD)
    place.mark("sub/design.yaml")
    (place.home / ".git").mkdir()
    assert not place.hits("sub/design.yaml")
