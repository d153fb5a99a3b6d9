"""Whether a value fits a word, and what is wanted where it has another form than its word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.language import suggestions
from designlint.language.suggestions import EACH, NAMELESS
from designlint.language.values import OTHER, ValueFault, accept, is_number

if TYPE_CHECKING:
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word
    from designlint.reading.tree import Node

#: A number with commas, and its unit.
CUT = re.compile(r"[0-9]+(?:,[0-9]+)+(?: ?[A-Za-z%/]+)?")
#: A number and what it counts.
COUNTED = re.compile(r"([0-9][0-9.e+]*) ?([A-Za-z]{3,})")
#: Between the pieces of a text.
BETWEEN = re.compile(r"[\s,]+")
#: Pieces of a text that is read: a hostile one has thousands.
MOST_PIECES = 12
#: The number with which a text begins.
LEADING = re.compile(r"[0-9.]+")
#: Names that need no quotes in YAML.
PLAIN = r"[A-Za-z][\w.-]*"


def takes(vocabulary: Vocabulary, word: Word, node: Node) -> bool:
    """
    Whether a value is likely to stand under a word, which holds it at least.

    A name of the catalogue must be there, a number be one that was seen, and most keys of a mapping be words of the part.
    """
    if node.kind == "map" and word.form in ("part", "parts"):
        return _fits(vocabulary, word, node)
    if word.scalar and node.kind == "map" and (inner := sole(node)) is not None:
        return takes(vocabulary, word, inner)
    if node.kind != "scalar" or not word.scalar:
        return can_hold(vocabulary, word, node)
    if word.form == "catalog":
        return vocabulary.names_part(word, node.text)
    value = accept(word, node.scalar(), node.text, vocabulary.units, explain=False)
    if isinstance(value, ValueFault) or not is_number(value):
        return not isinstance(value, ValueFault)
    return is_seen(vocabulary, word, value)


def misfits(word: Word, node: Node) -> bool:
    """Whether a value is a number where a word wants the name of a part, or several facts or parts where it wants one value."""
    if node.kind != "scalar":
        return word.form == "value" and (len(node.entries) > 1 or any(one.kind == "map" for one in node.items))
    return word.form in ("name", "names") and is_number(node.scalar())


def is_seen(vocabulary: Vocabulary, word: Word, value: float) -> bool:
    """Whether a number lies where those of its word have been seen; also where nobody says where that is."""
    seen = [one for one in vocabulary.seen_of(word.owner, word.name) if not one.by]
    return not seen or seen[0].least <= value <= seen[0].most


def of_value(vocabulary: Vocabulary, cls: str, node: Node) -> str | None:
    """The one word of a class that a value belongs to: by its name, or, of a mapping, the part that it describes."""
    if node.kind == "scalar":
        return suggestions.taking(vocabulary, cls, node.text)
    words = (one for one in vocabulary.classes[cls].values() if one.written and one.form in ("part", "parts"))
    found = [one.name for one in words if node.kind == "map" and _fits(vocabulary, one, node)]
    return found[0] if len(found) == 1 else None


def _fits(vocabulary: Vocabulary, word: Word, node: Node) -> bool:
    """Whether at least half of the keys of a mapping, or of the mappings in it, are words of a part."""
    several = word.form == "parts" and _names_parts(vocabulary, word.kind, node)
    keys = [key for one in (node.entries.values() if several else [node]) for key in one.entries]
    known = sum(_is_known(vocabulary, word.kind, key) for key in keys)
    return bool(keys) and 2 * known >= len(keys)


def _names_parts(vocabulary: Vocabulary, cls: str, node: Node) -> bool:
    """Whether the keys of a mapping are names of parts, which the mappings under them describe, with a number for a count."""
    if not all(one.kind == "map" or one.scalar() is None or is_number(one.scalar()) for one in node.entries.values()):
        return False
    words = {name for name, one in vocabulary.classes[cls].items() if one.written}
    return words.isdisjoint(node.entries) and any(
        _is_known(vocabulary, cls, key) for one in node.entries.values() for key in one.entries
    )


def _holds_name(word: Word) -> bool:
    """Whether a word says which part one of a list is: its own name, or the one thing that it belongs to."""
    return word.name == "name" or (word.form == "name" and word.written) or (word.required and word.kind == "Text")


def _is_known(vocabulary: Vocabulary, cls: str, key: str) -> bool:
    return bool(suggestions.known_words(vocabulary, cls, key) or suggestions.below(vocabulary, cls, key))


def can_hold(vocabulary: Vocabulary, word: Word, node: Node) -> bool:
    """Whether a value, as far as one sees at once, may stand under a word."""
    if node.kind == "scalar" and word.form in ("part", "parts"):
        return word.form == "part" and word.kind in vocabulary.catalog
    if node.kind != "scalar" or not word.scalar:
        return node.kind != "map" or not word.scalar or names_another(word, node)
    return not isinstance(accept(word, node.scalar(), node.text, vocabulary.units, explain=False), ValueFault)


def mapping(vocabulary: Vocabulary, word: Word, node: Node) -> str:
    """What is wanted where a part, or a list of parts, is to be stated."""
    example = _holding(vocabulary, word.kind, node) or suggestions.example_of(vocabulary, word.kind)
    if word.form == "parts":
        return f"a list such as [{example}]" if example else "a list"
    return f"a mapping such as {example}" if example else "a mapping"


def part_for(vocabulary: Vocabulary, word: Word, node: Node) -> dict[str, str]:
    """
    What stands for a part, or a list of parts, where a word has another form of it.

    Returns:
        `proposal`: a mapping, or a list of one, around a value; `each`: the word for the keys where a list of the entries of
        a mapping is meant; `single`: the name of the one part that a mapping is; `alone`: that it is one without a name.
    """
    named = "name" in vocabulary.classes[word.kind]
    if node.kind == "scalar":
        held = _holding(vocabulary, word.kind, node)
        if word.form == "parts" and held:
            held = f"[{{name: {suggestions.singular(word.name)}, {held[1:]}]" if named else f"[{held}]"
        return {"proposal": held}
    if node.kind != "map" or word.form != "parts":
        return {}
    if _names_parts(vocabulary, word.kind, node):
        naming = next((one for one in vocabulary.classes[word.kind].values() if _holds_name(one)), None)
        return {} if naming is None else {"each": f"{naming.name}: {EACH}"}
    if not named:
        return {"alone": NAMELESS}
    stated = node.entries.get("name")
    name = suggestions.singular(word.name) if stated is None else stated.text
    return {"single": name if re.fullmatch(PLAIN, name) else ""}


def _holding(vocabulary: Vocabulary, cls: str, node: Node) -> str:
    """A mapping of a class around a value that stands in its place: `{kind: slurm}` for slurm; empty unless one word holds it."""
    name, value = holder(vocabulary, cls, node)
    return f"{{{name}: {value}}}" if name else ""


def holder(vocabulary: Vocabulary, cls: str, node: Node) -> tuple[str, str]:
    """The one word of a class that holds a value, and how it is written there; empty texts where there is none."""
    if node.kind != "scalar":
        return "", ""
    words = [one for one in vocabulary.classes[cls].values() if one.written]
    held = {one.name: suggestions.value_for(one, node.text) for one in words if one.allowed and one.form == "value"}
    found = {name: value for name, value in held.items() if value} or {
        one.name: node.text for one in words if one.form == "name" and re.fullmatch(PLAIN, node.text)
    }
    return next(iter(found.items())) if len(found) == 1 else ("", "")


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
    """What besides is wanted where one other word of the same part holds what stands there: kVA beside kW; or a likely unit."""
    if fault.rule == "shape/not-allowed-value" and not fault.values["proposal"]:
        return _value_of_sibling(word, text, vocabulary)
    if fault.rule == "shape/missing-unit":
        return _likely_unit(word, text, fault, vocabulary)
    if fault.rule != "shape/wrong-unit" or fault.values["proposal"]:
        return {}
    value, rest = quantity_in(vocabulary, word, pieces_of(text))
    if value and not meaningful(vocabulary, rest):
        return {"proposal": value, "wanted": f"`{value}`"}
    if (counted := COUNTED.fullmatch(text)) and (number := _counting(word, counted, vocabulary)):
        return number
    units, words = vocabulary.units, vocabulary.classes[word.owner].values()
    quantities = (one for one in words if one.form == "value" and one.kind in units.kinds and one.kind != word.kind)
    holding = [one.name for one in quantities if isinstance(units.parse(text, one.kind), int | float)]
    also = f", or `{holding[0]}: {text[:80]}`" if len(holding) == 1 else ""
    return {"wanted": f"{fault.values['wanted']}{also}"}


def pieces_of(text: str) -> list[str]:
    """The pieces of a text, such as `2`, `TB` and `DDR5`."""
    return BETWEEN.split(text.strip(), MOST_PIECES)


def meaningful(vocabulary: Vocabulary, pieces: list[str]) -> list[str]:
    """The pieces that say more than people add to any part of the kind."""
    return [one for one in pieces if one.lower() not in vocabulary.synonyms["beside"]]


def quantity_in(vocabulary: Vocabulary, word: Word, pieces: list[str]) -> tuple[str, list[str]]:
    """The first quantity of a word among pieces, as the language writes it, and the other pieces; else an empty text."""
    stretches = ((start, end) for start in range(len(pieces)) for end in (start + 2, start + 1) if end <= len(pieces))
    for start, end in stretches:
        text = " ".join(pieces[start:end])
        number = LEADING.match(text)
        value = accept(word, text, text, vocabulary.units) if number else None
        if isinstance(value, ValueFault):
            meant = str(value.values.get("proposal") or "")
            value = value.rule == "shape/wrong-unit" and number is not None and meant.split(" ")[0] == number[0]
            text = meant
        if value:
            return text, [*pieces[:start], *pieces[end:]]
    return "", pieces


def _value_of_sibling(word: Word, text: str, vocabulary: Vocabulary) -> dict[str, str]:
    """What is wanted where a value of one set belongs to that of one other word: a queue of Kubernetes is no scheduler."""
    others = [one for one in vocabulary.classes[word.owner].values() if one.allowed and one.written and one is not word]
    meant = [(one.name, value) for one in others if (value := suggestions.value_for(one, text))]
    return {"otherwise": f", and `{meant[0][0]}: {meant[0][1]}` beside it", "named": ""} if len(meant) == 1 else {}


def _likely_unit(word: Word, text: str, fault: ValueFault, vocabulary: Vocabulary) -> dict[str, str]:
    """What is proposed in place of a number without its unit, where the usual unit makes it one that was never seen."""
    read = vocabulary.units.parse(fault.values["proposal"], word.kind)
    if not isinstance(read, int | float) or is_seen(vocabulary, word, read):
        return {}
    units = [one for one in vocabulary.units.kind(word.kind).preferred if one.symbol and not one.binary]
    for proposal in (f"{text} {one.symbol}" for one in units):
        read = vocabulary.units.parse(proposal, word.kind)
        if isinstance(read, int | float) and is_seen(vocabulary, word, read):
            return {"proposal": proposal, "wanted": f"`{proposal}`"}
    return {}


def _counting(word: Word, counted: re.Match[str], vocabulary: Vocabulary) -> dict[str, str]:
    """What is wanted for `64 servers`: the number alone, or, of a time in steps, the word that counts these."""
    number, noun = counted.groups()
    if word.kind == "Count" and any(noun.lower() in words for words in vocabulary.classes.values()):
        return {"wanted": f"`{number}`", "proposal": number}
    beside = f"{word.name}_{noun.lower()}"
    return {"wanted": f"`{beside}: {number}`"} if beside in vocabulary.classes[word.owner] else {}
