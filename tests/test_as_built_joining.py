"""How a dump's names are joined with a design's, and what the command tells of the differences."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from designlint import exporters
from designlint.comparing.asbuilt import files
from designlint.comparing.asbuilt.comparison import compare_built
from designlint.reading.errors import UsageError
from designlint.views import asbuilt as views
from designlint.views import asbuilt_figure

from .counterparts.network import Network
from .fabrics import LISTED, REGULAR, again, built, led, order, said, without_switch
from .running import designlint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from designlint.comparing.asbuilt.comparison import AsBuiltComparison

RENAMED = (("leaf-0", "rack7-ib-L"), ("spine-0", "core-sw-"), ("gpu", "node-a1-"))


def renamed(text: str) -> str:
    for old, new in RENAMED:
        text = text.replace(f'"{old}', f'"{new}')
    return text


def test_a_design_without_names_is_joined_by_place(tmp_path: Path) -> None:
    """Switches and servers that the design only counts: what differs is named as the dump names it."""
    asked = order(REGULAR)
    there = built(asked, tmp_path, lambda text: renamed(text).replace('"train-', '"box'))
    found = compare_built(asked.wiring, there, {}, asked.design.engine)
    assert list(found.differences) == []
    assert dict(found.ways) == {"place": 24}
    led(there, "box03", 0, "rack7-ib-L4")
    led(there, "box03", 3, "rack7-ib-L1")
    without_switch(there, "core-sw-2")
    told = said(asked, there)
    assert told[0] == ("switch-not-seen", "1 of 4 spines is not seen in the dump; 16 cables should lead there")
    assert told[1:] == [
        (
            "rails-swapped",
            "two rails are swapped: adapter 0 of box03 goes to rack7-ib-L4, and adapter 3 of box03 to rack7-ib-L1",
        )
    ]


@pytest.mark.parametrize("text", [REGULAR, REGULAR.replace("count: 12", 'count: 12\n    servers: "train-[01-12]"')])
def test_a_rail_that_is_dead_everywhere_shifts_no_other(text: str, tmp_path: Path) -> None:
    """The dump then numbers three adapters of each server; the fourth one's number is not that of the third."""
    single = text.replace("scalable_unit: 6", "scalable_unit: 12").replace("leaves: 8", "leaves: 4")
    asked = order(single)
    network = Network.read(exporters.load_format("ibsim").write(asked).text)
    network.remove("leaf-02", *(one for one in network.nodes if one.endswith("HCA-2")))
    there = again(network.text(), tmp_path)
    assert {one.nic for one in there.hosts} == {0, 1, 2}
    found = compare_built(asked.wiring, there, {}, asked.design.engine)
    assert [one.finding.message for one in found.differences] == [
        "leaf-02 is not seen in the dump; 20 cables should lead there"
    ]
    assert any("adapters are not matched by number" in one for one in found.notes)


def test_further_adapters_of_the_servers_shift_no_rail(tmp_path: Path) -> None:
    asked = order(REGULAR)
    there = built(asked, tmp_path)
    there.hosts = [one._replace(nic=(one.nic or 0) + 1) for one in there.hosts]
    there.hosts += [
        one._replace(nic=0, adapter="mlx5_9", to=one.to._replace(switch="leaf-01"))
        for one in there.hosts
        if one.nic == 1
    ]
    assert {rule for rule, _ in said(asked, there)} == {"cable-not-designed"}


def test_huge_numbers_are_refused_or_bounded(tmp_path: Path) -> None:
    for old, new in (
        ("count: 12", "count: 1000000000"),
        ("leaves: 8", "leaves: 1000000000"),
        ("ports: 4", "ports: 1000000000"),
    ):
        wiring = order(REGULAR.replace(old, new)).wiring
        assert len(wiring.cables) + len(wiring.hosts) + len(wiring.switches) < 3_000_000
        assert wiring.hosts_open
    wiring = order(LISTED.replace("cables: 2", "cables: 1000000000")).wiring
    assert wiring.adjacency
    assert len(wiring.cables) == 2


def test_a_dump_that_is_all_wrong_is_listed_in_part(tmp_path: Path) -> None:
    asked = order(REGULAR.replace("leaves: 8", "leaves: 800").replace("scalable_unit: 6", "scalable_unit: 1"))
    there = built(asked, tmp_path)
    there.cables = []
    found = compare_built(asked.wiring, there, {}, asked.design.engine)
    assert len(found.differences) == 1000
    assert "2200 more differences of as-built/cable-not-seen" in found.notes


def test_formed_names_join_only_where_they_mean_the_same(tmp_path: Path) -> None:
    """A dump that numbers its leaves rail by rail has our names for other leaves: their place counts."""
    asked = order(REGULAR)

    def rail_by_rail(text: str) -> str:
        for unit in range(2):
            for rail in range(4):
                text = text.replace(f'"leaf-{unit * 4 + rail + 1:02d}"', f'"LEAF-{rail * 2 + unit + 1:02d}"')
        return text.replace("LEAF", "leaf")

    there = built(asked, tmp_path, rail_by_rail)
    assert said(asked, there) == []
    led(there, "train-03", 0, "leaf-03")
    led(there, "train-03", 1, "leaf-01")
    assert [rule for rule, _ in said(asked, there)] == ["rails-swapped"]


@pytest.mark.parametrize("change", [{}, {"unit-": "tor", "spines-1": "root"}], ids=["same names", "other names"])
def test_a_scheduler_s_tree_is_compared_as_one(change: dict[str, str], tmp_path: Path) -> None:
    asked = order(REGULAR)
    text = exporters.load_format("topology-conf").write(asked).text
    for old, new in change.items():
        text = text.replace(old, new)
    there = again(text, tmp_path, "topology.conf")
    assert said(asked, there) == []
    there.hosts[0] = there.hosts[0]._replace(to=there.hosts[-1].to)
    assert [rule for rule, _ in said(asked, there)] == ["cable-elsewhere"]


def test_a_map_joins_names_that_differ(tmp_path: Path) -> None:
    asked = order(LISTED)
    there = built(asked, tmp_path, lambda text: text.replace('"a-leaf"', '"sw-0815"'))
    assert [rule for rule, _ in said(asked, there)] == ["switch-not-seen", "switch-not-designed"]
    assert said(asked, there, {"a-leaf": "sw-0815"}) == []
    guid = there.switches["sw-0815"].guid
    assert said(asked, there, {"a-leaf": f"0x{guid.removeprefix('S-')}"}) == []


def test_names_are_joined_without_domain_and_capitals(tmp_path: Path) -> None:
    asked = order(LISTED)
    there = built(asked, tmp_path, lambda text: text.replace('"n1 ', '"N1.example.org '))
    assert said(asked, there) == []


def test_nothing_joined_is_a_finding_and_no_list_of_all(tmp_path: Path) -> None:
    other = (
        LISTED.replace("leaf", "L")
        .replace("role: L", "role: leaf")
        .replace("spine", "S")
        .replace("role: S", "role: spine")
    )
    [(rule, message)] = said(order(LISTED), built(order(other), tmp_path))
    assert rule == "names-not-joined"
    assert "`a-leaf`" in message


def test_what_the_design_leaves_open_is_not_compared(tmp_path: Path) -> None:
    asked = order(REGULAR.replace("scalable_unit: 6,", "").replace("rail_optimized: true,", ""))
    found = compare_built(asked.wiring, built(order(REGULAR), tmp_path), {}, asked.design.engine)
    assert list(found.differences) == []
    assert found.counts["cables to servers"] == (None, 48)
    assert any(one.startswith("cables to servers are not compared: the design does not say") for one in found.notes)


# -- the command


def laid(folder: Path, change: Callable[[str], str] = lambda text: text) -> tuple[Path, Path]:
    design, dump = folder / "design.yaml", folder / "fabric.out"
    design.write_text(LISTED, "utf-8")
    dump.write_text(change(exporters.load_format("ibsim").write(order(LISTED)).text), "utf-8")
    return design, dump


def slow(text: str) -> str:
    return text.replace('"n2 mlx5_0" lid 0 4xHDR', '"n2 mlx5_0" lid 0 4xEDR').replace(
        'lid 0 lmc 0 "b-leaf" lid 0 4xHDR', 'lid 0 lmc 0 "b-leaf" lid 0 4xEDR'
    )


def test_the_command_tells_places_in_both_files_and_fails(tmp_path: Path) -> None:
    design, dump = laid(tmp_path)
    assert designlint("diff", design, "--built", dump).code == 0
    design, dump = laid(tmp_path, slow)
    answer = designlint("diff", design, "--built", dump)
    assert answer.code == 1
    assert "error[as-built/link-below-rate]: 1 cable between adapter mlx5_0 of n2 and b-leaf" in answer.out
    line = next(at for at, text in enumerate(LISTED.splitlines(), 1) if "n2" in text)
    assert f"designed {design}:{line}:" in answer.out
    assert f"seen {dump}:" in answer.out
    data = json.loads(designlint("diff", design, "--built", dump, "--format", "json").out)
    assert data["summary"] == {"error": 1}
    assert data["differences"][0]["designed"]["line"] == line
    assert "| difference | rule |" in designlint("diff", design, "--built", dump, "--format", "markdown").out
    assert designlint("diff", design, "--built", dump, "--fail-on", "never").code == 0


def test_services_that_read_sarif_are_told_the_same(tmp_path: Path) -> None:
    design, dump = laid(tmp_path, slow)
    answer = designlint("diff", design, "--built", dump, "--format", "sarif")
    assert answer.code == 1
    (run,) = json.loads(answer.out)["runs"]
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("as-built/link-below-rate", "error")
    assert "between adapter mlx5_0 of n2 and b-leaf" in result["message"]["text"]
    places = [result["locations"][0], *result["relatedLocations"]]
    uris = [one["physicalLocation"]["artifactLocation"]["uri"] for one in places]
    assert [uri.rpartition("/")[2] for uri in uris] == [dump.name, design.name]
    assert [one["id"] for one in run["tool"]["driver"]["rules"]] == ["as-built/link-below-rate"]
    moved = dump.read_text("utf-8")
    dump.write_text("#\n#\n" + moved, "utf-8")
    again = json.loads(designlint("diff", design, "--built", dump, "--format", "sarif").out)["runs"][0]["results"][0]
    assert again["partialFingerprints"] == result["partialFingerprints"]
    assert designlint("diff", design, design, "--format", "sarif").code == 2


def test_the_figure_shows_each_difference(tmp_path: Path) -> None:
    design, dump = laid(tmp_path, slow)
    path = tmp_path / "figure.svg"
    designlint("diff", design, "--built", dump, "--figure", path)
    text = "".join(ET.parse(path).getroot().itertext())
    assert "1 cable between adapter mlx5_0 of n2 and b-leaf" in text


def comparison(folder: Path) -> AsBuiltComparison:
    design, dump = laid(folder, slow)
    assert design
    return files.against(order(LISTED).design, [dump])


def test_the_figure_of_many_switches_draws_those_that_differ(tmp_path: Path) -> None:
    asked = order(REGULAR.replace("leaves: 8", "leaves: 800").replace("spines: 4", "spines: 8"))
    there = again(exporters.load_format("ibsim").write(order(REGULAR)).text, tmp_path)
    found = compare_built(asked.wiring, there, {}, asked.design.engine)
    svg = asbuilt_figure.draw(found, asked.design).svg
    assert len(svg) < 200_000
    assert "not drawn" in svg


def test_the_figure_leads_a_cable_within_a_tier_from_switch_to_switch(tmp_path: Path) -> None:
    peer = "      host_links:"
    asked = order(LISTED.replace(peer, f"        - {{from: a-leaf, to: b-leaf, cables: 1}}\n{peer}"))
    there = again(exporters.load_format("ibsim").write(order(LISTED)).text, tmp_path)
    found = compare_built(asked.wiring, there, {}, asked.design.engine)
    assert [one.ends for one in found.differences] == [("a-leaf", "b-leaf")]
    lines = [
        one.attrib for one in ET.fromstring(asbuilt_figure.draw(found, asked.design).svg).iter() if "x1" in one.attrib
    ]
    assert [one["y1"] == one["y2"] for one in lines] == [False, False, True]


def test_a_hostile_name_stays_text(tmp_path: Path) -> None:
    found = comparison(tmp_path)
    assert "\x1b" not in views.text(found, "a\x1b[2Jb")


@pytest.mark.parametrize("text", ["a,b,c", "only", "a,b\na,c"])
def test_a_map_that_is_none_is_refused_with_its_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=r"names\.csv:\d"):
        files.read_map(str(path))


def test_files_without_a_fabric_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text("NodeName=n[1-4] Gres=gpu:8\n", "utf-8")
    with pytest.raises(UsageError, match="no switch is described, nor servers of a pool"):
        files.against(order(LISTED).design, [path])
