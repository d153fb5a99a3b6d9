"""Stretches of a text and what becomes of them: made in the text, or found between two texts."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.reading.location import Replacement
    from designlint.reading.tree import Document


def join_stretches(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """The text with stretches of it, which lie apart from each other, replaced."""
    last, pieces = 0, []
    for start, end, new in sorted(changes, key=lambda one: one[0]):
        pieces += [text[last:start], new]
        last = end
    return "".join([*pieces, text[last:]])


def replace_nodes(document: Document, replacements: Iterable[Replacement]) -> str:
    """The text of a file with the replacements made."""
    return join_stretches(
        document.text,
        (
            (document.offset(at.line, at.column), document.offset(at.end_line, at.end_column), new)
            for at, new in replacements
        ),
    )


def stretches(before: str, after: str) -> list[tuple[int, int, str]]:
    """What became what: stretches of the old text, apart from each other and in order, with the new text of each."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    found, at = [], [0]
    for line in old:
        at.append(at[-1] + len(line))
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            found.append(tighten("".join(old[first:last]), "".join(new[start:end]), at[first]))
    return found


def tighten(old: str, new: str, at: int) -> tuple[int, int, str]:
    """A replacement without what both texts begin and end with."""
    most = min(len(old), len(new))
    head = next((i for i in range(most) if old[i] != new[i]), most)
    tail = next((i for i in range(most - head) if old[-1 - i] != new[-1 - i]), most - head)
    return at + head, at + len(old) - tail, new[head : len(new) - tail]
