"""What texts call a part that has no name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.expressions.templates import Template
    from designlint.graph.subjects import Subject
    from designlint.judging.judgement import Judgement
    from designlint.rules.engine import Engine


def text_values(judgement: Judgement, templates: Iterable[Template], engine: Engine) -> dict[str, Any]:
    """The values of a judgement for its texts, with the part itself for each name that is not stated."""
    values: dict[str, Any] = judgement.values | {"focus": judgement.subject}
    for name in {name for one in templates for name in one.names} - values.keys():
        if (called := _named_part(judgement, name, engine)) is not None:
            values[name] = called
    return values


def _named_part(judgement: Judgement, value: str, engine: Engine) -> Subject | None:
    """The part whose name a value is; None where it is no name of one part."""
    subject = judgement.subject
    number = engine.plan.step(subject, value)
    path = None if number is None else engine.plan.steps[number].get("path")
    path = path or judgement.rule.texts.shown.get(value) or (value,)
    ends = [one for one, word in subject.follow(path) if _names(one, word, engine)]
    return ends[0] if len(ends) == 1 else None


def _names(subject: Subject, word: str, engine: Engine) -> bool:
    """Whether a word is what a part is called by."""
    return word in {one.name for one in engine.vocabulary.roles(subject.cls).required} | {"name"}
