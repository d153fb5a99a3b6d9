"""What is generated is current: schemas, shapes, pages, and the outputs that README shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tools import docs, pages

from designlint.cli.main import commands
from tests.running import ROOT, designlint

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def test_generated_files_are_current() -> None:
    assert pages.stale(ROOT) == [], "run `make docs`"


@pytest.mark.parametrize("page", docs.handwritten(), ids=lambda page: page.name)
def test_pages_show_what_is_printed(page: Path) -> None:
    assert docs.current(page, printed) == page.read_text("utf-8"), "run `make docs`"


def printed(arguments: Sequence[str]) -> str:
    """What a run prints, without a process of its own."""
    run = designlint(*arguments)
    return run.out + run.err


def test_readme_begins_with_its_two_commands() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert [line.split("#")[0].strip() for line in lines if line.startswith("make ")][:2] == ["make demo", "make test"]


def test_every_link_of_a_page_leads_somewhere() -> None:
    written = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    links = [(page, link) for page in written for link in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8"))]
    assert [(page.name, link) for page, link in links if "://" not in link and not (page.parent / link).exists()] == []


@pytest.mark.parametrize("command", commands())
def test_every_command_explains_itself(command: str) -> None:
    run = designlint(command, "--help")
    assert run.code == 0
    assert run.out.startswith("Usage: designlint " + command)


def test_paths_and_commands_that_a_contributor_is_given_are_there() -> None:
    text = "".join((ROOT / page).read_text("utf-8") for page in ("CONTRIBUTING.md", "docs/architecture.md"))
    named = set(re.findall(r"`([\w./-]+/[\w.-]+\.(?:py|ttl|yaml|csv|toml|md))`", text))
    assert len(named) > 20
    assert [one for one in named if not any((top / one).exists() for top in (ROOT, ROOT / "src" / "designlint"))] == []
    assert set(re.findall(r"`designlint ([\w-]+)", text)) <= set(commands())
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    assert {one for line in re.findall(r"`make ([\w -]+)`", text) for one in line.split() if one[0] != "-"} <= targets
