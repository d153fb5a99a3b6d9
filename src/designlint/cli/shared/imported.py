"""Libraries that every run imports, without what only other uses of them need."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What compiles, at import, regular expressions that a run seldom uses; each calls their methods, never `re.sub` and the like.
WAITING = ("platform", "textwrap", "yaml")
#: Modules of which a run seldom uses anything that these libraries take from them.
LATE = ("msgspec._json_schema", "msgspec.inspect", "urllib.parse")


class LatePattern:
    """A regular expression that is compiled when it is first used."""

    def __init__(self, pattern: Any, flags: int = 0) -> None:
        self._made = pattern, flags

    def __getattr__(self, name: str) -> Any:
        return getattr(re.compile(*self._made), name)


class LateModule(ModuleType):
    """A module that is imported when something of it is first used; what is taken from it before is a function."""

    importing = True

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if not self.importing:
            return getattr(import_module(self.__name__), name)

        def late(*given: Any, **named: Any) -> Any:
            return getattr(import_module(self.__name__), name)(*given, **named)

        return late


def libraries() -> None:
    """Import pathlib, msgspec and PyYAML in half the time: what comes with them and is seldom used waits."""
    with _late_patterns(), _late_modules(), _without("typing_extensions"):  # `typing` has all that is asked of it
        import_module("pathlib")
        import_module("msgspec")
        import_module("yaml")


@contextmanager
def _late_modules() -> Iterator[None]:
    made = {name: LateModule(name) for name in LATE if name not in sys.modules}
    sys.modules.update(made)
    try:
        yield
    finally:
        for name, module in made.items():
            module.importing = False
            del sys.modules[name]


@contextmanager
def _late_patterns() -> Iterator[None]:
    kept = re.compile

    def late(pattern: Any, flags: int = 0) -> Any:
        asking = sys._getframe(1).f_globals.get("__name__", "").partition(".")[0]
        return LatePattern(pattern, flags) if asking in WAITING else kept(pattern, flags)

    re.compile = late
    try:
        yield
    finally:
        re.compile = kept


@contextmanager
def _without(name: str) -> Iterator[None]:
    """No module of this name can be imported, unless it is already."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]  # as Python has it: not to be imported
    try:
        yield
    finally:
        del sys.modules[name]
