"""Splits a text into commands as a second shell would: `bash -c TEXT`, a variable or file that holds commands."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from designlint.importers.shell.pieces import Piece, Text, flat, partition_text, reason
from designlint.importers.shell.starters import ASSIGNMENT, RAY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: Parentheses, one within another: all that a shell takes for one command of its own.
NESTED = "[^()]*+"
for _ in range(5):
    NESTED = rf"[^()]*+(?:\({NESTED}\)[^()]*+)*+"
#: What stands between two commands; a word, of which a command in `$( )` or backticks, or a redirection, is a part; blanks.
WORD = re.compile(
    r"""\s*(\n|;|&&|\|\||\||&(?!>))"""
    rf"""|\s*((?:[$<>]\({NESTED}\)|`[^`]*+`"""
    r"""|\d?[<>]+&[\d-]?|&>+|\\\n|\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s;&|"'\\`<>]|[`<>])+)|\s+|.""",
    re.DOTALL,
)
#: What may stand before a variable that a command sets.
SETTING = frozenset(("export", "declare", "typeset", "readonly", "local", "-x", "then", "do", "else", "{", "("))
ASSIGNED = re.compile(r"\(?([A-Za-z_]\w*)\+?=")
#: A variable, also with a value for when it is not set.
NAME = re.compile(r"\$(?:\{([A-Za-z_]\w*)(?::?-[^{}$`\"']*)?\}|([A-Za-z_]\w*))")
DEEPEST = 3
#: The option of Ray that lists variables, and one of them.
ENVIRONMENT, ENTRY = "--runtime-env-json", re.compile(r"\"([A-Z][A-Z0-9_]*)\"\s*:\s*\"([^\"]*)\"")
#: Stands for text that is not known, so that it is a word, or a part of one.
UNKNOWN = "\0"


def split(text: Text) -> Iterator[tuple[Text, ...]]:
    """The commands inside a text, as a second shell would split it."""
    flat(text)  # not beyond all bounds
    whole, starts = _laid_out(text)
    words: list[Text] = []
    for found in WORD.finditer(whole):
        if found[1]:
            if words:
                yield tuple(words)
            words = []
        elif found[2]:
            words.append(_cut_pieces(starts, found.start(2), found.end(2)))
    if words:
        yield tuple(words)


def _length(piece: Piece) -> int:
    return 1 if piece.unknown else len(piece.text)


def _cut_pieces(starts: list[tuple[int, Piece]], start: int, end: int) -> Text:
    """The pieces of a stretch, quotes taken off."""
    found: list[Piece] = []
    first = max(bisect_right(starts, start, key=lambda one: one[0]) - 1, 0)
    for at, piece in starts[first:]:
        if at >= end:
            break
        low, high = max(start - at, 0), min(end - at, _length(piece))
        if high <= low:
            continue
        if piece.unknown:
            found.append(piece)
        else:
            bare = re.sub(r"""\\\n|\\(?=.)|["']""", "", piece.text[low:high])
            literal = piece.end - piece.start == len(piece.text)
            place = (piece.start + low, piece.start + high) if literal else (piece.start, piece.end)
            found.append(piece._replace(text=bare, start=place[0], end=place[1], quoted=True))
    return tuple(found)


def inside(word: Text, exports: Mapping[str, Text]) -> Text:
    """
    A text for a second shell: the exported variables that it names are those of this script, unless it sets them itself.

    The end of a line within such a variable is a blank like others, and ends no command.
    """
    own = assigned_variables(word) if "=" in flat(word) else set()
    return _inside(word, {name: text for name, text in exports.items() if name not in own} if own else exports, 0)


def _inside(word: Text, exports: Mapping[str, Text], depth: int) -> Text:
    found: list[Piece] = []
    for piece in _escaped_pieces(word):
        if piece.unknown or "$" not in piece.text or depth > DEEPEST:
            found.append(piece)
            continue
        at = 0
        literal = piece.end - piece.start == len(piece.text)
        for one in NAME.finditer(piece.text):
            known = exports.get(one[1] or one[2])
            if known is None:
                continue
            found.append(_part(piece, at, one.start(), literal))
            found += (two._replace(text=two.text.replace("\n", " ")) for two in _inside(known, exports, depth + 1))
            at = one.end()
        found.append(_part(piece, at, len(piece.text), literal))
    return tuple(found)


def _escaped_pieces(word: Text) -> Text:
    """The pieces of a word, those of `\\$NAME` as one: this shell takes the backslash away, a second one reads the name."""
    found: list[Piece] = []
    for piece in word:
        last = found[-1] if found else None
        if (
            last is not None
            and last.text == "$"
            and not last.unknown
            and not piece.unknown
            and piece.source is last.source
        ):
            found[-1] = last._replace(text=last.text + piece.text, end=piece.end)
        else:
            found.append(piece)
    return tuple(found)


def assigned_variables(text: Text) -> set[str]:
    """The variables that the commands inside a text set themselves."""
    return {name for words in split(text) for name, _ in _leading_assignments(words)}


def assignments(text: Text, *, lasting: bool = True) -> dict[str, list[Text]]:
    """
    The words `NAME=VALUE` by which the commands inside a text set variables.

    Args:
        lasting: only what holds for the commands after them, not what is set for one command.
    """
    found: dict[str, list[Text]] = {}
    for words in split(text) if re.search(r"\s", flat(text)) else ():
        stated = list(_leading_assignments(words))
        alone = not lasting or len(stated) == sum(flat(word) not in SETTING for word in words)
        for name, word in stated if alone else ():
            found.setdefault(name, []).append(word)
    return found


def own_variables(words: Sequence[Text]) -> dict[str, Text]:
    """The variables before a command inside a text, after `env`, or in an option of Ray."""
    found: dict[str, Text] = {}
    if flat(words[0]) == RAY:
        return _listed_variables(words)
    for word in words:
        name, given = partition_text(word, "=")
        if given is not None and ASSIGNMENT.match(name):
            found[name] = given
        elif found or reason(word) or flat(word) != "env":
            break
    return found


def _listed_variables(words: Sequence[Text]) -> dict[str, Text]:
    """The variables that `--runtime-env-json` lists, each where it stands."""
    start = next((at for at, word in enumerate(words) if flat(word).startswith(ENVIRONMENT)), len(words))
    found: dict[str, Text] = {}
    for word in words[start : start + 2]:
        shown, starts = _laid_out(word)
        for entry in ENTRY.finditer(shown):
            found[entry[1]] = _cut_pieces(starts, entry.start(2), entry.end(2))
    return found


def _laid_out(text: Text) -> tuple[str, list[tuple[int, Piece]]]:
    """The characters of a text, one for each piece that is not known, and where each piece begins."""
    starts: list[tuple[int, Piece]] = []
    at = 0
    for piece in text:
        starts.append((at, piece))
        at += _length(piece)
    return "".join(UNKNOWN if piece.unknown else piece.text for piece in text), starts


def _leading_assignments(words: tuple[Text, ...]) -> Iterator[tuple[str, Text]]:
    """The variables at the beginning of a command."""
    for word in words:
        name = ASSIGNED.match(flat(word))
        if name is not None:
            yield name[1], word
        elif flat(word) not in SETTING:
            return


def _part(piece: Piece, low: int, high: int, literal: bool) -> Piece:
    place = (piece.start + low, piece.start + high) if literal else (piece.start, piece.end)
    return piece._replace(text=piece.text[low:high], start=place[0], end=place[1])
