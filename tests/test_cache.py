"""Kept reports: what comes from them is what judging anew gives, and whatever a report is made from makes it made anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from designlint import reporters
from designlint.cache import folder
from tests.running import BAD, ROOT, RULE, Run, designlint, surroundings

if TYPE_CHECKING:
    from pathlib import Path

KEPT = "THIS WAS KEPT"


class Place:
    """A folder with one design, and a folder for kept reports beside it."""

    def __init__(self, home: Path) -> None:
        self.home, self.cache = home / "designs", home / "kept"
        self.design = self.write("design.yaml", BAD)

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def run(self, *arguments: str | Path, kept: str | None = None) -> Run:
        place = str(self.cache) if kept is None else kept
        return designlint("check", *(arguments or ("design.yaml",)), cwd=self.home, DESIGNLINT_CACHE_DIR=place)

    def entries(self) -> list[Path]:
        return sorted(path for path in self.cache.rglob("*") if path.is_file())

    def mark(self, *arguments: str | Path) -> None:
        """Keep the report, and change its words, so that a run shows whether it came from there."""
        self.run(*arguments)
        for path in self.entries():
            change(path, lambda entry: entry[3].__setitem__(1, [[*one[:2], KEPT, *one[3:]] for one in entry[3][1]]))
        assert self.hits(*arguments)

    def hits(self, *arguments: str | Path, kept: str | None = None) -> bool:
        run = self.run(*arguments, kept=kept)
        assert run.code == 1, run
        return KEPT in run.out


def change(path: Path, how: Any) -> None:
    entry = json.loads(zlib.decompress(path.read_bytes()))
    how(entry)
    path.write_bytes(zlib.compress(json.dumps(entry).encode()))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def everything(place: Place, target: Path, *arguments: str) -> dict[str, bytes]:
    """What a run over all examples writes, in every format."""
    target.mkdir()
    formats = [part for name in reporters.names() for part in ("--format", f"{name}={target / name}")]
    run = designlint(
        "check", ROOT / "examples", "--margins", *arguments, *formats, DESIGNLINT_CACHE_DIR=str(place.cache)
    )
    written = {path.name: path.read_bytes() for path in target.iterdir()}
    return {**written, "": f"{run.code} {run.out} {run.err}".encode()}


def test_every_format_is_the_same_with_and_without(place: Place, tmp_path: Path) -> None:
    anew = everything(place, tmp_path / "anew", "--no-cache")
    assert not place.entries()
    first = everything(place, tmp_path / "first", "--jobs", "2")
    assert len(place.entries()) == len(list((ROOT / "examples").rglob("design.yaml")))
    again, shared = (everything(place, tmp_path / f"again-{jobs}", "--jobs", jobs) for jobs in "12")
    assert anew == first == again == shared


def test_a_report_is_used_again(place: Place) -> None:
    place.mark()
    assert place.hits("design.yaml", "--jobs", "2")
    assert place.hits()


def test_a_changed_design_is_judged_anew(place: Place) -> None:
    place.mark()
    place.design.write_bytes(BAD + b"# more\n")
    assert not place.hits()
    place.design.write_bytes(BAD)
    assert place.hits()


def test_the_same_design_elsewhere_is_told_there(place: Place) -> None:
    place.mark()
    place.write("other.yaml", BAD)
    assert "other.yaml:6" in place.run("other.yaml").out


@pytest.mark.parametrize(
    "arguments", [("--today", "2030-01-01"), ("--margins",), ("--ignore", "storage"), ("--no-waivers",)]
)
def test_what_is_asked_decides(place: Place, arguments: tuple[str, ...]) -> None:
    place.mark()
    assert not place.hits("design.yaml", *arguments)


def test_the_day_decides(place: Place) -> None:
    place.mark()
    tomorrow = "import time; told = time.strftime; time.strftime = lambda *_: '2099-01-01'"
    assert KEPT not in altered(place, tomorrow)
    assert KEPT in altered(place, "")


def test_the_version_decides(place: Place) -> None:
    place.mark()
    assert KEPT not in altered(place, "import designlint.version; designlint.version.__version__ = '99.0'")


def altered(place: Place, code: str) -> str:
    """What a run prints in a process where some code ran before."""
    code += "\nimport sys; sys.argv = ['designlint', 'check', 'design.yaml']\nfrom designlint.cli import main; main()"
    environment = {**surroundings(), "DESIGNLINT_CACHE_DIR": str(place.cache)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=place.home, env=environment, capture_output=True, check=False
    )
    assert done.returncode == 1, done.stderr
    return done.stdout.decode()


def test_a_changed_configuration_decides(place: Place) -> None:
    place.mark()
    place.write("designlint.toml", "ignore = ['storage']\n")
    assert not place.hits()
    place.mark()
    place.write("designlint.toml", "ignore = ['network']\n")
    assert not place.hits()


def test_a_changed_rule_decides(place: Place) -> None:
    rule = place.write("own/cluster/no-spare.yaml", RULE)
    place.mark("design.yaml", "--rules", "own")
    rule.write_text(RULE.replace("> 100", "> 200"))
    assert not place.hits("design.yaml", "--rules", "own")
    rule.write_text(RULE)
    assert place.hits("design.yaml", "--rules", "own")
    place.write("own/cluster/another.yaml", RULE)
    assert not place.hits("design.yaml", "--rules", "own")


def test_a_folder_of_rules_that_is_gone_is_told(place: Place) -> None:
    rule = place.write("own/cluster/no-spare.yaml", RULE)
    place.mark("design.yaml", "--rules", "own")
    rule.unlink()
    rule.parent.rmdir()
    rule.parent.parent.rmdir()
    assert place.run("design.yaml", "--rules", "own").code == 2


def test_a_changed_base_is_read_anew(place: Place) -> None:
    place.write("base.yaml", "designlint: 1\nname: a\n")
    place.write("low.yaml", "designlint: 1\nsite: b\n")
    place.write("design.yaml", b"extends: base.yaml\n" + BAD)
    place.mark()
    base = place.write("base.yaml", "designlint: 1\nname: c\n")
    assert not place.hits()
    base.write_text("extends: low.yaml\ndesignlint: 1\nname: a\n")
    place.mark()
    place.write("low.yaml", "designlint: 1\nsite: c\n")
    assert not place.hits()
    place.mark()
    (place.home / "low.yaml").unlink()
    assert not place.hits()


def test_a_base_that_appears_is_read(place: Place) -> None:
    place.write("design.yaml", b"extends: base.yaml\n" + BAD)
    place.mark()
    place.write("base.yaml", "designlint: 1\nname: a\n")
    assert not place.hits()


def test_a_base_that_a_link_leads_to_elsewhere_is_read(place: Place) -> None:
    for name in "ab":
        place.write(f"{name}.yaml", "designlint: 1\nname: a\n")
    place.write("design.yaml", b"extends: base.yaml\n" + BAD)
    link = place.home / "base.yaml"
    link.symlink_to("a.yaml")
    place.mark()
    link.unlink()
    link.symlink_to("b.yaml")
    assert not place.hits()


def test_a_base_comes_within_reach_with_the_repository(place: Place) -> None:
    place.write("base.yaml", "designlint: 1\nname: a\n")
    place.write("sub/design.yaml", b"extends: ../base.yaml\n" + BAD)
    place.mark("sub/design.yaml")
    (place.home / ".git").mkdir()
    assert not place.hits("sub/design.yaml")


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
    assert folder.read(keys[0]) == bytes(300)  # used now, and so not the first to go
    folder.write(keys[3], bytes(300))
    assert [folder.read(key) is not None for key in keys] == [True, False, True, True, False]
    folder.write(keys[4], bytes(1001))
    assert folder.read(keys[4]) is None
    long_ago = time.time() - folder.KEPT - folder.DAY
    os.utime(tmp_path / "reports/00" / keys[0], (long_ago, long_ago))
    folder.write(keys[1], bytes(10))
    assert not (tmp_path / "reports/00" / keys[0]).exists()
