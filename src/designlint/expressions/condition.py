"""The condition of a rule: where it applies, what must hold there, and all that it reads and computes."""

from __future__ import annotations

from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct, json

from designlint.expressions.evaluation import UNMET, evaluate, of_subject
from designlint.expressions.tree import Let, Limit, Node, Operation, Type, WordNode, decode_node, encode_node, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from designlint.expressions.evaluation import Read
    from designlint.expressions.tree import Named


#: Operators that make something of what is not there.
GUESSING = ("BOUND", "COALESCE")


class Condition(Struct, frozen=True, eq=False, dict=True):
    """
    The condition of a rule.

    Attributes:
        about: the class whose subjects it judges.
        named: words, limits and computed values by name: what decides, and what texts and fixes name.
        made: gives `answer` with the limits as the rule states them, as the bundle has it; None where it has none.
    """

    about: str
    named: _Names
    made: Callable[[], Callable[..., Any] | None] | None = None

    @cached_property
    def judge(self) -> Node:
        """What must hold."""
        return decode_node(self.named.data["judge"], self.named)

    @cached_property
    def when(self) -> Node | None:
        """Where it applies; None for everywhere."""
        return decode_node(self.named.data["when"], self.named) if "when" in self.named.data else None

    @cached_property
    def existence_words(self) -> frozenset[str]:
        """Words of several values of which it only asks whether there is one; they have no value."""
        return frozenset(self.named.data["sought"])

    @cached_property
    def names(self) -> dict[str, Named]:
        """Words, limits and computed values by name."""
        return self.named.all()

    @property
    def paths(self) -> dict[str, tuple[str, ...]]:
        """The way to each word by name."""
        return {name: tuple(path) for name, (_, _, _, *path) in self.named.data["words"].items()}

    @cached_property
    def guesses(self) -> bool:
        """Whether it can be decided by a word that is left out."""
        trees: list[Node] = [self.judge, *self.names.values(), *([self.when] if self.when is not None else [])]
        return any(isinstance(one, Operation) and one.operator in GUESSING for tree in trees for one in walk(tree))

    @cached_property
    def shown(self) -> dict[str, Named]:
        """All names that have a value."""
        return {name: one for name, one in self.names.items() if name not in self.existence_words}

    @cached_property
    def sparql(self) -> str:
        """The same as a query of SPARQL, which selects all values."""
        from designlint.expressions import sparql

        return sparql.query(self.about, self.judge, self.when, self.shown)

    @cached_property
    def answer(self) -> Callable[[Any], Any]:
        """Whether it holds of a subject; `UNMET` where it does not apply, None where that is unknown. Raises SeveralError."""
        made = None if self.made is None else self.made()
        if made is None:
            return self.evaluate_tree
        taken = made.__code__.co_varnames[: made.__code__.co_argcount]
        given = {limit(name): value for name, value in self.named.limits.items() if limit(name) in taken}
        return partial(made, **given) if given else made

    def evaluate_tree(self, source: Any, read: Read = of_subject) -> Any:
        """The same without a function that was written for it, of a subject or of what else `read` reads words of."""
        if self.when is not None:
            applies = evaluate(self.when, source, read)
            if not applies:
                return None if applies is None else UNMET
        return evaluate(self.judge, source, read)


def data(judge: Node, when: Node | None, names: Mapping[str, Named], sought: Iterable[str]) -> dict[str, Any]:
    """A condition as JSON-able data."""
    found: dict[str, Any] = {
        "judge": encode_node(judge),
        "words": {},
        "limits": {},
        "lets": {},
        "sought": sorted(sought),
    }
    for name, one in names.items():
        if isinstance(one, WordNode):
            found["words"][name] = [one.kind, one.type, one.many, *one.path]
        elif isinstance(one, Limit):
            found["limits"][name] = [one.kind, one.value]
        else:
            found["lets"][name] = [one.kind, encode_node(one.body)]
    return found if when is None else found | {"when": encode_node(when)}


class _Names(dict[str, Any]):
    """The names of a condition as its data refers to them, each decoded when it is first met."""

    def __init__(self, stated: Mapping[str, Any] | str, limits: Mapping[str, int | float]) -> None:
        super().__init__()
        self.stated, self.limits = stated, limits

    @cached_property
    def data(self) -> Mapping[str, Any]:
        """The data, read where it is still text."""
        found: Mapping[str, Any] = json.decode(self.stated) if isinstance(self.stated, str) else self.stated
        return found

    def __missing__(self, key: str) -> Named:
        name = key[1:]
        if name in self.data["words"]:
            kind, type_, many, *path = self.data["words"][name]
            found: Named = WordNode(name, tuple(path), kind, Type(type_), many)
        elif name in self.data["limits"]:
            kind, value = self.data["limits"][name]
            found = Limit(name, kind, self.limits.get(name, value))
        else:
            kind, body = self.data["lets"][name]
            found = Let(name, kind, decode_node(body, self))
        self[key] = found
        return found

    def all(self) -> dict[str, Named]:
        """Everything that has a name, in the order in which values are shown."""
        names = (name for part in ("words", "limits", "lets") for name in self.data[part])
        return {name: self[f"?{name}"] for name in names}


def condition(
    about: str,
    data: Mapping[str, Any] | str,
    limits: Mapping[str, int | float] = MappingProxyType({}),
    made: Callable[[], Callable[..., Any] | None] | None = None,
) -> Condition:
    """The condition that data, or its JSON, stands for, with other values of some limits; `made` as `Condition` has it."""
    return Condition(about, _Names(data, limits), made)


def limit(name: str) -> str:
    """The parameter by which a function that was written for a condition takes another value of a limit."""
    return f"limit_{name}"
