"""`from`: parts of a design that come from foreign files, laid under what the design states beside them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designlint.findings.model import Problem
from designlint.language.sentences import cut
from designlint.reading.bases import MISSING, OUTSIDE, WIRING, Base, boundary, follow_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from designlint.importers import Imported
    from designlint.reading import Document, Node

#: Foreign files that one design reads.
MOST_FILES = 200
#: Candidates that a message names.
MOST_NAMED = 6
WORD = "from"

#: The way to a part: a word, or the name of an item of a list; None for an item without one.
Steps = tuple[str | None, ...]


#: The rule of two files that disagree, and a value that they say: its document, place and word.
CONFLICT = "import/conflict"
ValueAt = tuple[int, int, str]


class Foreign:
    """
    The foreign files of one design; each combination of them is read once.

    Args:
        lay: lays one tree over another.
        catalogued: the name of a catalogue entry by class and spelling, or None.
    """

    def __init__(
        self, problems: list[Problem], lay: Callable[[Node, Node], Node], catalogued: Callable[[str, str], str | None]
    ) -> None:
        self.problems, self.lay, self.catalogued = problems, lay, catalogued
        self.known: dict[tuple[Path, ...], tuple[Imported, Node | None]] = {}
        self.bases: list[Base] = []
        self.documents: dict[Path, Document] = {}
        self.decided: set[ValueAt] = set()

    def overlay_imports(self, root: Node) -> Node:
        """The tree with all that it imports; what the design decides of what files contradict is no finding."""
        tree = self._map(root, ())
        self.problems[:] = [one for one in self.problems if one.rule != CONFLICT or _value_at(one) not in self.decided]
        return tree

    def _map(self, node: Node, steps: Steps) -> Node:
        stated = node.entries.get(WORD)
        if stated is not None:
            return self._under(node, stated, steps)
        return self._inside(node, steps)

    def _inside(self, node: Node, steps: Steps) -> Node:
        """The mapping with imports below it; the same node where there are none."""
        changed: dict[str, Node] = {}
        for word, child in node.entries.items():
            if child.kind == "map":
                new = self._map(child, (*steps, word))
            elif child.kind == "list" and word not in WIRING:
                new = self._list(child, (*steps, word))
            else:
                continue
            if new is not child:
                changed[word] = new
        if not changed:
            return node
        copy = node.copy(node.alias_site)
        copy.entries = node.entries | changed
        return copy

    def _list(self, node: Node, steps: Steps) -> Node:
        items: list[Node] = []
        for item in node.items:
            if item.kind != "map":
                items.append(item)
                continue
            named = item.entries.get("name")
            here = (*steps, named.text if named is not None else None)
            stated = item.entries.get(WORD)
            items += [self._inside(item, here)] if stated is None else self._items(item, stated, here)
        items = self._join_items(items)
        if len(items) == len(node.items) and all(one is other for one, other in zip(items, node.items, strict=True)):
            return node
        copy = node.copy(node.alias_site)
        copy.items = items
        return copy

    def _join_items(self, items: list[Node]) -> list[Node]:
        """Imported items with what the list itself states under their names laid over them."""
        imported = {_name(one, at): one for at, one in enumerate(items) if one.origin is not None}
        if not imported or len(imported) == len(items):
            return items
        over = {_name(one, -1): one for one in items if one.origin is None and _name(one, -1) in imported}
        kept = [one for one in items if one.origin is not None or _name(one, -1) not in over]
        return [
            self._lay_over(one, over[_name(one, -1)]) if one.origin and _name(one, -1) in over else one for one in kept
        ]

    # -- one import

    def _under(self, node: Node, stated: Node, steps: Steps) -> Node:
        """A part that is not the item of a list, laid over what the files say of it."""
        rest = self._inside(_without(node), steps)
        found = self._find_part(stated, steps)
        if found is None or not found:
            return rest
        if len(found) > 1:
            self._several(stated, steps, found)
            return rest
        return self._lay_over(found[0][1], rest)

    def _lay_over(self, under: Node, over: Node) -> Node:
        """What the design states over what files say; of values that files contradict, those that it replaces are noted."""
        laid = self.lay(under, over)
        if any(one.rule == CONFLICT for one in self.problems):
            self.decided |= set(_values(under)) - set(_values(laid))
        return laid

    def _items(self, item: Node, stated: Node, steps: Steps) -> list[Node]:
        """An item of a list: the one of its name, the only one, or all of them where it has no name."""
        rest = self._inside(_without(item), steps)
        found = self._find_part(stated, steps)
        if not found:
            return [rest] if rest.entries else []
        same = [one for name, one in found if name == steps[-1]]
        if same or len(found) == 1:
            return [self._lay_over(same[0] if same else found[0][1], rest)]
        if steps[-1] is not None:
            self._several(stated, steps, found)
            return [rest]
        return [self._lay_over(one, rest) for _, one in found]

    def _find_part(self, stated: Node, steps: Steps) -> list[tuple[str, Node]] | None:
        """What the files say of a part, by name; None where they cannot be read."""
        files = stated.items if stated.kind == "list" else [stated]
        paths = [path for one in files if (path := self._path(one)) is not None]
        if not paths or len(paths) < len(files):
            return None
        root = self._read_files(tuple(paths), stated)[1]
        if root is None:
            return None
        found = list(follow_steps(root, steps))
        if not found:
            holds = ", ".join(root.entries) or "nothing"
            self._refuse("import/says-nothing", stated, part=spell_path(steps), holds=holds)
        return found

    def _path(self, one: Node) -> Path | None:
        if one.kind != "scalar" or not one.text:
            self._refuse("import/not-read", one, why="it is not a path", remedy="Write the path of a file.")
            return None
        home = Path(one.document.file).resolve()
        stated = home.parent / one.text
        path, there = follow_path(stated) or (home, False)
        inside = boundary(home)
        outside = not path.is_relative_to(inside)
        if outside or not there:
            self.bases.append(Base(str(stated), str(path), OUTSIDE if outside else MISSING))
        if outside:
            self._refuse("import/outside", one, boundary=inside.name)
            return None
        if not there:
            self._refuse(
                "import/not-read",
                one,
                why="there is no such file",
                remedy="Correct the path; it is relative to the file that contains it.",
            )
            return None
        return path

    def _read_files(self, paths: tuple[Path, ...], stated: Node) -> tuple[Imported, Node | None]:
        if paths not in self.known:
            from designlint import importers

            within = boundary(Path(stated.document.file).resolve())
            given = {path: _display_path(path, stated) for path in paths[:MOST_FILES]}
            imported = importers.import_files(given, catalogued=self.catalogued, within=within, shown=given)
            self.known[paths] = imported, imported.root()
            self._note(imported, paths)
            for refused in imported.refused:
                why, remedy = refused.why, refused.remedy or "Import a file that can be read."
                self._refuse("import/not-read", stated, why=why, remedy=remedy, name=refused.file)
        return self.known[paths]

    def _note(self, imported: Imported, paths: tuple[Path, ...]) -> None:
        """What else is known of the files: where they lie, what they contradict, which lines were not understood."""
        for source in imported.sources:
            self.documents[source.path] = source.document
        for path in {*paths, *(source.path for source in imported.sources)}:
            document = self.documents.get(path)
            self.bases.append(Base(str(path), str(path), document.digest() if document is not None else ""))
        self.problems += import_problems(imported)

    def _several(self, stated: Node, steps: Steps, found: list[tuple[str, Node]]) -> None:
        names = [name for name, _ in found]
        self._refuse("import/several", stated, part=spell_path(steps), candidates=cut(names, MOST_NAMED))

    def _refuse(self, rule: str, one: Node, **values: Any) -> None:
        name = ", ".join(item.text for item in one.items) if one.kind == "list" else one.text
        end = one.end if one.end > one.start else one.start + 1
        self.problems.append(Problem(rule, one.document, one.start, end, {"name": name[:80], **values}))


def _value_at(problem: Problem) -> ValueAt:
    return id(problem.document), problem.start, str(problem.values.get("word"))


def _values(node: Node) -> Iterator[ValueAt]:
    """The values of a tree of files, each by where it stands."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        waiting += [*one.entries.values(), *one.items]
        for word, child in one.entries.items():
            if child.kind == "scalar":
                yield id(child.document), child.start, word


def import_problems(imported: Imported) -> Iterator[Problem]:
    """What foreign files contradict, and which of them were not understood whole."""
    for clash in imported.clashes:
        at = clash.at
        yield Problem(clash.rule, at.source.document, at.start, max(at.end, at.start + 1), clash.values)
    for account, source in zip(imported.accounts(), imported.sources, strict=True):
        if account.partial:
            start = source.document.offset(account.unclear[0], 1)
            values = {"unclear": len(account.unclear), "lines": account.lines, "file": Path(account.file).name}
            yield Problem("import/not-understood", source.document, start, start + 1, values)


def _display_path(path: Path, stated: Node) -> str:
    """A file as findings name it: from where the design's own name counts."""
    home = Path(stated.document.file)
    try:
        return os.path.normpath(home.parent / os.path.relpath(path, home.resolve().parent))
    except ValueError:
        return str(path)


def _without(node: Node) -> Node:
    copy = node.copy(node.alias_site)
    copy.entries = {word: child for word, child in node.entries.items() if word != WORD}
    return copy


def follow_steps(root: Node, steps: Steps) -> Iterator[tuple[str, Node]]:
    """The parts of an imported tree at the end of a way, by name; an item's name decides where it fits."""
    waiting: list[tuple[str, Node]] = [("", root)]
    for step in steps:
        onward: list[tuple[str, Node]] = []
        for name, node in waiting:
            if node.kind == "map":
                child = node.entries.get(step) if step is not None else None
                onward += [(name, child)] if child is not None else []
            elif node.kind == "list":
                items = [(_name(item, at), item) for at, item in enumerate(node.items)]
                same = [one for one in items if one[0] == step]
                onward += same or items
        waiting = onward
    yield from waiting


def _name(item: Node, at: int) -> str:
    named = item.entries.get("name")
    return named.text if named is not None else str(at)


def spell_path(steps: Steps) -> str:
    """A way as messages print it."""
    return "/".join(one for one in steps if one) or "the design"
