"""
A SELECT at work: rows of values, each pattern on the rows of those before it.

A row holds a value for each variable, None where it is unbound. Values are those of facts: numbers, texts, truth values,
subjects. Two are the same term where they are equal and of one type, as a whole number and a double are not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.expressions.evaluation import compiled
from designlint.expressions.selects.aggregates import aggregated
from designlint.expressions.selects.regular import translated
from designlint.expressions.selects.rows import (
    Cells,
    Facts,
    Run,
    ends,
    exists,
    extended,
    joined,
    rank,
    same,
    searching,
    starts,
)
from designlint.expressions.tree import Type, WordNode, decoded, walk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.expressions.evaluation import Evaluate
    from designlint.expressions.selects.rows import Row, Step


class Select:
    """
    A SELECT, ready to be asked.

    Args:
        data: as the parser made it.
        limits: variables whose values are known.

    Attributes:
        leading: the variable whose values each have their own rows, as if no other value were there; empty for none.
    """

    def __init__(self, data: Mapping[str, Any], limits: Mapping[str, Any] | None = None) -> None:
        self.slots: dict[str, int] = {}
        self._mentioned: set[int] = set()
        self._known = {self.slot(name): value for name, value in (limits or {}).items()}
        self._steps = self.steps(data["steps"])
        self._grouping = None
        if data["aggregates"] is not None:
            keys = [self.slot(name) for name in data["group"]]
            sums = [
                (self.slot(name), kind, once, mark, self.expression(*of) if of else None)
                for name, (kind, once, mark, *of) in data["aggregates"].items()
            ]
            self._grouping = keys, sums
        self.names = [name for name, *_ in data["columns"]]
        self._computed = [(self.slot(name), self.expression(*made)) for name, *made in data["columns"] if made]
        self._columns = [self.slot(name) for name in self.names]
        self._order = [self.slot(name) for name in data["order"]]
        self._distinct = data["distinct"]
        name = _leading(data)
        self.leading = "" if self.slots.get(name) in self._known else name

    def slot(self, name: str) -> int:
        """The place of a variable in a row."""
        found = self.slots.setdefault(name, len(self.slots))
        self._mentioned.add(found)
        return found

    def rows(self, facts: Facts) -> list[tuple[Any, ...]]:
        """The values of the columns, None where one is unbound."""
        return self.answered(Run(facts))

    def answered(self, run: Run, only: Any = None) -> list[tuple[Any, ...]]:
        """
        The same within a run.

        Args:
            only: the value of `leading` that alone is asked about.
        """
        first: Row = [None] * len(self.slots)
        for slot, value in self._known.items():
            first[slot] = value
        if only is not None:
            first[self.slots[self.leading]] = only
        rows = [first]
        for step in self._steps:
            rows = step(rows, run)
        if self._grouping is not None:
            rows = aggregated(rows, len(first), *self._grouping, run)
        for slot, value in self._computed:
            for row in rows:
                row[slot] = value((row, run))
        if self._order:
            rows.sort(key=lambda row: [rank(row[slot]) for slot in self._order])
        found = [tuple([row[slot] for slot in self._columns]) for row in rows]
        return list(dict.fromkeys(found)) if self._distinct else found

    def steps(self, data: Sequence[Any]) -> list[Step]:
        """The patterns of a group."""
        return [getattr(self, f"_{kind}")(*rest) for kind, *rest in data]

    def expression(self, made: Sequence[Any]) -> Evaluate:
        """What gives the value of an expression for a row of a run."""
        tree, *inner = made
        asked = {name: self._inner(one) for name, one in inner[0].items()} if inner else {}
        node = decoded(tree, _NAMES)
        for one in walk(node):
            if isinstance(one, WordNode) and one.name not in asked:
                self.slot(one.name)

        def read(word: WordNode) -> Evaluate:
            if word.name in asked:
                return asked[word.name]
            slot = self.slots[word.name]
            return lambda at: at[0][slot]

        return compiled(node, read, typed=False)

    def _inner(self, data: Any) -> Evaluate:
        """A pattern that is asked for, or a search."""
        if isinstance(data, list):
            around, self._mentioned = self._mentioned, set()
            steps, mine = self.steps(data), self._mentioned
            self._mentioned = around | mine
            return exists(steps, sorted(mine))
        return searching(translated(data["search"]), self.expression(data["of"]), data["put"])

    def _term(self, data: Any) -> tuple[int, Any]:
        """The slot of a variable, or -1 with a value."""
        if isinstance(data, str):
            return self.slot(data[1:]), None
        return -1, data[1] if isinstance(data, list) else data

    def _class(self, subject: str, cls: str) -> Step:
        slot = self.slot(subject[1:])

        def step(rows: list[Row], run: Run) -> list[Row]:
            found: list[Row] = []
            for row in rows:
                known = row[slot]
                if known is None:
                    found += [extended(row, slot, one) for one in run.facts.of_class(cls)]
                elif cls in getattr(known, "kinds", ()):
                    found.append(row)
            return found

        return step

    def _word(self, subject: str, word: str, value: Any, *, optional: bool = False) -> Step:
        slot = self.slot(subject[1:])
        place, constant = self._term(value)

        def step(rows: list[Row], run: Run) -> list[Row]:
            found: list[Row] = []
            for row in rows:
                wanted = constant if place < 0 else row[place]
                holder, before = row[slot], len(found)
                if holder is not None:
                    there = run.values(holder, word)
                    if wanted is None:
                        for one in there:
                            more = row[:]
                            more[place] = one
                            found.append(more)
                    elif any(same(wanted, one) for one in there):
                        found.append(row)
                elif wanted is not None:
                    found += [extended(row, slot, one) for one in run.facts.holders(word, wanted)]
                else:
                    for one in run.facts.holding(word):
                        found += [extended(extended(row, slot, one), place, each) for each in run.values(one, word)]
                if optional and len(found) == before:
                    found.append(row)
            return found

        return step

    def _path(self, subject: str, ways: Sequence[Sequence[str]], value: Any) -> Step:
        slot = self.slot(subject[1:])
        place, constant = self._term(value)

        def step(rows: list[Row], run: Run) -> list[Row]:
            found: list[Row] = []
            for row in rows:
                wanted = constant if place < 0 else row[place]
                for start in [row[slot]] if row[slot] is not None else starts(ways, run):
                    for end in ends(start, ways, run):
                        if wanted is None:
                            found.append(extended(extended(row, slot, start), place, end))
                        elif same(wanted, end):
                            found.append(extended(row, slot, start))
            return found

        return step

    def _optional(self, data: Sequence[Any]) -> Step:
        if len(data) == 1 and data[0][0] == "word":
            return self._word(*data[0][1:], optional=True)
        steps = self.steps(data)

        def step(rows: list[Row], run: Run) -> list[Row]:
            found: list[Row] = []
            for row in rows:
                more = [row]
                for one in steps:
                    more = one(more, run)
                    if not more:
                        break
                found += more or [row]
            return found

        return step

    def _union(self, data: Sequence[Any]) -> Step:
        branches = [self.steps(one) for one in data]

        def step(rows: list[Row], run: Run) -> list[Row]:
            found: list[Row] = []
            for row in rows:
                for steps in branches:
                    more = [row]
                    for one in steps:
                        more = one(more, run)
                    found += more
            return found

        return step

    def _values(self, name: str, data: Sequence[Any]) -> Step:
        constants = [self._term(one)[1] for one in data]
        slot = self.slot(name[1:])

        def step(rows: list[Row], run: Run) -> list[Row]:
            known = [(row, row[slot]) for row in rows]
            return [
                extended(row, slot, one)
                for row, value in known
                for one in constants
                if value is None or same(value, one)
            ]

        return step

    def _bind(self, name: str, made: Sequence[Any]) -> Step:
        value, slot = self.expression(made), self.slot(name)
        return lambda rows, run: [extended(row, slot, value((row, run))) for row in rows]

    def _filter(self, made: Sequence[Any]) -> Step:
        holds = self.expression(made)
        return lambda rows, run: [row for row in rows if holds((row, run))]

    def _select(self, data: Mapping[str, Any]) -> Step:
        inner = Select(data)
        slots = [self.slot(name) for name in inner.names]

        def ask(run: Run) -> Cells:
            return Cells(slots, inner.answered(run))

        def step(rows: list[Row], run: Run) -> list[Row]:
            fitting = run.inner(inner, ask)
            return [more for row in rows for cells in fitting(row) if (more := joined(row, slots, cells)) is not None]

        return step


def _leading(data: Mapping[str, Any]) -> str:
    """The variable that the first pattern binds, and by which rows are grouped where they are."""
    kind, subject, *_ = data["steps"][0] if data["steps"] else ("", "")
    name = subject[1:] if kind in ("class", "word") else ""
    return name if data["aggregates"] is None or name in data["group"] else ""


class _Names(dict[str, Any]):
    """What a name in the data of an expression stands for: a variable."""

    def __missing__(self, key: str) -> WordNode:
        found = self[key] = WordNode(key[1:], (key[1:],), "", Type.ANY)
        return found


_NAMES = _Names()
