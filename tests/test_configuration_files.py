"""Configuration files themselves: their faults, the rules that they bring, what `config show` and the schema tell of them."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import jsonschema_rs
import pytest

from designlint.documentation import config_schema
from tests.running import BAD, designlint
from tests.test_configuration import LEAF, TENSOR, check, found, write

if TYPE_CHECKING:
    from pathlib import Path


# -- faults of a file


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('selct = ["network"]', 1, "unknown key `selct`; did you mean `select`?"),
        ('\n\nfail-on = "never"', 3, "did you mean `fail_on`?"),
        ('fail_on = "fatal"', 1, "expected `error` or `warning`"),
        ('select = "network"', 1, "a list of texts"),
        ("select = []", 1, "names no rule"),
        ('select = [\n  "network",\n  "netwrk",\n]', 3, "no rule or topic is called `netwrk`; did you mean `network`?"),
        ('ignore = ["network/leaf-oversubscribd"]', 1, f"did you mean `{LEAF}`?"),
        ('ignore = ["network", 4]', 1, "item 2 is wrong"),
        (f'[severity]\n"{LEAF}" = "info"', 2, "a severity needs a reason"),
        (f'[severity]\n"{LEAF}" = {{level = "info"}}', 2, "add a reason"),
        (f'[severity]\n"{LEAF}" = {{level = "info", reason = " "}}', 2, "add a reason"),
        (f'[severity]\n"{LEAF}" = {{level = "off", reason = "x"}}', 2, "name the rule under `ignore`"),
        (f'[severity]\n"{LEAF}" = {{levl = "info", reason = "x"}}', 2, "did you mean `level`?"),
        (f'[limits."{LEAF}"]\nmost = {{value = "1.5"}}', 2, "add a reason"),
        (f'[limits."{LEAF}"]\nmst = {{value = "1.5", reason = "x"}}', 2, "did you mean `most`?"),
        ('[limits."network/leaf"]\nmost = {value = "1.5", reason = "x"}', 2, "no rule is called"),
        (f'[limits."{LEAF}"]\nmost = {{value = "1.5 GB", reason = "x"}}', 2, "1.5 GB"),
        (f'[limits."{LEAF}"]\nmost = {{value = true, reason = "x"}}', 2, "number and unit"),
        ('[limits."compute/mfu-beyond-newer-gpus"]\nclass = {value = 950, reason = "x"}', 2, "unit"),
        ('[[overrides]]\nignore = ["network"]', 1, "names its designs"),
        ('[[overrides]]\npaths = ["a"]\nfail_on = "never"', 3, "unknown key `fail_on`"),
        ("root = 1", 1, "true or false"),
        ("root = true\nroot = true", 2, "this is not valid TOML"),
        ("[severity", 1, "this is not valid TOML"),
        ("a = " + "[" * 3000, 1, "nested too deep"),
        ("a." * 3000 + "a = 1", 1, "characters"),
        ('root = true\n"a" . ' + "b.'c'." * 16 + "d = 1", 2, "a key has more than 32 parts"),
        ("ignore = [" + '"network",\n' * 1001 + "]", 1, "`ignore` has 1001 entries; 1000 are read at most"),
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
        ("replaced", [LEAF], "designlint.toml:1"),
        ("fail_on", [], "--fail-on"),
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


SCHEMA = jsonschema_rs.Draft202012Validator(config_schema.of_config())


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
    jsonschema_rs.meta.validate(config_schema.of_config())
    assert designlint("schema", "config").data == config_schema.of_config()


def test_a_baseline_of_the_configuration_holds_what_its_rules_find(repository: Path) -> None:
    write(repository / "designlint.toml", 'ignore = ["design"]\nbaseline = "base.json"')
    assert designlint("baseline", "create", ".", "--baseline", "base.json", cwd=repository).code == 0
    assert "design/" not in (repository / "base.json").read_text("utf-8")
    assert designlint("check", cwd=repository).code == 0
    assert designlint("check", "--no-baseline", cwd=repository).code == 1
