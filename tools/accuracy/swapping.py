"""The ways to mistake what is no number in a design: each changes the text of one value."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from designlint.graph.subjects import Subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from designlint.judging.judge import Judged
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word
    from designlint.reading.tree import Node

#: Parts that say nothing of what is built.
ASIDE = {"Evidence", "Waiver"}
#: The kinds of swaps.
KINDS = ("value", "flag", "reference", "part", "entry", "section", "version", "date")
#: The first number of a version.
VERSION = re.compile(r"\d+(?=\.\d)")


class Swap(NamedTuple):
    """One change: its kind, the word, what it says in short, and the text of each node that it replaces, by identity."""

    kind: str
    word: str
    said: str
    texts: dict[int, str]


class Trial(NamedTuple):
    """A sound design as it is changed: its tree as text and judged."""

    name: str
    root: Node
    judged: Judged


def write_tree(node: Node, texts: dict[int, str]) -> str:
    """A tree as text, with other text for some of its nodes."""
    if id(node) in texts:
        return texts[id(node)]
    if node.kind == "map":
        return (
            "{" + ", ".join(f"{json.dumps(key)}: {write_tree(one, texts)}" for key, one in node.entries.items()) + "}"
        )
    if node.kind == "list":
        return _list_items(write_tree(one, texts) for one in node.items)
    return node.text or "null" if node.plain and not isinstance(node.scalar(), str) else json.dumps(node.text)


def _list_items(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def sections(trials: Sequence[Trial]) -> dict[tuple[str, str], dict[str, str]]:
    """By class and word the sections that designs state, by design."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for trial in trials:
        for subject, name, word, node in _stated_words(trial):
            if word.form in ("part", "parts") and node.kind != "scalar":
                found.setdefault((subject.cls, name), {}).setdefault(trial.name, write_tree(node, {}))
    return found


def _stated_words(trial: Trial) -> Iterator[tuple[Subject, str, Word, Node]]:
    """Every word that a design states, with its part."""
    design = trial.judged.design
    for subject in design.graph.subjects.values():
        if subject.cls not in ASIDE:
            words = design.engine.vocabulary.classes[subject.cls]
            for name, node in subject.keys.items():
                if name in words and words[name].kind not in ASIDE and name not in ("name", "designlint"):
                    yield subject, name, words[name], node


def swaps(trial: Trial, stated: dict[tuple[str, str], dict[str, str]]) -> Iterator[Swap]:
    """The ways to mistake what is no number."""
    vocabulary = trial.judged.design.engine.vocabulary
    seen: set[int] = set()
    for subject, name, word, node in _stated_words(trial):
        if id(node) in seen:  # `gpu: h100` is the model of the GPU as well
            continue
        seen.add(id(node))
        owner = f"{word.owner}/{name}"
        for kind, said, text in _wanted_swaps(subject, word, node, vocabulary):
            yield Swap(kind, owner, f"{subject.path or '.'}: {said}", {id(node): text})
        if node.kind == "list":
            for said, text in _entries(node):
                yield Swap("entry", owner, f"{subject.path or '.'}/{name} {said}", {id(node): text})
        if word.form in ("part", "parts") and node.kind != "scalar":
            for other, text in stated.get((subject.cls, name), {}).items():
                if other != trial.name and text != write_tree(node, {}):
                    yield Swap("section", owner, f"{subject.path or '.'}/{name} of {other}", {id(node): text})


def _entries(node: Node) -> Iterator[tuple[str, str]]:
    """A list with each of its entries removed or doubled; of a long one, the first and the last."""
    items = [write_tree(one, {}) for one in node.items]
    for number in range(len(items)) if len(items) <= 12 else (0, len(items) - 1):
        yield f"without {items[number][:30]}", _list_items(items[:number] + items[number + 1 :])
        yield f"twice {items[number][:30]}", _list_items([*items, items[number]])


def _wanted_swaps(subject: Subject, word: Word, node: Node, vocabulary: Vocabulary) -> Iterator[tuple[str, str, str]]:
    """The kind, the words and the text of each swap of one scalar, or of the scalars of one list."""
    if node.kind == "list" and word.form in ("names", "values"):
        items = [write_tree(one, {}) for one in node.items]
        for number, one in enumerate(node.items):
            for kind, text in _others(subject, word, one.text, vocabulary):
                if json.dumps(text) not in items:
                    new = [*items[:number], json.dumps(text), *items[number + 1 :]]
                    yield kind, f"{word.name} {one.text} -> {text}", _list_items(new)
    elif node.kind == "scalar":
        for kind, text in _others(subject, word, node.text, vocabulary):
            plain = kind in ("flag", "date") or (kind == "value" and word.kind != "Text")
            yield kind, f"{word.name} {node.text} -> {text}", text if plain else json.dumps(text)


def _others(subject: Subject, word: Word, text: str, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """What might stand there instead, with the kind of the swap."""
    if word.kind == "Flag":
        yield "flag", "false" if text == "true" else "true"
    elif word.allowed:
        yield from (("value", str(one)) for one in word.allowed if str(one) != text)
    elif word.form in ("name", "names"):
        yield from (("reference", one) for one in _part_names(subject, word.kind) if one != text)
    elif entries := _catalogue(subject, word, text, vocabulary):
        yield from (("part", one) for one in entries)
    elif word.kind == "Date":
        day = date.fromisoformat(text)
        yield from (("date", (day + timedelta(days=days)).isoformat()) for days in (-365, 365))
    elif word.kind == "Text" and (found := VERSION.search(text)):
        for step in (-1, 1):
            yield "version", f"{text[: found.start()]}{int(found[0]) + step}{text[found.end() :]}"


def _part_names(subject: Subject, kind: str) -> list[str]:
    """The names of all parts of a kind."""
    root = subject
    while root.owner is not None:
        root = root.owner
    return [one.name for one in _within(root) if kind in one.kinds and "name" in one.keys]


def _within(subject: Subject) -> Iterator[Subject]:
    """A part and all parts in it."""
    yield subject
    for fact in subject.facts.values():
        for one in fact if isinstance(fact, list) else (fact,):
            if isinstance(one, Subject) and one.owner is subject:
                yield from _within(one)


def _catalogue(subject: Subject, word: Word, text: str, vocabulary: Vocabulary) -> list[str]:
    """Other entries of the catalogue: the next ones by name, and some from all over it."""
    kind = word.owner if word.form == "catalog" else word.kind if word.form == "part" else ""
    for other in vocabulary.classes[subject.cls].values():
        if other.form == "looked-up" and other.path == (word.name,):
            kind = other.figure[0]
    if word.form == "catalog":
        kind = next((one for one in vocabulary.is_a(subject.cls) if one in vocabulary.catalog), kind)
    names = sorted(vocabulary.catalog.get(kind, ()))
    own = vocabulary.catalogue_name(kind, text)
    if own is None:
        return []
    at = names.index(own)
    step = max(1, len(names) // 4)
    return sorted({*names[max(at - 2, 0) : at + 3], *names[at % step :: step]} - {own})
