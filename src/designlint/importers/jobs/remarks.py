"""What comments say: the size of the model above its dimensions, what fails beside a value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Value, Words, put
from designlint.importers.workloads import get

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.base import Fragment, Source

#: A size such as `39B` or `llama2-70b`; the factors of `8x7B` and the active part of `A22B` are none.
SIZE = re.compile(r"(?<![\w.])~?(\d{1,4}(?:\.\d{1,3})?) ?[bB](?![\w])")
#: A comment for people; Slurm reads its own.
COMMENT = re.compile(r"[ \t]*#(?!SBATCH)")
#: Lines of dimensions between a comment and the one that counts.
MOST_LINES = 8
#: A number of the kind that stands in the line, not of GPUs or bytes.
NUMBER = r"(\d{1,9})(?![\w.]|,\d| ?(?:x|gpus?|nodes?|servers?|ranks?|gi?b|layers?|tokens?)\b)"
#: What a comment says of values that work, of values that do not, and that something does not at all.
WORKS = re.compile(rf"\b(?:works?|worked|fits?) (?:at|with|up to|for) {NUMBER}", re.IGNORECASE)
FAILS = re.compile(rf"\b(?:oom(?:s|ed)?|runs out of memory|crash(?:es|ed)?) (?:at|with|from) {NUMBER}", re.IGNORECASE)
FAILING = re.compile(r"\b(?:oom(?:s|ed)?|out of memory|killed|crash(?:es|ed)?)\b", re.IGNORECASE)
#: Letters of a comment that a message repeats.
MOST_SHOWN = 60


def fill(words: Words, source: Source, found: Fragment) -> None:
    """What comments say of the model, and of values that fail."""
    _size(words, source)
    _failing(words, source, found)


def _size(words: Words, source: Source) -> None:
    """The one size that the comment right above the model's layers, in the same paragraph, speaks of."""
    stated = get(words, "model/layers")
    if stated is None or stated.source is not source or stated.end <= stated.start:
        return
    if get(words, "model/experts") is not None:  # comments name the part without experts as often as the whole
        return
    line = stated.line - 1
    while line and stated.line - line <= MOST_LINES and not COMMENT.match(source.document.line(line)):
        if not source.document.line(line).strip():
            return
        line -= 1
    found: list[Value] = []
    while line and COMMENT.match(text := source.document.line(line)):
        start = source.document.offset(line, 1)
        if "token" not in text.lower():
            for size in SIZE.finditer(text):
                parameters = round(float(size[1]) * 1e9)
                found.append(Value(str(parameters), source, start + size.start(1), start + size.end()))
        line -= 1
    if len({one.text for one in found}) == 1:
        put(words, "job/remarked_parameters", found[0])


def _failing(words: Words, source: Source, found: Fragment) -> None:
    """Values of which the comment in their own line says that they fail."""
    for word, value in _counts(words):
        if value.source is not source or value.end <= value.start:
            continue
        line = source.document.line(value.line)
        comment = line.partition(" #")[2].strip()
        works, fails = WORKS.search(comment), FAILS.search(comment)
        beyond = works is not None and FAILING.search(comment) and int(value.text) > int(works[1])
        if beyond or (fails is not None and int(value.text) >= int(fails[1])):
            found.clash("import/value-said-to-fail", value, word=word, text=value.text, comment=comment[:MOST_SHOWN])


def _counts(words: Words) -> Iterator[tuple[str, Value]]:
    """Every count of the parts of a job, with its word."""
    for part in words.values():
        for word, value in part.items() if isinstance(part, dict) else ():
            if isinstance(value, Value) and value.text.isdecimal():
                yield word, value
