"""Known-good designs, broken one thing at a time: the intended rule notices, and no unrelated error comes."""

from __future__ import annotations

from functools import cache

from designlint import engine
from designlint.model import Severity

from . import harness, repair
from .bases import PUBLISHED, WHOLE, texts

#: The share of mutations that the intended rule must notice.
LEAST = 0.95
#: The share of broken designs that fixes must mend, judged on each so-manyth of them.
REPAIRED, SAMPLED = 0.75, 4


@cache
def judged() -> list[harness.Answer]:
    """Every mutation with what the rules said, and the detection rate printed."""
    answers = harness.answers()
    print(harness.summary(answers))
    return answers


def test_bases_are_sound() -> None:
    wrong = {
        name: [f"{one.rule}: {one.message}" for one in harness.base_result(name).findings if one.severity in severities]
        for name in texts()
        for severities in [(Severity.ERROR, Severity.WARNING) if name in WHOLE else (Severity.ERROR,)]
    }
    assert {name: said for name, said in wrong.items() if said} == {}
    assert len(PUBLISHED) >= 12


def test_the_intended_rule_notices() -> None:
    answers = judged()
    missed = [str(one) for one in answers if not one.detected]
    print("\n".join(missed))
    assert len(missed) <= len(answers) * (1 - LEAST)
    assert [str(one) for one in answers if not one.sound] == []


def test_no_unrelated_error_comes() -> None:
    assert {str(one): one.unrelated for one in judged() if one.unrelated} == {}


def test_every_rule_is_broken_or_says_why_not() -> None:
    tried = {one.mutation.rule for one in judged()}
    rules = engine.shipped().rules.keys()
    without = harness.stated("without.yaml")
    assert rules - tried == without.keys()
    assert all(without.values())
    assert harness.stated("mutations.yaml").keys() <= rules


def test_what_may_fire_along_does_so_and_says_why() -> None:
    fired: dict[str, set[str]] = {}
    for one in judged():
        fired.setdefault(one.mutation.rule, set()).update(one.along)
    for entry in harness.stated("along.yaml"):
        allowed = set(entry["may_fire"])
        assert entry["because"].endswith(".")
        assert [rule for rule in entry["rules"] if not allowed & fired.get(rule, set())] == []
        assert allowed - set().union(*(fired[rule] for rule in entry["rules"])) == set()


def test_most_broken_designs_are_repaired() -> None:
    """A sample; `make repair-rate` mends them all."""
    mended = list(repair.mendings(every=SAMPLED))
    print(repair.summary(mended))
    assert len(mended) >= 60
    assert sum(not one.left for one in mended) >= len(mended) * REPAIRED


def test_nothing_is_silenced() -> None:
    """No fix takes out what a design is to reach, or what it is to reach it with."""
    taken = {
        path
        for rule in engine.shipped().rules.values()
        for fix in rule["fix"]
        for path in fix.get("remove", ())
        if path != "."
    }
    assert taken <= {"checkpoint/size", "model/active_parameters"}
