"""From a verdict to a finding: the place in the file, the evidence, the words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.findings.model import Finding, Problem, Quantity, Severity
from designlint.graph.certainty import certainty
from designlint.graph.subjects import Subject
from designlint.judging import fingerprints
from designlint.judging.doubts import doubts_of
from designlint.judging.names import text_values
from designlint.language.kinds import Side, exact
from designlint.language.suggestions import EACH
from designlint.reading.location import Location
from designlint.rules.wording import filled_text, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.judging.judgement import Judgement
    from designlint.language.vocabulary import Vocabulary
    from designlint.reading import Document, Node
    from designlint.rules.engine import Engine
    from designlint.rules.texts import RuleLimit


def place(document: Document, start: int, end: int) -> Location:
    """A stretch of a document as a location."""
    return Location(document.file, *document.place(start, end))


def of_problem(problem: Problem, engine: Engine) -> Finding:
    """A fault of the text or shape as a finding."""
    rule = engine.rules[problem.rule]
    units = engine.vocabulary.units
    values = {name: Quantity(value, "", str(value)) for name, value in problem.values.items()}
    subject, identity, constraint = fingerprints.of_problem(problem)
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        message=filled_text(rule.texts.message, rule.kind, problem.values, units),
        location=place(problem.document, problem.start, problem.end),
        subject=subject,
        remedy=_remedy_of_shape(problem, filled_text(rule.texts.remedy, rule.kind, problem.values, units)),
        values=values,
        principles=rule.texts.principles,
        constraint=constraint,
        identity=identity,
    )


def _remedy_of_shape(problem: Problem, remedy: str) -> str:
    proposal, place = problem.values.get("proposal"), problem.values.get("place")
    if place:
        first, *more = (f"`{one}`" for one in str(place).split(", "))
        return f"Write it as {', '.join([first, *more[:-1]])} or {more[-1]}." if more else f"Write it as {first}."
    if top := problem.values.get("top"):
        return f"State it at the top of the design, as `{top}`." if EACH not in top else f"State it as `{top}`."
    beside = problem.values.get("beside")
    if beside and problem.values.get("inside"):
        return f"Write what is in it under `{beside}`, which is stated beside it."
    if beside:
        return f"Remove it: `{beside}`, which has its meaning, is stated beside it."
    if problem.values.get("unjudged"):
        return "Remove it, or keep it as a comment: nothing about the cluster is judged by it."
    label = f" ({problem.values['label']})" if problem.values.get("label") else ""
    return f"Write `{proposal}`{label}." if proposal else remedy


def of_judgement(judgement: Judgement, engine: Engine) -> Finding:
    """A failed judgement as a finding, without its fixes."""
    rule, subject, units = judgement.rule, judgement.subject, engine.vocabulary.units
    texts = rule.texts
    values = text_values(judgement, (texts.message, texts.remedy), engine)
    doubts = doubts_of(judgement, engine)
    shown = [name for name in judgement.values if name in texts.evidence and name not in texts.limits]
    return Finding(
        rule=rule.id,
        severity=Severity.INFO if doubts else rule.severity,
        message=filled_text(texts.message, rule.kind, values, units) + doubts,
        location=location(judgement),
        subject=subject.path,
        remedy=filled_text(texts.remedy, rule.kind, values, units),
        values=_evidence(judgement, shown, engine),
        limits={
            name: _limit(one, units.symbol(one.kind), texts.confidence.get(one.source, ""))
            for name, one in texts.limits.items()
        },
        principles=texts.principles,
        constraint=fingerprints.of_judgement(judgement),
        identity=fingerprints.identity(subject, engine.vocabulary),
        margin=judgement.margin(units),
    )


def _evidence(judgement: Judgement, shown: Sequence[str], engine: Engine) -> dict[str, Quantity]:
    """What the finding rests on; for a truth value that follows from stated words about the same part, those words."""
    found: dict[str, Quantity] = {}
    for name in shown:
        words = _stated_behind(judgement, name)
        for subject, word in words:
            kind = engine.vocabulary.classes[subject.cls][word].kind
            found.setdefault(word, _quantity(subject.facts.get(word), kind, [(subject, word)], engine))
        if not words:
            found[name] = quantity(judgement, name, engine)
    return found


def _stated_behind(judgement: Judgement, name: str) -> list[tuple[Subject, str]]:
    """The stated words about its part from which a truth value follows; none where it is stated, or follows from others."""
    path = judgement.rule.texts.shown.get(name)
    known = path is not None and isinstance(judgement.values[name], bool)
    ends = list(judgement.subject.follow(path)) if known and path is not None else []
    if len(ends) != 1:
        return []
    subject, word = ends[0]
    origin = subject.origins.get(word)
    if origin is None or origin.how != "derived":
        return []
    return [(one, its) for one, its in origin.inputs if one is subject and its in subject.keys]


def key(judgement: Judgement, engine: Engine) -> tuple[str, str, str]:
    """What names a failed judgement as a finding, see `Finding.key`."""
    subject = judgement.subject
    identity = fingerprints.identity(subject, engine.vocabulary)
    return judgement.rule.id, identity or subject.path, fingerprints.of_judgement(judgement)


def severity(judgement: Judgement, engine: Engine) -> Severity:
    """How bad a failed judgement is as a finding."""
    return Severity.INFO if doubts_of(judgement, engine) else judgement.rule.severity


def _limit(one: RuleLimit, unit: str, confidence: str) -> Quantity:
    """A limit with the source of its value, or with the setting that replaces it."""
    if one.origin:
        return Quantity(one.value, unit, one.text, one.origin)
    return Quantity(one.value, unit, one.text, one.source, confidence=confidence)


def quantity(judgement: Judgement, name: str, engine: Engine) -> Quantity:
    """A value of a judgement with its unit, where it comes from and where it stands."""
    path = judgement.rule.texts.shown.get(name)
    ends = list(judgement.subject.follow(path)) if path is not None else []
    return _quantity(judgement.values[name], judgement.rule.kind(name), ends, engine)


def _quantity(fact: Any, kind: str, ends: Sequence[tuple[Subject, str]], engine: Engine) -> Quantity:
    value, units = fact.path if isinstance(fact, Subject) else fact, engine.vocabulary.units
    origin, node, confidence = ("", None, "") if len(ends) != 1 else _origin(*ends[0])
    text = node.text if node is not None and node.kind == "scalar" else plain(fact, kind, units)
    side, error = _certainty(ends, engine.vocabulary)
    return Quantity(
        value, units.symbol(kind), text, origin, None if node is None else _at(node), confidence, side, error
    )


def _certainty(ends: Sequence[tuple[Subject, str]], vocabulary: Vocabulary) -> tuple[str, float | None]:
    """What the fact at the one end of a path is where it is not exact, and its largest error."""
    known = certainty(*ends[0], vocabulary) if len(ends) == 1 else exact
    return ("", None) if known.side is Side.EXACT else (known.side.value, known.error)


def _origin(subject: Subject, word: str) -> tuple[str, Node | None, str]:
    """Where a fact comes from, in words and, if the file states it, as the node that does; how its source is known."""
    origin = subject.origins.get(word)
    if origin is None:
        return "", None, ""
    node = subject.keys.get(word)
    if origin.how == "stated" and node is not None:
        return origin.note or "stated", node, ""
    if origin.how == "followed" and len(origin.inputs) == 1:
        return _origin(*origin.inputs[0])
    told = {"catalog": f"{origin.note} in the catalogue", "default": "default", "sole": "the only one"}
    return told.get(origin.how, "derived"), None, origin.confidence


def _at(node: Node) -> Location:
    if node.alias_site is not None:
        return place(node.document, *node.alias_site)
    return place(node.document, node.start, node.end)


def location(judgement: Judgement) -> Location:
    """The value that the rule points at, else the first one it needs that the file states, else the nearest part of it."""
    rule, at = judgement.rule, _pointed_word(judgement)
    if judgement.word:
        return spot(judgement.subject, judgement.word)
    for name in filter(None, (at, *rule.needs)):
        path = rule.texts.shown.get(name) or tuple(name.split("/"))
        for subject, word in judgement.subject.follow(path):
            node = subject.keys.get(word)
            if node is not None:
                return _value_or_key(node)
    if (node := _input(judgement)) is not None:
        return _value_or_key(node)
    parts = [one for one, _ in judgement.subject.follow(tuple(at.split("/")))] if at else []
    return nearest(parts[0] if parts and parts[0].node is not None else judgement.subject)


def _pointed_word(judgement: Judgement) -> str:
    """The word that the rule points at; `?value` names a value of the judgement that is the path of one."""
    at = judgement.rule.texts.at
    return str(judgement.values.get(at[1:], "")) if at.startswith("?") else at


def _input(judgement: Judgement) -> Node | None:
    """The first stated value of the subject that what the rule needs was calculated from."""
    for name in judgement.rule.needs:
        for subject, word in judgement.subject.follow(judgement.rule.texts.shown.get(name) or tuple(name.split("/"))):
            origin = subject.origins.get(word)
            for owner, fact in origin.inputs if origin is not None else ():
                if owner is judgement.subject and (node := owner.keys.get(fact)) is not None:
                    return node
    return None


def spot(subject: Subject, word: str) -> Location:
    """Where a word of a subject stands; where the file does not state it, the subject."""
    node = subject.keys.get(word)
    return nearest(subject) if node is None else _value_or_key(node)


def _value_or_key(node: Node) -> Location:
    if node.kind == "scalar" or node.key_start < 0:
        return _at(node)
    return place(node.document, node.key_start, node.key_end)


def nearest(subject: Subject | None) -> Location:
    """The key, or the name, of the nearest node that the file states."""
    while subject is not None and subject.node is None:
        subject = subject.owner
    if subject is None or subject.node is None:  # the design itself is always stated
        raise AssertionError("a graph without a root")
    node = subject.keys.get("name", subject.node)
    if node.kind == "scalar" or node.key_start >= 0:
        return _value_or_key(node)
    first = next(iter(node.entries.values()), node)
    return (
        _value_or_key(first)
        if first is node or first.key_start < 0
        else place(first.document, first.key_start, first.key_end)
    )


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
