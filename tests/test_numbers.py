"""Rules about all numbers: ranges, words that follow from others, figures of named parts."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from tools.ranges import Sighting, designs, proportions, sightings

from designlint.compiler import bundle, plan
from designlint.configuration import engine
from designlint.judging import judge
from designlint.language.slips import slip
from designlint.language.vocabulary import Vocabulary
from designlint.language.words import Ratio
from designlint.linting import pipeline
from designlint.reading import read_bytes
from designlint.reading.errors import AuthoringError

if TYPE_CHECKING:
    from designlint.language.words import SeenRange, Word

VOCABULARY = engine.shipped_engine().vocabulary
#: Classes of constants that only the catalogue states.
CONSTANTS = {
    "StepTimeModel",
    "GpuGeneration",
    "SoftwareProfile",
    "NumberFormat",
    "LinkTechnology",
    "OpticClass",
    "PartKind",
    "Optimizer",
    "Processor",
    "GpuSupport",
}


def said(design: str) -> list[str]:
    """What the rules about all numbers find."""
    document = read_bytes(f"designlint: 1\n{design}".encode(), "design.yaml")
    found = pipeline.lint(document, engine.shipped_engine(), repair=False).findings
    return [
        f"{one.rule.removeprefix('numbers/')} {one.location.line}: {one.message}"
        for one in found
        if one.rule.startswith("numbers/")
    ]


def ranged(cls: str, name: str) -> bool:
    """Whether a number of the language can lie outside what has been seen."""
    word = VOCABULARY.classes[cls][name]
    own = word.owner == cls and word.form in ("value", "values") and word.kind in VOCABULARY.units
    return own and not (word.allowed or cls in CONSTANTS)


def test_every_number_of_the_language_has_a_range() -> None:
    """A new word may come first and its range follow; no more than one in fifty may wait for it."""
    words = [(cls, name) for cls, found in VOCABULARY.classes.items() for name in found if ranged(cls, name)]
    waiting = [one for one in words if one[1] not in VOCABULARY.seen.get(one[0], {})]
    print("without a range:", waiting)
    assert len(waiting) <= len(words) // 50


def stated_and_calculated() -> dict[tuple[str, str], Word]:
    """Words that a design may state although they follow."""
    words = ((key, VOCABULARY.classes[key[0]][key[1]]) for key in calculations())
    return {key: word for key, word in words if word.written}


def calculations() -> list[tuple[str, str]]:
    """Class and word of every calculation."""
    return [(one["of"], one["word"]) for one in bundle.load()["plan"] if "params" in one]


def test_every_word_that_is_stated_and_calculated_is_compared_or_says_why_not() -> None:
    """A rule that is named reads the word and what it follows from."""
    found = stated_and_calculated()
    assert len(found) > 20
    assert found[("Model", "parameters")].compared_by == "model/parameters-not-of-architecture"
    for (cls, name), word in found.items():
        answers = (name in VOCABULARY.twins.get(cls, ()), word.compared_by, len(word.uncompared.split()) > 5)
        assert [bool(one) for one in answers].count(True) == 1, f"{cls}.{name}"
        if word.compared_by:
            assert name in engine.shipped_engine().rules[word.compared_by].words, f"{cls}.{name}"


@pytest.mark.parametrize(
    ("dropped", "added"),
    [
        ("compared_by", {}),
        ("uncompared", {}),
        ("", {"compared_by": "power/single-feed", "uncompared": "for no reason"}),
    ],
)
def test_a_word_that_nothing_compares_stops_the_compiler(
    compiled: dict[str, Any], dropped: str, added: dict[str, str]
) -> None:
    cls, name = next(key for key, one in stated_and_calculated().items() if not dropped or getattr(one, dropped))
    entry = {key: one for key, one in compiled["classes"][cls][name].items() if key != dropped} | added
    classes = {**compiled["classes"], cls: {**compiled["classes"][cls], name: entry}}
    with pytest.raises(
        AuthoringError, match=f"`{name}` of {cls} can be stated and is calculated; it needs exactly one"
    ):
        plan.compile_plan(Vocabulary({**compiled, "classes": classes}))


def outside(one: Sighting) -> bool:
    """Whether no range that applies holds a number."""
    known = VOCABULARY.seen.get(one.cls, {}).get(one.word)
    fitting = [] if known is None else [at for at in VOCABULARY.seen_of(one.cls, one.word) if at.applies(one.facts)]
    return bool(fitting) and not fitting[0].least <= one.value <= fitting[0].most


def test_nothing_that_was_published_lies_outside_its_range() -> None:
    found = list(sightings())
    assert [one[:4] for one in found if outside(one)] == []
    assert len(found) > 5000


def test_what_is_called_known_is_near_to_what_rows_state() -> None:
    """Ends beyond ten times what rows state, or 40 K from it, are estimates, unless the word allows no others."""
    rows = defaultdict(list)
    for one in sightings():
        rows[one.cls, one.word].append(one)
    far = []
    for cls, words in VOCABULARY.seen.items():
        for name in words:
            word = VOCABULARY.classes[cls][name]
            for known in VOCABULARY.seen_of(cls, name):
                near = [one.value for one in rows[cls, name] if known.applies(one.facts)]
                if known.source == "rows" and not supported(known, near, word):
                    far.append((cls, name, known.value))
    assert far == []


def test_what_is_called_a_known_ratio_is_near_to_what_rows_have() -> None:
    rows = defaultdict(list)
    for cls, name, ratio, number in proportions():
        rows[cls, name, ratio.path, ratio.value].append(number)
    named = {
        (cls, name, ratio.path, ratio.value): ratio
        for cls, words in VOCABULARY.ratios.items()
        for name, every in words.items()
        for ratio in (Ratio(*one) for one in every)
        if ratio.source == "rows"
    }
    assert [key for key, ratio in named.items() if not near_both_ends(ratio, rows[key])] == []
    assert len(named) > 10


def near_both_ends(ratio: Ratio, seen: list[float]) -> bool:
    """Whether rows have ratios within ten times of both ends of a range; 0 at its lower end claims nothing."""
    return bool(seen) and ratio.most <= 10 * max(seen) and min(seen) <= 10 * (ratio.least or min(seen))


def supported(known: SeenRange, near: list[float], word: Word) -> bool:
    """Whether rows state numbers near both ends of a range."""
    if not near:
        return False
    if word.kind == "Temperature":
        return known.most - max(near) <= 40 and min(near) - known.least <= 40
    high = known.most <= 10 * max(near) or (word.most is not None and known.most >= word.most)
    low = known.least <= 0 or min(near) <= 10 * known.least or (word.least or 0) >= known.least
    return high and low


def test_no_published_design_is_out_of_proportion() -> None:
    rules = {name: rule for name, rule in engine.shipped_engine().rules.items() if name.startswith("numbers/")}
    alone = replace(engine.shipped_engine(), rules=rules)
    documents = (read_bytes(text.encode(), where) for where, text in designs())
    judged = (judge.judge_design(pipeline.read_design(document, alone)) for document in documents)
    found = [(one.location.file, one.message) for each in judged for one in each.findings]
    assert found == []


@pytest.mark.parametrize(
    ("text", "kind", "least", "most", "example", "meant"),
    [
        ("24 s", "Duration", 3600, 5e6, "48 h", "24 h"),
        ("9 USD/kWh", "EnergyPrice", 1e-9, 1.4e-7, "0.08 USD/kWh", "0.09 USD/kWh"),
        ("13.8 V", "Voltage", 1000, 230000, "13.8 kV", "13.8 kV"),
        ("2 ms", "Duration", 2e-7, 1e-4, "2 us", "2 µs"),
        ("95 degC", "Temperature", 10, 45, "24 degC", "95 degF"),
        ("128", "Count", 256, 2e6, "128256", "128 K"),
        ("7", "Count", 1e6, 1e7, "", "7 M"),
        ("81920000", "Count", 64, 2e7, "8192", "81920"),
        ("15e15", "Count", 1e5, 1e16 / 2, "10e12", "15e12"),
        ("1e3", "Count", 1e5, 1e13, "4e9", "1e6"),
        ("7 B", "Count", 10, 60, "", ""),
    ],
)
def test_the_likely_slip_is_named(text: str, kind: str, least: float, most: float, example: str, meant: str) -> None:
    assert slip(text, kind, VOCABULARY.units, least, most, example).meant == meant


def test_a_range_by_kind_of_part_goes_before_that_of_all() -> None:
    run = "fabrics: [{{name: compute, cabling: [{{medium: {}, longest: 30 m}}]}}]"
    assert said(run.format("multimode")) == []
    assert said(run.format("dac")) == [
        "never-seen 2: `longest` is 30 m; known values for dac are between 300 mm and 10 m"
    ]


@pytest.mark.parametrize(("parameters", "found"), [("0", 0), ("8", 1), ("8e9", 0)])
def test_a_count_that_may_be_0_lies_in_its_range_or_is_0(parameters: str, found: int) -> None:
    design = f"workloads: [{{name: align, reinforcement: {{critic_parameters: {parameters}}}}}]"
    assert len([one for one in said(design) if one.startswith("never-seen")]) == found


@pytest.mark.parametrize(
    ("stated", "offered"),
    [("burn_in: 24 s", []), ("network_latency: 2 ms", ["2 µs"])],
)
def test_a_slip_is_offered_as_a_fix_where_it_is_the_only_one(stated: str, offered: list[str]) -> None:
    document = read_bytes(f"designlint: 1\nacceptance: {{{stated}}}".encode(), "design.yaml")
    found = [
        one for one in pipeline.lint(document, engine.shipped_engine()).findings if one.rule == "numbers/never-seen"
    ]
    assert [change.value for one in found for fix in one.fixes for change in fix.changes] == offered


def test_a_lower_bound_contradicts_only_what_lies_below_it() -> None:
    nodes = "nodes: [{name: train, count: 40, networks: [{fabric: compute, ports: 8}]}]\n"
    assert said(f"{nodes}fabrics: [{{name: compute, host_ports: 320}}]") == []
    assert said(f"{nodes}fabrics: [{{name: compute, host_ports: 324}}]") == []
    found = said(f"{nodes}fabrics: [{{name: compute, host_ports: 1280}}]")
    assert [one.split(":")[0] for one in found] == ["differ-from-calculation 3"]


@pytest.mark.parametrize(
    ("ports", "rule"), [(1600, "differ-from"), (1601, "contradict"), (64, "differ-from"), (63, "contradict")]
)
def test_beyond_a_factor_of_five_a_stated_number_is_surely_wrong(ports: int, rule: str) -> None:
    nodes = "nodes: [{name: train, count: 40, networks: [{fabric: compute, ports: 8}]}]\n"
    found = said(f"{nodes}fabrics: [{{name: compute, host_ports: {ports}}}]")
    assert [one.split(":")[0] for one in found] == [f"{rule}-calculation 3"]


@pytest.mark.parametrize(("steps", "found"), [(4001, 0), (3999, 1), (8999, 0), (9001, 1)])
def test_a_tolerance_is_the_same_factor_above_and_below(steps: int, found: int) -> None:
    """Half as many steps as the tokens give are as far off as twice as many."""
    job = "data: {tokens: 6e9}, model: {sequence: 1000}, parallelism: {global_batch: 1000}"
    assert len(said(f"workloads: [{{name: pretrain, {job}, targets: {{steps: {steps}}}}}]")) == found


def test_figures_that_a_buyer_chooses_may_differ_from_the_catalogue() -> None:
    assert said("nodes: [{name: train, model: dgx-h100, host_memory: 4 TB, local_storage: {drives: 10}}]") == []
    assert [one.split(":")[0] for one in said("nodes: [{name: train, model: dgx-h100, rack_units: 4}]")] == [
        "contradict-catalogue 2"
    ]


def test_one_figure_has_one_finding() -> None:
    found = said("nodes:\n  - name: train\n    gpu:\n      model: h100-sxm-80gb\n      memory: 800 GB\n")
    assert [one.split(":")[0] for one in found] == ["impossible-for-part 6"]


def test_a_waiver_with_its_reason_holds() -> None:
    text = (
        "nodes:\n  - name: train\n    model: dgx-h100\n"
        '    power: 8 kW  # designlint: ignore[numbers/contradict-catalogue] reason="capped by the site"\n'
    )
    assert said(text) == []


def test_a_proportion_of_a_kind_of_part_is_said_once() -> None:
    found = said("procurement: {orders: [{item: dgx-h200, category: server, quantity: 264, price: 79 USD}]}")
    assert [one.split("; ")[1] for one in found] == ["plausible ratios are between 10000 USD and 10 M USD"]
    found = said("procurement: {orders: [{item: file servers, category: server, quantity: 264, price: 79 USD}]}")
    assert [one.split("; ")[1] for one in found] == ["plausible ratios are between 2000 USD and 10 M USD"]


def test_no_number_is_too_large_for_what_is_only_known_at_least() -> None:
    plant = "generators: {count: 3, rating: 20 MW, protects: [compute, network, storage, management]}"
    train = "nodes: [{name: train, model: dgx-h100, count: 16, spares: 0}]\n"
    whole = f"{train}facility: {{other_power: 40 kW, {plant}}}"
    assert [one.split(",")[0] for one in said(whole)] == ["out-of-proportion 3: `rating` is 20 MW"]
    assert said(whole.replace("count: 16, ", "")) == []
    assert said(whole.replace("other_power: 40 kW, ", "")) == []


def test_a_proportion_names_both_numbers() -> None:
    assert said("facility: {cooling: {cdus: {count: 4, capacity: 700 kW, flow: 70 L/min}}}") == [
        "out-of-proportion 2: `flow` is 70 L/min, 0.1 L/min for each 1 kW of `capacity` (700 kW); "
        "known ratios are between 0.3 L/min and 6 L/min"
    ]
    assert said("nodes: [{name: login, count: 2, gpus: 0, host_memory: 512 GB}]") == []
