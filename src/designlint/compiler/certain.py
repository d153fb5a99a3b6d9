"""Errors rest on what is certain: a rule of severity `error` fails on exact values, and on bounds from the right side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.compiler.kinds import TOLD
from designlint.compiler.queries import words
from designlint.expressions.certainty import find_doubt
from designlint.expressions.tokens import ExpressionError
from designlint.expressions.tree import WordNode, walk
from designlint.language.kinds import Side

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.compiler.conditions import RuleNames
    from designlint.expressions.tree import Node
    from designlint.language.vocabulary import Vocabulary

APPLIES = "ask for a bound from the other side, make the rule a warning, or state under `certain_when` why it applies"
#: A condition turned round.
NOT = "!({})"
#: What an author can do about it.
CURE = "fail on a bound from the other side, make the rule a warning, or state under `certain` why the fault is certain"


def condition(names: RuleNames, judge: str) -> None:
    """Raise where a condition can be false although the truth is not certain to be."""

    def known(word: WordNode) -> Side:
        return names.vocabulary.word(names.about, word.path).certainty.side

    found = find_doubt(names.condition(judge, "judge"), known)
    if found is not None:
        message = f"an error fails on what is not certain: {_name_node(found, known)}; {CURE}"
        raise names.misplaced(ExpressionError(message, *found.span), "judge")


def applying(names: RuleNames, when: str) -> None:
    """Raise where a rule can apply although it is not certain that it does."""

    def known(word: WordNode) -> Side:
        return names.vocabulary.word(names.about, word.path).certainty.side

    found = find_doubt(names.condition(NOT.format(when), "when"), known) if when else None
    if found is not None:
        message = f"an error applies on what is not certain: {_name_node(found, known)}; {APPLIES}"
        ahead = NOT.index("{")
        raise names.misplaced(ExpressionError(message, *(max(0, at - ahead) for at in found.span)), "when")


def _name_node(node: Node, known: Callable[[WordNode], Side]) -> str:
    sides = {one.name: known(one) for one in walk(node) if isinstance(one, WordNode)}
    return ", ".join(f"`{name}` is {TOLD[side]}" for name, side in sides.items() if side is not Side.EXACT)


def of_query(query: str, vocabulary: Vocabulary) -> str:
    """What is wrong with a query that decides an error: it reads what is not exact; empty where it does not."""
    sides = {
        name: words_of[name].certainty.side
        for words_of in vocabulary.classes.values()
        for name in sorted(words(query) & words_of.keys())
        if words_of[name].certainty.side is not Side.EXACT
    }
    told = ", ".join(f"`{name}` is {TOLD[side]}" for name, side in sides.items())
    return f"an error fails on what is not certain: {told}; {CURE}" if told else ""
