"""Judgements that are a SELECT of their own: what they answer, and the columns from which their margin is measured."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox
from msgspec import Struct

from designlint.expressions import condition, python
from designlint.expressions.limits import apply_limits
from designlint.expressions.parser import parse
from designlint.expressions.selects import parser as selects
from designlint.expressions.selects.python import write_select
from designlint.expressions.tokens import ExpressionError, Token, outermost, tokens
from designlint.expressions.tree import Let, Limit, Type, WordNode, collect_names
from designlint.graph.rdf import bound_query
from designlint.rules.margins import compares

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from designlint.expressions.tree import Named, Node
    from designlint.language.vocabulary import Vocabulary

#: Columns that are no words of the subject.
OWN = ("focus", "ok", "when")
#: Functions that give another answer in every run; the same design has the same findings.
CHANGING = ("RAND", "NOW", "UUID", "STRUUID", "BNODE")
#: How the columns are named that only a margin reads.
HIDDEN = "__"
#: A word of the vocabulary in a query.
NAMED = re.compile(r"(?<![\w<]):(\w+)")


class QueryNames(Struct, frozen=True):
    """
    What the variables of a SELECT stand for.

    Attributes:
        lets: the text of each value that the query computes, with its kind.
    """

    vocabulary: Vocabulary
    about: str
    limits: Mapping[str, Limit]
    lets: Mapping[str, tuple[str, str]]

    @property
    def own(self) -> set[str]:
        """The variables that are no words of the subject."""
        return {*OWN, *self.limits, *self.lets}

    def paths(self, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The way to each variable that is a word of the class or of a part of it. Raises ValueError."""
        try:
            found = {name: self.vocabulary.path(self.about, name) for name in names if name not in self.own}
        except LookupError as error:
            raise ValueError(str(error.args[0])) from None
        return {name: path for name, path in found.items() if path is not None}

    def kinds(self, paths: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
        """The kind of quantity of each variable that has one."""
        words = {name: self.vocabulary.word(self.about, path).kind for name, path in paths.items()}
        lets = {name: kind for name, (_, kind) in self.lets.items() if kind}
        return words | {name: one.kind for name, one in self.limits.items()} | lets


class Projection(NamedTuple):
    """
    What a SELECT computes as ?ok.

    Attributes:
        condition: its tokens.
        end: where the columns end in the text.
        columns: the variables that are selected.
    """

    condition: list[Token]
    end: int
    columns: frozenset[str]


def compile_query(names: QueryNames, query: str, said: Iterable[str], mends: Iterable[str]) -> dict[str, Any]:
    """
    What the bundle holds of a judgement that is a SELECT.

    Args:
        said: the values that its messages name, and `mends` those that its fixes name.

    Raises:
        ValueError: it is no SPARQL, or does not select ?focus and ?ok.
    """
    if found := changing(query):
        raise ValueError(f"`{found}` gives another answer in every run")
    decides = variables(query)
    paths = names.paths(dict.fromkeys([*decides, *said, *mends]))
    kinds = names.kinds(paths)
    selected = _try(apply_limits(query, {name: one.value for name, one in names.limits.items()}))
    if strange := next((name for name in names.lets if name not in selected), None):
        raise ValueError(f"`let` states `{strange}`, which the query does not select: nothing reads it")
    answer = measurable(query, names, kinds)
    needs = [name for name in paths if name in decides]
    whole = query if answer is None else answer.query
    values = {name: one.value for name, one in names.limits.items()}
    joins = selects.compile_select(whole, values)
    return {
        "select": whole,
        "joins": joins,
        "in_place": joins is not None and python.readable(partial(write_select, joins, values)),
        "values": values,
        "words": sorted(words(query)),
        "needs": needs,
        "paths": {name: list(paths[name]) for name in needs},
        "shown": {name: list(path) for name, path in paths.items()},
        "kinds": kinds,
        "evidence": sorted({*said, *(set(decides) - set(mends))} - (set() if answer is None else answer.hidden)),
        "measured": None if answer is None else answer.data,
    }


def _try(query: str) -> list[str]:
    """The variables that a query selects; it is run over nothing, which finds what is not SPARQL."""
    try:
        found = ox.Store().query(bound_query(query))
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"the judgement is not valid SPARQL: {error}") from None
    selected = [one.value for one in found.variables] if isinstance(found, ox.QuerySolutions) else []
    if not {"focus", "ok"} <= set(selected):
        raise ValueError("the judgement must select ?focus and ?ok")
    return selected


class MeasuredSelect(NamedTuple):
    """
    A SELECT whose margin is measured.

    Attributes:
        query: with the columns for that, of which `hidden` are no values of the judgement.
        data: what it answers as an expression over its columns.
    """

    query: str
    hidden: set[str]
    data: dict[str, Any]


def changing(query: str) -> str:
    """The first function of a query that gives another answer in every run; empty where it has none."""
    named = (one.text.upper() for one in tokens(query, iris=True) if one.kind == "name")
    return next((one for one in named if one in CHANGING), "")


def variables(query: str) -> list[str]:
    """The variables of a query, in the order of the text."""
    return list(dict.fromkeys(one.text[1:] for one in tokens(query, iris=True) if one.kind == "variable"))


def words(query: str) -> set[str]:
    """The words of the vocabulary that a query names."""
    return set(NAMED.findall(query))


def projection(query: str) -> Projection | None:
    """What a SELECT computes as ?ok; None where it does not, or cannot take a further column."""
    found = tokens(query, iris=True)
    outer = list(outermost(found))
    body = next((at for at in outer if found[at].word == "WHERE" or found[at].text == "{"), 0)
    if any(one.word == "DISTINCT" for one in found[:2]):  # a further column would part rows that are one
        return None
    selected: set[str] = set()
    answer: list[Token] = []
    for at, following in pairwise(outer):
        if at >= body:
            break
        if found[at].kind == "variable":
            selected.add(found[at].text[1:])
        computed = found[following - 2] if found[following - 3].word == "AS" else None
        if found[at].text == "(" and computed is not None:
            selected.add(computed.text[1:])
            if computed.word == "?OK":
                answer = found[at + 1 : following - 3]
    return Projection(answer, found[body].start, frozenset(selected)) if answer else None


def measurable(query: str, names: QueryNames, kinds: Mapping[str, str]) -> MeasuredSelect | None:
    """
    A SELECT with the columns from which its margin is measured; None where it compares no numbers or can take no column.

    Args:
        kinds: the kind of quantity of each variable that has one.
    """
    found = projection(query)
    answer = None if found is None else _answer(query, found, names, kinds)
    if found is None or answer is None:
        return None
    judge, patterns = answer
    read = collect_names(judge)
    hidden = {
        name for name, one in read.items() if isinstance(one, WordNode) and name not in (*found.columns, *patterns)
    }
    columns = "".join(f" ({text} AS ?{name})" for name, text in patterns.items())
    columns += "".join(f" ?{one}" for one in read if one in hidden)
    whole = f"{query[: found.end]}{columns} {query[found.end :]}" if columns else query
    try:
        ox.Store().query(bound_query(apply_limits(whole, {name: one.value for name, one in names.limits.items()})))
    except (SyntaxError, ValueError):
        return None
    return MeasuredSelect(whole, hidden, condition.data(judge, None, read, ()))


def _answer(
    query: str, found: Projection, names: QueryNames, kinds: Mapping[str, str]
) -> tuple[Node, dict[str, str]] | None:
    """What the query answers as an expression over its columns, and the patterns in it by the column for each."""
    patterns: dict[str, str] = {}
    text = _without_patterns(query, found.condition, patterns)

    def resolve(name: str, above: tuple[str, ...] = ()) -> Named:
        word = WordNode(name, (name,), kinds.get(name, ""), Type.ANY)
        text, _ = names.lets.get(name, ("", ""))
        if not text or text == f"?{name}" or name in above:
            return names.limits.get(name) or word
        return Let(name, word.kind, parse(text, lambda inner: resolve(inner, (*above, name))))

    try:
        judge = parse(text, resolve)
    except ExpressionError:
        return None
    return (judge, patterns) if compares(judge) else None


def _without_patterns(query: str, found: list[Token], patterns: dict[str, str]) -> str:
    """The text of a condition with a variable in the place of each EXISTS and its pattern."""
    text, at = "", 0
    while at < len(found):
        one = found[at]
        if one.word != "EXISTS":
            denied = one.word == "NOT" and found[at + 1].word == "EXISTS"
            text += ("!" if denied else query[one.start : one.end]) + " "
            at += 1
            continue
        following = next(
            after for start, after in pairwise([*outermost(found[at + 1 :]), len(found) - at - 1]) if start == 0
        )
        name = f"{HIDDEN}{len(patterns)}"
        patterns[name] = query[one.start : found[at + following].end]
        text += f"?{name} "
        at += following + 1
    return text
