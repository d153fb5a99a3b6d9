"""What a change comes to: whether it cures what it was made for without harm, and how many findings go and come."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from designlint.findings.model import Verdict
from designlint.language.units import NOISE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from designlint.findings.model import Finding, Margin, Severity

    #: Names a finding, however the lines move.
    Key = tuple[str, str, str]


class Weighable(Protocol):
    """What is weighed of a finding."""

    @property
    def key(self) -> Key:
        """What names it."""

    @property
    def severity(self) -> Severity:
        """How bad it is."""

    @property
    def margin(self) -> Margin | None:
        """How far it lies beyond its limit."""


One = TypeVar("One", bound=Weighable)


class Weight(NamedTuple):
    """
    Whether a change cures its findings without harm, and how many findings go and come.

    Attributes:
        revealed: of those that come, how many stood there unread; `new` counts the others.
    """

    cured: bool
    gone: Sequence[Finding]
    new: int
    revealed: int = 0


#: What a change comes to that is not worth a finding.
NOT_CURED = Weight(cured=False, gone=(), new=0)


def weigh_change(
    before: Sequence[Finding],
    after: Sequence[Weighable],
    findings: Sequence[Finding],
    verdicts: Mapping[tuple[str, str], Verdict],
    unread: Collection[Key] = (),
) -> Weight:
    """
    What a change comes to that was made for these findings, from all findings that it touches, before and after.

    Args:
        unread: findings that are no harm where they come: what they are about was there, and could not be read.
    """
    old, new = _group_by_key(before), _group_by_key(after)
    passes = all(verdicts.get((one.rule, one.subject)) not in (Verdict.FAIL, Verdict.UNKNOWN) for one in findings)
    caused = [one for one in after if one.key not in unread] if unread else after
    if not passes or not _gone(findings, old, new) or harms(before, caused, findings):
        return NOT_CURED
    came = _less(new, old)
    revealed = sum(one.key in unread for one in came)
    return Weight(True, _less(old, new), len(came) - revealed, revealed)


def harms(before: Iterable[Finding], after: Iterable[Weighable], findings: Sequence[Finding]) -> bool:
    """Whether a finding came, or lies further beyond its limit than before, that is as bad as the least of some findings."""
    least = max((one.severity for one in findings), key=lambda one: one.rank)
    return any(True for _ in _find_harmed(_group_by_key(before), _group_by_key(after), least))


def harmed_findings(before: Iterable[One], after: Iterable[One], least: Severity) -> list[One]:
    """The findings, at least as bad as this, that came or lie further beyond their limit than before."""
    return list(_find_harmed(_group_by_key(before), _group_by_key(after), least))


def _find_harmed(
    old: Mapping[Key, Sequence[Weighable]], new: Mapping[Key, list[One]], least: Severity
) -> Iterator[One]:
    for one in (*_less(new, old), *_worse(old, new)):
        if one.severity.rank <= least.rank:
            yield one


def _group_by_key(findings: Iterable[One]) -> dict[Key, list[One]]:
    found: dict[Key, list[One]] = {}
    for one in findings:
        found.setdefault(one.key, []).append(one)
    return found


def _less(these: Mapping[Key, list[One]], those: Mapping[Key, Sequence[Weighable]]) -> list[One]:
    """Those of some findings that the others lack."""
    return [one for name, some in these.items() for one in some[len(those.get(name, ())) :]]


def _worse(old: Mapping[Key, Sequence[Weighable]], new: Mapping[Key, Sequence[One]]) -> Iterator[One]:
    """Findings that stay and lie further beyond their limit."""
    for name in old.keys() & new.keys():
        before, after = old[name][0].margin, new[name][0].margin
        if before is not None and after is not None and after.room < before.room - NOISE:
            yield new[name][0]


def _gone(
    findings: Sequence[Finding], old: Mapping[Key, Sequence[Weighable]], new: Mapping[Key, Sequence[Weighable]]
) -> bool:
    mended = Counter(one.key for one in findings)
    return all(len(new.get(name, ())) <= len(old.get(name, ())) - count for name, count in mended.items())
