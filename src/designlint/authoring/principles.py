"""Principles of the source documents, and which rules or whose evidence decide each."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from designlint import resources
from designlint.authoring.turtle import Turtle, local
from designlint.errors import AuthoringError
from designlint.vocabulary import PRINCIPLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from designlint.rules import Rule

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


@dataclass(frozen=True, slots=True)
class Principle:
    """One normative statement, paraphrased; `document` is its key in `ontology/sources.ttl`."""

    id: str
    document: str
    place: str
    phase: str
    topic: str
    statement: str
    judged_by: str


@dataclass(frozen=True, slots=True)
class Row:
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


def load(folder: Path | None = None) -> dict[str, Principle]:
    """All principles by id, in the order of their files. Raises AuthoringError."""
    known = {local(source) for source, _ in Turtle(resources.ontology("sources.ttl")).of_type("Source")}
    found: dict[str, Principle] = {}
    for path in resources.files(folder or resources.ontology("principles"), ".ttl"):
        turtle = Turtle(path)
        for subject, _ in turtle.of_type("Principle"):
            one = _principle(subject, turtle, known)
            if one.id in found:
                raise turtle.error(f"{one.id} is stated in another file too", f"#{one.id}>")
            found[one.id] = one
    return found


def _principle(subject: str, turtle: Turtle, known: set[str]) -> Principle:
    name, facts, token = subject.removeprefix(PRINCIPLE), turtle.subjects[subject], f"<{subject}>"
    values = {field: turtle.values(facts.get(predicate, [])) for field, predicate in FIELDS.items()}
    for field, stated in values.items():
        if len(stated) != 1:
            raise turtle.error(f"{name} states its {field} {len(stated)} times", token)
    one = Principle(name, *(str(stated[0]) for stated in values.values()))
    if one.document not in known:
        raise turtle.error(f"{name} has the unknown source {one.document}", token)
    if one.judged_by not in JUDGES:
        raise turtle.error(f"{name} is judged by {' or '.join(JUDGES)}, not by {one.judged_by}", token)
    return one


def coverage(rules: Mapping[str, Rule]) -> list[Row]:
    """Every principle with the rules that cite it. Raises AuthoringError where a rule cites what does not exist."""
    principles = load()
    citing: dict[str, list[str]] = {name: [] for name in principles}
    for name, rule in sorted(rules.items()):
        for cited in rule["principles"]:
            if cited not in citing:
                raise AuthoringError(f"`{cited}` is no principle of the ontology", file=rule["file"])
            citing[cited].append(name)
    return [Row(principle, tuple(citing[name])) for name, principle in principles.items()]


def render(rows: Sequence[Row], format: str) -> str:
    """The matrix as `text`, `json` or `markdown`."""
    return {"text": _text, "json": _json, "markdown": _markdown}[format](rows)


def _deciders(row: Row) -> list[str]:
    """What the last column names: the rules, the person, or nothing."""
    return [*row.rules, *(["evidence"] if row.judged_by == "evidence" else [])]


def _summary(rows: Sequence[Row]) -> str:
    ruled = sum(row.judged_by == "rule" for row in rows)
    cited = sum(row.judged_by == "rule" and row.mapped for row in rows)
    return f"{len(rows)} principles: {ruled} judged by rules ({cited} by one so far), {len(rows) - ruled} by evidence"


def _text(rows: Sequence[Row]) -> str:
    width = max((len(row.principle.id) for row in rows), default=0)
    lines = [f"{row.principle.id:{width}}  {', '.join(_deciders(row)) or 'nothing yet'}" for row in rows]
    return "\n".join([*lines, "", _summary(rows)])


def _json(rows: Sequence[Row]) -> str:
    data = [asdict(row.principle) | {"rules": list(row.rules), "mapped": row.mapped} for row in rows]
    return json.dumps(data, indent=2, ensure_ascii=False)


def _markdown(rows: Sequence[Row]) -> str:
    lines = [f"{_summary(rows)}.", "", "| Principle | Statement | Decided by |", "| --- | --- | --- |"]
    for row in rows:
        deciders = ", ".join(f"`{name}`" if "/" in name else name for name in _deciders(row))
        statement = row.principle.statement.replace("|", "\\|")
        lines.append(f"| `{row.principle.id}` | {statement} | {deciders or 'nothing yet'} |")
    return "\n".join(lines)
