"""`designlint check --since`: only what a change causes, over real git repositories."""

from __future__ import annotations

import json

import pytest

from .repositories import QUIET, Repo
from .running import RULE, Run, designlint
from .test_diff import design

OVERSUBSCRIBED, SPLIT = "network/leaf-oversubscribed", "parallelism/tensor-beyond-scale-up-domain"


def check(repo: Repo, *arguments: str, stdin: bytes = b"", **environment: str) -> Run:
    return designlint("check", *arguments, cwd=repo.folder, stdin=stdin, **(QUIET | environment))


def found(run: Run) -> list[str]:
    return [one["rule"] for one in run.data["findings"]]


def aside(run: Run) -> list[str]:
    return [one["rule"] for one in run.data["accepted"] if one["accepted"]["how"] == "revision"]


def test_old_findings_are_set_aside_and_counted(repo: Repo) -> None:
    repo.commit(design=design(uplinks=16))
    repo.write(design="# moved\n" + design(uplinks=16, tensor=16))
    run = check(repo, "--since", "HEAD", "--format", "json")
    assert (run.code, found(run)) == (1, [SPLIT])
    assert OVERSUBSCRIBED in aside(run)
    told = check(repo, "--since", "HEAD")
    assert "1 error in 1 design (" in told.out
    assert " there before)" in told.out
    assert OVERSUBSCRIBED not in told.out


def test_a_finding_that_got_worse_counts_and_a_better_one_does_not(repo: Repo) -> None:
    repo.commit(design=design(uplinks=16))
    repo.write(design=design(uplinks=8))
    assert OVERSUBSCRIBED in found(check(repo, "--since", "HEAD", "--format", "json"))
    repo.write(design=design(uplinks=20))
    assert OVERSUBSCRIBED in aside(check(repo, "--since", "HEAD", "--format", "json"))


def test_a_new_design_counts_wholly_and_an_unchanged_one_not_at_all(repo: Repo) -> None:
    repo.commit(old=design(uplinks=16))
    repo.write(new=design(uplinks=16))
    run = check(repo, "--since", "HEAD", "--format", "json")
    assert run.data["files"] == ["new.yaml"]
    assert OVERSUBSCRIBED in found(run)
    assert "1 of 2 designs unchanged since HEAD" in run.err


def test_a_design_that_is_gone_or_renamed_away_is_named(repo: Repo) -> None:
    repo.commit(kept=design(), old=design(), base=design().replace("designlint: 1\n", ""), sub__deep=design())
    (repo.folder / "old.yaml").rename(repo.folder / "old.txt")
    (repo.folder / "base.yaml").unlink()
    (repo.folder / "sub" / "deep.yaml").unlink()
    run = check(repo, ".", "--since", "HEAD", "--format", "json")
    assert [one["file"] for one in run.data["unjudged"]] == ["old.yaml", "sub/deep.yaml"]
    shown = check(repo, ".", "--since", "HEAD", "--format", "github").out
    assert "old.yaml was not checked: it was a design at HEAD, and this change removes it" in shown


def test_a_changed_base_changes_the_design(repo: Repo) -> None:
    repo.commit(base=design().replace("designlint: 1\n", ""), top="designlint: 1\nextends: base.yaml\n")
    assert check(repo, "--since", "HEAD", "--format", "json").data["files"] == []
    repo.write(base=design(uplinks=16).replace("designlint: 1\n", ""))
    assert OVERSUBSCRIBED in found(check(repo, "--since", "HEAD", "--format", "json"))


def test_line_ends_alone_are_no_change(repo: Repo) -> None:
    repo.commit(design=design(uplinks=16))
    (repo.folder / "design.yaml").write_bytes(design(uplinks=16).replace("\n", "\r\n").encode())
    assert check(repo, "--since", "HEAD", "--format", "json").data["files"] == []


def test_standard_input_is_compared_by_its_name(repo: Repo) -> None:
    repo.commit(design=design(uplinks=16))
    text = design(uplinks=16, tensor=16).encode()
    arguments = ("-", "--stdin-filename", "design.yaml", "--since", "HEAD", "--format", "json")
    assert found(check(repo, *arguments, stdin=text)) == [SPLIT]
    assert check(repo, *arguments, stdin=design(uplinks=16).encode()).data["files"] == []


def test_a_refusal_that_was_there_is_not_repeated(repo: Repo) -> None:
    text = "designlint: 1\nnodes: [{name: n, model: dgx-2, count: 1}]\nworkloads:\n- {name: train, model: {parameters: 1e15}}\n"
    repo.commit(design=text)
    assert "Hardware constraints" in check(repo).out
    repo.write(design=text + "- {name: other, model: {parameters: 1e9}}\n")
    run = check(repo, "--since", "HEAD")
    assert run.code == 0
    assert "Hardware constraints" not in run.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--since", "nowhere"), "`nowhere` is not a revision of repo"),
        (("--since=--output=x",), "`--output=x` is not a revision"),
        (("--since", "HEAD", "../outside.yaml"), "not a git repository"),
    ],
)
def test_wrong_use_is_told(repo: Repo, arguments: tuple[str, ...], said: str) -> None:
    repo.commit(design=design())
    (repo.folder.parent / "outside.yaml").write_text(design(), "utf-8")
    run = check(repo, *arguments, GIT_CEILING_DIRECTORIES=str(repo.folder.parent.parent))
    assert (run.code, run.out) == (2, "")
    assert said in run.err


# -- what a change brings with it cannot speak for it


def test_a_folder_that_looks_like_a_repository_is_none(repo: Repo) -> None:
    repo.commit(sub__design=design())
    repo.git("clone", "-q", "--bare", ".", "bare")
    for name in ("HEAD", "config", "objects", "refs", "packed-refs"):
        source = repo.folder / "bare" / name
        if source.exists():
            source.rename(repo.folder / "sub" / name)
    repo.write(sub__design=design(tensor=16))
    forged = repo.folder / "sub"
    (forged / "config").write_text("[core]\n\tbare = false\n\tworktree = .\n")
    repo.git("--git-dir", str(forged), "--work-tree", str(forged), "add", "design.yaml")
    repo.git("--git-dir", str(forged), "--work-tree", str(forged), "commit", "-q", "-m", "forged")
    assert SPLIT in found(check(repo, "--since", "HEAD", "--format", "json"))
    assert check(repo, "sub", "--since", "HEAD").code == 1
    assert check(Repo.at(forged), "design.yaml", "--since", "HEAD").code == 2


def test_a_revision_that_means_several_things_is_refused(repo: Repo) -> None:
    first = repo.commit(design=design())
    repo.git("update-ref", "refs/remotes/origin/main", first)
    repo.commit(design=design(tensor=16))
    repo.git("branch", "origin/main")
    run = check(repo, "--since", "origin/main")
    assert (run.code, "means several things" in run.err) == (2, True)
    assert check(repo, "--since", "refs/remotes/origin/main").code == 1


def write(repo: Repo, **files: str) -> None:
    """Write files; `__` in a name parts folders, `_` before the last word its ending."""
    for name, text in files.items():
        path = repo.folder / ".".join(name.replace("__", "/").rsplit("_", 1))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


WAIVED = design(tensor=16).replace(
    "{tensor: 16}", '{tensor: 16}  # designlint: ignore[parallelism/*] reason="It is ours."'
)
LAX = """\
title: Tensor parallelism that nobody minds
severity: warning
since: 0.1.0
about: Workload
judge: ?tensor >= 1
message: "{focus} uses {tensor}"
problem: None.
remedy: None.
examples: {}
"""
ENTRY = {
    "rule": SPLIT, "file": "design.yaml", "subject": "workloads/pretrain", "constraint": "parallelism/tensor",
    "severity": "error", "measured": "16", "value": 16, "unit": "", "limit": 8, "room": -1.0,
}  # fmt: skip
HELD = f'{{"designlint_baseline": 1,\n"findings": [{json.dumps(ENTRY)}]}}\n'

#: What a change brings beside a fault -> what is found on it, and where.
BROUGHT: dict[str, tuple[dict[str, str], str, str, int]] = {
    "ignore": ({"designlint_toml": '\nignore = ["parallelism"]\n'}, "rule-left-out", "designlint.toml", 2),
    "select": ({"designlint_toml": 'select = ["power"]\n'}, "rule-left-out", "designlint.toml", 1),
    "override": (
        {"designlint_toml": f'[[overrides]]\npaths = ["*"]\nignore = ["{SPLIT}"]\n'}, "rule-left-out", "designlint.toml", 3
    ),
    "pyproject": ({"pyproject_toml": '[tool.designlint]\nignore = ["parallelism"]\n'}, "rule-left-out", "pyproject.toml", 2),
    "severity": (
        {"designlint_toml": f'[severity]\n"{SPLIT}" = {{level = "info", reason = "Ours."}}\n'},
        "severity-lowered", "designlint.toml", 2,
    ),
    "fail_on": ({"designlint_toml": 'fail_on = "never"\n'}, "failure-level-lowered", "designlint.toml", 1),
    "baseline": (
        {"designlint_toml": 'baseline = "held.json"\n', "held_json": HELD}, "baseline-entry-added", "held.json", 2
    ),
    "baseline of the folder": ({"designlint-baseline_json": HELD}, "baseline-entry-added", "designlint-baseline.json", 2),
    "rule": (
        {"designlint_toml": 'rules = ["own"]\n', f"own__{SPLIT.replace('/', '__')}_yaml": LAX},
        "rule-replaced", f"own/{SPLIT}.yaml", 1,
    ),
    "waiver": ({"design_yaml": WAIVED}, "waiver-added", "design.yaml", 10),
    "waivers": (
        {"design_yaml": design(tensor=16) + "waivers: [{rule: parallelism/*, reason: It is ours.}]\n"},
        "waiver-added", "design.yaml", 11,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BROUGHT)
def test_a_change_is_judged_by_what_was_there_and_what_it_brings_is_found(what: str, repo: Repo) -> None:
    files, rule, file, line = BROUGHT[what]
    repo.commit(design=design())
    write(repo, **({"design_yaml": design(tensor=16)} | files))
    run = check(repo, "--since", "HEAD", "--format", "json")
    assert (run.code, SPLIT in found(run)) == (1, True)
    places = {one["rule"]: (one["location"]["file"], one["location"]["line"]) for one in run.data["findings"]}
    assert places[f"review/{rule}"] == (file, line)
    told = check(repo, "--since", "HEAD", "--format", "github").out
    assert f"file={file},line={line}" in told
    trusting = check(repo, "--since", "HEAD", "--trust-change", "--format", "json")
    assert trusting.code == 0
    assert not any(one.startswith("review/") for one in found(trusting))
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "accepted")
    repo.write(design=(repo.folder / "design.yaml").read_text("utf-8").replace("count: 4", "count: 5"))
    accepted = check(repo, "--since", "HEAD", "--format", "json")
    assert accepted.code == 0, found(accepted)
    assert not any(one.startswith("review/") for one in found(accepted))


def test_settings_alone_are_found_where_no_design_changed(repo: Repo) -> None:
    repo.commit(design=design())
    write(repo, designlint_toml='ignore = ["parallelism"]\n')
    run = check(repo, "--since", "HEAD", "--format", "json")
    assert (run.data["files"], found(run)) == ([], ["review/rule-left-out"])


def test_options_name_what_was_there(repo: Repo) -> None:
    write(repo, held_json='{"designlint_baseline": 1, "findings": []}')
    repo.commit(design=design())
    write(repo, held_json=HELD, design_yaml=design(tensor=16), other_toml='ignore = ["parallelism"]\n')
    assert SPLIT in found(check(repo, "--since", "HEAD", "--baseline", "held.json", "--format", "json"))
    assert SPLIT in found(check(repo, "--since", "HEAD", "--config", "other.toml", "--format", "json"))


def test_settings_that_were_there_judge_on(repo: Repo) -> None:
    write(repo, designlint_toml='extend = "ci/base.toml"\n', ci__base_toml='rules = ["../own"]\nignore = ["network"]\n')
    write(repo, own__house__rule_yaml=RULE.replace("?count > 100", "?count > 4"))
    repo.commit(sub__design=design())
    write(repo, ci__base_toml="", designlint_toml="")
    repo.write(sub__design=design(uplinks=16, tensor=16).replace("count: 4", "count: 3"))
    run = check(repo, "--since", "HEAD", "--format", "json")
    assert {SPLIT, "house/rule", "review/rule-left-out"} <= set(found(run))
    assert OVERSUBSCRIBED not in found(run)
    assert "HEAD:ci/base.toml:2" in [one["origin"] for one in run.data["settings"]]
    assert "/tmp" not in run.out.replace(str(repo.folder), "")


def test_a_waiver_that_was_there_holds_as_far_as_it_did(repo: Repo) -> None:
    held = WAIVED.replace('ours."', 'ours." while="tensor <= 16"')
    repo.commit(design=held.replace("tensor: 16", "tensor: 4"))
    repo.write(design=held)
    assert check(repo, "--since", "HEAD").code == 0
    repo.write(design=held.replace("tensor: 16", "tensor: 32").replace("tensor <= 16", "tensor <= 32"))
    assert {SPLIT, "review/waiver-added"} <= set(found(check(repo, "--since", "HEAD", "--format", "json")))
    repo.write(design="# moved\n" + held.replace("ours.", "still ours."))
    assert check(repo, "--since", "HEAD").code == 0


def test_a_fact_that_decided_and_is_gone_is_found(repo: Repo) -> None:
    repo.commit(design=design(uplinks=16))
    repo.write(design=design().replace(", uplinks_per_leaf: 32", ""))
    run = check(repo, "--since", "HEAD", "--format", "json")
    gone = next(one for one in run.data["findings"] if one["rule"] == "review/fact-removed")
    assert gone["location"]["line"] == 6
    assert gone["message"].startswith("this change removes fabrics/compute/topology/uplinks_per_leaf, which decided ")
    repo.write(design=design(uplinks=33))
    assert "review/fact-removed" not in found(check(repo, "--since", "HEAD", "--format", "json"))


def test_a_fault_that_a_default_hides_is_found(repo: Repo) -> None:
    repo.commit(design=design(tensor=16))
    repo.write(design=design(tensor=16).replace("tensor: 16", "pipeline: 1"))
    said = check(repo, "--since", "HEAD", "--format", "concise").out
    assert "this change removes workloads/pretrain/parallelism/tensor, which decided " in said


def test_a_configuration_that_was_wrong_is_named_as_git_calls_it(repo: Repo) -> None:
    write(repo, designlint_toml='ignore = ["nothing/at-all"]\n')
    repo.commit(design=design())
    write(repo, designlint_toml="")
    repo.write(design=design(tensor=16))
    run = check(repo, "--since", "HEAD")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("designlint: HEAD:designlint.toml:1: no rule or topic is called")
    assert "--trust-change" in run.err


def test_a_configuration_that_comes_with_the_change_is_named_in_what_reviewers_see(repo: Repo) -> None:
    repo.commit(design=design())
    repo.write(design=design(tensor=16))
    (repo.folder / "designlint.toml").write_text('ignore = ["parallelism"]\n')
    run = check(repo, "--since", "HEAD", "--format", "github")
    assert run.code == 1
    assert "::notice file=designlint.toml,line=1,title=designlint::designlint.toml is new since HEAD" in run.out
    run = check(repo, "--since", "HEAD", "--trust-change", "--format", "github")
    assert (run.code, f"not checked: {SPLIT.partition('/')[0]}/" in run.out) == (0, True)
