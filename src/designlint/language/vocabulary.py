"""The words of the design language and their classes, as the ontology defines them, read from the compiled bundle."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any

from designlint.language import currencies, roles
from designlint.language.units import Units
from designlint.language.words import ESTIMATE, SeenRange, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

HOME = "https://w3id.org/designlint"
NAMESPACE = f"{HOME}/ns#"
DESIGN = "design:"
CATALOG = f"{HOME}/catalog#"
SOURCE = f"{HOME}/source#"
PRINCIPLE = f"{HOME}/principle#"
#: In RDF, the word by which a subject says which of its words may stand in a place that could not be read.
UNREAD = "unread"
#: Where a rule is explained, by its id.
RULE = f"{HOME}/rules/"


class Vocabulary:
    """All classes with their words, the catalogue, and the units."""

    def __init__(self, bundle: Mapping[str, Any], texts: Callable[[], Mapping[str, Any]] | None = None) -> None:
        self.units = Units(bundle["units"])
        self._unit_table: Mapping[str, Any] = bundle["units"]
        self._spoken: dict[str, Vocabulary] = {currencies.USUAL: self}
        self.classes: dict[str, dict[str, Word]] = {
            name: {word: Word(word, entry, texts) for word, entry in words.items()}
            for name, words in bundle["classes"].items()
        }
        self._entries: Mapping[str, Mapping[str, Any]] = bundle["classes"]
        #: The ids of all principles that evidence can be for.
        self.principles: Collection[str] = bundle.get("principles", ())
        self._notes: Mapping[str, Mapping[str, str]] = bundle.get("notes", {})
        self._comments: Mapping[str, str] = bundle["comments"]
        #: By class and word where numbers have been seen, see `seen_of`.
        self.seen: Mapping[str, Mapping[str, list[Any]]] = bundle.get("seen", {})
        #: By class and word what it comes to per another one, see `Ratio`.
        self.ratios: Mapping[str, Mapping[str, list[Any]]] = bundle.get("ratios", {})
        self._rates: Mapping[str, list[float]] = bundle.get("rates", {})
        self._optional: Collection[str] | None = bundle.get("optional")
        self._only_trained: Collection[str] | None = bundle.get("only_trained")
        self._texts = texts
        self.parents: Mapping[str, list[str]] = bundle["parents"]
        self.catalog: Mapping[str, Mapping[str, Any]] = bundle["catalog"]
        self.aliases: Mapping[str, Mapping[str, str]] = bundle["aliases"]
        #: What people call words and values, by another name; see `designlint.language.suggestions`.
        self.synonyms: Mapping[str, Mapping[str, Any]] = bundle["synonyms"]
        for place, values in self.synonyms["values"].items():
            owner, _, name = place.partition("/")
            for words in self.classes.values():
                if name in words and words[name].owner == owner:
                    words[name].synonyms = values
        self._paths: dict[tuple[str, str], tuple[str, ...]] = {}
        self._reachable: dict[str, set[str]] = {}
        self._roles: dict[str, roles.Roles] = {}

    @cached_property
    def optional(self) -> frozenset[str]:
        """Words for what a sound design need not have, wherever they stand: a rule that waits for one has nothing to judge."""
        if self._optional is not None:
            return frozenset(self._optional)
        kinds: dict[str, set[bool]] = {}
        for words in self.classes.values():
            for name, word in words.items():
                kinds.setdefault(name, set()).add(word.optional and word.form != "parts")
        return frozenset(name for name, kind in kinds.items() if kind == {True})

    @cached_property
    def only_trained(self) -> frozenset[str]:
        """Words for what only jobs that train have."""
        if self._only_trained is not None:
            return frozenset(self._only_trained)
        return frozenset(name for words in self.classes.values() for name, word in words.items() if word.only_trained)

    @cached_property
    def twins(self) -> dict[str, dict[str, tuple[tuple[str, ...], float]]]:
        """By class and word the way to what the design makes of a word that it states, and the tolerance."""
        found: dict[str, dict[str, tuple[tuple[str, ...], float]]] = {}
        for name, words in self._entries.items():
            for word, entry in words.items():
                if "agrees_with" in entry and entry["owner"] == name:
                    twin = tuple(entry["agrees_with"].split("/")), float(entry.get("tolerance", 0))
                    found.setdefault(name, {})[word] = twin
        return found

    def seen_of(self, cls: str, name: str) -> Iterator[SeenRange]:
        """The ranges of a word, those of a kind of part first."""
        return (SeenRange(*one) for one in self.seen[self.classes[cls][name].owner][name])

    def in_currency(self, code: str) -> Vocabulary:
        """The same language with money in another currency, in which amounts may lie wherever any exchange rate puts them."""
        if code not in self._spoken:
            spoken = self._spoken[code] = copy(self)
            spoken.units = Units(currencies.in_currency(self._unit_table, code))
            spoken.classes = {
                cls: {name: _spoken(word, code) for name, word in words.items()} for cls, words in self.classes.items()
            }
            spoken.seen = self._exchange(self.seen, lambda _, one: True, 2, code)
            spoken.ratios = self._exchange(self.ratios, self._is_price, 1, code)
        return self._spoken[code]

    def _exchange(
        self, ranges: Mapping[str, Mapping[str, list[Any]]], moves: Callable[[str, list[Any]], bool], at: int, code: str
    ) -> dict[str, dict[str, list[Any]]]:
        """The ranges of money in another currency, each from its lowest rate to its highest, so they are only plausible."""
        low, high = self._rates.get(code, (1.0, 1.0))

        def exchange(cls: str, one: list[Any]) -> list[Any]:
            if not moves(cls, one):
                return one
            return [*one[:at], one[at] * low, one[at + 1] * high, ESTIMATE, *one[at + 3 :]]

        return {
            cls: {
                name: [exchange(cls, one) for one in some] if self.classes[cls][name].kind in currencies.MONEY else some
                for name, some in words.items()
            }
            for cls, words in ranges.items()
        }

    def _is_price(self, cls: str, ratio: list[Any]) -> bool:
        """Whether a ratio of an amount of money is an amount itself: it is none where the other number is one, too."""
        return self.word(cls, tuple(ratio[0].split("/"))).kind not in currencies.MONEY

    def catalogue_name(self, cls: str, name: str) -> str | None:
        """The name of a catalogue entry by its class and any of its spellings, such as `DGX H100`; None where there is none."""
        return self.aliases.get(cls, {}).get("-".join(name.lower().replace("_", " ").split()))

    def names_part(self, word: Word, name: str) -> bool:
        """Whether a name is one of the catalogue for a word that takes such a name, or a part by that alone."""
        kind = word.kind
        if word.form == "part" and "model" in self.classes[kind]:
            kind = self.classes[kind]["model"].kind
        elif word.form != "catalog":
            return False
        return self.catalogue_name(kind, name) is not None

    @property
    def comments(self) -> Mapping[str, str]:
        """What each class is, in a sentence."""
        found: Mapping[str, str] = self._comments if self._texts is None else self._texts()["comments"]
        return found

    @property
    def notes(self) -> Mapping[str, Mapping[str, str]]:
        """What the catalogue remarks on its entries, by class and name."""
        found: Mapping[str, Mapping[str, str]] = self._notes if self._texts is None else self._texts()["notes"]
        return found

    def figures(self, kind: str) -> set[str]:
        """The words that say what a part is, beside its name: quantities and parts that entries of its class state."""
        words = self.classes[kind]
        stated = {word for entry in self.catalog.get(kind, {}).values() for word in entry["figures"]}
        return {one for one in stated if words[one].kind not in ("Text", "Flag")}

    def figures_of(self, kind: str, name: str, facts: Mapping[str, Any]) -> dict[str, Any]:
        """The figures of a catalogue entry as a part has them: those of one times how many it has, or none where that is open."""
        figures: dict[str, Any] = self.catalog[kind][name]["figures"]
        found = dict(figures)
        for word, figure in figures.items():
            if self.classes[kind][word].void_beside in facts:
                found[word] = None
            if by := self.classes[kind][word].counted_by:
                count = facts.get(by, figures.get(by))
                found[word] = figure * count if isinstance(count, int | float) else None
        return {word: figure for word, figure in found.items() if figure is not None}

    def roles(self, name: str) -> roles.Roles:
        """The words of a class that count where a design leaves them out."""
        known = self._roles.get(name)
        if known is None:
            known = self._roles[name] = roles.of(self.classes[name].values())
        return known

    def is_a(self, name: str) -> list[str]:
        """The class and all classes above it."""
        return self.parents[name]

    def word(self, owner: str, path: tuple[str, ...]) -> Word:
        """The word at the end of a path that starts at a class; the steps are those of `:follows`."""
        for step in path[:-1]:
            owner = step[1:].partition(".")[0] if step[0] == "^" else self.classes[owner][step].kind
        return self.classes[owner][path[-1]]

    def path(self, owner: str, name: str) -> tuple[str, ...] | None:
        """
        The words that lead from a class to a word: the class's own, else the nearest one in its nested parts.

        Raises:
            LookupError: two parts equally near have such a word.
        """
        known = self._paths.get((owner, name))
        if known is None:
            known = self._search(owner, name)
            self._paths[owner, name] = known
        return known or None

    def _search(self, owner: str, name: str) -> tuple[str, ...]:
        level: list[tuple[tuple[str, ...], str]] = [((), owner)]
        for _ in range(4):
            found = [steps for steps, at in level if name in self.classes[at] and not self._leads_away(at, name)]
            if len(found) > 1:
                ways = ", ".join("/".join((*steps, name)) for steps in found)
                raise LookupError(f"`{name}` of {owner} is ambiguous: {ways}")
            if found:
                return (*found[0], name)
            level = [
                ((*steps, part.name), part.kind) for steps, at in level for part in self.parts(at) if not part.stands_in
            ]
        return ()

    def _leads_away(self, owner: str, name: str) -> bool:
        return self.classes[owner][name].form in ("part", "parts", "catalog")

    def reachable(self, owner: str) -> set[str]:
        """The class, what its parts may be, what their parts may be, each with all classes above it."""
        if owner not in self._reachable:
            found, waiting = set[str](), [owner]
            while waiting:
                name = waiting.pop()
                if name not in found:
                    found.update(self.is_a(name))
                    waiting += [word.kind for word in self.classes[name].values() if word.form in ("part", "parts")]
            self._reachable[owner] = found
        return self._reachable[owner]

    def parts(self, owner: str) -> Iterator[Word]:
        """The words of a class whose value is one nested mapping."""
        return (word for word in self.classes[owner].values() if word.form == "part")


def _spoken(word: Word, code: str) -> Word:
    """A word whose example is in another currency, if it is for money."""
    if word.kind not in currencies.MONEY:
        return word
    found = copy(word)
    found.example = word.example.replace(currencies.USUAL, code)
    return found
