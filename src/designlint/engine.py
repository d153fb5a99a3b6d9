"""What every run needs, loaded once: vocabulary, plan and rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from designlint.authoring import bundle
from designlint.derive import Plan
from designlint.rules import Rule
from designlint.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Engine:
    """The compiled ontology and the rules of a run, by id."""

    vocabulary: Vocabulary
    plan: Plan
    rules: Mapping[str, Rule]

    @property
    def words(self) -> frozenset[str]:
        """Every word that the query of a rule reads."""
        return frozenset(word for rule in self.rules.values() for word in rule["words"])


@cache
def shipped() -> Engine:
    """The engine with the shipped rules."""
    compiled = bundle.load()
    rules = {name: Rule(entry) for name, entry in compiled["rules"].items()}
    return Engine(Vocabulary(compiled), Plan(compiled["plan"]), rules)


def extended(folders: Sequence[Path]) -> Engine:
    """
    The engine with further folders of rules; a rule of the same id takes the place of the shipped one.

    Raises:
        AuthoringError: a rule file that says something wrong.
    """
    engine = shipped()
    if not folders:
        return engine
    from designlint.authoring import rules

    added = {
        name: Rule(entry)
        for folder in folders
        for name, entry in rules.compile_folder(folder, engine.vocabulary).items()
    }
    return replace(engine, rules={**engine.rules, **added})
