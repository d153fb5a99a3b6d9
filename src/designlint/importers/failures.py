"""What comments say of values beside them: that jobs fail with them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Value, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.base import Fragment

#: A number of the kind that stands in the line, not of GPUs or bytes.
NUMBER = r"(\d{1,9})(?![\w.]|,\d| ?(?:x|gpus?|nodes?|servers?|ranks?|gi?b|layers?|tokens?)\b)"
#: What a comment says of values that work, of values that do not, and that something does not at all.
WORKS = re.compile(rf"\b(?:works?|worked|fits?) (?:at|with|up to|for) {NUMBER}", re.IGNORECASE)
FAILS = re.compile(rf"\b(?:oom(?:s|ed)?|runs out of memory|crash(?:es|ed)?) (?:at|with|from) {NUMBER}", re.IGNORECASE)
NAMED = re.compile(rf"(?:\A|[;,:(] ?){NUMBER} (?:ooms?|(?:runs?|ran) out of memory|crash(?:es|ed)?)\b", re.IGNORECASE)
FAILING = re.compile(r"\b(?:oom(?:s|ed)?|out of memory|killed|crash(?:es|ed)?)\b", re.IGNORECASE)
#: Words of which more needs more memory; more ranks need less.
GROWING = frozenset(("micro_batch", "global_batch", "sequence", "layers", "hidden", "feed_forward"))
#: Letters of a comment that a message repeats.
MOST_SHOWN = 60


def report_failing(found: Fragment) -> None:
    """Notes values of jobs of which the comment in their own line says that they fail."""
    for word, value in _counts(found):
        number = whole(value)
        if number is None or value.end <= value.start:
            continue
        comment = value.source.document.line(value.line).partition(" #")[2].strip()
        if _fails(number, comment, grows=word in GROWING):
            found.clash("import/value-said-to-fail", value, word=word, text=value.text, comment=comment[:MOST_SHOWN])


def _fails(number: int, comment: str, *, grows: bool) -> bool:
    """Whether a comment says that a number fails; of what grows, all numbers beyond one that fails do, too."""
    works, fails = WORKS.search(comment), FAILS.search(comment)
    named = {int(one[1]) for one in NAMED.finditer(comment)} | ({int(fails[1])} if fails is not None else set())
    if number in named or not grows:
        return number in named
    return any(one < number for one in named) or bool(works and FAILING.search(comment) and number > int(works[1]))


def _counts(found: Fragment) -> Iterator[tuple[str, Value]]:
    """Every count of the parts of jobs, with its word."""
    jobs = found.words.get("workloads")
    for job in jobs if isinstance(jobs, list) else ():
        for part in job.values() if isinstance(job, dict) else ():
            for word, value in part.items() if isinstance(part, dict) else ():
                if isinstance(value, Value) and value.text.isdecimal():
                    yield word, value
