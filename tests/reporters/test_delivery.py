"""Reports go where `--format` sends them: one to standard output, the others to files, each whole or not at all."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.running import BAD, ROOT, designlint

from designlint import reporters

if TYPE_CHECKING:
    from pathlib import Path


def test_every_module_of_the_folder_is_a_format() -> None:
    for name in reporters.names():
        render = importlib.import_module(f"designlint.reporters.{name}").render
        assert list(inspect.signature(render).parameters) == ["report", "options"], name


def test_help_and_messages_name_every_format() -> None:
    assert ", ".join(reporters.names()) in " ".join(designlint("check", "--help").out.split())
    run = designlint("check", "--format", "jsno", "examples")
    assert run.code == 2
    assert "did you mean `json`?" in run.err
    assert ", ".join(reporters.names()) in run.err


def test_several_formats_in_one_run(tmp_path: Path) -> None:
    run = designlint("check", "-", "--format", "concise", f"--format=json={tmp_path}/new/a.json", stdin=BAD)
    assert run.code == 1
    assert run.out.startswith("<stdin>:")
    assert json.loads((tmp_path / "new" / "a.json").read_text("utf-8"))["summary"]["errors"] == 1
    assert [one.name for one in (tmp_path / "new").iterdir()] == ["a.json"]


def test_where_all_go_to_files_the_count_is_told_on_standard_error(tmp_path: Path) -> None:
    run = designlint("check", "-", "--format", f"text={tmp_path}/a.txt", stdin=BAD, NO_COLOR="", FORCE_COLOR="1")
    assert run.out == ""
    assert "1 error" in run.err
    assert "\x1b[" not in (tmp_path / "a.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("formats", "said"),
    [
        (["json", "text"], "only one format can go to standard output, not json and text"),
        (["json", "text=-"], "only one format can go to standard output"),
        (["json=a", "text=a"], "two formats cannot go to one file"),
        (["json="], "names no file"),
        (["json=."], "a folder"),
        (["=a"], "there is no format ``"),
    ],
)
def test_wrong_wishes_are_refused_before_anything_is_written(formats: list[str], said: str, tmp_path: Path) -> None:
    asked = [part for one in formats for part in ("--format", one)]
    run = designlint("check", ROOT / "examples/ten-lines", *asked, cwd=tmp_path)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert list(tmp_path.iterdir()) == []


def test_no_design_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(BAD)
    (tmp_path / "link.json").symlink_to("a.yaml")
    for target in ("a.yaml", "./a.yaml", "link.json"):
        run = designlint("check", "a.yaml", "--format", f"json={target}", cwd=tmp_path)
        assert run.code == 2
        assert "refusing to overwrite" in run.err
    assert (tmp_path / "a.yaml").read_bytes() == BAD


def test_a_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("old", "utf-8")
    (tmp_path / "old.json").chmod(0o640)
    (tmp_path / "link.json").symlink_to("old.json")
    designlint("check", "-", "--format", f"json={tmp_path}/link.json", stdin=BAD)
    designlint("check", "-", "--format", f"json={tmp_path}/new.json", stdin=BAD)
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "old.json").read_text("utf-8"))
    assert (tmp_path / "old.json").stat().st_mode & 0o777 == 0o640
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "new.json").stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_device_is_written_to() -> None:
    assert designlint("check", "-", "--format", "json=/dev/null", stdin=BAD).code == 1


def test_every_format_gives_the_same_bytes_again(tmp_path: Path) -> None:
    for seed in ("1", "2"):
        wanted = [f"--format={format}={tmp_path}/{seed}.{format}" for format in reporters.names()]
        designlint("check", "examples", *wanted, "--today", "2026-11-20", PYTHONHASHSEED=seed)
    for format in reporters.names():
        first, second = ((tmp_path / f"{seed}.{format}").read_bytes() for seed in ("1", "2"))
        assert first == second, format
        assert first


#: Run with formats as arguments: which heavy modules are imported once a report is printed in each of them.
IMPORTED = """\
import sys
from designlint.cli import main as cli
formats, found = sys.argv[1:], {}
for format in formats:
    sys.argv = ["designlint", "check", "examples/hawk-4096", "--format", format, "--fail-on", "never"]
    try:
        cli.main()
    except SystemExit as ended:
        assert not ended.code
    found[format] = sorted({"rdflib", "networkx", "typer", "pyshacl"} & sys.modules.keys())
sys.exit(str(found))
"""


def test_no_format_imports_anything_heavy() -> None:
    formats = [one for one in reporters.names() if one != "turtle"]
    warm = [
        sys.executable,
        "-m",
        "designlint",
        "check",
        "-",
    ]  # what authors wrote is compiled now, if it was not before
    subprocess.run(warm, input=BAD, capture_output=True, cwd=ROOT, timeout=60, check=False)
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, *formats], capture_output=True, cwd=ROOT, timeout=60, check=False
    )
    assert done.stderr.decode().strip() == str({format: [] for format in formats})


def test_nothing_is_written_through_a_link_out_of_the_repository(tmp_path: Path) -> None:
    outside, repository = tmp_path / "outside.yaml", tmp_path / "repository"
    outside.write_bytes(BAD)
    (repository / ".git").mkdir(parents=True)
    (repository / "a.yaml").write_bytes(BAD)
    (repository / "link.yaml").symlink_to(outside)
    (repository / "out").symlink_to(tmp_path)
    (repository / "new.yaml").symlink_to(tmp_path / "made.yaml")
    for arguments in (
        ("check", "a.yaml", "--format", "json=link.yaml"),
        ("check", "a.yaml", "--format", "json=out/outside.yaml"),
        ("check", "link.yaml", "--fix", "--unsafe-fixes"),
        ("report", "a.yaml", "-o", "link.yaml"),
        ("baseline", "create", "a.yaml", "--baseline", "out/made.yaml"),
        ("graph", "a.yaml", "-o", "link.yaml"),
        ("init", "new.yaml"),
    ):
        run = designlint(*arguments, cwd=repository)
        assert "a link leads out of the repository" in run.err or "exists already" in run.err, (arguments, run)
        assert outside.read_bytes() == BAD
        assert not (tmp_path / "made.yaml").exists()
    outside.unlink()
    outside.write_bytes(BAD)
    run = designlint("check", repository / "a.yaml", "--format", f"json={outside}x", cwd=repository)
    assert (run.code, (tmp_path / "outside.yamlx").exists()) == (1, True)  # a place that the user names outright
