"""What a rule says to people, and the limits and fixes that its texts name; loaded when a rule is first broken or asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from designlint.expressions import templates
from designlint.language.citations import cite_source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.expressions.templates import Template


class RuleLimit(Struct, frozen=True):
    """
    A number of the world that a rule compares with.

    Attributes:
        value: in the canonical unit of its kind.
        text: as its author wrote it.
        source: key in the bibliography, and `origin` where a configuration set it.
    """

    value: int | float
    text: str
    kind: str
    source: str
    origin: str = ""


class RuleFix(Struct, frozen=True):
    """
    One way to mend what a rule finds.

    Attributes:
        safety: `safe`, `unsafe`, or `display` for what is shown and never made.
        changes: operation (`set`, `append`, `remove`), path and value of each change.
        planned: the changes are those to the layout that a plan would choose.
        reveals: what was not read is read with it, so that what comes to light then is not its doing.
    """

    title: Template
    because: Template
    safety: str
    changes: tuple[tuple[str, str, Template], ...]
    planned: bool
    reveals: bool


class RuleTexts(Struct, frozen=True):
    """
    What a rule says to people, and what only a finding of it needs.

    Attributes:
        judge: what decides, as its author wrote it, and `when` where it applies.
        at: the word that a finding points at, or `?value` for the value that is its path; `each` names which of several
            rows of a subject it means.
        shown: the path of each word that it reads, and `kinds` the kind of quantity of each value.
        evidence: the values that a finding shows.
        measured: of a SELECT, what its margin is measured by, as data.
        confidence: how the content of each source is known, where the bibliography has it.
        lets: the expression of each value that it names.
        sure: when a finding is more than a note, by what is stated, as data; None where it always is.
        claim: `true` where it doubts what is stated, a target or a measurement, and not what is built.
    """

    file: str
    title: str
    since: str
    message: Template
    problem: Template
    remedy: Template
    principles: tuple[str, ...]
    sources: tuple[str, ...]
    confidence: Mapping[str, str]
    limits: Mapping[str, RuleLimit]
    fixes: tuple[RuleFix, ...]
    refusal: str
    claim: str
    judge: str
    when: str
    lets: Mapping[str, str]
    sure: Mapping[str, Any] | None
    at: str
    each: str
    kinds: Mapping[str, str]
    shown: Mapping[str, tuple[str, ...]]
    evidence: frozenset[str]
    measured: Mapping[str, Any] | None

    def general(self, text: Template) -> str:
        """A text of the rule whatever the design: with its limits, and the names of all other values."""
        return text.general({name: one.text for name, one in self.limits.items()})

    def cite_source(self, source: str) -> str:
        """A source with how its content is known."""
        return cite_source(source, self.confidence.get(source, ""))


def of_data(entry: Mapping[str, Any]) -> RuleTexts:
    """The texts that an entry of the bundle stands for."""
    return RuleTexts(
        **{
            key: entry[key]
            for key in ("file", "title", "since", "refusal", "judge", "when", "at", "each", "claim", "sure")
        },
        message=templates.decode_template(entry["message"]),
        problem=templates.decode_template(entry["problem"]),
        remedy=templates.decode_template(entry["remedy"]),
        principles=tuple(entry["principles"]),
        sources=tuple(entry["sources"]),
        confidence=entry["confidence"],
        lets=entry["lets"],
        limits={name: RuleLimit(**one) for name, one in entry["limits"].items()},
        fixes=tuple(map(_fix, entry["fixes"])),
        kinds=entry["kinds"],
        shown={name: tuple(path) for name, path in entry["shown"].items()},
        evidence=frozenset(entry["evidence"]),
        measured=entry["measured"],
    )


def _fix(entry: Mapping[str, Any]) -> RuleFix:
    title, because = (templates.decode_template(entry[key]) for key in ("title", "because"))
    changes = tuple((how, path, templates.decode_template(value)) for how, path, value in entry["changes"])
    return RuleFix(title, because, entry["safety"], changes, entry["planned"], entry["reveals"])
