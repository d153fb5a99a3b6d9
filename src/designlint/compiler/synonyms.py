"""What people call words and values of the design language, as plain data, each checked against the vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.language import resources
from designlint.language.suggestions import fold_name
from designlint.reading import read_file
from designlint.reading.errors import AuthoringError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.language.vocabulary import Vocabulary
    from designlint.reading import Node


def compile_synonyms(vocabulary: Vocabulary) -> dict[str, Any]:
    """
    By another name: the words, each alone or as `Class/word`, and for each word with a set of values, the values.

    With them come the names of what nothing is judged by, which the language has no word for, and what people add to the
    name or the figure of a part although it says nothing more.

    Raises:
        AuthoringError: a word or value that the language does not have, or has although nothing is said to be judged by it.
    """
    path = resources.ontology("synonyms.yaml")
    top = read_file(path).root
    file = resources.display_path(path)
    if top is None or set(top.entries) != {"words", "values", "unjudged", "beside"}:
        raise AuthoringError("synonyms are a mapping of `words`, `values`, `unjudged` and `beside`", file=file, line=1)
    words: dict[str, list[str]] = {}
    known = {word for entries in vocabulary.classes.values() for word, one in entries.items() if one.written}
    for word, node in top.entries["words"].entries.items():
        owner, _, name = word.rpartition("/")
        if name not in (vocabulary.classes.get(owner, {}) if owner else known):
            raise _error(f"the language has no word `{word}`", node, file)
        for alias in _texts(node):
            words.setdefault(fold_name(alias), []).append(word)
    values: dict[str, dict[str, str]] = {}
    for place, node in top.entries["values"].entries.items():
        owner, _, name = place.rpartition("/")
        word_entry = vocabulary.classes.get(owner, {}).get(name)
        if word_entry is None or word_entry.allowed is None:
            raise _error(f"`{place}` is no word with a set of values", node, file)
        for value, aliases in node.entries.items():
            if value not in word_entry.allowed:
                raise _error(f"`{place}` has no value `{value}`", aliases, file)
            values.setdefault(place, {}).update(dict.fromkeys(map(fold_name, _texts(aliases)), value))
    for node in top.entries["unjudged"].items:
        if node.text in known or node.text in words:
            raise _error(f"`{node.text}` is a word of the language, or another name of one", node, file)
    return {"words": words, "values": values, **{one: list(_texts(top.entries[one])) for one in ("unjudged", "beside")}}


def _texts(node: Node) -> Iterator[str]:
    return (item.text for item in node.items)


def _error(message: str, node: Node, file: str) -> AuthoringError:
    return AuthoringError(message, file=file, line=node.document.place(max(node.key_start, 0), node.end)[0])
