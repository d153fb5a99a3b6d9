"""What a variable holds after branches of which nobody knows which one runs: their common start, then flags that may be given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.shell.pieces import Piece, Text, cut_text, fields, flat, reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Pieces that are looked through for flags: more of them are no arguments.
MOST_PIECES = 1000
FLAG = re.compile(r"--?[A-Za-z][\w.-]*")


def texts(found: Sequence[Text], doubt: Piece) -> Text:
    """One text for several: what all begin with, and each flag of the rest with an unknown value; unknown without flags."""
    alike = _alike(found)
    rests = [one[alike:] for one in found]
    if sum(map(len, rests)) > MOST_PIECES:
        return (doubt,)
    words = [list(fields(rest)) for rest in rests]
    flags = list(_flags(words, doubt))
    starts = [flat(rest)[:1] for rest in rests if rest and not reason(rest[:1])]
    within = alike and any(one and not one.isspace() for one in starts)
    if within or all(word[0].unknown for word in flags):
        return (doubt,)
    space = doubt._replace(text=" ", unknown="")
    return (*found[0][:alike], *(piece for word in flags for piece in (space, *word)))


def lists(found: Sequence[list[Text]], doubt: Piece) -> list[Text]:
    """The same for arrays; without flags an unknown element stands for the rest."""
    alike = _alike(found)
    words = [[word for word in one[alike:] if word] for one in found]
    return [*found[0][:alike], *(list(_flags(words, doubt)) or [(doubt,)])]


def _alike(found: Sequence[Sequence[object]]) -> int:
    """How many elements all begin with."""
    at = 0
    while all(at < len(one) and one[at] == found[0][at] for one in found):
        at += 1
    return at


def _flags(found: Sequence[Sequence[Text]], doubt: Piece) -> Iterator[Text]:
    """
    Each flag among words once, its value in doubt unless all state the same.

    Once stands for all words that are not known, or that belong to a flag before.
    """
    seen, shared = set[str](), _shared_flags(found)
    for word in (word for words in found for word in words):
        name = _name(word)
        if name in seen or (not name and seen and not reason(word)):
            continue
        seen.add(name)
        if name in shared:
            yield from shared[name]
        elif not name:
            yield (doubt,)
        else:
            yield cut_text(word, len(name))[0]
            yield (doubt,)


def _name(word: Text) -> str:
    """The flag that a word is; empty where it is none."""
    found = None if word[0].unknown else FLAG.match(flat(word))
    return found[0] if found is not None else ""


def _shared_flags(found: Sequence[Sequence[Text]]) -> dict[str, list[Text]]:
    """The flags that all give once and alike, each with its values."""
    given: list[dict[str, list[Text]]] = []
    for words in found:
        stated: dict[str, list[Text]] = {}
        twice, last = set[str](), ""
        for word in words:
            name = _name(word)
            last = name or last
            twice |= {name} & stated.keys()
            stated.setdefault(last, []).append(word)
        given.append({name: one for name, one in stated.items() if name not in twice and not any(map(reason, one))})
    first = given[0] if given else {}
    return {
        name: one
        for name, one in first.items()
        if name and all(name in other and _texts(other[name]) == _texts(one) for other in given)
    }


def _texts(words: Sequence[Text]) -> list[str]:
    return [flat(word) for word in words]
