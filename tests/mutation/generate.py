"""Mutations that follow from a rule's own judgement: the flag it reads, the value it compares, the choice it refuses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from designlint.fixes.placing import Places
from designlint.reading.edits import EditRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from designlint.design.design import Design
    from designlint.graph.subjects import Subject
    from designlint.language.words import Word
    from designlint.reading.edit import Edit
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule

#: What a stated number is multiplied with so that it comes out on the wrong side of what it is compared to.
BELOW, ABOVE = 0.5, 2.0
FLAG = re.compile(r"\?(\w+)")
NOT_EQUAL = re.compile(r'\?(\w+) (?:!=|<>) "([\w-]+)"')
NOT_IN = re.compile(r'(?:LCASE\()?\?(\w+)\)? NOT IN \("([\w-]+)"[^)]*\)')
ONE_OF = re.compile(r"\?(\w+) IN \(([^)]*)\)")
COMPARED = re.compile(r"\?(\w+) (>=|<=|>|<) \?(\w+)")
BEYOND = re.compile(r"\?(\w+) > (\d+)")


def generated(rule: CompiledRule, design: Design, subject: Subject) -> Iterator[tuple[str, list[Edit]]]:
    """What to break about one subject that passes, in words and as edits; nothing where the judgement is no simple one."""
    judge = " ".join(rule.texts.judge.split())
    for form, make in FORMS:
        found = form.fullmatch(judge)
        if found:
            for word, value in make(rule, design, subject, found):
                edit = _edit(rule, design, subject, word, value)
                if edit is not None:
                    yield f"{'/'.join(map(str, edit.path))} = {value}", [edit]
                    return
            return


def _edit(rule: CompiledRule, design: Design, subject: Subject, word: str, value: str) -> Edit | None:
    if not _stated(rule, design, subject, word):
        return None
    ends = list(subject.follow(rule.paths[word]))
    try:
        placed = Places(design, lambda _: True).set(*ends[0], value)
    except EditRefused:
        return None
    return placed.edit if placed.document is design.document else None


def _stated(rule: CompiledRule, design: Design, subject: Subject, word: str) -> bool:
    """Whether a design states the word, in one place."""
    ends = list(subject.follow(rule.paths[word]))
    return len(ends) == 1 and _word(design.engine, *ends[0]).form not in ("derived", "followed")


def _word(engine: Engine, subject: Subject, name: str) -> Word:
    return engine.vocabulary.classes[subject.cls][name]


def _flag(rule: CompiledRule, design: Design, subject: Subject, found: re.Match[str]) -> Iterator[tuple[str, str]]:
    yield found[1], "false"


def _refused(rule: CompiledRule, design: Design, subject: Subject, found: re.Match[str]) -> Iterator[tuple[str, str]]:
    yield found[1], f'"{found[2]}"'


def _other(rule: CompiledRule, design: Design, subject: Subject, found: re.Match[str]) -> Iterator[tuple[str, str]]:
    """A value that the vocabulary allows and the rule does not."""
    for end, name in subject.follow(rule.paths[found[1]]):
        for value in _word(design.engine, end, name).allowed or ():
            if f'"{value}"' not in found[2]:
                yield found[1], str(value)
                return


def _small(rule: CompiledRule, design: Design, subject: Subject, found: re.Match[str]) -> Iterator[tuple[str, str]]:
    yield found[1], found[2]


def _compared(rule: CompiledRule, design: Design, subject: Subject, found: re.Match[str]) -> Iterator[tuple[str, str]]:
    """The left side beyond the right one, or else the right one beyond the left."""
    left, sign, right = found.groups()
    down, up = (BELOW, ABOVE) if sign[0] == ">" else (ABOVE, BELOW)
    for word, other, factor in ((left, right, down), (right, left, up)):
        value, kind = _value(rule, subject, other)
        if word in rule.paths and isinstance(value, int | float | str) and _stated(rule, design, subject, word):
            yield word, _spelled(design.engine, subject, rule, word, value, kind, factor)


def _value(rule: CompiledRule, subject: Subject, word: str) -> tuple[Any, str]:
    if word in rule.texts.limits:
        limit = rule.texts.limits[word]
        return limit.value, limit.kind
    if word not in rule.paths:
        return None, ""
    facts = [one.facts.get(name) for one, name in subject.follow(rule.paths[word])]
    return (facts[0] if len(facts) == 1 else None), rule.kind(word)


def _spelled(
    engine: Engine, subject: Subject, rule: CompiledRule, word: str, value: Any, kind: str, factor: float
) -> str:
    if isinstance(value, str):  # dates: a year off
        return f"{int(value[:4]) + (1 if factor > 1 else -1)}{value[4:]}"
    known = next((_word(engine, *end) for end in subject.follow(rule.paths[word])), None)
    kind, moved = (known.kind if known else kind), value * factor
    for edge in (known.least, known.most) if known else ():  # no further than the language allows
        if edge is not None and min(value, moved) < edge < max(value, moved):
            moved = (value + edge) / 2
    if kind == "Count":
        moved = int(moved)
    return engine.vocabulary.units.format(moved, kind, digits=9)


FORMS: tuple[tuple[re.Pattern[str], Callable[..., Iterator[tuple[str, str]]]], ...] = (
    (FLAG, _flag),
    (NOT_EQUAL, _refused),
    (NOT_IN, _refused),
    (ONE_OF, _other),
    (COMPARED, _compared),
    (BEYOND, _small),
)
