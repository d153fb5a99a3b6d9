"""What a run needs, loaded once for all designs of the same settings: vocabulary, plan and rules."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from designlint import selection
from designlint.authoring import bundle
from designlint.derive import Plan
from designlint.errors import AuthoringError
from designlint.model import Severity
from designlint.notices import Adjustment
from designlint.rules import Rule
from designlint.settings import Settings
from designlint.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


@dataclass(frozen=True, slots=True)
class Engine:
    """
    The compiled ontology and the rules that judge, by id.

    Attributes:
        today: the day on which it judges (2026-11-20).
        waivers: whether waivers hold.
        adjustments: what the settings changed about the rules.
    """

    vocabulary: Vocabulary
    plan: Plan
    rules: Mapping[str, Rule]
    today: str
    waivers: bool = True
    settings: Settings = field(default_factory=Settings)
    adjustments: tuple[Adjustment, ...] = ()

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
    The engine as settings want it: the rules that they choose, their own among them, with their severities and limits.

    A rule of the same id takes the place of the shipped one.

    Raises:
        AuthoringError: a rule file that says something wrong.
    """
    engine = replace(shipped(), today=settings.today or shipped().today, waivers=settings.waivers, settings=settings)
    if settings == Settings(today=settings.today, waivers=settings.waivers):
        return engine
    added = _added(settings, engine)
    rules, told = selection.judging({**engine.rules, **added}, settings, engine.vocabulary.units)
    replaced = tuple(
        Adjustment("replaced", (name,), f"{name} is replaced by {rule['file']}", "", str(settings.origin("rules")))
        for name, rule in added.items()
        if name in engine.rules and name in rules
    )
    return replace(engine, rules=rules, adjustments=(*replaced, *told))


def _added(settings: Settings, engine: Engine) -> dict[str, Rule]:
    """The rules of further folders, and the shapes."""
    if not settings.rules and not settings.shapes:
        return {}
    from designlint.authoring import rules, shapes

    added = {name: Rule(entry) for path in settings.shapes for name, entry in shapes.compile_file(path).items()}
    added |= {
        name: Rule(entry)
        for folder in settings.rules
        for name, entry in rules.compile_folder(folder, engine.vocabulary).items()
    }
    for name, rule in added.items():
        if name in engine.rules and engine.rules[name].built_in:
            raise AuthoringError("a rule that the reader of files judges cannot be replaced", file=rule["file"])
        if name in engine.rules and engine.rules[name].mandatory:
            raise AuthoringError("a rule that is not waivable cannot be replaced", file=rule["file"])
    return added
