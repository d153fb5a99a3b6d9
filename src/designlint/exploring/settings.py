"""What a user would state otherwise: `PATH=VALUE` and `PATH=A..B/STEP`, read against the words of a design."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, NamedTuple

from designlint.fixes.placing import Places
from designlint.language.sentences import cut, series
from designlint.language.values import ValueFault, accept, closest, instead
from designlint.reading import read_bytes
from designlint.reading.edits import EditRefused
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design.design import Design
    from designlint.fixes.placing import Placed
    from designlint.graph.subjects import Subject
    from designlint.language.words import Word

#: Values of one sweep: more take minutes and say no more.
MOST_VALUES = 100_000
#: Places that a message lists.
MOST_LISTED = 6
RANGE = re.compile(r"(?P<first>.+?)\.\.(?P<last>[^/]+)(?:/(?P<step>.+))?")
AMOUNT = re.compile(r"\s*([+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?)\s*(.*?)\s*")


class SettablePlace(NamedTuple):
    """A word that a design may state, stated or not."""

    subject: Subject
    word: Word

    @property
    def path(self) -> str:
        """Its place in the design."""
        return f"{self.subject.path}/{self.word.name}".lstrip("/")


class Sweep(NamedTuple):
    """The values of one word that are tried, as a design would spell them."""

    place: SettablePlace
    values: tuple[str, ...]


def setting(design: Design, text: str) -> tuple[SettablePlace, str]:
    """The place and the value of `PATH=VALUE`. Raises UsageError."""
    path, value = _halves(text, "--set", "PATH=VALUE, such as nodes/train/count=640")
    place = place_of(design, path)
    check_value(design, place, value)
    return place, value


def sweep(design: Design, text: str) -> Sweep:
    """The values of `PATH=A..B/STEP` or `PATH=A,B,C`. Raises UsageError."""
    path, listed = _halves(text, "--sweep", "PATH=A..B/STEP or PATH=A,B,C, such as nodes/train/count=256..1024/64")
    place = place_of(design, path)
    values = tuple(spread(listed) if ".." in listed else (one.strip() for one in listed.split(",")))
    for value in (values[0], values[-1]) if ".." in listed else values:
        check_value(design, place, value)
    return Sweep(place, values)


def _halves(text: str, option: str, wanted: str) -> tuple[str, str]:
    path, equals, value = text.partition("=")
    if not equals or not path.strip() or not value.strip():
        raise UsageError(f"{option} {text}: write {wanted}")
    return path.strip().strip("/"), value.strip()


def spread(text: str) -> Iterator[str]:
    """The values of `A..B/STEP`, both ends included where the steps meet them. Raises UsageError."""
    found = RANGE.fullmatch(text)
    parts = [AMOUNT.fullmatch(one) for one in found.groups(default="1")] if found else [None]
    if not all(parts):
        raise UsageError(f"`{text}` is not a range; write A..B/STEP, such as 256..1024/64 or 30 days..90 days/10 days")
    try:
        first, last, step = (Decimal(one[1]) for one in parts if one)
    except InvalidOperation:
        raise UsageError(f"`{text}` is not a range of numbers") from None
    units = list(dict.fromkeys(one[2] for one in parts if one and one[2]))
    if len(units) > 1:
        raise UsageError(f"`{text}` mixes the units {series(units)}; use one of them")
    if step <= 0 or last < first:
        raise UsageError(f"`{text}` is an empty range; the step is positive and the end is not below the start")
    number = int((last - first) / step) + 1
    if number > MOST_VALUES:
        raise UsageError(
            f"`{text}` has {number} values; {MOST_VALUES} are tried at most; state a larger step: A..B/STEP"
        )
    unit = f" {units[0]}" if units else ""
    return (f"{first + step * at:f}{unit}" for at in range(number))


def place_of(design: Design, path: str) -> SettablePlace:
    """The word that a path means: whole, or its end where only one word ends so. Raises UsageError."""
    owner, _, name = path.rpartition("/")
    subject = design.graph.subjects.get(owner)
    word = None if subject is None else design.engine.vocabulary.classes[subject.cls].get(name)
    if subject is not None and word is not None and (owner or "/" in path or word.written):
        return _writable(SettablePlace(subject, word))
    found = [one for one in _places(design) if f"/{one.path}".endswith(f"/{path}")]
    stated = [one for one in found if one.word.name in one.subject.keys]
    chosen = stated if len(stated) == 1 else found
    if len(chosen) == 1:
        return chosen[0]
    if chosen:
        raise UsageError(f"`{path}` may be {cut([one.path for one in chosen], MOST_LISTED)}; write the whole path")
    paths = [one.path for one in _places(design)]
    part = next((one.path for one in _places(design) if name in one.word.name.split("_")), None)
    near = part or closest(path, paths) or closest(name, [one.word.name for one in _places(design)])
    raise UsageError(f"{design.document.file} has no key `{path}`" + (f"; did you mean `{near}`?" if near else ""))


def _places(design: Design) -> list[SettablePlace]:
    """All words that the design may state of parts that it states."""
    classes = design.engine.vocabulary.classes
    return [
        SettablePlace(subject, word)
        for subject in design.graph.subjects.values()
        if subject.node is not None or (subject.owner is not None and subject.owner.node is not None)
        for word in classes[subject.cls].values()
        if word.written and word.name != "name"
    ]


def _writable(place: SettablePlace) -> SettablePlace:
    if not place.word.written:
        raise UsageError(f"{place.path} follows from other values and cannot be set; `designlint why` shows from which")
    if place.word.name == "name":
        raise UsageError(f"{place.path}: a name is not a value to try; references to it would break")
    return place


def check_value(design: Design, place: SettablePlace, value: str) -> None:
    """Nothing, where a word may hold a value. Raises UsageError."""
    node = read_bytes(value.encode(), "value").root
    if node is None:
        raise UsageError(f"{place.path}: `{value}` is not a YAML value")
    if node.kind != "scalar" or place.word.form not in ("value", "catalog") or place.word.kind == "Principle":
        return  # a part or a list: it is read and judged as any text of a design
    if place.word.form == "catalog":
        if design.engine.vocabulary.catalogue_name(place.word.kind, node.text) is None:
            entries = sorted(design.engine.vocabulary.catalog.get(place.word.kind, {}))
            hint = instead(node.text, entries)
            raise UsageError(f"{place.path}: the catalogue has no `{node.text}`{hint}")
        return
    found = accept(place.word, node.scalar(), node.text, design.engine.vocabulary.units)
    if isinstance(found, ValueFault):
        proposal = found.values.get("proposal")
        wanted = (
            f"did you mean `{proposal}`?" if proposal else f"expected {found.values.get('wanted', 'another value')}"
        )
        raise UsageError(f"{place.path}: `{value}` is not a value of `{place.word.name}`; {wanted}")


def place_value(design: Design, place: SettablePlace, value: str) -> Placed:
    """The edit that states a value; files that the design extends stay. Raises UsageError where no edit does it alone."""
    try:
        return Places(design, lambda _: False).set(place.subject, place.word.name, value)
    except EditRefused as refused:
        raise UsageError(f"{place.path} cannot be set: {refused}") from None
