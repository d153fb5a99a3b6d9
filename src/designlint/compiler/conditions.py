"""Judgements that are expressions: parsed, every name resolved, types checked, as data for the bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from designlint.expressions import condition
from designlint.expressions.parser import parse, type_of
from designlint.expressions.tokens import ExpressionError
from designlint.expressions.tree import Let, Limit, Node, Operation, Type, WordNode, collect_names, parts, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from designlint.expressions.tree import Named
    from designlint.language.vocabulary import Vocabulary

    #: Turns an error of an expression into one with a file and a line, by the key that holds the expression.
    Misplaced = Callable[[ExpressionError, str], Exception]


#: How many parts deep a list is looked for.
DEEPEST_PART = 4


class RuleNames(Struct):
    """
    What the variables of one rule stand for.

    Attributes:
        lets: the text of each computed value, with its kind.
    """

    vocabulary: Vocabulary
    about: str
    limits: Mapping[str, Limit]
    lets: Mapping[str, tuple[str, str]]
    misplaced: Misplaced
    known: dict[str, Named] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)

    def __call__(self, name: str) -> Named:
        """What a name stands for. Raises LookupError."""
        if name not in self.known:
            self.known[name] = self._resolve(name)
        return self.known[name]

    def _resolve(self, name: str) -> Named:
        if name in self.limits:
            return self.limits[name]
        return self.let(name) if name in self.lets else self.word(name)

    def let(self, name: str) -> Let:
        """A computed value. Raises LookupError where it is computed from itself."""
        known = self.known.get(name)
        if isinstance(known, Let):
            return known
        if name in self.open:
            raise LookupError(f"`{name}` is computed from itself")
        self.open.append(name)
        text, kind = self.lets[name]
        found = self.known[name] = Let(name, kind, self.parse_expression(text, f"let/{name}"))
        self.open.remove(name)
        return found

    def word(self, name: str) -> WordNode:
        """A word of the class or of a part of it. Raises LookupError."""
        path = self.vocabulary.path(self.about, name) or self.listing(name)
        if path is None:
            raise LookupError(f"{self.about} has no word `{name}`, nor has a part of it")
        return word(name, path, self.about, self.vocabulary)

    def listing(self, name: str) -> tuple[str, ...] | None:
        """The way to a list of parts, of which an expression can only ask whether there is one."""
        level: list[tuple[tuple[str, ...], str]] = [((), self.about)]
        for _ in range(DEEPEST_PART):
            for steps, at in level:
                if name in self.vocabulary.classes[at] and self.vocabulary.classes[at][name].form == "parts":
                    return (*steps, name)
            level = [((*steps, one.name), one.kind) for steps, at in level for one in self.vocabulary.parts(at)]
        return None

    def parse_expression(self, text: str, key: str) -> Node:
        """An expression of the rule, which stands under a key."""
        try:
            return parse(text, self)
        except ExpressionError as error:
            raise self.misplaced(error, key) from None

    def condition(self, text: str, key: str) -> Node:
        """An expression that is true or false."""
        found = self.parse_expression(text, key)
        if type_of(found) not in (Type.FLAG, Type.ANY):
            error = ExpressionError(f"this is a {type_of(found)}, not true or false", 0, len(text))
            raise self.misplaced(error, key)
        return found


#: The part that holds what a design aims at.
TARGETS = "targets"


def word(name: str, path: tuple[str, ...], about: str, vocabulary: Vocabulary) -> WordNode:
    """A word at the end of a path from a class, with its type."""
    owner, many = about, False
    for step in path:
        entry = vocabulary.classes[owner][step]
        owner, many = entry.kind, many or entry.many
    flat = {"Flag": Type.FLAG, "Date": Type.DATE}.get(entry.kind, Type.TEXT)
    number = Type.NUMBER if entry.kind in vocabulary.units else flat
    return WordNode(
        name, path, entry.kind, Type.PART if entry.form in ("part", "parts", "name", "names") else number, many
    )


def compile_condition(
    names: RuleNames, judge: str, when: str, said: Iterable[str], mends: Iterable[str]
) -> dict[str, Any]:
    """
    What the bundle holds of a judgement that is an expression.

    Args:
        said: the values that its messages name, and `mends` those that its fixes name.

    Raises:
        LookupError: a text names what is no value of the rule.
    """
    whole = names.condition(judge, "judge")
    roots = [whole, *([names.condition(when, "when")] if when else [])]
    lets = {name: names.let(name) for name in names.lets}
    nodes = [*roots, *(one.body for one in lets.values())]
    spoken = {name: names(name) for name in said}
    mended = {name: names(name) for name in mends}
    found = _merge_names(roots, inside=False) | spoken | _merge_names(nodes, inside=False) | mended
    words = {name: one for name, one in found.items() if isinstance(one, WordNode)}
    decides = _merge_names(roots, inside=True)
    sought = _existence_words(nodes) - spoken.keys()
    ordered = words | dict(names.limits) | lets
    read = {name: one for name, one in words.items() if name not in sought}
    return {
        "decides": condition.data(whole, roots[1] if when else None, ordered, sought),
        "words": sorted({names.about, *(step for one in words.values() for step in one.path)}),
        "needs": [name for name in read if name in decides],
        "paths": {name: list(one.path) for name, one in words.items() if one.path != (name,) or name == TARGETS},
        "shown": {name: list(one.path) for name, one in read.items()},
        "kinds": {name: one.kind for name, one in ordered.items() if one.kind and name not in sought},
        "evidence": sorted(decides.keys() | _merge_names(spoken.values(), inside=True).keys()),
        "measured": None,
    }


def alone(names: RuleNames, text: str, key: str) -> dict[str, Any]:
    """What the bundle holds of a condition beside the judgement."""
    node = names.condition(text, key)
    return condition.data(node, None, _merge_names([node], inside=True), ())


def _merge_names(nodes: Iterable[Node], *, inside: bool) -> dict[str, Named]:
    found: dict[str, Named] = {}
    for node in nodes:
        for name, one in collect_names(node, inside=inside).items():
            found.setdefault(name, one)
    return found


def _existence_words(nodes: Iterable[Node]) -> set[str]:
    """Words of several values of which it is only asked whether there is one."""
    whole = list(nodes)
    read = {one.name for node in whole for one in _read_words(node)}
    return {one.name for node in whole for one in walk(node) if isinstance(one, WordNode) and one.many} - read


def _read_words(node: Node) -> Iterator[WordNode]:
    """The words whose values are read, not only sought."""
    if isinstance(node, WordNode):
        yield node
    elif not (isinstance(node, Operation) and node.operator == "BOUND"):
        for part in parts(node):
            yield from _read_words(part)
