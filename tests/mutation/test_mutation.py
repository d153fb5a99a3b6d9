"""Known-good designs, broken one thing at a time: the intended rule notices, and no unrelated error comes."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from designlint.findings.model import Severity

from . import harness, repair, tally
from .bases import PUBLISHED, WHOLE, texts
from .judged import base, shipped

#: The share of mutations that the intended rule must notice.
LEAST = 0.95
#: The share of broken designs that fixes must mend, judged on each so-manyth of them.
REPAIRED, SAMPLED = 0.75, 4
#: Each so-manyth mutation is judged twice, on the graph as it stands and as another text.
COMPARED = 25


def test_bases_are_sound() -> None:
    wrong = {
        name: [f"{one.rule}: {one.message}" for one in base(name).judged.findings if one.severity in severities]
        for name in texts()
        for severities in [(Severity.ERROR, Severity.WARNING) if name in WHOLE else (Severity.ERROR,)]
    }
    assert {name: said for name, said in wrong.items() if said} == {}
    assert len(PUBLISHED) >= 12


def test_the_intended_rule_notices() -> None:
    answers = tally.answers()
    print(tally.summary(answers))
    missed = [str(one) for one in answers if not one.detected]
    print("\n".join(missed))
    assert len(missed) <= len(answers) * (1 - LEAST)
    assert [str(one) for one in answers if not one.sound] == []


def test_no_unrelated_error_comes() -> None:
    assert {str(one): one.unrelated for one in tally.answers() if one.unrelated} == {}


def test_every_rule_is_broken_or_says_why_not() -> None:
    answers = tally.answers()
    print(tally.summary(answers))
    assert tally.untried(answers) == sorted(harness.stated("without.yaml"))
    assert all(harness.stated("without.yaml").values())
    assert harness.stated("mutations.yaml").keys() <= shipped().rules.keys()


def test_facts_changed_in_place_say_what_the_changed_text_says() -> None:
    for one in islice(tally.whole(), 0, None, COMPARED):
        quick, known = one.findings, base(one.base)
        slow = known.with_text(one.before), known.with_text(one.text)
        assert [Counter(one.key for one in found) for found in quick] == [
            Counter(one.key for one in found) for found in slow
        ]


def test_what_may_fire_along_does_so_and_says_why() -> None:
    fired: dict[str, set[str]] = {}
    for one in tally.answers():
        fired.setdefault(one.mutation.rule, set()).update(one.along)
    for entry in harness.stated("along.yaml"):
        allowed = set(entry["may_fire"])
        assert entry["because"].endswith(".")
        assert [rule for rule in entry["rules"] if not allowed & fired.get(rule, set())] == []
        assert allowed - set().union(*(fired[rule] for rule in entry["rules"])) == set()


def test_most_broken_designs_are_repaired() -> None:
    """A sample; `make repair-rate` mends them all."""
    mended = list(repair.mendings(tally.answers(), every=SAMPLED))
    print(repair.summary(mended))
    assert len(mended) >= 60
    assert sum(not one.left for one in mended) >= len(mended) * REPAIRED


def test_nothing_is_silenced() -> None:
    """No fix takes out what a design is to reach, or what it is to reach it with."""
    taken = {
        path
        for rule in shipped().rules.values()
        for fix in rule.texts.fixes
        for how, path, _ in fix.changes
        if how == "remove" and path != "."
    }
    assert taken <= {"checkpoint/size", "model/active_parameters"}


def test_the_value_that_causes_several_errors_is_put_right_first() -> None:
    """Five tensor ranks split no width of the model: the degree is changed, not the model."""
    rule, base_name = "parallelism/tensor-not-dividing-domain", "superpod-4su"
    wrong = next(one for one in tally.whole() if one.rule == rule and one.base == base_name)
    mended = repair.mending(wrong)
    assert mended.left == ()
    assert len(mended.made) == 1
    assert "TP4 " in mended.made[0]
