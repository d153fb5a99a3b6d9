"""Calculations that the vocabulary states by an equation: of each, a function is made like those of `derivations`."""

from __future__ import annotations

import ast
import re
from itertools import count
from typing import TYPE_CHECKING

from designlint.derivations.base import REGISTRY, Derivation, exact, lower, made_function, upper
from designlint.language import resources
from designlint.reading.errors import AuthoringError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word

    Places = Mapping[tuple[str, str], tuple[Path, int]]

#: A word of the vocabulary and its equation, on one line.
STATED = re.compile(r'sh:path :(\w+) ;.* :equals "([^"]*)"')
#: What an equation may be made of: words, numbers, and arithmetic on them.
PARTS = (ast.Name, ast.Load, ast.Constant, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Call)
FUNCTIONS = ("sum", "max", "min", "len")
KINDS = {"": exact, "lower": lower, "upper": upper}


def register_equations(vocabulary: Vocabulary) -> None:
    """Put every equation into the registry. Raises AuthoringError: one that is none, or of a word that has a function."""
    places = dict(_places())
    for owner, words in vocabulary.classes.items():
        for word in words.values():
            if word.equals and word.owner == owner:
                _register(word, vocabulary, places)


def _places() -> Iterator[tuple[tuple[str, str], tuple[Path, int]]]:
    for path in resources.files(resources.ontology("vocabulary"), ".ttl"):
        for number, line in zip(count(1), path.read_text("utf-8").splitlines()):
            yield from (((found[1], found[2]), (path, number)) for found in STATED.finditer(line))


def _register(word: Word, vocabulary: Vocabulary, places: Places) -> None:
    key = word.owner, word.name
    path, line = places.get((word.name, word.equals), (resources.ontology("vocabulary"), 0))
    other = REGISTRY.get(key)
    why = "" if other is None or other.text else "a function of its name calculates it as well"
    names = _names(word.equals)
    if names is None or word.bound not in KINDS:
        why = f"words, numbers, + - * / and {', '.join(FUNCTIONS)} make an equation; its bound is lower or upper"
    if names is None or why:
        raise AuthoringError(
            f"`{word.name}` of {word.owner} equals `{word.equals}`: {why}",
            file=resources.display_path(path),
            line=line or None,
        )
    parameters = ", ".join(f"{name}: {_type(word.owner, name, vocabulary)}" for name in names)
    text = f"def {word.name}({parameters}) -> {word.kind}: return {word.equals}"
    function = made_function(text, str(path), line)
    REGISTRY[key] = Derivation(word.owner, function, (), (), word.equals, KINDS[word.bound], text=text)


def _names(equation: str) -> list[str] | None:
    """The words of an equation in their order; None where it is none."""
    try:
        tree = ast.parse(equation, mode="eval").body
    except SyntaxError:
        return None
    nodes = list(ast.walk(tree))
    called = [one.func for one in nodes if isinstance(one, ast.Call)]
    if any(not isinstance(one, PARTS) for one in nodes):
        return None
    if any(not isinstance(one, ast.Name) or one.id not in FUNCTIONS for one in called):
        return None
    names = [one for one in nodes if isinstance(one, ast.Name) and one not in called]
    return list(dict.fromkeys(one.id for one in sorted(names, key=lambda one: one.col_offset)))


def _type(owner: str, name: str, vocabulary: Vocabulary) -> str:
    """What a word is as a parameter; nothing where it is unknown, which the plan says of every calculation."""
    try:
        path = vocabulary.path(owner, name)
    except LookupError:
        path = None
    if path is None:
        return "Count"
    end = vocabulary.word(owner, path)
    return f"tuple[{end.kind}, ...]" if end.many else end.kind
