"""`designlint diff`: what a change means, over files, folders and revisions of real git repositories."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest

from designlint.comparing import changes
from designlint.configuration import engine
from designlint.linting import pipeline
from designlint.reading.discovery import open_document

from .repositories import QUIET, Repo
from .running import ROOT, Run, designlint

if TYPE_CHECKING:
    from pathlib import Path

BASE = """\
designlint: 1
nodes: [{{name: train, model: dgx-h100, count: 4}}]
fabrics:
  - name: compute
    purpose: compute
    topology: {{host_ports_per_leaf: 32, uplinks_per_leaf: {uplinks}}}
workloads:
  - name: pretrain
    runs_on: {{nodes: train, gpus: 32}}
    parallelism: {{tensor: {tensor}}}
"""


def design(uplinks: int = 32, tensor: int = 8) -> str:
    return BASE.format(uplinks=uplinks, tensor=tensor)


def diff(repo: Repo, *arguments: str, **environment: str) -> Run:
    return designlint("diff", *arguments, cwd=repo.folder, stdin=b"", **(QUIET | environment))


@cache
def schema() -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(designlint("schema", "changes").data)


def data(repo: Repo, *arguments: str) -> Any:
    told = diff(repo, *arguments, "--format", "json").data
    schema().validate(told)
    return told


def turns(one: Any) -> list[tuple[str, str]]:
    return [(turn["how"], turn["rule"]) for turn in one["findings"]]


def test_a_reviewer_reads_what_was_changed_what_follows_and_what_came_of_it(repo: Repo) -> None:
    repo.commit(design=design(uplinks=16))
    repo.write(design=design(uplinks=30, tensor=16))
    run = diff(repo, "HEAD", "design.yaml")
    assert run.code == 1
    lines = run.out.splitlines()
    assert lines[:4] == [
        "design.yaml",
        "  states",
        "    fabrics/compute/topology        uplinks_per_leaf  16 -> 30",
        "    workloads/pretrain/parallelism  tensor            8 -> 16",
    ]
    follows = next(line.split() for line in lines if "working_oversubscription " in line)
    assert follows == [
        "fabrics/compute", "working_oversubscription", "2", "->", "1.067",
        "81.8", "%", "beyond", "->", "3.03", "%", "to", "spare", "network/leaf-oversubscribed",
    ]  # fmt: skip
    assert any(
        line.startswith("  introduced  error[parallelism/tensor-beyond-scale-up-domain]: pretrain") for line in lines
    )
    assert any(
        line.startswith("  fixed       warning[network/leaf-oversubscribed]: compute is 2.00:1") for line in lines
    )
    assert lines[-1].startswith("1 design changed: 1 introduced, 1 fixed")


def test_findings_that_stay_are_better_or_worse_by_their_margin(repo: Repo) -> None:
    repo.commit(design=design(uplinks=16))
    repo.write(design=design(uplinks=8))
    run = diff(repo, "HEAD")
    assert "  worse       warning[network/leaf-oversubscribed]" in run.out
    assert "(81.8 % -> 264 % beyond the limit)" in run.out
    assert run.code == 0
    assert diff(repo, "HEAD", "--fail-on", "warning").code == 1
    assert diff(repo, "HEAD", "--fail-on", "never").code == 0
    repo.write(design=design(uplinks=20))
    better = diff(repo, "HEAD", "--fail-on", "warning")
    assert "  better      warning[network/leaf-oversubscribed]" in better.out
    assert better.code == 0


def test_moved_lines_and_other_units_are_no_change(repo: Repo) -> None:
    repo.commit(design=design() + "facility: {utility_power: 2 MW}\n")
    repo.write(design=design().replace("nodes:", "# a comment\n\nnodes:") + "facility:\n  utility_power: 2000 kW\n")
    run = diff(repo, "HEAD")
    assert (run.code, run.out) == (0, "No design has other findings than before\n")


def test_renamed_parts_are_removed_and_added(repo: Repo) -> None:
    repo.commit(design=design())
    repo.write(design=design().replace("pretrain", "tune"))
    rows = [
        (row["subject"], bool(row["before"]), bool(row["after"]))
        for row in data(repo, "HEAD")["designs"][0]["statements"]
    ]
    assert rows == [("workloads/pretrain", True, False), ("workloads/tune", False, True)]


def test_what_is_no_longer_known_is_said(repo: Repo) -> None:
    repo.commit(design=design())
    repo.write(design=design().replace(", uplinks_per_leaf: 32", ""))
    run = diff(repo, "HEAD")
    assert "uplinks_per_leaf  32 -> unstated" in run.out
    assert "no longer known: " in run.out
    back = data(repo, "design.yaml", "HEAD")["designs"][0]
    assert {
        "rule": "network/leaf-oversubscribed",
        "subject": "fabrics/compute",
        "before": "unknown",
        "after": "pass",
    } in (back["answered"])


def test_a_judgement_that_is_lost_can_fail(repo: Repo) -> None:
    repo.commit(design=design())
    repo.write(design=design().replace(", uplinks_per_leaf: 32", ""))
    assert diff(repo, "HEAD").code == 0
    assert diff(repo, "HEAD", "--fail-on", "unknown").code == 1


def test_a_waiver_that_goes_brings_its_finding_back(repo: Repo) -> None:
    waiver = '# designlint: ignore[network/leaf-oversubscribed] reason="bought so" until=2099-01-01 owner=net\n      '
    text = design(uplinks=16)
    repo.commit(design=text.replace("uplinks_per_leaf: 16}", "uplinks_per_leaf: 16}  " + waiver.strip()))
    repo.write(design=text)
    assert ("introduced", "network/leaf-oversubscribed") in turns(data(repo, "HEAD")["designs"][0])


def test_markup_in_names_is_shown_as_it_is(repo: Repo) -> None:
    name = "<img src=x>|@all\u202e"
    repo.commit(design=design().replace("compute\n", f"{name!r}\n", 1))
    repo.write(design=design(uplinks=16).replace("compute\n", f"{name!r}\n", 1))
    told = diff(repo, "HEAD", "--format", "markdown").out
    assert "<img" not in told
    assert "@all" not in told
    assert "\u202e" not in told + diff(repo, "HEAD").out


def test_the_answer_is_the_same_from_run_to_run(repo: Repo) -> None:
    repo.commit(design=(ROOT / "examples/hawk-4096/design.yaml").read_text("utf-8"))
    repo.write(design=(ROOT / "examples/superpod-4su/design.yaml").read_text("utf-8"))
    for format in ("text", "json", "markdown"):
        once, again = (diff(repo, "HEAD", "--format", format, PYTHONHASHSEED=seed) for seed in ("1", "2"))
        assert once == again


DESIGNS = sorted((ROOT / "examples").glob("*/design.yaml"))


@pytest.mark.parametrize(("old", "new"), list(pairwise([*DESIGNS, DESIGNS[0]])), ids=lambda path: path.parent.name)
def test_the_way_back_undoes_the_way_there(old: Path, new: Path) -> None:
    one, other = (
        pipeline.lint(open_document(str(path)), engine.shipped_engine(), repair=False, margins=True)
        for path in (old, new)
    )
    there, back = changes.between("", one, other), changes.between("", other, one)
    contrary = {"introduced": "fixed", "fixed": "introduced", "worse": "better", "better": "worse"}
    assert sorted((turn.how, *turn.finding.key) for turn in there.turns) == sorted(
        (contrary[turn.how], *turn.finding.key) for turn in back.turns
    )
    assert {(row.subject, row.word, row.after) for row in there.statements if row.word} == {
        (row.subject, row.word, row.before) for row in back.statements if row.word
    }
    assert {(row.subject, row.word, row.after) for row in there.consequences} == {
        (row.subject, row.word, row.before) for row in back.consequences
    }
    assert (there.kept, len(there.answered)) == (back.kept, len(back.unanswered))
    assert not changes.between("", one, one)
