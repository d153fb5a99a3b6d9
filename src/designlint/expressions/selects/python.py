"""
A SELECT as a function in Python, written when the bundle is made: each pattern is a loop within those of the patterns before it.

A variable is a name of its own from the pattern that binds it on; where it may be unbound, it may be None. Rows come in the order
of the patterns. Values are those of facts: numbers, texts, truth values, subjects. Two are the same term where they are equal and
of one type, as a whole number and a double are not.
"""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from designlint.expressions.condition import limit
from designlint.expressions.python import execute
from designlint.expressions.selects.evaluation import NAMES
from designlint.expressions.selects.loops import Bound, Loops, Texts, pack_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.expressions.selects.evaluation import Select


def write_select(data: Mapping[str, Any], limits: Mapping[str, Any], name: str) -> tuple[str, str]:
    """
    The text of what answers a SELECT, and what stands for it in a table; see `designlint.expressions.python.module`.

    Args:
        data: as the parser made it.
        limits: variables whose values are known.

    Raises:
        TooDeepError: Python does not read so many loops and blocks within one another.
    """
    texts = Texts(name)
    leading = _leading(data)
    leading = "" if leading in limits else leading
    bound = {one: Bound(limit(one), sure=True) for one in limits}
    found = _QueryWriter(texts, bound | ({leading: Bound("only", sure=False)} if leading else {}))
    found.query(data)
    given = "".join(f", {limit(one)}={value!r}" for one, value in limits.items())
    head = [f"def {name}(run, only=None{given}):", " values = run.values"]
    names = tuple(column for column, *_ in data["columns"])
    return "\n".join([*texts.inner, *head, *found.lines]), f"Select({names!r}, {leading!r}, {name})"


def select(data: Mapping[str, Any], limits: Mapping[str, Any] = MappingProxyType({})) -> Select:
    """A SELECT, ready to be asked. Raises TooDeepError."""
    found: Select = execute(partial(write_select, data, limits), NAMES)
    return found


def _leading(data: Mapping[str, Any]) -> str:
    """The variable that the first pattern binds, and by which rows are grouped where they are."""
    kind, subject, *_ = data["steps"][0] if data["steps"] else ("", "")
    name = subject[1:] if kind in ("class", "word") else ""
    return name if data["aggregates"] is None or name in data["group"] else ""


class _QueryWriter(Loops):
    """Writes the function of a query, or of an inner one."""

    def query(self, data: Mapping[str, Any]) -> None:
        """All of a query; its rows are `found`."""
        self.line("found = []")
        sums = data["aggregates"]
        if sums is None:
            with self.block():
                self.steps(data["steps"])
                self._row(data)
        else:
            self._groups(data, sums)
        if data["order"]:
            self.line("found.sort(key=FIRST)")
            self.line("found = [row for _, row in found]")
        self.line(f"return {'list(dict.fromkeys(found))' if data['distinct'] else 'found'}")

    def _row(self, data: Mapping[str, Any]) -> None:
        """One row of the answer."""
        for name, *made in data["columns"]:
            if made:
                self._bind(name, *made)
        row = pack_names([self.read_variable(name) for name, *_ in data["columns"]])
        rank = pack_names([f"rank({self.read_variable(name)})" for name in data["order"]])
        self.line(f"found.append({f'({rank}, {row})' if data['order'] else row})")

    def _groups(self, data: Mapping[str, Any], sums: Mapping[str, Any]) -> None:
        self.line("rows = []")
        with self.block():
            self.steps(data["steps"])
            keys = pack_names([self.read_variable(name) for name in data["group"]])
            values = pack_names([self.expression(*of) if of else "True" for _, _, _, *of in sums.values()])
            self.line(f"rows.append(({keys}, {values}))")
        told = pack_names([repr((kind, once, mark)) for kind, once, mark, *_ in sums.values()])
        with self.block():
            self.bound = {name: Bound(self.name(), sure=False) for name in [*data["group"], *sums]}
            keys, results = (pack_names([self.bound[name].name for name in names]) for names in (data["group"], sums))
            self.loop(f"for {keys}, {results} in aggregated(rows, {bool(data['group'])}, {told}):")
            self._row(data)

    def _select(self, data: Mapping[str, Any]) -> None:
        inner = _QueryWriter(self.texts, {})
        inner.query(data)
        names = [name for name, *_ in data["columns"]]
        inner.lines[-1] = f" return Cells({len(names)}, {inner.lines[-1].split(maxsplit=1)[1]})"
        row, called = self.name(), self.texts.add((), inner.lines)
        self.loop(f"for {row} in run.inner({called})({pack_names([self.read_variable(name) for name in names])}):")
        for at, name in enumerate(names):
            bound, cell = self.bound.get(name), f"{row}[{at}]"
            if bound is not None:
                self.unless(f"fits({bound.name}, {cell})")
            if bound is None or not bound.sure:
                sure = name in data["certain"] and (data["aggregates"] is None or name in data["group"])
                given = cell if bound is None else f"{cell} if {bound.name} is None else {bound.name}"
                self.line(f"{self.name_variable(f'?{name}', sure=sure)} = {given}")
