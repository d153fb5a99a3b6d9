"""Repairs: the changes that a rule computes, made in memory and judged again before they are offered."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from designlint.model import Change, Fix, Severity
from designlint.rules import Row, Rule, spell, tell
from designlint.source import Document, read_bytes, tree_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from designlint.graph.subjects import Subject
    from designlint.model import Finding
    from designlint.pipeline import Design
    from designlint.source import Path


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

    def proven(
        self, finding: Finding, errors: Sequence[str], judged: Callable[[Document], Sequence[Finding]]
    ) -> tuple[Fix, ...]:
        """
        The fix, where the changed design no longer has the finding and no error it did not have; else none.

        Args:
            errors: the rules behind the errors of the unchanged design, one for each.
            judged: the findings of a document.
        """
        changed = self.applied()
        if changed is None:
            return ()
        found = judged(changed)
        gone = not any((one.rule, one.subject) == (finding.rule, finding.subject) for one in found)
        new = Counter(one.rule for one in found if one.severity is Severity.ERROR) - Counter(errors)
        if not gone or new:
            return ()
        changes = tuple(Change(f"{self.row.subject.path}/{path}", value) for path, value in self.changes.items())
        return (Fix(self.title, self.safety, changes, self.because, proven=True),)

    def applied(self) -> Document | None:
        """The design with the changes made, or None where the file does not let them be made without damage."""
        from designlint.source.edits import Edit, EditRefused, apply

        document = self.design.document
        place = tree_place(self.row.subject, document)
        if place is None or not self.changes:
            return None
        edits = [Edit("set", (*place, *path.split("/")), value) for path, value in self.changes.items()]
        try:
            text = apply(document, edits)
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
    found = (path for path, one in tree_paths(document.root) if one.kind == "map" and (one.start, one.end) == spot)
    place = next(found, None)
    return None if place is None else (*place, *steps)
