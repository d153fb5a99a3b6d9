"""Edits of named paths, all or none: every byte that they do not name stays as it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from designlint.source import guard, splices
from designlint.source.document import TEMPLATE_RULE
from designlint.source.reader import Limits, read_bytes
from designlint.source.stretches import joined
from designlint.source.values import EditRefused
from designlint.source.writing import write

if TYPE_CHECKING:
    from designlint.source.document import Document
    from designlint.source.splices import Splice
    from designlint.source.tree import Path

__all__ = ["Edit", "EditRefused", "apply", "write"]


@dataclass(frozen=True, slots=True)
class Edit:
    """
    One change of a named path.

    `set` replaces a value or adds the entry that is missing, with the maps above it; `insert` adds the
    entry `key` to the map `path`, where it must be missing; `append` adds an item to the list `path`;
    `remove` takes out an entry or item; `rename` gives the entry `path` the key `key`. `value` is YAML: a scalar, or
    a collection in brackets. A `shared` value may be set where it is defined although aliases bring it elsewhere too.
    """

    op: Literal["set", "insert", "append", "remove", "rename"]
    path: Path
    value: str | None = None
    key: str | None = None
    shared: bool = False

    @property
    def target(self) -> Path:
        """The path that changes."""
        return (*self.path, self.key) if self.op == "insert" and self.key is not None else self.path


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


def _position(document: Document, path: Path) -> int:
    """Where it stands in the file: what is removed from the back leaves the numbers of items before it."""
    node = splices.walk(document, path)[0][-1]
    return node.alias_site[0] if node.alias_site else node.start


def _batch(document: Document, edits: list[Edit]) -> tuple[int, list[Splice]]:
    """As many of the edits as can be made at once because they do not touch each other."""
    planned: list[Splice] = []
    for edit in edits:
        try:
            splice = _plan(document, edit)
        except EditRefused:
            if not planned:
                raise
            break  # perhaps possible when those before it are made
        if any(splice.start <= other.end and other.start <= splice.end for other in planned):
            break
        planned.append(splice)
    return len(planned), planned


def _apply(document: Document, edits: list[Edit], planned: list[Splice]) -> Document:
    data = joined(document.text, ((one.start, one.end, one.text) for one in planned)).encode("utf-8")
    changed = read_bytes(data, document.file, Limits(bytes=len(data), nodes=len(data) + 1))
    changed.bom = document.bom
    guard.check(document, changed, edits, planned)
    return changed


def _plan(document: Document, edit: Edit) -> Splice:
    if edit.op == "remove":
        return splices.remove(document, edit.path)
    if edit.op == "rename":
        return splices.rename(document, edit.path, edit.key or "")
    if edit.value is None:
        raise EditRefused(f"no value is given for {splices.spell(edit.target)}")
    if edit.op == "append":
        return splices.append_item(document, edit.path, edit.value)
    _, rest = splices.walk(document, edit.target)
    if edit.op == "insert" and not rest:
        raise EditRefused(f"{splices.spell(edit.target)} exists already")
    if edit.op == "insert" and len(rest) > 1:
        raise EditRefused(f"{splices.spell(edit.path)} does not exist")
    return splices.set_value(document, edit.target, edit.value)


def _refuse_unusable(document: Document) -> None:
    if document.root is None or not document.complete:
        raise EditRefused("the file is not whole YAML; mend its syntax first")
    if any(problem.rule == TEMPLATE_RULE for problem in document.problems):
        raise EditRefused("the file is a template; its source is what to change")


def _refuse_conflicts(edits: list[Edit]) -> None:
    for position, edit in enumerate(edits):
        if (edit.key is None) == (edit.op in ("insert", "rename")):
            raise EditRefused("`insert` and `rename` need a key, and nothing else takes one")
        for other in edits[position + 1 :]:
            if _covers(edit, other) or _covers(other, edit):
                raise EditRefused(f"two edits of {splices.spell(edit.target)} overlap")


def _covers(edit: Edit, other: Edit) -> bool:
    """Whether one edit decides what the other one changes."""
    return edit.op != "append" and other.target[: len(edit.target)] == edit.target
