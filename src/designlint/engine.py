"""What every run needs, loaded once: vocabulary, plan and rules."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from designlint.authoring import bundle
from designlint.derive import Plan
from designlint.errors import AuthoringError
from designlint.model import Severity
from designlint.rules import Rule
from designlint.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from designlint.settings import Settings


@dataclass(frozen=True, slots=True)
class Engine:
    """The compiled ontology, the rules of a run by id, the day on which it judges (2026-11-20), whether waivers hold."""

    vocabulary: Vocabulary
    plan: Plan
    rules: Mapping[str, Rule]
    today: str
    waivers: bool = True

    def asked(self, known: Collection[tuple[str, str]]) -> set[str]:
        """The words that queries read, of rules that could come out other than unknown with what is known."""
        asking = (rule for rule in self.rules.values() if rule.asks and not rule.idle(known))
        return {word for rule in asking for word in rule["words"]}

    def narrowed(self, more: Collection[str]) -> Engine:
        """The engine with the rules that find errors, and some more by id."""
        chosen = {name: one for name, one in self.rules.items() if one.severity is Severity.ERROR or name in more}
        return replace(self, rules=chosen)


@cache
def shipped() -> Engine:
    """The engine with the shipped rules."""
    compiled = bundle.load()
    rules = {name: Rule(entry, bundle.texts) for name, entry in compiled["rules"].items()}
    return Engine(
        Vocabulary(compiled, bundle.texts), Plan(compiled["plan"], bundle.texts), rules, time.strftime("%Y-%m-%d")
    )


@cache
def configured(settings: Settings) -> Engine:
    """
    The engine as settings want it: with further folders of rules, judging as of another day.

    A rule of the same id takes the place of the shipped one.

    Raises:
        AuthoringError: a rule file that says something wrong.
    """
    engine = replace(shipped(), today=settings.today or shipped().today, waivers=settings.waivers)
    if not settings.rules:
        return engine
    from designlint.authoring import rules

    added = {
        name: Rule(entry)
        for folder in settings.rules
        for name, entry in rules.compile_folder(folder, engine.vocabulary).items()
    }
    for name, rule in added.items():
        if name in engine.rules and engine.rules[name].built_in:
            raise AuthoringError("a rule that the reader of files judges cannot be replaced", file=rule["file"])
    return replace(engine, rules={**engine.rules, **added})
