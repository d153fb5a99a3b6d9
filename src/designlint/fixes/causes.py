"""One cause, one finding: what the fix of another finding mends as well, or what judges the same value, is a consequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.expressions.tree import Operation, WordNode
from designlint.findings.model import Problem
from designlint.judging.findings import spot
from designlint.language.values import is_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.expressions.tree import Node
    from designlint.findings.model import Finding
    from designlint.graph.subjects import Subject
    from designlint.judging.judge import Fault
    from designlint.reading.location import Location


#: Findings of one rule against one stated value from which on that value is the likelier slip.
MANY = 3


def spell_key(finding: Finding) -> str:
    """The key of a finding as one text."""
    return "\n".join(finding.key)


def with_causes(faults: Sequence[Fault]) -> list[Finding]:
    """
    The findings, each that is a consequence with what causes it.

    That is a finding no less severe whose proven fix mends this one, too; of two that mend each other the one counts whose
    fix mends more, then the first. Or it is one no less severe that compares the very value at which this one stands,
    or the first of many that one rule holds against the same stated value of another part.
    """
    mended = _index_cured([one.finding for one in faults])
    heads = {key: one for key, one in mended.items() if spell_key(one) not in mended}
    causes = [heads.get(spell_key(one.finding)) for one in faults]
    taken = {spell_key(one) for one in heads.values()}
    alone = [at for at, one in enumerate(faults) if causes[at] is None and one.finding.accepted is None]
    for at, head in _of_one_value(faults, alone):
        if spell_key(faults[at].finding) not in taken:
            causes[at] = head
    for at, head in _of_one_limit(faults, [at for at in alone if causes[at] is None]):
        if spell_key(faults[at].finding) not in taken:
            causes[at] = head
    pairs = zip(faults, causes, strict=True)
    return [
        one.finding if head is None else replace(one.finding, caused_by=(head.rule, head.subject))
        for one, head in pairs
    ]


def _index_cured(found: Sequence[Finding]) -> dict[str, Finding]:
    """By key, the finding whose fix mends it."""
    known = {spell_key(one): one for one in found}
    causing = [one for one in found if one.fixes and one.fixes[0].proven and one.fixes[0].resolves > 1]
    causing.sort(key=lambda one: (one.severity.rank, -one.fixes[0].resolves))
    caused: dict[str, Finding] = {}
    for one in causing:
        own = spell_key(one)
        for key in one.fixes[0].cures if own not in caused else ():
            other = known.get(key)
            if other is not None and key != own and key not in caused and other.severity.rank >= one.severity.rank:
                caused[key] = one
    return caused


def _of_one_value(faults: Sequence[Fault], alone: Sequence[int]) -> Iterator[tuple[int, Finding]]:
    """Findings by number, with the most severe one that compares the value at which they stand; the first, if none is more so."""
    first: dict[Location, Finding] = {}
    ordered = sorted(alone, key=lambda at: (faults[at].finding.severity.rank, _about_numbers(faults[at])))
    for at in ordered:
        head = first.get(faults[at].finding.location)
        if head is not None:
            yield at, head
        for place in _compared_locations(faults[at]) if head is None else ():
            first.setdefault(place, faults[at].finding)


def _of_one_limit(faults: Sequence[Fault], alone: Sequence[int]) -> Iterator[tuple[int, Finding]]:
    """Findings by number, with the first of many by the same rule that miss one value, stated elsewhere in their file."""
    groups: dict[tuple[str, Location], list[int]] = {}
    for at in alone:
        finding = faults[at].finding
        for place in dict.fromkeys(_limit_locations(faults[at])):
            if place.file == finding.location.file:
                groups.setdefault((finding.rule, place), []).append(at)
    for group in groups.values():
        head, *rest = group if len(group) >= MANY else (0,)
        yield from ((at, faults[head].finding) for at in rest)


def _limit_locations(fault: Fault) -> Iterator[Location]:
    """Where a value stands, beyond the subject, that a judgement compares by a word that takes one of several."""
    if isinstance(fault.cause, Problem) or fault.cause.rule.condition is None:
        return
    for word in _words(fault.cause.rule.condition.judge):
        for end, name in fault.cause.subject.follow(word.path):
            origin, value = end.origins.get(name), end.facts.get(name)
            for source, taken in origin.inputs if origin is not None and origin.how == "derived" else ():
                if source.facts.get(taken) in (value, (value,)):
                    yield from _stated_locations(source, taken)


def _about_numbers(fault: Fault) -> bool:
    """Whether a rule about all numbers found it, which says less than one about this number."""
    return not isinstance(fault.cause, Problem) and bool(fault.cause.word)


def _compared_locations(fault: Fault) -> Iterator[Location]:
    """Where the values stand that a judgement compares as they are stated, and the number that it finds at fault."""
    if isinstance(fault.cause, Problem):
        return
    judgement, subject = fault.cause, fault.cause.subject
    if judgement.word:
        yield from _stated_locations(subject, judgement.word)
        return
    for end, name in subject.follow(fault.finding.constraint.split("/")):
        if name in end.facts and is_number(end.facts[name]):
            yield from _stated_locations(end, name)
    condition = judgement.rule.condition
    for word in () if condition is None else _words(condition.judge):
        for end, name in subject.follow(word.path):
            yield from _stated_locations(end, name)


def _words(node: Node) -> Iterator[WordNode]:
    """The words of an expression that it does not first compute something from under a name."""
    if isinstance(node, WordNode):
        yield node
    elif isinstance(node, Operation):
        for one in node.arguments:
            yield from _words(one)


def _stated_locations(subject: Subject, word: str) -> Iterator[Location]:
    """Where a word's value stands, here or where its value is followed to; nowhere where it is not one stated value."""
    while (
        word in subject.origins and subject.origins[word].how == "followed" and len(subject.origins[word].inputs) == 1
    ):
        subject, word = subject.origins[word].inputs[0]
    node = subject.keys.get(word)
    if node is not None and node.kind == "scalar":
        yield spot(subject, word)
