"""The file of a baseline: one finding a line, named by what the design calls things, with the value it had."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from designlint.findings.model import Severity
from designlint.reading.errors import AuthoringError, UsageError
from designlint.reading.recognition import start

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from designlint.findings.model import Finding

NAME = "designlint-baseline.json"
VERSION = 1
#: Bytes of a baseline: some hundred thousand findings.
LARGEST = 64 * 1024 * 1024
#: What an entry has, in the order in which it is written, and the types of each.
FIELDS: Mapping[str, tuple[type, ...]] = {
    "rule": (str,), "file": (str,), "subject": (str,), "constraint": (str,), "severity": (str,), "measured": (str,),
    "value": (int, float), "unit": (str,), "limit": (int, float), "room": (int, float), "reason": (str,),
}  # fmt: skip
NEEDED = ("rule", "file", "subject", "constraint", "severity")

#: Names a finding in the repository: file, rule, subject, constraint.
Key = tuple[str, str, str, str]


class BaselineEntry(NamedTuple):
    """
    One finding of the baseline.

    Attributes:
        stated: what the file says of it.
        start: where it stands in the file, as `end` an offset; -1 for one that is new.
    """

    stated: Mapping[str, Any]
    start: int = -1
    end: int = -1

    @property
    def key(self) -> Key:
        """What names the finding."""
        return tuple(self.stated[name] for name in ("file", "rule", "subject", "constraint"))


class Baseline(Struct, frozen=True):
    """A baseline as read, or as it is to be written."""

    path: Path
    text: str
    entries: Mapping[Key, BaselineEntry]

    def write_text(self) -> str:
        """The file: one finding a line, sorted."""
        lines = [json.dumps(dict(one.stated), ensure_ascii=False) for _, one in sorted(self.entries.items())]
        listed = "[\n    " + ",\n    ".join(lines) + "\n  ]" if lines else "[]"
        return f'{{\n  "designlint_baseline": {VERSION},\n  "findings": {listed}\n}}\n'

    def name(self, file: str) -> str:
        """A design as the baseline names it: from the folder in which the baseline lies."""
        return Path(os.path.relpath(file, self.path.parent)).as_posix()

    def key(self, finding: Finding) -> Key:
        """What names a finding of a run."""
        rule, subject, constraint = finding.key
        return self.name(finding.design or finding.location.file), rule, subject, constraint

    def entry(self, finding: Finding, reason: str = "") -> BaselineEntry:
        """A finding of a run as an entry."""
        file, rule, subject, constraint = self.key(finding)
        stated: dict[str, Any] = {"rule": rule, "file": file, "subject": subject, "constraint": constraint}
        stated["severity"] = str(finding.severity)
        if (margin := finding.margin) is not None:
            stated |= {"measured": margin.text, "value": margin.value, "unit": margin.unit}
            stated |= {"limit": margin.limit, "room": margin.room}
        return BaselineEntry(stated | ({"reason": reason} if reason else {}))


def read_baseline(path: Path) -> Baseline:
    """A baseline. Raises AuthoringError with file and line; UsageError where there is none."""
    try:
        data = start(path, LARGEST)
        text = data.decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        raise UsageError(f"{path}: no such baseline; `designlint baseline create` writes one") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from None
    if len(data) > LARGEST:
        raise AuthoringError(f"has more than {LARGEST} bytes", file=str(path))
    return parse_baseline(path, text)


def parse_baseline(path: Path, text: str) -> Baseline:
    """A baseline from the text of its file. Raises AuthoringError with file and line."""
    entries: dict[Key, BaselineEntry] = {}
    try:
        for one in _entries(text):
            if one.key in entries:
                raise json.JSONDecodeError("this finding is listed twice", text, one.start)
            entries[one.key] = one
    except json.JSONDecodeError as error:
        raise AuthoringError(error.msg, file=str(path), line=error.lineno) from None
    except RecursionError:
        raise AuthoringError("it is nested too deeply", file=str(path)) from None
    except ValueError as error:
        raise AuthoringError(str(error), file=str(path)) from None
    return Baseline(path, text, entries)


def _entries(text: str) -> Iterator[BaselineEntry]:
    """The entries of the file with their places. Raises JSONDecodeError, ValueError."""
    top = json.loads(text, parse_constant=_no_number)
    if (
        not isinstance(top, dict)
        or set(top) != {"designlint_baseline", "findings"}
        or top["findings"].__class__ is not list
    ):
        raise ValueError("a baseline has `designlint_baseline` and a list of `findings`")
    if top["designlint_baseline"] != VERSION:
        raise ValueError(f"a baseline of version {top['designlint_baseline']!r}; this designlint reads {VERSION}")
    place, decode = text.index("[", text.index('"findings"')) + 1, json.JSONDecoder().raw_decode
    for stated in top["findings"]:
        start = place
        while text[start] in " \t\r\n,":
            start += 1
        place = decode(text, start)[1]
        if fault := _fault(stated):
            raise json.JSONDecodeError(fault, text, start)
        yield BaselineEntry(stated, start, place)


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is not a number")


def _fault(stated: Any) -> str:
    """What is wrong with an entry; empty where nothing is."""
    if not isinstance(stated, dict):
        return "a finding is an object"
    for name, value in stated.items():
        if name not in FIELDS:
            return f"a finding has no `{name[:40]}`; it has {', '.join(FIELDS)}"
        if not isinstance(value, FIELDS[name]) or isinstance(value, bool):
            return f"`{name}` is {'a number' if float in FIELDS[name] else 'a text'}"
    missing = [name for name in NEEDED if name not in stated]
    if missing:
        return f"a finding lacks {', '.join(missing)}"
    return "" if stated["severity"] in list(Severity) else f"severity is one of {', '.join(Severity)}"
