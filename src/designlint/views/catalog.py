"""The parts and models that a design can name, with their figures and sources."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.configuration import engine
from designlint.language.reference import display_figure
from designlint.language.values import nearest
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.language.vocabulary import Vocabulary

#: What is computed of a published model.
COMPUTED = ("parameters", "active_parameters")
#: Entries that are shown whole where a search finds no more than these.
FEW = 2
#: Characters of a figure's value on one line.
WIDEST = 40


class CatalogEntry(NamedTuple):
    """One entry of the catalogue, with the class that it is of and its other spellings."""

    kind: str
    name: str
    label: str
    spellings: tuple[str, ...]
    note: str
    figures: dict[str, Any]
    sources: dict[str, list[str]]

    def matches(self, words: Sequence[str]) -> bool:
        """Whether every word stands in its class, names, label or note."""
        text = " ".join((self.kind, self.name, self.label, *self.spellings, self.note)).lower()
        return all(word.lower() in text for word in words)


def text(words: Sequence[str]) -> str:
    """The entries that words name or match; whole where they are few. Raises UsageError where there is none."""
    found = _matches(words)
    if words and len(found) <= FEW:
        vocabulary = engine.shipped_engine().vocabulary
        return "\n\n".join(_whole(one, vocabulary) for one in found)
    return _list(found)


def data(words: Sequence[str]) -> list[dict[str, Any]]:
    """The same as data. Raises UsageError."""
    return [_plain(one, engine.shipped_engine().vocabulary) for one in _matches(words)]


def _matches(words: Sequence[str]) -> list[CatalogEntry]:
    vocabulary = engine.shipped_engine().vocabulary
    found = _find_entries(_entries(vocabulary), words)
    if not found:
        near = nearest(" ".join(words), sorted({one for kind in vocabulary.aliases.values() for one in kind}))
        proposal = f"; near it: {', '.join(near)}" if near else ""
        raise UsageError(f"nothing in the catalogue matches {' '.join(words)}{proposal}")
    return found


def _entries(vocabulary: Vocabulary) -> list[CatalogEntry]:
    return [
        CatalogEntry(kind, name, one["label"], _spellings(vocabulary, kind, name), note, one["figures"], one["sources"])
        for kind, entries in sorted(vocabulary.catalog.items())
        for name, one in sorted(entries.items())
        for note in [vocabulary.notes.get(kind, {}).get(name, "")]
    ]


def _spellings(vocabulary: Vocabulary, kind: str, name: str) -> tuple[str, ...]:
    return tuple(one for one, meant in vocabulary.aliases[kind].items() if meant == name and one != name)


def _find_entries(entries: list[CatalogEntry], words: Sequence[str]) -> list[CatalogEntry]:
    """What the words name; where they name nothing, what they match."""
    named = [one for one in entries if " ".join(words).lower() in (one.name, *one.spellings)]
    return named or [one for one in entries if one.matches(words)]


def _list(entries: list[CatalogEntry]) -> str:
    widest = max(len(one.name) for one in entries)
    lines: list[str] = []
    for kind in dict.fromkeys(one.kind for one in entries):
        lines += ["", kind] if lines else [kind]
        lines += [f"  {one.name:{widest}}  {one.label}{_also(one)}" for one in entries if one.kind == kind]
    return "\n".join(lines)


def _also(entry: CatalogEntry) -> str:
    return f" (also {', '.join(entry.spellings)})" if entry.spellings else ""


def _whole(entry: CatalogEntry, vocabulary: Vocabulary) -> str:
    """One entry with its figures, and the documents that they were read in."""
    from designlint.compiler.sources import bibliography

    cited = bibliography()
    words = vocabulary.classes[entry.kind]
    rows = [
        (word, display_figure(vocabulary, words[word], value), ", ".join(entry.sources[word]))
        for word, value in entry.figures.items()
    ]
    rows += [(word, text, "computed") for word, (_, text) in _computed_facts(entry).items()]
    head = [f"{entry.name}  {entry.label}", f"{entry.kind}{_also(entry)}", *filter(None, [entry.note]), ""]
    sources = [
        f"  {key}: {cited[key].title}. {cited[key].creator}. {cited[key].identifier}"
        for key in dict.fromkeys(source for source, _ in entry.sources.values())
    ]
    return "\n".join([*head, *_table(rows), "", *sources])


def _table(rows: list[tuple[str, str, str]]) -> list[str]:
    """Words, values and origins in columns; a long value goes on below its first line."""
    words, texts = (max(len(row[column]) for row in rows) for column in (0, 1))
    texts = min(WIDEST, texts)
    lines = []
    for word, text, origin in rows:
        first, *others = wrap(text, texts) or [""]
        lines.append(f"  {word:{words}}  {first:{texts}}  {origin}")
        lines += [f"  {'':{words}}  {one}" for one in others]
    return lines


def _computed_facts(entry: CatalogEntry) -> dict[str, tuple[Any, str]]:
    """What follows from the architecture of a model: value and text by word; nothing for other parts."""
    if entry.kind != "Model":
        return {}
    from designlint.design.design import read_design
    from designlint.reading import read_bytes

    design = f"designlint: 1\nworkloads: [{{name: it, model: {entry.name}}}]\n"
    shipped = engine.shipped_engine()
    facts = read_design(read_bytes(design.encode(), entry.name), shipped).graph.subjects["workloads/it/model"].facts
    words = shipped.vocabulary.classes["Model"]
    found = {word: facts[word] for word in COMPUTED if word in facts and word not in entry.figures}
    return {word: (value, display_figure(shipped.vocabulary, words[word], value)) for word, value in found.items()}


def _plain(entry: CatalogEntry, vocabulary: Vocabulary) -> dict[str, Any]:
    """One entry as JSON: each figure in its canonical unit and as text, with source and confidence."""
    words = vocabulary.classes[entry.kind]
    figures = {
        word: {
            "value": value,
            "unit": vocabulary.units.symbol(words[word].kind),
            "text": display_figure(vocabulary, words[word], value),
            "source": entry.sources[word][0],
            "confidence": entry.sources[word][1],
        }
        for word, value in entry.figures.items()
    }
    told = {"class": entry.kind, "name": entry.name, "label": entry.label, "aliases": list(entry.spellings)}
    computed = {word: {"value": value, "text": text} for word, (value, text) in _computed_facts(entry).items()}
    return {**told, "note": entry.note, "figures": figures, **({"computed": computed} if computed else {})}
