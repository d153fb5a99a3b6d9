"""A pool of servers as files describe it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.design.known import Spot
from designlint.importers import Value
from designlint.language.hostlists import HostListError, expand

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers import Imported

#: Facts without a word that tell how many adapters a server has; ports first, which are what a design counts.
ADAPTERS = ("ports", "adapters between servers", "network adapters", "adapters")


class BuiltPool(NamedTuple):
    """
    A pool of the files: its words, and its adapters where the files count them.

    Attributes:
        kind: its GPUs by a name that the catalogue does not have, such as `a100`.
        facts: what the file says of one server without a word for it.
    """

    words: Mapping[str, Any]
    adapters: Value | None
    kind: Value | None = None
    facts: Mapping[str, Value] = {}

    def text(self, word: str) -> str:
        """A value as text; empty where the files do not have it."""
        value = self.words.get(word)
        return value.text if isinstance(value, Value) else ""

    def whole(self, word: str) -> int | None:
        """A whole number; None where the files do not have it."""
        text = self.text(word)
        return int(text) if text.isdigit() else None

    def spot(self, word: str) -> Spot | None:
        """Where a value stands; else the name of the pool."""
        value = self.words.get(word, self.words.get("name"))
        return spot(value) if isinstance(value, Value) else None

    @property
    def servers(self) -> set[str]:
        """The names of its servers."""
        return expand_names([self.text("servers")])


def spot(value: Value) -> Spot:
    """Where a value stands."""
    return Spot(value.source.document, value.start, value.end)


def build_pool(found: Imported, words: Mapping[str, Any]) -> BuiltPool:
    """A pool with what the files tell of it beside its words: of adapters and links only where a file describes one server."""
    name = words.get("name")
    if not isinstance(name, Value):
        return BuiltPool(words, None)
    known = "gpu" in words
    kind = next((one.value for one in found.facts if not known and one.name == f"nodes/{name.text}/gpu"), None)
    facts = {one.name: one.value for one in found.facts if one.value.source is name.source and "count" not in words}
    adapters = next((facts[one] for one in ADAPTERS if one in facts), None)
    return BuiltPool(words, adapters, kind, facts)


def expand_names(stated: Any) -> set[str]:
    """The names of servers that lists of hosts stand for."""
    names: set[str] = set()
    for one in stated if isinstance(stated, list) else []:
        try:
            names.update(expand(str(one)))
        except HostListError:
            names.add(str(one))
    return names - {""}
