"""The report for people: each finding with its lines, the evidence under them, and the way out."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from designlint.model import Acceptance, Finding, Fix, Location, Quantity, Report, Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from designlint.reporters import Manner

    #: Gives a line of a file by its number.
    Line = Callable[[str, int], str]

#: ANSI codes, by what is shown.
COLORS = {"error": "1;31", "warning": "1;33", "info": "1;36", "bold": "1", "dim": "2", "frame": "34", "good": "32"}
#: Statements on what the hardware rules out that are shown in text.
MOST_AVOIDED = 12
#: Waived findings that are listed where they are not shown in full.
MOST_WAIVED = 12
#: Changes by a configuration that are shown in text.
MOST_CHANGED = 20
#: A line of the file longer than this is shown around the place only.
WIDEST = 160


def painter(*, color: bool) -> Callable[[str, str], str]:
    """Wraps text in a colour, or leaves it plain."""
    return (lambda what, text: f"\x1b[{COLORS[what]}m{text}\x1b[0m") if color else (lambda what, text: text)


def printable(text: str) -> str:
    """Text of a design without what would steer a terminal or turn its direction."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if one.isprintable() else " " if one == "\t" else f"\\u{ord(one):04x}" for one in text)


def shortened(text: str, most: int) -> str:
    """Text of at most so many letters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def render(report: Report, manner: Manner) -> str:
    """The report as text."""
    paint = painter(color=manner.color)
    accepted = report.accepted if manner.accepted else ()
    blocks = ["\n".join(_finding(one, report.line, paint)) for one in (*report.findings, *accepted)]
    waived = () if manner.accepted else _waived(report)
    return "\n\n".join([*blocks, "\n".join(_summary(report, paint, waived)), *_margins(report, manner)])


def _margins(report: Report, manner: Manner) -> Iterator[str]:
    """The table of margins, where they were asked for."""
    if any(one.margin is not None for one in report.outcomes):
        from designlint.reporters.shared.margins import table

        yield "\n".join(table(report, color=manner.color))


def counted(report: Report, paint: Callable[[str, str], str]) -> str:
    """How many findings there are of each severity, in how many designs, and how many do not count."""
    counts = [
        paint(one, _many(report.count(one), one if one != "info" else "note")) for one in Severity if report.count(one)
    ]
    found = ", ".join(counts) if counts else paint("good", "No findings")
    return f"{found} in {_many(len(report.files), 'design')}{_set_aside(report)}"


def _set_aside(report: Report) -> str:
    ways = Counter(one.accepted.how for one in report.accepted if one.accepted)
    ending = min((one.accepted.until for one in report.accepted if one.accepted and one.accepted.until), default="")
    waived = f"{ways['waiver']} waived" + (f", the first until {printable(ending[:10])}" if ending else "")
    told = [waived] * bool(ways["waiver"])
    told += [
        f"{ways[how]} {where}"
        for how, where in (("baseline", "in the baseline"), ("revision", "there before"))
        if ways[how]
    ]
    return f" ({'; '.join(told)})" if told else ""


def _waived(report: Report) -> Iterator[str]:
    """A line for each finding that a person decided to accept."""
    found = [(one, one.accepted) for one in report.accepted if one.accepted and one.accepted.how == "waiver"]
    if found:
        yield "Waived:"
    for one, accepted in found[:MOST_WAIVED]:
        at = f"{one.location.file}:{one.location.line}"
        yield printable(f"  {at}  {one.severity}[{one.rule}]  {reason(accepted)}")
    if len(found) > MOST_WAIVED:
        yield f"  ... {len(found) - MOST_WAIVED} more with --show-accepted"


def _finding(one: Finding, line: Line, paint: Callable[[str, str], str]) -> Iterator[str]:
    at = one.location
    how = "" if one.accepted is None else f" ({one.accepted.how})"
    yield f"{paint(one.severity, f'{one.severity}[{one.rule}]')}{how}{paint('bold', ': ' + printable(one.message))}"
    labels = [(at, "^", _label(one, at))]
    labels += [
        (value.location, "-", f"{name} = {value.text}{_origin(value)}")
        for name, value in one.values.items()
        if value.location is not None and (value.location.file, value.location.line) != (at.file, at.line)
    ]
    edge = " " * max(len(str(label[0].line)) for label in labels)
    yield from _frames(labels, line, edge, paint)
    for name, text in _notes(one):
        yield f"{edge} {paint('frame', '=')} {paint('bold', name + ':')} {printable(text)}"


def _label(one: Finding, at: Location) -> str:
    here = [f"{name} = {value.text}" for name, value in one.values.items() if value.location == at]
    return here[0] if here else ""


def _origin(value: Quantity) -> str:
    return f" ({value.origin})" if "catalogue" in value.origin else ""


def _notes(one: Finding) -> Iterator[tuple[str, str]]:
    if one.accepted is not None:
        yield "accepted", reason(one.accepted)
    unseen = [
        f"{name} = {value.text}{_from(value)}"
        for name, value in one.values.items()
        if value.location is None and value.unit + value.origin
    ]
    if unseen:
        yield "because", ", ".join(unseen)
    for name, limit in one.limits.items():
        yield "limit", f"{name} {limit.text} ({limit.origin})"
    if one.principles:
        yield "principle", ", ".join(one.principles)
    if one.remedy:
        yield "help", one.remedy
    for fix in one.fixes:
        yield "fix", _fix(fix)


def reason(one: Acceptance) -> str:
    """Why a finding does not count, who says so and until when."""
    until = f"until {one.until}" if one.until else ""
    return ", ".join(filter(None, (one.reason or one.how, one.owner, one.ticket, until)))


def _from(value: Quantity) -> str:
    return f" ({value.origin})" if value.origin and value.origin != "derived" else ""


def _fix(fix: Fix) -> str:
    changes = ", ".join(
        f"without {change.path}" if change.value is None else f"{change.path} = {change.value}"
        for change in fix.changes
    )
    proof = f", resolves {fix.resolves}, causes {fix.causes}" if fix.proven else ""
    why = f". {fix.because}" if fix.safety == "display" else ""
    return ": ".join(filter(None, (f"{fix.title} [{fix.safety}{proof}]", changes))) + why


def _frames(
    labels: list[tuple[Location, str, str]],
    read: Line,
    edge: str,
    paint: Callable[[str, str], str],
) -> Iterator[str]:
    bar = paint("frame", "|")
    shown = ""
    for at, mark, label in sorted(labels, key=lambda one: (one[1] != "^", one[0].file, one[0].line, one[0].column)):
        if at.file != shown:
            yield f"{edge}{paint('frame', '-->')} {printable(at.file)}:{at.line}:{at.column}"
            yield f"{edge} {bar}"
        shown = at.file
        line, start, width = _window(read(at.file, at.line), at)
        number = paint("frame", str(at.line).rjust(len(edge)))
        yield f"{number} {bar} {line}"
        yield f"{edge} {bar} {' ' * start}{paint('error' if mark == '^' else 'frame', mark * width)} {printable(label)}".rstrip()
    yield f"{edge} {bar}"


def _window(line: str, at: Location) -> tuple[str, int, int]:
    """The shown part of a line, the column of the mark and its width, both in terminal cells."""
    first = at.column - 1
    last = len(line) if at.end_line > at.line else at.end_column - 1
    cut = max(0, first - WIDEST // 3) if len(line) > WIDEST else 0
    left = ("…" if cut else "") + _cells(line[cut:first])
    middle = _cells(line[first : min(last, cut + WIDEST)])
    right = _cells(line[min(last, cut + WIDEST) : cut + WIDEST]) + ("…" if len(line) > cut + WIDEST else "")
    return (left + middle + right).rstrip(), _width(left), max(1, _width(middle))


def _cells(text: str) -> str:
    return printable(text.replace("\t", " "))


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text
    )


def _summary(report: Report, paint: Callable[[str, str], str], waived: Iterable[str]) -> Iterator[str]:
    for fixed in report.fixed:
        yield f"{paint('good', 'fixed')} {printable(fixed.file)}: {fixed.rule}: {printable(fixed.title)} [{fixed.safety}]"
    yield counted(report, paint)
    yield from waived
    yield from _fixable(report)
    told = [f"{report.total(one)} {one}" for one in Verdict if report.total(one)]
    yield f"{sum(map(report.total, Verdict))} judgements: {', '.join(told)}"
    yield from _settings(report)
    unlocking = report.unlocking()
    if unlocking:
        yield paint("dim", "Stating these would decide most of what is unknown:")
        for file, fact, rules in unlocking:
            where = f"  ({printable(file)})" if len(report.files) > 1 else ""
            yield paint("dim", f"  {printable(fact)}  {_many(rules, 'rule')}{where}")
    if report.avoid:
        yield paint("dim", "The hardware rules out:")
        for one in report.avoid[:MOST_AVOIDED]:
            yield paint("dim", f"  {printable(one.statement)}  [{one.rule}]")
        if len(report.avoid) > MOST_AVOIDED:
            yield paint("dim", f"  ... {len(report.avoid) - MOST_AVOIDED} more with --format json")
    if report.error:
        yield paint("error", report.error)


def _fixable(report: Report) -> Iterator[str]:
    """How many findings a run with `--fix` would mend."""
    offered = [fix.safety for one in report.findings for fix in one.fixes[:1] if fix.proven]
    safe = offered.count("safe")
    ways = [f"{safe} with --fix"] * bool(safe)
    if len(offered) > safe:
        ways.append(f"{len(offered) - safe} {'more ' if safe else ''}with --fix --unsafe-fixes")
    if ways:
        yield f"Fixable: {', '.join(ways)}"


def _settings(report: Report) -> Iterator[str]:
    """What configurations and options changed: every changed figure by itself, rules that did not judge as a number."""
    left = [one for one in report.settings if one.leaves_out]
    if left:
        by = ", ".join(dict.fromkeys(one.origin for one in left))
        yield f"Not judged, because the configuration says so: {_many(report.left_out(), 'rule')} ({printable(by)})"
    changed = [one for one in report.settings if not one.leaves_out]
    for one in changed[:MOST_CHANGED]:
        reason = f": {one.reason}" if one.reason else ""
        yield printable(f"Changed by {one.origin}: {one.text}{reason}")
    if len(changed) > MOST_CHANGED:
        yield f"... {len(changed) - MOST_CHANGED} more changes with --format json"


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
