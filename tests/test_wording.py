"""Messages agree in number with what they count."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.rules import wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.rules.rule import CompiledRule

#: Words that end as plurals do and are none.
NO_NOUNS = {
    "across",
    "address",
    "as",
    "does",
    "has",
    "is",
    "its",
    "less",
    "lossless",
    "process",
    "takes",
    "this",
    "unless",
}


@pytest.mark.parametrize(
    ("value", "after", "said"),
    [
        ("1", ") leaves room for 32", ") leaves room for 32"),
        ("1", " servers have no spare", " server has no spare"),
        ("2", " servers have no spare", " servers have no spare"),
        ("1", " switches, of which", " switch, of which"),
        ("1", " leaves are full", " leaf is full"),
        ("1", " takes the first", " takes the first"),
        ("1", " power supplies have no spare", " power supply has no spare"),
        ("1", " coolant distribution units", " coolant distribution unit"),
        ("1", " of its servers", " of its servers"),
        ("1", " KV heads for", " KV head for"),
        ("1", ", two servers", ", two servers"),
        ("1.5", " GPUs", " GPUs"),
        ("1", "; none is left", "; none is left"),
        ("1", "", ""),
    ],
)
def test_one_takes_the_singular(value: str, after: str, said: str) -> None:
    assert wording.agree_number(value, after) == said


def texts(rule: CompiledRule, number: str) -> Iterator[str]:
    """What a rule says where everything that it counts is as many."""
    for one in (rule.texts.message, rule.texts.remedy, *(fix.title for fix in rule.texts.fixes)):
        yield one.fill(
            lambda place: number if rule.kind(place.name) == "Count" and not place.form else "X", wording.agree_number
        )


def test_every_message_agrees_in_number() -> None:
    between = rf"(?!(?:{'|'.join(wording.NOT_BEFORE)})\b)[a-z-]+ "
    one = re.compile(rf"(?:^|[^ ] |[(])(?<!PCIe )(?<! to )1 (?:{between})?([a-z-]+s)\b")
    nouns = [*wording.SINGULAR.values(), *(one[:-1] for one in wording.PLURALS - wording.SINGULAR.keys())]
    two = re.compile(rf" 2 (?:{'|'.join(nouns)})(?:[,.;:)]|$| (?:has|is|of|in|on)\b)")
    for rule in engine.shipped_engine().rules.values():
        wrong = [
            text for text in texts(rule, "1") if not set(one.findall(text)) <= NO_NOUNS | set(wording.VERBS.values())
        ]
        assert wrong == []
        assert [text for text in texts(rule, "2") if two.search(text)] == []
