"""The two sides of `designlint diff`: files, folders and revisions, and what may not be read or run of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.test_diff import data, design, diff, turns

from .repositories import QUIET, Repo
from .running import designlint

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "arguments",
    [
        ("HEAD~1", "design.yaml"), ("HEAD~1", "."), ("HEAD~1",), ("HEAD~1:design.yaml", "design.yaml"),
        ("HEAD~1", "HEAD"), ("HEAD~1:design.yaml", "HEAD:design.yaml"), ("HEAD~1:./design.yaml", "HEAD"),
        ("main~1:", "main:"), ("old.txt", "design.yaml"), ("HEAD~1:design.yaml", "old.txt"),
    ],
)  # fmt: skip
def test_sides_are_files_folders_or_revisions(repo: Repo, arguments: tuple[str, ...]) -> None:
    repo.commit(design=design(uplinks=16))
    (repo.folder / "old.txt").write_text(design(uplinks=16), "utf-8")
    repo.commit(design=design(uplinks=32))
    found = data(repo, *arguments)["designs"]
    if arguments[-1] == "old.txt":
        assert found == []
    else:
        assert [turns(one) for one in found] == [[("fixed", "network/leaf-oversubscribed")]]


def test_paths_after_a_revision_begin_at_the_top_as_in_git(repo: Repo) -> None:
    repo.commit(designs__a=design(uplinks=16))
    repo.write(designs__a=design())
    (repo.folder / "designs/inner").mkdir()
    for one in ("HEAD:designs/a.yaml", "HEAD:../a.yaml"):
        run = designlint(
            "diff", one, "../a.yaml", "--format", "json", cwd=repo.folder / "designs/inner", stdin=b"", **QUIET
        )
        assert turns(run.data["designs"][0]) == [("fixed", "network/leaf-oversubscribed")]


def test_a_path_alone_is_compared_with_the_latest_commit(repo: Repo) -> None:
    repo.commit(design=design(uplinks=16))
    repo.write(design=design())
    assert turns(data(repo, "design.yaml")["designs"][0]) == [("fixed", "network/leaf-oversubscribed")]


def test_designs_that_came_or_went_are_told_whole(repo: Repo) -> None:
    repo.commit(gone=design(uplinks=16), kept=design())
    (repo.folder / "gone.yaml").unlink()
    repo.write(come=design(tensor=16))
    found = {one["file"]: one for one in data(repo, "HEAD")["designs"]}
    assert {name: one["whole"] for name, one in found.items()} == {"come.yaml": "added", "gone.yaml": "removed"}
    assert ("introduced", "parallelism/tensor-beyond-scale-up-domain") in turns(found["come.yaml"])
    assert ("fixed", "network/leaf-oversubscribed") in turns(found["gone.yaml"])


def test_bases_are_those_of_the_same_revision(repo: Repo) -> None:
    top = "designlint: 1\nextends: ../base.yaml\n"
    repo.commit(base=design(uplinks=16).replace("designlint: 1\n", ""), designs__top=top)
    repo.write(base=design(uplinks=32).replace("designlint: 1\n", ""))
    [one] = data(repo, "HEAD")["designs"]
    assert (one["file"], turns(one)) == ("designs/top.yaml", [("fixed", "network/leaf-oversubscribed")])
    assert [row["before"] + " " + row["after"] for row in one["statements"]] == ["16 32"]
    (repo.folder / "base.yaml").unlink()
    [gone] = data(repo, "HEAD")["designs"]
    assert ("introduced", "shape/extends-missing") in turns(gone)


def test_a_base_behind_a_link_is_found(repo: Repo) -> None:
    repo.commit(
        shared__base=design(uplinks=16).replace("designlint: 1\n", ""), top="designlint: 1\nextends: link.yaml\n"
    )
    (repo.folder / "link.yaml").symlink_to("shared/base.yaml")
    repo.commit()
    repo.write(shared__base=design(uplinks=32).replace("designlint: 1\n", ""))
    assert turns(data(repo, "HEAD", "top.yaml")["designs"][0]) == [("fixed", "network/leaf-oversubscribed")]


def test_broken_sides_are_findings(repo: Repo) -> None:
    repo.commit(design=design())
    repo.write(design="designlint: [\n")
    run = diff(repo, "HEAD")
    assert run.code == 1
    assert "  introduced  error[syntax/not-yaml]" in run.out


def test_the_configuration_of_the_work_tree_judges_both_sides(repo: Repo) -> None:
    repo.commit(design=design(uplinks=16))
    config = '[severity]\n"network/leaf-oversubscribed" = {level = "error", reason = "here it matters"}\n'
    (repo.folder / "designlint.toml").write_text(config, "utf-8")
    repo.write(design=design(uplinks=8))
    run = diff(repo, "HEAD")
    assert "  worse       error[network/leaf-oversubscribed]" in run.out
    assert run.code == 1
    assert diff(repo, "HEAD", "--isolated").code == 0
    assert diff(repo, "HEAD", "--ignore", "network").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("HEAD~5",), "`HEAD~5` is not a revision"),
        (("nowhere.yaml",), "`nowhere.yaml` is no"),
        (("--upload-pack=touch x:a", "."), "no such option"),
        (("--", "--output=x", "design.yaml"), "`--output=x` is not a revision"),
        (("HEAD\n", "."), "is not a revision"),
        (("HEAD:../../etc/passwd", "design.yaml"), "not a git repository"),
        (("HEAD:none.yaml", "none.yaml"), ""),
        (("HEAD", "HEAD:designs"), "no design found"),
        (("design.yaml", "."), "not compared with a folder"),
        (("HEAD", "--today", "soon"), "--today"),
    ],
)
def test_wrong_use_is_told(repo: Repo, arguments: tuple[str, ...], said: str) -> None:
    repo.commit(design=design())
    run = diff(repo, *arguments)
    assert (run.code, run.out) == (2, "")
    assert said.lower() in run.err.lower()


def test_without_a_repository_or_git_revisions_cannot_be_read(tmp_path: Path, repo: Repo) -> None:
    (tmp_path / "design.yaml").write_text(design(), "utf-8")
    outside = designlint("diff", "HEAD", "design.yaml", cwd=tmp_path, GIT_CEILING_DIRECTORIES=str(tmp_path.parent))
    assert (outside.code, "not a git repository" in outside.err) == (2, True)
    repo.commit(design=design())
    run = diff(repo, "HEAD", PATH=os.devnull)
    assert (run.code, "git is not installed" in run.err) == (2, True)
    (repo.folder / "other.yaml").write_text(design(uplinks=16), "utf-8")
    assert diff(repo, "other.yaml", "design.yaml", PATH=os.devnull).code == 0


def test_nothing_of_the_repository_is_run_or_written(repo: Repo) -> None:
    repo.commit(design=design(uplinks=16))
    trap = repo.folder / "trap"
    trap.write_text(f"#!/bin/sh\ntouch '{repo.folder}/sprung'\ncat\n", "utf-8")
    trap.chmod(0o755)
    (repo.folder / ".gitattributes").write_text("*.yaml diff=trap filter=trap\n", "utf-8")
    repo.git("add", ".gitattributes", "trap")
    repo.git("commit", "-qm", "m")
    for name in ("core.fsmonitor", "diff.external", "diff.trap.textconv", "filter.trap.smudge", "core.pager"):
        repo.git("config", name, str(trap))
    hooks = repo.folder / ".git/hooks"
    for name in ("post-checkout", "post-index-change", "reference-transaction"):
        (hooks / name).write_bytes(trap.read_bytes())
        (hooks / name).chmod(0o755)
    (repo.folder / "design.yaml").write_text(design(), "utf-8")
    before = {path: path.stat().st_mtime_ns for path in repo.folder.rglob("*") if path.is_file()}
    assert turns(data(repo, "HEAD")["designs"][0]) == [("fixed", "network/leaf-oversubscribed")]
    assert {path: path.stat().st_mtime_ns for path in repo.folder.rglob("*") if path.is_file()} == before


def test_a_tree_that_leads_elsewhere_is_not_followed(repo: Repo, tmp_path: Path) -> None:
    repo.commit(design=design())
    blob = repo.git("hash-object", "-w", "--stdin", stdin=design(uplinks=16).encode()).strip()

    def tree(*entries: tuple[str, str, str]) -> str:
        raw = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(one) for mode, name, one in entries)
        return repo.git("hash-object", "-w", "-t", "tree", "--literally", "--stdin", stdin=raw).strip()

    extending = repo.git("hash-object", "-w", "--stdin", stdin=b"designlint: 1\nextends: ../escaped.yaml\n").strip()
    inner = tree(("100644", "escaped.yaml", blob))
    top = tree(("40000", "..", inner), ("40000", ".git", inner), ("100644", "design.yaml", extending))
    evil = repo.git("commit-tree", top, "-m", "m").strip()
    place = tmp_path / "temporary" / "inner"
    place.mkdir(parents=True)
    run = diff(repo, evil, ".", "--format", "json", TMPDIR=str(place), PYTHONDONTWRITEBYTECODE="1")
    assert ("fixed", "shape/extends-outside") in turns(run.data["designs"][0])
    assert not list(tmp_path.rglob("escaped.yaml"))


def test_foreign_files_are_those_of_the_same_revision(repo: Repo) -> None:
    model = repo.folder / "config.json"
    model.write_text('{"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096}\n', "utf-8")
    repo.commit(top="designlint: 1\nworkloads:\n  - {name: pretrain, model: {from: config.json}}\n")
    model.write_text('{"model_type": "llama", "num_hidden_layers": 40, "hidden_size": 4096}\n', "utf-8")
    [one] = data(repo, "HEAD")["designs"]
    assert [f"{row['before']} {row['after']}" for row in one["statements"]] == ["32 40"]
