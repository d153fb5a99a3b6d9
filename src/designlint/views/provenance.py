"""The tree of facts behind a fact, and how it is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.graph.certainty import certainty
from designlint.graph.subjects import Subject
from designlint.language.citations import citations, cite_source
from designlint.reporters.shared.terminal import PLAIN, printable
from designlint.rules.wording import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.design.design import Design
    from designlint.reporters.shared.terminal import Paint

Place = tuple[Subject, str]
#: Values of one fact that are told: explicit wirings have tens of thousands.
MOST_VALUES = 100


def line(design: Design, place: Place) -> str:
    """A known fact, as `path = value`."""
    return f"{path(place)} = {value(design, place)}"


def path(place: Place) -> str:
    """Where a fact stands in the design."""
    return f"{printable(place[0].path)}/{place[1]}".lstrip("/")


def value(design: Design, place: Place) -> str:
    """The value of a known fact, in its unit."""
    subject, word = place
    fact, kind = subject.facts[word], design.engine.vocabulary.classes[subject.cls][word].kind
    facts = fact if isinstance(fact, list) else [fact]
    told = ", ".join(plain(one, kind, design.engine.vocabulary.units) for one in facts[:MOST_VALUES]) or "none"
    return printable(told + (f", … ({len(facts)} in all)" if len(facts) > MOST_VALUES else ""))


class Branch(NamedTuple):
    """
    A fact of a calculation.

    Attributes:
        path: of the fact.
        fact: as `path = value`; of an unknown one, what it waits for.
        value: in its unit; None where it is unknown.
        note: where it is stated or comes from.
        formula: how it is calculated, with the `sources` of that.
        again: its inputs are told above.
        cut: not all its inputs are told.
    """

    path: str
    fact: str
    value: str | None = None
    note: str = ""
    formula: str = ""
    sources: Sequence[str] = ()
    again: bool = False
    inputs: Sequence[Branch] = ()
    cut: bool = False


def grown(
    design: Design, place: Place, seen: set[Place], left: list[int] | None = None, depth: int | None = None
) -> Branch:
    """
    The tree of one fact; those already `seen` keep their inputs to themselves.

    Args:
        left: how many facts it may still tell, counted down; all where there is none.
        depth: how many steps down it goes; to the end where there is none.
    """
    subject, word = place
    if left is not None:
        left[0] -= 1
    if word not in subject.facts:
        lacks = ", ".join(dict.fromkeys(design.engine.plan.lacks(subject, (word,), {})))
        waits = f": it needs {lacks}" if lacks else ": its inputs do not allow it"
        return Branch(path(place), f"{path(place)} is unknown{waits}")
    origin = subject.origins[word]
    one = Branch(path(place), line(design, place), value(design, place), _note(design, subject, word))
    if place in seen and origin.inputs:
        return one._replace(again=True)
    if depth != 0:
        seen.add(place)
    inputs = list[Branch]()
    for each in origin.inputs:
        if depth == 0 or (left is not None and left[0] < 1):
            break
        inputs.append(grown(design, each, seen, left, None if depth is None else depth - 1))
    one = one._replace(inputs=inputs, cut=len(inputs) < len(origin.inputs))
    if origin.how != "derived":
        return one
    step = design.engine.plan.description(origin.step)
    return one._replace(formula=step["formula"], sources=citations(step["sources"], step["confidence"]))


def data(one: Branch) -> dict[str, Any]:
    """A tree as JSON holds it."""
    known = {key: found for key, found in one._asdict().items() if found or key in ("path", "value")}
    known.pop("fact")
    return (
        known
        | ({"unknown": one.fact} if one.value is None else {})
        | ({"inputs": [data(part) for part in one.inputs]} if one.inputs else {})
    )


def draw_tree(one: Branch, paint: Paint = PLAIN, first: str = "", rest: str = "") -> Iterator[str]:
    """The lines of a tree."""
    note = f"   {paint('dim', one.note)}" if one.note else ""
    told = one.fact if one.value is None else f"{paint('bold', one.path)} = {one.value}"
    yield f"{paint('frame', first) if first else ''}{told}{note}{'  (above)' if one.again else ''}{' …' if one.cut else ''}"
    if one.formula:
        edge = f"{rest}{'│ ' if one.inputs else '  '}"
        head, *lines = one.formula.split("\n")
        yield f"{paint('frame', edge)} = {head}{paint('dim', _cite_sources(one.sources))}"
        yield from (f"{paint('frame', edge)}   {line}" for line in lines)
    for number, part in enumerate(one.inputs, 1):
        last = number == len(one.inputs)
        yield from draw_tree(part, paint, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))


def formula(design: Design, place: Place) -> Iterator[str]:
    """A calculated fact and, on a line of its own, how it is calculated."""
    subject, word = place
    step = design.engine.plan.description(subject.origins[word].step)
    yield mark_fact(design, place)
    first, *rest = step["formula"].split("\n")
    yield f"   = {first}{_cite_sources(citations(step['sources'], step['confidence']))}"
    yield from (f"     {line}" for line in rest)


def mark_fact(design: Design, place: Place) -> str:
    """A known fact, with what it is where it is not exact."""
    told = certainty(*place, design.engine.vocabulary).label
    return line(design, place) + (f"   ({told})" if told else "")


def tree(design: Design, place: Place) -> Iterator[str]:
    """The lines of the tree of one fact."""
    return draw_tree(grown(design, place, set()))


def _cite_sources(sources: Sequence[str]) -> str:
    return f"   [{'; '.join(sources)}]" if sources else ""


def _note(design: Design, subject: Subject, word: str) -> str:
    origin, node = subject.origins[word], subject.keys.get(word)
    if origin.how == "stated" and node is not None:
        line, column, _, _ = node.document.place(node.start, node.end)
        how = f" ({printable(origin.note)})" if origin.note else ""
        return f"{printable(node.document.file)}:{line}:{column}{how}"
    told = {
        "catalog": f"catalogue: {origin.note} [{cite_source(origin.source, origin.confidence)}]",
        "default": "default",
        "sole": "the only one there is",
        "followed": origin.note,
    }
    notes = (told.get(origin.how, ""), certainty(subject, word, design.engine.vocabulary).label)
    return f"({'; '.join(filter(None, notes))})" if any(notes) else ""
