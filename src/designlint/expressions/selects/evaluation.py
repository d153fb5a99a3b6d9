"""A SELECT as it is asked, and what its function calls; see `designlint.expressions.selects.python`."""

from __future__ import annotations

from functools import lru_cache, partial
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.expressions.condition import limit
from designlint.expressions.evaluation import AddressError
from designlint.expressions.functions import STRICT
from designlint.expressions.selects.aggregates import aggregate
from designlint.expressions.selects.regular import translate_pattern
from designlint.expressions.selects.rows import (
    Cells,
    FactSource,
    Run,
    among,
    fits,
    fitting,
    matches_any,
    of_class,
    pairs,
    paths,
    rank,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: What comparisons give for values of different types; all others are unknown.
UNEQUAL = {"=": False, "!=": True}


class Select(NamedTuple):
    """
    A SELECT, ready to be asked.

    Attributes:
        names: of its columns.
        leading: the variable whose values each have their own rows, as if no other value were there; empty for none.
        answered: the rows of a run, None where a value is unbound; and those of one value of `leading` alone.
    """

    names: tuple[str, ...]
    leading: str
    answered: Callable[..., list[tuple[Any, ...]]]

    def rows(self, facts: FactSource) -> list[tuple[Any, ...]]:
        """The values of the columns, None where one is unbound."""
        return self.answered(Run(facts))

    def with_limits(self, limits: Mapping[str, int | float]) -> Select:
        """The same with other values of some limits."""
        if not limits:
            return self
        return self._replace(answered=partial(self.answered, **{limit(name): value for name, value in limits.items()}))


def search_text(text: Any, pattern: str, put: str | None) -> Any:
    """Whether a text has a pattern somewhere, or the text with what is put in the place of each."""
    if not isinstance(text, str):
        return None
    found = _translated(pattern)
    return found.search(text) is not None if put is None else found.sub(lambda _: put, text)


_translated = lru_cache(maxsize=None)(translate_pattern)


def _spell(value: Any) -> Any:
    """A value as a text. Raises AddressError for a part, whose text is an address that only RDF knows."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return STRICT["STR"](value)
    raise AddressError


def _guard(work: Callable[..., Any], unequal: bool | None) -> Callable[..., Any]:
    """An operation for values of any type: truth values are no numbers, and nothing is in order with another type."""

    def applied(*values: Any) -> Any:
        if len(values) > 1 and len({one.__class__ is bool for one in values}) > 1:
            return unequal
        try:
            return work(*values)
        except (TypeError, AttributeError):
            return None

    return applied


_WORKING = {name: _guard(work, UNEQUAL.get(name)) for name, work in STRICT.items()} | {"STR": _spell}
#: How operations stand in the text.
OPERATIONS = {name: f"any_{at}" for at, name in enumerate(STRICT)}
#: What the text names.
NAMES: Mapping[str, Any] = MappingProxyType(
    {OPERATIONS[name]: work for name, work in _WORKING.items()}
    | {"Cells": Cells, "Select": Select, "aggregated": aggregate, "among": among, "asked": matches_any, "fits": fits}
    | {"fitting": fitting, "of_class": of_class, "pairs": pairs, "paths": paths, "rank": rank, "search": search_text}
    | {"FIRST": itemgetter(0), "ONCE": (None,)}
)
