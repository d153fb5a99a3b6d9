"""Rules that only ask for a flag: rows of a checklist, their judgement, the examples made for them, and faulty rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.compiler import examples
from designlint.configuration import engine
from tests.running import designlint

if TYPE_CHECKING:
    from pathlib import Path

ENGINE = engine.shipped_engine()
CHECKLIST = """\
defaults: {expected: true, since: 0.1.0, severity: info, problem: It hurts., remedy: Do it.}
rules:
  cables-bare:
    about: Fabric
    word: labelled
    title: No labels
    message: "{focus} has no labels"
  shared:
    about: Design
    word: multi_tenant
    expected: false
    title: Shared
    message: "{focus} is shared"
    why: {good: one team}
"""
DESIGN = b"""\
designlint: 1
name: hawk
fabrics:
  - {name: compute, labelled: false}
  - {name: storage, labelled: true}
  - {name: admin}
security: {multi_tenant: true}
"""


def pack(folder: Path, text: str = CHECKLIST) -> None:
    """Write a pack of rules whose only file is the checklist of the topic `house`."""
    (folder / "rules/house").mkdir(parents=True)
    (folder / "rules/house/checklist.yaml").write_text(text, "utf-8")


def test_each_row_is_a_rule_that_finds_what_is_not_as_expected(tmp_path: Path) -> None:
    pack(tmp_path)
    run = designlint(
        "check", "-", "--rules", "rules", "--select", "house", "--format", "json", stdin=DESIGN, cwd=tmp_path
    )
    found = [(one["rule"], one["message"], one["location"]["line"]) for one in run.data["findings"]]
    assert found == [("house/cables-bare", "compute has no labels", 4), ("house/shared", "hawk is shared", 7)]
    assert [one["missing"] for one in run.data["not_judged"]] == [["fabrics/admin/labelled"]]
    tested = designlint("test", "rules", cwd=tmp_path)
    assert (tested.code, tested.out) == (0, "2 rules, 6 examples passed, 0 faults\n")


def test_examples_are_made_where_a_row_states_none() -> None:
    made = examples.of_rule(ENGINE.rules["network/cables-unlabelled"], ENGINE.vocabulary)
    assert [(one.kind, one.why, one.design) for one in made] == [
        ("bad", "no labels", "designlint: 1\nfabrics:\n  - name: compute\n    labelled: false  # finding\n"),
        ("good", "labels at both ends", "designlint: 1\nfabrics:\n  - name: compute\n    labelled: true\n"),
        ("unknown", "the design does not say", "designlint: 1\nfabrics:\n  - name: compute\n"),
    ]
    stated = examples.of_rule(ENGINE.rules["servers/boot-drive-not-mirrored"], ENGINE.vocabulary)
    assert [(one.kind, one.why) for one in stated] == [
        ("bad", "a single boot drive"),
        ("good", "mirrored (DGX H100)"),
        ("unknown", "the design does not say"),
    ]


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (("    word: labelled\n", ""), 3, "a row of a checklist must state `word`"),
        (("expected: false", "expected: none"), 11, "expects true or false"),
        (("word: labelled", "word: purpose"), 5, "judge: this is a text, not true or false"),
        (("word: labelled", "word: lebelled"), 5, "Fabric has no word `lebelled`"),
        (("    word: labelled\n", "    word: labelled\n    judge: ?labelled\n"), 6, "a rule with `judge` has a file"),
        (("title: No", "titel: No"), 6, "unknown key `titel`"),
        (("    title: No labels\n", ""), 3, "the rule lacks title"),
        (("since: 0.1.0, ", ""), 3, "the rule lacks since"),
        (("{focus} has", "{focus has"), 7, "a text names its values"),
        (("rules:", "rows:"), 1, "a checklist has `defaults`"),
        (("cables-bare:", "Cables_Bare:"), 3, "lower case with hyphens"),
        (("  shared:", "  cables-bare:"), 8, "duplicate"),
    ],
)
def test_a_faulty_row_is_named_with_its_line(change: tuple[str, str], line: int, words: str, tmp_path: Path) -> None:
    assert change[0] in CHECKLIST
    pack(tmp_path, CHECKLIST.replace(*change, 1))
    run = designlint("check", "-", "--rules", "rules", stdin=DESIGN, cwd=tmp_path)
    assert run.code == 2
    assert words in run.err
    assert f"rules/house/checklist.yaml:{line}:" in run.err


def test_one_rule_is_stated_once(tmp_path: Path) -> None:
    pack(tmp_path)
    designlint("new", "rule", "house/shared", cwd=tmp_path)
    run = designlint("check", "-", "--rules", "rules", stdin=DESIGN, cwd=tmp_path)
    assert run.code == 2
    assert "house/shared is also a rule of rules/house/checklist.yaml" in run.err
