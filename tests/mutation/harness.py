"""Runs every mutation: the intended rule must notice, and no unrelated error may come."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from designlint import engine as engines
from designlint import judging, pipeline
from designlint.model import Severity, Verdict
from designlint.source.edits import Edit, EditRefused, apply

from .bases import HERE, document, node_at, place, texts
from .generate import generated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from designlint.engine import Engine
    from designlint.model import Finding
    from designlint.rules import Rule

#: Bases on which one generated mutation of a rule is tried.
MOST_BASES = 3
#: The day as of which all is judged.
TODAY = "2026-11-20"
CHANGES = ("set", "scale", "remove", "append", "text", "whole")


@dataclass(frozen=True, slots=True)
class Mutation:
    """One thing broken in one known-good design; `before` is the design as it was, `text` as it is then."""

    rule: str
    base: str
    what: str
    before: str
    text: str
    made: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rules said of a mutation; `along` and `unrelated` are the other errors that it brought."""

    mutation: Mutation
    detected: bool
    along: frozenset[str]
    unrelated: tuple[str, ...]
    sound: bool

    def __str__(self) -> str:
        return f"{self.mutation.rule} on {self.mutation.base}: {self.mutation.what}"


@cache
def shipped() -> Engine:
    """The engine with the shipped rules, on a day that stays the same."""
    return replace(engines.shipped(), today=TODAY)


@cache
def stated(name: str) -> Any:
    """One data file of this folder."""
    return yaml.safe_load((HERE / name).read_text("utf-8")) or {}


@cache
def base_result(name: str) -> pipeline.Result:
    """A known-good design, judged by every rule."""
    return pipeline.lint(document(texts()[name], name), shipped(), repair=False)


@cache
def said(text: str, name: str, rule: str) -> Sequence[Finding]:
    """What the rules that find errors, and one more, say of a design."""
    return judging.judged(pipeline.read(document(text, name), shipped().narrowed([rule]))).findings


def mutations() -> Iterator[Mutation]:
    """The mutations of every rule: those written down, else those that follow from its judgement."""
    written = stated("mutations.yaml")
    for rule in shipped().rules.values():
        if rule.id in written:
            yield from (one for entry in written[rule.id] for one in explicit(rule.id, entry))
        else:
            yield from automatic(rule)


def automatic(rule: Rule) -> Iterator[Mutation]:
    """Mutations that follow from the judgement, each on a subject that passes."""
    if rule.built_in:
        return
    tried = 0
    for name, text in texts().items():
        result = base_result(name)
        passed = [one.subject for one in result.outcomes if one.rule == rule.id and one.verdict is Verdict.PASS]
        for subject in passed:
            made = next(generated(rule, result.design, result.design.graph.subjects[subject]), None)
            if made is None:
                continue
            what, edits = made
            try:
                yield Mutation(rule.id, name, what, text, apply(document(text, name), edits), "generated")
            except EditRefused:
                continue
            tried += 1
            break
        if tried == MOST_BASES:
            return


def explicit(rule: str, entry: Mapping[str, Any]) -> Iterator[Mutation]:
    """A mutation that is written down, on the bases it names or on every one that states what it changes."""
    named = entry.get("in")
    for name in [named] if isinstance(named, str) else named or [one for one in texts() if passes(one, rule)]:
        before = changed(texts()[name], name, {"set": entry.get("sound", {})}, must=True)
        after = None if before is None else changed(before, name, entry, must=named is not None)
        if before is not None and after is not None:
            what = ", ".join(f"{key} {entry[key]}" for key in CHANGES if key in entry)
            yield Mutation(rule, name, what, before, after, "written")


def passes(name: str, rule: str) -> bool:
    """Whether a rule is content with a base, and says more than that it does not know."""
    verdicts = {one.verdict for one in base_result(name).outcomes if one.rule == rule}
    return Verdict.PASS in verdicts and Verdict.FAIL not in verdicts


def changed(text: str, name: str, entry: Mapping[str, Any], *, must: bool) -> str | None:
    """The text with the changes; None where the base does not state what would change."""
    if "whole" in entry:
        return str(entry["whole"])
    if "text" in entry:
        old, new = entry["text"]
        return text.replace(old, new, 1) if old in text else None
    root = document(text, name).root
    assert root is not None
    try:
        edits = [
            *(_set(root, path, value, must=must) for path, value in entry.get("set", {}).items()),
            *(_scaled(root, path, factor) for path, factor in entry.get("scale", {}).items()),
            *(Edit("remove", place(root, path)) for path in entry.get("remove", ())),
            *(Edit("append", place(root, path), str(value)) for path, value in entry.get("append", {}).items()),
        ]
    except KeyError:
        if must:
            raise
        return None
    return apply(document(text, name), edits) if edits else text


def _set(root: Any, path: str, value: Any, *, must: bool) -> Edit:
    steps = place(root, path)
    if not must and node_at(root, steps) is None:
        raise KeyError(path)
    written = value if isinstance(value, str) else yaml.safe_dump(value, default_flow_style=True, width=1000)
    return Edit("set", steps, written.split("\n")[0])


def _scaled(root: Any, path: str, factor: float) -> Edit:
    steps = place(root, path)
    node = node_at(root, steps)
    if node is None:
        raise KeyError(path)
    number, _, unit = node.text.partition(" ")
    moved = float(number) * factor
    whole = moved == int(moved) or not unit
    return Edit("set", steps, f"{int(moved) if whole else moved} {unit}".strip())


def answer(mutation: Mutation) -> Answer:
    """What the rules say of a mutation, less what they said of the design before."""
    found = said(mutation.text, mutation.base, mutation.rule)
    untouched = mutation.before == texts()[mutation.base]
    was = base_result(mutation.base).findings if untouched else said(mutation.before, mutation.base, mutation.rule)
    errors = {one.rule for one in found if one.severity is Severity.ERROR} - {one.rule for one in was}
    expected = along(mutation.rule) & errors
    unrelated = errors - {mutation.rule} - expected
    before = {(one.rule, one.subject) for one in was}
    detected = any(one.rule == mutation.rule and (one.rule, one.subject) not in before for one in found)
    sound = not any(one.severity is Severity.ERROR or one.rule == mutation.rule for one in was)
    return Answer(mutation, detected, expected, tuple(sorted(unrelated)), sound)


@cache
def along(rule: str) -> frozenset[str]:
    """The rules that may fire with one, because they see the same fault from another side."""
    return frozenset(name for entry in stated("along.yaml") if rule in entry["rules"] for name in entry["may_fire"])


def answers() -> list[Answer]:
    """Every mutation, judged."""
    return [answer(one) for one in mutations()]


def summary(found: Sequence[Answer]) -> str:
    """The detection rate in a line."""
    detected = sum(one.detected for one in found)
    rules = shipped().rules.keys()
    left = sorted(rules - {one.mutation.rule for one in found})
    rate = f"{detected} of {len(found)} mutations detected ({detected / len(found):.1%})"
    return f"{rate}, {len(left)} of {len(rules)} rules without a mutation: {', '.join(left) or 'none'}"


if __name__ == "__main__":
    print(summary(answers()))
