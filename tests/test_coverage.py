"""Coverage of the documents: no principle is left unjudged, and whatever judges one exists."""

from __future__ import annotations

from collections import Counter

import pytest

from designlint.compiler import principles, rule_files
from designlint.configuration import engine
from designlint.findings.model import Verdict
from designlint.language import resources
from designlint.language.citations import LABELS
from designlint.linting import pipeline
from designlint.reading import read_bytes
from designlint.rules.settings import Settings
from tests.running import designlint

#: The day on which evidence is judged.
TODAY = "2026-11-20"
#: Document: principles judged by rules, and by evidence.
COUNTS = {
    "orchestration-architect": (21, 0),
    "practice": (119, 0),
    "supercluster-10k": (34, 1),
    "technical-guide": (47, 2),
    "training-architect": (19, 0),
    "training-cluster-195": (179, 22),
}
#: What a person attests and the design can deny besides; all others that a person attests are cited by no rule.
DENIED = {
    "training-cluster-195/step-5": ("acceptance/deliveries-uninspected",),
    "training-cluster-195/step-91": ("power/grounding-untested",),
    "training-cluster-195/step-92": ("power/ground-fault-protection-untested",),
    "training-cluster-195/step-93": ("power/emergency-power-off-untested",),
    "training-cluster-195/step-193": ("operations/team-untrained",),
}
#: Mappings that were once wrong, or that only one rule can decide: principle and rule.
DECIDED = [
    ("technical-guide/compute-dgx-h100", "numbers/contradict-catalogue"),
    ("technical-guide/storage-object", "storage/archive-not-object"),
    ("training-architect/input-model", "model/architecture-unstated"),
    ("training-architect/design-only", "shape/unknown-word"),
    ("training-cluster-195/cost-shares", "procurement/cost-shares-unusual"),
    ("training-cluster-195/step-132", "storage/data-prepared-on-training-servers"),
    ("supercluster-10k/layer-3-fault-management", "operations/faults-handled-by-hand"),
]
#: Rules that were cited for principles they do not decide.
UNDECIDED = [
    ("training-cluster-195/step-53", "security/management-exposed"),
    ("training-cluster-195/step-72", "space/too-few-racks"),
    ("training-cluster-195/step-118", "power/tier-below-three"),
    ("training-cluster-195/cost-shares", "procurement/cost-shares-beyond-whole"),
    ("orchestration-architect/failure-domains", "network/single-spine"),
    ("supercluster-10k/layer-3-fault-management", "servers/no-management-controller"),
]


@pytest.fixture(scope="module")
def rows() -> dict[str, principles.PrincipleRow]:
    return {row.principle.id: row for row in principles.coverage(engine.shipped_engine().rules)}


def attested(rows: dict[str, principles.PrincipleRow]) -> list[str]:
    return [name for name, row in rows.items() if row.judged_by == "evidence"]


def found(design: str) -> list[tuple[str, str]]:
    judges = engine.configure_engine(Settings(today=TODAY))
    result = pipeline.lint(read_bytes(f"designlint: 1\n{design}".encode(), "design.yaml"), judges)
    return [(one.rule, one.message) for one in result.findings]


def entries(names: list[str], rest: str) -> str:
    return "evidence:\n" + "".join(f"  - {{for: {name}, {rest}}}\n" for name in names)


def test_no_principle_is_unmapped(rows: dict[str, principles.PrincipleRow]) -> None:
    assert [name for name, row in rows.items() if not row.mapped] == []


def test_every_principle_judged_by_a_rule_has_one(rows: dict[str, principles.PrincipleRow]) -> None:
    assert [name for name, row in rows.items() if row.judged_by == "rule" and not row.rules] == []


def test_every_cited_rule_exists(rows: dict[str, principles.PrincipleRow]) -> None:
    cited = {rule for row in rows.values() for rule in row.rules}
    assert sorted(cited - {source.id for source in rule_files.in_folder(resources.rules())}) == []


def test_a_rule_cites_each_principle_once() -> None:
    for name, rule in engine.shipped_engine().rules.items():
        assert [one for one, count in Counter(rule.texts.principles).items() if count > 1] == [], name


def test_rules_speak_of_what_a_person_attests_only_to_deny_it(rows: dict[str, principles.PrincipleRow]) -> None:
    assert {name: rows[name].rules for name in attested(rows) if rows[name].rules} == DENIED


def test_counts_by_document(rows: dict[str, principles.PrincipleRow]) -> None:
    documents = sorted({row.principle.id.split("/")[0] for row in rows.values()})
    judged = Counter((name.split("/")[0], row.judged_by) for name, row in rows.items())
    assert {one: (judged[one, "rule"], judged[one, "evidence"]) for one in documents} == COUNTS


@pytest.mark.parametrize(("principle", "rule"), DECIDED)
def test_a_principle_is_cited_by_the_rule_that_decides_it(
    rows: dict[str, principles.PrincipleRow], principle: str, rule: str
) -> None:
    assert rule in rows[principle].rules


@pytest.mark.parametrize(("principle", "rule"), UNDECIDED)
def test_a_principle_is_not_cited_by_a_rule_beside_it(
    rows: dict[str, principles.PrincipleRow], principle: str, rule: str
) -> None:
    assert rule not in rows[principle].rules


def test_whatever_a_person_attests_can_be_attested(rows: dict[str, principles.PrincipleRow]) -> None:
    whole = "by: facilities, on: 2026-10-01, until: 2027-10-01, link: docs/record.pdf"
    assert found("procurement: {launch: 2027-06-01}\n" + entries(attested(rows), whole)) == []


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        ("by: facilities, on: 2026-10-01, until: 2027-04-01, link: docs/record.pdf", "evidence/expires-before-launch"),
        ("by: facilities, on: 2026-10-01, until: 2026-04-01, link: docs/record.pdf", "evidence/ends-before-it-begins"),
        ("by: facilities, on: 2025-10-01, until: 2026-10-01, link: docs/record.pdf", "evidence/expired"),
        ("by: facilities, on: 2026-10-01, until: 2027-10-01", "evidence/without-record"),
        ("by: facilities, on: 2026-10-01, link: docs/record.pdf", "evidence/without-end"),
        ("by: facilities, until: 2027-10-01, link: docs/record.pdf", "evidence/undated"),
        ("on: 2026-10-01, until: 2027-10-01, link: docs/record.pdf", "evidence/unsigned"),
    ],
)
def test_stale_unlinked_undated_and_unsigned_evidence_is_found(
    rows: dict[str, principles.PrincipleRow], entry: str, rule: str
) -> None:
    names = attested(rows)
    said = [
        message for one, message in found("procurement: {launch: 2027-06-01}\n" + entries(names, entry)) if one == rule
    ]
    assert len(said) == len(names)
    assert all(name in message for name, message in zip(names, said, strict=True))


def test_evidence_that_has_run_out_is_reported_once() -> None:
    design = "procurement: {launch: 2027-06-01}\n" + entries(
        ["training-cluster-195/step-5"], "by: goods-in, on: 2025-10-01, until: 2026-10-01, link: docs/record.pdf"
    )
    assert [rule for rule, _ in found(design)] == ["evidence/expired"]


def test_evidence_for_no_principle_is_found() -> None:
    whole = "by: goods-in, on: 2026-10-01, until: 2027-10-01, link: docs/record.pdf"
    assert [rule for rule, _ in found(entries(["training-cluster-195/step-196"], whole))] == ["shape/unknown-principle"]


def test_text_shows_a_line_for_each_principle(rows: dict[str, principles.PrincipleRow]) -> None:
    run = designlint("coverage")
    lines, sources, summary = (block.splitlines() for block in run.out.split("\n\n"))
    assert (run.code, run.err) == (0, "")
    assert sources[0].startswith("Sources (verified): orchestration-architect, ")
    assert sources[1].startswith("Sources (secondary source): ")
    known = {label: told.split(", ") for label, told in (line.split(": ") for line in sources)}
    for row in rows.values():
        assert row.principle.document in known[f"Sources ({LABELS[row.principle.confidence]})"], row.principle.id
    assert sum(map(len, known.values())) == len(
        {(row.principle.document, row.principle.confidence) for row in rows.values()}
    )
    assert [line.split()[0] for line in lines] == list(rows)
    assert "nothing yet" not in run.out
    by_rules = sum(row.judged_by == "rule" for row in rows.values())
    assert len(summary) == 1
    assert summary[0].startswith(f"{len(rows)} principles: {by_rules} checked by rules")
    assert summary[0].endswith(f", {len(rows) - by_rules} by evidence")
    assert designlint("coverage", "--format", "text").out == run.out


def test_json_carries_what_judges_each_principle(rows: dict[str, principles.PrincipleRow]) -> None:
    run = designlint("coverage", "--format", "json")
    assert (run.code, run.err) == (0, "")
    assert [one["id"] for one in run.data] == list(rows)
    assert all(one["mapped"] for one in run.data)
    for one in run.data:
        assert one.keys() >= {"document", "place", "phase", "topic", "statement"}
        assert (one["judged_by"], one["rules"]) == (rows[one["id"]].judged_by, list(rows[one["id"]].rules))


def test_markdown_is_one_table(rows: dict[str, principles.PrincipleRow]) -> None:
    run = designlint("coverage", "--format", "markdown")
    table = [line for line in run.out.splitlines() if line.startswith("|")]
    assert (run.code, run.err) == (0, "")
    assert table[:2] == ["| Principle | Statement | Source | Decided by |", "| --- | --- | --- | --- |"]
    assert [line.split("`")[1] for line in table[2:]] == list(rows)
    assert all(line.replace("\\|", "").count("|") == table[0].count("|") for line in table)


def test_another_format_is_refused() -> None:
    run = designlint("coverage", "--format", "xml")
    assert run.code == 2
    assert "xml" in run.err


def test_the_matrix_of_a_design_says_how_each_principle_stands() -> None:
    run = designlint("coverage", "examples/hawk-4096/design.yaml", "--format", "json")
    told = {one["id"]: one["status"] for one in run.data}
    report = designlint("report", "examples/hawk-4096", "--format", "json").data["designs"][0]
    assert told == {one["id"]: one["status"] for one in report["principles"]}
    text = designlint("coverage", "examples/hawk-4096/design.yaml").out
    assert text.startswith("violated")
    assert text.strip().splitlines()[-1].startswith(f"{len(told)} principles: ")
    one = designlint(
        "coverage", "examples/hawk-4096/design.yaml", "--profile", "training-run", "--format", "markdown"
    ).out
    assert "| Principle | Statement | Status | Decided by |" in one
    assert len(one.splitlines()) < len(told)


def test_words_of_a_query_that_match_nothing_are_named() -> None:
    run = designlint("query", "examples/ten-lines/design.yaml", 'SELECT ?a { ?a a :NodePol ; :cuont ?b . ?b ?c ":x" }')
    assert (run.code, run.out) == (0, "a\n")
    assert "`:NodePol` is not a word of the vocabulary and matches nothing; did you mean `:NodePool`?" in run.err
    assert "did you mean `:count`?" in run.err
    assert ":x" not in run.err
    run = designlint("query", "examples/ten-lines/design.yaml", "SELECT ?a { ?a a :NodePool ; :count ?b }")
    assert (run.err, len(run.out.splitlines())) == ("", 2)


def test_nobody_is_asked_for_what_a_design_need_not_have() -> None:
    """Measurements, and parts of a job that this one lacks, are judged where they are stated and asked for nowhere."""
    optional = engine.shipped_engine().vocabulary.optional
    assert {"measured_step_time", "rollout_nodes", "minimum_servers"} <= optional
    outcomes = pipeline.check(["examples/superpod-4su"]).outcomes
    assert not [one for one in outcomes if any(fact.rpartition("/")[2] in optional for fact in one.missing)]
    assert {one.verdict for one in outcomes if one.rule == "memory/measured-beyond-gpu"} == {Verdict.NOT_APPLICABLE}
