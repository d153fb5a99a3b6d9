"""What a plan states of the site, and how it builds around what a brief states of servers, racks, storage and cooling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.findings.model import Severity
from designlint.planning import site
from designlint.planning.answer import lines
from designlint.planning.architecture import write_document
from designlint.planning.brief import Brief
from designlint.planning.choices import choices
from designlint.planning.plan import plan_cluster
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from designlint.planning.result import PlanAnswer


def of(job: dict[str, Any], pool: dict[str, Any] | None = None, **rest: Any) -> PlanAnswer:
    """The plan for a brief of Llama 3 70B on H100s, with what is stated of the job, the pool and the rest."""
    nodes = [{"name": "train", "gpu": "h100", **(pool or {})}]
    jobs = [{"name": "pretrain", "model": "llama-3-70b", "data": {"tokens": "2T"}, **job}]
    return plan_cluster({"designlint": "1", "nodes": nodes, "workloads": jobs, **rest}, engine.shipped_engine())


def facts(answer: PlanAnswer, *path: str) -> dict[str, Any]:
    found: Any = answer.job_design.graph.root
    for one in path:
        found = found.facts[one]
        found = found[0] if isinstance(found, list | tuple) else found
    return dict(found.facts)


def worse(answer: PlanAnswer) -> list[str]:
    return [one.rule for one in answer.findings if one.severity is not Severity.INFO]


SOME = {"runs_on": {"gpus": "512"}}


def test_batteries_and_generators_carry_what_does_not_resume_from_a_checkpoint() -> None:
    answer = of({"runs_on": {"gpus": "1024"}})
    assert worse(answer) == []
    whole = facts(answer, "facility")
    for part, number in (("ups", "modules"), ("generators", "count")):
        machines = facts(answer, "facility", part)
        assert set(machines["protects"]) == {"network", "storage", "management"}
        assert (machines[number] - 1) * machines["rating"] >= whole["other_power"] - 1
    assert "GPU servers stop" in write_document(answer, [])


def test_in_a_building_that_must_not_stop_they_carry_everything_and_so_many_may_fail() -> None:
    answer = of({"runs_on": {"gpus": "4096"}}, facility={"tier": "3"})
    assert worse(answer) == []
    whole, machines = facts(answer, "facility"), facts(answer, "facility", "generators")
    assert "compute" in machines["protects"]
    assert machines["rating"] <= 2e6
    assert (machines["count"] - 1) * machines["rating"] >= whole["facility_power"]
    assert "training continues" in write_document(answer, [])


@pytest.mark.parametrize(("redundancy", "modules"), [("N", "2"), ("N+1", "3"), ("2N", "4"), ("2N+1", "5")])
def test_redundant_machines_come_on_top_of_those_that_carry_the_load(redundancy: str, modules: str) -> None:
    design = {"nodes": [{"name": "train"}], "facility": {"ups": {"redundancy": redundancy}}}
    path = site.power_path(Brief(design, engine.shipped_engine().vocabulary), site.Loads(9e6, 3e6, 0))
    assert path["ups"]["modules"].text == modules
    assert path["ups"]["rating"] == "1.5 MW"


def test_machines_are_as_many_as_the_redundancy_of_the_brief_asks_for() -> None:
    answer = of(SOME, facility={"ups": {"redundancy": "2N"}})
    assert facts(answer, "facility", "ups")["modules"] == 2
    stated = of(SOME, facility={"generators": {"count": "0"}})
    assert "rating" not in facts(stated, "facility", "generators"), "the brief has none"


def test_racks_that_are_a_scale_up_domain_stand_beside_those_of_their_network_which_draws_what_it_does() -> None:
    """Of the servers there, only a budget is a sure lower bound; what the switches draw does not depend on it."""
    nodes = [{"name": "train", "gpu": "gb200"}]
    jobs = [{"name": "moe", "model": "deepseek-v3", "data": {"tokens": "15T"}, "runs_on": {"gpus": "1408"}}]
    answer = plan_cluster({"designlint": "1", "nodes": nodes, "workloads": jobs}, engine.shipped_engine())
    assert worse(answer) == []
    whole, beside = facts(answer, "facility"), facts(answer, "facility", "other_racks")
    assert whole["other_power"] >= whole["least_network_power"]
    assert beside["count"] * beside["power_limit"] >= whole["other_power"]
    assert facts(answer, "facility", "ups")["modules"] == 2


@pytest.mark.parametrize(("gpu", "feeds", "paths"), [("h100", 3, "N+1"), ("a100-80gb", 2, "2N"), ("mi300x", 2, "2N")])
def test_a_rack_has_the_feeds_that_its_servers_supplies_need(gpu: str, feeds: int, paths: str) -> None:
    answer = of(SOME, {"gpu": gpu})
    assert worse(answer) == []
    racks = facts(answer, "facility", "racks")
    assert (racks["feeds"], facts(answer, "facility", "distribution")["redundancy"]) == (feeds, paths)
    each = racks["breaker_rating"] * racks["breaker_voltage"] * 3**0.5 * racks["derating"]
    assert each * (feeds - 1) >= racks["rack_power"]


@pytest.mark.parametrize("gpu", ["gb200", "gb300"])
def test_a_rack_of_power_shelves_has_a_feed_for_each(gpu: str) -> None:
    answer = of({"runs_on": {"gpus": "576"}}, {"gpu": gpu})
    assert worse(answer) == []
    racks = facts(answer, "facility", "racks")
    assert racks["feeds"] == 8
    each = racks["breaker_rating"] * racks["breaker_voltage"] * 3**0.5 * racks["derating"]
    assert each * 4 >= racks["rack_power"]


def test_a_document_sets_the_power_that_is_needed_beside_the_limit() -> None:
    answer = of(SOME, facility={"utility_power": "4 MW"})
    assert "**1.4 MW** of the 4 MW that the utility commits" in write_document(answer, [])
    assert " from the utility, **air** cooling" in write_document(of(SOME), [])


def test_the_plant_takes_the_heat_of_all_racks() -> None:
    answer = of(SOME)
    whole = facts(answer, "facility")
    assert facts(answer, "facility", "cooling")["capacity"] >= whole["it_power"]
    assert facts(answer, "facility", "distribution")["capacity"] >= whole["it_power"]


def test_small_racks_hold_fewer_servers_and_are_more() -> None:
    racks = facts(of(SOME, facility={"racks": {"power_limit": "20 kW"}}), "facility", "racks")
    assert (racks["nodes_per_rack"], racks["count"]) == (1, 66)


def test_networks_join_all_servers_of_the_brief() -> None:
    answer = of({"runs_on": {"gpus": "128"}}, {"count": "20", "spares": "3"})
    assert worse(answer) == []
    topology = facts(answer, "fabrics", "topology")
    assert topology["leaves"] * topology["host_ports_per_leaf"] >= 23 * 8
    with pytest.raises(UsageError, match="its 10 servers have 80"):
        of({"runs_on": {"gpus": "128"}}, {"count": "10"})


def test_a_file_system_of_the_brief_is_the_one_that_is_used_and_tested() -> None:
    stated = {"name": "fs1", "kind": "gpfs", "read": "100 GB/s", "write": "50 GB/s", "capacity": "2 PB"}
    answer = of(SOME, storage=[stated])
    assert worse(answer) == []
    assert [one.facts["name"] for one in answer.job_design.graph.by_class["StorageTier"]] == ["local-nvme", "fs1"]
    assert facts(answer, "acceptance")["storage_read"] == pytest.approx(100e9)
    assert facts(answer, "storage")["name"] == "local-nvme"


def test_servers_for_liquid_are_chosen_where_the_hall_is_cooled_by_it() -> None:
    answer = of(SOME, facility={"cooling": {"method": "direct-liquid"}})
    assert worse(answer) == []
    assert facts(answer, "facility", "cooling")["pue"] < 1.1


def test_a_goodput_that_the_usual_recovery_misses_is_planned_with_a_short_one() -> None:
    job = {"model": {"parameters": "200e9"}, "runs_on": {"gpus": "8192"}}
    usual, wanted = of(job), of({**job, "targets": {"goodput": "97 %"}})
    assert worse(wanted) == []
    restarts = [facts(one, "workloads", "recovery")["restart"] for one in (usual, wanted)]
    assert restarts[1] < restarts[0]
    twice = next(one for one in usual.changes if one.what == "failures twice as often")
    assert twice.longer > 0, "the same recovery is compared"


def test_a_goodput_that_no_recovery_reaches_is_refused() -> None:
    assert of({**SOME, "targets": {"goodput": "99.99 %"}}).settled.conflict == ("goodput",)
    answer = of({"runs_on": {"gpus": "16384"}, "targets": {"goodput": "98 %"}})
    assert answer.settled.conflict == ("goodput", "gpus")
    assert "the target is 98 %" in answer.refusal[0]
    fewer = int(answer.settled.ways[1].split()[0])
    reached = of({"runs_on": {"gpus": str(fewer)}, "targets": {"goodput": "98 %"}})
    assert not reached.refusal


def test_the_fewest_aims_in_conflict_are_named_and_those_beside_them() -> None:
    targets = {"deadline": "2 days", "gpu_time_budget": "1000 h"}
    answer = of({**SOME, "targets": targets})
    assert answer.settled.conflict == ("budget",)
    assert answer.settled.nor == ("gpus", "deadline")
    assert "These requirements cannot all be met either" in "\n".join(lines(answer, 3))


@pytest.mark.parametrize(("gpu", "way"), [("tpu-v5e", "state `gpus` of a server"), ("mi250x", "name mi250x-gcd")])
def test_gpus_without_servers_are_refused_what_they_cannot_hold(gpu: str, way: str) -> None:
    job = {"model": {"parameters": "1T"}, "runs_on": {"gpus": "8"}}
    assert of(job, {"gpu": gpu}).settled.beyond_memory
    with pytest.raises(UsageError, match=way):
        of({"model": {"parameters": "1e9"}, "runs_on": {"gpus": "8"}}, {"gpu": gpu})


def test_layers_without_known_formulas_are_the_reason() -> None:
    model = {"model": "qwen3-next-80b-a3b", "linear_attention": "kimi-delta"}
    assert "kimi-delta attention has no known formulas" in of({**SOME, "model": model}).refusal[0]


def test_one_work_queue_is_not_planned_for_weights_that_are_gathered() -> None:
    answer = of({"runs_on": {"gpus": "16"}, "parallelism": {"tensor": "1", "zero_stage": "3"}, "model": "llama-3-8b"})
    assert "parallelism/work-queue-serialises-fsdp" not in worse(answer)


@pytest.mark.parametrize(("gpu", "gpus", "units"), [("gb300", "72", 2), ("gb200", "8192", 8), ("h100", "64", 0)])
def test_liquid_cooling_has_distribution_units_with_one_to_spare(gpu: str, gpus: str, units: int) -> None:
    answer = of({"runs_on": {"gpus": gpus}}, {"gpu": gpu})
    found = facts(answer, "facility", "cooling", "cdus")
    assert found.get("count", 0) == units
    assert not units or found["lasting_capacity"] >= facts(answer, "facility")["server_power"]
    assert [one.rule for one in answer.findings if one.severity is not Severity.INFO] == []


@pytest.mark.parametrize(
    ("stated", "read", "servers"),
    [({"write": "50 GB/s"}, 100e9, 5), ({"object_servers": "20"}, 400e9, 20), ({"object_servers": "200"}, 2048e9, 200)],
)
def test_a_file_system_delivers_what_its_servers_can(stated: dict[str, str], read: float, servers: int) -> None:
    answer = of({"runs_on": {"gpus": "4096"}}, storage=[{"name": "fs", "kind": "lustre", **stated}])
    found = answer.job_design.graph.subjects["storage/fs"].facts
    assert found["read"] == pytest.approx(read, rel=0.03)
    assert found["object_servers"] == servers
    assert "numbers/out-of-proportion" not in {one.rule for one in answer.findings}


@pytest.mark.parametrize(("stated", "breaker"), [("400 V", "60 A"), ("415 V", "60 A")])
def test_racks_are_fed_at_the_voltage_that_a_brief_states(stated: str, breaker: str) -> None:
    answer = of(SOME, facility={"distribution": {"voltage": stated}})
    assert worse(answer) == []
    assert f"voltage: {stated}\n" in answer.text
    assert f"breaker_voltage: {stated}\n" in answer.text
    assert f"breaker_rating: {breaker}" in answer.text


def test_the_utility_carries_the_design_day_and_the_headroom_that_a_brief_states() -> None:
    usual = of(SOME)
    stated = of(SOME, facility={"power_headroom": "5 %", "cooling": {"design_day_pue": "1.2"}})
    given = choices()["facility"]
    power = [one.settled.size.power if one.settled.size else 0.0 for one in (usual, stated)]
    assert power[1] / power[0] == pytest.approx(
        1.2 / 0.95 / (float(given["design_day_air"]) / (1 - float(given["reserve"])))
    )
    assert facts(stated, "facility")["utility_power"] == pytest.approx(power[1], rel=0.05)
    assert "with 5 % in reserve" in write_document(stated, [])
    refused = of(SOME, facility={"power_headroom": "5 %", "utility_power": "1 MW"}).settled
    assert "of which 5 % is reserve" in refused.why
