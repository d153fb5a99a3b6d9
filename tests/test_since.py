"""`designlint check --since`: only what a change causes, over real git repositories."""

from __future__ import annotations

import pytest

from .repositories import QUIET, Repo
from .running import Run, designlint
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
    text = "designlint: 1\nnodes: [{name: n, model: dgx-h100, count: 1}]\nworkloads:\n- {name: w, model: {parameters: 1e12}}\n"
    repo.commit(design=text)
    assert "Hardware constraints" in check(repo).out
    repo.write(design=text + "- {name: other, model: {parameters: 1e9}}\n")
    run = check(repo, "--since", "HEAD")
    assert run.code == 0
    assert "Hardware constraints" not in run.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--since", "nowhere"), "`nowhere` is no revision of repo"),
        (("--since=--output=x",), "`--output=x` is no revision"),
        (("--since", "HEAD", "../outside.yaml"), "not a git repository"),
    ],
)
def test_wrong_use_is_told(repo: Repo, arguments: tuple[str, ...], said: str) -> None:
    repo.commit(design=design())
    (repo.folder.parent / "outside.yaml").write_text(design(), "utf-8")
    run = check(repo, *arguments, GIT_CEILING_DIRECTORIES=str(repo.folder.parent.parent))
    assert (run.code, run.out) == (2, "")
    assert said in run.err
