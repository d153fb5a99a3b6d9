"""Several facts in one value, such as `8x H100 SXM` or `2 TB DDR5`, as the words of the language state them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.graph.fitting import PLAIN, is_seen, meaningful, pieces_of, quantity_in
from designlint.graph.phrases import words_in
from designlint.language import suggestions
from designlint.language.values import wider_entries

if TYPE_CHECKING:
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word

#: A count before what it counts.
MULTIPLIED = re.compile(r"(?P<count>[1-9]\d{0,6}) ?[x\u00d7*] ?(?P<one>\S.*)", re.IGNORECASE)
#: A count behind what it counts, or one that no sign sets apart: sure only where the rest is known by name or unit.
OTHERWISE = (
    re.compile(r"(?P<one>\S.*?) [x\u00d7*] ?(?P<count>[1-9]\d{0,6})"),
    re.compile(r"(?P<count>[1-9]\d{0,6}) (?P<one>[A-Za-z].*)"),
)
#: Names that are written as they stand.
FREE = re.compile(r"[A-Za-z][\w .+-]*")
LONGEST = 120

#: Words with the values that they would state.
Facts = dict[str, str]


def facts_in(vocabulary: Vocabulary, cls: str, word: Word, text: str) -> Facts:
    """
    What a value states by the words of a part: of `gpus: 8x H100 SXM`, that `gpus` is 8 and `gpu` h100-sxm-80gb.

    Empty where a piece of it is not understood.
    """
    counter = next((one for one in _counters(vocabulary, cls) if word.name in (one.name, *_described_by(one))), None)
    if counter is not None:
        return _count(vocabulary, counter, text)
    if word.form in ("part", "parts"):
        held = facts_of_part(vocabulary, word.kind, text)
        named = word.form == "parts" and "name" in vocabulary.classes[word.kind]
        inside = spell({"name": suggestions.singular(word.name), **held} if named else held)
        return {word.name: f"[{inside}]" if word.form == "parts" else inside} if held else {}
    if word.kind in vocabulary.units:
        value, rest = quantity_in(vocabulary, word, pieces_of(text))
        if value and not meaningful(vocabulary, rest):
            return {word.name: value}
    return words_in(vocabulary, cls, text)


def facts_of_part(vocabulary: Vocabulary, cls: str, text: str) -> Facts:
    """What a value that stands in the place of a part states of it; a number before it counts the parts, where a word does."""
    counters = _counters(vocabulary, cls)
    found = (_count(vocabulary, one, text) for one in counters if "model" in one.each.split() or len(counters) == 1)
    return next(filter(None, found), None) or words_in(vocabulary, cls, text)


def spell(facts: Facts) -> str:
    """Facts as a mapping in braces."""
    return f"{{{', '.join(f'{name}: {value}' for name, value in facts.items())}}}"


def may_hold_several(word: Word, text: str) -> bool:
    """Whether a value looks like a count of something, though it may be a text that reads; cheap, for every value is asked."""
    if text.isdigit() or not (text[:1].isdigit() or text[-1:].isdigit()) or len(text) > LONGEST:
        return False
    if word.kind == "Text" and word.form == "value":
        return not word.required and MULTIPLIED.fullmatch(text) is not None
    forms = (MULTIPLIED, *OTHERWISE) if word.kind == "Count" else (MULTIPLIED, OTHERWISE[0])
    return any(form.fullmatch(text) for form in forms)


def _counters(vocabulary: Vocabulary, cls: str) -> list[Word]:
    """The words of a class that count parts which others of its words describe."""
    return [one for one in vocabulary.classes[cls].values() if one.each or one.total]


def _described_by(counter: Word) -> list[str]:
    return [*counter.each.split(), *counter.total.split()]


def _count(vocabulary: Vocabulary, counter: Word, text: str) -> Facts:
    """The count, and what one of those counted is; empty unless every piece of the text is read, and for a count never seen."""
    for form in (MULTIPLIED, *OTHERWISE):
        found = form.fullmatch(text.strip()[:LONGEST])
        if found is None or not is_seen(vocabulary, counter, int(found["count"])):
            continue
        if told := _read_one(vocabulary, counter, found, free=form is MULTIPLIED):
            return {counter.name: found["count"], **told}
    return {}


def _read_one(vocabulary: Vocabulary, counter: Word, found: re.Match[str], *, free: bool) -> Facts:
    """
    What the pieces of a text say of one of what is counted.

    Args:
        free: whether a name that no catalogue has may be taken as it stands.
    """
    words = [vocabulary.classes[counter.owner][name] for name in _described_by(counter)]
    told: Facts = {}
    rest = pieces_of(found["one"])
    for word in words:
        if word.kind in vocabulary.units:
            value, rest = quantity_in(vocabulary, word, rest)
            if value and word.name == counter.total:
                value = _multiply(vocabulary, word, value, int(found["count"]))
            told |= {word.name: value} if value else {}
    rest = meaningful(vocabulary, rest)
    named = next((word for word in words if word.kind not in vocabulary.units), None)
    if not rest or named is None:
        return {} if rest else told
    name = _name(vocabulary, named, " ".join(rest), free=free)
    return {named.name: name, **told} if name else {}


def _multiply(vocabulary: Vocabulary, word: Word, text: str, count: int) -> str:
    value = vocabulary.units.parse(text, word.kind)
    return vocabulary.units.like(value * count, word.kind, text) if isinstance(value, int | float) else ""


def _name(vocabulary: Vocabulary, word: Word, text: str, *, free: bool) -> str:
    """The name of a part, as the catalogue has it or, where any text is one, as it stands."""
    if word.form not in ("catalog", "part"):
        return text if free and FREE.fullmatch(text) else ""
    kind = word.kind if word.form == "catalog" else vocabulary.classes[word.kind]["model"].kind
    wider = wider_entries(text, vocabulary.aliases.get(kind, {}))
    name = vocabulary.catalogue_name(kind, text) or ("".join(wider) if len(wider) == 1 else "")
    return name if re.fullmatch(PLAIN, name) else ""
