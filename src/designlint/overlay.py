"""`extends`: one design laid over others; every value keeps the file and the place it came from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from designlint.model import Problem
from designlint.source import read_file

if TYPE_CHECKING:
    from designlint.source import Document, Node

#: Files that may be laid over one another: more is a mistake, and each costs a read.
DEEPEST = 16


def overlaid(document: Document, problems: list[Problem]) -> Node | None:
    """The tree of a design with everything that it extends; faults of the other files are added to `problems`."""
    home = Path(document.file).resolve()
    return _laid(document, home, _boundary(home), [home], problems)


def _boundary(home: Path) -> Path:
    """The folder that paths must not leave: the repository's, else the design's own."""
    return next((folder for folder in home.parents if (folder / ".git").exists()), home.parent)


def _laid(document: Document, home: Path, boundary: Path, chain: list[Path], problems: list[Problem]) -> Node | None:
    root = document.root
    listed = root.entries.get("extends") if root is not None and root.kind == "map" else None
    if root is None or listed is None:
        return root
    for one in reversed(listed.items if listed.kind == "list" else [listed]):
        base = _base(one, home, boundary, chain, problems) if one.kind == "scalar" and one.text else None
        if base is not None:
            root = lay(base, root)
    return root


def _base(one: Node, home: Path, boundary: Path, chain: list[Path], problems: list[Problem]) -> Node | None:
    try:
        path = (home.parent / one.text).resolve()
        outside, missing = not path.is_relative_to(boundary), not path.is_file()
    except (OSError, ValueError, RuntimeError):
        outside, missing = False, True
    values: dict[str, Any] = {"name": one.text[:80], "boundary": boundary.name}
    rule = "shape/extends-outside" if outside else "shape/extends-missing" if missing else ""
    if not rule and (path in chain or len(chain) > DEEPEST):
        rule = "shape/extends-cycle"
    if rule:
        problems.append(Problem(rule, one.document, one.start, one.end, values))
        return None
    shown = str(Path(one.document.file).parent / one.text)
    try:
        document = read_file(path, shown)
    except OSError:
        problems.append(Problem("shape/extends-missing", one.document, one.start, one.end, values))
        return None
    problems += [Problem(p.rule, document, p.start, p.end, p.values) for p in document.problems]
    return _laid(document, path, boundary, [*chain, path], problems)


def lay(base: Node, over: Node) -> Node:
    """One tree laid over another: maps join, list items of the same name join, anything else is replaced."""
    if base.kind == over.kind == "map":
        joined = over.copy(over.alias_site)
        joined.entries = {
            key: lay(child, over.entries[key]) if key in over.entries else child for key, child in base.entries.items()
        }
        joined.entries |= {key: child for key, child in over.entries.items() if key not in base.entries}
        return joined
    if base.kind == over.kind == "list" and all(map(_name, (*base.items, *over.items))):
        return _joined(base, over)
    return over


def _name(item: Node) -> str:
    named = item.entries.get("name")
    return named.text if named is not None else ""


def _joined(base: Node, over: Node) -> Node:
    joined = over.copy(over.alias_site)
    above = {_name(item): item for item in over.items}
    below = {_name(item) for item in base.items}
    joined.items = [lay(item, above[_name(item)]) if _name(item) in above else item for item in base.items]
    joined.items += [item for item in over.items if _name(item) not in below]
    return joined
