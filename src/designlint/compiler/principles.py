"""Principles of the source documents, and which rules or whose evidence decide each."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from designlint.compiler.sources import bibliography
from designlint.compiler.turtle import Turtle
from designlint.language import resources
from designlint.language.citations import cite_source
from designlint.language.vocabulary import PRINCIPLE
from designlint.reading.errors import AuthoringError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from designlint.rules.rule import CompiledRule

JUDGES = ("rule", "evidence")
#: Field of a principle and the predicate that states it.
FIELDS = {
    "document": "source",
    "place": "place",
    "phase": "phase",
    "topic": "topic",
    "statement": "statement",
    "judged_by": "judged_by",
}


class Principle(Struct, frozen=True):
    """One normative statement, paraphrased; `document` is its key in `ontology/sources.ttl`, known to us by `confidence`."""

    id: str
    document: str
    place: str
    phase: str
    topic: str
    statement: str
    judged_by: str
    confidence: str = ""

    @property
    def source(self) -> str:
        """Its document as it is cited."""
        return cite_source(self.document, self.confidence)


class PrincipleRow(Struct, frozen=True):
    """One principle of the coverage matrix, with the rules that cite it; mapped where something decides it."""

    principle: Principle
    rules: tuple[str, ...]

    @property
    def judged_by(self) -> str:
        """`rule` or `evidence`."""
        return self.principle.judged_by

    @property
    def mapped(self) -> bool:
        """Whether a rule decides it, or a person is asked to."""
        return bool(self.rules) or self.judged_by == "evidence"


@cache
def shipped_principles() -> Mapping[str, Principle]:
    """The principles that come along, by id."""
    return load(resources.ontology("principles"))


def load(folder: Path) -> dict[str, Principle]:
    """All principles of a folder by id, in the order of their files. Raises AuthoringError."""
    found: dict[str, Principle] = {}
    for path in resources.files(folder, ".ttl"):
        turtle = Turtle(path)
        for subject, _ in turtle.of_type("Principle"):
            one = _principle(subject, turtle)
            if one.id in found:
                raise turtle.error(f"{one.id} is stated in another file too", f"#{one.id}>")
            found[one.id] = one
    return found


def _principle(subject: str, turtle: Turtle) -> Principle:
    name, facts, token = subject.removeprefix(PRINCIPLE), turtle.subjects[subject], f"<{subject}>"
    values = {field: turtle.values(facts.get(predicate, [])) for field, predicate in FIELDS.items()}
    for field, stated in values.items():
        if len(stated) != 1:
            raise turtle.error(f"{name} states its {field} {len(stated)} times", token)
    one = Principle(name, *(str(stated[0]) for stated in values.values()))
    if one.document not in bibliography():
        raise turtle.error(f"{name} has the unknown source {one.document}", token)
    if one.judged_by not in JUDGES:
        raise turtle.error(f"{name} is judged by {' or '.join(JUDGES)}, not by {one.judged_by}", token)
    return replace(one, confidence=bibliography()[one.document].confidence)


def coverage(rules: Mapping[str, CompiledRule]) -> list[PrincipleRow]:
    """Every principle with the rules that cite it. Raises AuthoringError where a rule cites what does not exist."""
    principles = shipped_principles()
    citing: dict[str, list[str]] = {name: [] for name in principles}
    for name, rule in sorted(rules.items()):
        for principle in rule.texts.principles:
            if principle not in citing:
                raise AuthoringError(f"`{principle}` is not a principle of the ontology", file=rule.texts.file)
            citing[principle].append(name)
    return [PrincipleRow(principle, tuple(citing[name])) for name, principle in principles.items()]
