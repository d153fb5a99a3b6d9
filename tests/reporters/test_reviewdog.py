"""What reviewdog and readers of Checkstyle get is what was found, at its place, with fixes that cure."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from tests.reporters.notes import noted
from tests.running import designlint

from designlint.reporters.shared.places import path
from designlint.reporters.shared.terminal import printable

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reporters.conftest import Checked


def test_reviewdog_gets_each_finding_with_its_bytes_and_suggestions_that_cure(reports: Checked) -> None:
    data = json.loads(reports["json"])
    diagnostics, found, notes = json.loads(reports["rdjson"])["diagnostics"], data["findings"], noted(data)
    assert [one.get("code", {}).get("value") for one in diagnostics] == [one["rule"] for one in found] + [None] * len(
        notes
    )
    for told, one in zip(diagnostics, found, strict=False):
        at = one["location"]
        assert told["severity"] == one["severity"].upper()
        assert told["location"]["path"] == path(at["file"])
        for end, line, column in (("start", "line", "column"), ("end", "end_line", "end_column")):
            assert told["location"]["range"][end]["line"] == at[line]
            assert told["location"]["range"][end]["column"] >= at[column]
        single = [fix for fix in one["fixes"] if fix["proven"] and len(fix["replacements"]) == 1]
        assert len(told.get("suggestions", [])) <= len(single)
        assert {each["text"] for each in told.get("suggestions", [])} <= {
            fix["replacements"][0]["text"] for fix in single
        }
    for told, note in zip(diagnostics[len(found) :], notes, strict=True):
        assert printable(note.words)[:3000] in told["message"]


def test_columns_of_reviewdog_count_bytes(tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    text = "designlint: 1\nworkloads: [{name: ü, parallelism: {tensr: 8}}]\n"
    file.write_text(text, "utf-8")
    (one,) = designlint("check", file, "--format", "rdjson", "--min-severity", "error").data["diagnostics"]
    at = one["location"]["range"]
    assert text.splitlines()[1].encode()[at["start"]["column"] - 1 : at["end"]["column"] - 1] == b"tensr"
    (change,) = one["suggestions"]
    line, edited = text.splitlines()[1].encode(), change["range"]
    begin, end = edited["start"]["column"] - 1, edited["end"]["column"] - 1
    assert (
        line[:begin] + change["text"].encode() + line[end:]
        == "workloads: [{name: ü, parallelism: {tensor: 8}}]".encode()
    )


def test_checkstyle_has_each_finding_once_in_its_file(reports: Checked) -> None:
    data = json.loads(reports["json"])
    top = ElementTree.fromstring(reports["checkstyle"])
    errors = [(file.get("name"), one) for file in top for one in file]
    found, notes = data["findings"], noted(data)
    told = Counter((name, one.get("line"), one.get("column"), one.get("source")) for name, one in errors)
    expected = Counter(
        (printable(path(one["location"]["file"])), str(one["location"]["line"]), str(one["location"]["column"]),
         f"designlint.{one['rule']}") for one in found
    )  # fmt: skip
    assert {one: often for one, often in told.items() if one[3] != "designlint.note"} == expected
    assert sum(often for one, often in told.items() if one[3] == "designlint.note") == len(notes)
    assert {one.get("severity") for _, one in errors} <= {"error", "warning", "info"}
