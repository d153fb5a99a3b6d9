"""Every command as its user calls it: output, exit codes, what goes to which stream."""

from __future__ import annotations

import functools
import gc
import inspect
import json
import os
import re
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
import yaml

from designlint.cli import check
from designlint.cli import main as cli
from designlint.cli.shared import quick
from designlint.configuration import foreign
from designlint.linting import merging
from tests.running import BAD, ROOT, designlint

if TYPE_CHECKING:
    from pathlib import Path

GOOD = b"designlint: 1\nname: hawk\n"


def test_exit_codes(tmp_path: Path) -> None:
    assert designlint("check", "-", stdin=GOOD).code == 0
    assert designlint("check", "-", stdin=BAD).code == 1
    assert designlint("check", "-", "--fail-on", "never", stdin=BAD).code == 0
    assert designlint("check", "-", "--fail-on", "unknown", stdin=GOOD).code == 1
    assert designlint("check", tmp_path / "nothing.yaml").code == 2
    assert designlint("check", "--no-such-option").code == 2
    assert designlint("no-such-command").code == 2


def test_a_bug_of_our_own_has_a_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("boom")

    monkeypatch.setattr(merging, "report", broken)
    monkeypatch.setattr("sys.argv", ["designlint", "check", str(ROOT / "examples/ten-lines")])
    try:
        with pytest.raises(SystemExit) as ended:
            cli.main()
    finally:
        gc.enable()  # a run of the command line needs none, the tests that follow in this process do
    assert ended.value.code == 3
    assert "boom" in capsys.readouterr().err
    assert foreign.BEFORE == []  # else what later reads foreign rules in this process would fork it


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.yaml", "b"],
        ["-", "--stdin-filename", "x.yaml"],
        ["--format", "json", "a", "--fail-on=never", "--rules", "r", "--rules=s"],
        ["--format=sarif=x.sarif", "a", "--format", "csv=b.csv", "--format", "text"],
        ["a=b.yaml", "--fail-on", "unknown"],
        [],
    ],
)
def test_plain_arguments_are_read_as_typer_reads_them(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[dict[str, Any]] = []
    signature = inspect.signature(check.command)

    def record(**given: Any) -> None:
        bound = signature.bind(**given)
        bound.apply_defaults()
        runs.append(bound.arguments)
        raise SystemExit(0)

    monkeypatch.setattr(check, "command", functools.wraps(check.command)(record))
    for start in (cli._check_quickly, lambda rest: cli.application(["check"])(["check", *rest])):
        with pytest.raises(SystemExit):
            start(arguments)
    assert runs[0] == runs[1]


@pytest.mark.parametrize("arguments", [["--help"], ["--format"], ["--unknown", "x"], ["--", "a"]])
def test_what_is_not_plain_is_left_to_typer(arguments: list[str]) -> None:
    assert quick.read_arguments(check.command, arguments) is None


def test_a_folder_is_searched_for_designs(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "deep" / "er" / "a.yaml").write_bytes(b"# licence\n---\n" + BAD)
    (tmp_path / "deep" / "b.yml").write_bytes(GOOD)
    (tmp_path / "deep" / "other.yaml").write_bytes(b"kind: Pod\n")
    (tmp_path / ".hidden" / "c.yaml").write_bytes(BAD)
    run = designlint("check", ".", "--format", "json", cwd=tmp_path)
    assert run.data["files"] == ["deep/b.yml", "deep/er/a.yaml"]


def test_a_design_named_twice_is_judged_once(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_bytes(BAD)
    run = designlint("check", "design.yaml", "./design.yaml", ".", "--format", "json", cwd=tmp_path)
    assert run.data["files"] == ["design.yaml"]
    assert len(run.data["findings"]) == 1


def test_no_design_is_never_a_success(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_bytes(b"kind: Pod\n")
    run = designlint("check", cwd=tmp_path)
    assert run.code == 2
    assert "no design found" in run.err


def test_a_hook_passes_over_what_is_no_design(tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_bytes(b"kind: Pod\n")
    (tmp_path / "broken.yaml").write_bytes(b"designlint: 1\nnodes: [\n")
    none = designlint("check", "pod.yaml", "--designs-only", cwd=tmp_path)
    assert (none.code, none.err) == (0, "")
    assert designlint("check", "--designs-only", "pod.yaml", "broken.yaml", cwd=tmp_path).code == 1
    assert designlint("check", "pod.yaml", cwd=tmp_path).code == 1
    assert designlint("check", "--designs-only", "gone.yaml", cwd=tmp_path).code == 2
    assert designlint("check", "--designs-only", "-", stdin=b"kind: Pod\n").code == 1


def test_standard_input_has_a_name() -> None:
    run = designlint("check", "-", "--stdin-filename", "infra/hawk.yaml", stdin=BAD)
    assert "infra/hawk.yaml:6:27" in run.out


def test_the_json_report_keeps_its_contract() -> None:
    schema = designlint("schema", "report").data
    for text in (GOOD, BAD, b"designlint: 1\nfabrics: [{name: a, speed: 4}]\n"):
        data = designlint("check", "-", "--format", "json", "--fail-on", "never", stdin=text).data
        jsonschema_rs.validate(schema, data)
        assert {"designlint", "summary", "findings", "not_judged", "files"} <= set(data)


def test_a_finding_in_json_tells_all() -> None:
    found = designlint("check", "-", "--format", "json", stdin=BAD).data["findings"]
    one = next(one for one in found if one["rule"] == "parallelism/tensor-beyond-scale-up-domain")
    assert one["severity"] == "error"
    assert one["location"] == {"file": "<stdin>", "line": 6, "column": 27, "end_line": 6, "end_column": 29}
    assert one["subject"] == "workloads/pretrain"
    assert one["values"]["tensor"]["value"] == 16
    assert one["values"]["scale_up_domain"]["origin"] == "dgx-h100 in the catalogue"
    assert "technical-guide/parallelism-tensor" in one["principles"]
    assert one["fixes"][0]["changes"] == [{"path": "workloads/pretrain/parallelism/tensor", "value": "8"}]
    assert one["fixes"][0]["proven"] is True


def test_what_is_unknown_is_counted_and_named() -> None:
    text = b"designlint: 1\nnodes: [{name: a, count: 4}]\nworkloads: [{name: w, parallelism: {tensor: 16}}]\n"
    data = designlint("check", "-", "--format", "json", stdin=text).data
    assert data["summary"]["judgements"]["unknown"] > 0
    waiting = [one for one in data["not_judged"] if one["rule"] == "parallelism/tensor-beyond-scale-up-domain"]
    assert [one["missing"] for one in waiting] == [["nodes/a/scale_up_domain", "nodes/a/gpus"]]
    assert "State next: " in designlint("check", "-", stdin=text).out
    assert "Stating these would decide" in designlint("check", "-", "--verbose", stdin=text).out


def test_colour_only_where_it_is_wanted() -> None:
    assert "\x1b[" not in designlint("check", "-", stdin=BAD).out
    assert "\x1b[" in designlint("check", "-", stdin=BAD, NO_COLOR="", FORCE_COLOR="1").out


def test_explain_proposes_a_spelling() -> None:
    missed = designlint("explain", "parallelism/tensor-beyond-scaleup-domain")
    assert missed.code == 2
    assert "did you mean `parallelism/tensor-beyond-scale-up-domain`?" in missed.err


def test_rules_lists_every_rule() -> None:
    text, data = designlint("rules").out, designlint("rules", "--format", "json").data
    assert [line.split()[0] for line in text.splitlines()] == [one["id"] for one in data]
    assert "parallelism/tensor-beyond-scale-up-domain" in text


def test_why_goes_down_to_the_lines_and_the_sources(tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_bytes(BAD)
    tree = designlint("why", file, "nodes/train/gpu_memory_per_server").out
    assert "= 640 GB" in tree
    assert "= gpus * memory" in tree
    assert "(catalogue: dgx-h100 [" in tree
    judged = designlint("why", file, "parallelism/tensor-beyond-scale-up-domain").out
    assert f"tensor = 16   {file}:6:27" in judged
    waits = designlint("why", file, "workloads/pretrain/state_memory").out
    assert "is unknown: it needs" in waits
    assert designlint("why", file, "no_such_fact").code == 2
    assert "nodes/train/pool_gpus = 32" in designlint("why", file).out


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")  # rdflib's own, in its JSON-LD reader
def test_graph_is_read_by_rdflib_in_every_syntax(tmp_path: Path) -> None:
    import rdflib

    file = tmp_path / "design.yaml"
    file.write_bytes(BAD)
    read = [
        rdflib.Graph().parse(data=designlint("graph", file, "--format", syntax).out, format=name)
        for syntax, name in (("turtle", "turtle"), ("n-triples", "nt"), ("json-ld", "json-ld"))
    ]
    pool, total = rdflib.URIRef("design:nodes/train"), rdflib.URIRef("https://w3id.org/designlint/ns#pool_gpus")
    assert [graph.value(pool, total) for graph in read] == [rdflib.Literal(32)] * 3
    fact = rdflib.URIRef("design:nodes/train#pool_gpus")
    derived = set(read[0].objects(fact, rdflib.URIRef("http://www.w3.org/ns/prov#wasDerivedFrom")))
    assert rdflib.URIRef("design:nodes/train#count") in derived


def test_query_answers_in_rows(tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_bytes(BAD)
    sparql = "SELECT ?pool ?gpus WHERE { ?pool :pool_gpus ?gpus . ?pool a :NodePool }"
    assert designlint("query", file, sparql).out == "pool\tgpus\nnodes/train\t32\n"
    assert designlint("query", file, sparql, "--format", "json").data == [{"pool": "nodes/train", "gpus": 32}]
    for wrong in ("SELECT", "ASK { ?a ?b ?c }", "SELECT * { ?a ?b 1SERVICE <http://localhost/> {} }"):
        run = designlint("query", file, wrong)
        assert (run.code, run.out) == (2, "")


def test_schema_knows_a_good_design_from_a_bad_one() -> None:
    schema = designlint("schema").data
    validator = jsonschema_rs.Draft202012Validator(schema)
    assert validator.is_valid({"designlint": 1, "nodes": [{"name": "a", "gpu": "h100-sxm-80gb", "power": "10 kW"}]})
    assert not validator.is_valid({"designlint": 1, "nodes": [{"name": "a", "cuont": 1}]})
    assert not validator.is_valid({"designlint": 1, "nodes": [{"name": "a", "power": 10}]})


def test_init_writes_a_design_without_errors(tmp_path: Path) -> None:
    assert designlint("init", cwd=tmp_path).code == 0
    assert designlint("init", cwd=tmp_path).code == 2
    run = designlint("check", "design.yaml", "--format", "json", cwd=tmp_path)
    assert run.data["summary"]["errors"] == 0, run.out
    assert run.data["summary"]["warnings"] == 0, run.out


def test_the_schema_that_init_points_to_is_there_and_fits(tmp_path: Path) -> None:
    run = designlint("init", "infra/cluster.yaml", cwd=tmp_path)
    assert run.code == 2
    (tmp_path / "infra").mkdir()
    assert designlint("init", "infra/cluster.yaml", cwd=tmp_path).code == 0
    text = (tmp_path / "infra/cluster.yaml").read_text("utf-8")
    named = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
    assert named is not None
    schema = json.loads((tmp_path / "infra" / named[1]).read_text("utf-8"))
    jsonschema_rs.validate(schema, yaml.safe_load(text))
    (tmp_path / "infra" / named[1]).write_text("mine", "utf-8")
    assert designlint("init", "infra/other.yaml", cwd=tmp_path).code == 0
    assert (tmp_path / "infra" / named[1]).read_text("utf-8") == "mine"


def test_completion_is_offered() -> None:
    assert "_DESIGNLINT_COMPLETE" in designlint("completion", "bash").out
    assert "completion for the current shell" not in designlint("--help").out
    done = designlint(_DESIGNLINT_COMPLETE="complete_bash", COMP_WORDS="designlint ch", COMP_CWORD="1")
    assert "check" in done.out


def test_the_same_input_gives_the_same_bytes() -> None:
    runs = {designlint("check", "-", "--format", "json", stdin=BAD, PYTHONHASHSEED=str(seed)).out for seed in range(4)}
    assert len(runs) == 1
    graphs = {designlint("graph", ROOT / "ontology/starter.yaml", PYTHONHASHSEED=str(seed)).out for seed in range(3)}
    assert len(graphs) == 1


def test_output_survives_a_narrow_encoding() -> None:
    run = designlint("check", "-", stdin="designlint: 1\nZürich: 1\n".encode(), PYTHONIOENCODING="ascii", LC_ALL="C")
    assert run.code == 1
    assert "Zürich" in run.out


def test_json_holds_no_bare_line_of_text() -> None:
    assert json.loads(designlint("check", "-", "--format", "json", stdin=GOOD).out)["findings"] == []


def test_evidence_runs_out_as_of_the_day_of_the_run() -> None:
    text = b"designlint: 1\nevidence: [{for: training-cluster-195/step-93, by: a, on: 2026-01-01, until: 2027-01-01}]\n"
    for today, rules in (("2026-12-31", []), ("2027-01-02", ["evidence/expired"])):
        data = designlint("check", "-", "--format", "json", "--today", today, stdin=text).data
        assert [one["rule"] for one in data["findings"] if one["rule"] == "evidence/expired"] == rules
    assert designlint("check", "-", "--today", "tomorrow", stdin=text).code == 2


def test_evidence_for_an_unknown_principle_is_found() -> None:
    text = b"designlint: 1\nevidence: [{for: training-cluster-195/step-1950}]\n"
    found = designlint("check", "-", "--format", "json", stdin=text).data["findings"]
    assert [one["values"]["proposal"]["text"] for one in found if one["rule"] == "shape/unknown-principle"] == [
        "training-cluster-195/step-195"
    ]


def test_odd_places_are_refused_in_words(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    for command in ("check", "why", "graph"):
        assert designlint(command, tmp_path / "pipe.yaml").code == 2
    assert designlint("why", tmp_path / "nothing.yaml").code == 2
    assert designlint("new", "rule", "a/b", "--folder", "/dev/null").code == 2
    assert designlint("query", ROOT / "examples/ten-lines/design.yaml", "SELECT * {" + "(" * 300).code == 2
