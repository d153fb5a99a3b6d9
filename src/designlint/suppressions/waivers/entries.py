"""Waivers in the `waivers:` section of a design, or of a design that it extends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.suppressions.waivers import conditions
from designlint.suppressions.waivers.comments import WORDS
from designlint.suppressions.waivers.waiver import WaivedRule, Waiver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.findings.model import Problem
    from designlint.graph.subjects import Graph, Subject


#: Misspelt parts that get a proposal, and parts that they are compared with: a hostile file has thousands of each.
MOST_PROPOSED, MOST_COMPARED = 10, 200


def read_entries(graph: Graph) -> Iterator[Waiver | Problem]:
    """The waivers of a design's section; one whose words could not be read is left out, for that is told already."""
    misplaced = 0
    for subject in graph.by_class.get("Waiver", ()):
        node, rule = subject.node, subject.keys.get("rule")
        if node is None or rule is None or subject.unread or not all(word in subject.facts for word in subject.keys):
            continue
        start, end = rule.alias_site or (rule.start, rule.end)
        named = WaivedRule(str(subject.facts["rule"]).strip(), start, end)
        stated = {word: str(subject.facts[word]) for word in WORDS if word in subject.facts}
        place = str(subject.facts.get("on", "")).strip("/")
        waiver = Waiver(node.document, node.start, node.end, (named,), stated, on=place)
        fault = conditions.fault(stated["while"]) if "while" in stated else ""
        yield waiver.problem("waiver/malformed", named, what=fault) if fault else waiver
        if place and not _there(graph, place):
            misplaced += 1
            yield _misplaced_problem(subject, place, graph, propose=misplaced <= MOST_PROPOSED)


def _there(graph: Graph, place: str) -> bool:
    """Whether a path leads to a part of the design, or to a word of one."""
    owner, _, word = place.rpartition("/")
    if place in graph.subjects:
        return True
    holder = graph.subjects.get(owner)
    return holder is not None and word in graph.vocabulary.classes[holder.cls]


def _misplaced_problem(subject: Subject, place: str, graph: Graph, *, propose: bool) -> Problem:
    from designlint.findings.model import Problem
    from designlint.language.values import closest

    node = subject.keys["on"]
    parts = [path for path, one in graph.subjects.items() if one.node is not None][:MOST_COMPARED] if propose else []
    near = closest(place, parts) or ""
    return Problem("waiver/unknown-part", node.document, node.start, node.end, {"name": place[:80], "proposal": near})
