"""Stretches of a text and what becomes of them: made in the text, or found between two texts."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from designlint.reading.location import Replacement
    from designlint.reading.tree import Document

#: Pairs of lines of two texts that are compared, each with each.
MOST_PAIRS = 1_000_000


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
    for first, last, start, end in _different_lines(old, new):
        found.append(tighten("".join(old[first:last]), "".join(new[start:end]), at[first]))
    return found


def _different_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Runs of lines that differ, in both texts; of many lines only those that stand at one place are compared."""
    if len(old) * len(new) <= MOST_PAIRS:
        opcodes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        yield from (places for tag, *places in opcodes if tag != "equal")  # type: ignore[misc]  # four numbers each
    elif len(old) != len(new):
        yield 0, len(old), 0, len(new)
    else:
        pairs = enumerate(zip(old, new, strict=True))
        yield from ((at, at + 1, at, at + 1) for at, (one, other) in pairs if one != other)


def tighten(old: str, new: str, at: int) -> tuple[int, int, str]:
    """A replacement without what both texts begin and end with."""
    most = min(len(old), len(new))
    head = next((i for i in range(most) if old[i] != new[i]), most)
    tail = next((i for i in range(most - head) if old[-1 - i] != new[-1 - i]), most - head)
    return at + head, at + len(old) - tail, new[head : len(new) - tail]
