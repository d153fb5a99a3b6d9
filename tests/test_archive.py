"""Modules read from one file: as Python itself would read each, and never another state of a source."""

from __future__ import annotations

import importlib
import inspect
import os
import py_compile
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from designlint.cli.shared.archive import Archive, ArchivedLoader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

#: Names that no other package has.
NAMES = ("archived_one", "archived_one.part", "archived_one.inner", "archived_one.inner.deep")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of four modules, which Python may compile."""
    folder = tmp_path / "archived_one"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "part.py").write_text("def value():\n    return 1 / DIVISOR\n\nDIVISOR = 1\n")
    (folder / "inner" / "__init__.py").write_text("TEXT = 'inner'\n")
    (folder / "inner" / "deep.py").write_text("from archived_one.part import value\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    yield folder
    _forget()


def _forget() -> None:
    for name in NAMES:
        sys.modules.pop(name, None)
    importlib.invalidate_caches()


def _run(folder: Path) -> dict[str, ModuleType]:
    """All modules as a run imports them that reads and keeps the archive."""
    _forget()
    archive = Archive("archived_one", str(folder))
    archive.install()
    try:
        return {name: importlib.import_module(name) for name in NAMES}
    finally:
        archive.close()


def _archived(modules: dict[str, ModuleType]) -> list[str]:
    return [name for name, one in modules.items() if isinstance(one.__loader__, ArchivedLoader)]


def test_the_second_run_reads_every_module_but_the_package_itself_from_the_archive(package: Path) -> None:
    first, second = _run(package), _run(package)
    assert _archived(first) == []
    assert _archived(second) == list(NAMES[1:])
    for name in NAMES:
        told = [(one.__name__, one.__file__, one.__package__, one.__cached__) for one in (first[name], second[name])]
        assert told[0] == told[1]
    assert list(second["archived_one.inner"].__path__) == [str(package / "inner")]


def test_tracebacks_and_tools_see_the_source(package: Path) -> None:
    _run(package)
    part = _run(package)["archived_one.part"]
    part.DIVISOR = 0  # type: ignore[attr-defined]
    with pytest.raises(ZeroDivisionError) as caught:
        part.value()
    assert "return 1 / DIVISOR" in "".join(traceback.format_exception(caught.value))
    assert inspect.getsource(part.value).startswith("def value")
    assert part.value.__code__.co_filename == str(package / "part.py")


@pytest.mark.parametrize(
    "text", ["def value():\n    return 22\n", "def value():\n    return 2 / DIVISOR\n\nDIVISOR = 1\n"]
)
def test_a_source_that_changed_is_compiled_and_kept_anew(package: Path, text: str) -> None:
    _run(package)
    (package / "part.py").write_text(text)
    os.utime(package / "part.py", (0, 5))  # of the same size, perhaps, yet of another time
    changed = _run(package)
    assert _archived(changed) == ["archived_one.inner", "archived_one.inner.deep"]
    assert changed["archived_one.part"].value() in (2, 22)
    again = _run(package)
    assert _archived(again) == list(NAMES[1:])
    assert again["archived_one.part"].value() == changed["archived_one.part"].value()


def test_a_module_that_is_gone_cannot_be_imported(package: Path) -> None:
    _run(package)
    (package / "part.py").unlink()
    with pytest.raises(ModuleNotFoundError):
        _run(package)


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda _: b"no code",
        lambda _: b"\xff" * 40,
        lambda _: (2).to_bytes(8, "little") + b"N)",
        lambda whole: whole[:-1],
        lambda whole: whole[:60],
    ],
)
def test_a_damaged_archive_counts_as_none(package: Path, damage: Callable[[bytes], bytes]) -> None:
    _run(package)
    place = Path(Archive("archived_one", str(package)).place)
    place.write_bytes(damage(place.read_bytes()))
    assert _archived(_run(package)) == []
    assert _archived(_run(package)) == list(NAMES[1:])


def test_an_archive_of_another_place_counts_as_none(package: Path, tmp_path: Path) -> None:
    _run(package)
    moved = Archive("archived_one", str(tmp_path))
    Path(moved.place).parent.mkdir()
    Path(Archive("archived_one", str(package)).place).replace(moved.place)
    moved.install()
    _forget()
    assert not isinstance(importlib.import_module("archived_one.part").__loader__, ArchivedLoader)
    moved.close()


def test_nothing_is_kept_where_python_keeps_nothing(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    _run(package)
    assert not list(package.rglob("*.pyc"))


def test_a_folder_that_cannot_be_written_is_no_fault(package: Path) -> None:
    (package / "__pycache__").write_text("a file")
    assert _archived(_run(package)) == []
    assert _archived(_run(package)) == []


def test_closing_leaves_python_as_it_was(package: Path) -> None:
    before = list(sys.meta_path)
    _run(package)
    assert sys.meta_path == before


def test_code_of_the_stand_in_is_no_archive(tmp_path: Path) -> None:
    package = tmp_path / "archived_one"
    package.mkdir()
    (package / "archived.py").write_text('"""Nothing."""\n', "utf-8")
    place = py_compile.compile(str(package / "archived.py"), doraise=True)
    archive = Archive("archived_one", str(package))
    assert archive.place == place
    archive.install()
    try:
        assert archive.find_spec("archived_one.other") is None
    finally:
        archive.close()
