"""The examples of a row of a checklist: its word stated as it should not be, as it should be, and not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word
    from designlint.rules.rule import CompiledRule

#: What an example shows where its row says nothing else.
WHY = {"bad": "it is left out", "good": "it is there", "unknown": "the design does not say"}
#: What the design is called where its name is shown.
NAME = "hawk"


def make_examples(
    rule: CompiledRule, word: str, *, expected: bool, vocabulary: Vocabulary
) -> dict[str, dict[str, Any]]:
    """What an example of each kind states, as in a rule's file."""
    steps = [*_place(rule.about, vocabulary), *((step, "") for step in rule.paths[word])]
    message = str(rule.texts.message)
    named = "{focus}" in message and rule.about == "Design"
    names = [name for _, name in steps if name]
    head = [f"name: {NAME}"] if named else []
    says = message.replace("{focus}", names[-1] if names else NAME)
    wrong, right = (str(one).lower() for one in (not expected, expected))
    silent = (
        _state_lines(steps[: 1 + max(at for at, (_, name) in enumerate(steps) if name)]) if names else [f"name: {NAME}"]
    )
    return {
        "bad": {"design": _text([*head, *_state_lines(steps, f" {wrong}  # finding")]), "says": says},
        "good": {"design": _text([*head, *_state_lines(steps, f" {right}")])},
        "unknown": {"design": _text(silent), "missing": ["/".join(part for step in steps for part in step if part)]},
    }


def _place(about: str, vocabulary: Vocabulary) -> list[tuple[str, str]]:
    """The words that lead from the design to a part of a class, each with the name of an item where it is a list."""
    ways: list[tuple[str, list[tuple[str, str]]]] = [("Design", [])]
    for owner, way in ways:
        if owner == about:
            return way
        for word in vocabulary.classes[owner].values():
            if word.form in ("part", "parts") and word.kind not in {one for one, _ in ways}:
                ways.append((word.kind, [*way, (word.name, _item(word, vocabulary))]))
    raise LookupError(f"no part of a design is a {about}")


def _item(word: Word, vocabulary: Vocabulary) -> str:
    """The name of an item where a word holds a list, otherwise empty."""
    named = vocabulary.classes[word.kind].get("name")
    return named.example if named is not None and word.form == "parts" else ""


def _state_lines(steps: list[tuple[str, str]], value: str = "") -> Iterator[str]:
    """The lines of a design that states a value at the end of a path."""
    indent = ""
    for at, (word, name) in enumerate(steps):
        yield f"{indent}{word}:{value if at == len(steps) - 1 and not name else ''}"
        indent += "  "
        if name:
            yield f"{indent}- name: {name}"
            indent += "  "


def _text(lines: Any) -> str:
    return "\n".join(lines) + "\n"
