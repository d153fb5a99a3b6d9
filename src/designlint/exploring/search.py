"""The least or most value of a word without findings of a kind: by bisection where that is sound, else one by one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from designlint.exploring.monotone import NotShownError, falling
from designlint.exploring.points import Explorer
from designlint.exploring.settings import check_value, place_of, spread
from designlint.findings.model import Severity
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from designlint.design.design import Design
    from designlint.exploring.settings import SettablePlace
    from designlint.findings.model import Finding
    from designlint.rules.rule import CompiledRule

LEAST = ("fewest", "least", "lowest", "smallest", "shortest")
MOST = ("most", "highest", "largest", "longest")
GOAL = re.compile(
    rf"(?P<end>{'|'.join((*LEAST, *MOST))})\s+(?P<path>\S+)(?:\s+in\s+(?P<range>.+?))?\s+with\s+no\s+(?P<what>\S+)"
)
#: What "no X" forbids, and what is worse.
FORBIDDEN = {
    "error": (Severity.ERROR,),
    "warning": (Severity.ERROR, Severity.WARNING),
    "finding": (Severity.ERROR, Severity.WARNING, Severity.INFO),
}
#: Without a range, a count is sought up to so many times what the design states, and at least up to `ENOUGH`.
BEYOND, ENOUGH = 4, 64
#: In round steps where that are more than so many values: tokens come in trillions.
MOST_STEPS = 10_000
#: The part of a workload that holds what its owner wants of it.
AIMS = "targets"


class Goal(NamedTuple):
    """
    What is sought.

    Attributes:
        least: whether the least value is wanted, not the most.
        values: in the order of size.
        what: `error`, `warning`, `finding` or the id of a rule.
    """

    place: SettablePlace
    least: bool
    values: tuple[str, ...]
    what: str

    def forbids(self, finding: Finding) -> bool:
        """Whether a finding must not be there."""
        return self.may_break(finding.rule, finding.severity)

    def may_break(self, rule: str, severity: Severity) -> bool:
        """Whether findings of a rule, or as bad as this, must not be there."""
        return severity in FORBIDDEN[self.what] if self.what in FORBIDDEN else rule == self.what


class SearchOutcome(NamedTuple):
    """
    What a search came to.

    Attributes:
        value: None where every value leaves a finding.
        bisected: whether values were left out because findings were shown to change once.
        reason: why it was not bisected.
        tried: how many values were judged.
        beside: the findings that must not be there, at the value before the found one, or at the best value.
        at: that value.
        left: the findings at the found value, none of which the goal forbids.
        aims: the rules among them that judge what the design aims at.
    """

    goal: Goal
    value: str | None
    bisected: bool
    reason: str
    tried: int
    beside: Sequence[Finding]
    at: str
    left: Sequence[Finding] = ()
    aims: Collection[str] = ()


def goal(design: Design, text: str) -> Goal:
    """What a user seeks. Raises UsageError."""
    found = GOAL.fullmatch(text.strip())
    if found is None:
        raise UsageError(f'--find "{text}": write it like "fewest nodes/train/count in 1..1024 with no error"')
    what = found["what"].removesuffix("s") if found["what"].removesuffix("s") in FORBIDDEN else found["what"]
    if what not in FORBIDDEN and what not in design.engine.rules:
        raise UsageError(f'--find "{text}": `{what}` is not an error, warning, finding or rule')
    place = place_of(design, found["path"].strip("/"))
    values = tuple(spread(found["range"])) if found["range"] else _usual(place)
    check_value(design, place, values[0])
    check_value(design, place, values[-1])
    return Goal(place, found["end"] in LEAST, values, what)


def _usual(place: SettablePlace) -> tuple[str, ...]:
    """The values of a count that are tried where no range is given."""
    if place.word.kind != "Count":
        raise UsageError(f"--find: {place.path} is not a count; state a range, as in `{place.path} in A..B/STEP`")
    fact = place.subject.facts.get(place.word.name)
    stated = fact if isinstance(fact, int) and not isinstance(fact, bool) else 0
    last, step = max(ENOUGH, BEYOND * stated), 1
    while last // step > MOST_STEPS:
        step *= 10
    return tuple(spread(f"{int(place.word.least or 1) if step == 1 else step}..{last}/{step}"))


def search(design: Design, sought: Goal, fixed: Sequence[tuple[SettablePlace, str]] = ()) -> SearchOutcome:
    """The value that is sought. Raises UsageError where a value cannot be stated."""
    rules = {name for name, one in design.engine.rules.items() if sought.may_break(name, one.severity)}
    explorer = Explorer(design, [*(place for place, _ in fixed), sought.place], rules, shown=())
    before = [value for _, value in fixed]

    def bad(value: str) -> list[Finding]:
        with explorer.at([*before, value]) as state:
            return [one for one in state.findings if sought.forbids(one)]

    reason = explorer.reason or _not_shown(explorer, sought)
    values = sought.values if sought.least else sought.values[::-1]
    found = _one_by_one(sought, values, bad, reason) if reason else _bisect(sought, values, bad)
    return found if found.value is None else _with_rest(design, found, fixed)


def _with_rest(design: Design, found: SearchOutcome, fixed: Sequence[tuple[SettablePlace, str]]) -> SearchOutcome:
    """What was found, with the findings that the goal allows: a target may be missed by one of them."""
    whole = Explorer(design, [*(place for place, _ in fixed), found.goal.place])
    with whole.at([*(value for _, value in fixed), found.value or ""]) as state:
        left = sorted(state.findings, key=lambda one: one.severity.rank)
        return found._replace(left=left, aims={one.rule for one in left if _of_aims(design.engine.rules[one.rule])})


def _of_aims(rule: CompiledRule) -> bool:
    """Whether a rule judges what somebody wants of a workload."""
    return rule.texts.at.startswith(f"{AIMS}/") or any(AIMS in path for path in rule.paths.values())


def _not_shown(explorer: Explorer, sought: Goal) -> str:
    """Why bisection is not sound; empty where it is."""
    severities = FORBIDDEN.get(sought.what, ())
    rules = () if sought.what in FORBIDDEN else (sought.what,)
    try:
        goes = falling(explorer.trials, sought.place, severities, rules)
    except NotShownError as reason:
        return str(reason)
    return (
        ""
        if goes is sought.least
        else "findings appear as the value grows"
        if sought.least
        else "findings disappear as it grows"
    )


def _one_by_one(sought: Goal, values: Sequence[str], bad: Callable[[str], list[Finding]], reason: str) -> SearchOutcome:
    fewest: tuple[int, str, list[Finding]] | None = None
    last: tuple[str, list[Finding]] = ("", [])
    for number, value in enumerate(values, 1):
        found = bad(value)
        if not found:
            return SearchOutcome(sought, value, False, reason, number, last[1], last[0])
        last = value, found
        if fewest is None or len(found) < fewest[0]:
            fewest = len(found), value, found
    best = fewest or (0, "", [])
    return SearchOutcome(sought, None, False, reason, len(values), best[2], best[1])


def _bisect(sought: Goal, values: Sequence[str], bad: Callable[[str], list[Finding]]) -> SearchOutcome:
    """The first value without findings, where all before it have some and all behind it have none."""
    low, high, tried = -1, len(values) - 1, 1
    left = bad(values[high])
    if left:
        return SearchOutcome(sought, None, True, "", tried, left, values[high])
    before: list[Finding] = []
    while high - low > 1:
        middle = (low + high) // 2
        found, tried = bad(values[middle]), tried + 1
        if found:
            low, before = middle, found
        else:
            high = middle
    return SearchOutcome(sought, values[high], True, "", tried, before, values[low] if low >= 0 else "")
