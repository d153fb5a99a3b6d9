"""A fact and the tree of facts behind it, down to the lines of the file, the catalogue and the bibliography."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.errors import UsageError
from designlint.graph.subjects import Subject
from designlint.reporters.text import printable
from designlint.values import closest
from designlint.wording import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.design import Design

Place = tuple[Subject, str]
#: Values of one fact that are told: explicit wirings have tens of thousands.
MOST_VALUES = 100


def told(design: Design, what: str) -> str:
    """The trees of all facts that `what` names; every derived fact, a line each, where it is empty. Raises UsageError."""
    if not what:
        return "\n".join(line(design, place) for place in _all(design) if place[0].origins[place[1]].how == "derived")
    roots = list(_asked(design, what))
    if not roots:
        near = closest(
            what,
            sorted(
                {word for words in design.engine.vocabulary.classes.values() for word in words}
                | set(design.engine.rules)
            ),
        )
        raise UsageError(
            f"{design.document.file} has no fact or rule `{what}`" + (f"; did you mean `{near}`?" if near else "")
        )
    seen: set[Place] = set()
    return "\n\n".join("\n".join(_drawn(grown(design, place, seen))) for place in roots)


def tree(design: Design, place: Place) -> Iterator[str]:
    """The lines of the tree of one fact."""
    return _drawn(grown(design, place, set()))


def formula(design: Design, place: Place) -> Iterator[str]:
    """A calculated fact and, on a line of its own, how it is calculated."""
    subject, word = place
    step = design.engine.plan.told(subject.origins[word].step)
    yield line(design, place)
    yield f"   = {step['formula']}{_cited(step['sources'])}"


def followers(design: Design, place: Place) -> list[Place]:
    """The facts calculated from a fact, or from one that only passes it on, in the order of the design."""
    passed, found = [place], list[Place]()
    for one in passed:  # grows while it is walked: along references
        for subject, word in _all(design):
            origin = subject.origins[word]
            if one in origin.inputs and origin.how == "followed" and (subject, word) not in passed:
                passed.append((subject, word))
            elif one in origin.inputs and origin.how == "derived" and (subject, word) not in found:
                found.append((subject, word))
    return found


def _all(design: Design) -> Iterator[Place]:
    return ((subject, word) for subject in design.graph.subjects.values() for word in subject.facts)


def _asked(design: Design, what: str) -> Iterator[Place]:
    """The facts that a path, a word or a rule means, known or not."""
    rule = design.engine.rules.get(what)
    if rule is not None:
        for subject in design.graph.by_class.get(rule.about, ()):
            for name in rule.needs:
                yield from subject.follow(tuple(rule.paths[name]))
        return
    path, _, word = what.strip("/").rpartition("/")
    for subject in design.graph.subjects.values():
        asked = subject.path == path if path else True
        if (
            asked
            and word in design.engine.vocabulary.classes[subject.cls]
            and (path or _interesting(design, subject, word))
        ):
            yield subject, word


def _interesting(design: Design, subject: Subject, word: str) -> bool:
    return word in subject.facts or (
        subject.node is not None and design.engine.plan.step(design.graph, subject, word) is not None
    )


def line(design: Design, place: Place) -> str:
    """A known fact, as `path = value`."""
    subject, word = place
    return f"{printable(subject.path)}/{word} = {_value(design, subject, word)}".lstrip("/")


def _value(design: Design, subject: Subject, word: str) -> str:
    fact, kind = subject.facts[word], design.engine.vocabulary.classes[subject.cls][word].kind
    facts = fact if isinstance(fact, list) else [fact]
    told = ", ".join(plain(one, kind, design.engine.vocabulary.units) for one in facts[:MOST_VALUES]) or "none"
    return printable(told + (f", … ({len(facts)} in all)" if len(facts) > MOST_VALUES else ""))


class Branch(NamedTuple):
    """
    A fact of a calculation.

    Attributes:
        fact: as `path = value`; of an unknown one, what it waits for.
        note: where it is stated or comes from.
        formula: how it is calculated, with the `sources` of that.
        again: its inputs are told above.
        cut: not all its inputs are told.
    """

    fact: str
    note: str = ""
    formula: str = ""
    sources: Sequence[str] = ()
    again: bool = False
    inputs: Sequence[Branch] = ()
    cut: bool = False


def grown(design: Design, place: Place, seen: set[Place], left: list[int] | None = None) -> Branch:
    """
    The tree of one fact; those already `seen` keep their inputs to themselves.

    Args:
        left: how many facts it may still tell, counted down; all where there is none.
    """
    subject, word = place
    if left is not None:
        left[0] -= 1
    if word not in subject.facts:
        lacks = ", ".join(dict.fromkeys(design.engine.plan.lacks(design.graph, subject, (word,), {})))
        waits = f": it waits for {lacks}" if lacks else ": its inputs do not allow it"
        return Branch(f"{printable(subject.path)}/{word} is unknown{waits}")
    origin, fact, note = subject.origins[word], line(design, place), _note(subject, word)
    if place in seen and origin.inputs:
        return Branch(fact, note, again=True)
    seen.add(place)
    inputs = list[Branch]()
    for one in origin.inputs:
        if left is not None and left[0] < 1:
            break
        inputs.append(grown(design, one, seen, left))
    cut = len(inputs) < len(origin.inputs)
    if origin.how != "derived":
        return Branch(fact, note, inputs=inputs, cut=cut)
    step = design.engine.plan.told(origin.step)
    return Branch(fact, note, step["formula"], step["sources"], inputs=inputs, cut=cut)


def _drawn(one: Branch, first: str = "", rest: str = "") -> Iterator[str]:
    note = f"   {one.note}" if one.note else ""
    yield f"{first}{one.fact}{note}{'  (above)' if one.again else ''}"
    if one.formula:
        yield f"{rest}{'│ ' if one.inputs else '  '} = {one.formula}{_cited(one.sources)}"
    for number, part in enumerate(one.inputs, 1):
        last = number == len(one.inputs)
        yield from _drawn(part, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))


def _cited(sources: Sequence[str]) -> str:
    return f"   [{', '.join(sources)}]" if sources else ""


def _note(subject: Subject, word: str) -> str:
    origin, node = subject.origins[word], subject.keys.get(word)
    if origin.how == "stated" and node is not None:
        line, column, _, _ = node.document.place(node.start, node.end)
        return f"{printable(node.document.file)}:{line}:{column}"
    told = {
        "catalog": f"catalogue: {origin.note} [{origin.source}]",
        "default": "default",
        "sole": "the only one there is",
        "followed": origin.note,
    }
    return f"({told[origin.how]})" if origin.how in told else ""
