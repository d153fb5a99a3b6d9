"""Runs every mutation: the intended rule must notice, and no unrelated error may come."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import yaml

from designlint.findings.model import Severity, Verdict
from designlint.reading.edit import Edit
from designlint.reading.edits import EditRefused, apply

from .bases import HERE, document, node_at, place, texts
from .generate import generated
from .judged import base, shipped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from designlint.findings.model import Finding
    from designlint.reading import Document
    from designlint.rules.rule import CompiledRule

#: Bases on which one generated mutation of a rule is tried.
MOST_BASES = 3
PASS, FAIL = Verdict.PASS, Verdict.FAIL
CHANGES = ("set", "scale", "remove", "append", "text", "whole")


@dataclass(frozen=True)
class Mutation:
    """
    One thing broken in one known-good design.

    Attributes:
        sound: what is changed first, where the design lacks what the rule is about; it stays sound.
        broken: what then breaks it; where that is no edit, `written` is the text that it leaves.
    """

    rule: str
    base: str
    what: str
    sound: tuple[Edit, ...] = ()
    broken: tuple[Edit, ...] = ()
    written: str | None = None

    @cached_property
    def before(self) -> str:
        """The text of the design before it is broken."""
        return _made(base(self.base).text, self.base, self.sound)

    @cached_property
    def text(self) -> str:
        """The text of the broken design."""
        return _made(self.before, self.base, self.broken) if self.written is None else self.written

    @cached_property
    def findings(self) -> tuple[Sequence[Finding], Sequence[Finding]]:
        """What the rules say before, and of the broken design."""
        known = base(self.base)
        was, now = known.with_edits(self.sound), None
        if self.written is None:
            now = known.with_edits((*self.sound, *self.broken))
        return (
            known.with_text(self.before) if was is None else was,
            known.with_text(self.text) if now is None else now,
        )


def _made(text: str, name: str, edits: Sequence[Edit]) -> str:
    return apply(document(text, name), list(edits)) if edits else text


@dataclass(frozen=True, slots=True)
class Answer:
    """
    What the rules said of a mutation.

    Attributes:
        along, unrelated: the rules of the other errors that it brought, those that may come and those that may not.
        sound: there was no error before, and nothing that the rule found.
        broken: it brought an error.
    """

    mutation: Mutation
    detected: bool
    along: frozenset[str]
    unrelated: tuple[str, ...]
    sound: bool
    broken: bool

    def __str__(self) -> str:
        return f"{self.mutation.rule} on {self.mutation.base}: {self.mutation.what}"


@cache
def stated(name: str) -> Any:
    """One data file of this folder."""
    return yaml.load((HERE / name).read_text("utf-8"), yaml.CSafeLoader) or {}


def mutations() -> Iterator[Mutation]:
    """The mutations of every rule: those written down, else those that follow from its judgement."""
    known = stated("mutations.yaml")
    yield from written()
    for rule in shipped().rules.values():
        if rule.id not in known:
            yield from automatic(rule)


def written() -> Iterator[Mutation]:
    """The mutations that are written down, which costs no judging of them."""
    for rule, entries in stated("mutations.yaml").items():
        yield from (one for entry in entries for one in explicit(rule, entry))


def automatic(rule: CompiledRule) -> Iterator[Mutation]:
    """Mutations that follow from the judgement, each on a subject that passes."""
    if rule.built_in:
        return
    tried = 0
    for name in texts():
        known = base(name).judged
        subjects = [path for (said, path), verdict in known.verdicts.items() if said == rule.id and verdict is PASS]
        for subject in subjects:
            made = next(generated(rule, known.design, known.design.graph.subjects[subject]), None)
            if made is None:
                continue
            what, edits = made
            one = Mutation(rule.id, name, what, broken=tuple(edits))
            try:
                _ = one.findings
            except EditRefused:
                continue
            yield one
            tried += 1
            break
        if tried == MOST_BASES:
            return


def explicit(rule: str, entry: Mapping[str, Any]) -> Iterator[Mutation]:
    """A mutation that is written down, on the bases it names or on every one that states what it changes."""
    named = entry.get("in")
    for name in [named] if isinstance(named, str) else named or [one for one in texts() if passes(one, rule)]:
        what = ", ".join(f"{key} {entry[key]}" for key in CHANGES if key in entry)
        try:
            sound = edits(base(name).document, {"set": entry.get("sound", {})}, must=True)
            before = document(_made(base(name).text, name, sound), name) if sound else base(name).document
            if "whole" in entry or "text" in entry:
                text = rewritten(before.text, entry)
                if text is not None:
                    yield Mutation(rule, name, what, sound, written=text)
            else:
                yield Mutation(rule, name, what, sound, edits(before, entry, must=named is not None))
        except KeyError:
            if named is not None:
                raise


@cache
def content(name: str) -> frozenset[str]:
    """The rules that pass a base, and say more of it than that they do not know."""
    verdicts = base(name).judged.verdicts.items()
    passed = {rule for (rule, _), verdict in verdicts if verdict is PASS}
    return frozenset(passed - {rule for (rule, _), verdict in verdicts if verdict is FAIL})


def passes(name: str, rule: str) -> bool:
    """Whether a rule is content with a base."""
    return rule in content(name)


def rewritten(text: str, entry: Mapping[str, Any]) -> str | None:
    """The text that a mutation of the text leaves; None where the base has nothing that it would replace."""
    if "whole" in entry:
        return str(entry["whole"])
    old, new = entry["text"]
    return text.replace(old, new, 1) if old in text else None


def edits(read: Document, entry: Mapping[str, Any], *, must: bool) -> tuple[Edit, ...]:
    """
    The changes as edits of a design.

    Args:
        must: whether what is set need not be stated yet.

    Raises:
        KeyError: the design does not state what would change.
    """
    root = read.root
    assert root is not None
    return (
        *(_set(root, path, value, must=must) for path, value in entry.get("set", {}).items()),
        *(_scaled(root, path, factor) for path, factor in entry.get("scale", {}).items()),
        *(Edit("remove", place(root, path)) for path in entry.get("remove", ())),
        *(Edit("append", place(root, path), str(value)) for path, value in entry.get("append", {}).items()),
    )


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
    was, found = mutation.findings
    return compared(mutation, was, found)


def compared(mutation: Mutation, was: Sequence[Finding], found: Sequence[Finding]) -> Answer:
    """What came with a mutation, from the findings before and after."""
    new = Counter(errors(found)) - Counter(errors(was))
    others = new.keys() - set(errors(was)) - {mutation.rule}
    expected = along(mutation.rule) & others
    before = {(one.rule, one.subject) for one in was}
    detected = any(one.rule == mutation.rule and (one.rule, one.subject) not in before for one in found)
    sound = not any(one.severity is Severity.ERROR or one.rule == mutation.rule for one in was)
    return Answer(mutation, detected, expected, tuple(sorted(others - expected)), sound, bool(new))


def errors(found: Sequence[Finding]) -> list[str]:
    """The rules of the errors among findings."""
    return [one.rule for one in found if one.severity is Severity.ERROR]


@cache
def along(rule: str) -> frozenset[str]:
    """The rules that may fire with one, because they see the same fault from another side."""
    return frozenset(name for entry in stated("along.yaml") if rule in entry["rules"] for name in entry["may_fire"])
