"""The bibliography: what every figure, formula, limit and principle cites, and how its content is known."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from designlint.compiler.turtle import Turtle, local
from designlint.language import resources
from designlint.language.citations import LABELS

if TYPE_CHECKING:
    from collections.abc import Iterable


class CitedSource(NamedTuple):
    """One cited document; `identifier` is its address or number, empty parts are not stated."""

    title: str
    creator: str
    date: str
    identifier: str
    confidence: str


@cache
def bibliography() -> dict[str, CitedSource]:
    """All sources by the key that cites them, in the order of the file. Raises AuthoringError."""
    turtle = Turtle(resources.ontology("sources.ttl"))
    found = {
        local(subject): CitedSource(*(" ".join(turtle.values(facts.get(field, []))) for field in CitedSource._fields))
        for subject, facts in turtle.of_type("Source")
    }
    for key, source in found.items():
        if source.confidence not in LABELS:
            raise turtle.error(f"the confidence of a source is one of {', '.join(LABELS)}", f"{key} a")
    return found


def confidences(sources: Iterable[str]) -> dict[str, str]:
    """How those sources are known that the bibliography has; a pack of rules may cite others."""
    known = bibliography()
    return {source: known[source].confidence for source in sources if source in known}
