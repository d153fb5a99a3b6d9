"""
From the text of a SELECT to data from which it is answered in place.

Groups are answered from left to right, each pattern on the rows of those before it. SPARQL answers nested groups by themselves
and joins them afterwards; where a nested group could notice the difference, the query is left to an engine, as are regular
expressions that could take long, and whatever else rules seldom need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.expressions.limits import XSD
from designlint.expressions.parser import parse
from designlint.expressions.selects.patterns import PathReader, variable
from designlint.expressions.selects.regular import quick
from designlint.expressions.selects.scope import GroupScope, UnsupportedError
from designlint.expressions.tokens import ExpressionError, tokens
from designlint.expressions.tree import encode_node

if TYPE_CHECKING:
    from collections.abc import Collection

#: Functions over the rows of a group.
AGGREGATES = ("COUNT", "SUM", "MAX", "MIN", "SAMPLE", "GROUP_CONCAT")
#: Functions that search texts.
SEARCHING = ("REGEX", "REPLACE")
#: How a query spells the conversion to a whole number.
INTEGER = f"<{XSD}integer>"


def compile_select(query: str, limits: Collection[str]) -> dict[str, Any] | None:
    """
    A SELECT as data; None where only an engine can answer it.

    Args:
        limits: variables whose values are known before it is asked.
    """
    reader = _Reader(tokens(query.replace(INTEGER, "xsd:integer"), iris=True))
    try:
        found = reader.select(outer=set(limits))
        reader.expect("")
    except (UnsupportedError, ExpressionError):
        return None
    return found


class _Reader(PathReader):
    """Reads a SELECT by recursive descent."""

    def select(self, outer: set[str]) -> dict[str, Any]:
        """`SELECT ... WHERE { ... } GROUP BY ...`."""
        self.expect("SELECT")
        distinct = self.accept("DISTINCT")
        start = self.at
        while self.next.text not in ("{", ""):  # the pattern is read first: expressions of columns see its variables
            self.at = self.closing_position() if self.next.text == "(" else self.at + 1
            if self.accept("WHERE"):
                break
        scope = GroupScope(outer=set(), possible=set(outer))
        steps = self.group(scope)
        grouped = self._names("GROUP")
        ordered = self._names("ORDER")
        end, self.at = self.at, start
        aggregates: dict[str, Any] | None = {}
        columns = self._columns(scope, aggregates)
        self.at = end
        if not aggregates and grouped is None:
            aggregates = None
        return {
            "columns": columns,
            "distinct": distinct,
            "steps": steps,
            "group": grouped or [],
            "order": ordered or [],
            "aggregates": aggregates,
            "certain": sorted(scope.certain),
        }

    def _names(self, clause: str) -> list[str] | None:
        """The variables of GROUP BY or ORDER BY; None where there is no such clause."""
        if not self.accept(clause):
            return None
        self.expect("BY")
        names: list[str] = []
        while self.next.kind == "variable":
            names.append(self.take().text[1:])
        return names

    def _columns(self, scope: GroupScope, aggregates: dict[str, Any] | None) -> list[Any]:
        columns: list[Any] = []
        while self.next.text not in ("{", "") and self.next.word != "WHERE":
            one = self.take()
            if one.kind == "variable":
                columns.append([one.text[1:]])
                continue
            if one.text != "(":
                raise UnsupportedError
            close = self.closing_position(self.at - 1)
            if self.tokens[close - 3].word != "AS":
                raise UnsupportedError
            made = self.expression(close - 3, scope, aggregates)
            columns.append([self.tokens[close - 2].text[1:], made])
            self.at = close
        return columns

    def group(self, scope: GroupScope) -> list[Any]:
        """`{ ... }`, its filters last."""
        self.expect("{")
        if self.next.word == "SELECT":
            steps = [self._parse_nested(scope)]
            self.expect("}")
            return steps
        steps, filters = list[Any](), list[Any]()
        while not self.accept("}"):
            if self.accept("."):
                continue
            if self.accept("FILTER"):
                filters.append(["filter", self._filter(scope)])
            elif self.accept("OPTIONAL"):
                steps.append(["optional", self.optional(scope)])
            elif self.accept("BIND"):
                steps.append(self._bind(scope))
            elif self.accept("VALUES"):
                steps.append(self._constants(scope))
            elif self.next.text == "{":
                steps.append(self._union(scope))
            else:
                steps += self._triples(scope)
        # A filter sees the whole group, so its scope is checked at the end.
        return steps + [[kind, made(scope)] for kind, made in filters]

    def _parse_nested(self, scope: GroupScope) -> list[Any]:
        found = self.select(outer=set())
        scope.meet({name for name, *_ in found["columns"]}, certain=found["certain"])
        return ["select", found]

    def optional(self, scope: GroupScope) -> list[Any]:
        inside = scope.inside(conditional=True)
        steps = self.group(inside)
        scope.offer(inside)
        return steps

    def _union(self, scope: GroupScope) -> list[Any]:
        branches, insides = list[Any](), list[GroupScope]()
        while True:
            insides.append(scope.inside(conditional=False))
            branches.append(self.group(insides[-1]))
            if not self.accept("UNION"):
                break
        scope.meet(set().union(*(one.possible for one in insides)), set.intersection(*(one.certain for one in insides)))
        return ["union", branches]

    def _bind(self, scope: GroupScope) -> list[Any]:
        end = self.closing_position()
        self.expect("(")
        if self.tokens[end - 3].word != "AS":
            raise UnsupportedError
        made = self.expression(end - 3, scope, None)
        name = self.tokens[end - 2].text[1:]
        scope.bind(name)
        self.at = end
        return ["bind", name, made]

    def _constants(self, scope: GroupScope) -> list[Any]:
        name, values = self.take().text, list[Any]()
        self.expect("{")
        while not self.accept("}"):
            values.append(self.constant(self.take()))
        scope.meet({name[1:]}, {name[1:]})
        return ["values", name, values]

    def _filter(self, scope: GroupScope) -> Any:
        """What makes the filter once the whole group is read: its tokens are kept until then."""
        start = self.at
        while self.next.word in ("NOT", "EXISTS"):
            self.take()
        if self.next.text not in ("(", "{"):  # a call such as REGEX(...)
            self.take()
        end = self.at = self.closing_position()

        def made(scope: GroupScope) -> Any:
            behind, self.at = self.at, start
            found = self.expression(end, scope, None, filtering=True)
            self.at = behind
            return found

        return made

    def expression(
        self, end: int, scope: GroupScope, aggregates: dict[str, Any] | None, *, filtering: bool = False
    ) -> list[Any]:
        """The expression from here to a position: its tree, and the patterns and searches in it by inner variable."""
        text, patterns = "", dict[str, Any]()
        used = set[str]()
        while self.at < end:
            one = self.take()
            if one.word == "EXISTS" and one.kind == "name":
                name = self.inner()
                patterns[name], met = self._pattern(scope)
                used |= met
                text += f" ?{name} "
            elif one.word == "NOT" and self.next.word == "EXISTS":
                text += " ! "
            elif one.kind == "name" and one.word in AGGREGATES and aggregates is not None:
                name = self.inner()
                aggregates[name] = self._aggregate(one.word, scope)
                text += f" ?{name} "
            elif one.kind == "name" and one.word in SEARCHING:
                name = self.inner()
                patterns[name], met = self._search(one.word, scope)
                used |= met
                text += f" ?{name} "
            elif one.kind == "iri":
                raise UnsupportedError
            else:
                used |= {one.text[1:]} if one.kind == "variable" else set()
                text += f" {one.text} "
        scope.check(used, filtering=filtering)
        tree = encode_node(parse(text, variable))
        return [tree, patterns] if patterns else [tree]

    def _pattern(self, scope: GroupScope) -> tuple[list[Any], set[str]]:
        """The pattern of an EXISTS, and the variables that it shares with what is around it."""
        inside = GroupScope(
            outer=set(), possible=set(scope.outer | scope.possible), certain=set(scope.outer | scope.possible)
        )
        steps = self.group(inside)
        return steps, inside.met

    def _aggregate(self, kind: str, scope: GroupScope) -> list[Any]:
        """Name, whether equal values count once, what stands between texts, and the argument where it is not `*`."""
        close, mark = self.closing_position(), ""
        self.expect("(")
        distinct = self.accept("DISTINCT")
        if self.accept("*"):
            self.expect(")")
            return [kind, distinct, mark]
        end = close - 1
        if kind == "GROUP_CONCAT":
            *_, separator, equals, text = self.tokens[close - 5 : close - 1]
            if (separator.word, equals.text, text.kind) != ("SEPARATOR", "=", "text"):
                raise UnsupportedError
            mark, end = self.constant(text)[1], close - 5
        made = self.expression(end, scope, None)
        self.at = close
        return [kind, distinct, mark, made]

    def _search(self, kind: str, scope: GroupScope) -> tuple[dict[str, Any], set[str]]:
        """A search for a constant pattern, and the variables of the text that is searched."""
        close = self.closing_position()
        first = close - (4 if kind == "REPLACE" else 2)  # the pattern; what is put in its place comes last
        texts = self.tokens[first : close - 1 : 2]
        self.expect("(")
        behind = first - 1
        met = {one.text[1:] for one in self.tokens[self.at : behind] if one.kind == "variable"}
        made = self.expression(behind, scope, None)
        self.at = close
        pattern, *put = [self.constant(one) for one in texts]
        if not all(isinstance(one, list) for one in (pattern, *put)) or not quick(pattern[1]):
            raise UnsupportedError
        return {"search": pattern[1], "of": made, "put": put[0][1] if put else None}, met

    def _triples(self, scope: GroupScope) -> list[Any]:
        """A subject with its predicates and objects."""
        steps, subject = list[Any](), self._term(scope)
        while True:
            path = self.path()
            while True:
                value = self.class_name() if path == ["a"] else self._term(scope)
                steps += self.chain_steps(subject, path, value)
                if not self.accept(","):
                    break
            if not self.accept(";") or self.next.text in ("}", "."):
                return steps

    def _term(self, scope: GroupScope) -> Any:
        one = self.take()
        if one.kind == "variable":
            scope.meet({one.text[1:]}, {one.text[1:]})
            return one.text
        return self.constant(one)
