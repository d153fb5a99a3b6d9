"""What a brief states of networks, storage and cooling: the plan chooses the rest so that it fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.findings.model import Severity
from designlint.planning import site
from designlint.planning.brief import Brief, of_options
from designlint.planning.choices import choices
from designlint.planning.document import text_of
from designlint.planning.plan import plan_cluster

if TYPE_CHECKING:
    from designlint.planning.result import PlanAnswer

NONE = dict.fromkeys(("model", "tokens", "gpu", "gpus", "deadline", "power", "budget"), "")


def plan(gpu: str, **stated: Any) -> PlanAnswer:
    """The plan of a small job on such GPUs, around what a brief states."""
    design = of_options(**NONE | {"model": "llama-3-8b", "tokens": "1T", "gpu": gpu, "gpus": "256"})
    answer = plan_cluster(design | stated, engine.shipped_engine())
    assert [one.message for one in answer.findings if one.severity is not Severity.INFO] == []
    return answer


def facts(answer: PlanAnswer, path: str) -> dict[str, Any]:
    return dict(answer.job_design.graph.subjects[path].facts)


@pytest.mark.parametrize("name", ["storage", "files"])
def test_a_storage_network_of_plain_ethernet_has_ethernet_switches(name: str) -> None:
    answer = plan(
        "h100", fabrics=[{"name": name, "purpose": "storage", "technology": "ethernet", "speed": "100 Gbit/s"}]
    )
    assert facts(answer, f"fabrics/{name}/topology/switch")["model"] == "sn4600c"
    assert facts(answer, "storage/scratch")["gpu_direct_storage"] is False
    assert [one for one in answer.job_design.graph.by_class["Fabric"] if one.facts["purpose"] == "storage"] == [
        answer.job_design.graph.subjects[f"fabrics/{name}"]
    ]


@pytest.mark.parametrize(
    ("gpu", "switch", "technology", "speed"),
    [
        ("b300", "sn5600", "roce-v2", 800e9),
        ("b300", "qm9700", "infiniband-ndr", 400e9),
        ("h100", "arista-7060x6-64pe", "roce-v2", 400e9),
        ("mi300x", "qm9700", "infiniband-ndr", 400e9),
    ],
)
def test_a_stated_switch_decides_technology_and_speed(gpu: str, switch: str, technology: str, speed: float) -> None:
    answer = plan(gpu, fabrics=[{"name": "compute", "topology": {"switch": switch}}])
    found = facts(answer, "fabrics/compute")
    assert (found["technology"], found["speed"]) == (technology, speed)
    assert facts(answer, "nodes/train/networks/0")["speed"] == speed


def test_ethernet_for_fast_adapters_has_switches_as_fast() -> None:
    answer = plan("b300", fabrics=[{"name": "compute", "technology": "roce-v2"}])
    assert facts(answer, "fabrics/compute")["speed"] == 800e9
    assert facts(answer, "fabrics/compute/topology/switch")["model"] == "arista-7060x6-64pe"


def test_the_write_rate_follows_a_stated_read_rate() -> None:
    answer = plan("h100", storage=[{"name": "scratch", "kind": "weka", "read": "40 GB/s"}])
    assert facts(answer, "storage/scratch")["write"] == 20e9


def test_a_liquid_hall_has_liquid_servers_also_where_the_usual_ones_are_for_air() -> None:
    pool = facts(plan("b300", facility={"cooling": {"method": "direct-liquid"}}), "nodes/train")
    assert (pool["cooling"], pool["power"]) == ("liquid", 14e3)
    assert "model" not in pool
    assert facts(plan("b300"), "nodes/train")["model"] == "dgx-b300"
    assert facts(plan("mi355x"), "nodes/train")["cooling"] == "liquid"


def test_leaves_that_only_the_spares_need_are_said() -> None:
    """128 servers fill four units of 32; twelve spares stand in a fifth, for which the leaves of the four have too few ports."""
    design = of_options(**NONE | {"model": "llama-3-8b", "gpu": "h100", "gpus": "1024"})
    design["nodes"][0]["spares"] = "12"
    answer = plan_cluster(design, engine.shipped_engine())
    assert "leaves: 40  # 8 for every 32 servers; the last unit is for the spares\n" in answer.text
    design["nodes"][0]["spares"] = "0"
    assert "leaves: 32  # 8 for every 32 servers\n" in plan_cluster(design, engine.shipped_engine()).text


def test_more_servers_than_any_network_joins_are_refused_with_as_many_as_one_does() -> None:
    refused = plan_cluster(
        of_options(**NONE | {"model": "30e9", "gpu": "v100-sxm2-32gb", "gpus": "80000"}), engine.shipped_engine()
    ).settled
    assert "cannot connect 10000 servers" in refused.why
    assert int(refused.ways[0].split()[0]) > 40_000


def test_racks_and_floor_beside_the_servers_are_described() -> None:
    answer = plan("h100")
    others = facts(answer, "facility/other_racks/network-and-storage")
    assert others["feeds"] == 2
    assert others["power"] * others["count"] >= facts(answer, "facility")["other_power"]
    assert facts(answer, "facility/floor")["area"] >= 2 * facts(answer, "facility")["all_racks_area"]
    pitch = engine.shipped_engine().rules["space/no-room-for-aisles"].texts.limits["pitch"].value
    assert float(choices()["site"]["floor"]["of_racks"]) == pitch


def test_each_power_shelf_of_a_rack_has_a_feed() -> None:
    """Half of them carry the rack when one path is lost."""
    racks = facts(plan("gb200"), "facility/racks")
    carried = 4 * racks["breaker_rating"] * racks["breaker_voltage"] * 3**0.5 * racks["derating"]
    assert (racks["feeds"], racks["nodes_per_rack"]) == (8, 18)
    assert carried >= racks["rack_power"]


@pytest.mark.parametrize(("gpu", "medium", "optic"), [("h100", "multimode", "sr4"), ("b300", "single-mode", None)])
def test_fibres_are_those_that_the_rate_has(gpu: str, medium: str, optic: str | None) -> None:
    run = facts(plan(gpu), "fabrics/compute/cabling/server-leaf")
    assert (run["medium"], run.get("optic")) == (medium, optic)


@pytest.mark.parametrize("watts", [33.1e3, 90e3, 230e3, 1e6])
def test_one_feed_of_the_other_racks_carries_the_power_that_is_stated_of_them(watts: float) -> None:
    brief = Brief(of_options(**NONE | {"gpu": "h100"}), engine.shipped_engine().vocabulary)
    rack = site.other_racks(brief, 4, watts)
    amperes, volts, share, power = (
        brief.number(text_of(rack[word]), kind)
        for word, kind in (
            ("breaker_rating", "Current"), ("breaker_voltage", "Voltage"), ("derating", "Ratio"), ("power", "Power"),
        )
    )  # fmt: skip
    assert amperes * volts * 3**0.5 * share >= power
    assert int(text_of(rack["count"])) * power >= watts
