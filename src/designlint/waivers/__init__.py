"""Waivers: findings that somebody accepts for a reason and a time. Most designs have none, and pay for nothing here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.design import Design
    from designlint.model import Finding
    from designlint.pipeline import Result
    from designlint.source import Document

UNUSED = "waiver/unused"
#: What a comment with a waiver surely holds.
SIGN = "ignore"


def applied(
    found: list[Finding], design: Design, lint: Callable[..., Result] | None
) -> tuple[list[Finding], list[Finding]]:
    """
    The findings, those that are waived with why; and the findings on the waivers themselves.

    Args:
        lint: judges a changed design; where it is given, waivers without effect carry the fix that removes them.
    """
    if not design.engine.waivers or not _any(design):
        return found, []
    from designlint.waivers import effects

    return effects.applied(found, design, lint)


def _any(design: Design) -> bool:
    """Whether a file of the design may hold a waiver."""
    return bool(design.graph.by_class.get("Waiver")) or any(SIGN in one.text for one in documents(design))


def documents(design: Design) -> list[Document]:
    """The files that a design is made of, its own first."""
    if "extends" not in design.graph.root.keys:
        return [design.document]
    nodes = (one.node for one in design.graph.subjects.values() if one.node is not None)
    return list({id(one): one for one in (design.document, *(node.document for node in nodes))}.values())
