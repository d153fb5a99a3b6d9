"""One word of the design language, and the ranges in which its numbers have been seen."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from designlint.language.kinds import of_data

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from designlint.language.kinds import Kind


class Word:
    """
    One word of one class.

    Attributes:
        name: the word itself.
        form: how it stands in a design: `value`, `values`, `part`, `parts`, `name`, `names`, `catalog`; or not at
            all: `derived`, `followed`, `looked-up`, `given`.
        kind: kind of quantity, `Text`, `Flag`, `Date`, or the class of its part or name.
        allowed: the closed set of values, or None.
        owner: the class whose shape states the word; a class below it inherits it.
        many: whether it may have several values.
        comment: its meaning, read only when asked for.
        path: for `followed`, the words that lead to the value; for `looked-up`, the word that names the entry.
        defines: whether the default is what the word means when it is left out, and no assumption.
        idle_without: a word of the same job without which, or at 1, the default changes nothing.
        settled_by: a flag of the same job that shows the default to be the truth.
        shown_by: words of the same part whose presence shows another default, with that default.
        open: whether a design may name another value as `{other: name}`.
        digits: whether it is written in digits, because in its unit a thousand is often 1024.
        synonyms: what people call its values.
        figure: for `looked-up`, the entry's class and the figure of it.
        latitude: `fixed` where it is what a catalogued part is, `chosen` where a buyer or a job chooses it.
        requirement: whether the design is held against it: a target, a limit of the site, a margin or an expected condition.
        compared_by: the rule that compares it with what the design makes of it, where it follows as well.
        uncompared: why nothing compares it with that.
        counted_by: the word of the same part that says how many a catalogued figure, which is of one, is multiplied by.
        void_beside: the word of the same part that leaves nothing for this catalogued figure to say where a design states it.
        splits: the word of the same part with which its product is fixed: a switch has twice the ports at half the rate.
        each: of a count, the words of the same part that describe one of what it counts.
        total: of a count, the word of the same part that holds the sum over all that it counts.
        stands_in: for `part`, the word whose part is meant where a design leaves this one out.
        bare: for `parts`, whether the name of one may stand in place of the part.
        remaining: for `names`, whether all of its kind are meant that no other such word names, where a design leaves it out.
    """

    form: str
    kind: str
    owner: str
    many: bool = False
    allowed: list[Any] | None = None
    open: bool = False
    digits: bool = False
    least: float | None = None
    most: float | None = None
    default: Any = None
    defines: bool = False
    compared_by: str = ""
    uncompared: str = ""
    latitude: str = ""
    requirement: bool = False
    counted_by: str = ""
    void_beside: str = ""
    splits: str = ""
    each: str = ""
    total: str = ""
    idle_without: str = ""
    settled_by: str = ""
    optional: bool = False
    only_trained: bool = False
    sole: bool | str = False
    required: bool = False
    stands_in: str = ""
    bare: bool = False
    remaining: bool = False
    path: tuple[str, ...] = ()
    figure: tuple[str, ...] = ()
    example: str = ""
    shown_by: Mapping[str, str] = MappingProxyType({})
    synonyms: Mapping[str, str] = MappingProxyType({})

    def __init__(
        self, name: str, entry: Mapping[str, Any], texts: Callable[[], Mapping[str, Any]] | None = None
    ) -> None:
        vars(self).update(entry)  # of thousands of words, each states few of all there is to state
        self.name = name
        self._texts = texts
        if self.form in ("values", "names", "parts"):
            self.many = True
        if "path" in entry:
            self.path = tuple(entry["path"])
        if "figure" in entry:
            self.figure = tuple(entry["figure"])
        if "shown_by" in entry:
            self.shown_by = dict(one.split("=") for one in entry["shown_by"].split())

    @property
    def comment(self) -> str:
        """What the word means, in a sentence."""
        return self._text("comment")

    @property
    def equals(self) -> str:
        """The equation by which it follows from other words, where the vocabulary states one."""
        return self._text("equals")

    @property
    def bound(self) -> str:
        """`lower` or `upper`, where its equation gives a bound of the truth."""
        return self._text("bound")

    def _text(self, key: str) -> str:
        entry = vars(self) if self._texts is None else self._texts()["classes"][self.owner][self.name]
        return str(entry.get(key, ""))

    @property
    def certainty(self) -> Kind:
        """What its value is where it is calculated: exact, a bound, or an estimate."""
        return of_data(vars(self).get("certainty"))

    @property
    def written(self) -> bool:
        """Whether a design may state the word."""
        return self.form not in ("derived", "followed", "looked-up", "given")

    @property
    def scalar(self) -> bool:
        """Whether its value is one plain value, not a part, a name or a list."""
        return self.form in ("value", "derived", "followed", "looked-up", "given")


#: The source of a range that goes far beyond all rows.
ESTIMATE = "estimate"


class SeenRange(Struct, frozen=True):
    """
    A range in which the numbers of a word have been seen, in the canonical unit.

    Attributes:
        by: the word on whose value it depends, and that `value`; empty where it holds for all.
        source: key in the bibliography, or `rows` for the catalogue, the published designs and the examples, or `estimate`.
    """

    by: str
    value: str
    least: float
    most: float
    source: str

    @property
    def basis(self) -> str:
        """What its numbers are."""
        return basis(self.source)

    def applies(self, facts: Mapping[str, Any]) -> bool:
        """Whether it is the range of a part with these facts."""
        return not self.by or facts.get(self.by) == self.value


def basis(source: str) -> str:
    """What the numbers of a range are: known from somewhere, or only plausible."""
    return "plausible" if source == ESTIMATE else "known"


class Ratio(Struct, frozen=True):
    """
    A range of what a number comes to per another one, in canonical units.

    Attributes:
        path: the way to the other number.
        each: how many of the other one a message speaks of, such as 1 kW.
        by: the word on whose `value` it depends; empty where it holds for all.
    """

    path: str
    least: float
    most: float
    source: str
    each: float
    by: str = ""
    value: str = ""
