"""The engine with the shipped rules, and as settings want it; each is loaded once."""

from __future__ import annotations

import time
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from designlint.compiler import bundle
from designlint.configuration import foreign
from designlint.findings.notices import Adjustment
from designlint.graph.derive import Plan
from designlint.language.vocabulary import Vocabulary
from designlint.reading.errors import AuthoringError
from designlint.rules import selection
from designlint.rules.engine import Engine
from designlint.rules.rule import CompiledRule, of_entry
from designlint.rules.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping


def _texts(name: str) -> Mapping[str, Any]:
    texts: Mapping[str, Any] = bundle.texts()["rules"][name]
    return texts


@cache
def shipped_engine() -> Engine:
    """The engine with the shipped rules."""
    compiled = bundle.load()
    rules = {
        name: of_entry(entry, partial(_texts, name), partial(bundle.generated_function, name))
        for name, entry in compiled["rules"].items()
    }
    vocabulary = Vocabulary(compiled, bundle.texts)
    return Engine(
        vocabulary,
        Plan(compiled["plan"], bundle.texts, bundle.generated_function, vocabulary.optional),
        rules,
        time.strftime("%Y-%m-%d"),
        steps=frozenset(compiled["judged"]),
    )


@cache
def configure_engine(settings: Settings) -> Engine:
    """
    The engine as settings want it: the rules that they choose, their own among them, with their severities and limits.

    A rule of the same id takes the place of the shipped one.

    Raises:
        AuthoringError: a rule file that says something wrong.
    """
    engine = replace(
        shipped_engine(), today=settings.today or shipped_engine().today, waivers=settings.waivers, settings=settings
    )
    if settings == Settings(today=settings.today, waivers=settings.waivers):
        return engine
    added = _load_added_rules(settings, engine)
    rules, told = selection.judging({**engine.rules, **added}, settings, engine.vocabulary.units)
    replaced = tuple(
        Adjustment("replaced", (name,), f"{name} is replaced by {rule.texts.file}", "", str(settings.origin("rules")))
        for name, rule in added.items()
        if name in engine.rules and name in rules
    )
    return replace(engine, rules=rules, adjustments=(*replaced, *told), steps=None if added else engine.steps)


def _load_added_rules(settings: Settings, engine: Engine) -> dict[str, CompiledRule]:
    """The rules of further folders, and the shapes."""
    if not settings.rules and not settings.shapes:
        return {}
    from designlint.compiler import rules, shapes

    foreign.met([str(one) for one in (*settings.rules, *settings.shapes)])
    entries = {name: entry for path in settings.shapes for name, entry in shapes.compile_file(path).items()}
    for folder in settings.rules:
        entries |= rules.compile_folder(folder, engine.vocabulary)
    added = {name: of_entry(entry, partial(dict, entry)) for name, entry in entries.items()}
    for name, rule in added.items():
        if name in engine.rules and engine.rules[name].built_in:
            raise AuthoringError("a rule that is judged while files are read cannot be replaced", file=rule.texts.file)
        if name in engine.rules and not engine.rules[name].waivable:
            raise AuthoringError("a rule that is not waivable cannot be replaced", file=rule.texts.file)
    return added
