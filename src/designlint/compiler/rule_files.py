"""Where rules stand: each in a file of its own, or, where it only asks for a flag, as a row of its topic's checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.language import resources
from designlint.reading import Node, read_file
from designlint.reading.errors import AuthoringError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from designlint.reading import Document

#: The file of a topic whose rows are rules.
CHECKLIST = "checklist.yaml"
#: What a row says instead of a judgement, and what its examples show.
WORD, EXPECTED, WHY = "word", "expected", "why"
#: The judgement of a row by what it expects of its word.
JUDGEMENTS = {"true": "?{}", "false": "!?{}"}


class RuleSource(Struct, frozen=True):
    """
    One rule as it is written.

    Attributes:
        id: topic and fault.
        path: the file that it stands in.
        document: that file, read.
        keys: what the rule says, by key; the judgement of a row is made from its word.
        line: where it begins.
        row: for a row of a checklist its word, what it expects of it, and what its examples show, by their kind.
    """

    id: str
    path: Path
    document: Document
    keys: dict[str, Node]
    line: int = 1
    row: ChecklistRow | None = None

    @property
    def file(self) -> str:
        """Its file as messages name it."""
        return resources.display_path(self.path)

    def error(self, message: str, node: Node | None = None) -> AuthoringError:
        """An error of its author, at a key or where the rule begins."""
        return AuthoringError(message, file=self.file, line=self.line if node is None else _line(self.document, node))


class ChecklistRow(Struct, frozen=True):
    """What a row of a checklist asks: a word, what is expected of it, and what its examples show."""

    word: Node
    expected: bool
    why: dict[str, str] = field(default_factory=dict)


def in_folder(folder: Path) -> Iterator[RuleSource]:
    """All rules below a folder. Raises AuthoringError with file and line; UsageError where there is no folder."""
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder of rules")
    for path in resources.files(folder, ".yaml"):
        yield from _in_file(path, folder)


def find_rule(name: str, folder: Path) -> RuleSource:
    """The rule of this id below a folder. Raises KeyError where there is none."""
    own = folder / f"{name}.yaml"
    path = own if own.is_file() else own.with_name(CHECKLIST)
    return {source.id: source for source in _in_file(path, folder)}[name]


def _in_file(path: Path, folder: Path) -> Iterator[RuleSource]:
    document = read_file(path)
    for problem in document.problems:
        line = document.place(problem.start, problem.end)[0]
        raise AuthoringError(f"{problem.rule}: {problem.values}", file=resources.display_path(path), line=line)
    if document.root is None or document.root.kind != "map":
        raise AuthoringError("a rule is a mapping", file=resources.display_path(path), line=1)
    place = path.relative_to(folder)
    if path.name == CHECKLIST:
        yield from _rows(path, place.parent.as_posix(), document, document.root)
    else:
        yield RuleSource(place.with_suffix("").as_posix(), path, document, document.root.entries)


def _rows(path: Path, topic: str, document: Document, top: Node) -> Iterator[RuleSource]:
    if set(top.entries) != {"defaults", "rules"} or {one.kind for one in top.entries.values()} != {"map"}:
        raise AuthoringError(
            "a checklist has `defaults`, a mapping, and `rules`, a mapping of rows",
            file=resources.display_path(path),
            line=1,
        )
    for fault, node in top.entries["rules"].entries.items():
        keys = top.entries["defaults"].entries | node.entries
        source = RuleSource(f"{topic}/{fault}", path, document, keys, _line(document, node))
        yield _judging(source)


def _judging(source: RuleSource) -> RuleSource:
    """The row as a rule: with the judgement that its word makes."""
    keys = dict(source.keys)
    for key in (WORD, EXPECTED):
        if key not in keys or keys[key].kind != "scalar":
            raise source.error(f"a row of a checklist must state `{key}`", keys.get(key))
    word, expected, why = keys.pop(WORD), keys.pop(EXPECTED), keys.pop(WHY, None)
    if "judge" in keys:
        raise source.error("a row of a checklist is judged by its word; a rule with `judge` has a file", keys["judge"])
    if expected.text not in JUDGEMENTS:
        raise source.error("a row of a checklist expects true or false", expected)
    shown = {kind: one.text for kind, one in why.entries.items()} if why is not None else {}
    keys["judge"] = _scalar(word, JUDGEMENTS[expected.text].format(word.text))
    row = ChecklistRow(word, expected.text == "true", shown)
    return RuleSource(source.id, source.path, source.document, keys, source.line, row)


def _scalar(at: Node, text: str) -> Node:
    """A text that stands where another one does."""
    node = Node(at.document, "scalar", at.start, at.end, outer=at.outer, text=text)
    node.key_start, node.key_end = at.key_start, at.key_end
    return node


def _line(document: Document, node: Node) -> int:
    return document.place(max(node.key_start, 0) or node.start, node.end)[0]
