"""The lines of Slurm's files: pairs of a key and a value, each with its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.importers.base import Fate, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.base import Source

PAIR = re.compile(r'([A-Za-z][\w.-]*)(?:\[\d+\])?[ \t]*(?:\+=|-=|=)[ \t]*("(?:[^"\n])*"|[^\s"]*)|(\S+)')
INCLUDE = re.compile(r"\s*include\s+(\S+)", re.IGNORECASE)
CONTINUED = re.compile(r"\\[ \t]*$")
#: How `scontrol show node` and `show partition` begin; what is indented below belongs to the line before.
SHOWN = re.compile(
    r"^(?:NodeName=\S+[ \t]+(?:Arch|CoresPerSocket)=|PartitionName=\S+(?:[ \t]*\r?\n)?[ \t]+Allow\w+=)", re.MULTILINE
)
#: How `scontrol show config` begins; its values have units, and ones that are not set read `(null)`.
CONFIGURED = re.compile(r"^\s*Configuration data as of\b", re.MULTILINE)
#: What `scontrol` calls a parameter of slurm.conf.
SHOWN_AS = {"cputot": "cpus", "nodeaddr": "address"}
#: Keys that a line describes one thing by; all else sets parameters of the whole cluster.
NAMING = (
    "nodename", "partitionname", "nodeset", "switchname", "blockname", "aggregatedblock", "downnodes", "name", "autodetect",
)  # fmt: skip


class SlurmLine(Struct):
    """One logical line: what it describes, and its pairs by key in small letters."""

    kind: str
    start: int
    end: int
    pairs: dict[str, Value] = field(default_factory=dict)

    def get(self, *keys: str) -> Value | None:
        """The first of these keys that the line has."""
        return next((self.pairs[key] for key in keys if key in self.pairs and self.pairs[key].text), None)

    def text(self, *keys: str) -> str:
        """The same as text; empty where the line has none."""
        found = self.get(*keys)
        return found.text if found is not None else ""


def read_lines(source: Source) -> Iterator[SlurmLine]:
    """The logical lines of a file."""
    shown = SHOWN.search(source.text[:10_000]) is not None
    loose = shown or CONFIGURED.search(source.text[:10_000]) is not None
    for start, end, text in _records(source) if shown else _logical(source):
        included = INCLUDE.match(text)
        if included:
            line = SlurmLine("include", start, end)
            line.pairs["include"] = source.value(included[1], start + included.start(1), start + included.end(1))
            yield line
            continue
        line = SlurmLine("", start, end)
        for found in PAIR.finditer(text):
            if found[3]:
                source.mark(start + found.start(), start + found.end(), Fate.IMMATERIAL if loose else Fate.UNCLEAR)
                continue
            key = found[1].lower()
            key = SHOWN_AS.get(key, key) if shown else key
            value = found[2].strip('"')
            place = start + found.start(2) + found[2].startswith('"')
            line.kind = line.kind or (key if key in NAMING else "")
            line.pairs[key] = Value(value, source, place, place + len(value), literal=True)
        if line.pairs:
            yield line


def _logical(source: Source) -> Iterator[tuple[int, int, str]]:
    """Lines with continuations joined and comments blanked out, so that offsets stay."""
    start, last, parts = -1, 0, list[str]()
    for begin, end, text in source.lines():
        bare = _strip_comment(text)
        start, last = begin if start < 0 else start, end
        if CONTINUED.search(bare[-200:]):
            stop = len(bare.rstrip()) - 1
            parts += [bare[:stop], " " * (len(bare) - stop), _break(source, end)]
            continue
        yield start, end, "".join((*parts, bare))
        start, parts = -1, []
    if parts:
        yield start, last, "".join(parts)


def _records(source: Source) -> Iterator[tuple[int, int, str]]:
    """What `scontrol` shows of each thing as one line, offsets kept."""
    start, last, parts = -1, 0, list[str]()
    for begin, end, text in source.lines():
        if text[:1].strip() and parts:
            yield start, last, "".join(parts)
            start, parts = -1, []
        start = begin if start < 0 else start
        parts += [" " * (begin - last) if parts else "", _strip_comment(text)]
        parts.append(" " * (len(text) - len(parts[-1])))
        last = end
    if parts:
        yield start, last, "".join(parts)


def _break(source: Source, end: int) -> str:
    return "  " if source.text.startswith("\r\n", end) else " "


def _strip_comment(text: str) -> str:
    at = text.find("#")
    while at > 0 and text[at - 1] == "\\":
        at = text.find("#", at + 1)
    return text if at < 0 else text[:at]
