"""
Keeps the reports on designs from run to run, in a folder of the user's own: what comes in by a repository is never read from it.

A report is found again by what it was made from, so that a hit is what judging anew would give; it costs no YAML, graph or rules.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any

from designlint.running.cache import folder, inputs, shape
from designlint.running.cache.inputs import CacheQuestion

if TYPE_CHECKING:
    from designlint.findings.report import Report
    from designlint.judging.result import Result
    from designlint.rules.settings import Settings

__all__ = ["CacheQuestion", "asked", "keep", "kept"]

#: Bytes of an entry when it is unpacked, at most.
LARGEST = 64 * 1024 * 1024
#: The fastest: packing anew takes three times as long and saves a quarter.
PACKED = 1


def cache_key(file: str, settings: Settings, *, margins: bool) -> CacheQuestion | None:
    """What a run asks about a design; None where nothing can be kept."""
    return inputs.question(file, settings, margins) if folder.place() is not None else None


def cached_report(question: CacheQuestion) -> Report | None:
    """The report that is kept, if one is, and nothing that it was made from has changed."""
    data = folder.read_entry(question.key)
    if data is None:
        return None
    try:
        key, home, bases, entry = _unpack(data)
        if key != question.key or not inputs.is_unchanged(question.file, home, shape.bases(bases)):
            return None
        report: Report = shape.report(entry)
        _whole(report)
    except (
        ValueError,
        TypeError,
        RecursionError,
        zlib.error,
    ):  # damaged, or of another making: judged anew, and replaced
        return None
    return report


def _whole(report: Report) -> None:
    """Raise ValueError where a finding stands on a line that the report does not have."""
    places = [one.location for one in (*report.findings, *report.accepted)]
    places += [value.location for one in report.findings for value in one.values.values() if value.location]
    length = {file: text.count("\n") + text.count("\r") + 1 for file, text in report.texts.items()}
    if any(not 0 < one.line <= one.end_line <= length.get(one.file, 0) for one in places):
        raise ValueError("a place that is not there")


def keep(question: CacheQuestion, result: Result, report: Report) -> None:
    """Keep a report, where it surely answers the question: files may have changed while it was made."""
    design = result.design
    if design.document.digest() != question.design or not inputs.current(question, design.engine):
        return
    if any(not one.digest for one in design.bases):
        return
    entry = [question.key, inputs.home(question.file) if design.bases else [], design.bases, report]
    data = json.dumps(entry, default=shape.fields, separators=(",", ":")).encode()
    folder.write(question.key, zlib.compress(data, PACKED))


def _unpack(data: bytes) -> Any:
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(data, LARGEST)
    if not unpacking.eof:
        raise ValueError("too large, or cut off")
    return json.loads(text)
