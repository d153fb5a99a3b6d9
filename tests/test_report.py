"""The compliance report: what it says, that nothing in a design becomes markup, that its links lead somewhere."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import jsonschema_rs
import pytest

from tests.reports import DAY, EXAMPLES, Page, data, html, made, written
from tests.running import BAD, ROOT, designlint

HOSTILE = """<script>alert(1)</script>"'`&amp; {{ 7*7 }} {% raw %} </style><img src=x onerror=alert(1)> עברית"""


@pytest.mark.parametrize("name", EXAMPLES)
def test_page_is_whole(name: str) -> None:
    page = Page(html(f"examples/{name}"))
    ids = [one["id"] for _, one in page.elements if "id" in one]
    assert len(ids) == len(set(ids))
    targets = [one["href"] or "" for one in page.all("a")]
    assert {one for one in targets if not one.startswith("#") or one[1:] not in ids} == set()
    named = [one.get(name) or "" for _, one in page.elements for name in ("aria-labelledby", "for")]
    assert {name for value in named for name in value.split()} <= set(ids)


@pytest.mark.parametrize("name", EXAMPLES)
def test_headings_tables_and_landmarks_can_be_followed_by_ear(name: str) -> None:
    page = Page(html(f"examples/{name}"))
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    assert all("scope" in one for one in page.all("th"))
    assert len(page.all("main")) == len(page.all("nav")) == 1
    assert page.all("html")[0]["lang"] == "en"
    layout = html(f"examples/{name}").count('<div class="code"')
    assert len(page.all("caption")) == len(page.all("table")) - layout


def test_page_needs_nothing_from_outside() -> None:
    page = Page(html("examples/hawk-4096"))
    assert page.all("link") == page.all("img") == page.all("iframe") == []
    assert [one for one in page.all("script") if "src" in one] == []
    assert [one for _, one in page.elements if any(name.startswith("on") or name == "style" for name in one)] == []
    policy = next(one["content"] or "" for one in page.all("meta") if "http-equiv" in one)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_what_is_not_drawn_is_told_with_the_fact_it_waits_for() -> None:
    undrawn = {one["name"]: one["reason"] for one in data("examples/llama3-405b")["designs"][0]["undrawn"]}
    assert undrawn["power"] == "the design states no facility"
    assert "workloads/pretrain/checkpoint/interval is unknown" in undrawn["checkpoint-pretrain"]
    page = Page(html("examples/llama3-405b"))
    assert all(reason in page.text for reason in undrawn.values())


def test_every_principle_has_a_status_and_every_step_a_row() -> None:
    first = data("examples/superpod-4su")["designs"][0]
    steps = [one for one in first["principles"] if re.fullmatch(r"training-cluster-195/step-\d+", one["id"])]
    assert len(steps) == 195
    for one in first["principles"]:
        said = {rule["status"] for rule in one["rules"]}
        if one["status"] == "proven":
            assert said <= {"proven", "not applicable"}, one
        if "violated" in said:
            assert one["status"] == "violated"
        if one["status"] == "attested":
            assert any(each["valid"] and each["owner"] for each in one["evidence"])


def test_statuses_follow_judgements_waivers_and_evidence(tmp_path: Path) -> None:
    design = written(
        tmp_path,
        """\
designlint: 1
name: tried
nodes: [{name: train, model: dgx-h100, count: 4}]
workloads: [{name: pretrain, parallelism: {tensor: 16}}]
evidence:
  - {for: training-cluster-195/step-93, by: facilities, on: 2026-10-01, until: 2027-10-01, link: epo.pdf}
  - {for: training-cluster-195/step-4, by: procurement, on: 2019-10-01, until: 2020-10-01, link: old.csv}
  - {for: training-cluster-195/step-5, on: 2026-10-01, until: 2027-10-01, link: nobody.csv}
waivers:
  - {rule: parallelism/tensor-beyond-scale-up-domain, reason: a trial, owner: research, until: 2027-01-31}
""",
    )
    first = data(design)["designs"][0]
    status = {one["id"]: one["status"] for one in first["principles"]}
    assert status["training-cluster-195/step-93"] == "attested"
    assert status["training-cluster-195/step-4"] == "unknown"
    assert status["training-cluster-195/step-5"] == "unknown"
    assert status["technical-guide/parallelism-tensor"] in ("waived", "partly proven")
    assert [one["accepted"]["owner"] for one in first["accepted"]] == ["research"]
    text = Page(html(design)).text
    assert "a trial" in text
    assert "2027-01-31" in text


def test_a_part_unknown_is_never_called_proven(tmp_path: Path) -> None:
    design = written(tmp_path, "designlint: 1\nnodes: [{name: a, model: dgx-h100, count: 4}]\n")
    for one in data(design)["designs"][0]["principles"]:
        said = {rule["status"] for rule in one["rules"]}
        assert not (one["status"] == "proven" and said & {"unknown", "partly proven"}), one


@pytest.mark.parametrize("format", ["html", "markdown", "json"])
def test_same_input_same_bytes(format: str) -> None:
    run = designlint("report", "examples/hawk-4096", "--format", format, "--today", DAY)
    assert (run.code, run.err) == (0, "")
    assert run.out == made(format, "examples/hawk-4096")


def test_json_follows_its_schema() -> None:
    schema = json.loads((ROOT / "ontology/generated/compliance.schema.json").read_text("utf-8"))
    jsonschema_rs.meta.validate(schema)
    jsonschema_rs.Draft202012Validator(schema).validate(data("examples"))


def test_portfolio_tells_of_every_design() -> None:
    page = Page(html("examples"))
    ids = {one["id"] for _, one in page.elements if "id" in one}
    assert {f"d{number}-design" for number in range(1, len(EXAMPLES) + 1)} <= ids
    assert [one["href"] for one in page.all("a") if (one["href"] or "#")[1:] not in ids] == []
    names = [one["name"] for one in data("examples")["designs"]]
    assert len(set(names)) == len(names)
    assert "hawk-4096 (examples/hawk-4096-revised/design.yaml)" in names


def test_profile_chooses_and_tailors_with_reasons(tmp_path: Path) -> None:
    own = tmp_path / "ours.yaml"
    own.write_text(
        "title: Our network review\ntopics: [network]\n"
        "tailoring:\n  - {principle: training-cluster-195/step-41, reason: <b>bought</b> last year}\n",
        "utf-8",
    )
    made = data("examples/hawk-4096", profile=str(own))
    assert {one["topic"] for one in made["designs"][0]["principles"]} == {"network"}
    left = {one["id"] for one in made["designs"][0]["principles"] if one["status"] == "tailored out"}
    assert left == {"training-cluster-195/step-41"}
    assert "<b>bought</b> last year" in Page(html("examples/hawk-4096", profile=str(own))).text
    assert data("examples/hawk-4096", profile="training-run")["profile"].startswith("One training run")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("topics: [network]\n", "lacks a title"),
        ("title: a\ntopics: [netwrok]\n", "did you mean `network`?"),
        ("title: a\ntailoring:\n  - {principle: nothing/*, reason: b}\n", "profile.yaml:3: no principle is named"),
        ("title: a\ntailoring:\n  - {principle: practice/*}\n", "names a principle and a reason"),
        ("title: a\nfoo: 1\n", "unknown key `foo`"),
        ("- a\n", "a profile is a mapping"),
    ],
)
def test_wrong_profile_is_told_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "profile.yaml").write_text(text, "utf-8")
    run = designlint("report", "examples/ten-lines", "--profile", tmp_path / "profile.yaml")
    assert run.code == 2
    assert said in run.err


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    quoted = json.dumps(HOSTILE + "\u202e\u0007" + "x" * 10_000, ensure_ascii=True)
    design = written(
        tmp_path,
        f"designlint: 1\nname: {quoted}\ndescription: {quoted}\n"
        f"nodes: [{{name: {quoted}, model: dgx-h100, count: 4}}]\n"
        f"workloads: [{{name: {quoted}, parallelism: {{tensor: 16}}}}]\n"
        f"risks: [{{name: {quoted}, mitigation: {quoted}, failure_domain: {quoted}, owner: {quoted}}}]\n"
        f"evidence: [{{for: training-cluster-195/step-93, by: {quoted}, link: {quoted}, note: {quoted}}}]\n"
        f"waivers: [{{rule: parallelism/*, reason: {quoted}, owner: {quoted}}}]\n",
    )
    text = html(design)
    page = Page(text)
    assert len(page.all("script")) == 1
    assert page.all("img") == []
    assert [one for _, one in page.elements if any(name.startswith("on") for name in one)] == []
    assert "\u202e" not in text
    assert "\x07" not in text
    assert HOSTILE.split(" {{")[0] in page.text
    assert "{{ 7*7 }}" in page.text
    assert len(text) < 2_000_000
    told = designlint("report", design, "--format", "markdown").out
    assert "<script>" not in told
    assert "<img" not in told


def test_lines_of_a_file_cannot_turn_the_page_round(tmp_path: Path) -> None:
    """What is hidden in a comment beside a fault is shown by its number, in excerpts and in diffs."""
    text = html(written(tmp_path, BAD.decode().replace("16}", "16}  # \u202e\u200b\u2066 <!--")))
    assert "\\u202e\\u200b\\u2066 &lt;!--" in text
    assert not {"\u202e", "\u200b", "\u2066"} & set(text)


def test_report_goes_to_a_file_but_never_over_a_design(tmp_path: Path) -> None:
    design = written(tmp_path, "designlint: 1\n")
    run = designlint("report", design, "-o", design)
    assert (run.code, Path(design).read_text("utf-8")) == (2, "designlint: 1\n")
    assert designlint("report", design, "-o", tmp_path / "report.html").code == 0
    assert (tmp_path / "report.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_configuration_is_told_in_the_provenance(tmp_path: Path) -> None:
    (tmp_path / "designlint.toml").write_text(
        '[severity]\n"network/leaf-oversubscribed" = { level = "error", reason = "we know better" }\n', "utf-8"
    )
    design = written(tmp_path, (ROOT / "examples/hawk-4096/design.yaml").read_text("utf-8"))
    made = data(design)
    assert any("we know better" in one["reason"] for one in made["overrides"])
    assert made["designs"][0]["errors"] == 4


def test_broken_design_still_gives_a_report(tmp_path: Path) -> None:
    design = written(tmp_path, "designlint: 1\nnodes: [{name: a, model: dgx-h1000, cuont: 4}\nx: {\n")
    assert "Not ready for signature" in Page(html(design)).text
