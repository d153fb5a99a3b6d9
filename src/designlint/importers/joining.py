"""Joins what several formats say of one design; what two of them say differently is a finding."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.importers.base import Fragment, How, Value
from designlint.importers.gpus import spellings
from designlint.importers.workloads import place_beside, stem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from designlint.importers.base import Words

#: Which of two sources that disagree is believed: what was measured, then what is stated, then what follows, then defaults.
TRUST = {How.MEASURED: 3, How.STATED: 2, How.DERIVED: 1, How.DEFAULT: 0}
#: What a tool or a person fills in before the file is read: nobody knows it yet. `{ partition }` may be cut at its blanks.
PLACEHOLDER = re.compile(r"\$\{|\$\(|\{\{|\$\w+\Z|\A[<{](?:\s*[A-Za-z][^<>{}]*[>}].*)?\Z|(?:\A|:)(?:your|YOUR)[_-]\w")
#: Words for which tools write 0 where they mean none at all, and the language leaves them out.
NONE_BY_ZERO = frozenset(
    ("interval_steps", "query_rank", "kv_rank", "experts", "experts_per_token", "expert_feed_forward", "virtual_stages")
)
#: How a value begins that is looked at more closely: a zero, a form to be filled in.
FORMS = ("0", "<", "{", "y", "Y")
#: Lists of cables, which have no names.
CABLES = ("links", "host_links")
#: Names of parts do not clash: each file calls its own thing something.
NAMES = ("name",)


def join_fragments(fragments: Sequence[Fragment]) -> Fragment:
    """One fragment of all, the first of several equal values kept."""
    whole = Fragment()
    for one in fragments:
        whole.unknowns += one.unknowns
        whole.facts += one.facts
        whole.clashes += one.clashes
        _join(whole.words, one.words, "", whole)
    _distinguish(whole.words.get("workloads"))
    return whole


def _distinguish(workloads: Any) -> None:
    """Workloads of several files with one name, such as that of a family of models, are named after their files."""
    parts: dict[str, list[dict[str, Any]]] = {}
    for one in workloads if isinstance(workloads, list) else []:
        if isinstance(one, dict) and isinstance(name := one.get("name"), Value):
            parts.setdefault(name.text, []).append(one)
    for same in parts.values():
        names = [one["name"] for one in same]
        stems = [stem(name.source) for name in names]
        if len(set(stems)) < len(stems):
            stems = [f"{PurePath(name.source.file).parent.name}-{stem(name.source)}" for name in names]
        if len(set(stems)) < len(stems):
            stems = [f"{one}-{number}" for number, one in enumerate(stems, 1)]
        for one, name, known in zip(same, names, stems, strict=True):
            one["name"] = name.but(known, "name of the file", How.DERIVED).as_text() if len(same) > 1 else name


def _join(into: Words, more: Words, path: str, whole: Fragment) -> None:
    for word, value in more.items():
        here = f"{path}/{word}" if path else word
        known = into.get(word)
        if known is None:
            into[word] = value
        elif isinstance(known, dict) and isinstance(value, dict):
            _join(known, value, here, whole)
        elif isinstance(known, list) and isinstance(value, list):
            _join_lists(known, value, here, whole)
        elif isinstance(known, Value) and isinstance(value, Value):
            into[word] = settle_value(known, value, here, whole)


def _join_lists(known: list[Any], more: list[Any], path: str, whole: Fragment) -> None:
    if path.rpartition("/")[2] in CABLES:
        _join_cables(known, more)
        return
    named = {one["name"].text: one for one in known if isinstance(one, dict) and isinstance(one.get("name"), Value)}
    for one in more:
        name = one.get("name") if isinstance(one, dict) else None
        if isinstance(name, Value) and name.text in named:
            _join(named[name.text], one, f"{path}/{name.text}", whole)
        else:
            known.append(one)


def _join_cables(known: list[Any], more: list[Any]) -> None:
    """Cables of two files: of those that share a port, the measured one counts, else the first."""
    taken = {end: one for one in known for end in _ends(one)}
    for one in more:
        same = [taken[end] for end in _ends(one) if end in taken]
        if not same:
            known.append(one)
        elif _trust(one) > max(map(_trust, same)):
            known[:] = [*(other for other in known if all(other is not each for each in same)), one]


def _ends(cable: Words) -> set[tuple[str, str]]:
    """The ports of a cable, or of those of one pair of switches, each with its device."""
    found = set()
    for device, ports in (("from", "from_ports"), ("to", "to_ports"), ("to", "port"), ("server", "adapter")):
        at, named = cable.get(device), cable.get(ports)
        texts = named if isinstance(named, list) else [named]
        found |= {(at.text, one.text) for one in texts if isinstance(at, Value) and isinstance(one, Value)}
    return found


def _trust(cable: Words) -> int:
    return max((TRUST[one.how] for one in cable.values() if isinstance(one, Value)), default=0)


def settle_value(first: Value, second: Value, word: str, fragment: Fragment) -> Value:
    """The value that counts of two; where they differ and neither is a mere default, that is a finding."""
    if first.text == second.text or word.rpartition("/")[2] in NAMES:
        return first
    if How.DEFAULT in (first.how, second.how):
        return first if second.how is How.DEFAULT else second
    best, other = (first, second) if TRUST[first.how] >= TRUST[second.how] else (second, first)
    place = place_beside(other, best)
    fragment.clash("import/conflict", best, word=word.rpartition("/")[2], one=best.text, other=other.text, where=place)
    return best


def replace_names(fragment: Fragment, catalogued: Callable[[str, str], str | None]) -> None:
    """
    Spells names of catalogue entries as the catalogue does, and takes out what is no value: names that it does not have,
    placeholders, and zeros that mean none.
    """
    _replace(fragment.words, None, fragment, catalogued)


#: Where a part is: the place of the part around it, and its word, its number or itself, whose name counts.
Place: TypeAlias = "tuple[Place, Any] | None"


def _place(place: Place) -> str:
    """A place as a path."""
    if place is None:
        return ""
    above, last = place
    name = last["name"].text if isinstance(last, dict) else last
    return f"{_place(above)}/{name}".lstrip("/")


def _replace(part: Any, at: Place, fragment: Fragment, catalogued: Callable[[str, str], str | None]) -> None:
    if isinstance(part, list):
        for number, one in enumerate(part):
            if one.__class__ is not Value:
                named = isinstance(one, dict) and isinstance(one.get("name"), Value)
                _replace(one, (at, one if named else number), fragment, catalogued)
    elif isinstance(part, dict):
        for word, value in list(part.items()):
            if value.__class__ is not Value:
                _replace(value, (at, word), fragment, catalogued)
            elif value.catalog or value.text[:1] in FORMS or "$" in value.text or "{{" in value.text:
                _settle(part, word, value, (at, word), fragment, catalogued)


def _settle(
    part: dict[str, Any], word: str, value: Value, at: Place, fragment: Fragment,
    catalogued: Callable[[str, str], str | None],
) -> None:  # fmt: skip
    """Spell one value as the catalogue does, or take it out."""
    here = _place(at)
    if word in NONE_BY_ZERO and value.text == "0":
        del part[word]
        fragment.fact(here, value)
        if word == "interval_steps":
            part.setdefault("mode", value.but("none", "0 steps between checkpoints: none is written").as_text())
    elif word != "name" and PLACEHOLDER.search(value.text):
        del part[word]
        fragment.unknown(here, f"`{value.text[:60]}` is filled in later", "the file as it is submitted", value)
    elif value.catalog:
        names = spellings(value.text) if value.catalog == "Gpu" else [value.text]
        found = next((entry for one in names if (entry := catalogued(value.catalog, one)) is not None), None)
        fragment.fact(here, value)
        if found is None:
            del part[word]
            fragment.unknown(here, f"the catalogue has no `{value.text[:60]}`", "state its figures", value)
        else:
            part[word] = value.but(found).as_text()
            if word == "model" and value.catalog == "Gpu":
                part.pop("memory", None)  # the catalogue has it
