"""Whatever text stands in a design, each format shows it as that text and as nothing else."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests import hostile

from designlint.findings.model import Severity
from designlint.findings.report import Report
from designlint.reporters import render
from designlint.reporters.shared.markup import inline_text
from designlint.reporters.shared.options import RenderOptions
from designlint.reporters.shared.terminal import printable

#: Text that markup is made of, more often than not.
PIECES = st.sampled_from(
    re.split(
        " ",
        r"* ** _ __ ~~ ` `` [ ] ( ) ]( ![ < > </ <a> <!-- --> & &amp; &#60; # | \ \* @a #1 !1 GH-1 1. 2) http:// $x$ { {0} "
        r"https://x.example www.x.example a@x.example :+1: } {{ }} :: %0A %25 = + - , ; ]]> é 日",
    )
    + list(" \n\r\t\x00\x1b\u202e\u2028")
)
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=8).map("".join)
PAGE = MarkdownIt("gfm-like", {"linkify": True})


@settings(deadline=None)
@given(TEXTS)
def test_markdown_shows_any_text_as_it_is(text: str) -> None:
    for page in (
        f"- {inline_text(text)} end\n",
        f"| a |\n| - |\n| {inline_text(text)} end |\n",
        f"- **x {inline_text(text)} end**\n",
    ):
        inline = [one for token in PAGE.parse(page) for one in token.children or ()]
        kinds = {one.type for one in inline if one.type != "html_inline"}
        assert kinds <= {"text", "text_special", "strong_open", "strong_close"}, page
        assert {one.content for one in inline if one.type == "html_inline"} <= {"<code>", "</code>"}
        visible = "".join(html.unescape(one.content) for one in inline if one.type in ("text", "text_special"))
        assert same(visible).endswith(same(f"{printable(text)} end"))


def same(text: str) -> str:
    """Text without what Markdown folds and what the reporter adds or sets as code."""
    return re.sub(r"\s", "", text.replace("\u200b", "").replace("`", ""))


@settings(deadline=None)
@given(TEXTS)
def test_other_formats_hold_any_text(text: str) -> None:
    report = Report(["a.yaml"], [hostile.finding(text, "a.yaml", Severity.ERROR)], [], texts={"a.yaml": "abc\ndef\n"})
    told = printable(text)
    for format in ("github", "concise"):  # a line for the finding, one for the count
        assert [one.startswith(("::error file=a.yaml,", "a.yaml:1:1: ")) for one in lines(report, format)] == [
            True,
            False,
        ]
    (row,) = list(csv.DictReader(io.StringIO(reported(report, "csv"), newline="")))
    assert row["message"] in (told, f"'{told}")
    assert not row["message"].startswith(("=", "+", "-", "@", "\t", "\r"))
    top = ElementTree.fromstring(reported(report, "junit"))
    assert [one.get("message") for one in top.iter("failure")] == [told]
    (issue,) = json.loads(reported(report, "gitlab"))
    assert issue["description"].startswith(told)
    (result,) = json.loads(reported(report, "sarif"))["runs"][0]["results"]
    assert re.findall(r"\[(?:[^\[\]\\]|\\.)*\]\(([^)]*)\)", result["message"]["text"]) == ["1"]
    for format in ("text", "turtle", "json"):
        assert reported(report, format)


def lines(report: Report, format: str) -> list[str]:
    """The report as a terminal or a runner takes it, which know more ends of lines than we write."""
    return reported(report, format).splitlines()


def reported(report: Report, format: str) -> str:
    """The report as a reader finds it who reads it from a file."""
    return render(format, report, RenderOptions()).encode("utf-8", "backslashreplace").decode()
