"""Words that count where a design leaves them out, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

    from designlint.language.words import Word


class Roles(NamedTuple):
    """
    Words of one class, by what they mean where a design leaves them out.

    Attributes:
        required: those that each such part must state.
        filled: those that the language fills in.
        pointing: those that mean the only candidate, or all that no other names.
    """

    required: tuple[Word, ...]
    filled: tuple[Word, ...]
    pointing: tuple[Word, ...]


def of(words: Collection[Word]) -> Roles:
    """Those of the words of a class."""
    return Roles(
        tuple(one for one in words if one.required),
        tuple(one for one in words if one.default is not None or one.form == "part"),
        tuple(one for one in words if one.sole or one.remaining),
    )
