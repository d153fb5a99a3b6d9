"""Edits that are refused, and files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from tests.source.test_source_edits import append, change, insert, put, remove, rename, shared

from designlint.reading import edits as source_edits
from designlint.reading import read_bytes, writing
from designlint.reading.edit import Edit
from designlint.reading.edits import EditRefused, apply, write
from designlint.reading.splices import Splice


@pytest.mark.parametrize(
    ("text", "edits", "reason"),
    [
        ("a: &x {b: 1}\nc: *x\n", [put("c/b", "2")], "reached through an alias"),
        ("a: &x {b: 1}\nc: *x\n", [put("c/d", "2")], "reached through an alias"),
        ("a: &x {b: 1}\nc: *x\n", [put("a/b", "2")], "read differently at c/b"),
        ("a: &x {b: 1}\nc: *x\n", [put("a/d", "2")], "read differently at c/d"),
        ("a: &x [1]\nc: *x\n", [append("c", "2")], "is an alias"),
        ("a: &x {b: {k: 1}}\nc: {<<: *x}\n", [put("c/b/k", "2")], "comes from a merge key"),
        ("a: &x {b: 1}\nc: {<<: *x}\n", [remove("c/b")], "no position of its own"),
        ("a: &x {b: 1}\nc: {<<: *x, b: 2}\n", [remove("c/b")], "read differently at c/b"),
        ("a: &x 1\nb: *x\n", [remove("a")], "new fault: syntax/undefined-alias"),
        ("a: 1\nb: 2\n", [put("a", "2"), remove("a")], "overlap"),
        ("a: {b: 1}\n", [put("a", "2"), put("a/b", "3")], "overlap"),
        ("a: 1\n", [insert("", "a", "2")], "a exists already"),
        ("a: 1\n", [insert("b", "c", "2")], "b does not exist"),
        ("a: 1\n", [put("a/b", "2")], "a is not a map"),
        ("a: 1\n", [append("a", "2")], "a is not a list"),
        ("a: [1]\n", [put("a/1", "2")], "cannot be created by its number"),
        ("a:\n  b: 1\n", [put("a", "2")], "a is a map of several lines"),
        ("a:\n  b: 1\n", [remove("a/b")], "a/b is the only entry"),
        ("a: 1\n", [remove("b")], "no position of its own"),
        ("a: 1\n", [put("", "2")], "the whole file cannot be replaced"),
        ("a: {\n}\n", [put("a/d", "3")], "several lines"),
        ("a: {b: 1,\n  c: 2}\n", [remove("a/b")], "several lines"),
        ("a: [b: 1]\n", [put("a/0/c", "3")], "has none of its own"),
        ("a: &x {b: 1}\nc: {<<: *x}\n", [shared("a/d", "2")], "read differently at c"),
        ("a: 1\nb: 2\n", [rename("a", "b")], "b exists already"),
        ("a: [1]\n", [rename("a/0", "b")], "no key of its own"),
        ("a: '{{ x }}'\n", [put("a", "2")], "this is a template"),
        ("a: ${x}\n", [put("a", "2")], "this is a template"),
        ("a: {{ x }}\nb: 1\n", [put("b", "2")], "the file is a template"),
        ("a: [1\n", [put("a", "2")], "not whole YAML"),
        ("- a: 1\n  # about b\n  b: 2\n", [remove("0/a")], "a comment would be lost"),
        ("a: {b: 1, # c\n  d: 2}\n", [put("a", "2")], "a comment would be lost"),
        ("a: | # c\n  x\n", [put("a", "2")], "a comment would be lost"),
        ("a: |\n  x", [put("b", "2")], "read differently at a"),
        ("a: 1\na: 2\nb: 3\n", [remove("a")], "read differently at a"),
        ("a: !!str 5\n", [put("a", "6")], "read differently at a"),
        ("a: 1\n", [Edit("set", ("a",))], "no value is given"),
        ("a: 1\n", [Edit("insert", ("a",), "1")], "`insert`, `begin` and `rename` need a key"),
    ],
)
def test_refusals_name_the_harm(text: str, edits: list[Edit], reason: str) -> None:
    with pytest.raises(EditRefused) as refused:
        change(text, *edits)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("splice", "reason"),
    [
        (Splice(3, 4, "2\nc: 3"), "read differently at c"),
        (Splice(3, 4, "3"), "read differently at a"),
        (Splice(3, 4, "[2"), "no longer be YAML"),
        (Splice(3, 10, "2"), "a comment would be lost"),
        (Splice(3, 4, "2 # new"), "a comment would be lost"),
        (Splice(3, 4, "&x 2"), "an anchor, alias or tag"),
        (Splice(3, 4, "2 \r"), "line endings would change"),
        (Splice(3, 4, "2\na: 2"), "new fault: syntax/duplicate-key a"),
        (Splice(3, 4, "2\n---\nb"), "new fault: syntax/several-documents"),
    ],
)
def test_the_guard_stops_a_planner_gone_wrong(splice: Splice, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_edits, "_plan", lambda document, edit: splice)
    with pytest.raises(EditRefused) as refused:
        change("a: 1 # one\nb: 2\n", put("a", "2"))
    assert reason in str(refused.value)


def test_the_guard_watches_later_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_edits, "_plan", lambda document, edit: Splice(9, 13, "b: 2"))
    with pytest.raises(EditRefused, match="later document"):
        change("a: 1\n---\nb: 1\n", put("a", "1"))


def test_writing_keeps_mode_mark_and_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.yaml", tmp_path / "link.yaml"
    before = b"\xef\xbb\xbfa: \xc3\xa9\r\n"
    real.write_bytes(before)
    real.chmod(0o640)
    link.symlink_to(real)
    write(link, apply(read_bytes(before, "f"), [put("a", "1")]), before)
    assert real.read_bytes() == b"\xef\xbb\xbfa: 1\r\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.yaml", "real.yaml"]


def test_writing_refuses_a_file_that_changed(tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"
    path.write_bytes(b"a: 3\n")
    with pytest.raises(EditRefused, match="changed since it was read"):
        write(path, "a: 2\n", b"a: 1\n")
    assert path.read_bytes() == b"a: 3\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "design.yaml"
    path.write_bytes(b"a: 1\n")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write(path, "a: 2\n", b"a: 1\n")
    assert path.read_bytes() == b"a: 1\n"
    assert list(tmp_path.iterdir()) == [path]


def test_several_files_are_written_all_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / name for name in ("a.yaml", "b.yaml", "c.yaml")]
    for file in files:
        file.write_bytes(b"old\n")
    wanted = [(file, "new\n", b"old\n") for file in files]
    files[1].chmod(0o444)
    with pytest.raises(EditRefused, match="read-only"):
        writing.write_all(wanted)
    assert {file.read_bytes() for file in files} == {b"old\n"}
    files[1].chmod(0o644)
    real, moved = Path.replace, list[Path]()

    def replace(self: Path, target: Path) -> Path:
        moved.append(target)
        if len(moved) == 3:
            raise OSError("the disk is gone")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(OSError, match="the disk is gone"):
        writing.write_all(wanted)
    assert {file.read_bytes() for file in files} == {b"old\n"}
    assert sorted(tmp_path.iterdir()) == files
    moved[:] = [tmp_path] * 9
    writing.write_all(wanted)
    assert {file.read_bytes() for file in files} == {b"new\n"}


def test_hard_links_and_long_names_stay(tmp_path: Path) -> None:
    file, other = tmp_path / ("設" * 80 + ".yaml"), tmp_path / "other.yaml"
    file.write_bytes(b"old\n")
    other.hardlink_to(file)
    writing.write_all([(file, "newer text\n", b"old\n")])
    assert other.read_bytes() == b"newer text\n" == file.read_bytes()
    assert other.samefile(file)
