"""Baselines: an old repository passes from the first day, nothing gets worse unseen, and nothing stays behind."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designlint.linting import pipeline
from designlint.reading import read_bytes
from designlint.suppressions import baseline
from tests.running import designlint
from tests.test_waivers import DESIGN, ENGINE, RULE

if TYPE_CHECKING:
    from tests.running import Run

FILE = "designlint-baseline.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository of one design with two findings of one rule and one more, and their baseline."""
    (tmp_path / "pods").mkdir()
    (tmp_path / "pods/design.yaml").write_text(DESIGN, "utf-8")
    run = designlint("baseline", "create", ".", cwd=tmp_path)
    assert (run.code, run.out) == (0, f"{FILE}: 3 findings of 1 design\n")
    return tmp_path


def check(folder: Path, *options: str) -> Run:
    return designlint(
        "check", ".", "--baseline", FILE, "--fail-on", "warning", "--format", "json", *options, cwd=folder
    )


def change(folder: Path, old: str, new: str) -> None:
    file = folder / "pods/design.yaml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def entries(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / FILE).read_text("utf-8"))["findings"]
    return found


def test_what_is_in_the_baseline_does_not_count(folder: Path) -> None:
    run = check(folder)
    assert run.code == 0
    assert run.data["findings"] == []
    assert [one["accepted"]["how"] for one in run.data["accepted"]] == ["baseline"] * 3
    assert run.data["accepted"][1]["accepted"]["location"]["file"] == FILE
    assert len(check(folder, "--no-baseline").data["findings"]) == 3
    out = designlint("check", ".", "--baseline", FILE, cwd=folder).out
    assert "No findings in 1 design (3 in the baseline)" in out


def test_the_file_is_sorted_and_one_finding_a_line(folder: Path) -> None:
    lines = (folder / FILE).read_text("utf-8").splitlines()
    assert [line for line in lines if '"rule"' in line] == lines[3:6]
    east = next(one for one in entries(folder) if one["subject"] == "fabrics/east")
    assert east == {
        "rule": RULE,
        "file": "pods/design.yaml",
        "subject": "fabrics/east",
        "constraint": "topology/uplinks_per_leaf",
        "severity": "warning",
        "measured": "2",
        "value": 2.0,
        "unit": "",
        "limit": 1.1,
        "room": pytest.approx(-9 / 11),
    }


def test_a_new_finding_counts(folder: Path) -> None:
    change(folder, "purpose: compute", "purpose: compute\n    colour: red")
    (found,) = check(folder).data["findings"]
    assert found["rule"] == "shape/unknown-word"


def test_a_finding_that_gets_worse_comes_back(folder: Path) -> None:
    change(folder, "uplinks_per_leaf: 16", "uplinks_per_leaf: 8")
    run = check(folder)
    (found,) = run.data["findings"]
    assert run.code == 1
    assert found["message"].endswith("; worse than the baseline: 2 -> 4")
    change(folder, "uplinks_per_leaf: 8", "uplinks_per_leaf: 16")
    assert check(folder).data["findings"] == []


def test_an_entry_that_does_not_say_how_bad_it_was_holds_nothing(folder: Path) -> None:
    text = (folder / FILE).read_text("utf-8")
    (folder / FILE).write_text(re.sub(', "room": [-.0-9]+', "", text, count=1), "utf-8")
    (found,) = check(folder).data["findings"]
    assert found["message"].endswith("; the baseline does not say how bad it was; it is 2 now")


def test_a_baseline_beyond_all_bounds_is_never_read_whole(folder: Path) -> None:
    with (folder / FILE).open("wb") as stream:
        stream.truncate(1 << 40)
    run = designlint("check", ".", "--baseline", FILE, cwd=folder)
    assert (run.code, run.out) == (2, "")
    assert f"{FILE}: has more than " in run.err


def test_a_severity_that_became_higher_brings_a_finding_back(folder: Path) -> None:
    text = (folder / FILE).read_text("utf-8")
    (folder / FILE).write_text(text.replace('"severity": "warning"', '"severity": "info"', 1), "utf-8")
    (found,) = check(folder).data["findings"]
    assert found["message"].endswith("; worse than the baseline: info -> warning")


def test_a_stale_entry_fails_until_it_is_pruned(folder: Path) -> None:
    change(folder, "uplinks_per_leaf: 16", "uplinks_per_leaf: 32")
    run = designlint("check", ".", "--baseline", FILE, "--format", "json", cwd=folder)
    (found,) = run.data["findings"]
    assert run.code == 1
    assert (found["rule"], found["location"]["file"], found["location"]["line"]) == ("baseline/stale", FILE, 4)
    assert designlint("baseline", "prune", ".", cwd=folder).out == f"{FILE}: 1 removed, 0 tightened, 2 left\n"
    assert check(folder).code == 0
    change(folder, "uplinks_per_leaf: 32", "uplinks_per_leaf: 16")
    assert [one["rule"] for one in check(folder).data["findings"]] == [RULE]


def test_pruning_tightens_and_never_adds_or_loosens(folder: Path) -> None:
    change(folder, "uplinks_per_leaf: 16", "uplinks_per_leaf: 20")
    change(folder, "host_ports_per_leaf: 48", "host_ports_per_leaf: 64\n      colour: red")
    before = entries(folder)
    assert "0 removed, 1 tightened, 3 left" in designlint("baseline", "prune", ".", cwd=folder).out
    after = entries(folder)
    assert [one["subject"] for one in after] == [one["subject"] for one in before]
    assert [one.get("measured") for one in after] == ["1.6", "3", None]
    change(folder, "uplinks_per_leaf: 20", "uplinks_per_leaf: 16")
    assert any("1.6 -> 2" in one["message"] for one in check(folder).data["findings"])


def test_only_what_was_checked_can_be_stale(folder: Path) -> None:
    (folder / "other").mkdir()
    (folder / "other/design.yaml").write_text("designlint: 1\nname: other\n", "utf-8")
    (folder / "pods/design.yaml").rename(folder / "pods/renamed.yaml")
    here = designlint("check", "other", "--baseline", FILE, "--format", "json", cwd=folder)
    assert here.data["findings"] == []
    found = [one["rule"] for one in check(folder).data["findings"]]
    assert found.count("baseline/stale") == 3
    assert found.count(RULE) == 2


def test_a_baseline_is_not_overwritten_by_chance_and_keeps_its_reasons(folder: Path) -> None:
    run = designlint("baseline", "create", ".", cwd=folder)
    assert run.code == 2
    assert "--force" in run.err
    text = (folder / FILE).read_text("utf-8")
    given = text.replace('"severity": "warning"', '"severity": "warning", "reason": "older than the rule"', 1)
    (folder / FILE).write_text(given, "utf-8")
    change(folder, "fabrics:", "colour: red\nfabrics:")
    assert designlint("baseline", "create", ".", "--force", cwd=folder).code == 0
    assert [one.get("reason") for one in entries(folder)].count("older than the rule") == 1
    assert len(entries(folder)) == 4
    assert check(folder).code == 0


def test_the_baseline_can_be_read(folder: Path) -> None:
    out = designlint("baseline", "show", cwd=folder).out.splitlines()
    assert out[0].split() == ["2", RULE]
    assert "pods/design.yaml  fabrics/west/topology/uplinks_per_leaf  3" in out[2]
    assert out[-1] == "3 findings of 2 rules"


def test_what_nobody_may_waive_is_in_no_baseline(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_text("designlint: 1\nname: a\nname: b\n", "utf-8")
    run = designlint("baseline", "create", ".", cwd=tmp_path)
    assert run.out == f"{FILE}: 0 findings of 1 design\n"
    assert "1 finding that cannot be waived still count" in run.err
    assert designlint("check", ".", "--baseline", FILE, cwd=tmp_path).code == 1


def test_what_is_waived_is_not_taken_into_a_baseline(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_text(DESIGN + 'waivers: [{rule: "network/*", reason: a}]\n', "utf-8")
    assert designlint("baseline", "create", ".", cwd=tmp_path).out == f"{FILE}: 0 findings of 1 design\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", f"{FILE}:1: Expecting value"),
        ("[" * 100_000, f"{FILE}: it is nested too deeply"),
        ("[]", f"{FILE}: a baseline has"),
        ('{"designlint_baseline": 2, "findings": []}', f"{FILE}: a baseline of version 2"),
        ('{"designlint_baseline": 1,\n "findings": [\n  3]}', f"{FILE}:3: a finding is an object"),
        ('{"designlint_baseline": 1, "findings": [{}]}', f"{FILE}:1: a finding lacks rule, file"),
        ('{"designlint_baseline": 1, "findings": [\n{"rules": "a"}]}', f"{FILE}:2: a finding has no `rules`"),
        ('{"designlint_baseline": 1, "findings": [{"rule": 3}]}', f"{FILE}:1: `rule` is a text"),
        ('{"designlint_baseline": 1, "findings": [{"room": NaN}]}', f"{FILE}: NaN is not a number"),
    ],
)
def test_a_broken_baseline_is_told_by_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "design.yaml").write_text(DESIGN, "utf-8")
    (tmp_path / FILE).write_text(text, "utf-8")
    run = designlint("check", ".", "--baseline", FILE, cwd=tmp_path)
    assert run.code == 2
    assert said in run.err


def test_a_missing_baseline_is_no_empty_one(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_text(DESIGN, "utf-8")
    run = designlint("check", ".", "--baseline", "none.json", cwd=tmp_path)
    assert run.code == 2
    assert "`designlint baseline create` writes one" in run.err


def test_the_configuration_names_the_baseline_and_what_is_in_it(folder: Path) -> None:
    config = f'baseline = "{FILE}"\nignore = ["network/without-management-network"]\n'
    (folder / "designlint.toml").write_text(config, "utf-8")
    run = designlint("check", ".", "--format", "json", cwd=folder)
    assert (run.code, len(run.data["accepted"]), run.data["findings"]) == (0, 2, [])
    assert len(designlint("check", ".", "--no-baseline", "--format", "json", cwd=folder).data["findings"]) == 2
    assert designlint("baseline", "create", ".", "--force", cwd=folder).out == f"{FILE}: 2 findings of 1 design\n"


# -- whatever happens to the layout


def report(text: str) -> Any:
    return pipeline.lint(read_bytes(text.encode(), "design.yaml"), ENGINE, repair=False).report()


SECTIONS = {
    "fabrics": DESIGN.partition("fabrics:\n")[2].rstrip("\n").split("\n\n"),
    "evidence": [f"  - {{for: training-cluster-195/step-{number}}}" for number in (1, 93, 7)],
}


def written(sections: list[str], items: dict[str, list[str]]) -> list[str]:
    return ["designlint: 1", *(line for one in sections for line in [f"{one}:", *"\n".join(items[one]).splitlines()])]


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_layout_never_changes_what_the_baseline_holds(data: st.DataObject) -> None:
    checked = baseline.Checked(["."], ENGINE.rules)
    first = report("\n".join(written(list(SECTIONS), SECTIONS)))
    held, refused = baseline.create_baseline(first, Path(FILE), checked, {})
    items = {name: data.draw(st.permutations(listed)) for name, listed in SECTIONS.items()}
    lines = written(data.draw(st.permutations(list(SECTIONS))), items)
    for at in sorted(data.draw(st.sets(st.integers(1, len(lines)))), reverse=True):
        lines.insert(at, data.draw(st.sampled_from(["", "# a comment", "    # deep"])))
    again = baseline.parse_baseline(Path(FILE), held.write_text())
    after = baseline.apply_baseline(report("\n".join(lines)), again, checked, ENGINE)
    assert (refused, after.findings) == (0, [])
    assert len(after.accepted) == len(first.findings) > len(SECTIONS["evidence"])
