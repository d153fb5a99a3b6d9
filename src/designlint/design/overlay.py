"""`extends` and `from`: one design laid over other files; every value keeps the file and the place it came from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designlint.findings.model import Problem
from designlint.reading import read_file
from designlint.reading.bases import DEEPEST, MISSING, OUTSIDE, Base, boundary, follow_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from designlint.reading import Document, Node

    #: Files as they are in memory, by resolved path: they count instead of those on disk.
    Held = Mapping[Path, Document]

NOTHING_HELD: Held = {}


def overlaid(
    document: Document, problems: list[Problem], held: Held, bases: list[Base], documents: list[Document],
    catalogued: Callable[[str, str], str | None] = lambda cls, name: None,
) -> Node | None:  # fmt: skip
    """
    The tree of a design with everything that it extends and imports.

    Args:
        problems: faults of the other files are added to it.
        bases: the files that were looked for are added to it.
        documents: the files that were read are added to it.
        catalogued: the name of a catalogue entry by class and spelling, or None.
    """
    root = document.root
    if root is None or root.kind != "map":
        return root
    if "extends" in root.entries:
        home = Path(document.file).resolve()
        overlay = _Overlay(boundary(home), problems, held)
        root = overlay.overlay(document, [home])
        bases += overlay.bases()
        documents += overlay.documents.values()
    if root is not None and any("from" in one.text for one in (document, *documents)):
        from designlint.design.foreign import Foreign

        foreign = Foreign(problems, lay, catalogued)
        root = foreign.overlay_imports(root)
        bases += foreign.bases
        documents += foreign.documents.values()
    return root


class _Overlay:
    """One design's overlay; each file is read and laid once, however often it is extended."""

    def __init__(self, boundary: Path, problems: list[Problem], held: Held) -> None:
        self.boundary, self.problems, self.held = boundary, problems, held
        self.known: dict[Path, Node | None] = {}
        self.sought: list[tuple[Path, Path, str]] = []
        self.documents: dict[Path, Document] = {}

    def overlay(self, document: Document, chain: list[Path]) -> Node | None:
        """A document laid over its bases; `chain` leads from the design to it."""
        root = document.root
        listed = root.entries.get("extends") if root is not None and root.kind == "map" else None
        if root is None or listed is None:
            return root
        for one in reversed(listed.items if listed.kind == "list" else [listed]):
            base = self._base(one, chain) if one.kind == "scalar" and one.text else None
            if base is not None:
                root = lay(base, root)
        return root

    def _base(self, one: Node, chain: list[Path]) -> Node | None:
        stated = chain[-1].parent / one.text
        path, there = follow_path(stated) or (chain[0], False)
        outside = not path.is_relative_to(self.boundary)
        self.sought.append((stated, path, OUTSIDE if outside else "" if there else MISSING))
        rule = "shape/extends-outside" if outside else "" if there else "shape/extends-missing"
        if not rule and (path in chain or len(chain) > DEEPEST):
            rule = "shape/extends-cycle"
        if rule:
            self._refuse(rule, one)
            return None
        if path not in self.known:
            self.known[path] = None
            self.known[path] = self._read_base(one, path, chain)
        return self.known[path]

    def _read_base(self, one: Node, path: Path, chain: list[Path]) -> Node | None:
        try:
            document = self.held.get(path) or read_file(
                path, os.path.normpath(Path(one.document.file).parent / one.text)
            )
        except OSError:
            self._refuse("shape/extends-missing", one)
            return None
        self.documents[path] = document
        self.problems += [Problem(p.rule, document, p.start, p.end, p.values) for p in document.problems]
        root = document.root
        if root is not None and root.kind != "map":
            what = {"what": "a list" if root.kind == "list" else "a single value"}
            self.problems.append(Problem("shape/not-a-design", document, root.start, root.start + 1, what))
            return None
        if root is not None:
            self.problems += list(_doubles(root))
        return self.overlay(document, [*chain, path])

    def bases(self) -> list[Base]:
        """The files that were looked for, with what was read of each."""
        digests = {path: one.digest() for path, one in self.documents.items()}
        return [Base(str(stated), str(path), state or digests.get(path, "")) for stated, path, state in self.sought]

    def _refuse(self, rule: str, one: Node) -> None:
        values: dict[str, Any] = {"name": one.text[:80], "boundary": self.boundary.name, "deepest": DEEPEST}
        self.problems.append(Problem(rule, one.document, one.start, one.end, values))


def _doubles(root: Node) -> Iterator[Problem]:
    """Items of a list with one name: the second would vanish when lists are joined."""
    for listed in root.entries.values():
        seen: dict[str, Node] = {}
        for item in listed.items:
            named = item.entries.get("name")
            if named is None or not named.text:
                continue
            first = seen.setdefault(named.text, named)
            if first is not named:
                line = first.document.place(first.start, first.end)[0]
                values = {"name": named.text[:80], "first_line": line}
                yield Problem("shape/duplicate-name", named.document, named.start, named.end, values)


def lay(base: Node, over: Node) -> Node:
    """One tree laid over another: maps join, list items of the same name join, anything else is replaced."""
    if base.kind == over.kind == "map":
        joined = over.copy(over.alias_site)
        joined.origin = over.origin or base.origin
        joined.entries = {
            key: lay(child, over.entries[key]) if key in over.entries else child for key, child in base.entries.items()
        }
        joined.entries |= {key: child for key, child in over.entries.items() if key not in base.entries}
        return joined
    if base.kind == over.kind == "list" and all(map(_name, (*base.items, *over.items))):
        return _join_nodes(base, over)
    return over


def _name(item: Node) -> str:
    named = item.entries.get("name")
    return named.text if named is not None else ""


def _join_nodes(base: Node, over: Node) -> Node:
    joined = over.copy(over.alias_site)
    above = {_name(item): item for item in over.items}
    below = {_name(item) for item in base.items}
    joined.items = [lay(item, above[_name(item)]) if _name(item) in above else item for item in base.items]
    joined.items += [item for item in over.items if _name(item) not in below]
    return joined
