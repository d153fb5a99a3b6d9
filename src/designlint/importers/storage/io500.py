"""IO500: the summary that it prints, of all versions, and `result.txt`. Of its tests of bandwidth the easy ones are in order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import How, Source
from designlint.importers.storage.rates import GIBI, MeasuredRate, best

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.base import Fragment, Value, Words

#: A phase; versions before 2020 wrote underscores, and GB for what they counted in GiB as well.
PHASE = re.compile(
    r"^[ \t]*\[RESULT([^\]]*)\][ \t]+(?:BW[ \t]+phase[ \t]+\d+[ \t]+)?(ior[-_](?:easy|hard)[-_](?:write|read))"
    r"[ \t]+(\d{1,15}(?:\.\d{1,9})?)[ \t]+Gi?B/s([^\n]*)",
    re.MULTILINE,
)
#: The same as the first version in C printed it.
FIRST = re.compile(
    r"^\[Result([^\]]*)\] IOR (ior_(?:easy|hard)_(?:write|read)) bw: (\d{1,15}(?:\.\d{1,9})?) GiB/s([^\n]*)",
    re.MULTILINE,
)
#: A phase in `result.txt`, up to the next one; configurations have the same headings, but no score.
SECTION = re.compile(r"^\[(ior-(?:easy|hard)-(?:write|read))\][ \t]*\n(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
SCORE = re.compile(r"^score[ \t]*=[ \t]*(\d{1,15}(?:\.\d{1,9})?)", re.MULTILINE)


def has_printed_rate(text: str) -> bool:
    """Whether a phase with its rate stands in a text."""
    return any(one.search(text) for one in (PHASE, FIRST)) or any(
        SCORE.search(one[2]) for one in SECTION.finditer(text)
    )


def text(source: Source, words: Words, found: Fragment) -> None:
    """A phase that IO500 itself calls invalid, as too short ones are, is no result."""
    measured: list[MeasuredRate] = []
    seen: set[tuple[str, str]] = set()
    for name, value, invalid in _phases(source):
        if (name, value.text) in seen:  # printed when it ended, and in the summary
            continue
        seen.add((name, value.text))
        if invalid:
            found.fact(f"{name}, which IO500 calls invalid", value.but(f"{value.text} GiB/s", "", How.MEASURED))
        elif "-easy-" in name:
            word = name.rpartition("-")[2]
            measured.append(MeasuredRate(word, float(value.text) * GIBI, value, f"{name} {value.text} GiB/s"))
    best(measured, words, found)


def _phases(source: Source) -> Iterator[tuple[str, Value, bool]]:
    """The phases of bandwidth: name, rate, and whether it is invalid."""
    for one in (*PHASE.finditer(source.text), *FIRST.finditer(source.text)):
        value = source.value(one[3], one.start(3), one.end(3))
        yield one[2].replace("_", "-"), value, "invalid" in f"{one[1]}{one[4]}".lower()
    for one in SECTION.finditer(source.text):
        score = SCORE.search(source.text, one.start(2), one.end(2))
        if score is not None:
            yield one[1], source.value(score[1], score.start(1), score.end(1)), "INVALID" in one[2]
