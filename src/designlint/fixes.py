"""Repairs: the changes that a rule computes, made in memory and judged again before they are offered."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from designlint.model import Change, Fix, Severity
from designlint.rules import Row, Rule, spell, tell
from designlint.source import Document, read_bytes, tree_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from designlint.design import Design
    from designlint.graph.subjects import Subject
    from designlint.model import Finding
    from designlint.source import Path
    from designlint.source.edits import Edit

    Judged = Callable[[Document, Sequence[str]], Sequence[Finding]]


#: Tries to prove fixes on one design.
MOST_TRIES = 40


class Repair:
    """What a rule would change about one subject."""

    def __init__(self, rule: Rule, row: Row, design: Design) -> None:
        self.rule, self.row, self.design = rule, row, design
        units = design.engine.vocabulary.units
        values = row.values | {"focus": row.subject}
        stated = rule["fix"]
        self.title = tell(stated["title"], rule, values, units)
        self.because = tell(stated.get("because", ""), rule, values, units)
        self.safety = stated.get("safety", "unsafe")
        computed = {path: spell(value, rule, row.values, units) for path, value in stated["set"].items()}
        known = {path: value for path, value in computed.items() if value is not None}
        #: All of them or none: a value that cannot be computed leaves the repair empty.
        self.changes = known if len(known) == len(computed) else {}

    def fix(self) -> Fix:
        """The repair as a finding carries it."""
        changes = tuple(Change(f"{self.row.subject.path}/{path}", value) for path, value in self.changes.items())
        return Fix(self.title, self.safety, changes, self.because, proven=True)

    def edits(self) -> list[Edit]:
        """The repair as changes of the file; none where another file states the subject."""
        from designlint.source.edits import Edit

        place = tree_place(self.row.subject, self.design.document)
        if place is None:
            return []
        return [Edit("set", (*place, *path.split("/")), value) for path, value in self.changes.items()]


def proven(found: Sequence[Finding], repairs: dict[int, Repair], judged: Judged) -> dict[int, Fix]:
    """
    The fixes that cure: the changed design no longer has the finding, and no error that it did not have.

    Fixes of one rule, which are about different subjects, are tried together, then by halves. After so many tries the
    rest is not offered: each try judges the whole design.

    Args:
        found: the findings of the unchanged design; `repairs` has some of them by `id`.
        judged: the findings of a document by the rules that find errors and by those named.
    """
    errors = Counter(one.rule for one in found if one.severity is Severity.ERROR)
    fixes: dict[int, Fix] = {}
    repairable = sorted((one for one in found if id(one) in repairs), key=lambda one: one.rule)
    waiting = [list(group) for _, group in groupby(repairable, key=lambda one: one.rule)]
    for _ in range(MOST_TRIES):
        if not waiting:
            break
        some = waiting.pop(0)
        if _cures(some, repairs, errors, judged):
            fixes |= {id(one): repairs[id(one)].fix() for one in some}
        elif len(some) > 1:
            half = len(some) // 2
            waiting += [some[:half], some[half:]]
    return fixes


def _cures(some: Sequence[Finding], repairs: dict[int, Repair], errors: Counter[str], judged: Judged) -> bool:
    changed = _changed([repairs[id(one)] for one in some])
    if changed is None:
        return False
    found = judged(changed, [some[0].rule])
    left = {(one.rule, one.subject) for one in found} & {(one.rule, one.subject) for one in some}
    new = Counter(one.rule for one in found if one.severity is Severity.ERROR) - errors
    return not left and not new


def _changed(repairs: Sequence[Repair]) -> Document | None:
    """The design with all repairs made, or None where the file does not let them be made without damage."""
    from designlint.source.edits import EditRefused, apply

    document = repairs[0].design.document
    edits = [one.edits() for one in repairs]
    if not all(edits):
        return None
    try:
        text = apply(document, [edit for some in edits for edit in some])
    except EditRefused:
        return None
    return read_bytes(text.encode(), document.file)


def tree_place(subject: Subject, document: Document) -> Path | None:
    """Where a subject, written or not, belongs in a document's tree; None where another file states it."""
    steps: list[str] = []
    while subject.node is None and subject.owner is not None:
        steps.insert(0, subject.path.rpartition("/")[2])
        subject = subject.owner
    node = subject.node
    if node is None or node.document is not document or document.root is None or node.kind != "map":
        return None
    spot = node.start, node.end
    place = next(_maps_at(document, spot), None)
    return None if place is None else (*place, *steps)


def _maps_at(document: Document, spot: tuple[int, int]) -> Iterator[Path]:
    if document.root is not None:
        yield from (
            path for path, one in tree_paths(document.root) if one.kind == "map" and (one.start, one.end) == spot
        )
