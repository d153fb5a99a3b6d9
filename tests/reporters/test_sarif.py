"""SARIF holds to its schema, to what GitHub asks for, and says the same as the text report."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import jsonschema_rs
import pytest
from tests import hostile
from tests.reporters.notes import noted
from tests.running import BAD, ROOT, designlint

from designlint.findings.model import Acceptance, Severity
from designlint.findings.report import Report
from designlint.reporters import sarif
from designlint.reporters.shared.options import RenderOptions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.reporters.conftest import Checked

#: One pattern of the schema has a lone bracket, which strict readers refuse.
SCHEMA = json.loads((ROOT / "tests/schemas/sarif-schema-2.1.0.json").read_text("utf-8").replace("{2}]?$", r"{2}\\]?$"))
LINK = re.compile(r"(?<!\\)\[((?:[^\]\\]|\\.)*)\]\(([^)]*)\)")


@cache
def validator() -> jsonschema_rs.Draft7Validator:
    """Of SARIF 2.1.0, formats of URIs and of dates included."""
    return jsonschema_rs.Draft7Validator(SCHEMA, validate_formats=True)


def run_of(text: str) -> Any:
    """The one run of a log that keeps the schema."""
    log = json.loads(text)
    assert [error.message[:200] for error in validator().iter_errors(log)] == []
    assert len(log["runs"]) == 1
    return log["runs"][0]


def every(key: str, data: Any) -> Iterator[Any]:
    """The values of a key at any depth."""
    if isinstance(data, dict):
        yield from ([data[key]] if key in data else [])
        for value in data.values():
            yield from every(key, value)
    elif isinstance(data, list):
        for value in data:
            yield from every(key, value)


def test_every_log_keeps_the_schema_and_says_where(reports: Checked) -> None:
    run = run_of(reports["sarif"])
    rules = run["tool"]["driver"]["rules"]
    assert run["columnKind"] == "unicodeCodePoints"
    (invocation,) = run["invocations"]
    notes = invocation.pop("toolConfigurationNotifications", [])
    assert invocation == {"executionSuccessful": True}
    assert len(notes) == len(noted(json.loads(reports["json"])))
    for note, one in zip(notes, noted(json.loads(reports["json"])), strict=True):
        assert note["level"] == "note"
        assert not LINK.search(note["message"]["text"])
        places = [place.pop("physicalLocation") for place in note.get("locations", ())]
        assert [place.get("region", {}).get("startLine", 0) for place in places] == ([one.line] if one.file else [])
        assert all(place["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"] for place in places)
        assert all(re.fullmatch(r"[A-Za-z0-9._~/%-]+", place["artifactLocation"]["uri"]) for place in places)
    assert [rules[one["ruleIndex"]]["id"] for one in run["results"]] == [one["ruleId"] for one in run["results"]]
    for region in (*every("region", run), *every("deletedRegion", run)):
        assert region["startLine"] >= 1
        assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
    for place in every("artifactLocation", run):
        assert place["uriBaseId"] in run["originalUriBaseIds"]
        assert re.fullmatch(r"[A-Za-z0-9._~/%-]+", place["uri"])
        assert not place["uri"].startswith(("/", "."))


def test_fingerprints_are_unique(reports: Checked) -> None:
    results = run_of(reports["sarif"])["results"]
    for key in ("designlint/v1", "primaryLocationLineHash"):
        marks = [one["partialFingerprints"][key] for one in results]
        assert len(set(marks)) == len(marks)


def test_links_lead_to_related_places_and_nowhere_else(reports: Checked) -> None:
    for one in run_of(reports["sarif"])["results"]:
        known = {str(place["id"]) for place in one.get("relatedLocations", ())}
        assert {target for _, target in LINK.findall(one["message"]["text"])} == known
        assert not re.search(r"(?<!\{)\{\d+\}", one["message"]["text"])


def test_what_github_shows_is_there_and_within_its_limits(reports: Checked) -> None:
    for rule in run_of(reports["sarif"])["tool"]["driver"]["rules"]:
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert len(rule["properties"]["tags"]) <= 20
        assert len(rule["id"]) <= 255


def test_results_are_the_findings(reports: Checked) -> None:
    data = json.loads(reports["json"])
    found = [*data["findings"], *(data["accepted"] if reports.folder == ROOT else ())]
    results = run_of(reports["sarif"])["results"]
    assert len(results) == len(found)
    for one, result in zip(found, results, strict=True):
        place = result["locations"][0]["physicalLocation"]
        assert unquote(place["artifactLocation"]["uri"]) == one["location"]["file"]
        assert list(place["region"].values()) == [
            one["location"][name] for name in ("line", "column", "end_line", "end_column")
        ]
        assert {"error": "error", "warning": "warning", "info": "note"}[one["severity"]] == result["level"]


def test_a_rule_is_described_with_problem_remedy_and_principles() -> None:
    run = run_of(designlint("check", "-", "--format", "sarif", stdin=BAD).out)
    rule = next(
        one for one in run["tool"]["driver"]["rules"] if one["id"] == "parallelism/tensor-beyond-scale-up-domain"
    )
    assert rule["name"] == "TensorBeyondScaleUpDomain"
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert rule["properties"]["tags"][:2] == ["parallelism", "technical-guide/parallelism-tensor"]
    for part in ("Why", "What to do", "Principles"):
        assert part in rule["help"]["text"]
        assert f"**{part}.**" in rule["help"]["markdown"]
    assert "[scale_up_domain" not in run["results"][0]["message"]["text"]  # the catalogue is no place to go to


def test_fingerprints_do_not_know_lines_but_files(tmp_path: Path) -> None:
    def marks(name: str, text: bytes) -> set[str]:
        (tmp_path / name).write_bytes(text)
        results = run_of(designlint("check", name, "--format", "sarif", cwd=tmp_path).out)["results"]
        assert results
        return {one["partialFingerprints"]["primaryLocationLineHash"] for one in results}

    before = marks("a.yaml", BAD)
    assert before == marks("a.yaml", b"# a comment\n\n" + BAD.replace(b"tensor: 16", b"tensor:   32"))
    assert before.isdisjoint(marks("b.yaml", BAD))


@pytest.mark.parametrize("name", ["hawk-4096", "unicode"])
def test_a_fix_as_an_editor_makes_it_cures(name: str, tmp_path: Path) -> None:
    from tests.reporters.conftest import checked

    reports = checked(name)
    text = (reports.folder / reports.file).read_text("utf-8")
    fixable = [one for one in run_of(reports["sarif"])["results"] if "fixes" in one]
    assert fixable
    for result in fixable:
        (change,) = result["fixes"][0]["artifactChanges"]
        assert change["artifactLocation"]["uri"] == reports.file
        (tmp_path / "design.yaml").write_text(replaced(text, change["replacements"]), "utf-8")
        after = run_of(designlint("check", "design.yaml", "--format", "sarif", cwd=tmp_path).out)["results"]
        assert (result["ruleId"], subject(result)) not in [(one["ruleId"], subject(one)) for one in after]


def subject(result: dict[str, Any]) -> Any:
    """What a result is about."""
    return result["locations"][0].get("logicalLocations")


def replaced(text: str, replacements: list[dict[str, Any]]) -> str:
    """The text with stretches replaced, as a consumer counts them: in code points."""
    lines = text.splitlines(keepends=True)

    def offset(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + column - 1

    for one in reversed(replacements):
        at = one["deletedRegion"]
        start, end = offset(at["startLine"], at["startColumn"]), offset(at["endLine"], at["endColumn"])
        text = text[:start] + one["insertedContent"]["text"] + text[end:]
    return text


def test_accepted_findings_are_left_out_or_suppressed() -> None:
    report = hostile.report()
    assert report.accepted
    run = run_of(sarif.render(report, RenderOptions()))
    assert len(run["results"]) == len(report.findings)
    assert not list(every("suppressions", run))
    told = run_of(sarif.render(report, RenderOptions(accepted=True)))["results"]
    counted, set_aside = told[: len(report.findings)], told[len(report.findings) :]
    assert {str(one["suppressions"]) for one in counted} == {"[]"}
    assert [one["suppressions"][0]["kind"] for one in set_aside[:2]] == ["inSource", "external"]
    assert all(one["suppressions"][0]["justification"] for one in set_aside)


def test_a_place_in_another_file_is_related(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_bytes(BAD)
    (tmp_path / "design.yaml").write_bytes(b"designlint: 1\nextends: base.yaml\nname: over\n")
    result = run_of(designlint("check", "design.yaml", "--format", "sarif", cwd=tmp_path).out)["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "base.yaml"


def test_paths_are_relative_to_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a b.yaml").write_bytes(BAD)
    for named, folder in (("a b.yaml", "deep"), ("deep/a b.yaml", "."), (tmp_path / "deep" / "a b.yaml", ".")):
        run = run_of(designlint("check", named, "--format", "sarif", cwd=tmp_path / folder).out)
        assert run["artifacts"][0]["location"] == {"uri": "deep/a%20b.yaml", "uriBaseId": "%SRCROOT%"}
    outside = run_of(designlint("check", tmp_path / "deep" / "a b.yaml", "--format", "sarif").out)
    assert outside["artifacts"][0]["location"]["uri"].startswith("file:///")


def test_acceptance_of_an_empty_reason_is_told() -> None:
    one = hostile.finding("text", "a.yaml", Severity.ERROR, Acceptance("baseline", ""))
    report = Report(["a.yaml"], [], [], accepted=[one])
    result = run_of(sarif.render(report, RenderOptions(accepted=True)))["results"][0]
    assert result["suppressions"] == [{"kind": "external", "justification": "baseline"}]
