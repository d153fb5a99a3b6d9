"""What a calculation is: a pure function whose signature names the facts it reads and the fact it writes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from msgspec import Struct

from designlint.language.kinds import Kind, estimate, exact, lower, upper

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "REGISTRY",
    "Date",
    "Derivation",
    "Flag",
    "Text",
    "derivation",
    "estimate",
    "exact",
    "lower",
    "made_function",
    "upper",
]

Text: TypeAlias = str
Flag: TypeAlias = bool
#: A day, as 2026-11-20: such texts compare as the days do.
Date: TypeAlias = str

Function = TypeVar("Function", bound="Callable[..., Any]")


class Derivation(Struct, frozen=True):
    """
    A calculation as it was declared.

    Attributes:
        of: class of the word that it writes.
        sources: keys of its sources.
        groups: classes of words that it reads together.
        grows: words with which the result only grows.
        text: the function in Python, where the vocabulary states an equation.
    """

    of: str
    function: Callable[..., Any]
    sources: tuple[str, ...]
    groups: tuple[type[Struct], ...]
    formula: str = ""
    kind: Kind = exact
    grows: tuple[str, ...] = ()
    text: str = ""

    @property
    def words(self) -> list[tuple[str, str]]:
        """The words that it reads, each with its type, in the order in which `call` takes them."""
        found = [
            word
            for name, kind, group in self._parameters()
            for word in ([(name, kind)] if group is None else _typed_words(group))
        ]
        if len({name for name, _ in found}) < len(found):
            raise ValueError(f"{self.function.__name__} reads a word twice: groups share none")
        return found

    @property
    def shape(self) -> list[type[Struct] | None]:
        """The group of words that each parameter of the function is; None where it is one word."""
        return [group for _, _, group in self._parameters()]

    @property
    def call(self) -> Callable[..., Any]:
        """The function, of all words one by one."""
        if not self.groups:
            return self.function
        shape = [(group, 1 if group is None else len(group.__struct_fields__)) for group in self.shape]

        function = self.function

        def grouped(*values: Any) -> Any:
            at, made = 0, []
            for group, size in shape:
                made.append(values[at] if group is None else group(*values[at : at + size]))
                at += size
            return function(*made)

        return grouped

    def _parameters(self) -> list[tuple[str, str, type | None]]:
        named = {group.__name__: group for group in self.groups}
        kinds = self.function.__annotations__.items()
        return [(name, kind, named.get(kind)) for name, kind in kinds if name != "return"]


#: Every calculation imported so far, by class and word.
REGISTRY: dict[tuple[str, str], Derivation] = {}


@cache
def made_function(text: str, file: str = "<equation>", line: int = 1) -> Callable[..., Any]:
    """The function that a line of Python defines, with the place where its equation is stated."""
    made: dict[str, Any] = {"__name__": __name__}
    lines = "\n" * (line - 1) + text
    exec(compile(lines, file, "exec", flags=annotations.compiler_flag, dont_inherit=True), made)
    function: Callable[..., Any] = made[text[len("def ") : text.index("(")]]
    return function


def _typed_words(group: type[Struct]) -> list[tuple[str, str]]:
    """The words of a group, each with its type as it is written."""
    written = {
        name: kind for one in reversed(group.__mro__) for name, kind in getattr(one, "__annotations__", {}).items()
    }
    return [(name, written[name]) for name in group.__struct_fields__]


def derivation(
    *,
    of: str,
    sources: tuple[str, ...] = (),
    groups: tuple[type[Struct], ...] = (),
    formula: str = "",
    kind: Kind = exact,
    grows: tuple[str, ...] = (),
) -> Callable[[Function], Function]:
    """
    A decorator that declares a function as the calculation of the word it is named after.

    The parameters are words too, looked up on the same node and in its parts. `x: Bytes` is needed: without it
    nothing is derived. `x: Bytes | None` is optional. `x: tuple[Bytes, ...]` takes all values along the path and
    needs each of them; `x: tuple[Bytes | None, ...]` takes the known ones, None in the place of each other, and none at all
    where the path leads nowhere: for bounds of sums. A result of None means that the fact does not exist for these inputs.

    Args:
        of: class of the ontology that the fact is stated about.
        sources: keys of `ontology/sources.ttl` that the formula comes from.
        groups: classes of words among the types of its parameters: their fields are words that it reads, too.
        formula: what it computes, where its body computes that step by step; otherwise it is read from the body.
        kind: `lower`, `upper` or `estimate(error)` where the result is not exact. What reads a word that is not exact is
            not exact either, and no bound rests on an estimate, unless `because` says why.
        grows: words in which the result never falls, where its body does not show it; of a list in a text: never lists less.

    Raises:
        ValueError: another module calculates this word of this class already.
    """

    def declare(function: Function) -> Function:
        word = (of, function.__name__)
        if word in REGISTRY and REGISTRY[word].function.__module__ != function.__module__:
            message = f"{of}.{function.__name__} is calculated twice: also in {REGISTRY[word].function.__module__}"
            raise ValueError(message)
        REGISTRY[word] = Derivation(of, function, sources, groups, formula, kind, grows)
        return function

    return declare
