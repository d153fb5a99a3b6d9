"""What a reviewer of a change has to see: nothing is judged otherwise, or not at all, without a word about it."""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from designlint.cli.shared.terminal import harmless
from designlint.configuration import engine
from designlint.findings.notices import Adjustment
from designlint.linting import pipeline
from designlint.reading import discovery, read_bytes
from designlint.reading.discovery import Unjudged
from designlint.reporters import render
from designlint.reporters.shared.options import RenderOptions
from designlint.rules.settings import FailOn, SettingOrigin, Settings
from tests.running import BAD, designlint

if TYPE_CHECKING:
    from designlint.findings.report import Report

FORMATS = ("text", "concise", "github", "gitlab", "sarif", "junit", "markdown", "csv", "json")
BODY = "nodes: [{name: a, count: 4}]\n"


@pytest.mark.parametrize(
    "text",
    [
        "designlint: 1\n",
        '"designlint" : 1\n',
        "{designlint: 1}\n",
        "? designlint\n: 1\n",
        "!!str designlint: 1\n",
        "&key designlint: 1\n",
        "--- # marker\n%YAML 1.2\n---\n{ 'designlint': 1}\n",
        '"\\x64esignlint": 1\n',
        "\ufeff\ufeffdesignlint: 1\n",
        "# licence\n" * 20_000 + "designlint: 1\n",
        BODY + "designlint: 1\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_design_is_recognised_however_its_key_is_written(text: str, encoding: str, tmp_path: Path) -> None:
    (tmp_path / "a.YAML").write_bytes(text.encode(encoding))
    assert discovery.discover([str(tmp_path)]) == [str(tmp_path / "a.YAML")]


@pytest.mark.parametrize("text", ["designlint:\n  script: make\nstages: [test]\n  ", "a: {designlint: 1}\n", "[1]\n"])
def test_other_files_are_no_designs(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("x: 1\n" + text)
    search = discovery.FolderSearch(str(tmp_path))
    assert search.designs() == []
    assert discovery.alike(search.others, {"nodes", "fabrics"}) == []


def test_what_looks_like_a_design_and_is_not_judged_is_named(tmp_path: Path) -> None:
    top, away = tmp_path / "top", tmp_path / "away"
    for folder in (top / ".hidden" / "deep", away, top / ".git"):
        folder.mkdir(parents=True)
        (folder / "design.yaml").write_bytes(BAD)
    (top / "linked").symlink_to(away)
    (top / "named.yaml").write_text("nodes: [{name: a}]\nfabrics: [{name: f}]\n")
    search = discovery.FolderSearch(str(top))
    assert search.designs() == []
    assert [(Path(one.file).relative_to(top).as_posix(), one.reason.split()[0]) for one in search.passed] == [
        ("linked", "a"),
        (".hidden/deep/design.yaml", "it"),
    ]
    assert [one.file for one in discovery.alike(search.others, {"nodes", "fabrics"})] == [str(top / "named.yaml")]


def test_folders_of_any_depth_are_searched(tmp_path: Path) -> None:
    deep = tmp_path / "/".join("d" * 100)
    deep.mkdir(parents=True)
    (deep / "design.yaml").write_bytes(BAD)
    usual, search = sys.getrecursionlimit(), discovery.FolderSearch(str(tmp_path))
    sys.setrecursionlimit(len(inspect.stack(0)) + 60)
    try:
        found = search.designs()
    finally:
        sys.setrecursionlimit(usual)
    assert (found, search.passed) == ([str(deep / "design.yaml")], [])


@pytest.fixture(scope="module")
def report() -> Report:
    """A report in which all was changed that can be."""
    text = BAD.replace(
        b"tensor: 16}",
        b'tensor: 16}  # designlint: ignore[parallelism/tensor-beyond-scale-up-domain] reason="until the new racks"',
    )
    settings = Settings(fail_on=FailOn.NEVER, origins=(("fail_on", SettingOrigin("sub/designlint.toml", 7)),))
    found = pipeline.lint(read_bytes(text, "design.yaml"), engine.configure_engine(settings)).report()
    assert found.accepted
    ignored = Adjustment("ignored", ("network/a", "network/b"), "network", "", "designlint.toml:3", ("design.yaml",))
    changed = Adjustment("severity", ("power/c",), "power/c is info instead of error", "because", "designlint.toml:4")
    unjudged = [Unjudged("odd.yaml", "it is in a hidden folder")]
    return replace(found, settings=[*found.settings, ignored, changed], unjudged=unjudged, untried=3)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_shows_what_was_judged_otherwise_or_not_at_all(report: Report, format: str) -> None:
    text = render(format, report, RenderOptions())
    wanted = ["designlint.toml", "power/c is info instead of error", "odd.yaml", "hidden folder"]
    wanted += ["fail_on", "until the new racks"]
    for one in wanted:
        assert one in text, one
    assert "3" in text


def test_notices_stand_on_their_line_where_services_show_lines(report: Report) -> None:
    told = render("github", report, RenderOptions())
    assert "::notice file=sub/designlint.toml,line=7,title=designlint::no finding fails the run" in told
    issues = json.loads(render("gitlab", report, RenderOptions()))
    places = [
        (one["location"]["path"], one["location"]["lines"]["begin"]) for one in issues if one["severity"] == "info"
    ]
    assert ("sub/designlint.toml", 7) in places
    (run,) = json.loads(render("sarif", report, RenderOptions()))["runs"]
    assert len(run["invocations"][0]["toolConfigurationNotifications"]) >= 6


@pytest.mark.parametrize("format", FORMATS)
def test_a_run_of_the_shipped_settings_has_no_notices(format: str) -> None:
    text = render(format, pipeline.lint(read_bytes(BAD, "d.yaml"), engine.shipped_engine()).report(), RenderOptions())
    assert not any(one in text for one in ("note:", "::notice", "designlint/note", "toolConfiguration", "before you"))


def test_nothing_printed_steers_a_terminal_or_a_service() -> None:
    assert harmless("a\x1b[2Jb\u202e\n::error::x\n  ##[group]") == "a\\u001b[2Jb\\u202e\n\\::error::x\n\\  ##[group]"
    assert harmless("::error::x\n", commands=True) == "::error::x\n"
    assert harmless("\x1b[1;31mred\x1b[0m", styled=True) == "\x1b[1;31mred\x1b[0m"


@pytest.mark.parametrize("steering", ["\x1b[8mhidden", "\x1b]8;;https://evil.example\x1b\\link"])
def test_only_what_we_style_keeps_colours_and_links(steering: str, tmp_path: Path) -> None:
    shown = harmless(steering)
    assert "\x1b" not in shown
    (tmp_path / "design.yaml").write_text(f"designlint: 1\nname: {json.dumps(steering)}\n", "utf-8")
    rows = designlint("query", "design.yaml", "SELECT ?name WHERE { ?s :name ?name }", cwd=tmp_path).out
    assert shown in rows
    assert "\x1b" not in rows
    wrong = designlint("check", steering, cwd=tmp_path).err
    assert shown in wrong
    assert "\x1b" not in wrong
