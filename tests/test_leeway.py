"""A left-out degree is 1 or more: what fails at 1, and would fail the more at any other, is certain."""

from __future__ import annotations

import random
from typing import Any

import pytest

from designlint.compiler import slopes
from designlint.compiler.plan import register
from designlint.configuration import engine
from designlint.derivations.base import REGISTRY, derivation
from designlint.expressions.operators import Direction
from designlint.findings.model import Finding, Severity

from .test_assumptions import found

JOB = """\
designlint: 1
nodes: [{name: train, model: dgx-h100, count: 8}]
workloads:
  - name: pretrain
    runs_on: {gpus: 64}
    model: {parameters: 70e9, layers: 80, hidden: 8192, sequence: 4096}
    precision: bf16
    parallelism: {PARALLELISM}
"""
FABRIC = """\
designlint: 1
nodes: [{name: train, count: SERVERS, networks: [{fabric: compute, ports: 8}]}]
fabrics:
  - name: compute
    speed: 400 Gbit/s
    topology: {kind: single-switch, switch: qm9700}
"""
ROUNDS = 60


def of_job(parallelism: str, rule: str) -> list[Finding]:
    return found(JOB.replace("PARALLELISM", parallelism), rule)


@pytest.mark.parametrize(
    ("parallelism", "severity"),
    [
        # Context ranks share no state: whatever their number, it does not fit.
        ("tensor: 1, pipeline: 1, zero_stage: 0", Severity.ERROR),
        # 64 data-parallel ranks on 64 GPUs leave every other degree at 1.
        ("data: 64, zero_stage: 0", Severity.ERROR),
        # Tensor-parallel ranks would share it.
        ("pipeline: 1, zero_stage: 0", Severity.INFO),
        ("data: 32, zero_stage: 0", Severity.INFO),
    ],
)
def test_state_waits_for_no_degree_that_cannot_shrink_it(parallelism: str, severity: Severity) -> None:
    (one,) = of_job(parallelism, "memory/least-need-beyond-gpu")
    assert one.severity is severity
    assert ("assumes" in one.message) is (severity is Severity.INFO)


@pytest.mark.parametrize("data", [3, 5, 64])
def test_ranks_that_do_not_come_out_at_any_context_degree(data: int) -> None:
    (one,) = of_job(f"tensor: 4, pipeline: 2, data: {data}", "parallelism/data-degree-contradicts-gpus")
    assert one.severity is Severity.ERROR


def test_ranks_that_context_could_fill_are_no_error() -> None:
    """4 x 2 x 4 = 32 of 64 GPUs: a context degree of 2 would take the rest."""
    (one,) = of_job("tensor: 4, pipeline: 2, data: 4", "parallelism/data-degree-contradicts-gpus")
    assert one.severity is Severity.INFO


@pytest.mark.parametrize(("servers", "severity"), [(128, Severity.ERROR), (32, Severity.INFO)])
def test_a_server_has_no_more_planes_than_ports(servers: int, severity: Severity) -> None:
    """1024 ports do not fit eight switches of 64 ports; 256 fit four of them."""
    (one,) = found(FABRIC.replace("SERVERS", str(servers)), "network/single-switch-too-small")
    assert one.severity is severity


def drawn(kind: str, chance: random.Random) -> Any:
    bare = kind.removesuffix(" | None")
    if bare != kind and chance.random() < 0.3:
        return None
    values: dict[str, Any] = {
        "Count": chance.choice([1, 2, 3, 4, 8, 16, 48, 4096]),
        "Flag": chance.random() < 0.5,
        "Text": chance.choice(["none", "full", "selective", "1f1b", "megatron", "optimizer"]),
        "Ratio": chance.choice([0.1, 0.5, 1.0, 2.5]),
    }
    return values.get(bare, chance.choice([0.5, 2.0, 700.0, 8e9]))


def test_directions_hold_for_numbers() -> None:
    """Every direction that is read from a calculation's text, tried on random values."""
    register(engine.shipped_engine().vocabulary)
    chance, tried = random.Random(11), 0
    for (of, word), one in sorted(REGISTRY.items()):
        if any(kind.startswith("tuple") for _, kind in one.words):
            continue
        for (name, _), slope in zip(one.words, slopes.of(one)[0], strict=True):
            if slope in (Direction.UP, Direction.DOWN):
                for _ in range(ROUNDS):
                    values = {key: drawn(kind, chance) for key, kind in one.words}
                    if isinstance(values[name], int | float) and not isinstance(values[name], bool):
                        results = [answer(one.call, values | {name: values[name] * factor}) for factor in (1, 3)]
                        if None not in results:
                            tried += 1
                            low, high = results if slope == Direction.UP else results[::-1]
                            assert low <= high + 1e-9 * abs(high), (of, word, name, slope, values)
    assert tried > 10 * ROUNDS


def answer(function: Any, values: dict[str, Any]) -> Any:
    try:
        found = function(*values.values())
    except (ZeroDivisionError, OverflowError, ValueError, TypeError, KeyError):
        return None
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None


def test_a_choice_by_a_word_leaves_its_direction_open() -> None:
    try:

        @derivation(of="Workload")
        def chosen(tensor: int, pipeline: int) -> int:
            if tensor > 4:
                return pipeline
            return pipeline * 2

        assert slopes.of(REGISTRY["Workload", "chosen"]) == (["both", "up"], [])
    finally:
        REGISTRY.pop(("Workload", "chosen"), None)
