"""The reference of the design language and of the catalogue, in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word

#: How a form of a word reads in the column «holds».
HOLDS = {
    "part": "{kind} (mapping)",
    "parts": "list of {kind}",
    "name": "name of a {kind}",
    "names": "names of {kind}",
    "catalog": "catalogue name of a {kind}",
    "values": "list of {kind}",
}


def vocabulary_page(vocabulary: Vocabulary) -> str:
    """What a design is, its sections, and the classes that none of them holds."""
    words = list(sections(vocabulary))
    head = (
        "# The design language\n\nA design is one YAML mapping, the class `Design`. "
        "Every word has one meaning and one unit wherever it appears. Each section has a page of its own.\n\n"
        "| section | holds |\n| --- | --- |"
    )
    table = [f"| [{word.name}]({word.name}.md) | {word.comment} |" for word in words]
    placed = {name for word in words for name in below(vocabulary, word.kind)} | {"Design"}
    others = sorted(set(vocabulary.classes) - placed)
    return "\n".join(
        [
            head,
            *table,
            "",
            *_class(vocabulary, "Design"),
            *(line for name in others for line in _class(vocabulary, name)),
        ]
    )


def sections(vocabulary: Vocabulary) -> Iterator[Word]:
    """The words of a design that hold its parts, in the order in which they are written."""
    return (word for word in vocabulary.classes["Design"].values() if word.written and word.form in ("part", "parts"))


def section_page(vocabulary: Vocabulary, section: Word, example: str) -> str:
    """
    A section of a design: how it is stated, and every class below it with its words.

    Args:
        example: how a design states it and what follows, in Markdown.
    """
    classes = (line for name in below(vocabulary, section.kind) for line in _class(vocabulary, name))
    return "\n".join([f"# {section.name}\n\n{section.comment}\n", example, *classes])


def below(vocabulary: Vocabulary, first: str) -> list[str]:
    """A class and those of its parts, from it downwards, each once."""
    found, waiting = list[str](), [first]
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found.append(name)
            words = vocabulary.classes[name].values()
            waiting[:0] = [word.kind for word in words if word.form in ("part", "parts")]
    return found


def _class(vocabulary: Vocabulary, name: str) -> Iterator[str]:
    words = list(vocabulary.classes[name].values())
    yield f"## {name}\n\n{vocabulary.comments[name]}\n"
    yield "| word | holds | meaning | example |\n| --- | --- | --- | --- |"
    yield from (
        f"| `{word.name}` | {holds(word)} | {word.comment} | {_code(word.example)} |" for word in words if word.written
    )
    computed = [word for word in words if not word.written]
    if computed:
        yield "\nComputed, never written:\n\n| word | unit | meaning |\n| --- | --- | --- |"
        yield from (
            f"| `{word.name}` | {vocabulary.units.symbol(word.kind) or word.kind} | {word.comment} |"
            for word in computed
        )
    yield ""


def holds(word: Word) -> str:
    """What a word holds, in a phrase."""
    told = HOLDS.get(word.form, "{kind}").format(kind=word.kind)
    if word.allowed is not None:
        told += ": " + ", ".join(f"`{one}`" for one in word.allowed) + (", or `{other: name}`" if word.open else "")
    return told


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def catalog_page(vocabulary: Vocabulary) -> str:
    """Every catalogue entry with its figures and their sources."""
    lines = [
        "# The catalogue\n\nFigures that a design inherits by naming a model; each can be overridden in the design.\n"
    ]
    for owner, entries in sorted(vocabulary.catalog.items()):
        lines.append(f"## {owner}\n")
        for name, entry in sorted(entries.items()):
            lines.append(f"### `{name}`\n\n{entry['label']}\n")
            lines += [f"- {line}" for line in figures(vocabulary, owner, entry)]
            lines.append("")
    return "\n".join(lines)


def figures(vocabulary: Vocabulary, owner: str, entry: dict[str, Any]) -> Iterator[str]:
    """The figures of a catalogue entry, a line each, with source and confidence."""
    for word, value in entry["figures"].items():
        source, confidence = entry["sources"][word]
        yield f"{word}: {shown(vocabulary, vocabulary.classes[owner][word], value)} ({source}, {confidence})"


def shown(vocabulary: Vocabulary, word: Word, value: object) -> str:
    """A figure as a person reads it, with its unit."""
    if isinstance(value, dict) and set(value) == {"model"}:
        return str(value["model"])
    if isinstance(value, dict):
        inner = vocabulary.classes[word.kind]
        return ", ".join(f"{name} {shown(vocabulary, inner[name], one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(shown(vocabulary, word, one) for one in value)
    if isinstance(value, int | float) and not isinstance(value, bool) and word.kind in vocabulary.units:
        return vocabulary.units.format(value, word.kind, digits=6)
    return str(value).lower() if isinstance(value, bool) else str(value)
