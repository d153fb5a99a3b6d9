"""What a misspelt or misplaced word was most likely meant to be; nothing where the meaning could differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word

#: Slips of the finger that a name of so many letters may hold and still be recognised.
SLIPS = ((3, 0), (5, 1), (11, 2))
MOST_SLIPS = 3
#: The numbers of a name, each with the letter before it: what tells parts of one make from one another.
NUMBERS = re.compile(r"[a-z]?\d+")
#: Letters of a name that are compared: a hostile one is longer.
LONGEST = 60
#: A shorter form is taken for the longer one, or the longer for the shorter, from so many letters on.
STEM = 5
#: Where a word begins in a name that is written in camel case.
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
#: Stands for the name of a part in a path that leads to any of several.
EACH = "NAME"
#: Stands for the entry of a list that has no name.
NAMELESS = "-"
#: Levels of a design that are searched for the place of a word.
DEEPEST = 4


def fold_name(name: str) -> str:
    """A name without the differences that people do not see: case, hyphens, spaces."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def known_words(vocabulary: Vocabulary, owner: str, key: str) -> list[str]:
    """The words of a class that a key is another name of, or another form; several where people mean any of them by it."""
    words = [name for name, one in vocabulary.classes[owner].items() if one.written]
    named = next((name for name in _names(key) if name in words), None)
    also = [name for name in _also_called(vocabulary, owner, key) if name in words]
    return [named] if named else also or _other_number(key, words)[:1]


def is_of_one_class(vocabulary: Vocabulary, key: str) -> bool:
    """Whether a key is another name of words of some classes alone, not of a word wherever that stands."""
    places = _synonyms(vocabulary, key)
    return bool(places) and all("/" in one for one in places)


def respelled_word(vocabulary: Vocabulary, owner: str, key: str) -> str | None:
    """The word of a class that a key differs from by a few slips of the finger."""
    return respell_name(key, [name for name, one in vocabulary.classes[owner].items() if one.written])


def correct_word(vocabulary: Vocabulary, key: str) -> str | None:
    """The one word or other name of a word, of whatever part, that a key was most likely meant to be."""
    sought = fold_name(key)[:LONGEST]
    written = {name for words in vocabulary.classes.values() for name, one in words.items() if one.written}
    # Few slip at the first letter, and comparing with every name takes long.
    names = [one for one in written.union(vocabulary.synonyms["words"]) if one[0] == sought[:1]]
    found = respell_name(sought, names)
    return found if found and len(sought) >= STEM and distance(sought, found, 1) == 1 else None


def _names(key: str) -> tuple[str, str]:
    """A key as words are written, also where it is in camel case."""
    return fold_name(key), fold_name(CAMEL.sub("_", key))


def _other_number(key: str, words: Sequence[str]) -> list[str]:
    """The words that are the singular or plural of a key."""
    return [word for word in words if {singular(name) for name in _names(key)} & {singular(word)}]


def singular(name: str) -> str:
    """A word for one of what a word names several of."""
    return name[:-3] + "y" if name.endswith("ies") else name.removesuffix("s")


def names_of(vocabulary: Vocabulary, owner: str, key: str) -> set[str]:
    """The names that a class may have a word by, of whatever form."""
    return {*_names(key), *_also_called(vocabulary, owner, key)}


def _also_called(vocabulary: Vocabulary, owner: str, key: str) -> list[str]:
    """The words that a class may hold under another name."""
    places = (place.rpartition("/") for place in _synonyms(vocabulary, key))
    return [name for cls, _, name in places if cls in ("", *vocabulary.is_a(owner))]


def _synonyms(vocabulary: Vocabulary, key: str) -> Sequence[str]:
    """What a key is another name of, also where it is written in camel case."""
    words: Mapping[str, Sequence[str]] = vocabulary.synonyms["words"]
    return next((words[name] for name in _names(key) if name in words), ())


def below(vocabulary: Vocabulary, owner: str, key: str) -> list[str]:
    """The nearest parts below a class to which a word may belong that the class itself does not have, as paths of words."""
    places = _synonyms(vocabulary, key)
    # A name that several parts use for words of their own, besides one of any part, says nothing about where it belongs.
    only = len(places) == 1 or is_of_one_class(vocabulary, key)
    general = {fold_name(key), *(place for place in places if "/" not in place)}
    level = [("", owner)]
    for _ in range(2):
        level = [
            (f"{path}/{part.name}".lstrip("/"), part.kind) for path, cls in level for part in vocabulary.parts(cls)
        ]
        found: list[str] = []
        for path, cls in level:
            names = general.union(_also_called(vocabulary, cls, key) if only else ())
            found += [
                f"{path}/{name}" for name, word in vocabulary.classes[cls].items() if word.written and name in names
            ]
        if found:
            return found
    return []


def anywhere(vocabulary: Vocabulary, key: str, holds: Callable[[Word], bool] = lambda _: True) -> str | None:
    """
    The one place in a design to which a word belongs, as a path from its top; None where there are several or none.

    Args:
        holds: whether a word can hold what the design states under the key.
    """
    synonyms = _synonyms(vocabulary, key)
    names = {fold_name(key)} | {one for one in synonyms if "/" not in one}
    found: dict[str, Word] = {}
    level = [("", "Design")]
    for _ in range(DEEPEST):
        inner: list[tuple[str, str]] = []
        for path, cls in level:
            for word in vocabulary.classes[cls].values():
                if word.written and (word.name in names or f"{cls}/{word.name}" in synonyms):
                    found[f"{path}{word.name}"] = word
                if word.form in ("part", "parts"):
                    inner.append((f"{path}{word.name}/{f'{EACH}/' if word.form == 'parts' else ''}", word.kind))
        level = inner
    if len(found) != 1:
        return None
    place, meant = found.popitem()
    return place if holds(meant) else None


def example_of(vocabulary: Vocabulary, cls: str) -> str:
    """A mapping of a class with one word, in YAML; empty where none of its words has an example."""
    words = [one for one in vocabulary.classes[cls].values() if one.written and one.scalar and one.example]
    words.sort(key=lambda one: one.name != "name")
    return f"{{{words[0].name}: {words[0].example}}}" if words else ""


def value_for(word: Word, text: str) -> str | None:
    """The value of a word's set that a text was most likely meant to be."""
    choices = [str(one) for one in word.allowed or ()]
    meant = word.synonyms.get(fold_name(text))
    shared = beginning_alike(word, text)
    return meant or respell_name(text, choices) or (shared[0] if len(shared) == 1 else None)


def taking(vocabulary: Vocabulary, owner: str, text: str) -> str | None:
    """The one word of a class that takes a text, or values that begin with it; a short text must be of no other word at all."""
    classes = vocabulary.classes
    own = [one.name for one in classes[owner].values() if one.written and _is_value(vocabulary, one, text)]
    if len(own) != 1:
        return None
    others = () if len(text) >= STEM else (one for words in classes.values() for one in words.values())
    return None if any(one.name != own[0] and _is_value(vocabulary, one, text) for one in others) else own[0]


def _is_value(vocabulary: Vocabulary, word: Word, text: str) -> bool:
    if vocabulary.names_part(word, text):
        return True
    sought = fold_name(text)
    values = map(fold_name, map(str, word.allowed or ()))
    return sought in word.synonyms or sought in values or bool(beginning_alike(word, text))


def respell_name(name: str, choices: Iterable[str]) -> str | None:
    """The one choice that differs from a name by case, hyphens or a few slips of the finger; None where two do alike."""
    sought = fold_name(name)[:LONGEST]
    allowed = next((slips for letters, slips in SLIPS if len(sought) <= letters), MOST_SLIPS)
    found: dict[int, list[str]] = {}
    for choice in choices:
        slips = distance(sought, fold_name(choice)[:LONGEST], allowed)
        if slips <= allowed and same_numbers(name, choice):
            found.setdefault(slips, []).append(choice)
    best = found[min(found)] if found else []
    return best[0] if len(best) == 1 else None


def same_numbers(name: str, other: str) -> bool:
    """Whether two names have the same numbers, but for a digit too many or too few: an A100 is no H100 misspelt."""
    first, second = (NUMBERS.findall(fold_name(one).replace("_", "")[:LONGEST]) for one in (name, other))
    return len(first) == len(second) and all(
        one == two or (len(one) != len(two) and distance(one, two, 1) == 1)
        for one, two in zip(first, second, strict=True)
    )


def beginning_alike(word: Word, text: str) -> list[str]:
    """The values of a word's set that begin with a text, or with which it begins and no number, a fact of its own, follows."""
    sought = fold_name(text)
    if len(sought) < STEM:
        return []
    named = ((one, fold_name(one)) for one in map(str, word.allowed or ()) if len(one) >= STEM)
    return [
        one
        for one, name in named
        if name.startswith(sought) or (sought.startswith(name) and not NUMBERS.search(sought, len(name)))
    ]


def distance(first: str, second: str, most: int) -> int:
    """How many letters are wrong, missing, superfluous or swapped with their neighbour; `most` + 1 where there are more."""
    if abs(len(first) - len(second)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(second) + 1))
    for at, letter in enumerate(first, 1):
        earlier, before, row = before, row, [at]
        for there, other in enumerate(second, 1):
            cost = min(before[there] + 1, row[there - 1] + 1, before[there - 1] + (letter != other))
            if at > 1 and there > 1 and letter == second[there - 2] and first[at - 2] == other:
                cost = min(cost, earlier[there - 2] + 1)
            row.append(cost)
    return min(row[-1], most + 1)
