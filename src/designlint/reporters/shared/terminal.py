"""Text for terminals: colours, and nothing that a terminal would obey."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.language.vocabulary import RULE

if TYPE_CHECKING:
    from collections.abc import Callable

    #: Text of a kind, such as `error`, in its colour.
    Paint = Callable[[str, str], str]

#: ANSI codes, by what is shown.
COLORS = {"error": "1;31", "warning": "1;33", "info": "1;36", "bold": "1", "dim": "2", "frame": "34", "good": "32"}


def painter(*, color: bool) -> Paint:
    """Wraps text in a colour, or leaves it plain."""
    return (lambda what, text: f"\x1b[{COLORS[what]}m{text}\x1b[0m") if color else (lambda what, text: text)


PLAIN = painter(color=False)


def printable(text: str) -> str:
    """Text of a design without what would steer a terminal or turn its direction."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if one.isprintable() else " " if one == "\t" else f"\\u{ord(one):04x}" for one in text)


def shorten(text: str, most: int) -> str:
    """Text of at most so many letters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def link_rule(rule: str, links: bool) -> str:
    """The id of a rule, as a link to its page where the terminal can show one (OSC 8)."""
    return f"\x1b]8;;{RULE}{rule}\x1b\\{rule}\x1b]8;;\x1b\\" if links else rule
