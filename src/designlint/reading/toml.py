"""On which line each value of a TOML file stands: `tomllib` tells the values alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any, TypeAlias

#: The way to a value: keys, and places in arrays.
Path: TypeAlias = tuple[str | int, ...]

GAP = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
KEY = re.compile(r"""[ \t]*([A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')[ \t]*(\.?)""")
SIGN = re.compile(r"[ \t]*=[ \t]*")
#: Strings first, several lines before one; then what has neither quotes nor brackets.
SCALAR = re.compile(
    r"""\"\"\"(?:\\.|[^\\])*?"{3,5}|'''.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[^,\]}#\n]+""", re.DOTALL
)


def lines(text: str) -> dict[Path, int]:
    """The line of every key and item of a text that `tomllib` has read."""
    return Scanner(text).scan()


class Scanner:
    """Walks a text, noting where every key and item starts."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.offsets: dict[Path, int] = {}
        #: The place of the last table of each array of tables.
        self.last: dict[Path, int] = {}

    def scan(self) -> dict[Path, int]:
        base: Path = ()
        while self._more():
            start = self.at
            if self.text[self.at] == "[":
                base = self._header()
                self.offsets.setdefault(base, start)
            else:
                self._pair(base)
        breaks = [found.end() for found in re.finditer("\n", self.text)]
        return {path: bisect_right(breaks, offset) + 1 for path, offset in self.offsets.items()}

    def _more(self) -> bool:
        self.at = self._end(GAP)
        return self.at < len(self.text)

    def _end(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self.text, self.at)
        return found.end() if found else len(self.text)

    def _header(self) -> Path:
        start, several = self.at, self.text.startswith("[[", self.at)
        self.at += 1 + several
        keys = self._keys()
        self.at += 1 + several
        here: Path = ()
        for key in keys[:-1]:
            here = self._enter_table((*here, key))
            self.offsets.setdefault(here, start)
        here = (*here, keys[-1])
        if not several:
            return self._enter_table(here)
        self.offsets.setdefault(here, start)
        self.last[here] = self.last.get(here, -1) + 1
        return (*here, self.last[here])

    def _enter_table(self, here: Path) -> Path:
        return (*here, self.last[here]) if here in self.last else here

    def _keys(self) -> list[str]:
        keys: list[str] = []
        while found := KEY.match(self.text, self.at):
            keys.append(_plain(found[1]))
            self.at = found.end()
            if not found[2]:
                break
        return keys

    def _pair(self, base: Path) -> None:
        start, here = self.at, base
        for key in self._keys():
            here = (*here, key)
            self.offsets.setdefault(here, start)
        self.at = self._end(SIGN)
        self._value(here)

    def _value(self, here: Path) -> None:
        opened = self.text[self.at : self.at + 1]
        if opened not in ("[", "{"):
            self.at = self._end(SCALAR)
            return
        self.at += 1
        number = 0
        while self._more() and self.text[self.at] not in "]}":
            if self.text[self.at] == ",":
                self.at += 1
            elif opened == "{":
                self._pair(here)
            else:
                self.offsets[(*here, number)] = self.at
                self._value((*here, number))
                number += 1
        self.at += 1


def _plain(key: str) -> str:
    if key[0] == "'":
        return key[1:-1]
    if key[0] != '"':
        return key
    import tomllib

    read: Any = tomllib.loads(f"key = {key}")["key"]
    return str(read)
