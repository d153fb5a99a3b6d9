"""The words of the design language and their classes, as the ontology defines them, read from the compiled bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.units import Units

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

HOME = "https://w3id.org/designlint"
NAMESPACE = f"{HOME}/ns#"
DESIGN = "design:"
CATALOG = f"{HOME}/catalog#"
SOURCE = f"{HOME}/source#"
PRINCIPLE = f"{HOME}/principle#"
#: Where a rule is explained, by its id.
RULE = f"{HOME}/rules/"


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
        figure: for `looked-up`, the entry's class and the figure of it.
    """

    __slots__ = (
        "_comment", "_texts", "allowed", "default", "example", "figure", "form", "kind", "least", "many", "most", "name",
        "open", "optional", "owner", "path", "required", "sole",
    )  # fmt: skip

    def __init__(
        self, name: str, entry: Mapping[str, Any], texts: Callable[[], Mapping[str, Any]] | None = None
    ) -> None:
        self.name = name
        self._comment: str = entry.get("comment", "")
        self._texts = texts
        self.form: str = entry["form"]
        self.kind: str = entry["kind"]
        self.owner: str = entry["owner"]
        self.many: bool = entry.get("many", False) or self.form in ("values", "names", "parts")
        self.allowed: list[Any] | None = entry.get("allowed")
        self.open: bool = entry.get("open", False)
        self.least: float | None = entry.get("least")
        self.most: float | None = entry.get("most")
        self.default: Any = entry.get("default")
        self.optional: bool = entry.get("optional", False)
        self.sole: bool = entry.get("sole", False)
        self.required: bool = entry.get("required", False)
        self.path: tuple[str, ...] = tuple(entry.get("path", ()))
        self.figure: tuple[str, ...] = tuple(entry.get("figure", ()))
        self.example: str = entry.get("example", "")

    @property
    def comment(self) -> str:
        """What the word means, in a sentence."""
        if self._texts is None:
            return self._comment
        return str(self._texts()["classes"][self.owner][self.name]["comment"])

    @property
    def written(self) -> bool:
        """Whether a design may state the word."""
        return self.form not in ("derived", "followed", "looked-up", "given")

    @property
    def scalar(self) -> bool:
        """Whether its value is one plain value, not a part, a name or a list."""
        return self.form in ("value", "derived", "followed", "looked-up", "given")


class Vocabulary:
    """All classes with their words, the catalogue, and the units."""

    def __init__(self, bundle: Mapping[str, Any], texts: Callable[[], Mapping[str, Any]] | None = None) -> None:
        self.units = Units(bundle["units"])
        self.classes: dict[str, dict[str, Word]] = {
            name: {word: Word(word, entry, texts) for word, entry in words.items()}
            for name, words in bundle["classes"].items()
        }
        self._principles: Collection[str] = bundle.get("principles", ())
        self._comments: Mapping[str, str] = bundle["comments"]
        self._texts = texts
        self.parents: Mapping[str, list[str]] = bundle["parents"]
        self.catalog: Mapping[str, Mapping[str, Any]] = bundle["catalog"]
        self.aliases: Mapping[str, Mapping[str, str]] = bundle["aliases"]
        self._paths: dict[tuple[str, str], tuple[str, ...]] = {}
        self._reachable: dict[str, set[str]] = {}

    @property
    def comments(self) -> Mapping[str, str]:
        """What each class is, in a sentence."""
        found: Mapping[str, str] = self._comments if self._texts is None else self._texts()["comments"]
        return found

    @property
    def principles(self) -> Collection[str]:
        """The ids of all principles that evidence can be for."""
        found: Collection[str] = self._principles if self._texts is None else self._texts()["principles"]
        return found

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
            level = [((*steps, part.name), part.kind) for steps, at in level for part in self.parts(at)]
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
