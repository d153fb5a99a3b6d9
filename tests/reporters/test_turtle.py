"""The report in RDF is read by rdflib, keeps the shapes of SHACL reports and EARL by pySHACL, and tells every judgement."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest
from rdflib import PROV, RDF, SH, Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection
from tests import hostile
from tests.reporters.conftest import checked
from tests.running import BAD, ROOT, designlint

from designlint.graph.rdf import iri

if TYPE_CHECKING:
    from tests.reporters.conftest import Checked

EARL = Namespace("http://www.w3.org/ns/earl#")
NS = Namespace("https://w3id.org/designlint/ns#")
OUTCOMES = {"pass": "passed", "fail": "failed", "unknown": "cantTell", "not_applicable": "inapplicable"}


@cache
def parsed(text: str) -> Graph:
    """Turtle as rdflib reads it."""
    return Graph().parse(data=text, format="turtle")


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")  # pySHACL uses what rdflib is about to drop
def test_pyshacl_finds_the_report_in_shape(reports: Checked) -> None:
    import pyshacl  # takes long, and only the worker that gets this file needs it

    if reports.file.startswith("sub"):  # thousands of judgements about names of 10,000 letters: parsing is enough
        assert len(parsed(reports["turtle"])) > 1000
        return
    conforms, _, text = pyshacl.validate(
        parsed(reports["turtle"]), shacl_graph=str(ROOT / "tests/schemas/validation-report.shacl.ttl")
    )
    assert conforms, text[:2000]


def test_every_judgement_is_an_assertion(reports: Checked) -> None:
    data, graph = json.loads(reports["json"]), parsed(reports["turtle"])
    told = Counter(str(one).removeprefix(EARL) for one in graph.objects(None, EARL.outcome))
    judged = {OUTCOMES[name]: number for name, number in data["summary"]["judgements"].items() if number}
    read = sum(1 for one in data["findings"] if one["rule"].split("/")[0] in ("shape", "syntax"))
    if reports.folder != ROOT:
        assert told == Counter(judged) + Counter({"failed": read} if read else {})
    assertions = set(graph.subjects(RDF.type, EARL.Assertion))
    assert len(assertions) == sum(told.values())


def test_results_are_the_findings_that_count(reports: Checked) -> None:
    data, graph = json.loads(reports["json"]), parsed(reports["turtle"])
    results = set(graph.objects(None, SH.result))
    assert len(results) == len(data["findings"])
    assert {str(one) for one in graph.objects(None, SH.resultMessage)} >= {
        one["message"] for one in data["findings"] if one["message"].isprintable()
    }
    for report in graph.subjects(RDF.type, SH.ValidationReport):
        assert graph.value(report, SH.conforms) == Literal(graph.value(report, SH.result) is None)


def test_a_result_says_what_where_and_by_which_rule() -> None:
    graph = parsed(checked("hawk-4096")["turtle"])
    rule = URIRef("https://w3id.org/designlint/rules/parallelism/tensor-beyond-scale-up-domain")
    result = graph.value(None, SH.sourceShape, rule)
    assert result is not None
    assert graph.value(result, SH.focusNode) == URIRef("design:workloads/pretrain")
    assert graph.value(result, SH.value) == Literal(16)
    assert graph.value(result, SH.resultSeverity) == SH.Violation
    path = graph.value(result, SH.resultPath)
    assert path is not None
    assert list(Collection(graph, path)) == [NS.parallelism, NS.tensor]
    pointer = graph.value(result, EARL.pointer)
    assert str(pointer) == "urn:designlint:file:design.yaml#91:15"
    (assertion,) = graph.subjects(EARL.result, result)
    assert graph.value(assertion, EARL.test) == rule
    (run,) = graph.subjects(RDF.type, PROV.Activity)
    assert graph.value(assertion, PROV.wasGeneratedBy) == run


def test_focus_nodes_are_those_of_the_graph() -> None:
    known = set(Graph().parse(data=designlint("graph", "examples/hawk-4096/design.yaml").out).subjects())
    graph = parsed(checked("hawk-4096")["turtle"])
    assert set(graph.objects(None, SH.focusNode)) <= known


def test_accepted_findings_are_failed_judgements_and_no_results() -> None:
    graph = parsed(checked("by hand")["turtle"])
    ways = Counter(map(str, graph.objects(None, NS.accepted_how)))
    assert sum(ways.values()) == len(hostile.TEXTS)
    for one in graph.subjects(NS.accepted_how, None):
        assert graph.value(one, EARL.outcome) == EARL.failed
        assert graph.value(None, SH.result, one) is None


def test_a_run_is_known_by_what_went_in() -> None:
    def run(text: bytes, *options: str) -> str:
        (found,) = re.findall(r"^<(urn:designlint:run:\w+)> a prov:Activity", turtle(text, *options), re.MULTILINE)
        return str(found)

    def turtle(text: bytes, *options: str) -> str:
        return designlint("check", "-", "--format", "turtle", *options, stdin=text).out

    assert run(BAD) == run(BAD)
    assert len({run(BAD), run(BAD + b"# more\n"), run(BAD, "--today", "2026-11-20")}) == 3


def test_an_iri_of_any_path_is_one() -> None:
    for text in (*hostile.TEXTS, "\ud800", "%", "%zz", "100%"):
        assert iri(text).value.startswith("design:")
