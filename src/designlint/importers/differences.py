"""What importing again changes: the values of two designs, compared by their paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.reading import read_bytes

if TYPE_CHECKING:
    from designlint.reading import Node

#: Values that are listed.
MOST = 1000


def between(old: str, new: str) -> list[str]:
    """One line for each value that is new, gone or different, in the order of their paths."""
    before, after = _values(old), _values(new)
    lines = []
    for path in sorted(before.keys() | after.keys()):
        one, other = before.get(path), after.get(path)
        if one is None:
            lines.append(f"+ {path}: {other}")
        elif other is None:
            lines.append(f"- {path}: {one}")
        elif one != other:
            lines.append(f"~ {path}: {one} -> {other}")
    return lines[:MOST]


def _values(text: str) -> dict[str, str]:
    root = read_bytes(text.encode("utf-8"), "design").root
    found: dict[str, str] = {}
    waiting: list[tuple[str, Node]] = [] if root is None else [("", root)]
    while waiting:
        path, node = waiting.pop()
        if node.kind == "scalar":
            found[path] = node.text
        for key, child in node.entries.items():
            waiting.append((f"{path}/{key}" if path else key, child))
        for number, child in enumerate(node.items):
            named = child.entries.get("name")
            waiting.append((f"{path}/{named.text if named is not None else number}", child))
    return found
