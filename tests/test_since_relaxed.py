"""`designlint check --since`: requirements that a change relaxes instead of mending what fails them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .test_since import check

if TYPE_CHECKING:
    from .repositories import Repo

DESIGN = """\
designlint: 1
nodes: [{name: train, model: dgx-h100, count: 64, failure_rate: 0.02 per day, mass: 130 kg}]
workloads:
  - name: pretrain
    kind: pretraining
    precision: bf16
    runs_on: {nodes: train, gpus: 512}
    model: {parameters: 70e9, layers: 80, hidden: 8192}
    data: {tokens: 3e12}
    targets: {mfu: 40 %, deadline: 60 days, goodput: 95 %}
    checkpoint: {mode: asynchronous, interval: 30 min}
    recovery: {automatic_restart: true, detect: 2 min, restart: 20 min}
facility:
  utility_power: 700 kW
  racks:
    {count: 16, nodes_per_rack: 4, power_limit: 44 kW, mass_limit: 1500 kg, feeds: 2,
     breaker_rating: 60 A, breaker_voltage: 415 V, breaker_phases: 3}
  ups: {redundancy: N+1, modules: 4, rating: 250 kW, protects: [compute]}
  floor: {area: 60 m2}
procurement:
  launch: 2027-06-01
  power_ready: 2027-05-01
  orders:
    - {item: dgx-h100, category: server, quantity: 64, ordered: 2026-09-01, lead_time: 240 days, needed: 2027-05-10}
"""
#: What a change may say, with the requirement that makes it good, and a rule that would fail without that.
RELAXED = [
    ("utility_power: 700 kW", "utility_power: 600 kW", "facility/utility_power", "power/utility-exceeded"),
    ("power_limit: 44 kW", "power_limit: 30 kW", "facility/racks/power_limit", "power/rack-over-limit"),
    ("mass_limit: 1500 kg", "mass_limit: 300 kg", "facility/racks/mass_limit", "space/rack-overweight"),
    ("goodput: 95 %", "goodput: 99.5 %", "workloads/pretrain/targets/goodput", "reliability/goodput-below-target"),
    ("0.02 per day", "0.4 per day", "nodes/train/failure_rate", "reliability/goodput-below-target"),
    ("launch: 2027-06-01", "launch: 2027-04-01", "procurement/launch", "procurement/power-ready-after-launch"),
    ("needed: 2027-05-10", "needed: 2027-03-01", "procurement/orders/0/needed", "procurement/arrives-after-need"),
    ("redundancy: N+1, modules: 4", "redundancy: 2N, modules: 4", "facility/ups/redundancy", "power/ups-too-small"),
]


def relaxed(repo: Repo) -> list[str]:
    run = check(repo, "--since", "HEAD", "--format", "json")
    return [one["message"] for one in run.data["findings"] if one["rule"] == "review/requirement-relaxed"]


@pytest.mark.parametrize(("good", "former", "fact", "rule"), RELAXED, ids=[one[2] for one in RELAXED])
def test_a_requirement_that_is_relaxed_is_found(repo: Repo, good: str, former: str, fact: str, rule: str) -> None:
    assert good in DESIGN
    repo.commit(design=DESIGN.replace(good, former))
    repo.write(design=DESIGN)
    [told] = relaxed(repo)
    assert told.startswith(f"this change sets {fact} to ")
    assert rule in told


def test_a_change_that_brings_the_fault_with_its_requirement_is_found(repo: Repo) -> None:
    repo.commit(design=DESIGN)
    repo.write(design=DESIGN.replace("nodes_per_rack: 4, power_limit: 44 kW", "nodes_per_rack: 5, power_limit: 54 kW"))
    [told] = relaxed(repo)
    assert told.startswith("this change sets facility/racks/power_limit to 54 kW; with the former 44 kW, ")


@pytest.mark.parametrize(
    "now",
    [
        DESIGN.replace("power_limit: 30 kW", "power_limit: 44 kW").replace("nodes_per_rack: 4", "nodes_per_rack: 2"),
        DESIGN.replace("power_limit: 44 kW", "power_limit: 30 kW").replace("nodes_per_rack: 4", "nodes_per_rack: 2"),
        DESIGN.replace("power_limit: 44 kW", "power_limit: 35 kW"),
    ],
    ids=["mended-and-raised", "mended", "raised-in-vain"],
)
def test_a_change_that_mends_the_design_is_not_found(repo: Repo, now: str) -> None:
    repo.commit(design=DESIGN.replace("power_limit: 44 kW", "power_limit: 30 kW"))
    repo.write(design=now)
    assert relaxed(repo) == []


def test_requirements_that_count_only_together_are_each_found(repo: Repo) -> None:
    lighter = DESIGN.replace("tokens: 3e12", "tokens: 2e12")
    repo.commit(design=lighter.replace("mfu: 40 %, deadline: 60 days", "mfu: 40 %, deadline: 42 days"))
    repo.write(design=lighter.replace("mfu: 40 %, deadline: 60 days", "mfu: 44 %, deadline: 45 days"))
    told = [one for one in relaxed(repo) if "compute/deadline-missed would fail" in one]
    assert [one.partition(" to ")[0].rpartition("/")[2] for one in told] == ["mfu", "deadline"]


def test_a_requirement_of_a_base_is_found_at_its_line(repo: Repo) -> None:
    base, top = DESIGN.replace("designlint: 1\n", ""), "designlint: 1\nextends: base.yaml\n"
    repo.commit(base=base.replace("power_limit: 44 kW", "power_limit: 30 kW"), top=top)
    repo.write(base=base)
    run = check(repo, "--since", "HEAD", "--format", "json")
    [one] = [one for one in run.data["findings"] if one["rule"] == "review/requirement-relaxed"]
    assert (one["location"]["file"], one["severity"]) == ("base.yaml", "warning")


def test_a_margin_that_a_change_states_first_is_found(repo: Repo) -> None:
    loaded = DESIGN.replace("breaker_rating: 60 A", "breaker_rating: 32 A")
    repo.commit(design=loaded)
    repo.write(design=loaded.replace("breaker_phases: 3", "breaker_phases: 3, derating: 100 %"))
    assert [one.partition(";")[0] for one in relaxed(repo)] == ["this change sets facility/racks/derating to 100 %"]


def test_a_requirement_that_is_doubted_itself_may_be_mended(repo: Repo) -> None:
    repo.commit(design=DESIGN.replace("mfu: 40 %", "mfu: 85 %"))
    repo.write(design=DESIGN)
    assert relaxed(repo) == []


@pytest.mark.parametrize("place", ["renamed", "another__folder"])
def test_a_design_that_is_renamed_is_compared_with_what_it_was(repo: Repo, place: str) -> None:
    repo.commit(
        design=DESIGN.replace("power_limit: 44 kW", "power_limit: 30 kW"), other="designlint: 1\nname: another\n"
    )
    (repo.folder / "design.yaml").unlink()
    repo.write(**{place: DESIGN.replace("detect: 2 min, ", "")})
    run = check(repo, "--since", "HEAD", "--format", "json")
    told = {one["rule"]: one["message"] for one in run.data["findings"] if one["rule"].startswith("review/")}
    assert told["review/requirement-relaxed"].startswith("this change sets facility/racks/power_limit to 44 kW")
    assert told["review/fact-removed"].startswith("this change removes workloads/pretrain/recovery/detect")
    assert "power/feed-cannot-take-over" in [one["rule"] for one in run.data["findings"]]


def test_a_design_that_shares_little_with_a_removed_one_is_new(repo: Repo) -> None:
    repo.commit(design=DESIGN.replace("power_limit: 44 kW", "power_limit: 30 kW"))
    (repo.folder / "design.yaml").unlink()
    repo.write(new="designlint: 1\nfacility: {racks: {power_limit: 44 kW}}\nnodes: [{name: train, power: 11 kW}]\n")
    assert relaxed(repo) == []


def test_a_limit_that_grows_with_the_servers_is_an_expansion(repo: Repo) -> None:
    expanded = (
        DESIGN.replace("count: 64", "count: 96")
        .replace("quantity: 64", "quantity: 96")
        .replace("count: 16", "count: 24")
    )
    repo.commit(design=DESIGN)
    repo.write(design=expanded.replace("utility_power: 700 kW", "utility_power: 1050 kW"))
    assert not [one for one in relaxed(repo) if "facility/utility_power" in one]
    repo.write(design=expanded.replace("utility_power: 700 kW", "utility_power: 1100 kW"))
    assert [one for one in relaxed(repo) if "facility/utility_power" in one]
    shrunk = expanded.replace("utility_power: 700 kW", "utility_power: 1050 kW").replace(
        "goodput: 95 %", "goodput: 80 %"
    )
    repo.write(design=shrunk.replace("0.02 per day", "0.08 per day"))
    assert [one for one in relaxed(repo) if "targets/goodput" in one]
