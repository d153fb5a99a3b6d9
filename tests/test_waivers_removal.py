"""Waivers without effect are taken out, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.linting import pipeline
from designlint.reading import read_bytes
from tests.running import designlint
from tests.test_waivers import DESIGN, ENGINE, RULE, WAIVER, check, with_comment

if TYPE_CHECKING:
    from pathlib import Path


# -- taking them out


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (with_comment(3, WAIVER), DESIGN),
        (with_comment(3, WAIVER, above=True), DESIGN),
        (with_comment(3, f"# why {WAIVER}"), with_comment(3, "# why")),
        (with_comment(3, f"{WAIVER} # why"), with_comment(3, "# why")),
        (DESIGN + WAIVER, DESIGN.rstrip("\n")),
        (f"{DESIGN}waivers:\n  - {{rule: compute/mfu-implausible, reason: a}}\n", DESIGN),
        (
            with_comment(7, f'# designlint: ignore[network/a, {RULE}, compute/b] reason="a"'),
            with_comment(7, f'# designlint: ignore[{RULE}] reason="a"'),
        ),
    ],
)
def test_the_fix_takes_out_a_waiver_and_nothing_else(before: str, after: str) -> None:
    result = pipeline.lint(read_bytes(before.encode(), "design.yaml"), ENGINE)
    fixes = [fix for one in result.findings if one.rule.startswith("waiver/") for fix in one.fixes]
    lines, made = before.splitlines(keepends=True), before
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    edits = [edit for fix in fixes for edit in fix.replacements]
    for edit in sorted(edits, reverse=True):
        at = edit.location
        start, end = starts[at.line - 1] + at.column - 1, starts[at.end_line - 1] + at.end_column - 1
        made = made[:start] + edit.text + made[end:]
    assert {fix.safety for fix in fixes} == {"safe"}
    assert made == after


def test_an_expired_waiver_that_would_be_missed_is_not_removed_as_safe() -> None:
    for line, safety in ((7, "unsafe"), (3, "safe")):
        data = check(with_comment(line, f"{WAIVER} until=2026-01-01"))
        (expired,) = [one for one in data["findings"] if one["rule"] == "waiver/expired"]
        assert [fix["safety"] for fix in expired["fixes"]] == [safety]


def test_hundreds_of_waivers_do_not_hang_a_run(tmp_path: Path) -> None:
    comment = '# designlint: ignore[shape/unknown-word] reason="a" while="tiers <= 2"'
    fabrics = [f"  - {{name: f{number}, colour: red}}  {comment} until=2020-01-01" for number in range(400)]
    entries = [f"  - {{rule: shape/unknown-word, on: fabrics/g{number}, reason: a}}" for number in range(400)]
    file = tmp_path / "design.yaml"
    file.write_text("\n".join(["designlint: 1", "fabrics:", *fabrics, "waivers:", *entries]), "utf-8")
    run = designlint("check", file, "--format", "concise")
    assert run.code == 1
    assert "waiver/expired" in run.out
