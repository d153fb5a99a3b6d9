"""An organisation's own rules: started, tested, run beside the shipped ones, and refused where wrong or hostile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.running import BAD, designlint

if TYPE_CHECKING:
    from pathlib import Path


def test_a_new_rule_passes_its_own_examples_and_runs_beside_the_shipped_ones(tmp_path: Path) -> None:
    assert designlint("new", "rule", "house/too-many-tensor-ranks", cwd=tmp_path).code == 0
    assert designlint("new", "rule", "house/too-many-tensor-ranks", cwd=tmp_path).code == 2
    assert designlint("new", "rule", "../escape", cwd=tmp_path).code == 2
    tested = designlint("test", "rules", cwd=tmp_path)
    assert tested.code == 0, tested.out
    assert "3 examples passed, 0 faults" in tested.out
    (tmp_path / "design.yaml").write_bytes(BAD)
    run = designlint("check", "design.yaml", "--rules", "rules", "--format", "json", cwd=tmp_path)
    assert "house/too-many-tensor-ranks" in [one["rule"] for one in run.data["findings"]]


def test_test_finds_an_example_that_lies(tmp_path: Path) -> None:
    designlint("new", "rule", "house/too-many-tensor-ranks", cwd=tmp_path)
    file = tmp_path / "rules/house/too-many-tensor-ranks.yaml"
    file.write_text(file.read_text("utf-8").replace("parallelism: {tensor: 8}", "parallelism: {tensor: 9}"), "utf-8")
    run = designlint("test", "rules", cwd=tmp_path)
    assert run.code == 1
    assert "good example (at the limit): is found at fault" in run.out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("judge: ?tensor", "judge: ?tensr"), "has no word `tensr`"),
        (("severity: warning", "severity: fatal"), "severity is one of"),
        (("about: Workload", "about: Workloads"), "no class of the ontology"),
        (("title:", "titel:"), "unknown key `titel`"),
        (("kind: Count", "kind: Number"), "unknown kind"),
        (("?tensor <= ?most", "?tensor <= = ?most"), "the judgement is no SPARQL"),
        (("?tensor <= ?most", "EXISTS { SERVICE <http://localhost/> { ?a ?b ?c } }"), "own graph only"),
        (("?tensor <= ?most", "EXISTS { ?a ?b 1SERVICE <http://localhost/> { ?a ?b ?c } }"), "own graph only"),
    ],
)
def test_a_faulty_rule_file_is_named_with_its_line(change: tuple[str, str], words: str, tmp_path: Path) -> None:
    designlint("new", "rule", "house/rule", cwd=tmp_path)
    file = tmp_path / "rules/house/rule.yaml"
    file.write_text(file.read_text("utf-8").replace(*change, 1), "utf-8")
    run = designlint("check", "-", "--rules", "rules", stdin=BAD, cwd=tmp_path)
    assert run.code == 2
    assert words in run.err
    assert "rules/house/rule.yaml:" in run.err


def test_a_folder_of_rules_that_is_not_there_is_no_silent_pass(tmp_path: Path) -> None:
    for arguments in (["check", "-", "--rules", "nowhere"], ["test", "nowhere"]):
        run = designlint(*arguments, stdin=BAD, cwd=tmp_path)
        assert (run.code, run.out) == (2, "")
        assert "nowhere: no such folder of rules" in run.err


@pytest.mark.parametrize(
    "change",
    [
        ('message: "{focus}', 'message: "{focus.__class__}'),
        ('message: "{focus}', 'message: "{focus:>9999999999}'),
        ('message: "{focus}', 'message: "{'),
        ("severity: warning", "severity: [warning]"),
        ("remedy: >-", "fix: {title: x}\nremedy: >-"),
        ("judge: ?tensor <= ?most", "judge: " + "(" * 200 + "?tensor <= ?most" + ")" * 200),
        ("judge: ?tensor <= ?most", "judge: 'SELECT ?focus (3 AS ?ok) WHERE { ?focus a :Workload }'"),
        ("judge: ?tensor <= ?most", "judge: 'SELECT (:x AS ?focus) (true AS ?ok) WHERE { ?w a :Workload }'"),
    ],
)
def test_a_rule_pack_that_is_wrong_or_hostile_is_named(change: tuple[str, str], tmp_path: Path) -> None:
    designlint("new", "rule", "house/rule", cwd=tmp_path)
    file = tmp_path / "rules/house/rule.yaml"
    file.write_text(file.read_text("utf-8").replace(*change, 1), "utf-8")
    run = designlint("check", "-", "--rules", "rules", stdin=BAD, cwd=tmp_path)
    assert run.code == 2, run.out + run.err
    assert "rules/house/rule.yaml" in run.err
