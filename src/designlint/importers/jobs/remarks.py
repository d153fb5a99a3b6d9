"""What comments say: of the model, its size, above its dimensions; of the job, requests that are switched off."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Value, Words, put
from designlint.importers.workloads import get

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Fragment, Source

#: A size such as `39B` or `llama2-70b`; the factors of `8x7B` and the active part of `A22B` are none.
SIZE = re.compile(r"(?<![\w.])~?(\d{1,4}(?:\.\d{1,3})?) ?[bB](?![\w])")
#: A comment for people; Slurm reads its own.
COMMENT = re.compile(r"[ \t]*#(?!SBATCH)")
#: A number of servers behind a single sign and a blank, by which it is a comment.
NODES_OFF = re.compile(r"^# {1,2}SBATCH[ \t]+(--nodes[= ][ \t]*\d[^\n#]*)", re.MULTILINE)
OFF = re.compile(r"^#(?:#+[ \t]*|[ \t]+)SBATCH[ \t]+(--(?:gpus[\w-]*|gres)[^\n#]*)", re.MULTILINE)
#: Lines of dimensions between a comment and the one that counts.
MOST_LINES = 8


def put_size(words: Words, source: Source) -> None:
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


def report_switched_off(given: Mapping[str, Value], source: Source, fragment: Fragment, *, gpus: bool) -> None:
    """Notes requests in comments, where nothing else requests the same."""
    off, what = OFF.search(source.text) if gpus else None, "GPUs"
    if off is None and given.keys().isdisjoint(("nodes", "ntasks", "nodelist")):
        off, what = NODES_OFF.search(source.text), "servers"
    if off is not None:
        commented = Value(off[1].strip(), source, off.start(), off.end())
        fragment.clash("import/request-commented-out", commented, text=off[1].strip()[:60], what=what)
