"""What the rules say of a base with edits: on its graph as it stands where the edits change single facts, else read again."""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.configuration import engine as engines
from designlint.findings.model import Change
from designlint.fixes.repairs import Repair
from designlint.fixes.trial import FactTrials
from designlint.judging import judge
from designlint.linting import pipeline

from .bases import document, node_at, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.findings.model import Finding
    from designlint.judging.judge import Judged
    from designlint.reading.edit import Edit
    from designlint.rules.engine import Engine

#: The day as of which all is judged.
TODAY = "2026-11-20"


@cache
def shipped() -> Engine:
    """The engine with the shipped rules, on a day that stays the same."""
    return replace(engines.shipped_engine(), today=TODAY)


class Base:
    """One known-good design, judged by every rule."""

    def __init__(self, name: str) -> None:
        self.name, self.text = name, text_of(name)
        self.document = document(self.text, name)
        self.judged: Judged = judge.judge_design(pipeline.read_design(self.document, shipped()))
        self._texts: dict[str, Sequence[Finding]] = {}

    def with_edits(self, edits: Sequence[Edit]) -> Sequence[Finding] | None:
        """The findings with these edits made; None where they change more than single facts."""
        if not edits:
            return self.judged.findings
        stated = [self._change(one) for one in edits]
        changes = tuple(one for one in stated if one is not None)
        changed = self._trials.of([Repair("", "", "", changes)]) if len(changes) == len(edits) else None
        if changed is None:
            return None
        gone = set(map(id, changed.before))
        return [*(one for one in self.judged.findings if id(one) not in gone), *changed.after]

    def with_text(self, text: str) -> Sequence[Finding]:
        """The findings of the design with another text, which several mutations may start from."""
        if text not in self._texts:
            self._texts[text] = judge.rejudge_design(
                self.judged, pipeline.read_design(document(text, self.name), shipped())
            ).findings
        return self._texts[text]

    @cached_property
    def _trials(self) -> FactTrials:
        return FactTrials(self.judged)

    @cached_property
    def _subjects(self) -> dict[int, str]:
        """The subject of each mapping that the file states."""
        subjects = self.judged.design.graph.subjects
        return {id(one.node): path for path, one in subjects.items() if one.node is not None}

    def _change(self, edit: Edit) -> Change | None:
        root = self.document.root
        owner = None if root is None else self._subjects.get(id(node_at(root, edit.path[:-1])))
        if root is None or owner is None or edit.op not in ("set", "remove"):
            return None
        if node_at(root, edit.path) is None:
            return None  # what was not stated before is read again: some rules look at what is stated
        return Change(f"{owner}/{edit.path[-1]}".lstrip("/"), edit.value)


@cache
def base(name: str) -> Base:
    """A known-good design by its name."""
    return Base(name)
