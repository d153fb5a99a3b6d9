"""The folder of kept reports: where it lies, what in it is trusted, what is never kept, what is thrown away."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from designlint.running.cache import folder
from tests.kept import Place, change
from tests.running import BAD, designlint, surroundings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "how",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-4] + b"\0\0\0\0",
        lambda data: b"nonsense",
        lambda data: zlib.compress(b"[" * 100_000),
        lambda data: zlib.compress(b"[1, 2, 3, 4]"),
        lambda data: zlib.compress(b"{}"),
    ],
)
def test_what_is_damaged_is_judged_anew_and_replaced(place: Place, how: Any) -> None:
    place.mark()
    (entry,) = place.entries()
    entry.write_bytes(how(entry.read_bytes()))
    assert not place.hits()
    assert len(zlib.decompress(entry.read_bytes())) > 10_000


@pytest.mark.parametrize(
    "how",
    [
        lambda entry: entry[3][1][0].__setitem__(2, 5),
        lambda entry: entry[3][1][0].__setitem__(1, "fatal"),
        lambda entry: entry[3][1][0].append("more"),
        lambda entry: entry[3][1][0][3].__setitem__(1, "6"),
        lambda entry: entry[3][2].append([]),
        lambda entry: entry[3].__setitem__(7, []),
        lambda entry: entry[3].__setitem__(7, {}),
        lambda entry: entry[3][7].__setitem__("design.yaml", ""),
        lambda entry: entry[3].__setitem__(0, "design.yaml"),
        lambda entry: entry.__setitem__(0, "f" * 64),
    ],
)
def test_what_has_another_shape_is_judged_anew(place: Place, how: Any) -> None:
    place.mark()
    (entry,) = place.entries()
    change(entry, how)
    assert not place.hits()


def test_entries_of_others_are_not_trusted(place: Place) -> None:
    place.mark()
    (entry,) = place.entries()
    entry.chmod(0o666)
    assert not place.hits()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_among_the_entries_never_blocks(place: Place) -> None:
    place.run()
    (entry,) = place.entries()
    entry.unlink()
    os.mkfifo(entry)
    assert place.run().code == 1


def test_entries_that_come_by_a_repository_are_neither_read_nor_written(place: Place) -> None:
    place.mark()
    (place.home.parent / ".git").mkdir()
    assert not place.hits()
    place.cache.rename(place.home / "kept")
    assert not place.hits(kept="kept")
    (place.home.parent / ".git").rmdir()
    assert place.hits(kept="kept")


def test_a_design_beyond_all_bounds_is_never_read_whole(place: Place) -> None:
    with place.design.open("wb") as stream:
        stream.truncate(1 << 40)
    run = place.run()
    assert (run.code, "[syntax/too-large]" in run.out) == (1, True)


def test_no_cache_neither_reads_nor_writes(place: Place) -> None:
    assert place.run("design.yaml", "--no-cache").code == 1
    assert not place.cache.exists()
    place.mark()
    assert not place.hits("design.yaml", "--no-cache")


def test_an_empty_variable_switches_it_off(place: Place) -> None:
    place.mark()
    assert not place.hits(kept="")


def test_it_lies_where_the_system_keeps_such_things(place: Place, tmp_path: Path) -> None:
    environment = {name: value for name, value in surroundings().items() if name != folder.VARIABLE}
    command = [sys.executable, "-m", "designlint", "check", "design.yaml"]
    for more in ({"XDG_CACHE_HOME": str(tmp_path / "xdg")}, {"XDG_CACHE_HOME": "", "HOME": str(tmp_path / "me")}):
        subprocess.run(command, cwd=place.home, env={**environment, **more}, capture_output=True, check=False)
    if sys.platform == "linux":
        assert len(list((tmp_path / "xdg/designlint/reports").rglob("[0-9a-f]*/*"))) == 1
        assert len(list((tmp_path / "me/.cache/designlint/reports").rglob("[0-9a-f]*/*"))) == 1
    assert sorted(path.name for path in place.home.iterdir()) == ["design.yaml"]


def test_a_folder_that_cannot_be_written_changes_nothing(place: Place) -> None:
    place.cache.write_text("a file")
    run = place.run()
    assert (run.code, run.err) == (1, "")
    assert run.out == place.run("design.yaml", "--no-cache").out


def test_standard_input_and_statistics_are_never_kept(place: Place) -> None:
    assert place.run("design.yaml", "--statistics").code == 1
    assert designlint("check", "-", stdin=BAD, DESIGNLINT_CACHE_DIR=str(place.cache)).code == 1
    assert not place.cache.exists()


def test_files_that_cannot_be_read_as_text_are_never_kept(place: Place) -> None:
    place.write("design.yaml", b"designlint: 1\nname: \xff\n")
    assert place.run().code == 1
    assert not place.entries()


def test_fixes_come_from_kept_reports_as_well(place: Place) -> None:
    place.run()
    assert place.run("design.yaml", "--fix", "--unsafe-fixes").code == 0
    assert place.run().code == 0
    assert b"tensor: 8" in place.design.read_bytes()


def test_many_processes_at_once(place: Place) -> None:
    for number in range(12):
        place.write(f"many/{number}.yaml", BAD.replace(b"count: 4", b"count: %d" % (number + 4)))
    command = [sys.executable, "-m", "designlint", "check", "many", "--format", "concise"]
    environment = {**surroundings(), "DESIGNLINT_CACHE_DIR": str(place.cache)}
    runs = [subprocess.Popen(command, cwd=place.home, env=environment, stdout=subprocess.PIPE) for _ in range(4)]
    told = {run.communicate()[0] for run in runs}
    assert told == {place.run("many", "--format", "concise", "--no-cache").out.encode()}
    assert len(place.entries()) == 12  # and nothing half written


def test_clean_throws_away_what_is_ours_alone(place: Place) -> None:
    place.run()
    drawer = place.entries()[0].parent
    foreign = [place.cache / "notes.txt", place.cache / "reports/mine/a", drawer / "b"]
    for path in foreign:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    run = designlint("clean", DESIGNLINT_CACHE_DIR=str(place.cache))
    assert run.out.startswith("removed 1 kept report (0.0 MB)")
    assert place.entries() == sorted(foreign)
    assert designlint("clean", DESIGNLINT_CACHE_DIR=str(place.cache)).out.startswith("removed 0 kept reports")
    assert "no reports are kept" in designlint("clean").out


def test_a_drawer_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folder.VARIABLE, str(tmp_path))
    monkeypatch.setattr(folder, "ROOM", 1000)
    keys = [f"00{number:062x}" for number in range(5)]
    for age, key in enumerate(keys[:3]):
        folder.write(key, bytes(300))
        when = time.time() - (10 - age) * folder.DAY
        os.utime(tmp_path / "reports/00" / key, (when, when))
    assert folder.read_entry(keys[0]) == bytes(300)  # used now, and so not the first to go
    folder.write(keys[3], bytes(300))
    assert [folder.read_entry(key) is not None for key in keys] == [True, False, True, True, False]
    folder.write(keys[4], bytes(1001))
    assert folder.read_entry(keys[4]) is None
    long_ago = time.time() - folder.KEPT - folder.DAY
    os.utime(tmp_path / "reports/00" / keys[0], (long_ago, long_ago))
    folder.write(keys[1], bytes(10))
    assert not (tmp_path / "reports/00" / keys[0]).exists()
