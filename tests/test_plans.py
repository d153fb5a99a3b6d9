"""Ways out: the changes that a report proposes together, made for real and judged again."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from designlint.applying import routes
from tests import reports
from tests.running import ROOT, designlint

if TYPE_CHECKING:
    from pathlib import Path

HAWK = (ROOT / "examples/hawk-4096/design.yaml").read_text("utf-8")


def plans(path: Path, *options: str | Path) -> list[Any]:
    """The plans of a report."""
    made = designlint("report", "design.yaml", "--format", "json", *options, cwd=path)
    assert (made.code, made.err) == (0, "")
    return list(made.data["designs"][0]["plans"])


def put(folder: Path, text: str) -> Path:
    """A folder with a design."""
    (folder / "design.yaml").write_text(text, "utf-8")
    return folder


def carried_out(folder: Path, plan: Any) -> list[tuple[str, str]]:
    """What is found after the diff of a plan was applied: severity and rule."""
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    subprocess.run(["git", "apply", "-p0", "-"], input=plan["diff"].encode(), cwd=folder, check=True)
    found = designlint("check", "design.yaml", "--format", "json", cwd=folder).data["findings"]
    return sorted((one["severity"], one["rule"]) for one in found)


def left(plan: Any) -> list[tuple[str, str]]:
    """What a plan says that it leaves."""
    return sorted((one["severity"], one["rule"]) for one in plan["left"])


@pytest.mark.parametrize("number", [0, 1])
def test_what_a_plan_promises_is_what_its_diff_comes_to(number: int, tmp_path: Path) -> None:
    plan = plans(put(tmp_path, HAWK))[number]
    found = carried_out(tmp_path, plan)
    assert found == left(plan)
    assert [severity for severity, _ in found].count("error") == plan["errors"] == 0
    assert [severity for severity, _ in found].count("warning") == plan["warnings"]


@pytest.mark.parametrize(
    "text",
    [
        HAWK.rstrip("\n"),
        HAWK.replace("\n", "\r\n"),
        "designlint: 1\nnodes: [{name: train, model: dgx-h100, count: 4}]\nworkloads: [{name: a, parallelism: {tensor: 16}}]",
        "designlint: 1\nnodes: [{name: train, model: dgx-h100, count: 4}]\nworkloads: [{name: a, parallelism: {tensor: 16}}]\n",
    ],
    ids=["no newline at the end", "CRLF", "a change in the last line", "a change in the last line with its newline"],
)
def test_a_diff_is_carried_out_whatever_the_ends_of_lines(text: str, tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_bytes(text.encode())
    plan = plans(tmp_path)[0]
    assert carried_out(tmp_path, plan) == left(plan)


def test_what_was_spelled_wrong_is_told_as_it_was(tmp_path: Path) -> None:
    text = "designlint: 1\nnodes: [{name: a, model: dgx-h100, count: 4}]\nfabrics: [{name: b, speed: 400 GB/s}]\n"
    (plan,) = plans(put(tmp_path, text))
    assert [(one["path"], one["before"], one["after"]) for one in plan["revisions"]] == [
        ("fabrics/b/speed", "400 GB/s", "3.2 Tbit/s")
    ]
    assert carried_out(tmp_path, plan) == left(plan)
    (tmp_path / "old.yaml").write_text(text, "utf-8")
    told = designlint("diff", "old.yaml", "design.yaml", cwd=tmp_path)
    assert told.code == 0
    assert "400 GB/s -> 3.2 Tbit/s" in told.out


def test_keeping_the_deadline_takes_servers_and_the_network_and_power_for_them(tmp_path: Path) -> None:
    kept, moved = plans(put(tmp_path, HAWK))
    assert (kept["keeps"], kept["given_up"]) == (True, [])
    assert (moved["keeps"], moved["given_up"]) == (False, ["workloads/pretrain/targets/deadline"])
    changed = {one["path"]: one["after"] for one in kept["revisions"]}
    assert changed["nodes/train/count"] == "912"
    # 931 servers with the spares, 32 on a leaf, a whole number of leaves for each of 8 rails; each tier as wide as the last,
    # and cores on which equally many links end
    assert changed["fabrics/compute/topology/leaves"] == changed["fabrics/compute/topology/spines"] == "240"
    assert changed["fabrics/compute/topology/cores"] == "120"
    effects = {one["word"]: (one["before"], one["after"]) for one in kept["effects"]}
    assert effects["cluster_gpus"] == ("4096", "7296")
    assert effects["facility_power"] == ("8.486 MW", "14.21 MW")
    assert effects["training_time"] == ("144.4 days", "81.05 days")


def test_a_search_that_was_cut_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each job alone takes some tries; many of them together would take minutes."""
    pools = "".join(f"  - {{name: n{at}, model: dgx-h100, count: 64}}\n" for at in range(8))
    jobs = "".join(
        f"  - {{name: w{at}, runs_on: {{nodes: n{at}, gpus: 512}}, model: {{parameters: 500e9, layers: 96, hidden: 20480,"
        " heads: 160, sequence: 8192}, data: {tokens: 1e12}, targets: {mfu: 60 %, deadline: 9 days},"
        " parallelism: {tensor: 16, pipeline: 5, micro_batch: 1, global_batch: 2047}}\n"
        for at in range(8)
    )
    put(tmp_path, f"designlint: 1\nnodes:\n{pools}workloads:\n{jobs}")
    with monkeypatch.context() as patch:
        patch.setattr(routes, "MOST_READ", routes.MOST_READ // 5)  # a fork of this process sees it
        made = designlint("report", "design.yaml", "--format", "json", cwd=tmp_path).data["designs"][0]
    assert made["cut"]
    assert "The search was not complete" in made["answers"][2]["answer"]
    for plan in made["plans"]:
        assert carried_out(tmp_path, plan) == left(plan)
        break
    assert not reports.data("examples/hawk-4096")["designs"][0]["cut"]


def test_files_too_large_to_be_tried_are_not_called_beyond_help(tmp_path: Path) -> None:
    put(tmp_path, HAWK + "# more\n" * 10_000)
    made = designlint("report", "design.yaml", "--format", "json", cwd=tmp_path).data["designs"][0]
    assert (made["untried"], made["plans"]) == (True, [])
    assert "were not tried" in made["answers"][0]["answer"]
    assert "were not tried" in made["answers"][2]["answer"]


def test_a_profile_says_what_the_aims_are(tmp_path: Path) -> None:
    (tmp_path / "free.yaml").write_text("title: Free\naims: [facility/utility_power]\n", "utf-8")
    made = plans(put(tmp_path, HAWK), "--profile", "free.yaml")
    assert all(
        "facility/utility_power" not in {one["path"] for one in plan["revisions"]} for plan in made if plan["keeps"]
    )
    assert [plan["given_up"] for plan in made if not plan["keeps"]] == [["facility/utility_power"]]


def test_what_somebody_accepted_is_left_alone(tmp_path: Path) -> None:
    accepted = HAWK.replace(
        "tensor: 16  ",
        'tensor: 16  # designlint: ignore[parallelism/tensor-beyond-scale-up-domain] reason="measured"\n#',
    )
    made = plans(put(tmp_path, accepted))
    assert len(made) == 2
    for plan in made:
        assert plan["errors"] == 0
        assert "workloads/pretrain/parallelism/tensor" not in {one["path"] for one in plan["revisions"]}


def test_where_nothing_helps_the_report_says_so() -> None:
    page = reports.html("examples/impossible-1t")
    assert "No valid sequence of fixes was found" in page
    assert "No plan was found that leaves no error" in page
    assert ">Plans</h" not in reports.html("examples/ten-lines")


def test_large_files_are_not_tried(tmp_path: Path) -> None:
    long = HAWK + "".join(f"# a remark that makes the file longer, number {number}\n" for number in range(1200))
    assert plans(put(tmp_path, long)) == []
    assert "too large to try plans" in designlint("report", "design.yaml", cwd=tmp_path).out
