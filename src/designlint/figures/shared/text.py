"""Words of a design inside a picture: escaped, cut to the room there is, never steering anything."""

from __future__ import annotations

import unicodedata
from html import escape

from designlint.figures.shared.style import SIZES
from designlint.reporters.shared.terminal import printable, shorten

#: Letters of a name beyond which it is cut wherever it stands.
LONGEST = 60
#: Widths of letters per size of type, in the widest face that a reader is likely to have (DejaVu Sans).
NARROW, WIDE = frozenset("ijl.,:;'|!()[]/ ftrI-"), frozenset("mwMW%@—…")
RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))


def width(text: str, size: str = "text", *, bold: bool = False) -> float:
    """How wide a text is at most, about."""
    return sum(map(_letter, text)) * SIZES[size] * (1.08 if bold else 1.0)


def _letter(one: str) -> float:
    if one in NARROW:
        return 0.40
    if one in WIDE or unicodedata.east_asian_width(one) in "WF":
        return 1.0
    return 0.70 if one.isupper() else 0.63


def fit_text(text: str, room: float, size: str = "text", *, bold: bool = False) -> str:
    """A text cut to the room there is."""
    if width(text, size, bold=bold) <= room:
        return text
    kept = text
    while kept and width(kept + "…", size, bold=bold) > room:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def fit_size(text: str, room: float, size: str, *, bold: bool = False) -> str:
    """The largest size up to the wanted one in which a text has room, never below that of small words."""
    sizes = [*SIZES]
    smaller = sizes[sizes.index(size) : max(sizes.index("small"), sizes.index(size)) + 1]
    return next((one for one in smaller if width(text, one, bold=bold) <= room), smaller[-1])


def name(text: str, most: int = LONGEST) -> str:
    """A name of a design as one short line; kept apart from its surroundings where it runs from right to left."""
    told = shorten(printable(text[: 4 * LONGEST]), most)
    if any(unicodedata.bidirectional(one) in RIGHT_TO_LEFT for one in told):
        return f"\u2068{told}\u2069"
    return told


def escape_xml(text: str) -> str:
    """Text for XML, without the few letters that XML cannot hold."""
    return escape("".join(one for one in text if _is_allowed(one)))


def _is_allowed(one: str) -> bool:
    return (one >= " " or one == "\n") and not "\ud800" <= one <= "\udfff" and one not in "\ufffe\uffff\x7f"


def sentences(*parts: str) -> str:
    """Parts, those that say nothing left out, as sentences."""
    return " ".join(f"{part}." for part in parts if part)
