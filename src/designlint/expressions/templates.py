"""Texts with places for values: messages, remedies, and the values that a fix writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Placeholder(Struct, frozen=True):
    """A place for a value, and the form in which it is printed; empty for the usual one."""

    name: str
    form: str = ""


class Template(Struct, frozen=True):
    """A text with places for values, in its parts."""

    parts: tuple[str | Placeholder, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its values, in the order of the text."""
        return tuple(dict.fromkeys(one.name for one in self.parts if isinstance(one, Placeholder)))

    def fill(self, value: Callable[[Placeholder], str], after: Callable[[str, str], str] = lambda _, text: text) -> str:
        """The text with what `value` gives for each place; `after` makes the text behind it agree with what it gave."""
        texts: list[str] = []
        for one in self.parts:
            texts.append(value(one) if isinstance(one, Placeholder) else after(texts[-1], one) if texts else one)
        return "".join(texts)

    def general(self, known: Mapping[str, str]) -> str:
        """
        The text whatever the design, without endings that only some designs give it.

        Args:
            known: the text of each value that holds for all designs; the names of the others stand in asterisks.
        """
        parts = [
            one
            for before, one in zip(("", *self.parts), self.parts, strict=False)
            if isinstance(one, str) or not (isinstance(before, Placeholder) or before[-1:].isalnum())
        ]
        return Template(tuple(parts)).fill(lambda one: known.get(one.name, f"*{one.name}*"))

    def __str__(self) -> str:
        return self.fill(lambda one: f"{{{one.name}:{one.form}}}" if one.form else f"{{{one.name}}}")


def encode_template(one: Template) -> list[Any]:
    """A template as JSON-able data."""
    return [part if isinstance(part, str) else [part.name, part.form] for part in one.parts]


def decode_template(data: list[Any]) -> Template:
    """The template that data stands for."""
    return Template(tuple(part if isinstance(part, str) else Placeholder(*part) for part in data))
