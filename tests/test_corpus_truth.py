"""What the rules say of designs whose fate is published: what ran is no error, what failed or contradicts itself is found."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.findings.model import Finding, Severity
from designlint.judging.judge import judge_design
from designlint.reading import read_bytes

from .corpus.convert import RUNS, Case, designs, rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

TABLE = {row["id"]: name for name in (*RUNS, "fabrics") for row in rows(name)}
GROUPS = sorted({(case.outcome, TABLE[case.id]) for case in designs()})
#: The kind of fault that must be found, by case: what a reader of the source would call wrong.
FAULTS = {
    "megatron-sc21-t2-zero3-530b-560-NOFIT": "memory/need-near-limit",
    "korthikanti22-22b-none": "memory/need-beyond-gpu",
    "korthikanti22-175b-none": "memory/need-beyond-gpu",
    "korthikanti22-530b-none": "memory/need-beyond-gpu",
    "korthikanti22-1t-none": "memory/need-beyond-gpu",
    "bridge-26.02.01-gb300-llama3-70b-nvfp4-64gpu": "memory/least-need-beyond-gpu",
    "gpt-neox-20b-as-printed": "parallelism/batch-not-dividing",
    "llama3-405b-stage3-v1": "parallelism/data-degree-contradicts-gpus",
    "bridge-25.11-gb300-qwen3-235b-a22b-bf16-256gpu": "parallelism/data-degree-contradicts-gpus",
    "bridge-25.11-h100-gpt-oss-120b-bf16-64gpu": "parallelism/data-degree-contradicts-gpus",
}


@cache
def found() -> dict[str, tuple[Case, Sequence[Finding]]]:
    """Every published design with its findings."""
    shipped = engine.shipped_engine()
    read_ones = ((case, read_design(read_bytes(case.yaml.encode(), case.id), shipped)) for case in designs())
    return {case.id: (case, judge_design(design).findings) for case, design in read_ones}


def group(outcome: str, table: str) -> Iterator[tuple[Case, Sequence[Finding]]]:
    """The designs of one table that had one fate."""
    return ((case, said) for case, said in found().values() if (case.outcome, TABLE[case.id]) == (outcome, table))


def errors(said: Iterable[Finding]) -> list[str]:
    """The errors among findings, as a person would list them."""
    return [f"{one.rule}: {one.message}" for one in said if one.severity is Severity.ERROR]


def estimates(case: Case, said: Iterable[Finding]) -> list[str]:
    """The warnings of what may not fit: an estimate that is off by a percent is no ground for an error."""
    doubted = case.outcome == "did_not_fit"
    return [one.rule for one in said if doubted and one.severity is Severity.WARNING and one.rule.startswith("memory/")]


@pytest.mark.parametrize(("outcome", "table"), GROUPS, ids=[f"{outcome}-{table}" for outcome, table in GROUPS])
def test_findings_agree_with_what_became_of_the_design(outcome: str, table: str) -> None:
    known = list(group(outcome, table))
    severities = Counter(str(one.severity) for _, said in known for one in said)
    print(f"{table}, {outcome}: {len(known)} designs, findings {dict(sorted(severities.items()))}")
    if outcome == "ran":
        wrong = {case.id: errors(said) for case, said in known if errors(said)}
    else:
        wrong = {case.id: ["nothing"] for case, said in known if not errors(said) and not estimates(case, said)}
    assert known
    assert wrong == {}


def test_each_known_fault_is_named() -> None:
    missed = {name: rule for name, rule in FAULTS.items() if rule not in {one.rule for one in found()[name][1]}}
    assert missed == {}
    assert {case.id for case in designs() if case.outcome != "ran"} == FAULTS.keys()


def test_warnings_on_what_ran_stay_few() -> None:
    """Each of these topics' warnings was read and is true of its run; a new rule that warns of many is probably wrong."""
    topics = ("parallelism/", "memory/", "compute/", "model/")
    warned = Counter(
        one.rule
        for case, said in found().values()
        for one in said
        if case.outcome == "ran" and one.severity is Severity.WARNING and one.rule.startswith(topics)
    )
    assert dict(warned) == {
        "compute/mfu-beyond-evidence": 10,
        "memory/need-near-limit": 1,
        "parallelism/tensor-over-pcie": 2,
    }
