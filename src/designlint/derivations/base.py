"""What a calculation is: a pure function whose signature names the facts it reads and the fact it writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Text: TypeAlias = str
Flag: TypeAlias = bool
#: A day, as 2026-11-20: such texts compare as the days do.
Date: TypeAlias = str

Function = TypeVar("Function", bound="Callable[..., Any]")


@dataclass(frozen=True, slots=True)
class Derivation:
    """A calculation as it was declared: the class it is about, the function, the keys of its sources."""

    of: str
    function: Callable[..., Any]
    sources: tuple[str, ...]


#: Every calculation imported so far, by class and word.
REGISTRY: dict[tuple[str, str], Derivation] = {}


def derivation(*, of: str, sources: tuple[str, ...] = ()) -> Callable[[Function], Function]:
    """
    A decorator that declares a function as the calculation of the word it is named after.

    The parameters are words too, looked up on the same node and in its parts. `x: Bytes` is needed: without it
    nothing is derived. `x: Bytes | None` is optional. `x: tuple[Bytes, ...]` takes all values along the path and
    needs each of them. A result of None means that the fact does not exist for these inputs.

    Args:
        of: class of the ontology that the fact is stated about.
        sources: keys of `ontology/sources.ttl` that the formula comes from.

    Raises:
        ValueError: another module calculates this word of this class already.
    """

    def declare(function: Function) -> Function:
        word = (of, function.__name__)
        if word in REGISTRY and REGISTRY[word].function.__module__ != function.__module__:
            message = f"{of}.{function.__name__} is calculated twice: also in {REGISTRY[word].function.__module__}"
            raise ValueError(message)
        REGISTRY[word] = Derivation(of, function, sources)
        return function

    return declare
