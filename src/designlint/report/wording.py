"""Facts and numbers as the document words them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.reporters.shared.margins import percent
from designlint.reporters.shared.terminal import shorten
from designlint.rules.wording import plain

if TYPE_CHECKING:
    from designlint.design.design import Design
    from designlint.graph.subjects import Subject

#: What quantities are called that more than one part of the document names.
CALLED = {
    "training_time": "training time at the targets",
    "memory_per_gpu": "memory needed on the most loaded GPU",
}


def fact_text(subject: Subject, word: str, design: Design) -> str:
    """A fact as a person reads it; empty where it is not known."""
    fact, node = subject.facts.get(word), subject.keys.get(word)
    if node is not None and node.kind == "scalar":
        return shorten(node.text, 200)
    if fact is None or isinstance(fact, list):
        return ""
    kind = design.engine.vocabulary.classes[subject.cls][word].kind
    if kind == "Ratio" and isinstance(fact, float) and 0 < fact < 1:
        return percent(fact)
    return shorten(plain(fact, kind, design.engine.vocabulary.units), 200)
