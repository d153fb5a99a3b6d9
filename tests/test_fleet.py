"""Designs in a SPARQL store: the rules say there what they say in place, for every example and every published design."""

from __future__ import annotations

import random
import re
import threading
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pyoxigraph as ox
import pytest
from tools import virtuoso
from tools.fleet import design as generated

from designlint.compiler.examples import of_rule
from designlint.configuration import Policy, engine
from designlint.fleet import client, loading, questions
from designlint.fleet.client import Client
from designlint.fleet.judging import StoreJudging
from designlint.graph import fleet
from designlint.judging.judge import judge_design
from designlint.language.vocabulary import NAMESPACE
from designlint.linting import pipeline
from designlint.reading.errors import UsageError
from tests.corpus.convert import designs
from tests.running import ROOT, designlint

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EXAMPLES = sorted(str(path) for path in ROOT.glob("examples/*/design.yaml"))
#: Published designs in each store, generated ones, and broken ones with words that cannot be read.
SAMPLES, GENERATED = {"standard": 50, "real": 25}, 6
BROKEN = """\
designlint: 1
nodes: [{name: train, model: dgx-h100, count: 4, gpu: 7}]
workloads: [{name: a b, parallelism: {tensr: 4}}]
"""
VERDICTS = {"pass", "fail", "unknown", "not applicable"}


class _Oxigraph(BaseHTTPRequestHandler):
    """An engine that keeps to the standard: query, update and graph store over one store in memory."""

    store: ox.Store
    seen: list[str]

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        fields = {name: values[0] for name, values in parse_qs(text).items()}
        self.seen.append(self.headers.get("Authorization") or "")
        try:
            if self.path == "/update":
                self.store.update(fields["update"])
                self._answer(204, b"")
                return
            found = self.store.query(fields["query"])
            assert isinstance(found, ox.QuerySolutions | ox.QueryBoolean)
            self._answer(200, found.serialize(format=ox.QueryResultsFormat.JSON) or b"")
        except (SyntaxError, ValueError) as error:
            self._answer(400, str(error).encode())

    def do_PUT(self) -> None:
        name = ox.NamedNode(parse_qs(urlsplit(self.path).query)["graph"][0])
        data = self.rfile.read(int(self.headers["Content-Length"]))
        self.store.remove_graph(name)
        self.store.load(data, format=ox.RdfFormat.N_TRIPLES, to_graph=name)
        self._answer(204, b"")

    def _answer(self, code: int, body: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Type", "application/sparql-results+json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def serving() -> Iterator[str]:
    """The address of an empty store."""
    handler = type("Handler", (_Oxigraph,), {"store": ox.Store(), "seen": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/query"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def standard() -> Iterator[str]:
    with serving() as url:
        yield url


@pytest.fixture
def empty() -> Iterator[str]:
    with serving() as url:
        yield url


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if virtuoso.missing():
        pytest.skip(f"judging in Virtuoso is left out: {virtuoso.missing()}")
    with pytest.MonkeyPatch.context() as patch, virtuoso.running(tmp_path_factory.mktemp("virtuoso")) as url:
        for name, value in virtuoso.CREDENTIALS.items():
            patch.setenv(name, value)
        yield url


@pytest.fixture(scope="module", params=["standard", "real"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Client, list[str]]:
    """A store with all designs in it, and their files."""
    folder = tmp_path_factory.mktemp("designs")
    published = [one.yaml for one in designs()]
    texts = random.Random(15).sample(published, SAMPLES[request.param])
    texts += [*(generated(number) for number in range(GENERATED)), BROKEN]
    about_numbers = [rule for rule in engine.shipped_engine().rules.values() if rule.sweep]
    texts += [one.design for rule in about_numbers for one in of_rule(rule, engine.shipped_engine().vocabulary)]
    for number, text in enumerate(texts):
        (folder / f"design {number}.yaml").write_text(text, "utf-8")
    paths = [*EXAMPLES, *sorted(str(path) for path in folder.iterdir())]
    found = Client(request.getfixturevalue(request.param))
    loading.load(found, paths, Policy(), "2026-03-01", provenance=False)
    return found, paths


@cache
def in_place(path: str) -> dict[tuple[str, str], str]:
    """The verdicts on a design by rule and subject, without a store."""
    return {key: str(one) for key, one in judge_design(pipeline.load(path)).verdicts.items()}


def test_rules_say_in_a_store_what_they_say_in_place(store: tuple[Client, list[str]]) -> None:
    asked, paths = store
    said: dict[str, dict[tuple[str, str], str]] = {}
    for one in StoreJudging(asked, engine.shipped_engine(), every=True).verdicts():
        said.setdefault(one.design, {})[one.rule, one.subject] = str(one.verdict)
    for path in paths:
        here = in_place(path)
        there = said[path]
        differing = {
            key: (there.get(key), here.get(key))
            for key in here.keys() | there.keys()
            if there.get(key) != here.get(key)
        }
        assert differing == {}, path
    assert {verdict for verdicts in said.values() for verdict in verdicts.values()} == {
        "pass",
        "fail",
        "unknown",
        "not applicable",
    }


def test_every_rule_about_numbers_fails_somewhere_in_the_store(store: tuple[Client, list[str]]) -> None:
    rules = {name for name, one in engine.shipped_engine().rules.items() if one.sweep}
    assert {
        one.rule for one in StoreJudging(store[0], engine.shipped_engine().narrow(sorted(rules))).verdicts()
    } >= rules


def test_the_queries_of_a_rule_about_numbers_can_be_read() -> None:
    told = designlint("explain", "--sparql", "numbers/never-seen").out
    assert 'a :Facility ; :states "energy_price" ; :energy_price ?value' in told
    with_one = [one for one in told.split("\n\n") if '"energy_price"' in one]
    ox.Store().query(with_one[0])


def test_designs_of_the_demonstration_differ_in_more_than_their_name() -> None:
    texts = [generated(number) for number in range(3000)]
    assert len({text.replace(f"site-{number}\n", "") for number, text in enumerate(texts)}) == len(texts)


def test_only_failures_come_back_where_nothing_else_is_asked(store: tuple[Client, list[str]]) -> None:
    asked, paths = store
    failed = {(one.design, one.rule, one.subject) for one in StoreJudging(asked, engine.shipped_engine()).verdicts()}
    here = {(path, *key) for path in paths for key, one in in_place(path).items() if one == "fail"}
    assert failed == here


def test_every_shipped_question_is_answered(store: tuple[Client, list[str]]) -> None:
    asked, paths = store
    answers = {one.name: questions.answer(asked, one.name, {}) for one in questions.shipped_questions()}
    assert len(answers) == 10
    errors = {row["design"]: int(row["errors"]) for row in answers["errors"][1]}
    for path in EXAMPLES:
        found = pipeline.lint(pipeline.load(path).document, engine.shipped_engine(), repair=False).findings
        assert errors.get(path, 0) == sum(one.severity == "error" for one in found)
    fabrics = {(row["design"], row["fabric"]) for row in answers["roce-without-pfc"][1]}
    wanted = {
        path for path in paths if re.search(r"technology: roce-v2\n    speed: 400 Gbit/s\n    pfc: false", _text(path))
    }
    assert wanted <= {design for design, _ in fabrics}
    assert not {design for design, _ in fabrics} & {path for path in paths if "roce" not in _text(path)}


def _text(path: str) -> str:
    from pathlib import Path

    return Path(path).read_text("utf-8")


def test_findings_that_came_after_a_day_are_told_apart(store: tuple[Client, list[str]], tmp_path: Path) -> None:
    asked, _ = store
    file = tmp_path / "grown.yaml"
    hawk = (ROOT / "examples/hawk-4096/design.yaml").read_text("utf-8")
    file.write_text(hawk.replace("tensor: 16", "tensor: 8").replace("interval: 20 min", "interval: 21 min"), "utf-8")
    loading.load(asked, [str(file)], Policy(), "2026-04-01", provenance=False)
    file.write_text(hawk, "utf-8")
    loading.load(asked, [str(file)], Policy(), "2026-05-01", provenance=False)
    grown = [questions.answer(asked, "grown-since", {"day": day})[1] for day in ("2026-04-01", "2026-05-01")]
    april, may = ({row["finding"] for row in rows if row["design"] == str(file)} for rows in grown)
    assert "parallelism/tensor-beyond-scale-up-domain workloads/pretrain" in april
    assert may == set()


def test_the_commands_load_judge_and_ask(empty: str, tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_text((ROOT / "examples/hawk-4096/design.yaml").read_text("utf-8"), "utf-8")
    loaded = designlint("graph", str(file), "--to", empty)
    assert loaded.code == 0
    assert loaded.out.startswith("1 design, ")
    checked = designlint("check", "--from", empty)
    assert checked.code == 1
    assert f"{file}: error[parallelism/tensor-beyond-scale-up-domain] workloads/pretrain: " in checked.out
    assert "Text and shape are checked from files only; " in checked.out
    assert "in 1 design of the store" in checked.out
    assert "another version" not in checked.out
    asked = designlint("query", "--from", empty, "errors", "--format", "json")
    assert {"design": str(file), "errors": "3", "warnings": "3"} in asked.data
    fact = "<design:workloads/pretrain/parallelism#tensor>"
    origin = f"SELECT ?line WHERE {{ GRAPH <{fleet.graph_name(str(file))}> {{ {fact} :line ?line }} }}"
    assert f"{file}:91" in designlint("query", "--from", empty, origin).out
    assert "roce-without-pfc: " in designlint("query", "--from", empty).out
    misspelt = designlint("query", "--from", empty, "SELECT ?d { GRAPH ?d { ?d :lodaed ?x } }")
    assert "`:lodaed` is not a word of the vocabulary and matches nothing; did you mean `:loaded`?" in misspelt.err


def test_an_empty_store_and_one_of_another_version_say_so(empty: str) -> None:
    nothing = designlint("check", "--from", empty)
    assert nothing.code == 2
    assert "holds no design; load some with `designlint graph DESIGNS --to " in nothing.err
    found = Client(empty)
    loading.load(found, [EXAMPLES[0]], Policy(), "2026-04-01", provenance=False)
    old = f"?d <{NAMESPACE}designlint_version> ?v"
    found.update(
        f"DELETE {{ GRAPH ?d {{ {old} }} }} "
        f'INSERT {{ GRAPH ?d {{ ?d <{NAMESPACE}designlint_version> "0.0.9" }} }} WHERE {{ GRAPH ?d {{ {old} }} }}'
    )
    assert "1 of 1 loaded by a version other than " in designlint("check", "--from", empty).out


def test_all_that_a_store_says_besides_the_language_is_known_to_queries(store: tuple[Client, list[str]]) -> None:
    vocabulary = engine.shipped_engine().vocabulary
    known = {*vocabulary.classes, *(word for words in vocabulary.classes.values() for word in words), *questions.WORDS}
    query = "SELECT DISTINCT ?x WHERE { GRAPH ?d { { ?s ?x ?o } UNION { ?s a ?x } } }"
    said = {row["x"].removeprefix(NAMESPACE) for row in store[0].select(query) if row["x"].startswith(NAMESPACE)}
    assert said - known == set()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("graph", "examples/hawk-4096/design.yaml", "--to", "ftp://host/x"), "is not the address of a SPARQL store"),
        (
            ("graph", "examples/hawk-4096/design.yaml", "--to", "http://me:secret@127.0.0.1:1/sparql"),
            "do not belong in an address",
        ),
        (("check", "--from", "http://127.0.0.1:1/sparql"), "cannot be reached"),
        (("graph", "examples/hawk-4096/design.yaml", "--to", "http://127.0.0.1:1/query"), "cannot be reached"),
        (("check", "examples", "--from", "http://127.0.0.1:1/sparql"), "takes no paths"),
        (("query", "--from", "http://127.0.0.1:1/sparql", "erors"), "did you mean `errors`?"),
    ],
)
def test_wrong_stores_are_refused(arguments: tuple[str, ...], told: str) -> None:
    run = designlint(*arguments, cwd=ROOT)
    assert run.code == 2
    assert told in run.err
    assert "secret" not in run.out


def test_credentials_come_from_the_environment_and_go_nowhere_else(
    standard: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(client.TOKEN, "t0ken")
    found = Client(standard)
    assert found.select("SELECT (1 AS ?x) {}") == [{"x": "1"}]
    with pytest.raises(UsageError, match="takes no value"):
        questions.answer(found, "errors", {"day": "2026-01-01"})
    with pytest.raises(UsageError, match="not a plain value"):
        questions.answer(found, "grown-since", {"day": "x> { } DROP ALL"})
