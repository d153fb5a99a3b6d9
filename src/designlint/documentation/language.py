"""The pages of the design language and of the catalogue, in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.language.reference import figures, holds
from designlint.reporters.shared import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word


def vocabulary_page(vocabulary: Vocabulary) -> str:
    """What a design is, its sections, and the classes that none of them holds."""
    words = list(sections(vocabulary))
    head = (
        "# The design language\n\nA design is one YAML mapping, the class `Design`. "
        "Every word has one meaning and one unit wherever it appears. Each section has a page of its own.\n"
    )
    table = tables.markdown(("section", "holds"), [(f"[{word.name}]({word.name}.md)", word.comment) for word in words])
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
    written = [(f"`{word.name}`", holds(word), word.comment, _code(word.example)) for word in words if word.written]
    yield from tables.markdown(("word", "holds", "meaning", "example"), written)
    computed = [word for word in words if not word.written]
    if computed:
        yield "\nComputed, never written:\n"
        units = vocabulary.units
        rows = [(f"`{word.name}`", units.symbol(word.kind) or word.kind, word.comment) for word in computed]
        yield from tables.markdown(("word", "unit", "meaning"), rows)
    yield ""


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
