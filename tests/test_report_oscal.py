"""The compliance report as OSCAL: valid against NIST's schemas, its references whole, its identifiers stable."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest

from tests import reports
from tests.reports import DAY
from tests.running import ROOT, designlint

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = json.dumps("  <b>\u202e\u0007\n" + "x" * 5000, ensure_ascii=True)


@cache
def made(format: str, *paths: str) -> Any:
    return json.loads(reports.made(format, *paths))


@cache
def schema(name: str) -> jsonschema_rs.Draft7Validator:
    """A schema of NIST."""
    return jsonschema_rs.Draft7Validator(
        json.loads((ROOT / f"tests/schemas/oscal-{name}-1.1.3.json").read_text("utf-8"))
    )


def uuids(value: Any, key: str = "uuid") -> list[str]:
    """Every identifier below a value."""
    if isinstance(value, list):
        return [found for one in value for found in uuids(one, key)]
    if not isinstance(value, dict):
        return []
    own = [value[key]] if isinstance(value.get(key), str) else []
    return own + [found for one in value.values() for found in uuids(one, key)]


@pytest.mark.parametrize("path", ["examples", "examples/superpod-4su", "examples/impossible-1t"])
def test_results_follow_the_schema_of_nist(path: str) -> None:
    schema("assessment-results").validate(made("oscal", path))
    known = uuids(made("oscal", path))
    assert len(known) == len(set(known))
    for key in ("observation-uuid", "subject-uuid", "risk-uuid"):
        assert set(uuids(made("oscal", path), key)) <= set(known)


def test_catalog_follows_the_schema_and_holds_every_control_that_is_judged() -> None:
    catalog = designlint("report", "examples/hawk-4096", "--format", "oscal-catalog", "--today", DAY).data
    schema("catalog").validate(catalog)
    controls = {one["id"] for group in catalog["catalog"]["groups"] for one in group["controls"]}
    result = made("oscal", "examples/hawk-4096")["assessment-results"]["results"][0]
    assert {one["target"]["target-id"] for one in result["findings"]} == controls


def test_states_follow_statuses() -> None:
    result = made("oscal", "examples/hawk-4096")["assessment-results"]["results"][0]
    for one in result["findings"]:
        status, state = one["props"][0]["value"], one["target"]["status"]["state"]
        assert (state == "satisfied") == (status in ("proven", "attested", "not applicable")), one


def test_same_input_same_identifiers() -> None:
    again = designlint("report", "examples/hawk-4096", "--format", "oscal", "--today", DAY).data
    assert again == made("oscal", "examples/hawk-4096")
    other = json.loads(reports.made("oscal", "examples/hawk-4096", day="2026-11-21"))
    assert other["assessment-results"]["uuid"] != again["assessment-results"]["uuid"]


def test_hostile_design_stays_valid(tmp_path: Path) -> None:
    design = tmp_path / "design.yaml"
    design.write_text(
        f"designlint: 1\nname: {HOSTILE}\nnodes: [{{name: a, model: dgx-h100, count: 4}}]\n"
        f"risks: [{{name: {HOSTILE}}}]\nevidence: [{{for: training-cluster-195/step-93, by: {HOSTILE}, link: {HOSTILE}}}]\n"
        "workloads: [{name: b, parallelism: {tensor: 16}}]\nwaivers: [{rule: parallelism/*, reason: a trial}]\n",
        "utf-8",
    )
    schema("assessment-results").validate(made("oscal", str(design)))


@pytest.mark.parametrize(
    ("link", "followed"),
    [
        ("https://example.com/a b.pdf", "https://example.com/a%20b.pdf"),
        ("docs/a.pdf", "docs/a.pdf"),
        ("/srv/a.pdf", "/srv/a.pdf"),
        ("javascript:alert(1)", None),
        (" JavaScript:alert(1)", None),
        ("data:text/html,<script>", None),
    ],
)
def test_only_links_that_run_nothing_can_be_followed(link: str, followed: str | None, tmp_path: Path) -> None:
    design = tmp_path / "design.yaml"
    evidence = f"{{for: training-cluster-195/step-93, by: a, on: 2026-10-01, link: {json.dumps(link)}}}"
    design.write_text(f"designlint: 1\nevidence: [{evidence}]\n", "utf-8")
    (told,) = [
        one["relevant-evidence"][0]
        for one in made("oscal", str(design))["assessment-results"]["results"][0]["observations"]
        if one["methods"] == ["EXAMINE"]
    ]
    assert told.get("href") == followed
    assert link.strip() in told["description"]


def test_a_day_has_to_be_given() -> None:
    run = designlint("report", "examples/ten-lines", "--format", "oscal")
    assert run.code == 2
    assert "give --today" in run.err
