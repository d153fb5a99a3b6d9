"""
The modules that commands import, read from one file: to find, open and check each by itself takes a twentieth of a check.

The file lies in a `__pycache__` of the package, in place of the code of `archived.py`. It holds what Python keeps there for each
module, and is valid as that is: while the time and size of a source are the same. What it does not hold Python finds as ever,
and the end of the run adds it.
"""

from __future__ import annotations

import marshal
import os
import sys
from contextlib import suppress
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source

TYPE_CHECKING = False  # `typing` takes as long to import as Python to start
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType
    from typing import Any, TypeAlias

    #: Where a source lies, whether it is a package, its time and size, where Python keeps its code, and where and how long
    #: the code is in the file, from the end of the index.
    Entry: TypeAlias = tuple[str, bool, int, int, str, int, int]

#: How many bytes say how long the index is, with which the file begins.
LENGTH = 8


class ArchivedLoader(SourceFileLoader):
    """Python's own loader of sources, but for where it takes the code from."""

    def __init__(self, name: str, entry: Entry, archive: Archive) -> None:
        super().__init__(name, entry[0])
        self._entry, self._archive = entry, archive

    def get_code(self, fullname: str) -> CodeType:
        """The code of the module."""
        code: CodeType = marshal.loads(self._archive.code(self._entry))
        return code


class Archive:
    """
    A finder of the modules of one package, before all others while it is installed.

    Args:
        package: its name, and `folder` where it lies.
        stand_in: the source below it in whose place for code the file lies. It is part of the package, so that the file goes
            where the package is removed; nothing imports it.
    """

    def __init__(self, package: str, folder: str, stand_in: str = "archived.py") -> None:
        self._head = package, folder, MAGIC_NUMBER
        self._prefix = f"{package}."
        self.place = cache_from_source(os.path.join(folder, stand_in))  # noqa: PTH118 (`pathlib` comes later)
        self._entries: dict[str, Entry] = {}
        self._file, self._begin = -1, 0
        self._missed = False

    def install(self) -> None:
        """Read the index, where there is a file, and be asked first from now on."""
        if not hasattr(os, "pread"):  # Windows
            return
        sys.meta_path.insert(0, self)
        try:
            self._file = os.open(self.place, os.O_RDONLY)
            self._begin = LENGTH + int.from_bytes(os.pread(self._file, LENGTH, 0), "little")
            size = os.fstat(self._file).st_size
            if size < self._begin:  # code of the stand-in, as pip compiles it
                return
            head, entries, end = marshal.loads(os.pread(self._file, self._begin - LENGTH, LENGTH))
            whole = size == self._begin + end
        except (OSError, OverflowError, MemoryError, EOFError, ValueError, TypeError):
            return
        if head == self._head and whole:
            self._entries = entries

    def code(self, entry: Entry) -> bytes:
        """The code of an entry, as Python keeps it."""
        return os.pread(self._file, entry[6], self._begin + entry[5])

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """How a module is loaded; None where it is another package's, or was not kept as it is now."""
        entry = self._entries.get(name)
        if entry is not None and _state(entry[0]) == entry[2:4]:
            spec = ModuleSpec(name, ArchivedLoader(name, entry, self), origin=entry[0], is_package=entry[1])
            spec.has_location, spec.cached = True, entry[4]
            if entry[1]:
                spec.submodule_search_locations = [os.path.dirname(entry[0])]  # noqa: PTH120
            return spec
        self._missed |= name.startswith(self._prefix)
        return None

    def close(self) -> None:
        """Be asked no longer; keep what Python had to find for the next run, where it keeps code at all."""
        if self not in sys.meta_path:
            return
        sys.meta_path.remove(self)
        if not self._missed or sys.dont_write_bytecode:
            return
        modules = [(name, one) for name, one in sys.modules.items() if name.startswith(self._prefix)]
        added = {name: found for name, one in modules if (found := _find_code(one)) is not None}
        if added:
            known = {name: one for name, one in self._entries.items() if _state(one[0]) == one[2:4]}
            self._keep({name: (one, self.code(one)) for name, one in known.items()} | added)

    def _keep(self, modules: dict[str, tuple[Sequence[Any], bytes]]) -> None:
        index: dict[str, Entry] = {}
        end = 0
        for name, ((source, package, time, size, cached, *_), code) in modules.items():
            index[name] = source, package, time, size, cached, end, len(code)
            end += len(code)
        told = marshal.dumps((self._head, index, end))
        beside = f"{self.place}.{os.getpid()}"
        try:
            with open(beside, "wb") as file:  # noqa: PTH123
                file.write(len(told).to_bytes(LENGTH, "little") + told)
                file.writelines(code for _, code in modules.values())
            os.replace(beside, self.place)  # noqa: PTH105
        except OSError:  # a folder that cannot be written: runs are only slower
            with suppress(OSError):
                os.unlink(beside)  # noqa: PTH108


def _state(place: str) -> tuple[int, int] | None:
    """What changes with a source."""
    try:
        found = os.stat(place)  # noqa: PTH116
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _find_code(module: Any) -> tuple[Sequence[Any], bytes] | None:
    """What to say of a module in the index, and its code; None where Python itself keeps no code of the source as it is."""
    spec = getattr(module, "__spec__", None)
    if spec is None or type(spec.loader) is not SourceFileLoader or not spec.cached:
        return None
    state = _state(spec.origin)
    try:
        with open(spec.cached, "rb") as file:  # noqa: PTH123
            kept = file.read()
    except OSError:
        return None
    if state is None or kept[:16] != _header(*state):
        return None
    return (spec.origin, spec.submodule_search_locations is not None, *state, spec.cached), kept[16:]


def _header(nanoseconds: int, size: int) -> bytes:
    """How a file of code begins where its source has this time and size."""
    numbers = 0, nanoseconds // 10**9 & 0xFFFFFFFF, size & 0xFFFFFFFF
    return MAGIC_NUMBER + b"".join(one.to_bytes(4, "little") for one in numbers)
