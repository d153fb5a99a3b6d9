"""What `why` answers: the trees of the facts that a path, a word or a rule means, and the verdicts of a rule."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.findings.model import Verdict
from designlint.judging.asking import judge
from designlint.judging.findings import of_judgement
from designlint.judging.gaps import Gaps
from designlint.language.values import instead
from designlint.reading.errors import UsageError
from designlint.reporters.shared.terminal import painter, printable
from designlint.views.provenance import Branch, Place, data, draw_tree, grown, mark_fact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.design.design import Design
    from designlint.rules.rule import CompiledRule

#: What a verdict is called, and how it is painted.
VERDICTS = {
    Verdict.PASS: ("pass", "good"),
    Verdict.FAIL: ("fail", "error"),
    Verdict.UNKNOWN: ("unknown", "warning"),
    Verdict.NOT_APPLICABLE: ("not applicable", "dim"),
}


class RuleAnswer(NamedTuple):
    """
    What a rule says of one part of the design.

    Attributes:
        detail: the message of a finding, or what an unknown waits for.
    """

    subject: str
    verdict: Verdict
    detail: str


def explanation(design: Design, what: str, depth: int | None = None, *, color: bool = False) -> str:
    """The verdicts and trees of all that `what` names; every derived fact, a line each, where it is empty. Raises UsageError."""
    if not what:
        return "\n".join(mark_fact(design, place) for place in _derived_places(design))
    paint = painter(color=color)
    verdicts = [
        f"{paint(VERDICTS[one.verdict][1], VERDICTS[one.verdict][0])}: {_subject_line(one)}"
        for one in _judge_parts(design, what)
    ]
    rule = design.engine.rules.get(what)
    if rule is not None and not verdicts:
        verdicts = [f"the design has no {rule.about}, so the rule does not apply"]
    trees = ["\n".join(draw_tree(one, paint)) for one in _trees(design, what, depth)]
    condition = [] if rule is None else ["\n".join(f"{paint('dim', key)} {text}" for key, text in _condition(rule))]
    return "\n\n".join(filter(None, ["\n".join(verdicts), *condition, *trees]))


def as_json(design: Design, what: str, depth: int | None = None) -> str:
    """The same as JSON. Raises UsageError."""
    if not what:
        facts: list[Any] = [data(grown(design, place, set(), depth=0)) for place in _derived_places(design)]
        return json.dumps({"facts": facts}, indent=2, ensure_ascii=False)
    verdicts = [{**one._asdict(), "verdict": VERDICTS[one.verdict][0]} for one in _judge_parts(design, what)]
    made: dict[str, Any] = {"verdicts": verdicts} if verdicts else {}
    if (rule := design.engine.rules.get(what)) is not None:
        made["condition"] = [" ".join(line) for line in _condition(rule)]
    return json.dumps(
        {**made, "facts": [data(one) for one in _trees(design, what, depth)]}, indent=2, ensure_ascii=False
    )


def _condition(rule: CompiledRule) -> Iterator[tuple[str, str]]:
    """What a rule asks, and what the names of it stand for that are no words of the design."""
    texts = rule.texts
    if rule.sweep or texts.judge.lstrip().startswith("SELECT"):
        return
    shown = [("applies where", texts.when)] * bool(texts.when) + [("passes where", texts.judge)]
    known = set[str]()
    for key, text in shown:  # grows: what a name stands for may need further names
        yield key, " ".join(text.split())
        for name in dict.fromkeys(re.findall(r"\?(\w+)", text)):
            if name in known or (name not in texts.lets and name not in texts.limits):
                continue
            known.add(name)
            if name in texts.lets:
                shown.append((f"  with ?{name} =", texts.lets[name]))
            else:
                limit = texts.limits[name]
                shown.append((f"  with ?{name} =", f"{limit.text} ({limit.origin or texts.cite_source(limit.source)})"))


def _derived_places(design: Design) -> Iterator[Place]:
    return (place for place in _all(design) if place[0].origins[place[1]].how == "derived")


def _trees(design: Design, what: str, depth: int | None) -> Sequence[Branch]:
    roots = list(dict.fromkeys(_places(design, what)))
    if not roots and what not in design.engine.rules:
        raise UsageError(f"{design.document.file} has no fact or rule `{what}`{_hint(design, what)}")
    seen: set[Place] = set()
    return [grown(design, place, seen, depth=depth) for place in roots]


def _hint(design: Design, what: str) -> str:
    """What may have been meant: the word where the design has it, below the path first, else one that is spelt alike."""
    path, _, word = what.strip("/").rpartition("/")
    places = [f"{subject.path}/{word}" for subject, word in _places(design, word)] if path else []
    below = [one for one in places if one.startswith(f"{path}/")]
    if len(below or places) == 1:
        return f"; did you mean `{(below or places)[0]}`?"
    words = {word for words in design.engine.vocabulary.classes.values() for word in words}
    return instead(what, sorted(design.engine.rules)) or instead(word, sorted(words))


def _subject_line(one: RuleAnswer) -> str:
    return printable(f"{one.subject or 'the design'}{': ' if one.detail else ''}{one.detail}")


def _judge_parts(design: Design, what: str) -> Iterator[RuleAnswer]:
    """What a rule says of each part that it judges; nothing where `what` is no rule."""
    rule = design.engine.rules.get(what)
    if rule is None:
        return
    if rule.built_in:
        raise UsageError(f"{what} is checked while files are read; `designlint check` lists its findings")
    for one in judge(rule, design.judged):
        if one.verdict is Verdict.FAIL:
            detail = of_judgement(one, design.engine).message
        else:
            lacks = Gaps(design).missing(one) if one.verdict is Verdict.UNKNOWN else ()
            detail = f"it needs {', '.join(lacks)}" if lacks else ""
        yield RuleAnswer(one.subject.path, one.verdict, detail)


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


def _places(design: Design, what: str) -> Iterator[Place]:
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


def _interesting(design: Design, subject: Any, word: str) -> bool:
    return word in subject.facts or (subject.node is not None and design.engine.plan.step(subject, word) is not None)
