"""Principles as data: every step and document is there, every statement reads well, every citation leads somewhere."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from designlint.compiler import principles
from designlint.compiler.principles import Principle
from designlint.configuration import engine
from designlint.language.vocabulary import PRINCIPLE
from designlint.reading.errors import AuthoringError
from designlint.report import coverage

DOCUMENTS = {
    "orchestration-architect",
    "supercluster-10k",
    "technical-guide",
    "training-architect",
    "training-cluster-195",
}
HEAD = """
@prefix : <https://w3id.org/designlint/ns#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix src: <https://w3id.org/designlint/source#> .
"""


@pytest.fixture(scope="module")
def known() -> Mapping[str, Principle]:
    return principles.shipped_principles()


def entry(name: str = "technical-guide/x", source: str = "technical-guide", judge: str = "rule") -> str:
    return f"""<{PRINCIPLE}{name}> a :Principle ; dcterms:source src:{source} ; :place "p" ; :phase "f" ;
        :topic "t" ; :judged_by "{judge}" ; :statement "S." .\n"""


def folder(path: Path, *files: str) -> Path:
    for number, text in enumerate(files):
        (path / f"{number}.ttl").write_text(HEAD + text, "utf-8")
    return path


def test_every_step_has_an_entry(known: dict[str, Principle]) -> None:
    steps = {name for name in known if name.startswith("training-cluster-195/step-")}
    assert steps == {f"training-cluster-195/step-{number}" for number in range(1, 196)}
    for number in range(1, 196):
        assert known[f"training-cluster-195/step-{number}"].place == f"step {number}"


def test_every_document_has_entries(known: dict[str, Principle]) -> None:
    assert {one.document for one in known.values()} >= DOCUMENTS


def test_ids_name_the_document_or_public_practice(known: dict[str, Principle]) -> None:
    for one in known.values():
        assert re.fullmatch(r"[a-z0-9-]+/[a-z0-9]+(-[a-z0-9]+)*", one.id)
        assert one.id.split("/")[0] == (one.document if one.document in DOCUMENTS else "practice"), one.id


def test_statements_are_single_sentences_said_once(known: dict[str, Principle]) -> None:
    for one in known.values():
        assert re.fullmatch(r"[A-Z][^\n]*[^.\s]\.", one.statement), one.id
        assert not re.search(r"\.\s+[A-Z]", one.statement), one.id
    assert [text for text, count in Counter(one.statement for one in known.values()).items() if count > 1] == []


def test_rules_cite_principles_that_exist(known: dict[str, Principle]) -> None:
    rules = engine.shipped_engine().rules
    cited = {(name, principle) for name, rule in rules.items() for principle in rule.texts.principles}
    assert sorted(one for one in cited if one[1] not in known) == []


def test_coverage_tells_what_decides_each(known: dict[str, Principle]) -> None:
    rows = {row.principle.id: row for row in principles.coverage(engine.shipped_engine().rules)}
    assert list(rows) == list(known)
    tensor = rows["technical-guide/parallelism-tensor"]
    assert "parallelism/tensor-beyond-scale-up-domain" in tensor.rules
    assert tensor.mapped
    assert rows["training-cluster-195/step-5"].judged_by == "evidence"
    assert all(row.mapped == (bool(row.rules) or row.judged_by == "evidence") for row in rows.values())


def test_the_matrix_is_rendered_in_every_format() -> None:
    rows = principles.coverage(engine.shipped_engine().rules)
    data = json.loads(coverage.of_rules(rows, "json"))
    assert [one["id"] for one in data] == [row.principle.id for row in rows]
    text, markdown = coverage.of_rules(rows, "text"), coverage.of_rules(rows, "markdown")
    assert f"{len(rows)} principles: " in text.splitlines()[-1]
    assert sum(line.startswith("| `") for line in markdown.splitlines()) == len(rows)


def test_a_citation_of_nothing_is_an_error() -> None:
    name, shipped = "syntax/empty", engine.shipped_engine().rules
    texts = replace(shipped[name].texts, file="x", principles=("no/such",))
    rule = replace(shipped[name], load=lambda: texts)
    with pytest.raises(AuthoringError, match="x: `no/such` is not a principle"):
        principles.coverage({"x": rule})


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ([entry(source="nobody")], r"0\.ttl:\d+: technical-guide/x has the unknown source nobody"),
        ([entry(judge="feeling")], r"0\.ttl:\d+: technical-guide/x is judged by rule or evidence, not by feeling"),
        ([entry(), entry()], r"1\.ttl:\d+: technical-guide/x is stated in another file too"),
        ([entry() + entry()], r"0\.ttl:\d+: technical-guide/x states its document 2 times"),
        ([entry().replace(':place "p" ; ', "")], r"0\.ttl:\d+: technical-guide/x states its place 0 times"),
    ],
)
def test_wrong_files_are_errors_with_a_place(tmp_path: Path, files: list[str], says: str) -> None:
    with pytest.raises(AuthoringError, match=says):
        principles.load(folder(tmp_path, *files))
