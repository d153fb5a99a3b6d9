"""Runs every mutation: the intended rule must notice, and no unrelated error may come."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from designlint import engine as engines
from designlint import pipeline
from designlint.model import Severity, Verdict
from designlint.source.edits import Edit, EditRefused, apply

from .bases import HERE, document, node_at, place, texts
from .generate import generated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from designlint.model import Finding
    from designlint.rules import Rule

#: Bases on which one generated mutation of a rule is tried.
MOST_BASES = 3


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
    """What the rules said of a mutation."""

    mutation: Mutation
    detected: bool
    unrelated: tuple[str, ...]
    sound: bool

    def __str__(self) -> str:
        return f"{self.mutation.rule} on {self.mutation.base}: {self.mutation.what}"


@cache
def stated(name: str) -> Any:
    """One data file of this folder."""
    return yaml.safe_load((HERE / name).read_text("utf-8")) or {}


@cache
def base_result(name: str) -> pipeline.Result:
    """A known-good design, judged by every rule."""
    return pipeline.lint(document(texts()[name], name), engines.shipped(), repair=False)


@cache
def said(text: str, name: str, rule: str) -> list[Finding]:
    """What the rules that find errors, and one more, say of a design."""
    return pipeline.again(document(text, name), engines.shipped().narrowed([rule]))


def mutations() -> Iterator[Mutation]:
    """The mutations of every rule: those written down, else those that follow from its judgement."""
    written = stated("mutations.yaml")
    for rule in engines.shipped().rules.values():
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
    """A mutation that is written down, on the base it names or on every one that states what it changes."""
    names = [entry["on"]] if "on" in entry else list(texts())
    for name in names:
        before = changed(texts()[name], name, {"set": entry.get("sound", {})}, must="on" in entry)
        after = None if before is None else changed(before, name, entry, must="on" in entry)
        if before is not None and after is not None:
            what = ", ".join(f"{key} {entry[key]}" for key in ("set", "scale", "remove", "append", "text") if key in entry)
            yield Mutation(rule, name, what, before, after, "written")


def changed(text: str, name: str, entry: Mapping[str, Any], *, must: bool) -> str | None:
    """The text with the changes; None where the base does not state what would change."""
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
    return Edit("set", steps, value if isinstance(value, str) else yaml.safe_dump(value, default_flow_style=True).split("\n")[0])


def _scaled(root: Any, path: str, factor: float) -> Edit:
    steps = place(root, path)
    node = node_at(root, steps)
    if node is None:
        raise KeyError(path)
    number, _, unit = node.text.partition(" ")
    moved = float(number) * factor
    return Edit("set", steps, f"{int(moved) if moved == int(moved) else moved} {unit}".strip())


def answer(mutation: Mutation) -> Answer:
    """What the rules say of a mutation, less what they said of the design before."""
    found = said(mutation.text, mutation.base, mutation.rule)
    was = said(mutation.before, mutation.base, mutation.rule)
    errors = {one.rule for one in found if one.severity is Severity.ERROR} - {one.rule for one in was}
    unrelated = errors - {mutation.rule} - along(mutation.rule)
    before = {(one.rule, one.subject) for one in was}
    detected = any(one.rule == mutation.rule and (one.rule, one.subject) not in before for one in found)
    sound = not any(one.severity is Severity.ERROR or one.rule == mutation.rule for one in was)
    return Answer(mutation, detected, tuple(sorted(unrelated)), sound)


@cache
def along(rule: str) -> frozenset[str]:
    """The rules that may fire with one, because they see the same fault from another side."""
    return frozenset(name for entry in stated("along.yaml") if rule in entry["rules"] for name in entry["may_fire"])


def answers() -> list[Answer]:
    """Every mutation, judged."""
    return [answer(one) for one in mutations()]


__all__ = ["Answer", "Mutation", "answers", "mutations", "replace"]
