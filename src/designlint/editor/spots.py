"""What stands at an offset of a design: the word, its class, its value, whether or not a graph could be built."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.graph.subjects import Graph, Subject
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word
    from designlint.reading import Node


class DesignSpot(NamedTuple):
    """
    A key or a value of a design.

    Attributes:
        owner: class of the mapping that the key stands in.
        mapping: that mapping, and `name` the key.
        word: what the key means; None where the class has no such word.
        node: the value at the offset: of a list, the item.
        on_key: whether the offset is on the key.
        bare: the mapping stands where a list of such is expected.
    """

    owner: str
    mapping: Node
    name: str
    word: Word | None
    node: Node
    on_key: bool
    bare: bool = False

    @property
    def span(self) -> tuple[int, int]:
        """Where the key or the value stands."""
        if self.on_key:
            return self.node.key_start, self.node.key_end
        return self.node.alias_site or (self.node.start, self.node.end)


def spot_at(root: Node, offset: int, vocabulary: Vocabulary) -> DesignSpot | None:
    """The innermost key or value around an offset; None between them."""
    mapping, owner, bare = root, "Design", False
    while True:
        name, child = next(((key, one) for key, one in mapping.entries.items() if _covers(one, offset)), ("", None))
        if child is None:
            return None
        word = vocabulary.classes[owner].get(name)
        if child.key_start <= offset <= child.key_end:
            return DesignSpot(owner, mapping, name, word, child, True, bare)
        if child.kind == "list":
            child = next((one for one in child.items if _holds(one, offset)), child)
        if word is None or word.form not in ("part", "parts") or child.kind != "map":
            return DesignSpot(owner, mapping, name, word, child, False) if _holds(child, offset) else None
        mapping, owner, bare = child, word.kind, word.form == "parts" and child is mapping.entries[name]


def _covers(node: Node, offset: int) -> bool:
    """Whether key or value stand around an offset; what a merge key brings stands elsewhere."""
    if node.merged:
        return False
    return node.key_start <= offset <= node.key_end or _holds(node, offset)


def _holds(node: Node, offset: int) -> bool:
    start, end = node.alias_site or (node.start, node.end)
    return start <= offset <= end


def parts(root: Node, vocabulary: Vocabulary) -> Iterator[tuple[str, Node]]:
    """Every mapping of a design that the vocabulary knows, with its class."""
    waiting = [("Design", root)]
    while waiting:
        owner, mapping = waiting.pop()
        yield owner, mapping
        for name, child in mapping.entries.items():
            word = vocabulary.classes[owner].get(name)
            if word is not None and word.form in ("part", "parts"):
                waiting += [(word.kind, one) for one in (child, *child.items) if one.kind == "map"]


def subject_of(graph: Graph, mapping: Node) -> Subject | None:
    """The node of the graph that a mapping of a file states; an overlay copies nodes, their places stay."""
    at = mapping.document.file, mapping.start, mapping.end
    stated = (one for one in graph.subjects.values() if one.node is not None)
    return next(
        (one for one in stated if one.node and (one.node.document.file, one.node.start, one.node.end) == at), None
    )
