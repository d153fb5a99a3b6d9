"""Configuration as its user meets it: files in a repository, options, and what a report tells of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.running import BAD, Run, designlint

if TYPE_CHECKING:
    from pathlib import Path

TENSOR = "parallelism/tensor-beyond-scale-up-domain"
LEAF = "network/leaf-oversubscribed"
#: A fabric at 1.5:1, which the shipped limit of 1.1 refuses.
FABRIC = b"""\
designlint: 1
fabrics:
  - name: compute
    purpose: compute
    topology: {host_ports_per_leaf: 36, uplinks_per_leaf: 24}
"""


def write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")


def check(place: Path, *arguments: str) -> Run:
    return designlint("check", *arguments, "--format", "json", "--fail-on", "never", cwd=place)


def found(place: Path, *arguments: str) -> set[str]:
    return {one["rule"] for one in check(place, *arguments).data["findings"]}


def changed(data: Any) -> list[Any]:
    """The settings that a report tells, without the one by which `check` lets no finding fail the run."""
    (never,) = [one for one in data["settings"] if one["what"] == "fail_on"]
    assert (never["origin"], never["rules"], sorted(never["files"])) == ("--fail-on", [], sorted(data["files"]))
    return [one for one in data["settings"] if one is not never]


def by_file(data: Any) -> dict[str, set[str]]:
    files: dict[str, set[str]] = {name: set() for name in data["files"]}
    for one in data["findings"]:
        files[one["location"]["file"]].add(one["rule"])
    return files


# -- which file


def test_the_nearest_file_above_a_design_configures_it_alone(repository: Path) -> None:
    for site in ("a", "b/deep", "c"):
        (repository / "sites" / site).mkdir(parents=True)
        (repository / "sites" / site / "design.yaml").write_bytes(BAD)
    write(repository / "designlint.toml", f'ignore = ["{TENSOR}"]')
    write(repository / "sites/b/designlint.toml", 'ignore = ["design"]')
    write(repository / "sites/c/pyproject.toml", '[tool.designlint]\nselect = ["design"]')
    files = by_file(check(repository).data)
    assert TENSOR not in files["design.yaml"] | files["sites/a/design.yaml"] | files["sites/c/design.yaml"]
    assert TENSOR in files["sites/b/deep/design.yaml"]
    assert by_file(check(repository / "sites/b").data) == {"deep/design.yaml": files["sites/b/deep/design.yaml"]}


def test_the_search_ends_at_the_repository(tmp_path: Path) -> None:
    write(tmp_path / "designlint.toml", f'ignore = ["{TENSOR}"]')
    inner = tmp_path / "inner"
    (inner / ".git").mkdir(parents=True)
    (inner / "design.yaml").write_bytes(BAD)
    assert TENSOR in found(inner)


def test_a_pyproject_of_others_configures_nothing(repository: Path) -> None:
    write(repository / "pyproject.toml", '[tool.ruff]\nselect = ["designlint"]')
    assert TENSOR in found(repository)


def test_two_configurations_in_one_folder_are_refused(repository: Path) -> None:
    write(repository / "pyproject.toml", "[tool.designlint]\n")
    write(repository / "designlint.toml", "")
    run = designlint("check", cwd=repository)
    assert (run.code, run.out) == (2, "")
    assert "pyproject.toml" in run.err


def test_options_beat_files(repository: Path) -> None:
    write(repository / "designlint.toml", 'ignore = ["design"]\nfail_on = "never"')
    assert designlint("check", cwd=repository).code == 0
    assert designlint("check", "--fail-on", "error", cwd=repository).code == 1
    write(repository / "designlint.toml", f'ignore = ["{TENSOR}"]')
    write(repository / "other.toml", 'ignore = ["design"]')
    assert found(repository, "--select", TENSOR) == {TENSOR}
    assert TENSOR in found(repository, "--isolated")
    assert TENSOR in found(repository, "--config", "other.toml")
    assert designlint("check", "--config", "nothing.toml", cwd=repository).code == 2


def test_a_design_on_standard_input_is_configured_by_its_name(repository: Path) -> None:
    write(repository / "sites/designlint.toml", f'ignore = ["{TENSOR}"]')
    for name, expected in (("sites/new.yaml", False), ("new.yaml", True)):
        run = designlint("check", "-", "--stdin-filename", name, "--format", "json", stdin=BAD, cwd=repository)
        assert (TENSOR in {one["rule"] for one in run.data["findings"]}) is expected


# -- extend


def test_a_file_is_laid_over_the_one_it_extends(repository: Path) -> None:
    write(repository / "designlint.toml", 'extend = "shared/base.toml"\nignore = ["design"]')
    write(repository / "shared/base.toml", f'ignore = ["{TENSOR}"]\nfail_on = "never"')
    rules = found(repository)
    assert TENSOR not in rules
    assert not [one for one in rules if one.startswith("design/")]
    assert designlint("check", cwd=repository).code == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('extend = "designlint.toml"', "in a cycle"),
        ('extend = "shared/loop.toml"', "in a cycle"),
        ('extend = "../outside.toml"', "leads out of"),
        ('extend = "/etc/designlint.toml"', "leads out of"),
        ('extend = "nothing.toml"', "not an existing TOML file"),
        ('rules = ["../pack"]', "leads out of"),
        ('rules = ["nowhere"]', "not an existing folder"),
        ('shapes = ["nothing.ttl"]', "not an existing file"),
    ],
)
def test_paths_that_lead_nowhere_or_out_are_refused(text: str, words: str, repository: Path) -> None:
    write(repository / "shared/loop.toml", 'extend = "../designlint.toml"')
    write(repository / "designlint.toml", f"# a comment\n{text}\n")
    run = designlint("check", cwd=repository)
    assert (run.code, run.out) == (2, "")
    assert words in run.err
    assert "designlint.toml:2:" in run.err or "loop.toml:1:" in run.err


def test_root_makes_a_folder_the_boundary(tmp_path: Path) -> None:
    write(tmp_path / "project/designlint.toml", f'root = true\nignore = ["{TENSOR}"]')
    write(tmp_path / "project/site/designlint.toml", 'extend = "../designlint.toml"')
    (tmp_path / "project/site/design.yaml").write_bytes(BAD)
    assert TENSOR not in found(tmp_path / "project/site")
    write(tmp_path / "project/designlint.toml", f'ignore = ["{TENSOR}"]')
    assert designlint("check", cwd=tmp_path / "project/site").code == 2


# -- which rules


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        ('select = ["parallelism"]', True),
        ('select = ["parallelism/*"]', True),
        ('select = ["para*"]', True),
        ('select = ["network"]', False),
        ('ignore = ["*"]', False),
        (f'select = ["{TENSOR}"]\nignore = ["parallelism"]', True),
        (f'select = ["parallelism"]\nignore = ["{TENSOR}"]', False),
        ('select = ["parallelism"]\nignore = ["parallelism/*"]', False),
        ('select = ["parallelism/tensor-*"]\nignore = ["parallelism/*"]', True),
    ],
)
def test_the_more_exact_word_counts(text: str, judged: bool, repository: Path) -> None:
    write(repository / "designlint.toml", text)
    assert (TENSOR in found(repository)) is judged


def test_settings_may_hold_for_some_paths_only(repository: Path) -> None:
    for site in ("a/lab", "a/prod", "b/deep/lab"):
        (repository / "sites" / site).parent.mkdir(parents=True, exist_ok=True)
        (repository / "sites" / f"{site}.yaml").write_bytes(BAD)
    write(
        repository / "designlint.toml",
        f"""
[[overrides]]
paths = ["sites/*/lab.yaml"]
ignore = ["{TENSOR}"]

[[overrides]]
paths = ["sites/**/lab.yaml"]
severity."{TENSOR}" = {{level = "info", reason = "labs learn"}}
""",
    )
    data = check(repository).data
    files = by_file(data)
    assert TENSOR not in files["sites/a/lab.yaml"]
    assert {name for name in files if TENSOR in files[name]} == {
        "design.yaml",
        "sites/a/prod.yaml",
        "sites/b/deep/lab.yaml",
    }
    levels = {one["location"]["file"]: one["severity"] for one in data["findings"] if one["rule"] == TENSOR}
    assert levels == {"design.yaml": "error", "sites/a/prod.yaml": "error", "sites/b/deep/lab.yaml": "info"}
    assert [(one["what"], one["files"]) for one in changed(data)] == [
        ("ignored", ["sites/a/lab.yaml"]),
        ("severity", ["sites/b/deep/lab.yaml"]),
    ]


# -- severities and limits


def test_a_severity_is_lowered_in_the_open(repository: Path) -> None:
    write(repository / "designlint.toml", f'[severity]\n"{TENSOR}" = {{level = "warning", reason = "NVLink comes"}}')
    data = check(repository).data
    assert [one["severity"] for one in data["findings"] if one["rule"] == TENSOR] == ["warning"]
    assert changed(data) == [
        {
            "what": "severity",
            "rules": [TENSOR],
            "text": f"{TENSOR} is warning instead of error",
            "reason": "NVLink comes",
            "origin": "designlint.toml:2",
            "files": ["design.yaml"],
        }
    ]
    said = f"Changed by designlint.toml:2: {TENSOR} is warning instead of error: NVLink comes"
    assert said in designlint("check", cwd=repository).out


def test_the_more_exact_severity_counts_then_the_later(repository: Path) -> None:
    table = '[severity]\n"{}" = {{level = "info", reason = "x"}}\n"{}" = {{level = "warning", reason = "y"}}'
    for one, other, level in ((TENSOR, "parallelism", "info"), ("parallelism/*", "parallelism", "warning")):
        write(repository / "designlint.toml", table.format(one, other))
        assert [one["severity"] for one in check(repository).data["findings"] if one["rule"] == TENSOR] == [level]


@pytest.mark.parametrize(("value", "fails"), [('"1.5"', False), ("1.5", False), ('"140 %"', True)])
def test_a_limit_is_overridden_in_the_open(value: str, fails: bool, repository: Path) -> None:
    (repository / "design.yaml").write_bytes(FABRIC)
    write(repository / "designlint.toml", f'[limits."{LEAF}"]\nmost = {{value = {value}, reason = "a test bed"}}\n')
    data = check(repository).data
    limits = [one["limits"]["most"] for one in data["findings"] if one["rule"] == LEAF]
    assert [one["value"] for one in limits] == ([1.4] if fails else [])
    assert all(one["text"] == "140 %" for one in limits)
    assert all(one["origin"] == "designlint.toml:2, instead of 1.1 (hpn-2024, verified): a test bed" for one in limits)
    assert [one["text"] for one in changed(data)] == [f"{LEAF} has most = {value.strip(chr(34))} instead of 1.1"]


def test_what_is_not_judged_is_counted(repository: Path) -> None:
    write(repository / "designlint.toml", f'ignore = ["{TENSOR}", "storage/no-*"]')
    run = designlint("check", cwd=repository)
    assert "Disabled by the configuration:" in run.out
    data = check(repository).data
    assert data["summary"]["rules_left_out"] == sum(len(one["rules"]) for one in data["settings"])
    assert {one["text"] for one in changed(data)} == {TENSOR, "storage/no-*"}
    assert TENSOR not in {one["rule"] for one in data["not_judged"]}


# -- what cannot be hidden


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('ignore = ["memory/state-beyond-all-gpus"]', "cannot be ignored"),
        ('severity."memory/state-beyond-all-gpus" = {level = "info", reason = "x"}', "cannot be lowered"),
        ('limits."memory/state-beyond-all-gpus".weights = {value = "1 B", reason = "x"}', "cannot be changed"),
    ],
)
def test_a_rule_that_is_not_waivable_stays(text: str, words: str, repository: Path) -> None:
    write(repository / "designlint.toml", text)
    run = designlint("check", cwd=repository)
    assert run.code == 2
    assert "designlint.toml:1: " in run.err
    assert words in run.err


def test_globs_and_selections_leave_mandatory_rules_in(repository: Path) -> None:
    (repository / "design.yaml").write_bytes(b"designlint: 1\nname: [a\n")
    write(repository / "designlint.toml", 'ignore = ["*"]')
    assert found(repository) == {"syntax/not-yaml"}
    assert found(repository, "--select", "network") == {"syntax/not-yaml"}
    assert designlint("check", "--ignore", "syntax/not-yaml", cwd=repository).code == 2
