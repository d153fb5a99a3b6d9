"""The four answers at the head of a report: what an approver reads first, and may read alone."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING

import pytest

from designlint.configuration.engine import shipped_engine
from designlint.findings.model import Severity
from tests.reports import Page, data, html, written
from tests.running import designlint

if TYPE_CHECKING:
    from pathlib import Path


def test_approver_finds_the_answers_at_the_top() -> None:
    first = data("examples/hawk-4096")["designs"][0]
    assert [one["question"] for one in first["answers"]] == [
        "Is the target reachable?",
        "What breaks first?",
        "What does it cost to fix?",
        "What is not known yet?",
    ]
    reachable, breaks, costs, unknown = (json.dumps(one, ensure_ascii=False) for one in first["answers"])
    assert "No, not as designed" in reachable
    assert "144.4 days" in reachable
    assert "deadline 90 days" in reachable
    assert "41.4 % beyond its limit" in breaks  # on the day the facility is designed for: 6.286 MW x 1.35 of 6 MW
    assert "one failure every 7.212 h" in breaks
    assert "servers in service 512 → 912" in costs
    assert "deadline 90 days → 160 days" in costs
    weighty = [each["rule"] for each in first["plans"][1]["left"] if each["severity"] != "info"]
    assert weighty
    assert all(each in costs for each in weighty)
    assert "fabrics/storage" in unknown
    assert re.search(r"topology/kind \(\d\d rules\)", unknown)
    text = Page(html("examples/hawk-4096")).text
    assert text.index("Is the target reachable?") < text.index("Missing facts that most rules need")


def test_report_opens_with_the_facts_at_a_glance() -> None:
    first = data("examples/hawk-4096")["designs"][0]
    assert {one["name"]: (one["value"], one["note"]) for one in first["key_facts"]} == {
        "GPUs": ("4096", "512 x dgx-h100"),
        "Compute fabric": ("infiniband-ndr", "fat-tree"),
        "Facility power": ("8.486 MW", "utility commits 6 MW"),
        "Training time": ("at least 144.4 days", "pretrain, deadline 90 days"),
        "Memory per GPU": ("about 33.56 GB", "pretrain, of 80 GB"),
    }
    text = Page(html("examples/hawk-4096")).text
    assert text.index("8.486 MW") < text.index("Network topology: compute") < text.index("Is the target reachable?")


def test_what_is_not_known_is_no_fact_at_a_glance(tmp_path: Path) -> None:
    design = tmp_path / "design.yaml"
    design.write_text("designlint: 1\nname: bare\nnodes: [{name: train, model: dgx-h100, count: 4}]\n")
    assert [one["name"] for one in data(str(design))["designs"][0]["key_facts"]] == ["GPUs", "Facility power"]


def test_what_breaks_first_is_the_gravest_and_never_a_note() -> None:
    answers = {one["question"]: one for one in data("examples/hawk-4096-revised")["designs"][0]["answers"]}
    breaks = answers["What breaks first?"]
    # An error by 41 % stands before one by 22 %, and both before a warning by 82 %.
    assert breaks["answer"].startswith("the facility draws at least 8.486 MW")
    assert [one["key"] for one in breaks["points"]][:3] == [
        "41.4 % beyond its limit",
        "21.5 % beyond its limit",
        "81.7 % beyond its limit",
    ]
    assert breaks["points"][1]["text"].startswith("pretrain needs at least 103.9 GB on its most loaded GPU")
    notes = data("examples/llama3-405b")["designs"][0]
    assert {one["severity"] for one in notes["findings"]} == {"info"}
    assert "No checked value is beyond its limit" in notes["answers"][1]["answer"]
    accepted = data("examples/two-pods")["designs"][0]["answers"][1]["points"]
    assert accepted[0]["key"] == "accepted, 81.8 % beyond its limit"


def test_what_breaks_first_is_a_limit_of_the_design_and_no_doubt_about_its_numbers() -> None:
    breaks = data("examples/hawk-4096")["designs"][0]["answers"][1]
    near = [one["text"] for one in breaks["points"] if one["key"].endswith("margin")]
    assert len(near) == 3
    doubts = {name for name, one in shipped_engine().rules.items() if one.texts.claim or one.severity is Severity.INFO}
    assert not any(rule in text for text in near for rule in doubts)
    assert {"compute/sparse-peak", "compute/fewer-tokens-than-optimal", "compute/mfu-beyond-prediction"} <= doubts


def test_a_document_to_sign_says_as_of_which_day(tmp_path: Path) -> None:
    today = time.strftime("%Y-%m-%d")
    for format in ("html", "markdown", "json"):
        assert today in designlint("report", "examples/ten-lines", "--format", format).out


def test_a_target_that_waits_for_most_facts_is_not_called_reachable() -> None:
    told = data("examples/ten-lines")["designs"][0]["answers"][0]["answer"]
    assert (
        told == "No check contradicts it, but most checks are unknown: 6 of 35 checks of targets pass, 29 lack facts."
    )


@pytest.mark.parametrize("text", ["", "\ufeff", "a: \u0007\n"])
def test_what_cannot_be_read_is_not_called_judged(text: str, tmp_path: Path) -> None:
    name = written(tmp_path, text)
    made = data(name)["designs"][0]
    assert made["told"].endswith("Nothing could be checked.")
    assert made["answers"][3]["answer"] == "Everything: nothing could be checked."
    assert "check was made" not in Page(html(name)).text


def test_a_design_that_says_nothing_is_not_called_clean(tmp_path: Path) -> None:
    made = data(written(tmp_path, "designlint: 1\n"))["designs"][0]
    assert (made["verdict"], made["told"]) == (
        "unknown",
        "Nothing was checked: the design states no fact that a rule needs.",
    )


def test_a_file_that_could_not_be_read_whole_is_not_called_silent(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_text("designlint: 1\nnodes:\n  - {name: train, count: 4\nworkloads: []\n", "utf-8")
    made = designlint("report", "design.yaml", "--format", "json", cwd=tmp_path).data["designs"][0]["answers"]
    assert made[3]["answer"].startswith("The files could not be read completely")
    assert [one["key"] for one in made[3]["points"]] == ["Fix first"]
    assert "Prices" not in made[2]["answer"]


def test_a_missing_fact_is_explained_by_the_word_of_its_own_class() -> None:
    gaps = {one["fact"]: one["meaning"] for one in data("examples/hawk-4096")["designs"][0]["gaps"]}
    assert (
        gaps["fabrics/storage/topology/switch/ports"]
        == "Ports at full rate; for a chassis, those of all its line cards."
    )
    assert gaps["facility/generators/count"] == "Generators installed, redundant ones included."
    assert all(gaps.values())
