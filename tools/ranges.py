"""
Where the numbers of each word have been seen: in the catalogue, in published designs and in the examples.

`python -m tools.ranges` prints for each word its least and most value, with the rows that have them: what the ranges in
`ontology/ranges` whose source is `rows` are made from, widened by a margin. `tests/test_numbers.py` holds both together.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.corpus import convert
from tests.mutation import bases

from designlint.configuration import engine
from designlint.language.values import is_number
from designlint.language.words import Ratio
from designlint.linting import pipeline
from designlint.reading import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from designlint.graph.subjects import Subject
    from designlint.language.vocabulary import Vocabulary

ROOT = Path(__file__).resolve().parents[1]


class Sighting(NamedTuple):
    """A number that somebody stated: class and word, value in the canonical unit, where, and the words beside it."""

    cls: str
    word: str
    value: float
    where: str
    facts: Mapping[str, Any]


def sightings() -> Iterator[Sighting]:
    """Every number of the catalogue, the published designs and the examples."""
    vocabulary = engine.shipped_engine().vocabulary
    for cls, entries in vocabulary.catalog.items():
        for name, entry in entries.items():
            yield from _figures(cls, entry["figures"], name, vocabulary)
    for where, text in designs():
        graph = pipeline.read_design(read_bytes(text.encode(), where), engine.shipped_engine()).graph
        for subject in graph.subjects.values():
            for name in subject.keys:
                word = vocabulary.classes[subject.cls][name]
                yield from _values(word.owner, name, subject.facts.get(name), where, subject.facts)


def proportions() -> Iterator[tuple[str, str, Ratio, float]]:
    """Every ratio that the catalogue, the published designs and the examples have: class, word, the range, the number."""
    vocabulary = engine.shipped_engine().vocabulary
    for cls, entries in vocabulary.catalog.items():
        for entry in entries.values():
            yield from _proportions(cls, entry["figures"], None, vocabulary)
    for where, text in designs():
        graph = pipeline.read_design(read_bytes(text.encode(), where), engine.shipped_engine()).graph
        for subject in graph.subjects.values():
            yield from _proportions(subject.cls, subject.facts, subject, vocabulary)


def _proportions(
    cls: str, facts: Mapping[str, Any], subject: Subject | None, vocabulary: Vocabulary
) -> Iterator[tuple[str, str, Ratio, float]]:
    """The ratios of a subject of a design, or of an entry of the catalogue, which has its own figures alone."""
    for owner in vocabulary.is_a(cls):
        for name, ratios in vocabulary.ratios.get(owner, {}).items():
            for known in (Ratio(*one) for one in ratios if is_number(facts.get(name))):
                path = tuple(known.path.split("/"))
                ends = [facts.get(known.path)] if subject is None else _ends(subject, path)
                fits = not known.by or facts.get(known.by) == known.value
                if fits and len(ends) == 1 and is_number(ends[0]) and ends[0]:
                    yield owner, name, known, facts[name] / ends[0]


def _ends(subject: Subject, path: tuple[str, ...]) -> list[Any]:
    return [end.facts.get(word) for end, word in subject.follow(path)]


def designs() -> Iterator[tuple[str, str]]:
    """Designs that are known to be sound: published ones, those that tests break, and the examples."""
    yield from ((case.id, case.yaml) for case in convert.designs() if case.outcome == "ran")
    yield from ((f"tests/mutation/{name}", text) for name, text in bases.texts().items())
    for path in sorted((ROOT / "examples").glob("*/design.yaml")):
        yield str(path.relative_to(ROOT)), path.read_text("utf-8")


def _figures(cls: str, figures: Mapping[str, Any], where: str, vocabulary: Vocabulary) -> Iterator[Sighting]:
    for name, value in figures.items():
        word = vocabulary.classes[cls][name]
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                yield from _figures(word.kind, one, where, vocabulary)
            else:
                yield from _values(word.owner, name, one, where, figures)


def _values(cls: str, name: str, fact: Any, where: str, facts: Mapping[str, Any]) -> Iterator[Sighting]:
    for one in fact if isinstance(fact, list) else [fact]:
        if isinstance(one, int | float) and not isinstance(one, bool):
            yield Sighting(cls, name, one, where, facts)


def extremes() -> dict[tuple[str, str], tuple[Sighting, Sighting]]:
    """The least and the most value of each word."""
    found: dict[tuple[str, str], tuple[Sighting, Sighting]] = {}
    for one in sightings():
        least, most = found.get((one.cls, one.word), (one, one))
        found[one.cls, one.word] = min(least, one, key=_value), max(most, one, key=_value)
    return found


def _value(one: Sighting) -> float:
    return one.value


def main() -> None:
    """Print the extremes of every word."""
    vocabulary = engine.shipped_engine().vocabulary
    found = extremes()
    for cls, words in vocabulary.classes.items():
        for name, word in words.items():
            if (
                word.owner != cls
                or not word.written
                or word.kind not in vocabulary.units
                or word.form not in ("value", "values")
            ):
                continue
            if (cls, name) not in found:
                print(f"{cls}/{name}: never stated")
                continue
            least, most = found[cls, name]
            shown = [vocabulary.units.format(one.value, word.kind) for one in (least, most)]
            print(f"{cls}/{name}: {shown[0]} ({least.where}) to {shown[1]} ({most.where})")


if __name__ == "__main__":
    main()
