"""`check --statistics`: findings and time by rule and phase."""

from __future__ import annotations

from .running import BAD, ROOT, designlint


def test_rules_phases_and_counts() -> None:
    run = designlint("check", ROOT / "examples" / "hawk-4096", "--statistics", "--format", "json", "--fail-on", "never")
    data = run.data
    plain = designlint("check", ROOT / "examples" / "hawk-4096", "--format", "json", "--fail-on", "never").data
    told = {one["rule"]: one["findings"] for one in data["rules"] if one["findings"]}
    assert sum(told.values()) == len(plain["findings"])
    assert told.keys() == {one["rule"] for one in plain["findings"]}
    assert {one["rule"] for one in data["rules"] if one["fixable"]} == {
        one["rule"] for one in plain["findings"] if one["fixes"]
    }
    assert list(data["phases"]) == ["read", "graph", "derive", "judge", "repair"]
    assert all(one["seconds"] > 0 for one in data["phases"].values())
    judged = sum(one["seconds"] for one in data["rules"])
    assert abs(judged - data["phases"]["judge"]["seconds"]) < 1e-3
    assert len(data["rules"]) > 400


def test_text_lists_what_was_found_first_and_keeps_the_exit_code() -> None:
    run = designlint("check", "-", "--statistics", stdin=BAD)
    assert run.code == 1
    assert "parallelism/tensor-beyond-scale-up-domain" in run.out.splitlines()[0]
    assert "[*]" in run.out
    assert "ms for 1 designs" not in run.out


def test_processes_add_their_times() -> None:
    data = designlint(
        "check", ROOT / "examples", "--statistics", "--format", "json", "--jobs", "2", "--fail-on", "never"
    ).data
    assert data["designs"] > 3
    assert data["phases"]["judge"]["seconds"] > 0
