"""Rules for which no known-good design is broken, tried on their own examples: a sound one, and a bad one as its mutation."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from designlint.compiler.examples import of_rule
from designlint.judging.judge import judge_design
from designlint.linting import pipeline
from designlint.reading import read_bytes
from designlint.reading.stretches import replace_nodes
from designlint.running.examples import result

from .harness import Answer, Mutation, compared
from .judged import shipped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.compiler.examples import Example
    from designlint.findings.model import Finding
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule

#: What stands for the name of a known-good design.
BASE = "its own example"
#: The file that it stands in.
FILE = "example/design.yaml"
#: What lies beside the design of an example, and what in a design makes more count than its rules.
BESIDE = {"files", "built", "before", "baseline"}
MORE = ("waivers:", "# designlint:", "extends:", "from:")


def answers(rule: CompiledRule) -> Iterator[Answer]:
    """
    Each bad example of a rule, against what it would be without its fault; none where no example is without it.

    That is the example with its fix made, or one of the good ones, whichever explains most of what else is wrong with it.
    """
    engine = shipped().narrow([rule.id])
    examples = of_rule(rule, engine.vocabulary)
    for example in examples:
        if example.kind == "bad":
            found = _found(example, engine)
            mutation = Mutation(rule.id, BASE, example.why, written=example.design)
            sound = chain(
                _mended(rule.id, example, engine), (_found(one, engine) for one in examples if one.kind == "good")
            )
            tried = [*_until_explained(compared(mutation, was, found) for was in sound)]
            if tried:
                yield min(tried, key=_left_open)


def _until_explained(answers: Iterator[Answer]) -> Iterator[Answer]:
    """The answers up to the first that leaves nothing open."""
    for one in answers:
        yield one
        if _left_open(one) == (False, False, 0):
            return


def _left_open(one: Answer) -> tuple[bool, bool, int]:
    """How far an answer is from one that explains all that is wrong with an example."""
    return not one.detected, not one.sound, len(one.unrelated)


def _found(example: Example, engine: Engine) -> Sequence[Finding]:
    """What an engine finds in an example: as it is checked where more than its design counts, else by its rules alone."""
    if example.stated.keys() & BESIDE or any(word in example.design for word in MORE):
        return result(example, engine).findings
    return judge_design(pipeline.read_design(read_bytes(example.design.encode(), FILE), engine)).findings


def _mended(rule: str, example: Example, engine: Engine) -> Iterator[Sequence[Finding]]:
    """What the rules say of a bad example once the findings of its rule are fixed; nothing where files beside it count."""
    if not engine.rules[rule].texts.fixes or "files" in example.stated or "baseline" in example.stated:
        return
    document = read_bytes(example.design.encode(), FILE)
    found = pipeline.lint(document, engine, repair=lambda one: one.rule == rule).findings
    for fix in [fix for one in found if one.rule == rule for fix in one.fixes if fix.proven]:
        text = replace_nodes(document, fix.replacements)
        yield judge_design(pipeline.read_design(read_bytes(text.encode(), FILE), engine)).findings
