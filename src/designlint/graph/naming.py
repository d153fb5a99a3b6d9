"""What a name or word that does not fit was meant to be: for parts without a name of their own, and for unknown words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from designlint.language import suggestions
from designlint.language.values import OTHER, ValueFault, accept, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.findings.model import Problem
    from designlint.graph.subjects import Subject
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word
    from designlint.reading.tree import Node

#: Keys that are listed where none is meant for sure.
MOST_KEYS = 12
#: Places to which a key may belong that a message names.
MOST_PLACES = 5
NOTHING_MEANT = {"proposal": "", "place": "", "top": ""}
UNKNOWN_NAMES = ("shape/undescribed-reference", "shape/unknown-reference")
NAMELESS = ("shape/missing-name", "shape/duplicate-name")
#: A number with commas, and its unit.
CUT = re.compile(r"[0-9]+(?:,[0-9]+)+(?: ?[A-Za-z%/]+)?")
#: A number and what it counts.
COUNTED = re.compile(r"([0-9][0-9.e+]*) ?([A-Za-z]{3,})")
NUMBER = r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
#: Letters of a key in which a unit is looked for.
LONGEST = 60
#: Names that need no quotes in YAML.
PLAIN = r"[A-Za-z][\w.-]*"


def suggest_names(problems: Sequence[Problem]) -> list[Problem]:
    """
    The problems, with a `suggestion` for nameless parts: the one name that is sought, or the same with a number.

    Where a misspelt key was meant to name a part, that is the only problem.
    """
    problems = _without_misspelt(problems)
    sought: dict[str, set[str]] = {}
    for one in problems:
        if one.rule in UNKNOWN_NAMES:
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


def _without_misspelt(problems: Sequence[Problem]) -> list[Problem]:
    """The problems but for what a part lacks that is in it under another key."""
    meant: dict[tuple[str, str], list[int]] = {}
    for one in problems:
        if one.rule == "shape/unknown-word" and one.values.get("proposal"):
            meant.setdefault((one.values["cls"], one.values["proposal"]), []).append(one.start)
    for starts in meant.values():
        starts.sort()

    def misspelt(one: Problem) -> bool:
        starts = meant.get((one.values["cls"], one.values["word"]), ()) if one.rule == "shape/missing-name" else ()
        at = bisect_left(starts, one.start)
        return at < len(starts) and starts[at] < one.end

    return [one for one in problems if not misspelt(one)]


def unknown_word(
    vocabulary: Vocabulary, subject: Subject, key: str, node: Node, *, search: bool = True
) -> dict[str, Any]:
    """What is said of a key that is no word of a part: the word it was meant to be, or the part where it belongs."""
    cls = subject.cls
    words = [name for name, one in vocabulary.classes[cls].items() if one.written]
    meant = _find_meant(vocabulary, cls, key, node) if search else NOTHING_MEANT
    if search and not any(meant.values()) and (corrected := suggestions.correct_word(vocabulary, key)):
        meant = _find_meant(vocabulary, cls, corrected, node)
    if subject.node is not None and meant["proposal"] in subject.node.entries:
        meant = NOTHING_MEANT | {"beside": meant["proposal"]}
    return {"word": key[:80], "cls": cls, **meant, "known": _list_keys(cls, key, words)}


def unit_in_key(vocabulary: Vocabulary, cls: str, key: str, node: Node) -> dict[str, str] | None:
    """What is said of a key such as `power_kw`, which ends in a unit of the word before it: the word, its value and the unit."""
    stem, _, unit = key[:LONGEST].rpartition("_")
    name = suggestions.known_word(vocabulary, cls, stem) if node.kind == "scalar" and unit else None
    word = vocabulary.classes[cls][name] if name else None
    if word is None or word.kind not in vocabulary.units or not re.fullmatch(NUMBER, node.text):
        return None
    spelled = vocabulary.units.with_unit(node.text, unit, word.kind)
    return None if spelled is None else {"word": key, "cls": cls, "meant": f"{word.name}: {spelled}"}


def _find_meant(vocabulary: Vocabulary, cls: str, key: str, node: Node) -> dict[str, str]:
    """
    The word of a class that a key was meant to be, else the parts below where it belongs, else the place in the design.

    Where the value is one that only another word of the class takes, that is the word: `kind: ethernet` of a fabric.
    """
    proposal = suggestions.word_for(vocabulary, cls, key) or ""
    places = [] if proposal else suggestions.below(vocabulary, cls, key)
    named = [vocabulary.classes[cls][proposal]] if proposal else [_end(vocabulary, cls, one) for one in places]
    if not any(_takes(vocabulary, one, node) for one in named):
        taking = suggestions.taking(vocabulary, cls, node.text) if node.kind == "scalar" else None
        proposal = taking or proposal
    if proposal:
        return NOTHING_MEANT | {"proposal": proposal}
    if places and len(places) <= MOST_PLACES:
        return NOTHING_MEANT | {"place": ", ".join(places)}
    place = suggestions.anywhere(vocabulary, key, lambda word: _can_hold(vocabulary, word, node))
    return NOTHING_MEANT | {"top": place or ""}


def _end(vocabulary: Vocabulary, cls: str, path: str) -> Word:
    """The word to which a path of words leads."""
    *steps, last = path.split("/")
    for step in steps:
        cls = vocabulary.classes[cls][step].kind
    return vocabulary.classes[cls][last]


def _takes(vocabulary: Vocabulary, word: Word, node: Node) -> bool:
    """Whether a value may stand under a word, and, where that names something of the catalogue, is there."""
    if word.form == "catalog" and node.kind == "scalar":
        return node.text in vocabulary.catalog.get(word.kind, ())
    return _can_hold(vocabulary, word, node)


def _can_hold(vocabulary: Vocabulary, word: Word, node: Node) -> bool:
    """Whether a value, as far as one sees at once, may stand under a word."""
    if node.kind == "scalar" and word.form in ("part", "parts"):
        return word.form == "part" and word.kind in vocabulary.catalog
    if node.kind != "scalar" or not word.scalar:
        return True
    return not isinstance(accept(word, node.scalar(), node.text, vocabulary.units, explain=False), ValueFault)


def _list_keys(cls: str, key: str, words: list[str]) -> str:
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


def mapping(vocabulary: Vocabulary, word: Word, node: Node) -> str:
    """What is wanted where a part, or a list of parts, is to be stated."""
    example = _holding(vocabulary, word.kind, node) or suggestions.example_of(vocabulary, word.kind)
    if word.form == "parts":
        return f"a list such as [{example}]" if example else "a list"
    return f"a mapping such as {example}" if example else "a mapping"


def _holding(vocabulary: Vocabulary, cls: str, node: Node) -> str:
    """A mapping of a class around a value that stands in its place: `{kind: slurm}` for slurm; empty unless one word holds it."""
    if node.kind != "scalar" or not re.fullmatch(PLAIN, node.text):
        return ""
    words = [one for one in vocabulary.classes[cls].values() if one.written]
    held = {one.name: suggestions.value_for(one, node.text) for one in words if one.allowed and one.form == "value"}
    found = {name: value for name, value in held.items() if value} or {
        one.name: node.text for one in words if one.form == "name"
    }
    return "".join(f"{{{name}: {value}}}" for name, value in found.items()) if len(found) == 1 else ""


def plain(word: Word, node: Node) -> str:
    """What is wanted where one value is to be stated."""
    wanted = f"a value such as {word.example}" if word.example else "one value"
    beside = word.form == "catalog" and node.kind == "map"
    return f"{wanted}; put the figures of your own part next to `{word.name}`, not in it" if beside else wanted


def cut_numbers(node: Node) -> dict[str, str]:
    """
    Numbers that a comma cuts in a mapping in braces: `{vocabulary: 128,256}` is two entries to YAML.

    Returns: the number as it stands by its key, and an empty text by the keys that are its other digits.
    """
    found: dict[str, str] = {}
    before = None
    for key, child in node.entries.items():
        if before is not None and key[:1].isdigit() and child.kind == "scalar" and not child.text:
            start = node.entries[before].start
            if whole := CUT.match(node.document.text, start):
                found |= {before: whole[0].rstrip(), key: ""}
                continue
        before = key if child.kind == "scalar" else None
    return found


def sole(node: Node) -> Node | None:
    """The one scalar in a list or mapping around it: `[8]` or `{size: 8}` where 8 belongs."""
    inside = [*node.entries.values(), *node.items]
    return inside[0] if len(inside) == 1 and inside[0].kind == "scalar" and inside[0].text else None


def names_another(word: Word, node: Node) -> bool:
    """Whether a value is `{other: name}`, for a word whose set of values is not complete."""
    return word.open and node.kind == "map" and set(node.entries) == {OTHER} and node.entries[OTHER].kind == "scalar"


def sibling(word: Word, text: str, fault: ValueFault, vocabulary: Vocabulary) -> dict[str, str]:
    """What besides is wanted where one other word of the same part holds what stands there: kVA beside kW."""
    if fault.rule != "shape/wrong-unit" or fault.values["proposal"]:
        return {}
    if (counted := COUNTED.fullmatch(text)) and (number := _counting(word, counted, vocabulary)):
        return number
    units, words = vocabulary.units, vocabulary.classes[word.owner].values()
    quantities = (one for one in words if one.form == "value" and one.kind in units.kinds and one.kind != word.kind)
    holding = [one.name for one in quantities if isinstance(units.parse(text, one.kind), int | float)]
    also = f", or `{holding[0]}: {text[:80]}`" if len(holding) == 1 else ""
    return {"wanted": f"{fault.values['wanted']}{also}"}


def _counting(word: Word, counted: re.Match[str], vocabulary: Vocabulary) -> dict[str, str]:
    """What is wanted for `64 servers`: the number alone, or, of a time in steps, the word that counts these."""
    number, noun = counted.groups()
    if word.kind == "Count" and any(noun.lower() in words for words in vocabulary.classes.values()):
        return {"wanted": f"`{number}`", "proposal": number}
    beside = f"{word.name}_{noun.lower()}"
    return {"wanted": f"`{beside}: {number}`"} if beside in vocabulary.classes[word.owner] else {}
