"""Writes what was imported as a design that people can own: YAML, each value with a comment that says where it comes from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from designlint.importers.base import How, Value
from designlint.reading.tree import resolve
from designlint.reading.values import quote_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.base import Fact, UnknownWord, Words
    from designlint.importers.reader import Imported

#: Words that readers of YAML 1.1 take for true or false.
OLD_WORDS = frozenset(
    form for word in ("y", "n", "yes", "no", "on", "off") for form in (word, word.capitalize(), word.upper())
)
PLAIN = re.compile(r"[A-Za-z0-9_./~][A-Za-z0-9_./@+~ -]*\Z")
#: Mappings that stand on one line: each item of a wiring.
SHORT = frozenset(("links", "host_links", "switches"))
#: Facts that are written out; a script may export a hundred variables.
MOST_FACTS = 200


def text(found: Imported, version: str) -> str:
    """The design, with what stays unknown beside the part that it belongs to."""
    files = ", ".join(map(_one_line, found.formats)) or "nothing"
    lines = [
        f"# Imported by designlint {version} from {files}.",
        "# Each comment says where the value comes from; it is stated there unless marked `default`, `derived` or `measured`.",
        "designlint: 1",
    ]
    left = list(found.unknowns)
    for word, part in found.words.items():
        lines += _entry(word, part, 0, word, left)
    if left:
        lines += ["", "# Unknown:", *(f"# - {_unknown(one)}" for one in left)]
    held = _held_parts(found.words, "")
    facts = [one for one in found.facts if one.name not in held and _spot(one.value) not in held]
    if facts:
        lines += ["", "# Read, but the design language has no words for these:", *_facts(facts)]
    return "\n".join(lines) + "\n"


def _held_parts(part: Any, path: str) -> set[object]:
    """The words that are written, by their path, and the values, by place and text."""
    if isinstance(part, Value):
        return {path, _spot(part)}
    if isinstance(part, dict):
        return {one for word, inner in part.items() for one in _held_parts(inner, f"{path}/{word}".lstrip("/"))}
    found: set[object] = set()
    for number, one in enumerate(part):
        name = one.get("name") if isinstance(one, dict) else None
        found |= _held_parts(one, f"{path}/{name.text if isinstance(name, Value) else number}")
    return found


def _spot(value: Value) -> tuple[int, int, int, str]:
    return id(value.source), value.start, value.end, value.text


def _facts(facts: list[Fact]) -> Iterator[str]:
    for one in facts[:MOST_FACTS]:
        yield f"# - {_one_line(one.name)}: {_one_line(one.value.text)}  ({_place(one.value)})"
    if len(facts) > MOST_FACTS:
        yield f"# and {len(facts) - MOST_FACTS} more"


def _entry(word: str, part: Any, depth: int, path: str, left: list[UnknownWord]) -> Iterator[str]:
    indent = "  " * depth
    if isinstance(part, Value):
        yield f"{indent}{word}: {scalar(part)}  # {_place(part)}"
    elif isinstance(part, dict):
        yield f"{indent}{word}:"
        yield from _map(part, depth + 1, path, left)
    elif part and isinstance(part[0], Value):
        yield f"{indent}{word}: [{', '.join(scalar(one, flow=True) for one in part)}]  # {_place(part[0])}"
    elif part:
        yield f"{indent}{word}:"
        for number, one in enumerate(part):
            name = one.get("name")
            here = f"{path}/{name.text if isinstance(name, Value) else number}"
            yield from _item(word, one, depth + 1, here, left)


def _map(words: Words, depth: int, path: str, left: list[UnknownWord]) -> Iterator[str]:
    for word, part in words.items():
        yield from _entry(word, part, depth, f"{path}/{word}", left)
    for one in [one for one in left if one.word.rpartition("/")[0] == path or one.word == path]:
        left.remove(one)
        yield f"{'  ' * depth}# {_unknown(one)}"


def _item(word: str, one: Words, depth: int, path: str, left: list[UnknownWord]) -> Iterator[str]:
    indent = "  " * depth
    if word in SHORT:
        inside = ", ".join(f"{key}: {_inline(value)}" for key, value in one.items() if not isinstance(value, dict))
        first = next((value for value in one.values() if isinstance(value, Value)), None)
        yield f"{indent}- {{{inside}}}" + (f"  # {_place(first)}" if first is not None else "")
        return
    lines = list(_map(one, depth + 1, path, left))
    if lines:
        yield f"{indent}- {lines[0].lstrip()}"
        yield from lines[1:]


def _inline(part: Any) -> str:
    """A value, or a list of values, within braces."""
    return f"[{', '.join(map(_inline, part))}]" if isinstance(part, list) else scalar(part, flow=True)


def scalar(value: Value, *, flow: bool = False) -> str:
    """The text as YAML that reads as the same value."""
    bare = value.text
    if value.literal:
        safe = PLAIN.match(bare) and isinstance(resolve(bare), str) and bare not in OLD_WORDS and not bare.endswith(" ")
        return bare if safe else quote_text(bare, '"')
    if flow and "," in bare:
        return quote_text(bare, '"')
    return bare if PLAIN.match(bare) or re.fullmatch(r"-?[\d.]+(?: \S+)?", bare) else quote_text(bare, '"')


def _place(value: Value) -> str:
    place = f"{_one_line(value.source.file)}:{value.line}" if value.end > value.start else _one_line(value.source.file)
    how = "" if value.how is How.STATED else f", {value.how}"
    note = f": {_one_line(value.note)}" if value.note else ""
    if value.how is How.DEFAULT and value.text not in value.source.text[value.start : value.end]:
        return f"default of {_one_line(value.note)}, not stated in {place}"
    return f"{place}{how}{note}"


def _unknown(one: UnknownWord) -> str:
    place = f"{_one_line(one.at.source.file)}:{one.at.line}"
    find = f"; to find out: {_one_line(one.command)}" if one.command else ""
    return f"{one.word.rpartition('/')[2]}: unknown: {_one_line(one.why)} ({place}{find})"


def _one_line(text: str) -> str:
    """The text for a comment: printable, on one line, short."""
    flat = " ".join("".join(letter if letter.isprintable() else " " for letter in text[:400]).split())
    return flat if len(flat) <= 160 else flat[:159] + "…"
