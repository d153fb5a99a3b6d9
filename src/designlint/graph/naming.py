"""What a name or word that does not fit was meant to be: for parts without a name of their own, and for unknown words."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from designlint.language import suggestions
from designlint.language.values import OTHER, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.findings.model import Problem
    from designlint.language.values import ValueFault
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word
    from designlint.reading.tree import Node

#: Keys that are listed where none is meant for sure.
MOST_KEYS = 12
#: Places to which a key may belong that a message names.
MOST_PLACES = 5
NAMELESS = ("shape/missing-name", "shape/duplicate-name")
#: Names that need no quotes in YAML.
PLAIN = r"[A-Za-z][\w.-]*"


def suggested(problems: Sequence[Problem]) -> list[Problem]:
    """The problems, with a `suggestion` for nameless parts: the one name that is sought, or the same with a number."""
    sought: dict[str, set[str]] = {}
    for one in problems:
        if one.rule == "shape/unknown-reference":
            sought.setdefault(one.values["cls"], set()).add(one.values["name"])
    lacking = Counter(one.values["cls"] for one in problems if one.rule in NAMELESS)
    taken: Counter[tuple[str, str]] = Counter()
    found: list[Problem] = []
    for one in problems:
        if one.rule in NAMELESS and one.values.get("word", "name") == "name":
            cls, name = one.values["cls"], one.values.get("name", "")
            names = sought.get(cls, set())
            taken[cls, name] += 1
            told = next(iter(names)) if len(names) == lacking[cls] == 1 else name and f"{name}-{taken[cls, name] + 1}"
            one = replace(one, values={**one.values, "suggestion": told if re.fullmatch(PLAIN, told) else ""})
        found.append(one)
    return found


def unknown_word(vocabulary: Vocabulary, cls: str, key: str, *, search: bool = True) -> dict[str, Any]:
    """What is said of a key that is no word of its class: the word it was meant to be, or the part where it belongs."""
    words = [name for name, one in vocabulary.classes[cls].items() if one.written]
    proposal = (suggestions.word_for(vocabulary, cls, key) or "") if search else ""
    places = suggestions.below(vocabulary, cls, key) if search and not proposal else []
    place = ", ".join(places) if len(places) <= MOST_PLACES else ""
    top = (suggestions.anywhere(vocabulary, key) or "") if search and not proposal and not place else ""
    known = _listed(cls, key, words)
    return {"word": key[:80], "cls": cls, "proposal": proposal, "place": place, "top": top, "known": known}


def _listed(cls: str, key: str, words: list[str]) -> str:
    """The keys of a class; of many, those that are spelt most alike, and where the others are listed."""
    if len(words) <= MOST_KEYS:
        return ", ".join(sorted(words))
    near = nearest(key, words, most=MOST_KEYS, alike=0)
    return f"{', '.join(near)} and {len(words) - len(near)} more, which `designlint vocabulary {cls}` lists"


def derived_word(word: Word) -> dict[str, Any]:
    """What is said of a word that follows from others: where it is stated, if it is one that stands at the top of a design."""
    above, *steps = word.path or ("",)
    follows = above.startswith("^Design.") and not any(one.startswith("^") for one in steps)
    return {"word": word.name, "top": "/".join(steps) if follows else ""}


def mapping(vocabulary: Vocabulary, word: Word) -> str:
    """What is wanted where a part, or a list of parts, is to be stated."""
    example = suggestions.example_of(vocabulary, word.kind)
    if word.form == "parts":
        return f"a list such as [{example}]" if example else "a list"
    return f"a mapping such as {example}" if example else "a mapping"


def plain(word: Word, node: Node) -> str:
    """What is wanted where one value is to be stated."""
    wanted = f"a value such as {word.example}" if word.example else "one value"
    beside = word.form == "catalog" and node.kind == "map"
    return f"{wanted}; put the figures of your own part next to `{word.name}`, not in it" if beside else wanted


def names_another(word: Word, node: Node) -> bool:
    """Whether a value is `{other: name}`, for a word whose set of values is not complete."""
    return word.open and node.kind == "map" and set(node.entries) == {OTHER} and node.entries[OTHER].kind == "scalar"


def sibling(word: Word, text: str, fault: ValueFault, vocabulary: Vocabulary) -> dict[str, str]:
    """What besides is wanted where one other word of the same part holds what stands there: kVA beside kW."""
    if fault.rule != "shape/wrong-unit" or fault.values["proposal"]:
        return {}
    units, words = vocabulary.units, vocabulary.classes[word.owner].values()
    quantities = (one for one in words if one.form == "value" and one.kind in units.kinds and one.kind != word.kind)
    holding = [one.name for one in quantities if isinstance(units.parse(text, one.kind), int | float)]
    also = f", or `{holding[0]}: {text[:80]}`" if len(holding) == 1 else ""
    return {"wanted": f"{fault.values['wanted']}{also}"}
