"""Which rules judge, how severely and against which limits; and what of it a configuration changed, to be told."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.findings.model import Severity
from designlint.findings.notices import Adjustment
from designlint.language.quantities import BadQuantity
from designlint.rules.settings import FailOn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from designlint.language.units import Units
    from designlint.rules.rule import CompiledRule
    from designlint.rules.settings import Level, LimitAmount, Selector, Settings

WILD = frozenset("*?[")


def matches(pattern: str, rule: str) -> bool:
    """Whether an id, a topic or a glob means a rule."""
    return fnmatchcase(rule, pattern if "/" in pattern or pattern == "*" else f"{pattern}/*")


def exactness(pattern: str) -> tuple[bool, int]:
    """Orders patterns: an id is the most exact, then what spells more letters."""
    literal = sum(letter not in WILD for letter in pattern.removesuffix("/*"))
    return WILD.isdisjoint(pattern) and "/" in pattern, literal


def chosen(rule: str, select: Sequence[Selector], ignore: Sequence[Selector]) -> tuple[bool, Selector | None]:
    """Whether a rule is chosen, and the word that decided: the most exact one; of two alike, the one that ignores."""
    for_it, against = _best(select, rule), _best(ignore, rule)
    if for_it is None and select:
        return False, None
    if against is None or (for_it is not None and _exact(for_it) > _exact(against)):
        return True, for_it
    return False, against


def _best(words: Sequence[Selector], rule: str) -> Selector | None:
    return max((one for one in words if matches(one.pattern, rule)), key=_exact, default=None)


def fixable(rule: str, settings: Settings) -> bool:
    """Whether fixes of a rule are offered."""
    return chosen(rule, settings.fixable, settings.unfixable)[0]


def safety(rule: str, stated: str, settings: Settings) -> str:
    """The safety of a fix of a rule: as the rule states it, unless a configuration decides otherwise."""
    safe, unsafe = _best(settings.extend_safe_fixes, rule), _best(settings.extend_unsafe_fixes, rule)
    if stated == "display" or safe is unsafe is None:
        return stated
    return "unsafe" if safe is None or (unsafe is not None and _exact(unsafe) >= _exact(safe)) else "safe"


def _exact(word: Selector | Level) -> tuple[bool, int]:
    return exactness(word.pattern)


def judging(
    rules: Mapping[str, CompiledRule], settings: Settings, units: Units
) -> tuple[dict[str, CompiledRule], tuple[Adjustment, ...]]:
    """The rules that judge under some settings, and everything that the settings changed about them."""
    kept: dict[str, CompiledRule] = {}
    left: dict[Selector | None, list[str]] = {}
    for name, rule in rules.items():
        picked, word = chosen(name, settings.select, settings.ignore)
        if picked or (not rule.waivable and (rule.built_in or not _by_option(settings.select))):
            kept[name] = rule
        else:
            left.setdefault(word, []).append(name)
    told = [_adjust_remaining(word, names, settings) for word, names in left.items()]
    for level, names in _levels(kept, settings.severity):
        told.append(_adjust_level(level, [kept[name] for name in names]))
        kept |= {name: kept[name].as_severe(Severity(level.level)) for name in names}
    for amount in {(one.rule, one.name): one for one in settings.limits}.values():
        if amount.rule in kept:
            before = kept[amount.rule].texts.limits[amount.name].text
            text = f"{amount.rule} has {amount.name} = {amount.value} instead of {before}"
            told.append(Adjustment("limit", (amount.rule,), text, amount.reason, str(amount.origin)))
            kept[amount.rule] = set_limit(kept[amount.rule], amount, units)
    if settings.fail_on == FailOn.NEVER:
        told.append(
            Adjustment("fail_on", (), "no finding fails the run: fail_on is never", "", str(settings.origin("fail_on")))
        )
    return kept, tuple(told)


def set_limit(rule: CompiledRule, amount: LimitAmount, units: Units) -> CompiledRule:
    """A rule with another value of a limit. Raises ValueError where the value is none of the limit's kind."""
    limit = rule.texts.limits[amount.name]
    value = units.parse(amount.value, limit.kind)
    if isinstance(value, BadQuantity):
        raise ValueError(value.text + (f"; did you mean `{value.proposal}`?" if value.proposal else ""))
    source = rule.texts.cite_source(limit.source)
    origin = f"{amount.origin}, instead of {limit.text} ({source}): {amount.reason}"
    return rule.with_limit(amount.name, replace(limit, value=value, text=str(amount.value), origin=origin))


def _by_option(words: Sequence[Selector]) -> bool:
    """Whether words stand on the command line, where whoever asks decides what is asked."""
    return any(not word.origin.line for word in words)


def _adjust_remaining(word: Selector | None, names: list[str], settings: Settings) -> Adjustment:
    if word is not None:
        return Adjustment("ignored", tuple(names), word.pattern, "", str(word.origin))
    origins = dict.fromkeys(str(one.origin) for one in settings.select)
    return Adjustment("not selected", tuple(names), "", "", ", ".join(origins))


def _adjust_level(level: Level, rules: Sequence[CompiledRule]) -> Adjustment:
    before = " or ".join(dict.fromkeys(rule.severity for rule in rules))
    count = f" ({len(rules)} rules)" if len(rules) > 1 else ""
    text = f"{level.pattern}{count} is {level.level} instead of {before}"
    return Adjustment("severity", tuple(rule.id for rule in rules), text, level.reason, str(level.origin))


def _levels(rules: Mapping[str, CompiledRule], levels: Sequence[Level]) -> Iterable[tuple[Level, list[str]]]:
    """Each level with the rules whose severity it changes: those that no more exact and no later one changes."""
    found: dict[Level, list[str]] = {}
    for name, rule in rules.items() if levels else ():
        level = max((one for one in reversed(levels) if matches(one.pattern, name)), key=_exact, default=None)
        if level is not None and level.level != rule.severity and not (not rule.waivable and lowers(rule, level)):
            found.setdefault(level, []).append(name)
    return found.items()


def lowers(rule: CompiledRule, level: Level) -> bool:
    """Whether a level makes a finding of a rule count less."""
    return Severity(level.level).rank > rule.severity.rank
