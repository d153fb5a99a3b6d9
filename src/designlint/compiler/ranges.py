"""Where each number of the language has been seen, as plain data: the files of `ontology/ranges`, every range with its source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.compiler import sources
from designlint.language import resources
from designlint.language.currencies import USUAL
from designlint.language.quantities import BadQuantity
from designlint.language.words import ESTIMATE
from designlint.reading import read_file
from designlint.reading.errors import AuthoringError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from designlint.language.vocabulary import Vocabulary
    from designlint.reading import Node

#: Keys of a range.
FROM, TO, SOURCE, BY = "from", "to", "source", "by"
#: The source of a range that is taken from the catalogue, the published designs and the examples.
ROWS = "rows"
#: Keys of a range of what a number comes to for each so many of another one: the way to that, and how many.
PER, EACH = "per", "each"


#: By class and word the ranges of a number, or of what it comes to per another one.
Ranges: TypeAlias = dict[str, dict[str, list[list[Any]]]]


def compile_ranges(vocabulary: Vocabulary) -> tuple[Ranges, Ranges]:
    """
    For each class and word its ranges, those of a kind of part first: word, value, least, most, source; and its ratios.

    Raises:
        AuthoringError: an unknown word or unit, a range upside down, a source that the bibliography lacks.
    """
    found: Ranges = {}
    ratios: Ranges = {}
    for path in resources.files(resources.ontology("ranges"), ".yaml"):
        top = read_file(path).root
        for cls, words in (top.entries if top is not None else {}).items():
            for name, node in words.entries.items():
                file = _File(path, vocabulary, cls, name)
                if name in found.setdefault(cls, {}):
                    raise file.error("this word has a range already", node)
                found[cls][name] = list(file.ranges(node))
                if PER in node.entries:
                    ratios.setdefault(cls, {})[name] = list(file.ratios(node))
    return found, ratios


def compile_rates(vocabulary: Vocabulary) -> dict[str, list[float]]:
    """
    What a unit of the usual currency has cost at least and at most in each other one that a design may state.

    Raises:
        AuthoringError: a currency without rates, or rates for one that no design may state.
    """
    path = resources.ontology("currencies.yaml")
    top = read_file(path).root
    rates = top.entries["rates"].entries if top is not None else {}
    allowed = {*(vocabulary.classes["Design"]["currency"].allowed or ())} - {USUAL}
    if odd := sorted(allowed ^ rates.keys()):
        raise AuthoringError(
            f"rates and allowed currencies differ: {', '.join(odd)}", file=resources.display_path(path)
        )
    return {code: [float(node.entries[key].text) for key in (FROM, TO)] for code, node in rates.items()}


class _File:
    def __init__(self, path: Path, vocabulary: Vocabulary, cls: str, name: str) -> None:
        self.path, self.vocabulary, self.cls, self.name = path, vocabulary, cls, name

    def error(self, message: str, node: Node) -> AuthoringError:
        line = node.document.place(max(node.key_start, 0) or node.start, node.end)[0]
        return AuthoringError(f"{self.cls}/{self.name}: {message}", file=resources.display_path(self.path), line=line)

    def ranges(self, node: Node) -> Any:
        """The ranges of one word: those by the value of another word, then that of all."""
        word = self.vocabulary.classes.get(self.cls, {}).get(self.name)
        if word is None or not word.written or word.kind not in self.vocabulary.units or word.owner != self.cls:
            raise self.error("no number of the design language", node)
        yield from ([by, value, *self._range(one, word.kind)] for by, value, one in self._by(node))

    def _by(self, node: Node) -> Iterator[tuple[str, str, Node]]:
        """The ranges of a word or a ratio, those by the value of another word first: that word, its value, the range."""
        for by, values in (node.entries[BY].entries if BY in node.entries else {}).items():
            if by not in self.vocabulary.classes[self.cls]:
                raise self.error(f"{self.cls} has no word `{by}`", values)
            yield from ((by, value, one) for value, one in values.entries.items())
        if FROM in node.entries:
            yield "", "", node

    def ratios(self, node: Node) -> Any:
        """The ranges of what the word comes to per another one: the way to that, least, most, source, and per how many."""
        kind = self.vocabulary.classes[self.cls][self.name].kind
        for path, one in (node.entries[PER].entries if PER in node.entries else {}).items():
            try:
                other = self.vocabulary.word(self.cls, tuple(path.split("/")))
            except KeyError:
                raise self.error(f"no word at the end of `{path}`", one) from None
            share = "Ratio" if kind in ("Count", other.kind) else kind
            for by, value, range_ in self._by(one):
                each = self._value(range_.entries[EACH], other.kind) if EACH in range_.entries else 1
                least, most, source = self._range(range_, share)
                yield [path, least / each, most / each, source, each, by, value]

    def _range(self, node: Node, kind: str) -> list[Any]:
        if not {FROM, TO, SOURCE} <= node.entries.keys() <= {FROM, TO, SOURCE, BY, PER, EACH}:
            raise self.error(f"a range has {FROM}, {TO} and {SOURCE}", node)
        least, most = (self._value(node.entries[key], kind) for key in (FROM, TO))
        source = node.entries[SOURCE].text
        if source not in (ROWS, ESTIMATE) and source not in sources.bibliography():
            raise self.error(f"the bibliography has no `{source}`", node)
        if least > most:
            raise self.error("the range is upside down", node)
        return [least, most, source]

    def _value(self, node: Node, kind: str) -> int | float:
        parsed = self.vocabulary.units.parse(node.scalar() if node.plain else node.text, kind)
        if isinstance(parsed, BadQuantity):
            raise self.error(parsed.text, node)
        return parsed
