"""Each format is read by what reads it: the schema of its service, a real parser, a spreadsheet's rules."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import jsonschema_rs
import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace
from tests import hostile
from tests.reporters.conftest import checked
from tests.reporters.notes import first_lines, noted
from tests.running import BAD, ROOT, designlint

from designlint import reporters
from designlint.reporters.shared.options import RenderOptions
from designlint.reporters.shared.places import path
from designlint.reporters.shared.terminal import printable

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reporters.conftest import Checked

SCHEMAS = ROOT / "tests" / "schemas"
GITLAB = json.loads((SCHEMAS / "gitlab-code-quality.schema.json").read_text("utf-8"))
COMMAND = re.compile(r"::(error|warning|notice) ([^:]*(?:[^:]|:(?!:))*?)::(.*)")


@cache
def junit() -> Any:
    """The schema of JUnit's reports."""
    import xmlschema  # takes long, and only the worker that gets this file needs it

    return xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd")


def data_of(reports: Checked) -> Any:
    """The report for machines, which the others are held against."""
    return json.loads(reports["json"])


def test_json_keeps_its_schema(reports: Checked) -> None:
    schema = json.loads((ROOT / "ontology/generated/report.schema.json").read_text("utf-8"))
    jsonschema_rs.validate(schema, data_of(reports))


@pytest.mark.parametrize(
    "format", [one for one in reporters.names() if one not in ("json", "junit", "sarif", "turtle")]
)
def test_nothing_for_people_steers_a_terminal_or_turns_its_direction(reports: Checked, format: str) -> None:
    allowed = {"\n", "\r"} if format == "csv" else {"\n"}
    # A service must find the file, whatever it is called; what people read escapes its name too.
    text = reports[format].replace("ü\u202e", "") if format in ("gitlab", "rdjson") else reports[format]
    odd = {one for one in text if not one.isprintable()} - allowed
    assert odd <= ({"\ufe0f"} if format == "markdown" else set())


def test_concise_is_a_line_for_each_finding(reports: Checked) -> None:
    data = data_of(reports)
    found = [*data["findings"], *(data["accepted"] if reports.folder == ROOT else ())]
    lines = reports["concise"].splitlines()
    total, notes = lines[len(found)], lines[len(found) + 1 :]
    for line, one in zip(lines, found, strict=False):
        assert f":{one['location']['line']}:{one['location']['column']}: {one['severity']}[{one['rule']}]" in line
    assert " in 1 design" in total or " in 3 designs" in total
    for note, words in zip(notes, first_lines(data), strict=True):
        assert note.startswith("note: ")
        assert words[:400] in note


# -- JUnit


def test_junit_keeps_the_schema_of_jenkins_and_counts_right(reports: Checked) -> None:
    top = ElementTree.fromstring(reports["junit"])
    junit().validate(top)
    for element in (top, *top):
        cases = list(element.iter("testcase"))
        assert int(element.get("tests", "")) == len(cases)
        assert int(element.get("failures", "")) == sum(case.find("failure") is not None for case in cases)
        assert element.get("errors") == "0"
    assert [suite.get("name") is not None for suite in top] == [True] * len(data_of(reports)["files"])


def test_junit_fails_what_fails_the_run_skips_what_is_unknown_and_leaves_out_what_does_not_apply() -> None:
    data = json.loads(checked("hawk-4096")["json"])
    cases = list(ElementTree.fromstring(checked("hawk-4096")["junit"]).iter("testcase"))
    failed = [case for case in cases if case.find("failure") is not None]
    assert {one["rule"] for one in data["findings"] if one["severity"] == "error"} == {rule_of(case) for case in failed}
    told = {rule_of(case): case.findtext("system-out", "") for case in cases if case.find("system-out") is not None}
    assert "warning: compute is 2.00:1 oversubscribed" in told["network/leaf-oversubscribed"]
    skipped = {rule_of(case): case.find("skipped") for case in cases}
    waiting = next(one for one in data["not_judged"] if one["missing"] and one["rule"] not in told)
    because = skipped[waiting["rule"]]
    assert because is not None
    assert because.get("message", "").startswith("unknown, waits for ")
    assert waiting["missing"][0] in because.get("message", "")
    assert len(cases) < data["summary"]["judgements"]["pass"] + data["summary"]["judgements"]["unknown"] + 10


def rule_of(case: ElementTree.Element) -> str:
    """The rule of a test."""
    return case.get("name", "").split(" ")[0]


def test_junit_follows_the_severity_that_fails_the_run() -> None:
    def failures(*options: str) -> str | None:
        text = designlint("check", "examples/hawk-4096", "--format", "junit", *options).out
        return ElementTree.fromstring(text).get("failures")

    assert [failures(), failures("--fail-on", "warning"), failures("--fail-on", "never")] == ["3", "6", "3"]
    counts = data_of(checked("hawk-4096"))["summary"]
    assert (counts["errors"], counts["errors"] + counts["warnings"]) == (3, 6)


def test_junit_skips_what_is_accepted() -> None:
    cases = ElementTree.fromstring(checked("by hand")["junit"]).iter("testcase")
    why = [element.get("message", "") for case in cases if (element := case.find("skipped")) is not None]
    assert sum(one.startswith(("waiver: ", "baseline: ", "revision: ")) for one in why) == len(hostile.TEXTS)


def test_junit_skips_a_test_for_each_note(reports: Checked) -> None:
    cases = ElementTree.fromstring(reports["junit"]).iter("testcase")
    notes = [case for case in cases if case.get("classname", "").endswith(".note")]
    for case, one in zip(notes, noted(data_of(reports)), strict=True):
        skipped = case.find("skipped")
        assert skipped is not None
        assert printable(one.words)[:400] in skipped.get("message", "")


# -- GitHub


def unescaped(text: str) -> str:
    """What the runner makes of an escaped message or property."""
    for escape, letter in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escape, letter)
    return text


def test_github_gets_one_command_for_each_finding_and_none_that_a_design_brings(reports: Checked) -> None:
    data = data_of(reports)
    found = [*data["findings"], *(data["accepted"] if reports.folder == ROOT else ())]
    *lines, total = reports["github"].splitlines()
    commands, notes = lines[: len(found)], lines[len(found) :]
    assert not total.startswith("::")
    for line, one in zip(commands, found, strict=True):
        properties, message = command(line)
        at = one["location"]
        # A file whose name steers a terminal is named, escaped, in the message alone.
        if printable(at["file"]) == at["file"]:
            assert set(properties) == {"file", "line", "endLine", "col", "endColumn", "title"}
            assert (properties["file"], int(properties["line"])) == (path(at["file"]), at["line"])
        else:
            assert set(properties) == {"title"}
        assert message.startswith(f"{printable(at['file'])}:{at['line']}:{at['column']}: ")
        assert properties["title"] == one["rule"]
    for line, words in zip(notes, first_lines(data), strict=True):
        properties, message = command(line)
        assert line.startswith("::notice ")
        assert properties["title"] == "designlint"
        assert words[:400] in message


def command(line: str) -> tuple[dict[str, str], str]:
    """The properties and the message of a command, as the runner reads them."""
    match = COMMAND.fullmatch(line)
    assert match is not None, line[:200]
    assert not re.search(r"%(?!25|0A)", match[3])
    properties = dict(part.split("=", 1) for part in match[2].split(","))
    return {name: unescaped(value) for name, value in properties.items()}, unescaped(match[3])


def test_github_names_the_place_of_a_note_whatever_its_file_is_called() -> None:
    report = replace(hostile.report(), settings=[], unjudged=[])
    lines = reporters.render("github", report, RenderOptions()).splitlines()
    notes = [command(line) for line in lines if "title=designlint::" in line and "is waived" in line]
    assert {properties.get("file") for properties, _ in notes} == {None, "dir 0/a b%.yaml", "dir 1/#?&=:;,'\".yaml"}
    for properties, message in notes:
        assert ("line" in properties) != message.startswith("dir 2/ü\\u202e\\u000a.yaml:1: ")


def test_github_takes_columns_within_a_line_only() -> None:
    text = b"designlint: 1\nnodes:\n  - {name: a, count: [1,\n     2]}\n"
    line = designlint("check", "-", "--format", "github", stdin=text).out.splitlines()[0]
    assert line.startswith("::error file=<stdin>,line=3,endLine=4,title=shape/wrong-type::<stdin>:3:")


def test_inside_a_workflow_annotations_and_a_summary_are_written(tmp_path: Path) -> None:
    page = tmp_path / "summary.md"
    page.write_text("before\n", "utf-8")
    run = designlint("check", "-", stdin=BAD, GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(page))
    assert run.out.startswith("::error file=<stdin>,line=6,")
    assert page.read_text("utf-8").startswith("before\n### ❌ designlint: 1 error in 1 design\n")
    asked = designlint(
        "check", "-", "--format", "text", stdin=BAD, GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(page)
    )
    assert asked.out.startswith("error[parallelism/tensor-beyond-scale-up-domain]")
    assert page.read_text("utf-8").count("###") == 1


# -- GitLab


def test_gitlab_gets_what_it_documents(reports: Checked) -> None:
    issues = json.loads(reports["gitlab"])
    jsonschema_rs.validate(GITLAB, issues)
    data = data_of(reports)
    found, notes = data["findings"], noted(data)
    assert [one["check_name"] for one in issues] == [one["rule"] for one in found] + ["designlint/note"] * len(notes)
    files = [one["location"]["file"] for one in found] + [one.file or data["files"][0] for one in notes]
    assert [one["location"]["path"] for one in issues] == [path(file) for file in files]
    for issue, one in zip(issues[len(found) :], notes, strict=True):
        assert issue["severity"] == "info"
        assert issue["location"]["lines"]["begin"] == (one.line or 1)
        assert printable(one.words)[:3000] in issue["description"]
    assert max(Counter(one["fingerprint"] for one in issues).values(), default=1) == 1


# -- Markdown


def rendered(text: str) -> list[Any]:
    """The tokens of a Markdown page, with tables, links of plain addresses and HTML: more than any service takes."""
    tokens = MarkdownIt("gfm-like", {"linkify": True}).parse(text)
    return [inner for token in tokens for inner in (token, *(token.children or ()))]


def test_markdown_shows_markup_of_a_design_as_text(reports: Checked) -> None:
    text = reports["markdown"]
    tokens = rendered(text)
    assert {token.type for token in tokens} & {
        "link_open",
        "image",
        "fence",
        "code_block",
        "code_inline",
        "s_open",
    } == set()
    html = {token.content.strip() for token in tokens if token.type == "html_inline"}
    assert html <= {"<code>", "</code>", "<br>"}
    blocks = [token.content.strip() for token in tokens if token.type == "html_block"]
    assert all(re.fullmatch(r"<details><summary>[\w ,:]+</summary>|</details>", block) for block in blocks)
    assert sum(token.type == "heading_open" for token in tokens) == 1
    assert sum(token.type == "table_open" for token in tokens) == bool(data_of(reports)["findings"])
    rows = [token for token in tokens if token.type == "td_open"]
    assert len(rows) % 3 == 0
    assert not re.search(r"@\w|[#!&$~]\d", "".join(token.content for token in tokens if token.type == "text"))
    assert len(text) < 65_536


def test_markdown_tells_verdict_findings_and_what_nobody_knows() -> None:
    text = checked("hawk-4096")["markdown"]
    assert text.startswith("### ❌ designlint: 3 errors, 3 warnings, 1 note in 1 design\n")
    assert "pretrain uses tensor parallelism 16" in text
    assert "fix (unsafe, proven)" in text
    assert "Stating these would decide most" in text
    assert checked("superpod-4su")["markdown"].startswith("### ✅ designlint: No findings")
    accepted = checked("by hand")["markdown"]
    assert f"<summary>{len(hostile.TEXTS)} accepted</summary>" in accepted


def test_markdown_lists_what_to_know_before_the_findings(reports: Checked) -> None:
    head, _, below = reports["markdown"].partition("**Know before you approve:**\n\n")
    wanted = first_lines(data_of(reports))
    assert bool(below) == bool(wanted)
    notes = below.partition("\n\n")[0].splitlines()
    assert [one[:2] for one in notes] == ["- "] * len(wanted)
    assert "| where |" not in head or not wanted


# -- CSV


def test_csv_is_a_table_without_formulas(reports: Checked) -> None:
    data = data_of(reports)
    found = [*data["findings"], *(data["accepted"] if reports.folder == ROOT else ())]
    assert reports["csv"].endswith("\r\n")
    head, *rows = csv.reader(io.StringIO(reports["csv"], newline=""), strict=True)
    assert not any(cell.startswith(tuple("=+-@\t\r＝")) for row in rows for cell in row)
    told = [dict(zip(head, row, strict=True)) for row in rows]
    for row, one in zip(told[: len(found)], found, strict=True):
        assert int(row["line"]) == one["location"]["line"]
        assert row["rule"] == one["rule"]
    for row, note in zip(told[len(found) :], noted(data), strict=True):
        assert (row["severity"], row["rule"], row["line"]) == ("note", "", str(note.line or ""))
        assert printable(note.words) in row["message"]
    if reports.folder == ROOT:
        assert {row["accepted"] for row in told} == {"", "waiver", "baseline", "revision"}
