"""Arguments of a command under their names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from designlint.importers.base import Value
from designlint.importers.shell.pieces import Piece, Text, flat, partition_text, reason, value

if TYPE_CHECKING:
    from collections.abc import Sequence

FLAG = re.compile(r"-{1,2}[A-Za-z]")
OVERRIDE = re.compile(r"\+{0,2}([A-Za-z_]\w*(?:\.\w+)+)\Z")
#: A key at the top of a configuration, of a command line that changes it without flags.
KEY = re.compile(r"\+{0,2}[A-Za-z_]\w*\Z")
#: What sends output to a file or another command.
REDIRECTION = re.compile(r"(?:\d?|&)>>?(?:&\d|\S*)\Z|\|[|&]?\Z|&&?\Z|;\Z")
#: A configuration that stands by itself, before any flag, and the name that it gets.
FILE, CONFIGURATION = re.compile(r"\.ya?ml\Z"), ":configuration"


class Argument(NamedTuple):
    """
    An argument: its value, or why it has none.

    Attributes:
        tail: what is known of its end, such as the name of a file in a folder that is not known.
    """

    value: Value | None
    why: str
    at: Piece
    tail: str = ""


def name_arguments(words: Sequence[Text], found: dict[str, Argument]) -> bool:
    """Puts arguments under their names; true where something unknown might be further arguments."""
    loose, name = False, ""
    values: list[Text] = []
    at_flag: Piece | None = None

    def close() -> None:
        if name and at_flag is not None:
            found[name] = _argument(values, at_flag)

    for word in words:
        text = flat(word)
        if REDIRECTION.match(text) and not any(piece.quoted for piece in word):
            break  # of a command that a variable holds: what follows is no argument
        if FLAG.match(text):
            close()
            name, given = partition_text(word, "=")
            name, at_flag, values = normal(name), word[0], [] if given is None else [given]
        elif "=" in text and (override := OVERRIDE.match(partition_text(word, "=")[0])) is not None:
            close()
            found[normal(override[1].rpartition(".")[2])] = _argument([partition_text(word, "=")[1] or ()], word[0])
            found.setdefault("." + override[1], found[normal(override[1].rpartition(".")[2])])
            name = ""
        elif (not name or values) and "=" in text and KEY.match(key := partition_text(word, "=")[0]):
            close()
            name = ""
            found.setdefault("." + key.lstrip("+"), _argument([partition_text(word, "=")[1] or ()], word[0]))
        elif reason(word) and not text and (not name or values):
            loose = True
        elif not name and FILE.search(text):
            found.setdefault(CONFIGURATION, _argument([word], word[0]))
        elif name:
            values.append(word)
    close()
    return loose


def _argument(values: list[Text], at: Piece) -> Argument:
    if not values:
        return Argument(Value("true", at.source, at.start, at.end, at.how, at.note), "", at)
    joined = tuple(
        piece
        for number, one in enumerate(values)
        for piece in ((at._replace(text=" "),) if number else ()) + tuple(one)
    )
    why = reason(joined)
    if not why and not {"$", "`"}.isdisjoint(flat(joined)):
        why = f"{flat(joined)[:40]} is set when the job runs"
    last = max((number for number, piece in enumerate(joined) if piece.unknown), default=-1)
    return Argument(None if why else value(joined, at), why, at, flat(joined[last + 1 :]))


def normal(name: str) -> str:
    """A flag's name in small letters and underscores; one letter keeps its case."""
    bare = name.lstrip("-").replace("-", "_")
    return bare.lower() if len(bare) > 1 else bare
