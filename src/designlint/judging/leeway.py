"""What is certain where a design leaves words out: a left-out degree is 1 or more, so that what grows in it is a lower bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.expressions.certainty import CERTAIN, Certainty, certainty
from designlint.expressions.evaluation import evaluate, of_values
from designlint.expressions.operators import Direction
from designlint.expressions.tree import WordNode, conjuncts
from designlint.graph.assumptions import is_assumed
from designlint.language.kinds import Side

if TYPE_CHECKING:
    from designlint.expressions.tree import Node
    from designlint.graph.subjects import Subject
    from designlint.judging.judgement import Judgement
    from designlint.rules.engine import Engine

#: What is certain of a default that is the least value of its word, and of any other.
LEAST, OPEN = Certainty(below=True, above=False), Certainty(below=False, above=False)
SIDES = {CERTAIN: Side.EXACT, LEAST: Side.LOWER, LEAST.turned: Side.UPPER, OPEN: Side.ESTIMATE}


class Leeway:
    """What is certain of the facts of a design, whatever it may still state of what it leaves out."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._known: dict[tuple[Subject, str], Certainty] = {}

    def side(self, subject: Subject, word: str) -> Side:
        """On which side of the truth a fact may lie because of what is left out."""
        return SIDES[self._of(subject, word)]

    def _of(self, subject: Subject, word: str) -> Certainty:
        key = subject, word
        if key not in self._known:
            self._known[key] = self._word_certainty(subject, word)
        return self._known[key]

    def _word_certainty(self, subject: Subject, word: str) -> Certainty:
        origin, vocabulary = subject.origins.get(word), self.engine.vocabulary
        if origin is None:
            return CERTAIN
        if origin.how == "default":
            least = vocabulary.classes[subject.cls][word].least
            given = subject.facts[word]
            bounded = isinstance(given, int | float) and given == least
            return CERTAIN if not is_assumed(subject, word, vocabulary) else LEAST if bounded else OPEN
        if origin.how == "derived":
            return self._step_certainty(subject, origin.step)
        parts = [self._of(*end) for end in origin.inputs]
        return parts[0] if len(parts) == 1 else CERTAIN if all(one == CERTAIN for one in parts) else OPEN

    def _step_certainty(self, subject: Subject, number: int) -> Certainty:
        """What is certain of a result, by the direction in which it answers to each word."""
        plan, found = self.engine.plan, CERTAIN
        for (path, *_), slope in zip(plan.steps[number]["params"], plan.description(number)["slopes"], strict=True):
            for end, word in subject.follow(path) if slope else ():
                if word in end.facts:
                    found = found.join(self._of(end, word).along(Direction(slope)))
        return found


def fails_surely(judgement: Judgement, engine: Engine) -> bool:
    """Whether a judgement that fails does so whatever the design turns out to state of what it leaves out."""
    condition, leeway = judgement.rule.condition, Leeway(engine)
    if condition is None:
        return False
    values: dict[str, Any] = {}
    sides: dict[str, Side] = {}
    for name, word in condition.names.items():
        ends = list(judgement.subject.follow(word.path)) if isinstance(word, WordNode) else []
        sides[name] = leeway.side(*ends[0]) if len(ends) == 1 else Side.ESTIMATE
        if condition.guesses or sides[name] is not Side.ESTIMATE:
            values[name] = judgement.values.get(name)

    def stands(node: Node, *, answer: bool) -> bool:
        sure = certainty(node, lambda word: sides[word.name])
        return (sure.below if answer else sure.above) and evaluate(node, values, of_values) is answer

    applies = () if condition.when is None else conjuncts(condition.when)
    return all(stands(one, answer=True) for one in applies) and any(
        stands(one, answer=False) for one in conjuncts(condition.judge)
    )
