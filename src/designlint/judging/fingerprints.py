"""What names a finding from run to run: never a line or a number in a list, but what the design calls things."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from designlint.graph.subjects import Subject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.findings.model import Finding, Problem
    from designlint.judging.judgement import Judgement
    from designlint.language.vocabulary import Vocabulary
    from designlint.reading import Node


def escape_step(text: str) -> str:
    """A text as one step of a path."""
    return text.replace("%", "%25").replace("/", "%2F")


def of_judgement(judgement: Judgement) -> str:
    """What of the subject a failed judgement is about: where the rule points, and which of several it means."""
    rule = judgement.rule
    if judgement.word:
        return judgement.word
    texts = rule.texts
    place = texts.at or next(("/".join(texts.shown.get(name, (name,))) for name in rule.needs), "")
    each = judgement.values.get(texts.each) if texts.each else None
    if each is None:
        return place
    return f"{place}[{escape_step(each.path if isinstance(each, Subject) else str(each))}]"


def identity(subject: Subject, vocabulary: Vocabulary) -> str:
    """The path of a subject with its unnamed list items told by what they state; empty where there are none."""
    told = _designation(subject, vocabulary)
    return "" if told == subject.path else told


def _designation(subject: Subject, vocabulary: Vocabulary) -> str:
    owner = subject.owner
    if owner is None:
        return subject.path
    above = _designation(owner, vocabulary)
    tail = subject.path[len(owner.path) :].strip("/")
    word, _, item = tail.partition("/")
    listed = owner.facts.get(word)
    if item.isdigit() and isinstance(listed, list) and subject.node is not None and "name" not in subject.facts:
        tail = f"{word}/{_by_content(owner, word, vocabulary)[subject]}"
    return f"{above}/{tail}" if above else tail


@lru_cache(maxsize=4)
def _by_content(owner: Subject, word: str, vocabulary: Vocabulary) -> dict[Subject, str]:
    """Each item of a list by as many of its words, in the vocabulary's order, as tell it from the others."""
    listed: Any = owner.facts[word]
    told = dict.fromkeys(listed, "")
    for one in vocabulary.classes[listed[0].cls]:
        shared = Counter(told.values())
        for item, text in told.items():
            stated = _text(item, one) if not text or shared[text] > 1 else None
            if stated is not None:
                told[item] += f"{',' if text else ''}{one}={escape_step(stated)}"
    seen: Counter[str] = Counter()
    for item, text in told.items():
        seen[text] += 1
        told[item] = text + (f"~{seen[text]}" if seen[text] > 1 else "")
    return told


def _text(subject: Subject, word: str) -> str | None:
    node = subject.keys.get(word)
    return node.text if node is not None and node.kind == "scalar" else None


def of_problem(problem: Problem) -> tuple[str, str, str]:
    """Where a fault of text or shape stands: path of the nearest mapping, its identity, and the word below it."""
    steps: list[_PathStep] = []
    node: Node | None = problem.document.root
    while node is not None:
        node = _descend(node, problem.start, problem.end, steps)
    named = max((number for number, one in enumerate(steps, 1) if one.mapping), default=0)
    subject = "/".join(one.name for one in steps[:named])
    told = "/".join(one.told for one in steps[:named])
    return subject, "" if told == subject else told, "/".join(one.told for one in steps[named:])


class _PathStep(Struct, frozen=True):
    """A key or list item on the way to a fault: as a path has it, and told by what it states."""

    name: str
    told: str
    mapping: bool


def _descend(node: Node, start: int, end: int, steps: list[_PathStep]) -> Node | None:
    """The child whose key or value holds a stretch of text; None behind the last one."""
    children: list[tuple[str | int, Node]] = [*node.entries.items(), *enumerate(node.items)]
    for key, child in children:
        if child.merged:
            continue
        first, last = child.alias_site or (child.outer, child.end)
        if (child.key_start if child.key_start >= 0 else first) > start:
            break
        inside = first <= start and end <= last
        if inside or (child.key_start <= start and end <= child.key_end):
            steps.append(_PathStep(*_names(key, child), mapping=inside and child.kind == "map"))
            return child if inside and child.alias_site is None else None
    return None


def _names(key: str | int, child: Node) -> tuple[str, str]:
    """A key twice; the number of an item, with its name or what it states first in the alphabet."""
    if isinstance(key, str):
        return escape_step(key), escape_step(key)
    named = child.entries.get("name")
    if named is not None and named.text:
        return escape_step(named.text), escape_step(named.text)
    told = sorted(f"{word}={one.text}" for word, one in child.entries.items() if one.kind == "scalar")
    return str(key), escape_step(next(iter(told), child.text or str(key)))


def distinct(found: Sequence[Finding]) -> list[Finding]:
    """The findings, those of the same key numbered in their order."""
    seen: Counter[tuple[str, str, str]] = Counter()
    told: list[Finding] = []
    for one in found:
        seen[one.key] += 1
        number = seen[one.key]
        told.append(one if number == 1 else replace(one, constraint=f"{one.constraint}#{number}"))
    return told
