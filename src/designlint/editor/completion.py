"""What can be written at a cursor: keys of the mapping, values of the word, names, catalogue entries, rules to waive."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from designlint.editor.cursor import comment_at, cursor_at
from designlint.editor.spots import parts
from designlint.editor.words import catalogue_class, entry, meaning
from designlint.language.quantities import BadQuantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from designlint.design.design import Design
    from designlint.editor.cursor import Cursor
    from designlint.language.words import Word
    from designlint.rules.engine import Engine

#: A waiver being written: the rules between its brackets.
WAIVER = re.compile(r"#\s*designlint:\s*ignore\[(?:[^\]]*,)?\s*([\w/-]*)$")
RULE = re.compile(r"[\w/-]*")


class CompletionProposal(NamedTuple):
    """
    One thing that could be written.

    Attributes:
        label: as it is listed, and `text` as it is written over the offsets `start` to `end`.
        kind: `key`, `value`, `entry`, `name` or `rule`.
        detail: in a phrase, and `told` in Markdown, what it is.
    """

    label: str
    text: str
    kind: str
    start: int
    end: int
    detail: str = ""
    told: str = ""


def proposals(text: str, offset: int, engine: Engine, last: Design | None) -> list[CompletionProposal]:
    """
    Everything that fits at an offset, the likeliest first.

    Args:
        last: the design as last read whole: it knows names that the text, or a base of it, has lost for the moment.
    """
    before = text[max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1 : offset]
    if comment_at(before):
        return list(_rules(text, before, offset, engine))
    cursor = cursor_at(text, offset, engine.vocabulary)
    if cursor is None:
        return []
    return list(_keys(cursor, engine) if cursor.word is None else _values(cursor, cursor.word, text, engine, last))


def _rules(text: str, before: str, offset: int, engine: Engine) -> Iterator[CompletionProposal]:
    waiver = WAIVER.search(before)
    after = RULE.match(text, offset)
    if waiver is None or after is None:
        return
    for rule in engine.rules.values():
        yield CompletionProposal(rule.id, rule.id, "rule", offset - len(waiver[1]), after.end(), rule.texts.title)


def _keys(cursor: Cursor, engine: Engine) -> Iterator[CompletionProposal]:
    """The words of the mapping that it does not state yet, those it must state first."""
    words = [word for word in engine.vocabulary.classes[cursor.owner].values() if word.written]
    item, colon = "- " if cursor.spot.bare else "", not cursor.named
    for word in sorted(words, key=lambda one: not one.required):
        if word.name not in cursor.stated:
            nested = word.form in ("part", "parts") and not catalogue_class(word, engine.vocabulary)
            text = f"{item}{word.name}{(':' if nested else ': ') if colon else ''}"
            told = meaning(word, cursor.owner, engine.vocabulary)
            yield CompletionProposal(word.name, text, "key", cursor.start, cursor.end, word.comment, told)


def _values(cursor: Cursor, word: Word, text: str, engine: Engine, last: Design | None) -> Iterator[CompletionProposal]:
    vocabulary, span = engine.vocabulary, (cursor.start, cursor.end)
    told = meaning(word, cursor.owner, vocabulary)
    if kind := catalogue_class(word, vocabulary):
        for name, one in sorted(vocabulary.catalog.get(kind, {}).items()):
            yield CompletionProposal(name, name, "entry", *span, one["label"], entry(kind, name, vocabulary))
    elif word.form in ("name", "names"):
        for name in _names(cursor, word, engine, last):
            yield CompletionProposal(name, name, "name", *span, word.kind)
    elif word.kind == "Principle":
        for name in vocabulary.principles:
            yield CompletionProposal(name, name, "value", *span)
    elif cursor.owner == "Waiver" and word.name in ("rule", "on"):
        yield from _waivable(word, span, engine, last)
    else:
        for one in dict.fromkeys(_literals(word, text[cursor.start : cursor.end], engine)):
            yield CompletionProposal(one, one, "value", *span, "", told)


def _waivable(word: Word, span: tuple[int, int], engine: Engine, last: Design | None) -> Iterator[CompletionProposal]:
    """The rules that a waiver may name, or the parts of the design that it may be for."""
    if word.name == "rule":
        for rule in engine.rules.values():
            yield CompletionProposal(rule.id, rule.id, "rule", *span, rule.texts.title)
        return
    for path, one in () if last is None else last.graph.subjects.items():
        if path and one.node is not None:
            yield CompletionProposal(path, path, "name", *span, one.cls)


def _literals(word: Word, written: str, engine: Engine) -> Iterable[str]:
    """The closed or usual values of a word; of a quantity, the number written so far with its unit, and the example."""
    if word.kind == "Flag":
        return ("true", "false")
    if word.allowed is not None:
        return map(str, word.allowed)
    if word.kind == "Date":
        return (engine.today,)
    if word.kind not in engine.vocabulary.units:
        return (word.example,) if word.example else ()
    read = engine.vocabulary.units.parse(written, word.kind, like=word.example or None) if written else None
    proposal = read.proposal if isinstance(read, BadQuantity) else None
    return filter(None, (proposal, word.example))


def _names(cursor: Cursor, word: Word, engine: Engine, last: Design | None) -> Iterable[str]:
    """The names of what a word may refer to, in the order of the design."""
    vocabulary = engine.vocabulary
    named = (
        one.entries["name"]
        for owner, one in parts(cursor.root, vocabulary)
        if word.kind in vocabulary.is_a(owner) and "name" in one.entries
    )
    here = {one.text: one.start for one in named if one.text}
    before = () if last is None else last.graph.by_class.get(word.kind, ())
    known = (str(one.facts["name"]) for one in before if "name" in one.facts)
    stated = {item.text for item in cursor.siblings}
    return [name for name in dict.fromkeys((*sorted(here, key=lambda one: here[one]), *known)) if name not in stated]
