"""How many switches a planned network takes: in counts that can be wired, and no more than its servers need."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.findings.model import Severity
from designlint.materials.bill import bill
from designlint.planning.brief import of_options
from designlint.planning.choices import choices
from designlint.planning.fabric import crowd, forest, slender, tree
from designlint.planning.plan import plan_cluster
from tests.running import designlint

if TYPE_CHECKING:
    from pathlib import Path

NONE = dict.fromkeys(("model", "tokens", "gpu", "gpus", "deadline", "power", "budget"), "")


def test_a_plane_for_each_rail_joins_more_servers_than_one_tree() -> None:
    assert tree(16876, 8, 64) is None
    found = forest(16876, 8, 64)
    assert found is not None
    assert (found.planes, found.tiers) == (4, 3)
    assert found.leaves * found.unit >= 16876 * 8
    assert forest(200_000, 8, 64) is None


@pytest.mark.parametrize(("rails", "radix"), [(8, 64), (4, 64), (8, 40), (1, 64), (8, 144), (8, 32)])
def test_trees_can_be_wired_evenly(rails: int, radix: int) -> None:
    for servers in [1, 2, 3, 7, 16, 31, 32, 33, 64, 100, 127, 256, 257, 500, 1000, 2048, 5000]:
        found = tree(servers, rails, radix)
        if found is None:
            continue
        assert found.leaves * found.ports >= servers * rails
        if found.tiers == 1:
            assert found.ports <= radix
            continue
        assert 2 * found.ports <= radix
        if found.tiers == 2:
            assert found.ports % found.spines == 0
            assert found.leaves * (found.ports // found.spines) <= radix
        else:
            assert found.spine_uplinks * 2 <= radix
            pods = ceil(found.leaves / found.spine_uplinks)
            cores = found.cores // found.unit
            assert found.spine_uplinks % cores == 0
            assert pods * found.spine_uplinks // cores <= radix


@pytest.mark.parametrize("ports", [63, 126, 870, 3072, 3073, 10_000])
def test_leaves_of_management_have_fewer_uplinks_come_in_pairs_and_are_wired_evenly(ports: int) -> None:
    found = slender(ports, 64, 4, 2)
    assert found is not None
    assert found.leaves * 4 * found.unit >= ports
    assert found.unit * 5 + 2 <= 64
    assert found.leaves % 2 == 0
    assert found.tiers == (2 if ports <= 3072 else 3)
    pods = found.pods
    assert found.unit % (found.spines // pods) == 0
    assert found.unit * found.leaves <= 64 * found.spines


def test_racks_that_are_a_scale_up_domain_share_leaves_unless_full_leaves_save_many_switches() -> None:
    """Leaves of 32 server ports for racks of 18 servers: with one rack each they would need a third tier for 26 racks."""
    alone, together = tree(26 * 18, 4, 64, 18), tree(26 * 18, 4, 64)
    assert alone == together
    assert together is not None
    assert (together.tiers, together.unit) == (2, 32)
    for servers, radix, unit in ((8 * 18, 144, 72), (64 * 18, 64, 18)):
        whole = tree(servers, 4, radix, 18)
        assert whole is not None
        assert whole.unit == unit


@pytest.mark.parametrize("ports", range(2100, 30000, 331))
def test_uplinks_divide_over_few_cores(ports: int) -> None:
    """Pods of a prime number of leaves would need as many cores as leaves, nearly idle each."""
    found = tree(ports, 1, 64)
    assert found is not None
    assert found.tiers == 3
    assert found.cores * 64 < 2.5 * found.spines * found.spine_uplinks


def test_a_plane_has_no_more_ports_than_its_subnet_addresses() -> None:
    found = forest(6438, 8, 64, most=40000)
    assert found is not None
    assert found.planes == 2
    assert forest(6438, 8, 64) == tree(6438, 8, 64)
    judged = engine.shipped_engine().rules["network/subnet-beyond-addresses"].texts.limits["most"].value
    assert float(choices()["subnet"]["ports"]) == judged


@pytest.mark.parametrize(
    ("gpu", "gpus", "model"),
    [
        ("gb200", "9216", "llama-3-405b"), ("h100", "50000", "llama-3-70b"), ("mi355x", "2048", "deepseek-v3"),
        ("h100", "8", "llama-3-8b"), ("mi300x", "72", "mixtral-8x7b"), ("gb200", "256", "llama-3-70b"),
    ],
)  # fmt: skip
def test_plans_of_any_size_are_free_of_warnings(gpu: str, gpus: str, model: str) -> None:
    """Cores in proportion, subnets that address their ports, a batch that somebody has published, pairs of single switches."""
    answer = plan_cluster(
        of_options(**NONE | {"model": model, "tokens": "15T", "gpu": gpu, "gpus": gpus}), engine.shipped_engine()
    )
    assert [one.message for one in answer.findings if one.severity is not Severity.INFO] == []


@pytest.mark.parametrize(("servers", "expected"), [(8, (1, 1, 0)), (9, (2, 4, 2)), (16, (2, 4, 2)), (17, (2, 8, 3))])
def test_few_servers_share_few_switches(servers: int, expected: tuple[int, int, int]) -> None:
    found = tree(servers, 8, 64)
    assert found is not None
    assert (found.tiers, found.leaves, found.spines) == expected


@pytest.mark.parametrize(
    ("gpu", "gpus", "reason"),
    [
        (
            "gh200-96gb",
            "64",
            "tiers: 2  # one switch connects the 64 servers in service; the spares need a second tier\n",
        ),
        ("h100", "1024", "tiers: 2\n"),
    ],
)
def test_a_tier_that_only_the_spares_need_is_said(gpu: str, gpus: str, reason: str, tmp_path: Path) -> None:
    to = tmp_path / "plan.yaml"
    done = designlint("plan", "--model", "llama-3-8b", "--tokens", "1T", "--gpu", gpu, "--gpus", gpus, "-o", str(to))
    assert done.code == 0, done.err
    assert f"      {reason}" in to.read_text("utf-8")


@pytest.mark.parametrize(
    ("gpu", "gpus", "planes", "tiers"), [("h100", "64", 2, 1), ("h100", "56", 1, 1), ("l40s", "128", 1, 2)]
)
def test_rails_are_split_over_two_switches_where_only_the_spares_need_more_than_one(
    gpu: str, gpus: str, planes: int, tiers: int
) -> None:
    """Where the scale-up network connects the rails; between cards with PCIe alone a second tier does."""
    answer = plan_cluster(
        of_options(**NONE | {"model": "llama-3-8b", "tokens": "1T", "gpu": gpu, "gpus": gpus}), engine.shipped_engine()
    )
    compute: Any = answer.job_design.graph.subjects["fabrics/compute"].facts["topology"]
    assert (compute.facts["planes"], compute.facts["tiers"]) == (planes, tiers)
    assert [one.message for one in answer.findings if one.severity is not Severity.INFO] == []
    if tiers == 1:
        assert compute.facts["leaves"] == planes
        assert compute.facts["host_ports_per_leaf"] <= 64


@pytest.mark.parametrize(("in_service", "spares", "expected"), [(32, 1, (33, 30, 8, 5)), (256, 8, (33, 30, 64, 30))])
def test_spares_take_further_ports_where_a_unit_or_a_tier_for_them_would_take_many_switches(
    in_service: int, spares: int, expected: tuple[int, int, int, int]
) -> None:
    without, found = tree(in_service, 8, 64), tree(in_service + spares, 8, 64)
    assert without is not None
    assert found is not None
    crowded = crowd(without, in_service + spares, in_service, 8, 64)
    assert crowded is not None
    assert (crowded.ports, crowded.uplinks, crowded.leaves, crowded.spines) == expected
    assert crowded.switches < 0.7 * found.switches
    assert crowded.uplinks % crowded.spines == 0
    judged = engine.shipped_engine().rules["network/leaf-oversubscribed"].texts.limits["most"].value
    assert float(choices()["spare_ports"]["oversubscription"]) == judged >= crowded.working_ratio


def test_so_many_spares_that_the_servers_in_service_lack_uplinks_have_a_unit_of_their_own() -> None:
    without = tree(32, 8, 64)
    assert without is not None
    assert crowd(without, 40, 32, 8, 64) is None


@pytest.mark.parametrize(
    ("read", "servers", "uplinks"), [("1 TB/s", 52, 16), ("8 TB/s", 100, 21), ("24 TB/s", 250, 32)]
)
def test_uplinks_of_storage_follow_what_the_file_system_reads(read: str, servers: int, uplinks: int) -> None:
    given = of_options(**NONE | {"model": "llama-3-70b", "tokens": "1T", "gpu": "h100", "gpus": "2048"})
    given["storage"] = [{"name": "scratch", "kind": "lustre", "read": read, "object_servers": str(servers)}]
    answer = plan_cluster(given, engine.shipped_engine())
    assert [one.message for one in answer.findings if one.severity is not Severity.INFO] == []
    (fabric,) = (one for one in answer.job_design.graph.by_class["Fabric"] if one.facts["name"] == "storage")
    topology: Any = fabric.facts["topology"].facts  # type: ignore[union-attr]
    assert topology["uplinks_per_leaf"] == uplinks
    assert topology["uplinks_per_leaf"] % topology["spines"] == 0


def test_ports_into_storage_are_no_faster_than_its_servers_have() -> None:
    answer = plan_cluster(
        of_options(**NONE | {"model": "llama-3-70b", "gpu": "gb300", "gpus": "256"}), engine.shipped_engine()
    )
    counted = {one.item: one.count for one in bill(answer.job_design) if "storage" in str(one.where) or one.included}
    assert counted["qm9700"] == 6
    assert counted["adapters for 800 Gbit/s"] == 7 + 4
    assert "speed: 400 Gbit/s  # as on servers with compute ports of 800 Gbit/s (nvidia-era)\n" in answer.text


def test_cables_have_fibres_and_transceivers_that_reach() -> None:
    def runs(gpus: str, gpu: str = "h100") -> list[dict[str, str]]:
        answer = plan_cluster(
            of_options(**NONE | {"model": "llama-3-8b", "tokens": "1T", "gpu": gpu, "gpus": gpus}),
            engine.shipped_engine(),
        )
        assert [one.rule for one in answer.findings if one.severity is not Severity.INFO] == []
        found = [dict(one.facts) for one in answer.job_design.graph.by_class["CableRun"] if "in-band" not in one.path]
        return [{name: str(one[name]) for name in ("between", "medium")} for one in found]

    small, large = runs("256"), runs("4096")
    assert {one["medium"] for one in small} == {"multimode"}
    assert {one["medium"] for one in large if one["between"] != "server-leaf"} == {"single-mode"}
    assert {one["between"] for one in large} == {"server-leaf", "leaf-spine", "spine-core"}
    assert {one["medium"] for one in runs("256", "mi300x")} == {"single-mode"}


@pytest.mark.parametrize(
    ("gpu", "gpus", "spares", "reason"),
    [
        ("gb200", "576", 18, "fills the last rack: a rack of 18 is one scale-up domain"),
        ("gb200", "4032", 36, "fills the last rack: a rack of 18 is one scale-up domain"),
        ("v100-sxm3-32gb", "1024", 3, "as many as are in repair on average"),
        ("h100", "1024", 4, "3 % of the servers (llama3-2024)"),
    ],
)
def test_spares_cover_repairs_and_fill_racks_that_are_bought_whole(
    gpu: str, gpus: str, spares: int, reason: str
) -> None:
    answer = plan_cluster(
        of_options(**NONE | {"model": "llama-3-8b", "tokens": "15T", "gpu": gpu, "gpus": gpus}), engine.shipped_engine()
    )
    assert answer.job_design.graph.by_class["NodePool"][0].facts["spares"] == spares
    assert f"spares: {spares}  # {reason}\n" in answer.text


@pytest.mark.parametrize("gpu", ["h100", "a100-80gb", "mi300x", "gb300", "v100-32gb"])
def test_everything_between_servers_and_switches_can_be_ordered(gpu: str) -> None:
    """Every cable has a medium but those of copper for 1 Gbit/s, and every end of a fibre has optics."""
    found = plan_cluster(
        of_options(**NONE | {"model": "llama-3-70b", "gpu": gpu, "gpus": "288"}), engine.shipped_engine()
    )
    lines = bill(found.job_design)
    bare = [one for one in lines if one.category == "cable" and one.item.startswith("link")]
    assert [one.where for one in bare] == [("out-of-band",)]
    fibres = sum(one.count or 0 for one in lines if one.category == "cable" and "mode" in one.item)
    twins = sum(one.count or 0 for one in lines if one.item.startswith("mm"))
    single = sum(one.count or 0 for one in lines if one.item.startswith("optical port"))
    assert single + 2 * twins >= 2 * fibres
    runs: list[dict[str, Any]] = [one.facts for one in found.job_design.graph.by_class["CableRun"]]
    assert single == sum(
        one["cables"]
        for one in runs
        for end in ("lower_end", "upper_end")
        if "mode" in one["medium"] and "model" not in one[end].facts
    )


def test_racks_keep_trays_spare_where_the_groups_of_experts_leave_part_of_each_over() -> None:
    """Groups of 64 on racks of 72 GPUs: two trays of each rack stay spare, within the limit of power."""
    given = of_options(**NONE | {"tokens": "8T", "gpu": "gb200", "power": "5 MW", "model": "llama-3-8b"})
    given["workloads"][0]["model"] = {"parameters": "400e9", "experts": "64"}
    answer = plan_cluster(given, engine.shipped_engine())
    assert [one.rule for one in answer.findings if one.severity is not Severity.INFO] == []
    graph = answer.job_design.graph
    pool, job = graph.by_class["NodePool"][0].facts, graph.by_class["Workload"][0].facts
    assert job["scale_up_group"] == 64
    assert pool["count"] + pool["spares"] == pool["count"] * 4 / 64 * 18  # type: ignore[operator]
    assert "# 2 of 18 servers in each rack: groups of 64 GPUs fill 64 of 72 (megatron-bridge)\n" in answer.text
    assert answer.layouts[0].cost.step == pytest.approx(job["predicted_step_time"], rel=1e-6)


def test_groups_that_fill_racks_are_chosen_where_they_lose_less_than_further_racks_cost() -> None:
    given = of_options(**NONE | {"model": "qwen3-235b-a22b", "tokens": "2T", "gpu": "gb300", "gpus": "1024"})
    answer = plan_cluster(given, engine.shipped_engine())
    assert answer.layouts[0].words["expert"] == 8
    assert any("some groups span two domains" in one for one in answer.passed.values())
    assert [one.rule for one in answer.findings if one.severity is not Severity.INFO] == []
