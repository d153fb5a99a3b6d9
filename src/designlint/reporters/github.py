"""The report as commands of a GitHub workflow, which shows them as annotations on the changed lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.findings.model import Finding, Severity
from designlint.reporters.shared.notices import first, notice_line
from designlint.reporters.shared.places import path
from designlint.reporters.shared.terminal import painter, printable, shorten
from designlint.reporters.text import count_findings, reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from designlint.findings.report import Report
    from designlint.reporters.shared.notices import Notice
    from designlint.reporters.shared.options import RenderOptions

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
#: What would end a message, and what would end a property of a command.
IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
IN_PROPERTY = IN_MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})
#: Letters of a part of a message; the service refuses annotations beyond 64 KiB.
LONGEST = 4000


def render(report: Report, options: RenderOptions) -> str:
    """One command for each finding, then what was counted."""
    commands = [_command(COMMANDS[one.severity], one) for one in report.findings]
    commands += [_command("notice", one) for one in report.accepted if options.accepted]
    commands += [_notice_line(one) for one in first(report)]
    return "\n".join([*commands, count_findings(report, painter(color=options.color))])


def _notice_line(one: Notice) -> str:
    """What is to be known beside the findings, on its line where it has one."""
    place: dict[str, str | int] = {"line": one.line} if one.line else {}
    text = one.text if _harmless(path(one.file)) else notice_line(one)
    return _workflow_command("notice", one.file, place | {"title": "designlint"}, [text])


def _command(name: str, one: Finding) -> str:
    at = one.location
    place: dict[str, str | int] = {"line": at.line, "endLine": at.end_line}
    if at.line == at.end_line:  # columns are only taken within one line
        place |= {"col": at.column, "endColumn": at.end_column}
    return _workflow_command(name, at.file, place | {"title": one.rule}, _message(one))


def _workflow_command(name: str, file: str, place: dict[str, str | int], lines: Iterable[str]) -> str:
    """A command; a file whose name would steer a terminal is only named, escaped, in the message."""
    named = path(file) if file else ""
    given = {"file": named, **place} if named and _harmless(named) else {"title": place["title"]}
    properties = ",".join(f"{key}={str(value).translate(IN_PROPERTY)}" for key, value in given.items())
    message = "\n".join(shorten(printable(line), LONGEST) for line in lines)
    return f"::{name} {properties}::{message.translate(IN_MESSAGE)}"


def _harmless(name: str) -> bool:
    return printable(name) == name


def _message(one: Finding) -> Iterator[str]:
    """Begins with the place, which the log of a job does not show otherwise."""
    how = "" if one.accepted is None else f" ({one.accepted.how}: {reason(one.accepted)})"
    yield f"{one.location.file}:{one.location.line}:{one.location.column}: {one.message}{how}"
    if one.remedy:
        yield one.remedy
    for fix in one.fixes:
        yield f"Fix ({fix.safety}): {fix.title}"
