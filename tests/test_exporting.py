"""What exporters write is what importers read: the same switches, cables, ports and rates."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from designlint import exporters
from designlint.exporters import ExportRefusal
from tests.running import ROOT, designlint

from .fabrics import LISTED, PLANES, PODS, REGULAR, again, exported, order

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.wiring.graph import Wiring


def refused(text: str, to: str) -> str:
    with pytest.raises(ExportRefusal) as error:
        exported(text, to)
    return error.value.why


def switch_cables(wiring: Wiring) -> list[tuple[str, str, float | None]]:
    ends = ((sorted(("/".join(one.one), "/".join(one.other))), one.speed) for one in wiring.cables)
    return sorted((one, other, speed) for (one, other), speed in ends)


@pytest.mark.parametrize("to", ["ibsim", "cables"])
@pytest.mark.parametrize("text", [REGULAR, PODS, PLANES, LISTED], ids=["by counts", "pods", "planes", "listed"])
def test_what_is_exported_is_read_again(text: str, to: str, tmp_path: Path) -> None:
    asked = order(text)
    before, _ = asked.assign_ports()
    after = again(exporters.load_format(to).write(asked).text, tmp_path)
    assert {name: one.role for name, one in after.switches.items()} == {
        name: one.role for name, one in before.switches.items()
    }
    assert switch_cables(after) == switch_cables(before)
    assert sorted((one.server, one.to, one.speed) for one in after.hosts) == sorted(
        (one.server, one.to, one.speed) for one in before.hosts
    )
    assert [one.nic for one in after.hosts if one.nic is not None] or text is LISTED


def test_a_regular_network_is_wired_by_units_and_rails() -> None:
    wiring = order(REGULAR).wiring
    assert wiring.counts() == {
        "leaves": 8, "spines": 4, "cables between switches": 64, "cables to servers": 48, "servers": 12,
    }  # fmt: skip
    assert {one.to.switch for one in wiring.hosts if one.server == "train-07"} == {
        "leaf-05",
        "leaf-06",
        "leaf-07",
        "leaf-08",
    }
    assert {one.nic for one in wiring.hosts if one.to.switch == "leaf-03"} == {2}
    assert sum(one.pair == ("leaf-01", "spine-04") for one in wiring.cables) == 2


def neighbours(text: str, switch: str) -> dict[str, int]:
    """The switches that one leads to, with the number of cables."""
    pairs = [one.pair for one in order(text).wiring.cables]
    return Counter(name for pair in pairs if switch in pair for name in pair if name != switch)


def test_leaves_reach_the_spines_of_their_pod_and_spines_all_cores_that_their_uplinks_divide_over() -> None:
    assert neighbours(PODS, "leaf-04") == {"spine-01": 4, "spine-02": 4}
    assert neighbours(PODS, "leaf-05") == {"spine-03": 4, "spine-04": 4}
    assert {name: count for name, count in neighbours(PODS, "spine-03").items() if "core" in name} == {
        f"core-0{number}": 4 for number in (1, 2, 3, 4)
    }
    narrow = PODS.replace("uplinks_per_spine: 16", "uplinks_per_spine: 2")
    assert {one for one in neighbours(narrow, "spine-01") if "core" in one} == {"core-01", "core-02"}
    assert {one for one in neighbours(narrow, "spine-04") if "core" in one} == {"core-03", "core-04"}
    assert "the tree has" not in exported(PODS, "topology-conf").text


def test_each_plane_has_rails_of_its_own() -> None:
    wiring = order(PLANES).wiring
    assert wiring.hosts_open == ""
    assert [one.to.switch for one in wiring.hosts if one.server == "train-07"] == [
        "leaf-03",
        "leaf-04",
        "leaf-07",
        "leaf-08",
    ]
    assert [wiring.switches[f"leaf-0{number}"].rail for number in range(1, 9)] == [0, 1, 0, 1, 2, 3, 2, 3]
    assert {name.split("-")[0]: count for name, count in neighbours(PLANES, "leaf-01").items()} == {"spine": 4}
    assert set(neighbours(PLANES, "leaf-08")) == {"spine-03", "spine-04"}


def test_ports_that_the_design_states_are_kept_and_the_others_are_the_next_free(tmp_path: Path) -> None:
    wiring = again(exported(LISTED, "cables").text, tmp_path)
    assert {(one.server, one.to.port) for one in wiring.hosts} == {("n1", "7"), ("n2", "1")}
    assert [one.port("spine") for one in wiring.cables] == ["1", "2", "3"]
    assert [one.port("a-leaf") for one in wiring.cables[:2]] == ["31", "32"]


def test_both_ends_of_each_cable_have_a_label() -> None:
    lines = exported(LISTED, "labels").text.splitlines()
    assert lines[1] == "n1/mlx5_0 > a-leaf/7,1,a,n1,mlx5_0,a-leaf,7"
    assert len(lines) == 1 + 2 * 5


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("tiers: 2,", "", "the design does not state the `tiers` of the network"),
        ("spines: 4,", "", "the design does not state the number of spines"),
        (
            "tiers: 2,",
            "tiers: 3, cores: 2,",
            "the design does not say which spines a leaf reaches in a network of three tiers",
        ),
        ("tiers: 2,", "tiers: 3, cores: 2, pods: 3,", "8 leaves do not divide into 3 pods"),
        ("tiers: 2,", "tiers: 3, cores: 2, pods: 2,", "the design does not state `uplinks_per_spine`"),
        (
            "tiers: 2,",
            "tiers: 3, cores: 3, pods: 2, uplinks_per_spine: 8,",
            "8 uplinks of a spine do not divide over 3 cores",
        ),
        ("spines: 4,", "spines: 3,", "8 uplinks of a leaf do not divide over 3 spines"),
        ("kind: fat-tree", "kind: dragonfly", "the wiring of a dragonfly does not follow from counts"),
        (
            "scalable_unit: 6,",
            "",
            "the design does not say which leaf a server's port connects to; state `scalable_unit`",
        ),
        ("rail_optimized: true, ", "", "the design does not state `rail_optimized`"),
        ("leaves: 8,", "leaves: 4,", "4 rails share 4 leaves, and the design does not say which rails share one"),
        ("leaves: 8,", "leaves: 6,", "12 servers in units of 6 with 4 rails do not fill 6 leaves evenly"),
        (
            "    count: 12\n",
            "",
            "the design does not say how many servers, and how many ports of each, are on the fabric",
        ),
    ],
)
def test_what_the_design_does_not_say_is_not_invented(old: str, new: str, why: str) -> None:
    text = REGULAR.replace(old, new)
    assert text != REGULAR
    wiring = order(text).wiring
    assert why in f"{wiring.links_open} {wiring.hosts_open}"
    assert not (wiring.hosts and wiring.hosts_open)
    assert not (wiring.cables and wiring.links_open)


def test_a_formula_in_a_name_stays_text_in_the_schedule(tmp_path: Path) -> None:
    text = LISTED.replace("n1", '"=HYPERLINK(1)"')
    written = exported(text, "cables").text
    assert "'=HYPERLINK(1)" in written
    assert "=HYPERLINK(1)" in again(written, tmp_path).servers


def test_ibsim_is_refused_where_it_would_misread() -> None:
    assert "simulates InfiniBand" in refused(LISTED.replace("infiniband-hdr", "roce-v2"), "ibsim")
    assert "reads no name" in refused(LISTED.replace("n1", '"n#1"'), "ibsim")
    assert "numbers ports" in refused(LISTED.replace('"7"', "Ethernet7"), "ibsim")


def test_a_folder_stands_for_the_one_design_that_it_holds() -> None:
    run = designlint("export", "--to", "slurm-conf", str(ROOT / "examples" / "superpod-4su"))
    assert run.code == 0
    assert "NodeName=train-" in run.out
