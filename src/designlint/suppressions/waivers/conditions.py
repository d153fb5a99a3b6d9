"""Conditions of waivers, `oversubscription <= 2 and tiers = 3`: comparisons of words of the part that is at fault."""

from __future__ import annotations

import re
from math import isclose
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.graph.subjects import Subject
from designlint.language.quantities import BadQuantity
from designlint.language.units import NOISE
from designlint.rules.wording import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.findings.model import Finding
    from designlint.language.units import Units
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word
    from designlint.rules.engine import Engine

COMPARISON = re.compile(r"\s*([a-z_]\w*(?:/[a-z_]\w*)*)\s*(<=|>=|<|>|==?)\s*(\S(?:.*\S)?)\s*")
JOINED = re.compile(r"\s+and\s+")
LONGEST = 300


class WaiverComparison(NamedTuple):
    """One of the comparisons: a word, how it must stand, and to what."""

    name: str
    how: str
    text: str


def read_condition(condition: str) -> list[WaiverComparison] | None:
    """The comparisons of a condition; None where it is none."""
    found = [COMPARISON.fullmatch(one) for one in JOINED.split(condition[:LONGEST])]
    if len(condition) > LONGEST or not all(found):
        return None
    return [
        WaiverComparison(one[1], one[2].replace("==", "="), one[3].strip("\"'")) for one in found if one is not None
    ]


def fault(condition: str) -> str:
    """What is wrong with the words of a condition; empty where nothing is."""
    if read_condition(condition) is None:
        return f"`{condition[:60]}` is not a comparison such as `oversubscription <= 2`"
    return ""


def unmet(condition: str, finding: Finding, subject: Subject | None, engine: Engine) -> str:
    """The first comparison that a finding and its subject do not meet, told with the value seen; empty where all are met."""
    told = (_unmet(one, finding, subject, engine) for one in read_condition(condition) or [])
    return next(filter(None, told), "")


def _unmet(one: WaiverComparison, finding: Finding, subject: Subject | None, engine: Engine) -> str:
    found = _looked_up(one.name, finding, subject, engine)
    if found is None:
        return f"`{one.name}` is not a word of {subject.cls if subject else 'the design'}"
    facts, kind = found
    if not facts:
        return f"{one.name} is unknown"
    return next(filter(None, (_differs(one, fact, kind, engine.vocabulary.units) for fact in facts)), "")


def _looked_up(
    name: str, finding: Finding, subject: Subject | None, engine: Engine
) -> tuple[Sequence[Any], str] | None:
    """What is known by a name, and its kind: a word of the subject or its parts, else a value that the finding shows."""
    if subject is not None and (found := _word(name, subject, engine.vocabulary)) is not None:
        path, word = found
        facts = [owner.facts[last] for owner, last in subject.follow(path) if last in owner.facts]
        return [one for fact in facts for one in (fact if isinstance(fact, list) else [fact])], word.kind
    shown = finding.values.get(name)
    return None if shown is None else ([shown.value], engine.rules[finding.rule].kind(name))


def _word(name: str, subject: Subject, vocabulary: Vocabulary) -> tuple[tuple[str, ...], Word] | None:
    path: tuple[str, ...] | None = tuple(name.split("/"))
    try:
        path = vocabulary.path(subject.cls, name) if len(path or ()) == 1 else path
        return None if path is None else (path, vocabulary.word(subject.cls, path))
    except LookupError:  # ambiguous, or no such step
        return None


def _differs(one: WaiverComparison, fact: Any, kind: str, units: Units) -> str:
    """Why a fact is not as the comparison wants it; empty where it is."""
    text = plain(fact, kind, units)
    seen = f"{one.name} is {text}"
    wanted: Any = one.text
    if isinstance(fact, bool | str | Subject) and kind != "Date":
        return f"{seen}, which is not a number" if one.how != "=" else "" if text == wanted else seen
    if not isinstance(fact, str):
        wanted = units.parse(wanted, kind) if kind in units else _number(wanted)
        if isinstance(wanted, BadQuantity):
            return f"{seen}, and `{one.text[:40]}` cannot be compared with it: {wanted.text}"
    return "" if _stands(fact, one.how, wanted) else seen


def _number(text: str) -> float | BadQuantity:
    try:
        return float(text)
    except ValueError:
        return BadQuantity("not-a-number", None, "it is not a number")


def _stands(value: Any, how: str, wanted: Any) -> bool:
    if value == wanted or (isinstance(value, int | float) and isclose(value, wanted, rel_tol=NOISE)):
        return "=" in how
    return bool(value < wanted if how[0] == "<" else value > wanted if how[0] == ">" else False)
