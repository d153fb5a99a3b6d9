"""What a number is said to be: nothing is declared more certain than what it reads, and errors rest on what is certain."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from designlint.compiler import rules
from designlint.compiler.kinds import kinds
from designlint.configuration import engine
from designlint.derivations.base import REGISTRY, estimate, exact, lower
from designlint.design.design import read_design
from designlint.language.kinds import Side
from designlint.language.vocabulary import Vocabulary
from designlint.linting import pipeline
from designlint.reading import read_bytes
from designlint.reading.errors import AuthoringError
from tests.corpus.convert import designs
from tests.running import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from designlint.graph.derive import Plan
    from designlint.graph.subjects import Subject
    from designlint.language.kinds import Kind


def test_a_followed_word_is_what_its_end_is(compiled: dict[str, Any]) -> None:
    words = Vocabulary(compiled).classes
    assert words["Facility"]["least_switch_powers"].certainty == lower
    assert words["Workload"]["first_stage_memory"].certainty == estimate(0.12)
    assert words["Workload"]["tokens_per_step"].certainty == exact


@pytest.mark.parametrize(
    ("word", "kind", "says"),
    [
        (
            "memory_per_gpu",
            exact,
            "`memory_per_gpu` of Workload is declared exact, but reads `first_stage_memory`, which is an estimate",
        ),
        (
            "memory_per_gpu",
            lower,
            "`memory_per_gpu` of Workload is declared a lower bound, but reads `first_stage_memory`, which is an estimate",
        ),
        (
            "least_floor_load",
            exact,
            "`least_floor_load` of Racks is declared exact, but reads `least_mass`, which is a lower bound",
        ),
    ],
)
def test_no_calculation_hides_an_estimate_or_a_bound(
    monkeypatch: pytest.MonkeyPatch, compiled: dict[str, Any], word: str, kind: Kind, says: str
) -> None:
    key = next(one for one in REGISTRY if one[1] == word)
    monkeypatch.setitem(REGISTRY, key, replace(REGISTRY[key], kind=kind))
    with pytest.raises(AuthoringError, match="is declared") as refused:
        kinds(compiled["plan"], Vocabulary(compiled))
    assert refused.value.message == says
    place = (ROOT / refused.value.file).read_text("utf-8").splitlines()[(refused.value.line or 0) - 1]
    assert place.startswith("@derivation(") or f"sh:path :{word} ;" in place


def test_a_reason_makes_a_bound_of_an_estimate(monkeypatch: pytest.MonkeyPatch, compiled: dict[str, Any]) -> None:
    key = "Workload", "memory_per_gpu"
    monkeypatch.setitem(REGISTRY, key, replace(REGISTRY[key], kind=lower.because("a test says so")))
    assert kinds(compiled["plan"], Vocabulary(compiled))[key].side == "lower"


RULE = """\
title: Too much
severity: {severity}
since: 0.1.0
about: {about}
let:
  used: {used}
judge: |
  {judge}
{more}message: "{{focus}} uses {{used:.0%}}"
problem: A test.
remedy: A test.
examples: {{}}
"""
#: By class, a value that a rule computes.
USED = {"Workload": "?first_stage_memory / ?usable_gpu_memory", "Facility": "?facility_power / ?utility_power"}


def rule(folder: Path, compiled: dict[str, Any], judge: str, about: str = "Workload", **changes: str) -> dict[str, Any]:
    """A rule of a pack, compiled."""
    text = RULE.format(**{"severity": "error", "more": ""} | changes, judge=judge, about=about, used=USED[about])
    (folder / "memory").mkdir()
    (folder / "memory" / "full.yaml").write_text(text, "utf-8")
    return rules.compile_folder(folder, Vocabulary(compiled))


@pytest.mark.parametrize(
    ("about", "judge", "says", "line"),
    [
        ("Workload", "?memory_per_gpu <= ?usable_gpu_memory", "`memory_per_gpu` is an estimate", 8),
        ("Workload", "?tensor > 0 &&\n  ?used <= 1", "`first_stage_memory` is an estimate", 9),
        ("Workload", "?least_stage_memory >= ?usable_gpu_memory", "`least_stage_memory` is a lower bound", 8),
        ("Workload", "!(?least_stage_memory <= ?usable_gpu_memory)", "`least_stage_memory` is a lower bound", 8),
        (
            "Workload",
            "?gpu_memory / ?least_stage_memory >= 1 && ?memory_floor = 1",
            "`memory_floor` is a lower bound",
            8,
        ),
        ("Facility", "?facility_power <= ?utility_power", "`facility_power` is an upper bound", 8),
        (
            "Facility",
            "SELECT ?focus (?p < 1 AS ?ok) WHERE { ?focus :facility_power ?p }",
            "`facility_power` is an upper",
            7,
        ),
    ],
)
def test_an_error_fails_on_nothing_that_is_not_certain(
    tmp_path: Path, compiled: dict[str, Any], about: str, judge: str, says: str, line: int
) -> None:
    with pytest.raises(AuthoringError, match="an error fails on what is not certain") as refused:
        rule(tmp_path, compiled, judge, about)
    assert says in refused.value.message
    assert refused.value.file.endswith("memory/full.yaml")
    assert refused.value.line == line


@pytest.mark.parametrize(
    "when", ["?memory_per_gpu > 1", "?gpus > 1 && ?least_stage_memory < 1", "!(?predicted_step_time > 1)"]
)
def test_an_error_applies_on_nothing_that_is_not_certain(tmp_path: Path, compiled: dict[str, Any], when: str) -> None:
    with pytest.raises(AuthoringError, match="an error applies on what is not certain") as refused:
        rule(tmp_path, compiled, "?gpus <= 8", "Workload", more=f'when: "{when}"\n')
    assert refused.value.file.endswith("memory/full.yaml")


@pytest.mark.parametrize(
    ("about", "judge", "changes"),
    [
        ("Workload", "?memory_per_gpu <= ?usable_gpu_memory", {"severity": "warning"}),
        ("Workload", "?gpus <= 8", {"more": "when: ?memory_per_gpu > 1 && ?gpus > 1\ncertain_when: a test says so\n"}),
        ("Workload", "?gpus <= 8", {"more": "when: ?least_stage_memory > 1\n"}),
        ("Workload", "?memory_per_gpu <= ?usable_gpu_memory", {"more": "certain: a test says so\n"}),
        ("Workload", "?least_stage_memory <= ?usable_gpu_memory", {}),
        ("Workload", "?usable_gpu_memory / ?least_stage_memory >= 1", {}),
        ("Facility", "?least_facility_power <= ?utility_power && (?facility_power <= ?utility_power || 1/0 = 1)", {}),
        ("Facility", "IF(?least_facility_power > ?utility_power, 1/0, ?power_headroom) <= 1", {"severity": "warning"}),
    ],
)
def test_an_error_may_fail_on_a_bound_from_the_right_side(
    tmp_path: Path, compiled: dict[str, Any], about: str, judge: str, changes: dict[str, str]
) -> None:
    assert list(rule(tmp_path, compiled, judge, about, **changes)) == ["memory/full"]


def test_the_stated_error_is_the_limit_that_rules_state(compiled: dict[str, Any]) -> None:
    stated = Vocabulary(compiled).classes["Workload"]["memory_per_gpu"].certainty.error
    assert compiled["rules"]["memory/need-near-limit"]["limits"]["error"]["value"] == stated


def test_why_and_findings_say_what_a_number_is() -> None:
    design = "examples/impossible-1t/design.yaml"
    document = read_bytes((ROOT / design).read_bytes(), design)
    report = pipeline.lint(document, engine.shipped_engine(), repair=False)
    values = next(one.values for one in report.findings if one.rule == "memory/state-beyond-all-gpus")
    assert {name: values[name].certainty for name in ("state_memory_total", "state_room", "gpus")} == {
        "state_memory_total": "lower",
        "state_room": "upper",
        "gpus": "",
    }
    assert values["state_room"].cited == "derived, at most"


#: A word, and one that it reads from what seems the wrong side -> why it still is a bound.
TOGETHER = {
    ("spared_memory", "norm_output_memory"): "what is spared is taken off a sum that holds the same",
    ("spared_memory", "operand_bytes"): "what is spared is taken off a sum that holds the same",
    ("most_mfu", "compute_time"): "the same computation is in the step",
    ("most_mfu_without_overlap", "compute_time"): "a utilisation is of computation at the peak, exactly",
    ("least_generator_load", "least_it_power"): "it is taken off a multiple of itself",
    ("generator_load", "it_power"): "it is taken off a multiple of itself",
    ("ups_load", "it_power"): "it is taken off a multiple of itself",
    ("least_air_heat", "least_liquid_heat"): "it is a share of what it is taken off",
    ("air_heat", "liquid_heat"): "it is a share of what it is taken off",
    ("late_gradient_memory", "least_owned_parameters"): "it is taken off a sum that holds the same",
    ("late_gradient_memory", "least_held_parameters"): "it is taken off a sum that holds the same",
    ("power_headroom", "free_power"): "it is the same, and no larger where it is negative",
    **dict.fromkeys(
        [
            ("it_power", "least_it_power"), ("generator_load", "least_generator_load"), ("ups_load", "least_ups_load"),
            ("rack_power", "least_rack_power"), ("most_feed_load", "feed_load"),
            ("most_feed_load_after_loss", "feed_load_after_loss"),
        ],
        "it is the same where nothing is open",
    ),
}  # fmt: skip


def nearer(value: Any, factor: float) -> Any:
    """A number, or each of several, times a factor; nothing else changes."""
    if isinstance(value, tuple | list):
        return type(value)(nearer(one, factor) for one in value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return max(0, round(value * factor)) if isinstance(value, int) else value * factor


def turned(subject: Subject, word: str, number: int, plan: Plan, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """The bounds that a bound reads and that, nearer to their truth, would push it beyond its own."""
    side = vocabulary.classes[subject.cls][word].certainty.side
    step = plan.steps[number]
    paths, read = [path for path, *_ in step["params"]], plan.reader(number)(subject)
    function = plan.function(number)
    for at, path in enumerate(paths if read is not None else ()):
        of = vocabulary.word(subject.cls, tuple(path)).certainty.side
        for factor in (1.02, 1.5, 3) if of in (Side.LOWER, Side.UPPER) else ():
            values = list(read[0]) if read is not None else []
            was = function(*values)
            values[at] = nearer(values[at], factor if of is Side.LOWER else 1 / factor)
            now = function(*values)
            if isinstance(was, int | float) and isinstance(now, int | float):
                beyond = was - now if side is Side.LOWER else now - was
                if beyond > 1e-9 * abs(was):
                    yield word, path[-1]


def test_bounds_that_bounds_read_push_them_no_further() -> None:
    chosen = engine.shipped_engine()
    texts = [path.read_text("utf-8") for path in sorted((ROOT / "examples").glob("*/design.yaml"))]
    texts += [one.yaml for one in random.Random(5).sample(sorted(designs(), key=lambda one: one.id), 40)]
    found: set[tuple[str, str]] = set()
    for text in texts:
        graph = read_design(read_bytes(text.encode(), "design.yaml"), chosen).graph
        for subject in graph.subjects.values():
            for word, origin in subject.origins.items():
                number = chosen.plan.step(subject, word) if origin.how == "derived" else None
                side = chosen.vocabulary.classes[subject.cls][word].certainty.side
                if number is not None and side in (Side.LOWER, Side.UPPER):
                    found |= set(turned(subject, word, number, chosen.plan, chosen.vocabulary))
    assert found <= TOGETHER.keys()
