"""What the rules say of a design without one of its facts: on its graph where that changes no more, else read anew."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.fixes.trial import FactTrials
from designlint.graph.incremental import statement
from designlint.judging.judge import Judged, judge_design, rejudge_design
from designlint.reading import read_bytes

from .mutation.bases import node_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from designlint.design.design import Design
    from designlint.findings.model import Finding, Verdict
    from designlint.graph.incremental import StatedFact

    Place: TypeAlias = tuple[str | int, ...]
    Verdicts: TypeAlias = Mapping[tuple[str, str], Verdict]
    Said: TypeAlias = tuple[set[tuple[str, str]], Verdicts]
    Accused: TypeAlias = Callable[[Iterable[Finding]], set[tuple[str, str]]]


def checked(text: str) -> Design:
    """A text as `check` reads it: with what rules read calculated, and nothing else."""
    shipped = engine.shipped_engine()
    return read_design(read_bytes(text.encode(), "design.yaml"), shipped, steps=shipped.steps)


class Less(NamedTuple):
    """What newly came, by rule and subject, and the verdicts that were given again."""

    new: set[tuple[str, str]]
    verdicts: Verdicts


class Omissions:
    """
    A design from which single facts are left out.

    Args:
        design: reads the text of a design, best with no more calculated than rules read: each trial calculates that again.
        accused: what of some findings is looked at, by rule and subject.
        known: what was looked at of texts before, of whatever design they were left.
    """

    def __init__(
        self, text: str, design: Callable[[str], Design], accused: Accused, known: dict[str, Said] | None = None
    ) -> None:
        self._read, self._accused, self._known = design, accused, {} if known is None else known
        self.judged: Judged = judge_design(design(text))
        self.accused = accused(self.judged.findings)

    def without(self, place: Place, text: Callable[[], str]) -> Less:
        """
        What the rules say without one fact.

        Args:
            place: where it stands.
            text: the design without it.
        """
        left_out = self._statement(place)
        if left_out is not None:
            with self._trials.assuming([left_out]) as changed:
                gone = set(map(id, changed.before))
                kept = [one for one in self.judged.findings if id(one) not in gone]
                new = self._accused([*kept, *changed.after]) - self.accused
                if not new:  # a finding may be a note where less is stated
                    return Less(new, changed.verdicts)
        rest = text()
        if rest not in self._known:
            after = rejudge_design(self.judged, self._read(rest))
            self._known[rest] = self._accused(after.findings), after.verdicts
        found, verdicts = self._known[rest]
        return Less(found - self.accused, verdicts)

    def _statement(self, place: Place) -> StatedFact | None:
        """That a design states a fact no longer; None where more than facts would change."""
        design = self.judged.design
        if design.problems or design.bases:
            return None
        root = design.document.root
        owner = None if root is None else self._owners.get(id(node_at(root, place[:-1])))
        return None if owner is None else statement(design.graph, f"{owner}/{place[-1]}".lstrip("/"), None)

    @cached_property
    def _trials(self) -> FactTrials:
        return FactTrials(self.judged)

    @cached_property
    def _owners(self) -> dict[int, str]:
        """The subject of each mapping of the file."""
        subjects = self.judged.design.graph.subjects
        return {id(one.node): path for path, one in subjects.items() if one.node is not None}
