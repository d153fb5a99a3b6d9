"""The examples in a rule's file, and those that a row of a checklist gets by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.compiler import row_examples, rule_files
from designlint.language import resources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.compiler.rule_files import RuleSource
    from designlint.language.vocabulary import Vocabulary
    from designlint.reading import Node
    from designlint.rules.rule import CompiledRule

FIRST = "designlint: 1"
KINDS = ("bad", "good", "unknown")


class Example:
    """One example of a rule file: a design and what the rule should say about it."""

    def __init__(self, rule: str, kind: str, number: int, line: int, stated: dict[str, Any]) -> None:
        self.rule, self.kind, self.number, self.line, self.stated = rule, kind, number, line, stated
        written = str(self.stated.get("design", ""))
        self.design = written if FIRST in written or rule.startswith("syntax/") else f"{FIRST}\n{written}"
        if rule == "shape/not-a-design":
            self.design = written

    @property
    def why(self) -> str:
        """What the example shows."""
        return str(self.stated.get("why", ""))


def of_source(source: RuleSource, rule: CompiledRule, vocabulary: Vocabulary) -> list[Example]:
    """The examples of a rule: those that it states and, for a row of a checklist, made ones of the kinds that it does not."""
    node, row = source.keys.get("examples"), source.row
    stated = node.entries if node is not None else {}
    made = (
        {}
        if row is None
        else row_examples.make_examples(rule, row.word.text, expected=row.expected, vocabulary=vocabulary)
    )
    found: list[Example] = []
    for kind in KINDS:
        if kind in stated:
            found += [_state_example(rule.id, kind, at, one) for at, one in enumerate(stated[kind].items)]
        elif row is not None:
            why = {"why": row.why.get(kind, row_examples.WHY[kind])}
            found.append(Example(rule.id, kind, 0, source.line, why | made[kind]))
    return found


def of_rule(rule: CompiledRule, vocabulary: Vocabulary) -> list[Example]:
    """The examples of a shipped rule."""
    return of_source(rule_files.find_rule(rule.id, resources.rules()), rule, vocabulary)


def _state_example(rule: str, kind: str, number: int, node: Node) -> Example:
    line = node.document.place(node.start, node.end)[0]
    return Example(rule, kind, number, line, {key: _plain(child) for key, child in node.entries.items()})


def gaps(rule: CompiledRule, examples: list[Example]) -> Iterator[str]:
    """The kinds of example that a rule must have and lacks."""
    kinds = {one.kind for one in examples}
    for kind in KINDS:
        if kind not in kinds and (kind != "unknown" or rule.needs):
            yield f"no {kind} example"


def _plain(node: Node) -> Any:
    if node.kind == "map":
        return {key: _plain(child) for key, child in node.entries.items()}
    return [_plain(item) for item in node.items] if node.kind == "list" else node.text
