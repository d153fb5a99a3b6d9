"""The search for a split held against published runs: what ran has a split, and what it finds fits by the exact formulas."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import yaml

from designlint.configuration import engine
from designlint.derivations.search import splits, splitting
from designlint.design.design import read
from designlint.graph.subjects import Origin
from designlint.reading import read_bytes

from .corpus.convert import Case, designs

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

#: What a split says, and what else of a stated one would contradict another.
CHANGED = {*splits.Split._fields, "data", "virtual_stages", "uneven_stages", "expert_tensor"}


class Job:
    """The only job of a design, with what follows for it."""

    def __init__(self, text: str) -> None:
        self.text, self.design = text, read(read_bytes(text.encode(), "design.yaml"), engine.shipped())
        self.subject = self.design.graph.by_class["Workload"][0]

    def __getitem__(self, word: str) -> Any:
        return self.subject.facts.get(word)

    @property
    def fits(self) -> bool | None:
        """Whether the exact formulas say that it fits; None where they are silent."""
        need, have = self["memory_per_gpu"], self["usable_gpu_memory"]
        return None if need is None or have is None else need <= have

    def searched(self) -> Job | None:
        """The same job with the split that the search finds for it, as if its own failed."""
        self.subject.state("split_fails", True, Origin("stated"))
        self.design.engine.plan.run(self.design.graph)
        if self["fitting_split"] is None:
            return None
        design = yaml.safe_load(self.text)
        job = design["workloads"][0]
        kept = {word: value for word, value in job.get("parallelism", {}).items() if word not in CHANGED}
        job["parallelism"] = kept | {word: self[f"fitting_{word}"] for word in splits.Split._fields}
        return Job(yaml.safe_dump(design))


def test_what_ran_has_a_split_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if its own had failed: the search finds the run's own split again, or another that fits."""
    found: Counter[str] = Counter()
    best: list[splits.Split | None] = []

    def told(job: splits.Job) -> splits.Split | None:
        best.append(splits.best(job))
        return best[-1]

    monkeypatch.setattr(splitting, "best", told)
    for case in jobs("ran"):
        job = Job(case.yaml)
        if job.fits:
            other = job.searched()
            found["its own" if other is None and best.pop() else "another" if other and other.fits else case.id] += 1
    print(dict(found))
    assert found.keys() == {"its own", "another"}
    assert found.total() > 100


def test_what_did_not_fit_gets_a_split_that_does() -> None:
    assert {
        case.id: (other := Job(case.yaml).searched()) and other.fits for case in jobs("did_not_fit")
    } == dict.fromkeys((case.id for case in jobs("did_not_fit")), True)


def jobs(outcome: str) -> Iterator[Case]:
    """The published jobs that had one fate."""
    return (case for case in designs() if case.outcome == outcome and "workloads" in case.yaml)
