"""Unstated assumptions of a finding, in words; such a finding is a note at most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.expressions.condition import condition
from designlint.expressions.evaluation import evaluate, of_values, plain
from designlint.expressions.tree import WordNode, collect_names, conjuncts
from designlint.graph.assumptions import assumptions, deciding
from designlint.graph.subjects import Subject
from designlint.judging import leeway
from designlint.language.sentences import cut
from designlint.rules import wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from designlint.judging.judgement import Judgement
    from designlint.language.vocabulary import Vocabulary
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule

#: Maximum number of words that a message names.
MOST_NAMED = 3


def doubts_of(judgement: Judgement, engine: Engine) -> str:
    """What a failed judgement assumes; empty if it is certain."""
    return _list_assumed(judgement, engine) or _left_open(judgement, engine)


def sure_words(rule: CompiledRule) -> list[str]:
    """The words that a rule needs to be certain."""
    sure = rule.texts.sure
    return [] if sure is None else [path[-1] for _, _, _, *path in sure["words"].values()]


def deciding_words(rules: Iterable[CompiledRule], vocabulary: Vocabulary) -> set[str]:
    """The words on which the answers of some rules rest, and how certain they are."""
    read = {word for rule in rules for word in (*rule.words, *sure_words(rule))}
    return read | deciding(vocabulary)


def _list_assumed(judgement: Judgement, engine: Engine) -> str:
    """The defaults of the language that it depends on."""
    rule, subject = judgement.rule, judgement.subject
    ends = [end for name in rule.needs if name in rule.paths for end in subject.follow(rule.paths[name])]
    if rule.select:
        own = (subject, *(fact for fact in subject.facts.values() if isinstance(fact, Subject)))
        ends += [(one, word) for one in own for word in one.facts.keys() & rule.words]
    if judgement.word:
        ways = (
            engine.vocabulary.twins[cls].get(judgement.word) for cls in subject.kinds if cls in engine.vocabulary.twins
        )
        ends += [end for twin in ways if twin for end in subject.follow(twin[0])]
    found = assumptions(ends, engine.vocabulary)
    if not found or leeway.fails_surely(judgement, engine):
        return ""
    units = engine.vocabulary.units
    told = [
        f"{word} {wording.plain(one.facts[word], engine.vocabulary.word(one.cls, (word,)).kind, units)}"
        for one, word in found
    ]
    return f"; this assumes {_list_doubts(told)}, not stated in the design"


def _left_open(judgement: Judgement, engine: Engine) -> str:
    """Words that the rule needs to be certain and that the design does not state."""
    data = judgement.rule.texts.sure
    if data is None:
        return ""
    wanted = condition(judgement.rule.about, data)
    words = {name: one for name, one in wanted.names.items() if isinstance(one, WordNode)}
    subject, vocabulary = judgement.subject, engine.vocabulary
    stated = {name: value for name, one in words.items() for value in _stated_values(subject, one.path, vocabulary)}
    unmet = [one for one in conjuncts(wanted.judge) if evaluate(one, stated, of_values) is not True]
    if not unmet:
        return ""
    asked = [name for one in unmet for name in collect_names(one) if name in words]
    left = [name for name in asked if name not in stated]
    written = [name for name in left if vocabulary.word(subject.cls, words[name].path).written]
    told = written or [name for name in asked if _is_supplied(subject, words[name].path)] or left
    return f"; the design does not state {_list_doubts([f'`{name}`' for name in told], ' or ')}"


def _is_supplied(subject: Subject, path: tuple[str, ...]) -> bool:
    """Whether the catalogue supplies the value at the end of a path, not the design."""
    origins = [end.origins.get(word) for end, word in subject.follow(path) if word in end.facts]
    return any(one is not None and one.how == "catalog" for one in origins)


def _stated_values(subject: Subject, path: tuple[str, ...], vocabulary: Vocabulary) -> Iterator[Any]:
    """The value at the end of a path, where there is one that is no default of the language; of a list its first."""
    ends = [(end, word) for end, word in subject.follow(path) if word in end.facts]
    if len(ends) == 1 and not _open(*ends[0], vocabulary):
        fact = ends[0][0].facts[ends[0][1]]
        yield plain(fact[0] if isinstance(fact, list) and fact else fact)


def _open(subject: Subject, word: str, vocabulary: Vocabulary) -> bool:
    """Whether a fact stands for what the design could state and does not."""
    origin = subject.origins.get(word)
    if origin is not None and origin.how == "followed":
        return all(_open(*one, vocabulary) for one in origin.inputs)
    if origin is not None and origin.how == "derived":
        return vocabulary.classes[subject.cls][word].written
    return origin is None or origin.how == "default"


def _list_doubts(told: list[str], between: str = ", ") -> str:
    return cut(list(dict.fromkeys(told)), MOST_NAMED, between)
