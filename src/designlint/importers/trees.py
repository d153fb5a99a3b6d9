"""From words with values to a tree whose every node stands in the file that it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.importers.base import Value
from designlint.reading import Node

if TYPE_CHECKING:
    from designlint.importers.base import Source, Words


def tree(words: Words, source: Source) -> Node:
    """The mapping of these words; what has no value stands at the start of `source`."""
    node = _collection("map", words, source)
    for word, child in words.items():
        if not isinstance(child, Value) and not child:
            continue
        node.entries[word] = _node(child, source)
    return node


def values(words: Any) -> list[Value]:
    """Every value of a part, in order."""
    if isinstance(words, Value):
        return [words]
    inner = words.values() if isinstance(words, dict) else words
    return [value for one in inner for value in values(one)]


def _node(child: Any, source: Source) -> Node:
    if isinstance(child, Value):
        node = Node(
            child.source.document, "scalar", child.start, child.end,
            outer=child.start, text=child.text, plain=not child.literal,
        )  # fmt: skip
        node.origin = (str(child.how), child.note)
        return node
    if isinstance(child, dict):
        return tree(child, source)
    node = _collection("list", child, source)
    node.items = [_node(one, source) for one in child]
    return node


def _collection(kind: Any, words: Any, source: Source) -> Node:
    """A mapping or list that stands where its name stands, else where its first value does."""
    first = _first(words)
    document, start, end = (source.document, 0, 0) if first is None else (first.source.document, first.start, first.end)
    node = Node(document, kind, start, end, outer=start)
    node.origin = ("stated", "") if first is None else (str(first.how), "")
    return node


def _first(words: Any) -> Value | None:
    """The value by which a reader finds a part: its name, else the first one that the file states."""
    if isinstance(words, Value):
        return words
    if isinstance(words, dict) and isinstance(named := words.get("name"), Value):
        return named
    for one in words.values() if isinstance(words, dict) else words:
        found = _first(one)
        if found is not None:
            return found
    return None
