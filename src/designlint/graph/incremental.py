"""
Facts changed in place, with all that follows from them and nothing else, and put back afterwards.

Trying a change so costs what depends on it: no text is read again, no node is made. What would change nodes or
references (another catalogue entry, a new part, a name) is no such change: `statement` gives None for it.
"""

from __future__ import annotations

from contextlib import contextmanager
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from designlint.graph.subjects import Origin
from designlint.language.values import ValueFault, accept

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from designlint.graph.derive import Plan
    from designlint.graph.subjects import Fact, Graph, Subject
    from designlint.reading.tree import Node

STATED = Origin("stated")


class StatedFact(NamedTuple):
    """A fact that a design would state; None where it would state it no longer."""

    subject: Subject
    word: str
    fact: Fact | None


class Place(NamedTuple):
    """A word of a subject, known or not."""

    subject: Subject
    word: str


#: A place that waits to be calculated again: its order, its subject by number, its word, its subject.
_Waiting: TypeAlias = "tuple[int, int, str, Subject]"


class Dependencies:
    """
    What each fact of a derived graph is read by; it holds as long as nodes and references stay.

    Args:
        graph: with all that follows from it.
        wanted: the steps that are taken again; all of them where it is None. What others write stays as it was.
    """

    def __init__(self, plan: Plan, graph: Graph, wanted: Collection[int] | None = None) -> None:
        self.plan, self._graph, self._wanted = plan, graph, wanted
        self._away: dict[str, dict[tuple[Subject, str], list[_Waiting]]] = {}
        self._own: dict[tuple[str, str], list[tuple[int, str]]] = {}
        self._ends: dict[tuple[str, ...], list[tuple[Subject, Subject]]] = {}
        self._writers: dict[tuple[str, str], list[int]] = {}

    @contextmanager
    def assuming(self, statements: Iterable[StatedFact]) -> Iterator[dict[Place, Fact | None]]:
        """
        The graph as it would be with these facts; afterwards all is as before.

        Yields all places whose facts differ, each with the fact that it had, None for none.
        """
        before: dict[Place, tuple[Fact, Origin] | None] = {}
        try:
            self._state(statements, before)
            facts = {place: None if old is None else old[0] for place, old in before.items()}
            yield {place: fact for place, fact in facts.items() if _known_fact(place) != fact}
        finally:
            for (subject, word), old in before.items():
                _put_fact(subject, word, old)

    def _state(self, statements: Iterable[StatedFact], before: dict[Place, tuple[Fact, Origin] | None]) -> None:
        waiting: list[_Waiting] = []
        queued: set[_Waiting] = set()

        def change(subject: Subject, word: str, new: tuple[Fact, Origin] | None) -> None:
            """State a fact or take it away, note what was there, and let those wait that read it, each once."""
            old = (subject.facts[word], subject.origins[word]) if word in subject.facts else None
            if old is new or (old and new and old[0] == new[0] and old[1].step == new[1].step):
                return
            before.setdefault(Place(subject, word), old)
            _put_fact(subject, word, new)
            for one in self._reached_places(subject, word):
                if one not in queued:
                    queued.add(one)
                    heappush(waiting, one)

        for subject, word, fact in statements:
            change(subject, word, (fact, STATED) if fact is not None else self._derive(subject, word))
        while waiting:
            one = heappop(waiting)
            queued.discard(one)
            _, _, word, subject = one
            origin = subject.origins.get(word)
            if origin is None or origin.step >= 0:
                change(subject, word, self._derive(subject, word))

    def readers(self, place: Place) -> Sequence[Place]:
        """The places whose calculation reads this one."""
        return [Place(subject, word) for _, _, word, subject in self._reached_places(*place)]

    def _reached_places(self, subject: Subject, word: str) -> Sequence[_Waiting]:
        """The places whose calculation reads a fact, as they wait to be calculated again."""
        own = self._own.get((subject.cls, word))
        if own is None:
            read = [
                step["word"] for step, path in self._reading(word) if len(path) == 1 and step["of"] in subject.kinds
            ]
            own = self._own[subject.cls, word] = [(self._writing_steps(subject, one)[-1], one) for one in read]
        away = self._away.get(word)
        if away is None:  # most changes reach few of all words
            away = self._away[word] = self._reading_away(word)
        at = id(subject)
        return [*[(order, at, one, subject) for order, one in own], *away.get((subject, word), ())]

    def _reading_away(self, word: str) -> dict[tuple[Subject, str], list[_Waiting]]:
        """The places whose calculation reads a word of another subject, by what it reads."""
        found: dict[tuple[Subject, str], list[_Waiting]] = {}
        for step, path in self._reading(word):
            made = step["word"]
            for subject, end in self.ends(step["of"], path) if len(path) > 1 else ():
                order = self._writing_steps(subject, made)[-1]
                found.setdefault((end, word), []).append((order, id(subject), made, subject))
        return found

    def ends(self, cls: str, path: Sequence[str]) -> Sequence[tuple[Subject, Subject]]:
        """The subjects of a class, each with those at whose words a path ends."""
        key = cls, *path[:-1]
        found = self._ends.get(key)
        if found is None:  # many words are read along one way
            subjects = self._graph.by_class.get(cls, ())
            found = self._ends[key] = [(one, end) for one in subjects for end, _ in one.follow(path)]
        return found

    def _reading(self, word: str) -> Iterator[tuple[Mapping[str, Any], Sequence[str]]]:
        """The steps that read a word, with the path at whose end it stands."""
        for number, path in self.plan.reading.get(word, ()):
            if self._wanted is None or number in self._wanted:
                yield self.plan.steps[number], path

    def downstream(self, places: Iterable[Place]) -> set[Place]:
        """The places whose facts may change with these, but for those that a design states; these are not among them."""
        starts = set(places)
        reached, waiting = set(starts), list(starts)
        while waiting:
            for one in self.readers(waiting.pop()):
                origin = one.subject.origins.get(one.word)
                if one not in reached and (origin is None or origin.step >= 0):
                    reached.add(one)
                    waiting.append(one)
        return reached - starts

    def writers(self, place: Place) -> list[int]:
        """The steps that calculate a place, the one that counts first."""
        return self._writing_steps(*place)

    def _writing_steps(self, subject: Subject, word: str) -> list[int]:
        """The steps that calculate a word of a subject."""
        known = self._writers.get((subject.cls, word))
        if known is None:
            found = (number for cls in subject.kinds for number in self.plan.writing.get((cls, word), ()))
            known = self._writers[subject.cls, word] = sorted(found)
        return known

    def order(self, place: Place) -> int:
        """When a place may be calculated again: after everything that its last calculation reads."""
        return self.writers(place)[-1]

    def _derive(self, subject: Subject, word: str) -> tuple[Fact, Origin] | None:
        for number in self._writing_steps(subject, word):
            found = self.plan.result(number, subject)
            if found is not None:
                return found
        return None


def statement(graph: Graph, path: str, node: Node | None) -> StatedFact | None:
    """
    A change of the design as a fact; None where it would change more than facts, or is no value of its word.

    Args:
        path: of the word that is stated, such as `workloads/pretrain/parallelism/tensor`.
        node: the value as YAML reads it; None where it is taken out.
    """
    owner, _, name = path.rpartition("/")
    subject = graph.subjects.get(owner)
    word = None if subject is None else graph.vocabulary.classes[subject.cls].get(name)
    if subject is None or word is None or word.form != "value" or name == "name" or subject.node is None:
        return None
    if node is None:
        alone = word.default is None and not _is_catalogued(graph, owner, name)
        return StatedFact(subject, name, None) if alone else None
    if node.kind != "scalar" or word.kind == "Principle":
        return None
    fact = accept(word, node.scalar(), node.text, graph.vocabulary.units)
    return None if isinstance(fact, ValueFault) else StatedFact(subject, name, fact)


def _is_catalogued(graph: Graph, path: str, word: str) -> bool:
    """Whether a catalogue entry has a figure for a word: its own, or that of a part around it."""
    steps = [*path.split("/"), word]
    for end in range(1, len(steps)):
        one = graph.subjects.get("/".join(steps[:end]))
        if one is not None and "model" in one.facts:
            if end == len(steps) - 1:
                return True
            for cls in one.kinds:
                entry = graph.vocabulary.catalog.get(cls, {}).get(str(one.facts["model"]), {})
                figures: Any = entry.get("figures")
                for step in steps[end:]:
                    figures = figures.get(step) if isinstance(figures, dict) else None
                if figures is not None:
                    return True
    return False


def _known_fact(place: Place) -> Fact | None:
    return place.subject.facts.get(place.word)


def _put_fact(subject: Subject, word: str, new: tuple[Fact, Origin] | None) -> None:
    if new is None:
        subject.facts.pop(word, None)
        subject.origins.pop(word, None)
    else:
        subject.state(word, *new)
