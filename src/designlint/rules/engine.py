"""What a run needs, loaded once for all designs of the same settings: vocabulary, plan and rules."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from designlint.findings.model import Severity
from designlint.rules.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from designlint.findings.notices import Adjustment
    from designlint.graph.derive import Plan
    from designlint.language.vocabulary import Vocabulary
    from designlint.rules.rule import CompiledRule


class Engine(Struct, frozen=True, dict=True):
    """
    The compiled ontology and the rules that judge, by id.

    Attributes:
        today: the day on which it judges (2026-11-20).
        waivers: whether waivers hold.
        adjustments: what the settings changed about the rules.
        steps: the calculations that the rules' answers rest on; None where that may be any.
    """

    vocabulary: Vocabulary
    plan: Plan
    rules: Mapping[str, CompiledRule]
    today: str
    waivers: bool = True
    settings: Settings = field(default_factory=Settings)
    adjustments: tuple[Adjustment, ...] = ()
    steps: frozenset[int] | None = None

    @cached_property
    def reading(self) -> dict[str, list[tuple[CompiledRule, str, tuple[str, ...]]]]:
        """The rules that are conditions by the words that they read, with the way to each and the class it begins at."""
        return read_by(self.rules.values())

    @cached_property
    def by_word(self) -> Mapping[str, list[str]]:
        """The rules, by id, that read each word."""
        found: dict[str, list[str]] = {}
        for name, rule in self.rules.items():
            for word in rule.words:
                found.setdefault(word, []).append(name)
        return found

    @cached_property
    def judging(self) -> Sequence[CompiledRule]:
        """The rules that judge what was read."""
        return [one for one in self.rules.values() if not one.built_in]

    @cached_property
    def built_in(self) -> Mapping[str, CompiledRule]:
        """The rules that the reader of files judges, by id."""
        return {name: one for name, one in self.rules.items() if one.built_in}

    def queried_words(self, *, in_place: bool = True) -> set[str]:
        """The words that queries read; without `in_place` only those of queries that need an engine of SPARQL."""
        queries = (rule for rule in self.rules.values() if rule.select and (in_place or not rule.in_place))
        return {word for rule in queries for word in rule.words}

    def narrow(self, more: Collection[str]) -> Engine:
        """The engine with the rules that find errors, and some more by id."""
        chosen = {name: one for name, one in self.rules.items() if one.severity is Severity.ERROR or name in more}
        return replace(self, rules=chosen)


def read_by(rules: Iterable[CompiledRule]) -> dict[str, list[tuple[CompiledRule, str, tuple[str, ...]]]]:
    """Those of some rules that are conditions by the words that they read, see `Engine.reading`."""
    found: dict[str, list[tuple[CompiledRule, str, tuple[str, ...]]]] = {}
    for rule in rules:
        if rule.condition is not None:
            for path in rule.paths.values():
                found.setdefault(path[-1], []).append((rule, rule.about, path))
    return found
