"""The commands that answer questions: `rules`, `explain`, `why`."""

from __future__ import annotations

import re

import pytest

from tests.running import designlint


def test_rules_are_listed_by_topic_and_severity() -> None:
    chosen = designlint(
        "rules", "--topic", "memory", "--topic", "model", "--severity", "error", "--format", "json"
    ).data
    every = designlint("rules", "--format", "json").data
    assert chosen == [
        one for one in every if one["id"].split("/")[0] in ("memory", "model") and one["severity"] == "error"
    ]
    assert chosen
    missed = designlint("rules", "--topic", "memry")
    assert (missed.code, "did you mean `memory`?" in missed.err) == (2, True)
    assert "\x1b[1;31merror" in designlint("rules", "--topic", "memory", "--color", "always").out


def test_explain_says_in_json_what_its_page_says() -> None:
    page = designlint("explain", "network/leaf-oversubscribed").out
    data = designlint("explain", "network/leaf-oversubscribed", "--format", "json").data
    for told in (data["title"], data["problem"], data["remedy"], data["judge"]):
        assert told in page
    assert [one["design"].rstrip() in page for one in data["examples"]] == [True] * len(data["examples"])
    assert all(f"`{word}`" in page for word in data["reads"])
    assert data["limits"]["most"]["confidence"] == "verified"
    assert "\x1b[1m## Why\x1b[0m" in designlint("explain", "network/leaf-oversubscribed", "--color", "always").out


def test_why_gives_the_verdict_of_a_rule() -> None:
    told = designlint("why", "examples/hawk-4096", "network/leaf-oversubscribed").out
    assert told.startswith("fail: fabrics/compute: compute is 2.00:1 oversubscribed at its leaves")
    assert "\nnot applicable: fabrics/storage\n" in told
    data = designlint("why", "examples/hawk-4096", "network/leaf-oversubscribed", "--format", "json").data
    assert (data["verdicts"][0]["subject"], data["verdicts"][0]["verdict"]) == ("fabrics/compute", "fail")


def test_why_shows_what_a_rule_asks_and_what_its_names_stand_for() -> None:
    asked = designlint("why", "examples/hawk-4096", "compute/deadline-missed", "--depth", "0").out.split("\n\n")[1]
    assert asked.splitlines()[0] == "passes where ?least_training_time * ?share <= ?deadline"
    assert "  with ?share = IF(?certain, IF(BOUND(?embedding_parameters), 1, ?multiplied), ?sparsest)" in asked
    assert "  with ?sparsest = 3 % (kimi-k2-2025, secondary source)" in asked
    assert "?reserved" not in asked, "values of the message alone are left out"
    unasked = designlint("why", "examples/hawk-4096", "scheduling/quota-beyond-cluster")
    assert (unasked.code, unasked.out.splitlines()[0]) == (0, "the design has no Queue, so the rule does not apply")


def test_why_stops_at_a_depth_and_says_so() -> None:
    whole, one = (designlint("why", "examples/hawk-4096", "state_memory", *rest).out for rest in ((), ("--depth", "1")))
    assert len(whole.splitlines()) > len(one.splitlines()) > 3
    assert "workloads/pretrain/weight_memory = 4.182 GB   (estimate) …" in one
    tree = designlint("why", "examples/hawk-4096", "state_memory", "--format", "json").data["facts"][0]
    assert (tree["path"], tree["value"], len(tree["inputs"])) == ("workloads/pretrain/state_memory", "14.12 GB", 3)
    assert all("cut" not in part and part["inputs"] for part in tree["inputs"])


def test_the_statuses_of_principles_are_coloured() -> None:
    colored, plain = (designlint("coverage", "examples/ten-lines", "--color", how).out for how in ("always", "never"))
    assert "\x1b[1;33munknown\x1b[0m  " in colored
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == plain


def test_a_folder_with_several_designs_is_none() -> None:
    run = designlint("why", "examples", "state_memory")
    assert (run.code, run.err) == (2, "designlint: examples holds 9 designs; name one of them\n")


@pytest.mark.parametrize("arguments", [("--help",), ("baseline", "--help"), ("config", "--help")])
@pytest.mark.parametrize("width", ["60", "80", "120"])
def test_summaries_of_commands_are_never_cut(
    arguments: tuple[str, ...], width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    listed = designlint(*arguments).out.partition("Commands:\n")[2]
    assert len(listed.splitlines()) > 1
    assert "..." not in listed


def test_why_says_where_a_word_stands_that_is_sought_elsewhere() -> None:
    for what, meant in {
        "workloads/pretrain/own_gpus": "workloads/pretrain/runs_on/own_gpus",
        "workloads/pretrain/tensr": "tensor",
        "parallelism/tensor-beyond-servr": "parallelism/tensor-beyond-server",
    }.items():
        run = designlint("why", "examples/hawk-4096", what)
        assert (run.code, f"did you mean `{meant}`?" in run.err) == (2, True), run.err
