"""
Rules that ask one question of every number that a design states, instead of one rule for each word.

In: the graph with all that follows. Out: a judgement for each number at fault, and one that passes where others were asked.
The ranges, the twins of words and what may be configured are data of the ontology; here is only how they are compared.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from designlint.findings.model import Verdict
from designlint.graph.certainty import certainty
from designlint.judging import overrides
from designlint.judging.judgement import Judgement
from designlint.judging.questions import Question, WordFault, display_fact, stated_words, text
from designlint.language.kinds import Side
from designlint.language.sentences import cut
from designlint.language.values import is_number
from designlint.language.words import Ratio, basis

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from designlint.graph.asking import AskedGraph
    from designlint.graph.subjects import Graph, Subject
    from designlint.judging.questions import Answers
    from designlint.language.vocabulary import Vocabulary
    from designlint.rules.rule import CompiledRule

#: Types of a number that is no truth value.
NUMBERS = (int, float)
#: Sides on which what is computed is certain.
BOUNDS = (Side.LOWER, Side.UPPER)
#: Facts of a calculation that a message names.
MOST_NAMED = 4


def judge(rule: CompiledRule, asked: AskedGraph) -> list[Judgement]:
    """The answers of a rule about all numbers, in the order of the design."""
    graph, question, order = asked.graph, QUESTIONS[rule.sweep], asked.order
    wanted = question.words(graph.vocabulary).items()
    answers = list(chain.from_iterable(
        question.ask(rule, subject, words, graph) for cls, words in wanted for subject in graph.by_class.get(cls, ())
    ))  # fmt: skip
    found = _failed_judgements(rule, answers)
    found.sort(key=lambda one: (order[one.subject.path], one.word))
    return found or ([Judgement(rule, graph.root, Verdict.PASS, {})] if answers else [])


def judge_subject(rule: CompiledRule, subject: Subject, graph: Graph) -> list[Judgement]:
    """What a rule about all numbers says of those of one subject: what is wrong, or that nothing is."""
    question = QUESTIONS[rule.sweep]
    asked = question.words(graph.vocabulary)
    every = (question.ask(rule, subject, asked[cls], graph) for cls in subject.kinds if cls in asked)
    return _failed_judgements(rule, chain.from_iterable(every)) or [Judgement(rule, subject, Verdict.PASS, {})]


def _failed_judgements(rule: CompiledRule, answers: Iterable[WordFault | None]) -> list[Judgement]:
    return [Judgement(rule, one.subject, Verdict.FAIL, one.values, one.word) for one in answers if one is not None]


@cache
def reading(sweep: str, vocabulary: Vocabulary) -> Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]:
    """By word the ways, each from a class, by which the answers to a question about all numbers read it."""
    question, found = QUESTIONS[sweep], defaultdict[str, list[tuple[str, tuple[str, ...]]]](list)
    for cls, words in question.words(vocabulary).items():
        for name, data in words.items():
            for path in ((name,), *question.reads(data)):
                found[path[-1]].append((cls, path))
    return found


def judge_seen(_: CompiledRule, subject: Subject, words: Mapping[str, Any], graph: Graph) -> Answers:
    """Whether each stated number lies where numbers of its word have been seen."""
    inside = False
    for name in stated_words(subject, words):
        fact, (by, _, least, most, _) = subject.facts[name], words[name][0]
        if not by and type(fact) in NUMBERS and least <= fact <= most:  # nearly all: wirings have a hundred thousand
            inside = True
            continue
        for value in fact if isinstance(fact, list) else [fact]:
            if is_number(value):
                yield _outside(subject, name, value, graph.vocabulary)
    if inside:
        yield None


def _outside(subject: Subject, name: str, value: Any, vocabulary: Vocabulary) -> WordFault | None:
    """What to say of a value outside the range that applies; None where it lies inside or there is no range."""
    ranges = list(vocabulary.seen_of(subject.cls, name))
    known = next((one for one in ranges if one.applies(subject.facts)), None)
    word, units = vocabulary.classes[subject.cls][name], vocabulary.units
    if known is None or known.least <= value <= known.most or (word.kind, word.least, value) == ("Count", 0, 0):
        return None  # of what a design may count as 0, there is none
    from designlint.language.slips import slip

    kind, spelt = word.kind, text(subject, name, value, vocabulary)
    meant, only = slip(spelt, kind, units, known.least, known.most, word.example)
    if any(one.by and one.least <= value <= one.most for one in ranges):  # the kind of part may be the slip as well
        meant, only = "", False
    if meant and word.digits:
        meant = str(units.parse(meant, kind))
    return WordFault(subject, name, {
        "word": name,
        "value": spelt,
        "least": units.format(known.least, kind),
        "most": units.format(known.most, kind),
        "basis": known.basis,
        "about": f" for {known.value}" if known.value else "",
        "meant": f". Was {meant} meant?" if meant else "",
        "slip": meant if only else None,
        "source": known.source,
    })  # fmt: skip


def _kinds(ranges: Sequence[Sequence[Any]]) -> Iterator[tuple[str, ...]]:
    """The ways to what decides which range applies."""
    return ((one[0],) for one in ranges if one[0])


def ratios(_: CompiledRule, subject: Subject, words: Mapping[str, Any], graph: Graph) -> Answers:
    """
    Whether what each stated number comes to per another one lies where such ratios have been seen.

    Of several for one kind of part, the first is asked; where there is one, that of all kinds is not asked as well.
    """
    for name in stated_words(subject, words):
        every = [Ratio(*data) for data in words[name]]
        fitting = (known for known in every if known.by and subject.facts.get(known.by) == known.value)
        asked: dict[str, Ratio] = {}
        for known in (*fitting, *(known for known in every if not known.by)):
            asked.setdefault(known.path, known)
        for known in asked.values():
            yield from _ratio(subject, name, known, graph.vocabulary)


def _others(ratios: Sequence[Sequence[Any]]) -> Iterator[tuple[str, ...]]:
    """The ways to the other numbers, and to what decides which ratio applies."""
    for known in (Ratio(*one) for one in ratios):
        yield tuple(known.path.split("/"))
        if known.by:
            yield (known.by,)


def _ratio(subject: Subject, name: str, known: Ratio, vocabulary: Vocabulary) -> Answers:
    """What to say of one ratio; against a lower bound a number is never too large, against an upper bound never too small."""
    path = tuple(known.path.split("/"))
    own: Any = subject.facts.get(name)
    ends = [(end.facts.get(word), end, word) for end, word in subject.follow(path)]
    if len(ends) != 1 or not is_number(own) or not is_number(ends[0][0]) or not ends[0][0]:
        return
    other: Any = ends[0][0]
    ratio, side = own / other, certainty(*ends[0][1:], vocabulary).side
    if (side is Side.UPPER or known.least <= ratio) and (side is Side.LOWER or ratio <= known.most):
        yield None
        return
    kind, units = vocabulary.classes[subject.cls][name].kind, vocabulary.units
    told = vocabulary.classes[ends[0][1].cls][ends[0][2]].kind
    share = "Ratio" if kind in ("Count", told) else kind
    amount, of = units.format(ratio * known.each, share), f"`{path[-1]}` ({units.format(other, told)})"
    many = "" if known.each == 1 else f"{units.format(known.each, told)} of "
    yield WordFault(subject, name, {
        "word": name,
        "value": text(subject, name, own, vocabulary),
        "proportion": f"{amount} times {of}" if kind == told else f"{amount} for each {many}{of}",
        "least": units.format(known.least * known.each, share),
        "most": units.format(known.most * known.each, share),
        "basis": basis(known.source),
        "source": known.source,
    })  # fmt: skip


def judge_counted(rule: CompiledRule, subject: Subject, words: Mapping[str, Any], graph: Graph) -> Answers:
    """Whether each stated number may be what the rest of the design counts, bounds, or makes it within a factor."""
    return _compare_words(subject, words, graph.vocabulary, rule.limits["factor"], certain=True)


def judge_computed(rule: CompiledRule, subject: Subject, words: Mapping[str, Any], graph: Graph) -> Answers:
    """Whether each stated number is, within its tolerance, what the rest of the design makes it."""
    return _compare_words(subject, words, graph.vocabulary, rule.limits["factor"], certain=False)


def _twin(twin: tuple[tuple[str, ...], float]) -> Iterator[tuple[str, ...]]:
    """The way to what the design makes of a number."""
    yield twin[0]


def _compare_words(
    subject: Subject, words: Mapping[str, Any], vocabulary: Vocabulary, factor: float, *, certain: bool
) -> Answers:
    """What is said of words by what follows: certain where there is no tolerance, beyond a factor, or beside a bound."""
    for name in stated_words(subject, words):
        path, tolerance = words[name]
        own = subject.facts.get(name)
        for end, word in subject.follow(path):
            made, kind = end.facts.get(word), certainty(end, word, vocabulary)
            if not is_number(own) or not is_number(made):
                continue
            loose = bool(tolerance) and kind.side is Side.EXACT
            if not loose and (not tolerance or kind.side in BOUNDS) is not certain:
                continue
            fine = _agrees(own, made, tolerance, kind) or (loose and _far(own, made, factor) is not certain)
            yield None if fine else _contradiction(subject, name, end, word, vocabulary)


def _far(stated: Any, made: Any, factor: float) -> bool:
    """Whether a stated number differs from what is computed by more than a factor."""
    return bool(stated * factor < abs(made) or stated > abs(made) * factor)


def _agrees(stated: Any, made: Any, tolerance: float, kind: Any) -> bool:
    """Whether a stated number may be what is computed, which is exact, a bound or an estimate."""
    slack = max(tolerance, kind.error or 0) if kind.side is Side.ESTIMATE else tolerance
    most, least = abs(made) * (1 + slack), abs(made) * (1 - slack if kind.side is Side.ESTIMATE else 1 / (1 + slack))
    return (kind.side is Side.LOWER or stated <= most) and (kind.side is Side.UPPER or stated >= least)


def _contradiction(subject: Subject, name: str, end: Subject, word: str, vocabulary: Vocabulary) -> WordFault:
    kind, units = vocabulary.classes[subject.cls][name].kind, vocabulary.units
    made: Any = end.facts[word]
    spelt, origin = text(subject, name, subject.facts[name], vocabulary), end.origins[word]
    told = [_phrase(one, last, vocabulary) for one, last in origin.inputs]
    return WordFault(subject, name, {
        "word": name,
        "value": spelt,
        "computed": " ".join(filter(None, (certainty(end, word, vocabulary).label, units.format(made, kind)))),
        "calculation": f" ({cut(told, MOST_NAMED)})" if told else "",
        "exact": units.like(made, kind, spelt),
    })  # fmt: skip


def _phrase(subject: Subject, word: str, vocabulary: Vocabulary) -> str:
    """A fact of a calculation as its message names it."""
    fact, kind = subject.facts.get(word), vocabulary.classes[subject.cls][word].kind
    if isinstance(fact, list):
        told = " + ".join(display_fact(one, kind, vocabulary) for one in fact[:MOST_NAMED])
        return f"{word} {told}{' + ...' if len(fact) > MOST_NAMED else ''}"
    return f"{word} {display_fact(fact, kind, vocabulary)}"


#: What stands as `judge` in a rule about all numbers.
QUESTIONS: Mapping[str, Question] = {
    "every-number seen": Question(lambda vocabulary: vocabulary.seen, _kinds, judge_seen),
    "every-number in-proportion": Question(lambda vocabulary: vocabulary.ratios, _others, ratios),
    "every-number counted": Question(lambda vocabulary: vocabulary.twins, _twin, judge_counted),
    "every-number computed": Question(lambda vocabulary: vocabulary.twins, _twin, judge_computed),
    "every-number catalogued": Question(overrides.words, overrides.reads, overrides.compare_catalogue),
    "every-number impossible": Question(overrides.words, overrides.reads, overrides.impossible),
}
