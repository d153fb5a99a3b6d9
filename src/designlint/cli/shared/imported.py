"""Libraries that every run imports, without what only other uses of them need."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


class LatePattern:
    """A regular expression that is compiled when it is first used."""

    def __init__(self, pattern: Any, flags: int = 0) -> None:
        self._made = pattern, flags

    def __getattr__(self, name: str) -> Any:
        return getattr(re.compile(*self._made), name)


def libraries() -> None:
    """Import msgspec and PyYAML in half the time: their own regular expressions, none of which a run needs, wait."""
    with _late_patterns(), _without("typing_extensions"):  # `typing` has all that is asked of it
        import_module("msgspec")
        import_module("yaml")


@contextmanager
def _late_patterns() -> Iterator[None]:
    kept, re.compile = re.compile, LatePattern  # type: ignore[assignment]
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
