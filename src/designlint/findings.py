"""From a verdict to a finding: the place in the file, the evidence, the words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint import keys
from designlint.graph.subjects import Subject
from designlint.margins import measured
from designlint.model import Finding, Location, Problem, Quantity
from designlint.wording import plain, tell

if TYPE_CHECKING:
    from designlint.engine import Engine
    from designlint.rules import Row, Rule
    from designlint.source import Document, Node


def place(document: Document, start: int, end: int) -> Location:
    """A stretch of a document as a location."""
    return Location(document.file, *document.place(start, end))


def of_problem(problem: Problem, engine: Engine) -> Finding:
    """A fault of the text or shape as a finding."""
    rule = engine.rules[problem.rule]
    units = engine.vocabulary.units
    values = {name: Quantity(value, "", str(value)) for name, value in problem.values.items()}
    subject, identity, constraint = keys.of_problem(problem)
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        message=tell(rule.message, rule, problem.values, units),
        location=place(problem.document, problem.start, problem.end),
        subject=subject,
        remedy=_remedy_of_shape(problem, tell(rule.remedy, rule, problem.values, units)),
        values=values,
        principles=rule["principles"],
        constraint=constraint,
        identity=identity,
    )


def _remedy_of_shape(problem: Problem, remedy: str) -> str:
    proposal = problem.values.get("proposal")
    return f"Write `{proposal}`." if proposal else remedy


def of_row(rule: Rule, row: Row, engine: Engine) -> Finding:
    """A failed judgement as a finding, without its fixes."""
    units = engine.vocabulary.units
    limits, shown = rule["limits"], set(rule["evidence"])
    evidence = {name: quantity(rule, row, name, engine) for name in row.values if name in shown and name not in limits}
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        message=tell(rule.message, rule, row.values | {"focus": row.subject}, units),
        location=location(rule, row),
        subject=row.subject.path,
        remedy=tell(rule.remedy, rule, row.values | {"focus": row.subject}, units),
        values=evidence,
        limits={
            name: Quantity(one["value"], units.symbol(one["kind"]), one["text"], one.get("origin", one["source"]))
            for name, one in limits.items()
        },
        principles=rule["principles"],
        constraint=keys.of_row(rule, row),
        identity=keys.identity(row.subject, engine.vocabulary),
        margin=measured(rule, row, units),
    )


def quantity(rule: Rule, row: Row, name: str, engine: Engine) -> Quantity:
    """A variable of a judgement with its unit, where it comes from and where it stands."""
    fact, kind, units = row.values[name], rule.kind(name), engine.vocabulary.units
    value = fact.path if isinstance(fact, Subject) else fact
    ends = list(row.subject.follow(tuple(rule["shown"].get(name, ())))) if name in rule["shown"] else []
    origin, node = ("", None) if len(ends) != 1 else _origin(*ends[0])
    text = node.text if node is not None and node.kind == "scalar" else plain(fact, kind, units)
    return Quantity(value, units.symbol(kind), text, origin, None if node is None else _at(node))


def _origin(subject: Subject, word: str) -> tuple[str, Node | None]:
    """Where a fact comes from, in words and, if the file states it, as the node that does."""
    origin = subject.origins.get(word)
    if origin is None:
        return "", None
    node = subject.keys.get(word)
    if origin.how == "stated" and node is not None:
        return "stated", node
    if origin.how == "followed" and len(origin.inputs) == 1:
        return _origin(*origin.inputs[0])
    told = {"catalog": f"{origin.note} in the catalogue", "default": "default", "sole": "the only one"}
    return told.get(origin.how, "derived"), None


def _at(node: Node) -> Location:
    if node.alias_site is not None:
        return place(node.document, *node.alias_site)
    return place(node.document, node.start, node.end)


def location(rule: Rule, row: Row) -> Location:
    """The value that the rule points at, else the first one it needs that the file states, else the subject's key."""
    for name in filter(None, (rule["at"], *rule.needs)):
        path = tuple(rule["shown"].get(name) or name.split("/"))
        for subject, word in row.subject.follow(path):
            node = subject.keys.get(word)
            if node is not None:
                return _value_or_key(node)
    return _nearest(row.subject)


def spot(subject: Subject, word: str) -> Location:
    """Where a word of a subject stands; where the file does not state it, the subject."""
    node = subject.keys.get(word)
    return _nearest(subject) if node is None else _value_or_key(node)


def _value_or_key(node: Node) -> Location:
    if node.kind == "scalar" or node.key_start < 0:
        return _at(node)
    return place(node.document, node.key_start, node.key_end)


def _nearest(subject: Subject | None) -> Location:
    """The key, or the name, of the nearest node that the file states."""
    while subject is not None and subject.node is None:
        subject = subject.owner
    if subject is None or subject.node is None:  # the design itself is always stated
        raise AssertionError("a graph without a root")
    node = subject.keys.get("name", subject.node)
    if node.kind == "scalar" or node.key_start >= 0:
        return _value_or_key(node)
    first = next(iter(node.entries.values()), node)
    return _value_or_key(first) if first is node else place(first.document, first.key_start, first.key_end)


def order(finding: Finding) -> tuple[Any, ...]:
    """The order in which findings are told: by place, then by rule."""
    at = finding.location
    return (
        at.file,
        at.line,
        at.column,
        at.end_line,
        at.end_column,
        finding.severity.rank,
        finding.rule,
        finding.message,
    )
