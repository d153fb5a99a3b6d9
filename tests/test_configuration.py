"""Configuration as its user meets it: files in a repository, options, and what a report tells of them."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from designlint.docs import config_schema
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


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder that is the root of a repository, with one design with an error."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "design.yaml").write_bytes(BAD)
    return tmp_path


def write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")


def check(place: Path, *arguments: str) -> Run:
    return designlint("check", *arguments, "--format", "json", "--fail-on", "never", cwd=place)


def found(place: Path, *arguments: str) -> set[str]:
    return {one["rule"] for one in check(place, *arguments).data["findings"]}


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
        ('extend = "designlint.toml"', "in a circle"),
        ('extend = "shared/loop.toml"', "in a circle"),
        ('extend = "../outside.toml"', "leads out of"),
        ('extend = "/etc/designlint.toml"', "leads out of"),
        ('extend = "nothing.toml"', "no TOML file"),
        ('rules = ["../pack"]', "leads out of"),
        ('rules = ["nowhere"]', "no folder"),
        ('shapes = ["nothing.ttl"]', "no file"),
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
    assert [(one["what"], one["files"]) for one in data["settings"]] == [
        ("ignored", ["sites/a/lab.yaml"]),
        ("severity", ["sites/b/deep/lab.yaml"]),
    ]


# -- severities and limits


def test_a_severity_is_lowered_in_the_open(repository: Path) -> None:
    write(repository / "designlint.toml", f'[severity]\n"{TENSOR}" = {{level = "warning", reason = "NVLink comes"}}')
    data = check(repository).data
    assert [one["severity"] for one in data["findings"] if one["rule"] == TENSOR] == ["warning"]
    assert data["settings"] == [
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
    assert all(one["origin"] == "designlint.toml:2, instead of 1.1 (hpn-2024): a test bed" for one in limits)
    assert [one["text"] for one in data["settings"]] == [f"{LEAF} has most = {value.strip(chr(34))} instead of 1.1"]


def test_what_is_not_judged_is_counted(repository: Path) -> None:
    write(repository / "designlint.toml", f'ignore = ["{TENSOR}", "storage/no-*"]')
    run = designlint("check", cwd=repository)
    assert "Not judged, because the configuration says so:" in run.out
    data = check(repository).data
    assert data["summary"]["rules_left_out"] == sum(len(one["rules"]) for one in data["settings"])
    assert {one["text"] for one in data["settings"]} == {TENSOR, "storage/no-*"}
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


# -- faults of a file


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('selct = ["network"]', 1, "unknown key `selct`; did you mean `select`?"),
        ('\n\nfail-on = "never"', 3, "did you mean `fail_on`?"),
        ('fail_on = "fatal"', 1, "wanted `error` or `warning`"),
        ('select = "network"', 1, "a list of texts"),
        ("select = []", 1, "names no rule"),
        ('select = [\n  "network",\n  "netwrk",\n]', 3, "no rule or topic is called `netwrk`; did you mean `network`?"),
        ('ignore = ["network/leaf-oversubscribd"]', 1, f"did you mean `{LEAF}`?"),
        ('ignore = ["network", 4]', 1, "item 2 is wrong"),
        (f'[severity]\n"{LEAF}" = "info"', 2, "a severity says why"),
        (f'[severity]\n"{LEAF}" = {{level = "info"}}', 2, "say why"),
        (f'[severity]\n"{LEAF}" = {{level = "info", reason = " "}}', 2, "say why"),
        (f'[severity]\n"{LEAF}" = {{level = "off", reason = "x"}}', 2, "name the rule under `ignore`"),
        (f'[severity]\n"{LEAF}" = {{levl = "info", reason = "x"}}', 2, "did you mean `level`?"),
        (f'[limits."{LEAF}"]\nmost = {{value = "1.5"}}', 2, "say why"),
        (f'[limits."{LEAF}"]\nmst = {{value = "1.5", reason = "x"}}', 2, "did you mean `most`?"),
        ('[limits."network/leaf"]\nmost = {value = "1.5", reason = "x"}', 2, "no rule is called"),
        (f'[limits."{LEAF}"]\nmost = {{value = "1.5 GB", reason = "x"}}', 2, "1.5 GB"),
        (f'[limits."{LEAF}"]\nmost = {{value = true, reason = "x"}}', 2, "number and unit"),
        ('[limits."compute/mfu-beyond-newer-gpus"]\nclass = {value = 950, reason = "x"}', 2, "unit"),
        ('[[overrides]]\nignore = ["network"]', 1, "names its designs"),
        ('[[overrides]]\npaths = ["a"]\nfail_on = "never"', 3, "unknown key `fail_on`"),
        ("root = 1", 1, "true or false"),
        ("root = true\nroot = true", 2, "this is no TOML"),
        ("[severity", 1, "this is no TOML"),
        ("a = " + "[" * 3000, 1, "nested too deep"),
        ("a." * 3000 + "a = 1", 1, "characters"),
    ],
)
@pytest.mark.parametrize("name", ["designlint.toml", "pyproject.toml"])
def test_a_fault_is_named_with_its_line(name: str, text: str, line: int, words: str, repository: Path) -> None:
    if name == "pyproject.toml":
        head = '[project]\nname = "x"\n\n[tool.designlint]\n'
        text = text.replace("[[over", "[[tool.designlint.over").replace("[sev", "[tool.designlint.sev")
        text, line = head + text.replace("[lim", "[tool.designlint.lim"), line + 4
    write(repository / name, text)
    run = designlint("check", cwd=repository)
    assert (run.code, run.out) == (2, "")
    assert words in run.err
    assert "deep" in words or run.err.startswith(f"designlint: {name}:{line}: ")


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_an_option_that_names_no_rule_is_refused(option: str, repository: Path) -> None:
    run = designlint("check", option, "network,netwrk/*", cwd=repository)
    assert (run.code, run.out) == (2, "")
    assert f"{option}: no rule or topic is called `netwrk/*`" in run.err
    assert designlint("check", option, "", cwd=repository).code == 2


def test_a_file_that_is_no_text_is_refused(repository: Path) -> None:
    (repository / "designlint.toml").write_bytes(b"\xff\xfe\x00")
    assert "cannot be read" in designlint("check", cwd=repository).err


# -- rules of a repository's own


def test_rules_of_a_configuration_run_and_may_be_chosen(repository: Path) -> None:
    designlint("new", "rule", "house/too-many-tensor-ranks", cwd=repository)
    (repository / "rules").rename(repository / "our-rules")
    write(repository / "conf/designlint.toml", 'rules = ["../our-rules"]')
    (repository / "conf/design.yaml").write_bytes(BAD)
    assert "house/too-many-tensor-ranks" in found(repository / "conf")
    write(repository / "conf/designlint.toml", 'rules = ["../our-rules"]\nselect = ["house"]')
    assert "house/too-many-tensor-ranks" in found(repository / "conf")


def test_a_rule_that_replaces_a_shipped_one_is_told(repository: Path) -> None:
    designlint("new", "rule", LEAF, cwd=repository)
    write(repository / "designlint.toml", 'rules = ["rules"]')
    data = check(repository).data
    assert [(one["what"], one["rules"], one["origin"]) for one in data["settings"]] == [
        ("replaced", [LEAF], "designlint.toml:1")
    ]
    designlint("new", "rule", "memory/state-beyond-all-gpus", cwd=repository)
    assert "cannot be replaced" in designlint("check", cwd=repository).err


def test_a_rule_file_that_is_a_link_out_of_the_repository_is_refused(repository: Path) -> None:
    (repository / "rules/house").mkdir(parents=True)
    (repository / "rules/house/rule.yaml").symlink_to("/etc/passwd")
    write(repository / "designlint.toml", 'rules = ["rules"]')
    run = designlint("check", cwd=repository)
    assert run.code == 2
    assert "leads out of" in run.err


# -- config show, and the schema for editors


def test_config_show_tells_every_setting_and_its_origin(repository: Path) -> None:
    write(repository / "base.toml", 'ignore = ["storage"]\nfail_on = "warning"')
    write(
        repository / "designlint.toml",
        f"""
extend = "base.toml"
severity."{TENSOR}" = {{level = "warning", reason = "soon"}}
[limits."{LEAF}"]
most = {{value = "1.5", reason = "a lab"}}
[[overrides]]
paths = ["sites/**"]
ignore = ["security"]
""",
    )
    run = designlint("config", "show", "sites/a.yaml", "--ignore", "network", "--format", "json", cwd=repository)
    data = run.data
    told = {(one["key"], str(one["value"])): one["origin"] for one in data["settings"]}
    assert data["configuration"] == "designlint.toml"
    assert told["ignore", "storage"] == "base.toml:1"
    assert told["ignore", "security"] == "designlint.toml:8"
    assert told["ignore", "network"] == "--ignore"
    assert told["fail_on", "warning"] == "base.toml:2"
    assert told[f"severity.{TENSOR}", "warning"] == "designlint.toml:3"
    assert told[f"limits.{LEAF}.most", "1.5"] == "designlint.toml:5"
    assert told["select", "['*']"] == "default"
    text = designlint("config", "show", "--origin", cwd=repository).out
    assert '"storage"' in text
    assert "base.toml:1" in text
    assert "security" not in text
    assert "designlint.toml" not in designlint("config", "show", "--isolated", cwd=repository).out


SCHEMA = jsonschema.Draft202012Validator(config_schema.of_config())


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("", True),
        ('select = ["network"]\nignore = []\nfail_on = "never"\nroot = true\nbaseline = "b.json"', True),
        (f'severity."{LEAF}" = {{level = "info", reason = "x"}}', True),
        (f'limits."{LEAF}".most = {{value = 1.5, reason = "x"}}', True),
        ('[[overrides]]\npaths = ["a"]\nignore = ["network"]', True),
        ('selct = ["network"]', False),
        ("select = []", False),
        ('select = "network"', False),
        ('fail_on = "fatal"', False),
        ("root = 1", False),
        (f'severity."{LEAF}" = {{level = "off", reason = "x"}}', False),
        (f'severity."{LEAF}" = {{level = "info"}}', False),
        (f'severity."{LEAF}" = "info"', False),
        (f'limits."{LEAF}".most = {{value = true, reason = "x"}}', False),
        (f'limits."{LEAF}".most = 1.5', False),
        ('[[overrides]]\nignore = ["network"]', False),
        ('[[overrides]]\npaths = ["a"]\nfail_on = "never"', False),
    ],
)
def test_the_schema_and_the_reader_agree(text: str, right: bool, repository: Path) -> None:
    write(repository / "designlint.toml", text)
    assert SCHEMA.is_valid(tomllib.loads(text)) is right
    assert (designlint("config", "show", cwd=repository).code == 0) is right


def test_the_schema_is_a_schema_and_printed() -> None:
    jsonschema.Draft202012Validator.check_schema(config_schema.of_config())
    assert designlint("schema", "config").data == config_schema.of_config()


def test_a_baseline_of_the_configuration_holds_what_its_rules_find(repository: Path) -> None:
    write(repository / "designlint.toml", 'ignore = ["design"]\nbaseline = "base.json"')
    assert designlint("baseline", "create", ".", "--baseline", "base.json", cwd=repository).code == 0
    assert "design/" not in (repository / "base.json").read_text("utf-8")
    assert designlint("check", cwd=repository).code == 0
    assert designlint("check", "--no-baseline", cwd=repository).code == 1
