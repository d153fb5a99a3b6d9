"""A configuration file as read: its table, and the line of each of its values."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designlint.reading.errors import AuthoringError
from designlint.rules.settings import SettingOrigin

if TYPE_CHECKING:
    from designlint.reading import toml

NAME, SHARED = "designlint.toml", "pyproject.toml"
#: Bytes of a file and of a line: more is no configuration, and dotted keys take time by the square of their length.
LONGEST, WIDEST = 1 << 20, 4096
#: What a `pyproject.toml` with a table of ours holds; most name us, if at all, as something to install.
OURS = r"""(?m)tool["']?[ \t]*\.[ \t]*["']?designlint|^[ \t]*(?:\[[ \t]*["']?tool["']?[ \t]*\]|["']?tool["']?[ \t]*=)"""
#: Parts of a dotted key, and a key of more: a reader of TOML takes time by their square.
DEEPEST_KEY = 32
DEEP = rf"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{DEEPEST_KEY}}}"""
#: Where `tomllib` places a fault.
AT_LINE = r" ?\(at (?:line (\d+), column \d+|end of document)\)"


class ConfigurationFile:
    """
    One configuration file.

    Attributes:
        table: what it configures; None where a `pyproject.toml` has no table of ours.

    Raises:
        AuthoringError: no TOML, or not to be read.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.shown = path, display_path(path)
        self.text = self._read_text()
        self.within: toml.Path = ("tool", "designlint") if path.name == SHARED else ()
        self.table = self._table()
        self._lines: dict[toml.Path, int] | None = None

    def _read_text(self) -> str:
        try:
            with self.path.open("rb") as stream:
                data = stream.read(LONGEST + 1)
            text = data.decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise AuthoringError(f"cannot be read: {error}", file=self.shown) from None
        if len(data) > LONGEST:
            raise AuthoringError(f"has more than {LONGEST} bytes", file=self.shown)
        return text.replace("\r\n", "\n")

    def _table(self) -> dict[str, Any] | None:
        if self.within and re.search(OURS, self.text) is None:
            return None
        import tomllib

        wide = next((at for at, line in enumerate(self.text.split("\n"), 1) if len(line) > WIDEST), None)
        if wide is not None:
            raise AuthoringError(f"a line has more than {WIDEST} characters", file=self.shown, line=wide)
        if deep := re.search(DEEP, self.text):
            line = self.text.count("\n", 0, deep.start()) + 1
            raise AuthoringError(f"a key has more than {DEEPEST_KEY} parts", file=self.shown, line=line)
        try:
            data: Any = tomllib.loads(self.text)
        except RecursionError:
            raise AuthoringError("values are nested too deep", file=self.shown) from None
        except tomllib.TOMLDecodeError as error:
            found = re.search(AT_LINE, str(error))
            line = int(found[1]) if found and found[1] else self.text.count("\n") + 1
            said = re.sub(AT_LINE, "", str(error))
            raise AuthoringError(f"this is not valid TOML: {said}", file=self.shown, line=line) from None
        for key in self.within:
            data = data.get(key) if isinstance(data, dict) else None
        if self.within and data is not None and not isinstance(data, dict):
            raise AuthoringError("`tool.designlint` is a table", file=self.shown)
        table: dict[str, Any] | None = data
        return table

    def origin(self, *steps: str | int) -> SettingOrigin:
        """Where a value stands, or the nearest that it is part of."""
        if self._lines is None:
            from designlint.reading import toml

            self._lines = toml.lines(self.text)
        path = (*self.within, *steps)
        while path and path not in self._lines:
            path = path[:-1]
        return SettingOrigin(self.shown, self._lines.get(path, 1))

    def error(self, message: str, *steps: str | int) -> AuthoringError:
        """An error at a value."""
        at = self.origin(*steps)
        return AuthoringError(message, file=at.file, line=at.line)


def open_configuration(path: Path) -> ConfigurationFile:
    """A configuration file; read once as long as it does not change."""
    try:
        state = path.stat()
    except OSError as error:
        raise AuthoringError(f"cannot be read: {error.strerror}", file=display_path(path)) from None
    return _open_cached(path, state.st_mtime_ns, state.st_size, str(Path.cwd()))


@lru_cache(maxsize=256)
def _open_cached(path: Path, _modified: int, _size: int, _here: str) -> ConfigurationFile:
    return ConfigurationFile(path)


def display_path(path: Path) -> str:
    """A path as messages name it: from the working folder where it lies below it."""
    absolute, here = os.path.abspath(path), str(Path.cwd())  # noqa: PTH100
    return os.path.relpath(absolute, here) if absolute.startswith(here.rstrip(os.sep) + os.sep) else absolute
