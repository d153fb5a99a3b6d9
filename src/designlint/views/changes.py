"""What a change means, for its reviewer: in text, in Markdown, and as data."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from designlint.comparing.changes import TURNS
from designlint.language.sentences import cut, many
from designlint.reporters.shared import tables
from designlint.reporters.shared.margins import percent
from designlint.reporters.shared.markup import code, inline_text
from designlint.reporters.shared.terminal import painter, printable, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.comparing.changes import ChangedKnowledge, ChangedStatement, Changes, FindingChange
    from designlint.comparing.consequences import Consequence
    from designlint.findings.model import Margin
    from designlint.reporters.shared.terminal import Paint

#: Facts that follow, statements, judgements: so many are told in words, all as data.
MOST, MOST_STATED, MOST_RULES = 8, 20, 4
#: Letters of a stated value.
LONGEST = 60
PAINTS = {"introduced": "error", "worse": "error", "fixed": "good", "better": "good"}


def text(found: Sequence[Changes], *, color: bool = False) -> str:
    """The changes of all designs, a few lines each, and what they come to."""
    paint = painter(color=color)
    blocks = ["\n".join(_design(one, paint)) for one in found]
    return "\n\n".join([*blocks, total(found)])


def total(found: Sequence[Changes]) -> str:
    """What the changes come to, in a line."""
    counts = Counter(turn.how for one in found for turn in one.turns)
    told = [f"{counts[how]} {how}" for how in TURNS if counts[how]]
    kept = sum(one.kept for one in found)
    also = f"; {many(kept, 'finding')} as before" if kept else ""
    if not found:
        return "No design has other findings than before"
    return f"{many(len(found), 'design')} changed: {', '.join(told) or 'no finding changed'}{also}"


def _design(one: Changes, paint: Paint) -> Iterator[str]:
    yield paint("bold", printable(one.file)) + (f" ({one.whole})" if one.whole else "")
    if one.statements:
        yield "  states"
        yield from _table([_stated_lines(row) for row in one.statements[:MOST_STATED]])
        yield from _more(len(one.statements) - MOST_STATED)
    if one.consequences:
        yield "  so that (with the room to the nearest limit)"
        yield from _table(_following_lines(one))
        yield from _more(len(one.consequences) - MOST)
    for turn in one.turns:
        at = f"{turn.finding.severity}[{turn.finding.rule}]"
        how = paint(PAINTS[turn.how], f"{turn.how:<10}")
        yield f"  {how}  {printable(at)}: {printable(turn.finding.message)}{_describe_room(turn)}"
    for words, answers in (("now known", one.answered), ("no longer known", one.unanswered)):
        if answers:
            yield f"  {words}: {_rules(answers)}"


def _stated_lines(one: ChangedStatement) -> list[str]:
    if not one.word:
        return [
            one.subject or "the design",
            "added" if one.after else "removed",
            shorten(one.after or one.before, LONGEST),
        ]
    return [
        one.subject or "the design",
        one.word,
        f"{shorten(one.before, LONGEST) or 'unstated'} -> {shorten(one.after, LONGEST) or 'unstated'}",
    ]


def _following_lines(one: Changes) -> list[list[str]]:
    """The weightiest facts that follow, those of one subject together."""
    told = one.consequences[:MOST]
    subjects = [row.subject for row in told]
    return [_follows(row) for row in sorted(told, key=lambda row: subjects.index(row.subject))]


def _follows(one: Consequence) -> list[str]:
    rooms = _rooms(one.margin_before, one.margin)
    values = f"{one.before or 'unknown'} -> {one.after or 'unknown'}"
    return [one.subject or "the design", one.word, values, rooms, one.rule]


def _describe_room(turn: FindingChange) -> str:
    """The room of a finding before and after, in brackets, where it was there on both sides."""
    rooms = "" if turn.how in ("introduced", "fixed") else _rooms(turn.before, turn.finding.margin)
    return rooms and f" ({rooms}{' the limit' if rooms.endswith('beyond') else ''})"


def _rooms(before: Margin | None, after: Margin | None) -> str:
    """The room before and after, where a judgement tells it: what is to spare, or by how much a value is beyond its limit."""
    if before is None or after is None:
        return ""
    sides = ["beyond" if one.room < 0 else "to spare" for one in (before, after)]
    first, second = (percent(abs(one.room)) for one in (before, after))
    return f"{first} -> {second} {sides[1]}" if sides[0] == sides[1] else f"{first} {sides[0]} -> {second} {sides[1]}"


def _rules(answers: Sequence[ChangedKnowledge]) -> str:
    names = sorted({one.rule for one in answers})
    return f"{many(len(answers), 'check')} ({cut(names, MOST_RULES)})"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows in columns; a subject that stands in the row above is not repeated."""
    told = [[printable(cell) for cell in row] for row in rows]
    above = [None, *(row[0] for row in told)]
    once = (["" if row[0] == before else row[0], *row[1:]] for row, before in zip(told, above, strict=False))
    yield from (f"    {line}" for line in tables.align_rows(once))


def _more(number: int) -> Iterator[str]:
    if number > 0:
        yield f"    ... {number} more with --format json"


# -- Markdown


def markdown(found: Sequence[Changes]) -> str:
    """The same for a comment on a merge request."""
    parts = [f"**designlint: {total(found)}**", *("\n".join(_section(one)) for one in found)]
    return "\n\n".join(parts) + "\n"


def _section(one: Changes) -> Iterator[str]:
    yield f"### {code(one.file)}{f' ({one.whole})' if one.whole else ''}"
    yield ""
    for turn in one.turns:
        found, room = turn.finding, _describe_room(turn)
        yield f"- **{turn.how}** {found.severity} {code(found.rule)}: {inline_text(found.message)}{room}"
    for words, answers in (("now known", one.answered), ("no longer known", one.unanswered)):
        if answers:
            yield f"- {words}: {_rules(answers)}"
    if one.statements:
        rows = [_stated_lines(row) for row in one.statements[:MOST_STATED]]
        yield from _grid(("states", "", "before -> after"), rows, len(one.statements) - MOST_STATED)
    if one.consequences:
        head = ("so that", "", "before -> after", "room", "rule")
        yield from _grid(head, _following_lines(one), len(one.consequences) - MOST)


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]], more: int) -> Iterator[str]:
    yield from ("", *tables.markdown(head, (list(map(inline_text, row)) for row in rows)))
    if more > 0:
        yield ""
        yield f"... {more} more with `--format json`"


# -- data


def data(found: Sequence[Changes]) -> dict[str, Any]:
    """All of it."""
    counts = Counter(turn.how for one in found for turn in one.turns)
    return {
        "summary": {how: counts[how] for how in TURNS}
        | {"kept": sum(one.kept for one in found), "designs": len(found)},
        "designs": [_data(one) for one in found],
    }


def _data(one: Changes) -> dict[str, Any]:
    return {
        "file": one.file,
        "whole": one.whole,
        "statements": [row._asdict() for row in one.statements],
        "consequences": [
            row._asdict() | {"margin_before": _margin(row.margin_before), "margin": _margin(row.margin)}
            for row in one.consequences
        ],
        "findings": [_turn(row) for row in one.turns],
        "answered": [row._asdict() for row in one.answered],
        "unanswered": [row._asdict() for row in one.unanswered],
        "kept": one.kept,
    }


def _turn(one: FindingChange) -> dict[str, Any]:
    found = one.finding
    told = {name: getattr(found, name) for name in ("rule", "severity", "subject", "constraint", "message", "remedy")}
    gone = one.how == "fixed"
    place = {} if gone else {"file": found.location.file, "line": found.location.line, "column": found.location.column}
    before = _margin(found.margin if gone else one.before)
    return {"how": one.how, **told, **place, "margin_before": before, "margin": None if gone else _margin(found.margin)}


def _margin(one: Margin | None) -> dict[str, Any] | None:
    return None if one is None else asdict(one)
