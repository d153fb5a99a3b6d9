"""Principles of the source documents, and which rules or whose evidence decide each."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from designlint.compiler.sources import bibliography
from designlint.compiler.turtle import Turtle
from designlint.language import resources
from designlint.language.citations import LABELS, cited
from designlint.language.vocabulary import PRINCIPLE
from designlint.reading.errors import AuthoringError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
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
        return cited(self.document, self.confidence)


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
def shipped() -> Mapping[str, Principle]:
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
    principles = shipped()
    citing: dict[str, list[str]] = {name: [] for name in principles}
    for name, rule in sorted(rules.items()):
        for principle in rule.texts.principles:
            if principle not in citing:
                raise AuthoringError(f"`{principle}` is not a principle of the ontology", file=rule.texts.file)
            citing[principle].append(name)
    return [PrincipleRow(principle, tuple(citing[name])) for name, principle in principles.items()]


def render(rows: Sequence[PrincipleRow], format: str) -> str:
    """The matrix as `text`, `json` or `markdown`."""
    return {"text": _text, "json": _json, "markdown": _markdown}[format](rows)


def _deciders(row: PrincipleRow) -> list[str]:
    """What the last column names: the rules, the person, or nothing."""
    return [*row.rules, *(["evidence"] if row.judged_by == "evidence" else [])]


def _summary(rows: Sequence[PrincipleRow]) -> str:
    ruled = sum(row.judged_by == "rule" for row in rows)
    cited = sum(row.judged_by == "rule" and row.mapped for row in rows)
    return (
        f"{len(rows)} principles: {ruled} checked by rules ({cited} have one so far), {len(rows) - ruled} by evidence"
    )


def _text(rows: Sequence[PrincipleRow]) -> str:
    width = max((len(row.principle.id) for row in rows), default=0)
    lines = [f"{row.principle.id:{width}}  {', '.join(_deciders(row)) or 'nothing yet'}" for row in rows]
    return "\n".join([*lines, "", *_sources(rows), "", _summary(rows)])


def _sources(rows: Sequence[PrincipleRow]) -> Iterator[str]:
    """The documents of the principles, by how their content is known."""
    for confidence, label in LABELS.items():
        documents = dict.fromkeys(row.principle.document for row in rows if row.principle.confidence == confidence)
        if documents:
            yield f"Sources ({label}): {', '.join(documents)}"


def _json(rows: Sequence[PrincipleRow]) -> str:
    data = [to_builtins(row.principle) | {"rules": list(row.rules), "mapped": row.mapped} for row in rows]
    return json.dumps(data, indent=2, ensure_ascii=False)


def _markdown(rows: Sequence[PrincipleRow]) -> str:
    lines = [f"{_summary(rows)}.", "", "| Principle | Statement | Source | Decided by |", "| --- | --- | --- | --- |"]
    for row in rows:
        deciders = ", ".join(f"`{name}`" if "/" in name else name for name in _deciders(row))
        statement = row.principle.statement.replace("|", "\\|")
        lines.append(f"| `{row.principle.id}` | {statement} | {row.principle.source} | {deciders or 'nothing yet'} |")
    return "\n".join(lines)
