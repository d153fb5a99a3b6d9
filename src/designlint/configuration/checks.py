"""Every word of a configuration held against the rules that there are: what names none is an error, with a proposal."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from designlint.configuration import engine as engines
from designlint.language.values import instead
from designlint.reading.errors import AuthoringError, UsageError
from designlint.rules import selection
from designlint.rules.settings import Level, LimitAmount, Selector, SettingOrigin, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.configuration.tables import Layer
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule

#: Settings that are lists of words.
LISTS = ("select", "ignore", "fixable", "unfixable", "extend_safe_fixes", "extend_unsafe_fixes")


@lru_cache(maxsize=64)
def words(layers: tuple[Layer, ...], given: Settings) -> None:
    """Raise where a setting names what is not there: AuthoringError at a file, UsageError at an option."""
    stated = [part for layer in layers for part in (layer.top, *(one.settings for one in layer.overrides))]
    everything = Settings(today=given.today)
    for one in (*stated, given):
        everything = everything.overlay(Settings(rules=one.rules, shapes=one.shapes))
    engine = engines.configure_engine(everything)
    for one in (*stated, given):
        _settings(one, engine)


def _settings(settings: Settings, engine: Engine) -> None:
    for word in (word for name in LISTS for word in getattr(settings, name)):
        _pattern(word, engine.rules)
    for word in settings.ignore:
        rule = engine.rules.get(word.pattern)
        if rule is not None and not rule.waivable:
            raise _error(f"{rule.id} cannot be ignored: it is not waivable", word.origin)
    for level in settings.severity:
        _pattern(level, engine.rules)
        rule = engine.rules.get(level.pattern)
        if rule is not None and not rule.waivable and selection.lowers(rule, level):
            raise _error(f"the severity of {rule.id} cannot be lowered: it is not waivable", level.origin)
    for amount in settings.limits:
        _amount(amount, engine)


def _pattern(word: Selector | Level, rules: Mapping[str, CompiledRule]) -> None:
    if any(selection.matches(word.pattern, name) for name in rules):
        return
    raise _error(f"no rule or topic is called `{word.pattern}`{instead(word.pattern, _names(rules))}", word.origin)


def _names(rules: Mapping[str, CompiledRule]) -> list[str]:
    return list(dict.fromkeys([name.partition("/")[0] for name in rules] + list(rules)))


def _amount(amount: LimitAmount, engine: Engine) -> None:
    rule = engine.rules.get(amount.rule)
    if rule is None:
        near = instead(amount.rule, engine.rules)
        raise _error(f"no rule is called `{amount.rule}`{near}", amount.origin)
    if amount.name not in rule.texts.limits:
        known = ", ".join(rule.texts.limits) or "none"
        near = instead(amount.name, rule.texts.limits, f"; its limits: {known}")
        raise _error(f"{rule.id} has no limit `{amount.name}`{near}", amount.origin)
    if not rule.waivable:
        raise _error(f"the limits of {rule.id} cannot be changed: it is not waivable", amount.origin)
    try:
        selection.set_limit(rule, amount, engine.vocabulary.units)
    except ValueError as error:
        raise _error(f"`{amount.value}` as `{amount.name}` of {rule.id}: {error}", amount.origin) from None


def _error(message: str, at: SettingOrigin) -> AuthoringError | UsageError:
    return AuthoringError(message, file=at.file, line=at.line) if at.line else UsageError(f"{at.file}: {message}")
