"""What holds for every design: what is not said is never judged, and how a thing is said changes nothing."""

from __future__ import annotations

import copy
import json
import re
from decimal import Decimal
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.design.export import serialize
from designlint.findings.model import Severity, Verdict
from designlint.linting import pipeline
from designlint.reading import read_bytes
from designlint.reporters import json as reporter
from designlint.reporters import text as printer
from designlint.reporters.shared.options import RenderOptions

from .corpus.convert import designs
from .omissions import Omissions, checked
from .running import ROOT, designlint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from designlint.design.design import Design
    from designlint.findings.model import Finding
    from designlint.judging.result import Result

Data = Any
Place = tuple[str | int, ...]

#: Published rows that between them use most words of the converter: dense and expert models, runs and fabrics.
PUBLISHED = (
    "megascale-175b-3072-ms",
    "bridge-26.02.01-gb200-qwen3-30b-a3b-mxfp8-8gpu",
    "foundry-h100-80gb-3b-s16384-8gpu-mbs1-amp_bf16",
    "quantum-x800-2tier-max",
)
#: Designs of which every stated fact is left out once; larger ones would take minutes.
TAKEN_APART = ("llama3-405b", "moe-175b", "ten-lines", "starter", *PUBLISHED)
#: Words whose silence the language or a rule reads as an answer, beside those with a default in the ontology.
SPOKEN_BY_SILENCE = {"uneven_stages"}
#: A unit of the examples, another one, and how many of the other make one.
SAME_SIZE = (
    ("Gbit/s", "Tbit/s", "0.001"),
    ("GB", "MB", "1000"),
    ("GB/s", "TB/s", "0.001"),
    ("kW", "W", "1000"),
    ("MW", "kW", "1000"),
    ("min", "s", "60"),
    ("days", "h", "24"),
    ("h", "min", "60"),
)
#: Scalars that users and their enemies write.
SCALARS = [
    "0", "1", "8", "-1", "1e18", "1e400", ".nan", "1.5", "true", "null", "''", "400 Gbit/s", "0 Gbit/s", "80 GB", "10 kW", "60 %",
    "2026-02-30", "2026-10-01", "45 min", "0 s", "h100-sxm-80gb", "dgx-h100", "'a/b #c'", "[]", "{}", "x",
]  # fmt: skip
#: What needs no quotes in brackets.
BARE = re.compile(r"[\w.-][\w .%/+-]*|'[^']*'|\[\]|\{\}")


def load(text: str) -> Data:
    """A design as plain data, every scalar as it is spelt."""
    return yaml.load(text, Loader=yaml.CBaseLoader)


def dump(data: Data) -> str:
    """Plain data as a design, in flow style; every scalar as it was spelt."""
    if isinstance(data, dict):
        return "{" + ", ".join(f"{key}: {dump(value)}" for key, value in data.items()) + "}"
    if isinstance(data, list):
        return "[" + ", ".join(map(dump, data)) + "]"
    return str(data) if BARE.fullmatch(data) else json.dumps(data)


def design(text: str) -> Design:
    """A text, read for all shipped rules."""
    return read_design(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine())


def lint(text: str) -> Result:
    """The answer of all shipped rules, without fixes."""
    return pipeline.lint(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine(), repair=False)


@cache
def texts() -> dict[str, str]:
    """The shipped designs and some published ones, by name."""
    shipped = {path.parent.name: path.read_text("utf-8") for path in sorted(ROOT.glob("examples/*/design.yaml"))}
    shipped["starter"] = (ROOT / "ontology/starter.yaml").read_text("utf-8")
    return shipped | {case.id: case.yaml for case in designs() if case.id in PUBLISHED}


def places(data: Data, at: Place = ()) -> Iterator[Place]:
    """Every key and item below, outermost first."""
    steps: list[Any] = (
        list(data) if isinstance(data, dict) else list(range(len(data))) if isinstance(data, list) else []
    )
    for step in steps:
        yield (*at, step)
        yield from places(data[step], (*at, step))


def without(data: Data, place: Place) -> Data:
    """The data with one key or item left out."""
    copied = holder = copy.deepcopy(data)
    for step in place[:-1]:
        holder = holder[step]
    del holder[place[-1]]
    return copied


def verdicts(result: Result) -> dict[tuple[str, str], Verdict]:
    """What each rule says of each subject."""
    return {(one.rule, one.subject): one.verdict for one in result.outcomes}


def told(result: Result) -> list[tuple[str, str, str, str]]:
    """The findings without their places."""
    return sorted((one.rule, one.subject, one.message, one.remedy) for one in result.findings)


def errors(findings: Iterable[Finding]) -> set[tuple[str, str]]:
    """Rule and subject of every error."""
    return {(one.rule, one.subject) for one in findings if one.severity is Severity.ERROR}


@cache
def assumed() -> set[str]:
    """Words that mean something when they are left out."""
    classes = engine.shipped_engine().vocabulary.classes.values()
    return SPOKEN_BY_SILENCE | {word.name for words in classes for word in words.values() if word.default is not None}


@pytest.mark.parametrize("name", TAKEN_APART)
def test_a_fact_left_out_neither_acquits_nor_accuses(name: str) -> None:
    data = load(texts()[name])
    omissions = Omissions(dump(data), checked, errors)
    failed = {key for key, verdict in omissions.judged.verdicts.items() if verdict is Verdict.FAIL}
    wrong = []
    for place in places(data):
        if place[-1] in ("designlint", "name") or place[-1] in assumed() or isinstance(place[-1], int):
            continue
        if any(word in assumed() for word in _words_below(data, place)):
            continue
        after = omissions.without(place, partial(lambda one: dump(without(data, one)), place))
        acquitted = [key for key in failed if after.verdicts.get(key) is Verdict.PASS]
        if acquitted or after.new:
            wrong.append((place, acquitted, after.new))
    assert wrong == []


def _words_below(data: Data, place: Place) -> set[str]:
    for step in place:
        data = data[step]
    return {str(below[-1]) for below in places(data)}


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(["hawk-4096", "moe-175b", "llama3-405b"]), st.randoms(use_true_random=False))
def test_the_order_of_words_changes_nothing(name: str, random: Any) -> None:
    def shuffled(data: Data) -> Data:
        if isinstance(data, list):
            return [shuffled(one) for one in data]
        if not isinstance(data, dict):
            return data
        keys = random.sample(sorted(data), len(data))
        return {key: shuffled(data[key]) for key in keys}

    data = load(texts()[name])
    before, after = lint(dump(data)), lint(dump(shuffled(data)))
    assert verdicts(after) == verdicts(before)
    assert told(after) == told(before)


@pytest.mark.parametrize("name", ["hawk-4096", "moe-175b"])
def test_quotes_and_brackets_change_nothing(name: str) -> None:
    data = load(texts()[name])
    before = lint(dump(data))
    quoted = re.sub(r"(?<=: )(\d+)(?=[,}])", r'"\1"', dump(data))
    block = yaml.safe_dump(yaml.safe_load(dump(data)), default_flow_style=False, sort_keys=False)
    assert quoted.count('"') > dump(data).count('"') + 20
    for text in (quoted, block):
        after = lint(text)
        assert verdicts(after) == verdicts(before)
        assert told(after) == told(before)


@pytest.mark.parametrize("name", sorted(texts()))
def test_the_unit_of_a_value_changes_nothing(name: str) -> None:
    before = lint(texts()[name])
    for unit, other, size in SAME_SIZE:
        pattern = re.compile(rf"(?<=[ :])(\d+(?:\.\d+)?) {re.escape(unit)}(?=[\s,}}\]])")
        changed = _in_other_units(texts()[name], pattern, other, Decimal(size))
        if changed != texts()[name]:
            after = lint(changed)
            assert verdicts(after) == verdicts(before), f"{unit} as {other}"
            assert told(after) == told(before), f"{unit} as {other}"


def _in_other_units(text: str, pattern: re.Pattern[str], other: str, size: Decimal) -> str:
    return pattern.sub(lambda match: f"{Decimal(match[1]) * size:f} {other}", text)


@st.composite
def any_design(draw: st.DrawFn, cls: str = "Design", depth: int = 0) -> str:
    """A design in flow style: words of the language, values that may or may not suit them."""
    words = engine.shipped_engine().vocabulary.classes[cls]
    names = [name for name, word in words.items() if word.written and name not in ("designlint", "extends")]
    parts = ["designlint: 1"] if cls == "Design" else []
    for name in draw(st.lists(st.sampled_from(names), max_size=9 if depth < 2 else 4, unique=True)):
        word = words[name]
        if word.form in ("part", "parts") and draw(st.integers(0, 9)):
            many = 1 if word.form == "part" else draw(st.integers(0, 3))
            inner = [draw(any_design(word.kind, depth + 1)) for _ in range(many)] if depth < 4 else ["{}"]
            value = inner[0] if word.form == "part" else f"[{', '.join(inner)}]"
        else:
            value = draw(st.sampled_from([*SCALARS, *filter(None, [word.example] * 6)]))
            value = value if BARE.fullmatch(value) else json.dumps(value)
        parts.append(f"{name}: {value}")
    return "{" + ", ".join(parts) + "}"


@cache
def report_schema() -> jsonschema_rs.Draft202012Validator:
    """The published shape of a report."""
    schema = json.loads((ROOT / "ontology/generated/report.schema.json").read_text("utf-8"))
    return jsonschema_rs.Draft202012Validator(schema)


def _no_number(name: str) -> Any:
    raise AssertionError(f"{name} is no JSON")


@settings(max_examples=100, deadline=None)
@given(any_design())
def test_any_design_is_reported_in_the_published_shape(text: str) -> None:
    result = lint(text)
    report = result.report()
    report_schema().validate(json.loads(reporter.render(report, RenderOptions()), parse_constant=_no_number))
    end = result.design.document.text.count("\n") + 1
    for one in report.findings:
        assert 1 <= one.location.line <= one.location.end_line <= end
        assert one.location.column >= 1
    printer.render(report, RenderOptions()).encode()


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")
@settings(max_examples=20, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]), min_size=1, max_size=12))
def test_any_name_is_an_iri_of_its_own(name: str) -> None:
    import rdflib

    quoted = json.dumps(name, ensure_ascii=False)
    text = f"designlint: 1\nnodes: [{{name: {quoted}, model: dgx-h100, count: 4}}, {{name: 'other', count: 2}}]\n"
    graph = rdflib.Graph().parse(data=serialize(design(text).with_provenance(), "turtle"), format="turtle")
    pools = set(graph.subjects(rdflib.RDF.type, rdflib.URIRef("https://w3id.org/designlint/ns#NodePool")))
    assert len(pools) == 2


def test_the_published_schema_accepts_what_ran_and_rejects_plain_faults() -> None:
    schema = json.loads((ROOT / "ontology/generated/design.schema.json").read_text("utf-8"))
    validator = jsonschema_rs.Draft202012Validator(schema)
    every = texts() | {case.id: case.yaml for case in designs()}
    assert {name: str(one) for name, text in every.items() for one in validator.iter_errors(_typed(text))} == {}
    for fault in ("nodes: {}", "nodes: [{count: 4}]", "nodes: [{name: a, cuont: 4}]", "nodes: [{name: a, power: 10}]",
                  "nodes: [{name: a, pool_gpus: 3}]", "fabrics: [{name: a, technology: foo}]",
                  "scheduler: {gang_scheduling: maybe}", "procurement: {launch: soon}", "name: [a]"):  # fmt: skip
        assert lint(f"designlint: 1\n{fault}\n").findings, fault
        assert not validator.is_valid(_typed(f"designlint: 1\n{fault}\n")), fault


def _typed(text: str) -> Data:
    """A design as an editor's YAML 1.2 reader types it."""
    root = read_bytes(text.encode(), "design.yaml").root

    def plain(node: Any) -> Data:
        if node.kind == "map":
            return {key: plain(child) for key, child in node.entries.items()}
        return [plain(child) for child in node.items] if node.kind == "list" else node.scalar()

    return plain(root)


def test_a_whole_report_is_the_same_bytes_whatever_the_hash_seed() -> None:
    runs = {designlint("check", "examples", PYTHONHASHSEED=str(seed), cwd=ROOT).out for seed in range(3)}
    assert len(runs) == 1
