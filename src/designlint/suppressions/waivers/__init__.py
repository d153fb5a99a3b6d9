"""Waivers: findings that somebody accepts for a reason and a time. Most designs have none, and pay for nothing here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.suppressions.waivers.waiver import documents

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.design.design import Design
    from designlint.findings.model import Finding

#: What a comment with a waiver surely holds.
SIGN = "ignore"


def apply_waivers(
    found: list[Finding], design: Design, *, removals: bool = False
) -> tuple[list[Finding], list[Finding]]:
    """
    The findings, those that are waived with why; and the findings on the waivers themselves.

    Args:
        removals: whether waivers without effect carry the fix that removes them, proven by judging the design without.
    """
    if not design.engine.waivers or not may_hold_waiver(design):
        return found, []
    from designlint.suppressions.waivers import effects

    return effects.apply_waivers(found, design, removals=removals)


def counting(found: Iterable[Finding], design: Design) -> list[Finding]:
    """The findings that nobody waives, those on the waivers themselves included."""
    kept, about = apply_waivers(list(found), design)
    return [one for one in (*kept, *about) if one.accepted is None]


def may_hold_waiver(design: Design) -> bool:
    """Whether a file of the design may hold a waiver."""
    return bool(design.graph.by_class.get("Waiver")) or any(SIGN in one.text for one in documents(design))
