"""
Rules that ask one question of every number that a design states, instead of one rule for each word.

In: the graph with all that follows. Out: a judgement for each number at fault, and one that passes where others were asked.
The ranges, the twins of words and what may be configured are data of the ontology; here is only how they are compared.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.findings.model import Verdict
from designlint.graph.certainty import certainty
from designlint.graph.subjects import Subject
from designlint.judging.judgement import Judgement
from designlint.language.kinds import Side
from designlint.language.vocabulary import Ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from designlint.graph.store import Store
    from designlint.graph.subjects import Graph
    from designlint.language.vocabulary import Vocabulary
    from designlint.rules.rule import CompiledRule

#: Types of a number that is no truth value.
NUMBERS = (int, float)
#: Sides on which what is computed is certain.
BOUNDS = (Side.LOWER, Side.UPPER)
#: Facts of a calculation that a message names.
MOST_NAMED = 4


class Answer(NamedTuple):
    """What is said of one word of a subject; `values` are the words of the message, none where it is as it should be."""

    subject: Subject
    word: str
    values: dict[str, Any] | None


def judge(rule: CompiledRule, store: Store) -> list[Judgement]:
    """The answers of a rule about all numbers, in the order of the design."""
    answers = list(QUESTIONS[rule.sweep](rule, store.graph))
    order = store.order
    failed = [one for one in answers if one.values is not None]
    failed.sort(key=lambda one: (order[one.subject.path], one.word))
    found = [Judgement(rule, one.subject, Verdict.FAIL, one.values or {}, one.word) for one in failed]
    if answers and not found:
        found.append(Judgement(rule, store.graph.root, Verdict.PASS, {}))
    return found


def seen(_: CompiledRule, graph: Graph) -> Iterator[Answer]:
    """Whether each stated number lies where numbers of its word have been seen."""
    vocabulary, inside = graph.vocabulary, None
    for cls, words in vocabulary.seen.items():
        for subject in graph.by_class.get(cls, ()):
            for name in _stated(subject, words):
                fact, (by, _, least, most, _) = subject.facts[name], words[name][0]
                if (
                    not by and type(fact) in NUMBERS and least <= fact <= most
                ):  # nearly all: wirings have a hundred thousand
                    inside = subject, name
                    continue
                for value in fact if isinstance(fact, list) else [fact]:
                    if _number(value):
                        yield Answer(subject, name, _outside(subject, name, value, vocabulary))
    if inside is not None:
        yield Answer(*inside, None)


def _outside(subject: Subject, name: str, value: Any, vocabulary: Vocabulary) -> dict[str, Any] | None:
    """What to say of a value outside the range that applies; None where it lies inside or there is no range."""
    fitting = (one for one in vocabulary.seen_of(subject.cls, name) if one.applies(subject.facts))
    known = next(fitting, None)
    if known is None or known.least <= value <= known.most:
        return None
    from designlint.language.slips import slip

    word, units = vocabulary.classes[subject.cls][name], vocabulary.units
    kind, text = word.kind, _text(subject, name, value, vocabulary)
    meant = slip(text, kind, units, known.least, known.most, word.example)
    return {
        "word": name,
        "value": text,
        "least": units.format(known.least, kind),
        "most": units.format(known.most, kind),
        "about": f" for {known.value}" if known.value else "",
        "meant": f". Was {meant} meant?" if meant else "",
        "source": known.source,
    }


def ratios(_: CompiledRule, graph: Graph) -> Iterator[Answer]:
    """Whether what each stated number comes to per another one lies where such ratios have been seen."""
    vocabulary = graph.vocabulary
    for cls, words in vocabulary.ratios.items():
        for subject in graph.by_class.get(cls, ()):
            for name in _stated(subject, words):
                for data in words[name]:
                    yield from _ratio(subject, name, Ratio(*data), vocabulary)


def _ratio(subject: Subject, name: str, known: Ratio, vocabulary: Vocabulary) -> Iterator[Answer]:
    path = tuple(known.path.split("/"))
    stated: Any = subject.facts.get(name)
    ends = [(end.facts.get(last), end, last) for end, last in subject.follow(path)]
    if len(ends) != 1 or not _number(stated) or not _number(ends[0][0]) or not ends[0][0]:
        return
    other: Any = ends[0][0]
    ratio = stated / other
    if known.least <= ratio <= known.most:
        yield Answer(subject, name, None)
        return
    kind, units = vocabulary.classes[subject.cls][name].kind, vocabulary.units
    told = vocabulary.classes[ends[0][1].cls][ends[0][2]].kind
    share = "Ratio" if kind in ("Count", told) else kind
    amount, of = units.format(ratio * known.each, share), f"`{path[-1]}` ({units.format(other, told)})"
    many = "" if known.each == 1 else f"{units.format(known.each, told)} of "
    yield Answer(subject, name, {
        "word": name,
        "value": _text(subject, name, stated, vocabulary),
        "proportion": f"{amount} times {of}" if kind == told else f"{amount} for each {many}{of}",
        "least": units.format(known.least * known.each, share),
        "most": units.format(known.most * known.each, share),
        "source": known.source,
    })  # fmt: skip


def counted(_: CompiledRule, graph: Graph) -> Iterator[Answer]:
    """Whether each stated number that is counted in one way only, or bounded, is what the rest of the design makes it."""
    return _compared(graph, certain=True)


def computed(_: CompiledRule, graph: Graph) -> Iterator[Answer]:
    """Whether each stated number is, within its tolerance, what the rest of the design makes it."""
    return _compared(graph, certain=False)


def _compared(graph: Graph, *, certain: bool) -> Iterator[Answer]:
    vocabulary = graph.vocabulary
    for cls, words in vocabulary.twins.items():
        for subject in graph.by_class.get(cls, ()):
            for name in _stated(subject, words):
                yield from _twins(subject, name, *words[name], vocabulary, certain=certain)


def _twins(
    subject: Subject, name: str, path: tuple[str, ...], tolerance: float, vocabulary: Vocabulary, *, certain: bool
) -> Iterator[Answer]:
    """What is said of a word by what follows: certain where there is no tolerance, or what follows is a bound."""
    stated = subject.facts.get(name)
    for end, word in subject.follow(path):
        made, kind = end.facts.get(word), certainty(end, word, vocabulary)
        if not _number(stated) or not _number(made) or (not tolerance or kind.side in BOUNDS) is not certain:
            continue
        agrees = _agrees(stated, made, tolerance, kind)
        yield Answer(subject, name, None if agrees else _contradiction(subject, name, end, word, vocabulary))


def _agrees(stated: Any, made: Any, tolerance: float, kind: Any) -> bool:
    """Whether a stated number may be what is computed, which is exact, a bound or an estimate."""
    slack = max(tolerance, kind.error or 0) if kind.side is Side.ESTIMATE else tolerance
    most, least = abs(made) * (1 + slack), abs(made) * (1 - slack)
    return (kind.side is Side.LOWER or stated <= most) and (kind.side is Side.UPPER or stated >= least)


def _contradiction(subject: Subject, name: str, end: Subject, word: str, vocabulary: Vocabulary) -> dict[str, Any]:
    kind, units = vocabulary.classes[subject.cls][name].kind, vocabulary.units
    made: Any = end.facts[word]
    text, origin = _text(subject, name, subject.facts[name], vocabulary), end.origins[word]
    told = [_told(one, last, vocabulary) for one, last in origin.inputs]
    more = f" and {len(told) - MOST_NAMED} more" if len(told) > MOST_NAMED else ""
    return {
        "word": name,
        "value": text,
        "computed": " ".join(filter(None, (certainty(end, word, vocabulary).told, units.format(made, kind)))),
        "calculation": f" ({', '.join(told[:MOST_NAMED])}{more})" if told else "",
        "exact": units.like(made, kind, text),
    }


def _told(subject: Subject, word: str, vocabulary: Vocabulary) -> str:
    """A fact of a calculation as its message names it."""
    fact, kind = subject.facts.get(word), vocabulary.classes[subject.cls][word].kind
    if isinstance(fact, list):
        shown = " + ".join(_shown(one, kind, vocabulary) for one in fact[:MOST_NAMED])
        return f"{word} {shown}{' + ...' if len(fact) > MOST_NAMED else ''}"
    return f"{word} {_shown(fact, kind, vocabulary)}"


def _shown(fact: Any, kind: str, vocabulary: Vocabulary) -> str:
    from designlint.rules.wording import plain

    return plain(fact, kind, vocabulary.units)


def catalogued(rule: CompiledRule, graph: Graph) -> Iterator[Answer]:
    """Whether the figures that a design states beside a catalogue name are those of the part."""
    for subject, name, figure, entry in _overridden(graph):
        limits, latitude = rule.texts.limits, graph.vocabulary.classes[subject.cls][name].latitude
        off = _deviation(subject, name, figure, graph.vocabulary)
        at_fault = off > limits["slack"].value and not (latitude == "fixed" and off >= limits["factor"].value - 1)
        yield Answer(subject, name, _override(subject, name, figure, entry, graph.vocabulary) if at_fault else None)


def impossible(rule: CompiledRule, graph: Graph) -> Iterator[Answer]:
    """Whether a figure that a part is known by is, but for variants sold under its name, that of the part."""
    for subject, name, figure, entry in _overridden(graph):
        if graph.vocabulary.classes[subject.cls][name].latitude == "fixed":
            at_fault = _deviation(subject, name, figure, graph.vocabulary) >= rule.texts.limits["factor"].value - 1
            yield Answer(subject, name, _override(subject, name, figure, entry, graph.vocabulary) if at_fault else None)


def _overridden(graph: Graph) -> Iterator[tuple[Subject, str, Any, str]]:
    """The figures of named parts that a design states itself and a buyer does not choose."""
    for cls, entries in graph.vocabulary.catalog.items():
        for subject in graph.by_class.get(cls, ()):
            model = subject.facts.get("model")
            if isinstance(model, str) and model in entries:
                yield from _stated_otherwise(subject, entries[model]["figures"], model, graph.vocabulary)


def _stated_otherwise(
    subject: Subject, figures: Mapping[str, Any], entry: str, vocabulary: Vocabulary
) -> Iterator[tuple[Subject, str, Any, str]]:
    for name, figure in figures.items():
        part = subject.facts.get(name)
        if isinstance(figure, dict) and isinstance(part, Subject):
            yield from _stated_otherwise(part, figure, entry, vocabulary)
        elif _is_stated(subject, name) and vocabulary.classes[subject.cls][name].latitude != "chosen":
            yield subject, name, figure, entry


def _stated(subject: Subject, words: Mapping[str, Any]) -> Iterator[str]:
    """Those of some words that the design states of a subject."""
    return (name for name in words if name in subject.facts and _is_stated(subject, name))


def _is_stated(subject: Subject, name: str) -> bool:
    origin = subject.origins.get(name)
    return origin is not None and origin.how == "stated"


def _text(subject: Subject, name: str, value: Any, vocabulary: Vocabulary) -> str:
    """A stated value as its file spells it; in its unit where it was changed since."""
    word, units, node = vocabulary.classes[subject.cls][name], vocabulary.units, subject.keys.get(name)
    spelt = node.text if node is not None and node.kind == "scalar" else ""
    if not _number(value):
        return spelt or _shown(value, word.kind, vocabulary)
    same = spelt and units.parse(spelt, word.kind) == value
    return spelt if same else units.like(value, word.kind, spelt or word.example)


def _deviation(subject: Subject, name: str, figure: Any, vocabulary: Vocabulary) -> float:
    """By which share the larger of the stated and the catalogue's figure exceeds the other; of other values 0 or infinity."""
    stated: Any = subject.facts.get(name)
    word = vocabulary.classes[subject.cls][name]
    if _number(stated) and _number(figure):
        least, most = sorted((abs(stated), abs(figure)))
        return most / least - 1 if least else float(most > 0) * inf
    if word.form == "catalog" and isinstance(stated, str):
        own, other = (vocabulary.catalogued(word.kind, str(one)) for one in (stated, figure))
        return inf if own and other and own != other else 0
    return 0


def _override(subject: Subject, name: str, figure: Any, entry: str, vocabulary: Vocabulary) -> dict[str, Any]:
    kind, text = vocabulary.classes[subject.cls][name].kind, _text(subject, name, subject.facts.get(name), vocabulary)
    exact = vocabulary.units.like(figure, kind, text) if _number(figure) else str(figure)
    return {"word": name, "value": text, "entry": entry, "figure": _shown(figure, kind, vocabulary), "exact": exact}


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


#: What stands as `judge` in a rule about all numbers.
QUESTIONS: dict[str, Callable[[CompiledRule, Graph], Iterator[Answer]]] = {
    "every-number seen": seen,
    "every-number in-proportion": ratios,
    "every-number counted": counted,
    "every-number computed": computed,
    "every-number catalogued": catalogued,
    "every-number impossible": impossible,
}
