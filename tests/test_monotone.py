"""Knowing less never accuses: a fact left out of a sound design makes no new error and no new warning."""

from __future__ import annotations

import random
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.findings.model import Severity
from designlint.judging.doubts import deciding_words
from designlint.reading import read_bytes

from .corpus.convert import Case, designs
from .omissions import Omissions, checked
from .running import ROOT
from .test_properties import Place, dump, load, places, without

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from designlint.design.design import Design
    from designlint.findings.model import Finding
    from designlint.rules.engine import Engine

#: Published designs that are taken apart, chosen at random once; all of them take five minutes.
TAKEN = 25
#: Others that a fact left out once accused.
MENDED = ("foundry-h100-80gb-3b-s2048-64gpu-mbs6-amp_bf16", "torchtitan-8b-128-compiled")
#: What names a part, or is what an item of a list is for: without it, the item is another one.
NAMES = ("designlint", "name", "for", "item", "rule", "from", "to", "other")
#: Parts whose items are what was built, ordered, measured or wired: with fewer of their facts there is less of it.
BUILT = ("links", "orders", "results", "switches", "evidence")
#: Errors and warnings on a word that the language gives a meaning where it is left out, with the word.
MEANT = {
    # Tiers without a switch of their own have that of the fabric.
    ("network/core-ports-short", "core_switch"),
    # Uplinks take the ports that a switch has, unless it is said to have others for them.
    ("network/leaf-beyond-switch-ports", "uplink_port_speed"),
    # Heads share the hidden size unless their width is stated: frameworks stop where it does not divide.
    ("model/heads-not-dividing-hidden", "head_dimension"),
    # A job takes all GPUs of its pool unless it states its ranks.
    ("parallelism/batch-not-dividing", "data"),
    # A job runs on the pool that it names, and on others only if it names them.
    ("parallelism/more-gpus-than-the-pool", "others"),
    # Links between switches run at the rate of the ports unless the design states another.
    ("network/dragonfly-beyond-switch-ports", "uplink_speed"),
    # A breaker that is not rated for continuous load carries 80 %.
    ("power/feeds-overloaded", "derating"),
    # A pool has no spares that it does not state.
    ("scheduling/excluded-leave-too-few", "spares"),
    ("reliability/loss-beyond-cluster", "spares"),
    # State is on the GPUs unless the design says that it is offloaded.
    ("memory/state-beyond-all-gpus", "offload"),
    ("memory/state-beyond-all-gpus", "parallelism"),
    ("memory/least-need-beyond-gpu", "offload"),
    # A job that serves has all tokens of a sequence on the GPUs of one copy, and every layer attends to all of them.
    ("memory/one-sequence-beyond-gpu", "context"),
    ("memory/one-sequence-beyond-gpu", "window"),
    # A queue borrows only what it is allowed to.
    ("scheduling/job-beyond-quota", "borrowing_limit"),
    # The launchers of a job wait for all of its servers, unless they are said to count fewer.
    ("scheduling/launched-on-one-server", "launcher_servers"),
    # A part of the catalogue is what the catalogue says.
    ("compute/measured-mfu-not-of-tokens", "matmul"),
    ("compute/mfu-below-published", "matmul"),
    ("scheduling/more-cpus-than-the-processors", "cpu_threads"),
    ("procurement/fewer-servers-ordered", "model"),
    ("shape/not-in-catalog", "gpus"),
}


def accused(findings: Iterable[Finding]) -> set[tuple[str, str]]:
    """Rule and subject of every error and warning."""
    return {(one.rule, one.subject) for one in findings if one.severity is not Severity.INFO}


def errors(findings: Iterable[Finding]) -> set[tuple[str, str]]:
    """Those of them that are errors."""
    return accused(one for one in findings if one.severity is Severity.ERROR)


@cache
def finding_errors() -> Engine:
    """The rules that find errors: no other finding becomes one."""
    return engine.shipped_engine().narrow(())


@cache
def steps_of_errors() -> frozenset[int]:
    """The calculations without which one of these rules might answer otherwise."""
    asking = finding_errors()
    return asking.plan.needed_steps(deciding_words(asking.rules.values(), asking.vocabulary))


def for_errors(text: str) -> Design:
    """A text, read for the rules that find errors, with as much calculated as they read."""
    return read_design(read_bytes(text.encode(), "design.yaml"), finding_errors(), steps=steps_of_errors())


def cases() -> list[Case]:
    ran = sorted((one for one in designs() if one.outcome == "ran"), key=lambda one: one.id)
    return [*random.Random(11).sample(ran, TAKEN), *(one for one in ran if one.id in MENDED)]


@cache
def examples(topic: str) -> list[tuple[str, str]]:
    """The designs that the rules of a topic call sound, each with the rule."""
    found = []
    for path in sorted((ROOT / "rules" / topic).glob("*.yaml")):
        rule = yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)
        if path.stem != "checklist":
            found += [(f"{topic}/{path.stem}", one["design"]) for one in rule["examples"].get("good", ())]
    return [(rule, text) for rule, text in found if isinstance(text, str)]


def topics() -> list[str]:
    return sorted(path.name for path in (ROOT / "rules").iterdir() if path.is_dir())


def less(data: Any) -> Iterator[tuple[Place, Callable[[], str]]]:
    """Where each fact of a design stands, and the design without it."""
    for place in places(data):
        if place[-1] not in NAMES and not isinstance(place[-1], int):
            yield place, partial(lambda one: dump(without(data, one)), place)


@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case.id))
def test_a_fact_left_out_accuses_nobody(case: Case) -> None:
    data = load(case.yaml)
    omissions = Omissions(dump(data), checked, accused)
    new = {
        (place[-1], rule)
        for place, rest in less(data)
        for rule, _ in omissions.without(place, rest).new
        if (rule, place[-1]) not in MEANT
    }
    assert new == set()


@pytest.mark.parametrize("topic", topics())
def test_a_fact_left_out_of_an_example_makes_no_error(topic: str) -> None:
    """Jobs of every kind, elastic ones, queues, sites, orders: whatever a rule calls sound."""
    new, known = set(), dict[str, Any]()
    for of, text in examples(topic):
        data = {"designlint": "1", **load(text)}
        omissions = Omissions(dump(data), for_errors, errors, known)
        at_fault = {subject for _, subject in omissions.accused}
        for place, rest in less(data):
            if {*place}.isdisjoint(BUILT):
                after = omissions.without(place, rest).new
                found = {rule for rule, subject in after if subject not in at_fault}
                new |= {(of, place[-1], rule) for rule in found if (rule, place[-1]) not in MEANT}
    assert new == set()
