"""Where a value of the graph is written: which file, which path, and what else a change there would reach."""

from __future__ import annotations

import re
from math import isclose
from typing import TYPE_CHECKING, NamedTuple

from designlint.fixes.spots import known_spots, spot_of
from designlint.language.suggestions import EACH, NAMELESS
from designlint.language.units import NOISE
from designlint.language.values import accept, is_number
from designlint.reading.edit import Edit
from designlint.reading.edits import EditRefused
from designlint.reading.splices import spell, walk
from designlint.reading.values import in_line, key_text, value_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.design.design import Design
    from designlint.findings.model import Problem
    from designlint.graph.subjects import Subject
    from designlint.reading import Document, Node, Path


#: What stands behind a value that has a comment of its own.
COMMENT = re.compile(r"[\]}]*[ \t]+#.*")
#: The place of a fault itself, as a path from it.
HERE = "."


class Placed(NamedTuple):
    """An edit of one file, and the other places of it that the edit reaches through aliases."""

    document: Document
    edit: Edit
    also: tuple[Path, ...] = ()


class Places:
    """
    The places of one design's files.

    Args:
        belongs: whether a fault is that of a base alone: then it is mended there, else in the design that extends it.
    """

    def __init__(self, design: Design, belongs: Callable[[Document], bool]) -> None:
        self.design, self.belongs = design, belongs

    def set(self, subject: Subject, word: str, value: str) -> Placed:
        """The edit that gives a word a value. Raises: EditRefused where no edit of a file would do it alone."""
        node = subject.keys.get(word)
        if _is_imported(subject, node):
            return self._laid_over(subject, word, value)
        if node is not None:
            placed = self._at(node, ())
        else:
            holder, steps = _nearest_stated(subject)
            if holder.node is not None and holder.node.kind == "scalar":
                return self._in_place_of_model(holder, (*steps, word), value)
            placed = self._at(_node(holder), (*steps, word))
        document, path, also = placed
        if document is not self.design.document and not self.belongs(document):
            return self._laid_over(subject, word, value)
        return Placed(document, Edit("set", path, value, shared=bool(also)), also)

    def remove(self, subject: Subject, word: str) -> Placed:
        """The edit that takes a stated word out."""
        document, path, also = self._at(self._stated_here(subject, word), ())
        if also:
            raise EditRefused(f"{spell(path)} is reached from {_listing(also)} too")
        return Placed(document, Edit("remove", path))

    def append(self, subject: Subject, word: str, value: str) -> Placed:
        """The edit that adds an item to a list, which is made where it is missing."""
        node = subject.keys.get(word)
        holder, steps = _nearest_stated(subject)
        document, path, also = self._at(_node(holder), (*steps, word)) if node is None else self._at(node, ())
        if also or document is not self.design.document:
            raise EditRefused(f"{spell(path)} is in {document.file}, where other parts of the design use it")
        return Placed(document, Edit("append", path, value))

    def at(self, problem: Problem, path: str, value: str) -> Placed:
        """The edit that writes a value, a key, or both (`key: value`) where a fault of text or shape stands, or below it."""
        found, key = self._place(problem)
        if path != HERE:
            return Placed(problem.document, Edit("set", (*found, path), value))
        name, _, beside = value.partition(": ")
        edit = Edit("rename", found, beside or None, key=name) if key else Edit("set", found, value)
        return Placed(problem.document, edit)

    def without(self, problem: Problem) -> Placed:
        """The edit that takes out a computed word. Raises: EditRefused where its value is not the one that is computed."""
        path, _ = self._place(problem)
        node = walk(problem.document, path)[0][-1]
        subject, name = self.design.graph.subjects.get(problem.values["subject"]), problem.values["word"]
        vocabulary = self.design.engine.vocabulary
        if subject is None or node.kind != "scalar" or name not in subject.facts:
            raise EditRefused("the design decides no value")
        word, computed = vocabulary.classes[subject.cls][name], subject.facts[name]
        stated = accept(word, node.scalar(), node.text, vocabulary.units)
        if stated != computed and not (
            is_number(stated) and is_number(computed) and isclose(stated, computed, rel_tol=NOISE)
        ):
            raise EditRefused("the design decides another value")
        return Placed(problem.document, Edit("remove", path))

    def make_list(self, problem: Problem, name: str) -> list[Placed]:
        """
        The edit that makes a mapping a list.

        Args:
            name: `word: EACH` of its entries, with their keys under that word; `word: name` of itself alone, with that
                name; `NAMELESS` of itself as it is.
        """
        path, _ = self._place(problem)
        word, _, name = name.partition(": ")
        edit = Edit("list", path) if word == NAMELESS else Edit("list", path, None if name == EACH else name, key=word)
        return [Placed(problem.document, edit)]

    def move(self, problem: Problem, to: str) -> list[Placed]:
        """
        The edits that take an entry with its value to another place.

        Args:
            to: a path from the part that holds the entry, or, with a slash before it, from the top of the design.

        Raises: EditRefused where it names no one place, or where one is stated there already.
        """
        found, _ = self._place(problem)
        target = _from_top(to, found) if to.startswith("/") else (*found[:-1], *to.split("/"))
        if ", " in to or EACH in target:
            raise EditRefused("it may belong in several places")
        node = walk(problem.document, found)[0][-1]
        written = in_line(node)
        nodes, rest = walk(problem.document, target)
        if not rest or not written or node.alias_site or has_comment(node):
            raise EditRefused(f"{spell(target)} is stated already, or more than a plain value would have to move")
        holder = nodes[-1]
        if len(rest) == 1 and holder.kind == "scalar" and holder.text:
            if not any(one.node is holder for one in self.design.graph.subjects.values()):
                raise EditRefused(f"{spell(target[:-1])} is no name of a part that more could be said of")
            edit = Edit("set", target[:-1], _beside_model(holder, rest[0], written))
        else:
            edit = Edit("set", target, written)
        return [Placed(problem.document, one) for one in (edit, Edit("remove", found))]

    def begin(self, problem: Problem, entry: str) -> list[Placed]:
        """The edit that writes an entry before all others of a file."""
        key, _, value = entry.partition(": ")
        return [Placed(problem.document, Edit("begin", (), value, key=key))]

    def split(self, problem: Problem, facts: str) -> list[Placed]:
        """
        The edits that state several facts in place of an entry that holds them all.

        Args:
            facts: an entry a line, each with the path of its word from the part that holds the entry.
        """
        found, _ = self._place(problem)
        written = dict(one.split(": ", 1) for one in facts.split("\n"))
        edits = [Edit("set", (*found[:-1], *path.split("/")), value) for path, value in written.items()]
        first, value = next(iter(written.items()))
        if found[-1] in written:
            return [Placed(problem.document, one) for one in edits]
        if "/" in first:
            edits.append(Edit("remove", found))
        else:
            edits[0] = Edit("rename", found, value, key=first)
        return [Placed(problem.document, one) for one in edits]

    def _place(self, problem: Problem) -> tuple[Path, bool]:
        """The path of what is at fault, and whether its key is."""
        known = known_spots(problem.document)
        place = problem.start, problem.end
        if place in known.values:
            return known.values[place], False
        if place in known.keys:
            return known.keys[place], True
        raise EditRefused("the place has no path of its own")

    def _stated_here(self, subject: Subject, word: str) -> Node:
        node = subject.keys.get(word)
        if node is None:
            raise EditRefused(f"{subject.path}/{word} is not stated")
        if node.document is not self.design.document and not self.belongs(node.document):
            raise EditRefused(f"{subject.path}/{word} is stated in {node.document.file}, which is right by itself")
        return node

    def _at(self, node: Node, below: Path) -> tuple[Document, Path, tuple[Path, ...]]:
        """The file, the path and the other paths of a node, or of what is to stand below it."""
        found = known_spots(node.document).nodes.get(spot_of(node), [])
        direct = [path for path, through in found if not through]
        if not direct:
            raise EditRefused("it comes from an alias or a merge key, and cannot be changed separately")
        return node.document, (*direct[0], *below), tuple((*path, *below) for path, _ in found if path != direct[0])

    def _in_place_of_model(self, holder: Subject, steps: Path, value: str) -> Placed:
        """`gpu: h100` becomes `gpu: {model: h100, memory: 96 GB}`."""
        node = _node(holder)
        document, path, also = self._at(node, ())
        if also or len(steps) > 1 or document is not self.design.document:
            raise EditRefused(f"{spell(path)} names a catalogue entry in a place that others use")
        return Placed(document, Edit("set", path, _beside_model(node, steps[0], value)))

    def _laid_over(self, subject: Subject, word: str, value: str) -> Placed:
        """The value stated in the design itself, over what a base says, which is right by itself."""
        document = self.design.document
        text, steps, holder = value_text(value, None, flow=True), [word], subject
        while holder.owner is not None and (holder.node is None or holder.node.document is not document):
            name = holder.path.removeprefix(holder.owner.path).lstrip("/").split("/")
            if len(name) > 1:
                text, steps = _name_item(holder, steps, text), name[:1]
            else:
                steps = [*name, *steps]
            holder = holder.owner
        _, path, also = self._at(_node(holder), tuple(steps))
        if also:
            raise EditRefused(f"{spell(path)} is reached from {_listing(also)} too")
        if text.startswith("{name: ") and self._is_listed(holder, steps[-1]):
            return Placed(document, Edit("append", path, text))
        return Placed(document, Edit("set", path, f"[{text}]" if text.startswith("{name: ") else text))

    def _is_listed(self, holder: Subject, word: str) -> bool:
        node = holder.keys.get(word)
        return node is not None and node.document is self.design.document


def _is_imported(subject: Subject, node: Node | None) -> bool:
    """Whether a word, or the part that it is missing from, stands in a foreign file: what a fix says is laid over it."""
    stated = node if node is not None else _nearest_stated(subject)[0].node
    return stated is not None and stated.document.root is None


def _name_item(subject: Subject, steps: list[str], text: str) -> str:
    """An item of a list with its name and, in brackets, what is to be stated of it."""
    if "name" not in subject.facts:
        raise EditRefused(f"{subject.path} has no name by which a design could say more about it")
    for step in reversed(steps[1:]):
        text = f"{{{_pair(step, text)}}}"
    return f"{{name: {value_text(_quote(subject.name), None, flow=True)}, {_pair(steps[0], text)}}}"


def _from_top(path: str, beside: Path) -> Path:
    """A path from the top of a design; of several parts, the one that holds what is beside it."""
    steps: Path = ()
    for step in path.strip("/").split("/"):
        steps += (beside[len(steps)] if step == EACH and steps == beside[: len(steps)] else step,)
    return steps


def has_comment(node: Node) -> bool:
    """Whether a comment stands behind a value on its line."""
    return COMMENT.match(node.document.text, node.end) is not None


def _beside_model(node: Node, key: object, value: str) -> str:
    """The name of a catalogue entry as a mapping, with a word beside it."""
    entry = node.document.text[node.start : node.end]
    return f"{{model: {entry}, {_pair(str(key), value_text(value, None, flow=True))}}}"


def _pair(key: str, text: str) -> str:
    return f"{key_text(key, flow=True)}: {text}"


def _quote(name: str) -> str:
    return name if name.isidentifier() or name.replace("-", "a").isidentifier() else "'" + name.replace("'", "''") + "'"


def _nearest_stated(subject: Subject) -> tuple[Subject, Path]:
    """The nearest subject that a file states, and the parts that lead from it."""
    steps: list[str] = []
    while subject.node is None and subject.owner is not None:
        steps.insert(0, subject.path.rpartition("/")[2])
        subject = subject.owner
    return subject, tuple(steps)


def _node(subject: Subject) -> Node:
    if subject.node is None:
        raise EditRefused("no file states it")
    return subject.node


def _listing(paths: tuple[Path, ...]) -> str:
    return ", ".join(map(spell, paths))
