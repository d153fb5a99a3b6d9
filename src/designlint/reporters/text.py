"""The report for people: each finding with its lines, the evidence under them, and the way out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from designlint.findings.model import STALE_COMMENT, Acceptance, Finding, Fix, Quantity, Severity, Verdict
from designlint.language.sentences import many
from designlint.reporters.shared.excerpt import Label, excerpt, margin
from designlint.reporters.shared.terminal import link_rule, painter, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from designlint.findings.report import Report
    from designlint.reading.location import Location
    from designlint.reporters.shared.options import RenderOptions
    from designlint.reporters.shared.terminal import Paint

    #: Gives a line of a file by its number.
    Line = Callable[[str, int], str]

#: Statements on what the hardware rules out that are shown in text.
MOST_AVOIDED = 12
#: Waived findings that are listed where they are not shown in full.
MOST_WAIVED = 12
#: Changes by a configuration that are shown in text.
MOST_CHANGED = 20
#: Lines that a finding takes by default, values that one line of it lists, and facts that are asked for in one line.
MOST_LINES, MOST_VALUES, MOST_LIMITS, MOST_NEXT = 9, 4, 3, 3


def render(report: Report, options: RenderOptions) -> str:
    """The report as text."""
    paint = painter(color=options.color)
    shown = [one for one in report.findings if options.shows(one.severity)]
    accepted = report.accepted if options.accepted else ()
    heads = {(one.design, one.rule, one.subject) for one in shown if not one.caused_by}
    folded: dict[tuple[str, ...], list[Finding]] = {}
    for one in shown:
        if (one.design, *one.caused_by) in heads:
            folded.setdefault((one.design, *one.caused_by), []).append(one)
    alone = [one for one in shown if (one.design, *one.caused_by) not in heads]
    blocks = [
        "\n".join(
            [
                *_finding(one, report.line, options, paint),
                *_consequences(folded.pop((one.design, one.rule, one.subject), ()), options, paint),
            ]
        )
        for one in (*alone, *accepted)
    ]
    summary = "\n".join(_summary(report, options, paint))
    return "\n\n".join(filter(None, [*blocks, summary, *_margins(report, options)]))


def _consequences(found: Sequence[Finding], options: RenderOptions, paint: Paint) -> Iterator[str]:
    """What the same fix mends, a line each."""
    for one in found:
        at = printable(f"{one.location.file}:{one.location.line}")
        told = f"{one.severity}[{link_rule(one.rule, options.links)}]"
        yield f"  {paint('frame', '=')} {paint('bold', 'with it:')} {paint(one.severity, told)}: {printable(one.message)} ({at})"


def _margins(report: Report, options: RenderOptions) -> Iterator[str]:
    """The table of margins, where they were asked for."""
    if any(one.margin is not None for one in report.outcomes):
        from designlint.reporters.shared.margins import table

        yield "\n".join(table(report, color=options.color))


def count_findings(report: Report, paint: Paint) -> str:
    """How many findings there are of each severity, in how many designs, and how many do not count."""
    counts = [
        paint(one, many(report.count(one), one if one != "info" else "note")) for one in Severity if report.count(one)
    ]
    found = ", ".join(counts) if counts else paint("good", "No findings")
    return f"{found} in {many(len(report.files), 'file' if report.jobs else 'design')}{_set_aside(report)}"


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


def _waived_lines(report: Report) -> Iterator[str]:
    """A line for each finding that a person decided to accept."""
    found = [(one, one.accepted) for one in report.accepted if one.accepted and one.accepted.how == "waiver"]
    if found:
        yield "Waived:"
    for one, accepted in found[:MOST_WAIVED]:
        at = f"{one.location.file}:{one.location.line}"
        yield printable(f"  {at}  {one.severity}[{one.rule}]  {reason(accepted)}")
    if len(found) > MOST_WAIVED:
        yield f"  ... {len(found) - MOST_WAIVED} more with --show-accepted"


def _finding(one: Finding, line: Line, options: RenderOptions, paint: Paint) -> Iterator[str]:
    """One finding: at most nine lines, unless all are asked for."""
    how = "" if one.accepted is None else f" ({one.accepted.how})"
    rule = link_rule(one.rule, options.links)
    yield f"{paint(one.severity, f'{one.severity}[{rule}]')}{how}{paint('bold', ': ' + printable(one.message))}"
    own = Label(one.location, "^", _label(one))
    others = [
        Label(value.location, "-", f"{name} = {value.text}{_origin(value)}")
        for name, value in one.values.items()
        if value.location is not None and value.location[:2] != one.location[:2]
    ]
    notes = list(_notes(one, options.verbose))
    room = len(others) if options.verbose else _room(one, len(others), len(notes))
    labels = [own, *others[:room]]
    yield from excerpt(labels, line, paint, one.severity)
    edge = margin(labels)
    for name, text in _evidence(one, others[room:], options.verbose) + notes:
        yield f"{edge} {paint('frame', '=')} {paint('bold', name + ':')} {printable(text)}"


def _room(one: Finding, others: int, notes: int) -> int:
    """How many further lines of the design fit, two lines each; the others are named with the evidence, in one line."""
    free = MOST_LINES - 4 - notes
    rest = bool(_unseen(one) or one.limits)
    return others if others <= (free - rest) // 2 else max(0, (free - 1) // 2)


def _label(one: Finding) -> str:
    here = [f"{name} = {value.text}" for name, value in one.values.items() if value.location == one.location]
    return here[0] if here else ""


def _origin(value: Quantity) -> str:
    return f" ({value.cited})" if "catalogue" in value.origin else ""


def _unseen(one: Finding) -> list[str]:
    """The values that no line of the design states."""
    return [
        f"{name} = {value.text}{_from(value)}"
        for name, value in one.values.items()
        if value.location is None and value.unit + value.origin
    ]


def _evidence(one: Finding, left: Sequence[Label], verbose: bool) -> list[tuple[str, str]]:
    """What the judgement rests on beside the lines that are shown, and the limits."""
    values = [*_unseen(one), *(f"{label.text} ({_line(label.at, one.location.file)})" for label in left)]
    shown = (
        values if verbose or len(values) <= MOST_VALUES else [*values[: MOST_VALUES - 1], _more(values, MOST_VALUES)]
    )
    quoted = sorted(one.limits.items(), key=lambda named: named[1].text not in one.message)
    limits = [f"{name} {limit.text} ({limit.cited})" for name, limit in quoted]
    if not verbose and len(limits) > MOST_LIMITS:
        limits = [*limits[: MOST_LIMITS - 1], _more(limits, MOST_LIMITS)]
    told = "; ".join(filter(None, (", ".join(shown), f"limit {', '.join(limits)}" if limits else "")))
    return [("because", told)] if told else []


def _line(at: Location, file: str) -> str:
    """Where a value stands: its line, with the file where that is another than the finding's."""
    return f"line {at.line}" if at.file == file else f"{at.file}:{at.line}"


def _more(values: Sequence[str], most: int) -> str:
    return f"and {len(values) - most + 1} more"


def _notes(one: Finding, verbose: bool) -> Iterator[tuple[str, str]]:
    if one.accepted is not None:
        yield "accepted", reason(one.accepted)
    if one.principles:
        first, *others = one.principles
        more = f" and {len(others)} more" if others else ""
        yield "principle", ", ".join(one.principles) if verbose else first + more
    if one.remedy:
        yield "help", one.remedy
    for fix in one.fixes if verbose else one.fixes[:1]:
        yield "fix", _fix(fix, verbose)


def reason(one: Acceptance) -> str:
    """Why a finding does not count, who says so and until when."""
    until = f"until {one.until}" if one.until else ""
    return ", ".join(filter(None, (one.reason or one.how, one.owner, one.ticket, until)))


def _from(value: Quantity) -> str:
    return f" ({value.cited})" if value.origin and value.origin != "derived" else ""


def _fix(fix: Fix, verbose: bool) -> str:
    told = [
        f"without {change.path}" if change.value is None else f"{change.path} = {change.value}"
        for change in fix.changes
    ]
    shown = told if verbose or len(told) <= MOST_VALUES else [*told[: MOST_VALUES - 1], _more(told, MOST_VALUES)]
    proof = f", {fix.weight}" if fix.proven else ""
    stale = STALE_COMMENT if STALE_COMMENT in fix.because else ""
    why = f". {fix.because}" if fix.safety == "display" else f". {stale}" if stale else ""
    return ": ".join(filter(None, (f"{fix.title} [{fix.safety}{proof}]", ", ".join(shown)))) + why


def _summary(report: Report, options: RenderOptions, paint: Paint) -> Iterator[str]:
    for fixed in report.fixed:
        yield f"{paint('good', 'fixed')} {printable(fixed.file)}: {fixed.rule}: {printable(fixed.title)} [{fixed.safety}]"
    if not options.quiet:
        yield count_findings(report, paint) + _hidden(report, options)
        yield from () if options.accepted else _waived_lines(report)
        yield from _fixable(report)
        told = [f"{total} {one}" for one in Verdict if (total := report.total(one))]
        yield from [f"{many(len(report.outcomes), 'check')}: {', '.join(told)}"] if told else ()
    yield from _settings(report)
    if not options.quiet:
        yield from _next(report, options, paint)
    if report.error:
        yield paint("error", printable(report.error))


def _hidden(report: Report, options: RenderOptions) -> str:
    hidden = sum(not options.shows(one.severity) for one in report.findings)
    return f" ({hidden} below --min-severity {options.least} not shown)" if hidden else ""


def _next(report: Report, options: RenderOptions, paint: Paint) -> Iterator[str]:
    """What to state next, and what the hardware rules out: in one line, unless all is asked for."""
    unlocking = report.unlocking()
    if not options.verbose:
        facts = ", ".join(f"{fact} ({many(rules, 'rule')})" for _, fact, rules in unlocking[:MOST_NEXT])
        if facts:
            yield paint("dim", printable(f"State next: {facts}"))
        return
    if unlocking:
        yield paint("dim", "Stating these would decide most:")
        for file, fact, rules in unlocking:
            where = f"  ({printable(file)})" if len(report.files) > 1 else ""
            yield paint("dim", f"  {printable(fact)}  {many(rules, 'rule')}{where}")
    if report.avoid:
        yield paint("dim", "The hardware rules out:")
        for one in report.avoid[:MOST_AVOIDED]:
            yield paint("dim", f"  {printable(one.statement)}  [{one.rule}]")
        if len(report.avoid) > MOST_AVOIDED:
            yield paint("dim", f"  ... {len(report.avoid) - MOST_AVOIDED} more with --format json")


def _fixable(report: Report) -> Iterator[str]:
    """How many findings a run with `--fix` would mend."""
    offered = [fix.safety for one in report.findings for fix in one.fixes[:1] if fix.proven]
    safe = offered.count("safe")
    ways = [f"{safe} with --fix"] * bool(safe)
    if len(offered) > safe:
        ways.append(f"{len(offered) - safe} {'more ' if safe else ''}with --fix --unsafe-fixes")
    if ways:
        yield f"Fixable: {', '.join(ways)}"
    if report.untried:
        yield f"Not tried: the fixes of {many(report.untried, 'finding')}; fix the others first, then check again"


def _settings(report: Report) -> Iterator[str]:
    """What configurations and options changed: every changed figure by itself, rules that did not judge as a number."""
    for unread in report.unjudged[:MOST_CHANGED]:
        yield printable(f"Not checked: {unread.file}: {unread.reason}")
    if len(report.unjudged) > MOST_CHANGED:
        yield f"... {len(report.unjudged) - MOST_CHANGED} more files with --format json"
    left = [one for one in report.settings if one.leaves_out]
    if left:
        by = ", ".join(dict.fromkeys(one.origin for one in left))
        yield f"Disabled by the configuration: {many(report.left_out(), 'rule')} ({printable(by)})"
    yield from _of_jobs(report)
    changed = [one for one in report.settings if not one.leaves_out and not one.of_jobs]
    for one in changed[:MOST_CHANGED]:
        reason = f": {one.reason}" if one.reason else ""
        yield printable(f"Changed by {one.origin}: {one.text}{reason}")
    if len(changed) > MOST_CHANGED:
        yield f"... {len(changed) - MOST_CHANGED} more changes with --format json"


def _of_jobs(report: Report) -> Iterator[str]:
    """Which findings are not those of jobs, and what the files of jobs leave open."""
    told = [one.text for one in report.settings if one.of_jobs]
    yield from (printable(one) for one in told[:MOST_CHANGED])
    if len(told) > MOST_CHANGED:
        yield f"... {len(told) - MOST_CHANGED} more notes on jobs with --format json"
