"""One cause, one finding: what the fix of another finding mends as well is a consequence of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.findings.model import Finding


def spelled(finding: Finding) -> str:
    """The key of a finding as one text."""
    return "\n".join(finding.key)


def with_causes(found: Sequence[Finding]) -> list[Finding]:
    """
    The findings, each that is a consequence with what causes it.

    That is a finding no less severe whose proven fix mends this one, too; of two that mend each other the one counts whose
    fix mends more, then the first.
    """
    known = {spelled(one): one for one in found}
    causing = [one for one in found if one.fixes and one.fixes[0].proven and one.fixes[0].resolves > 1]
    causing.sort(key=lambda one: (one.severity.rank, -one.fixes[0].resolves))
    caused: dict[str, Finding] = {}
    for one in causing:
        own = spelled(one)
        for key in one.fixes[0].cures if own not in caused else ():
            other = known.get(key)
            if other is not None and key != own and key not in caused and other.severity.rank >= one.severity.rank:
                caused[key] = one
    heads = {key: one for key, one in caused.items() if spelled(one) not in caused}
    return [
        replace(one, caused_by=(heads[key].rule, heads[key].subject)) if (key := spelled(one)) in heads else one
        for one in found
    ]
