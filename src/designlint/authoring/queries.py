"""The SPARQL that judges: a rule's expression over the words of its subject, or a whole SELECT, as one query."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from designlint.authoring.margins import outermost, tokens
from designlint.rules import bound
from designlint.vocabulary import NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = re.compile(r"\?(\w+)")


@dataclass(frozen=True, slots=True)
class Expression:
    """
    A judgement that is an expression.

    Attributes:
        paths: by variable, the words that lead from the subject to it.
        lets: computed values, each with its expression under `is`.
    """

    about: str
    judge: str
    when: str
    paths: Mapping[str, list[str]]
    limits: Mapping[str, Any]
    lets: Mapping[str, Mapping[str, str]]

    @property
    def answer(self) -> str:
        """The condition that it answers."""
        return self.judge

    def deciding(self) -> str:
        """The query that decides, reading no more than that takes."""
        return self._query(used(f"{self.judge} {self.when}", self.lets), "")

    def telling(self, columns: str = "") -> str:
        """The same with every value that a finding shows, and further columns."""
        names = (*self.paths, *self.limits, *self.lets)
        return self._query(set(names), "".join(f" ?{name}" for name in names) + columns)

    def _query(self, wanted: set[str], shown: str) -> str:
        reads = [
            f"OPTIONAL {{ ?focus {'/'.join(':' + step for step in path)} ?{name} }}"
            for name, path in self.paths.items()
            if name in wanted
        ]
        constants = [bound(limit) for limit in self.limits.items() if limit[0] in wanted]
        binds = [f"BIND(({one['is']}) AS ?{name})" for name, one in self.lets.items() if name in wanted]
        body = "\n  ".join([f"?focus a :{self.about} .", *constants, *reads, *binds])
        answers = f"(({self.when}) AS ?when) (({self.judge}) AS ?ok)"
        return f"PREFIX : <{NAMESPACE}>\nSELECT ?focus{shown} {answers}\nWHERE {{\n  {body}\n}}"


@dataclass(frozen=True, slots=True)
class Whole:
    """A judgement that is a SELECT of its own."""

    judge: str
    limits: Mapping[str, Any]

    @property
    def answer(self) -> str:
        """The condition that its projection answers as ?ok; empty where it does not."""
        found = self._projection()
        return "" if found is None else found[0]

    def deciding(self) -> str:
        """The query that decides."""
        return self.telling()

    def telling(self, columns: str = "") -> str:
        """The same with further columns."""
        found = self._projection() if columns else None
        end = 0 if found is None else found[1]
        query = self.judge[:end] + columns + self.judge[end:]
        binds = " ".join(map(bound, self.limits.items()))
        return f"PREFIX : <{NAMESPACE}>\n" + re.sub(r"WHERE\s*\{", lambda _: f"WHERE {{ {binds}", query, count=1)

    def _projection(self) -> tuple[str, int] | None:
        """What is computed as ?ok and where the columns end; None where the query cannot take a further column."""
        found = tokens(self.judge)
        outer = list(outermost(found))
        body = next((at for at in outer if found[at].word in ("WHERE", "{")), 0)
        if any(one.word == "DISTINCT" for one in found[:2]):  # a further column would part rows that are one
            return None
        for at, following in pairwise(outer):
            closing = following - 1
            if at < body and [one.word for one in found[closing - 2 : closing]] == ["AS", "?OK"]:
                return self.judge[found[at].end : found[closing - 2].start], found[body].start
        return None


def used(text: str, lets: Mapping[str, Mapping[str, str]]) -> set[str]:
    """The variables that an expression reads, and those that its computed values read."""
    names, waiting = set[str](), [text]
    while waiting:
        fresh = set(VARIABLE.findall(waiting.pop())) - names
        names |= fresh
        waiting += [lets[name]["is"] for name in fresh if name in lets]
    return names
