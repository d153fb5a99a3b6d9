"""What importers are made of: foreign text with the fate of every line, values with their places, what stays unknown."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from msgspec import Struct, field

from designlint.language.values import spell_value
from designlint.reading import Document
from designlint.reading.location import LINE_END

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from designlint.reading import Node

#: A part of a design before it is a tree: words with values, parts and lists of them.
Words: TypeAlias = "dict[str, Value | Words | list[Words] | list[Value]]"


class How(StrEnum):
    """How sure a value is: it stands there, a tool fills it in, it was computed from what stands there, or measured."""

    STATED = "stated"
    DEFAULT = "default"
    DERIVED = "derived"
    MEASURED = "measured"


class Fate(IntEnum):
    """What became of a line; of several values in one line the highest counts."""

    IMMATERIAL = 1
    UNDERSTOOD = 2
    UNCLEAR = 3


class ImportRefusal(Exception):  # noqa: N818  a file is refused, nothing went wrong
    """A file that is not read at all: one sentence, the line it is about, and what to do about it."""

    def __init__(self, why: str, line: int = 1, remedy: str = "") -> None:
        super().__init__(why)
        self.why, self.line, self.remedy = why, line, remedy


class Source:
    """
    A foreign file as read.

    Attributes:
        file: its name as messages print it.
        path: where it lies, links followed.
        open_lines: whether a line without a mark is not understood (line formats), or without meaning (structured ones).
        comment: what starts a line that only people read.
        counted: its reader has accounted for every line, so that values need not mark theirs.
        keyed: keys of it were asked for, and those that nobody asked for are not accounted for yet.
    """

    def __init__(self, file: str, text: str, path: Path) -> None:
        self.file, self.path, self.text = file, path, text
        self.document = Document(file, text)
        self.open_lines, self.comment, self.counted, self.keyed = True, "#", False, False
        self.marks: dict[int, Fate] = {}
        self.cache: dict[str, Any] = {}

    def line_of(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return self.document.place(offset, offset)[0]

    def mark(self, start: int, end: int, fate: Fate) -> None:
        """Note what became of the lines of a stretch."""
        first, _, last, column = self.document.place(start, max(start, end))
        for line in range(first, last + (column > 1 or last == first)):
            if self.marks.get(line, 0) < fate:
                self.marks[line] = fate

    def value(self, text: object, start: int, end: int, how: How = How.STATED, note: str = "") -> Value:
        """A value that stands in this file; its lines are understood."""
        self.mark(start, end, Fate.UNDERSTOOD)
        return Value(spell_value(text), self, start, end, how, note)

    def spans(self) -> Iterator[tuple[int, int]]:
        """Start and end of every line, its line end left out."""
        text, start = self.text, 0
        if "\r" in text:
            for found in LINE_END.finditer(text):
                yield start, found.start()
                start = found.end()
        else:
            while (end := text.find("\n", start)) >= 0:
                yield start, end
                start = end + 1
        if start < len(text):
            yield start, len(text)

    def lines(self) -> Iterator[tuple[int, int, str]]:
        """Start, end and text of every line."""
        return ((start, end, self.text[start:end]) for start, end in self.spans())

    def account(self) -> Account:
        """How many lines met which fate."""
        counts, unclear, number = dict.fromkeys(Fate, 0), [], 0
        for number, (_, _, text) in enumerate(self.lines(), 1):
            fate = self.marks.get(number)
            if fate is None:
                bare = text.strip()
                silent = not self.open_lines or not bare or bare.startswith(self.comment)
                fate = Fate.IMMATERIAL if silent else Fate.UNCLEAR
            counts[fate] += 1
            if fate is Fate.UNCLEAR:
                unclear.append(number)
        return Account(self.file, number, counts[Fate.UNDERSTOOD], counts[Fate.IMMATERIAL], tuple(unclear))


class Account(NamedTuple):
    """How many lines of a file were understood, do not matter, and were not understood (by number)."""

    file: str
    lines: int
    understood: int
    immaterial: int
    unclear: tuple[int, ...]

    @property
    def partial(self) -> bool:
        """Whether something was not understood."""
        return bool(self.unclear)


class Value(NamedTuple):
    """
    A value of a design, as its language spells it, with the place that it comes from.

    Attributes:
        note: of a default, the tool with its version; of a derived value, how it follows.
        literal: a text, whatever it looks like.
        catalog: class of the catalogue that the text must name an entry of.
    """

    text: str
    source: Source
    start: int
    end: int
    how: How = How.STATED
    note: str = ""
    literal: bool = False
    catalog: str = ""

    def but(self, text: object, note: str = "", how: How | None = None) -> Value:
        """What follows from this value: another text at the same place, derived unless said otherwise."""
        kind = how or (How.DERIVED if self.how is How.STATED and note else self.how)
        return Value(spell_value(text), self.source, self.start, self.end, kind, note or self.note)

    def as_text(self) -> Value:
        """The same as a text."""
        return Value(self.text, self.source, self.start, self.end, self.how, self.note, True, self.catalog)

    def of(self, catalog: str) -> Value:
        """The same as the name of a catalogue entry, which is unknown where the catalogue has none."""
        return self._replace(literal=True, catalog=catalog)

    @property
    def number(self) -> int | float | None:
        """The value as a number; None where it is none."""
        return number(self.text)

    @property
    def place(self) -> str:
        """Name of the file and line, for messages."""
        return f"{PurePath(self.source.file).name}:{self.line}"

    @property
    def line(self) -> int:
        """The line where it stands."""
        return self.source.line_of(self.start)


class UnknownWord(NamedTuple):
    """A word that stays unknown: which, why, and what would find out."""

    word: str
    why: str
    command: str
    at: Value


class Fact(NamedTuple):
    """What a file states that the design language has no word for."""

    name: str
    value: Value


class Clash(NamedTuple):
    """A fault of what was read: the rule, the value it stands at, and what the rule's message names."""

    rule: str
    at: Value
    values: dict[str, Any]


class Fragment(Struct):
    """The part of a design that files of one format give."""

    words: Words = field(default_factory=dict)
    unknowns: list[UnknownWord] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    clashes: list[Clash] = field(default_factory=list)

    def unknown(self, word: str, why: str, command: str, at: Value) -> None:
        """Note a word that the file leaves open."""
        self.unknowns.append(UnknownWord(word, why, command, at))

    def fact(self, name: str, value: Value | None) -> None:
        """Note a value without a word."""
        if value is not None:
            self.facts.append(Fact(name, value))

    def clash(self, rule: str, at: Value, **values: Any) -> None:
        """Note a fault of the files themselves, once: a part that an alias repeats is one place."""
        one = Clash(rule, at, values)
        if one not in self.clashes:
            self.clashes.append(one)

    def part(self, section: str, words: Words) -> None:
        """Put a part at the end of a list of the design."""
        listed: Any = self.words.setdefault(section, [])
        listed.append(words)

    def add(self, other: Fragment) -> None:
        """Take over what another one says, its lists of parts after those that are there."""
        for section, parts in other.words.items():
            known: Any = self.words.setdefault(section, [])
            known += parts
        self.unknowns += other.unknowns
        self.facts += other.facts
        self.clashes += other.clashes


class Context(Struct, frozen=True):
    """
    What an importer may know besides its file.

    Attributes:
        boundary: the folder that no path may leave.
        settings: what `--set` gives, as variables of scripts or words.
        catalogued: the name of a catalogue entry by class and spelling, or None.
        opened: reads another file of the repository, or tells why not.
        units: files that were read besides those named, in order.
    """

    boundary: Path
    settings: Mapping[str, str]
    catalogued: Callable[[str, str], str | None]
    opened: Callable[[Source, str], Source | str]


def put(words: Words, path: str, value: Value | list[Words] | list[Value] | None) -> None:
    """Set a value at a path of words, unless it is None; parts on the way are made."""
    if value is None:
        return
    *parts, last = path.split("/")
    here: Any = words
    for part in parts:
        here = here.setdefault(part, {})
    here[last] = value


def number(text: str) -> int | float | None:
    """The number that a text is, underscores and exponents understood; None where it is none."""
    bare = text.strip().replace("_", "")
    if not bare or bare[0] not in "+-.0123456789" or len(bare) > 40:
        return None
    try:
        return int(bare)
    except ValueError:
        pass
    try:
        found = float(bare)
    except ValueError:
        return None
    if found != found or abs(found) == float("inf"):
        return None
    return int(found) if found.is_integer() and abs(found) < 1e15 else found


def whole(value: Value | None) -> int | None:
    """The whole number that a value is; None where it is none."""
    found = None if value is None else value.number
    return found if isinstance(found, int) else None


def of_node(source: Source, node: Node, how: How = How.STATED) -> Value:
    """The scalar of a structured file as a value."""
    return source.value(node.text, node.start, node.end, how)
