"""The report as commands of a GitHub workflow, which shows them as annotations on the changed lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.model import Finding, Report, Severity
from designlint.reporters.shared.places import path
from designlint.reporters.text import counted, painter, printable, reason, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.reporters import Manner

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
#: What would end a message, and what would end a property of a command.
IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
IN_PROPERTY = IN_MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})
#: Letters of a part of a message; the service refuses annotations beyond 64 KiB.
LONGEST = 4000


def render(report: Report, manner: Manner) -> str:
    """One command for each finding, then what was counted."""
    commands = [_command(COMMANDS[one.severity], one) for one in report.findings]
    commands += [_command("notice", one) for one in report.accepted if manner.accepted]
    return "\n".join([*commands, counted(report, painter(color=manner.color))])


def _command(name: str, one: Finding) -> str:
    at = one.location
    place: dict[str, str | int] = {"file": path(at.file), "line": at.line, "endLine": at.end_line}
    if at.line == at.end_line:  # columns are only taken within one line
        place |= {"col": at.column, "endColumn": at.end_column}
    properties = ",".join(
        f"{key}={str(value).translate(IN_PROPERTY)}" for key, value in (place | {"title": one.rule}).items()
    )
    message = "\n".join(shortened(printable(line), LONGEST) for line in _message(one))
    return f"::{name} {properties}::{message.translate(IN_MESSAGE)}"


def _message(one: Finding) -> Iterator[str]:
    """Begins with the place, which the log of a job does not show otherwise."""
    how = "" if one.accepted is None else f" ({one.accepted.how}: {reason(one.accepted)})"
    yield f"{one.location.file}:{one.location.line}:{one.location.column}: {one.message}{how}"
    if one.remedy:
        yield one.remedy
    for fix in one.fixes:
        yield f"Fix ({fix.safety}): {fix.title}"
