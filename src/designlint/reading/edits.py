"""Edits of named paths, all or none: every byte that they do not name stays as it was."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

from designlint.reading import guard, listing, splices
from designlint.reading.edit import Edit
from designlint.reading.reader import Limits, read_bytes
from designlint.reading.stretches import join_stretches
from designlint.reading.tree import TEMPLATE_RULE
from designlint.reading.values import EditRefused
from designlint.reading.writing import write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.reading.splices import Splice
    from designlint.reading.tree import Document, Path

__all__ = ["Edit", "EditRefused", "apply", "write"]


def apply(document: Document, edits: list[Edit]) -> str:
    """The text with all edits, without BOM as `Document.text` is. Raises: EditRefused; then none is made."""
    _refuse_unusable(document)
    _refuse_conflicts(edits)
    others = [edit for edit in edits if edit.op != "remove"]
    removals = [edit for edit in edits if edit.op == "remove"]
    waiting = others + sorted(removals, key=lambda edit: _position(document, edit.path), reverse=True)
    while waiting:
        count, planned = _batch(document, waiting)
        document = _apply(document, waiting[:count], planned)
        waiting = waiting[count:]
    return document.text


def alone(document: Document, edits: Sequence[Edit]) -> list[tuple[int, int, str]] | None:
    """The stretch of text that each edit replaces, where all can be made at once; None where one waits for another."""
    try:
        count, planned = _batch(document, edits)
    except EditRefused:
        return None
    return [(one.start, one.end, one.text) for one in planned] if count == len(edits) else None


def _position(document: Document, path: Path) -> int:
    """Where it stands in the file: what is removed from the back leaves the numbers of items before it."""
    node = splices.walk(document, path)[0][-1]
    return node.alias_site[0] if node.alias_site else node.start


def _batch(document: Document, edits: Sequence[Edit]) -> tuple[int, list[Splice]]:
    """As many of the edits as can be made at once because they do not touch each other."""
    planned: list[Splice] = []
    taken: list[tuple[int, int]] = []  # stretches apart from each other, in the order of the file
    for edit in edits:
        try:
            splice = _plan(document, edit)
        except EditRefused:
            if not planned:
                raise
            break  # perhaps possible when those before it are made
        at = bisect_left(taken, (splice.start, splice.end))
        if any(splice.start <= end and start <= splice.end for start, end in taken[max(at - 1, 0) : at + 1]):
            break
        taken.insert(at, (splice.start, splice.end))
        planned.append(splice)
    return len(planned), planned


def _apply(document: Document, edits: list[Edit], planned: list[Splice]) -> Document:
    data = join_stretches(document.text, ((one.start, one.end, one.text) for one in planned)).encode("utf-8")
    changed = read_bytes(data, document.file, Limits(bytes=len(data), nodes=len(data) + 1))
    changed.bom = document.bom
    guard.check(document, changed, edits, planned)
    return changed


def _plan(document: Document, edit: Edit) -> Splice:
    if edit.op == "remove":
        return splices.remove(document, edit.path)
    if edit.op == "rename":
        return splices.rename(document, edit.path, edit.key or "", edit.value)
    if edit.op == "list":
        return listing.make_list(document, edit.path, edit.key, edit.value)
    if edit.value is None:
        raise EditRefused(f"no value is given for {splices.spell(edit.target)}")
    if edit.op == "append":
        return splices.append_item(document, edit.path, edit.value)
    _, rest = splices.walk(document, edit.target)
    if edit.op in ("insert", "begin") and not rest:
        raise EditRefused(f"{splices.spell(edit.target)} exists already")
    if edit.op == "insert" and len(rest) > 1:
        raise EditRefused(f"{splices.spell(edit.path)} does not exist")
    if edit.op == "begin":
        return splices.begin(document, edit.path, f"{edit.key}: {edit.value}")
    return splices.set_value(document, edit.target, edit.value)


def _refuse_unusable(document: Document) -> None:
    if document.root is None or not document.complete:
        raise EditRefused("the file is not whole YAML; fix its syntax first")
    if any(problem.rule == TEMPLATE_RULE for problem in document.problems):
        raise EditRefused("the file is a template; its source is what to change")


def _refuse_conflicts(edits: list[Edit]) -> None:
    decided = Counter(edit.target for edit in edits if edit.op != "append")
    for edit in edits:
        if edit.op != "list" and (edit.key is None) == (edit.op in ("insert", "begin", "rename")):
            raise EditRefused("`insert`, `begin` and `rename` need a key, and nothing else takes one")
        own = edit.op != "append"
        for length in range(len(edit.target) + 1):
            if decided[edit.target[:length]] > (own and length == len(edit.target)):
                raise EditRefused(f"two edits of {splices.spell(edit.target)} overlap")
