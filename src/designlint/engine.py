"""What every run needs, loaded once: vocabulary, plan and rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from designlint.authoring import bundle
from designlint.derive import Plan
from designlint.rules import Rule
from designlint.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Engine:
    """The compiled ontology and the rules of a run, by id."""

    vocabulary: Vocabulary
    plan: Plan
    rules: Mapping[str, Rule]


@cache
def shipped() -> Engine:
    """The engine with the shipped rules."""
    compiled = bundle.load()
    rules = {name: Rule(entry) for name, entry in compiled["rules"].items()}
    return Engine(Vocabulary(compiled), Plan(compiled["plan"]), rules)
