"""What a name or word that does not fit was meant to be: for parts without a name of their own, and for unknown words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from designlint.graph import fitting
from designlint.graph.subjects import Subject
from designlint.language import suggestions
from designlint.language.sentences import cut
from designlint.language.suggestions import EACH
from designlint.language.values import nearest, related_entries, wider_entries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.findings.model import Problem
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
#: Words of a name, and the least letters of one that may name a model.
TOKEN, SHORTEST = re.compile(r"[a-z0-9]+"), 4
NUMBER = r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
#: Letters of a key in which a unit is looked for.
LONGEST = 60


def suggest_names(problems: Sequence[Problem]) -> list[Problem]:
    """
    The problems, with a `suggestion` for nameless parts: the one name that is sought, the same with a number, or what it is.

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
            told = next(iter(names)) if len(names) == lacking[cls] == 1 else _numbered_name(one, name, taken[cls, name])
            one = replace(one, values={**one.values, "suggestion": told if re.fullmatch(fitting.PLAIN, told) else ""})
        found.append(one)
    return found


def _numbered_name(problem: Problem, name: str, number: int) -> str:
    """The name that a part has, with a number; of one without any, what its list holds: `pool-2`."""
    if name:
        return f"{name}-{number + 1}"
    kind = suggestions.singular(problem.values.get("path", "").rpartition("/")[0].rpartition("/")[2])
    return f"{kind}-{number}" if kind and number > 1 else kind


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
        meant = NOTHING_MEANT | {"beside": meant["proposal"], "inside": "yes" if node.kind == "map" else ""}
    elif subject.node is not None and meant["proposal"] and _suits_another(vocabulary, subject, key, meant["proposal"]):
        meant = NOTHING_MEANT
    unjudged = suggestions.fold_name(key) in vocabulary.synonyms["unjudged"]
    return {"word": key[:80], "cls": cls, **meant, "known": _list_keys(cls, key, words), "unjudged": unjudged}


def _suits_another(vocabulary: Vocabulary, subject: Subject, key: str, proposal: str) -> bool:
    """Whether another key of a part is a name of the same word, and the value of this one does not alone suit that word."""
    entries = subject.node.entries if subject.node is not None else {}
    word = vocabulary.classes[subject.cls][proposal]
    rivals = [
        one for one in entries if one != key and proposal in suggestions.known_words(vocabulary, subject.cls, one)
    ]
    suiting = [one for one in (key, *rivals) if fitting.takes(vocabulary, word, entries[one])]
    return bool(rivals) and suiting != [key]


def computed_word(vocabulary: Vocabulary, cls: str, key: str) -> Word | None:
    """The word that follows from others, of a class or a part of it, that a key is a name of."""
    for owner in (cls, *(part.kind for part in vocabulary.parts(cls))):
        names = suggestions.names_of(vocabulary, owner, key)
        found = [word for name, word in vocabulary.classes[owner].items() if name in names and not word.written]
        if found:
            return found[0]
    return None


def describe_absent(vocabulary: Vocabulary, cls: str, name: str, near: Sequence[str]) -> dict[str, str]:
    """What is said of a name that the catalogue lacks: the entry that was meant, else those with much the same name."""
    meant = near[0] if near else ""
    label = vocabulary.catalog[cls][vocabulary.aliases[cls][meant]]["label"] if near else ""
    related = related_entries(name, vocabulary.aliases.get(cls, {}))
    entries = f"one of {cut(related, MOST_PLACES)}" if len(related) > 1 else "".join(related) or "another entry"
    return {
        "name": name[:80],
        "cls": cls,
        "proposal": meant,
        "label": label,
        "near": ", ".join(near),
        "entries": entries,
    }


def entries_meant(vocabulary: Vocabulary, subject: Subject, kind: str, name: str) -> list[str]:
    """The catalogue entries that a name is short for, as far as what stands beside it agrees: `Dell XE9680` with its GPU."""
    sought = set(TOKEN.findall(name[:80].lower()))
    if not any(any(map(str.isdigit, one)) and len(one) >= SHORTEST for one in sought):
        return []
    entries = vocabulary.catalog[kind].items()
    found = (entry for entry, one in entries if sought <= set(TOKEN.findall(f"{entry} {one['label']}".lower())))
    agreeing = [one for one in found if _agrees(vocabulary, subject, vocabulary.figures_of(kind, one, subject.facts))]
    return agreeing if len(agreeing) <= MOST_PLACES else []


def _agrees(vocabulary: Vocabulary, subject: Subject, figures: dict[str, Any]) -> bool:
    """Whether no figure of a catalogue entry is another one than what a part states."""
    for word in figures.keys() & subject.keys.keys() & subject.facts.keys():
        stated, figure = subject.facts[word], figures[word]
        if not isinstance(stated, Subject):
            agrees = stated == figure
        else:
            model = str(stated.facts.get("model", ""))
            known = vocabulary.catalogue_name(stated.cls, model)
            meant = [known] if known else wider_entries(model, vocabulary.aliases.get(stated.cls, {}))
            agrees = not meant or figure.get("model") in meant
        if not agrees:
            return False
    return True


def unit_in_key(vocabulary: Vocabulary, cls: str, key: str, node: Node) -> dict[str, str] | None:
    """What is said of a key such as `power_kw`, which ends in a unit of the word before it: the word, its value and the unit."""
    stem, _, unit = key[:LONGEST].rpartition("_")
    name = next(iter(suggestions.known_words(vocabulary, cls, stem)), None) if node.kind == "scalar" and unit else None
    word = vocabulary.classes[cls][name] if name else None
    if word is None or word.kind not in vocabulary.units or not re.fullmatch(NUMBER, node.text):
        return None
    spelled = vocabulary.units.with_unit(node.text, unit, word.kind)
    if spelled is None:
        return None
    found, meant = {"word": key, "cls": cls}, f"{word.name}: {spelled}"
    if twin := vocabulary.units.with_twin_unit(node.text, unit, word.kind):
        return found | {"meant": f"{meant}` or, of bits, `{word.name}: {twin}"}
    return found | {"meant": meant, "entry": meant}


def _find_meant(vocabulary: Vocabulary, cls: str, key: str, node: Node) -> dict[str, str]:
    """
    The word of a class that a key was meant to be, else the parts below where it belongs, else the place in the design.

    Where the value is one that only another word of the class takes, that is the word: `kind: ethernet` of a fabric.
    """
    own = suggestions.known_words(vocabulary, cls, key)
    places = suggestions.below(vocabulary, cls, key)
    if own and suggestions.is_of_one_class(vocabulary, key):  # less sure than the word of that very name in a part
        own_name = f"/{suggestions.fold_name(key)}"
        meant = [*own, *(one for one in places if one.endswith(own_name))]
    else:
        meant = own or places
    meant = meant or list(filter(None, [suggestions.respelled_word(vocabulary, cls, key)]))
    meant = [one for one in meant if not fitting.misfits(_end(vocabulary, cls, one), node)]
    taking = [one for one in meant if fitting.takes(vocabulary, _end(vocabulary, cls, one), node)]
    if not taking and (other := fitting.of_value(vocabulary, cls, node)):
        taking = [other]
    meant = taking or [one for one in meant if one in own] or meant
    if cls == "Design" and not (taking or own) and suggestions.anywhere(vocabulary, key) is None:
        meant = [
            one for one in meant if _end(vocabulary, cls, one).form in ("part", "parts")
        ]  # one use of a common name
    if len(meant) == 1 and "/" not in meant[0]:
        return NOTHING_MEANT | {"proposal": meant[0]}
    if meant and len(meant) <= MOST_PLACES:
        return NOTHING_MEANT | {"place": ", ".join(_into(vocabulary, cls, one, node) for one in meant)}
    place = suggestions.anywhere(vocabulary, key, lambda word: fitting.can_hold(vocabulary, word, node))
    if place is not None and EACH not in place:
        place = _into(vocabulary, "Design", place, node)
    return NOTHING_MEANT | {"top": place or ""}


def _into(vocabulary: Vocabulary, cls: str, path: str, node: Node) -> str:
    """A path that leads into a part where that is what holds a value: `facility/cooling/method` for `air`."""
    part = _end(vocabulary, cls, path)
    held = fitting.holder(vocabulary, part.kind, node)[0] if part.form == "part" and node.kind == "scalar" else ""
    return f"{path}/{held}" if held else path


def _end(vocabulary: Vocabulary, cls: str, path: str) -> Word:
    """The word to which a path of words leads."""
    *steps, last = path.split("/")
    for step in steps:
        cls = vocabulary.classes[cls][step].kind
    return vocabulary.classes[cls][last]


def _list_keys(cls: str, key: str, words: list[str]) -> str:
    """The keys of a class; of many, those that are spelt most alike, and where the others are listed."""
    if len(words) <= MOST_KEYS:
        return ", ".join(sorted(words))
    near = nearest(key, words, most=MOST_KEYS, alike=0)
    return f"{', '.join(near)} and {len(words) - len(near)} more, which `designlint vocabulary {cls}` lists"


def derived_word(word: Word, path: str) -> dict[str, Any]:
    """
    What is said of a word that follows from others: where it is stated, if it is one that stands at the top of a design.

    Args:
        path: of the part that states it.
    """
    above, *steps = word.path or ("",)
    follows = above.startswith("^Design.") and not any(one.startswith("^") for one in steps)
    return {"word": word.name, "subject": path, "top": "/".join(steps) if follows else ""}
