"""A way to run calculations on plain numbers, without a design and without the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from designlint.compiler.plan import register
from designlint.configuration import engine
from designlint.derivations.base import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Callable

CLASSES = ("Model", "Placement", "Workload")


class Facts:
    """Stated facts of one job by word, and those that follow from them when they are asked for."""

    def __init__(self, stated: dict[str, Any]) -> None:
        self.known = {word: value for word, value in stated.items() if value is not None}
        self.functions = {word: one for (of, word), one in REGISTRY.items() if of in CLASSES}

    def __getitem__(self, word: str) -> Any:
        """A fact; None where it is unknown."""
        if word not in self.known:
            self.known[word] = None
            self.known[word] = self._computed(word)
        return self.known[word]

    def _computed(self, word: str) -> Any:
        if word not in self.functions:
            return None
        read = self.functions[word].words
        if any(self[name] is None and not kind.endswith("| None") for name, kind in read):
            return None
        return self.functions[word].call(*(self[name] for name, _ in read))


@pytest.fixture(scope="session")
def facts() -> Callable[..., Facts]:
    """Makes `Facts` out of stated words."""
    register(engine.shipped_engine().vocabulary)
    return lambda *parts, **stated: Facts({k: v for part in (*parts, stated) for k, v in part.items()})
