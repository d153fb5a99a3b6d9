"""A fabric as built against the fabric as designed: each wiring fault is named once, and only it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint import exporters
from designlint.comparing.asbuilt import files
from designlint.comparing.asbuilt.comparison import compare_built
from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.exporters import Order
from designlint.reading import read_bytes

from .fabrics import LISTED, REGULAR, again, built, led, order, recabled, said, without_switch

if TYPE_CHECKING:
    from pathlib import Path

NAMED = REGULAR.replace("count: 12", 'count: 12\n    servers: "gpu[01-12]"')


@pytest.fixture(scope="module", params=["listed ports", "by counts"])
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Order:
    """A design of counts, and the same with its cable schedule."""
    if request.param == "by counts":
        return order(NAMED)
    folder = tmp_path_factory.mktemp("listed")
    (folder / "cables.csv").write_text(exporters.load_format("cables").write(order(NAMED)).text, "utf-8")
    text = NAMED.replace("topology: {kind", "topology: {from: cables.csv, kind")
    return Order(read_design(read_bytes(text.encode(), str(folder / "design.yaml")), engine.shipped_engine()))


def test_what_was_exported_is_built_as_designed(asked: Order, tmp_path: Path) -> None:
    there = built(asked, tmp_path)
    found = compare_built(asked.wiring, there, {}, asked.design.engine)
    assert list(found.differences) == []
    assert dict(found.ways) == {"name": 8 + 4 + 12}
    assert found.unjoined == (0, 0)
    assert all(one == other for one, other in found.counts.values())


def test_a_dead_spine_is_one_finding(asked: Order, tmp_path: Path) -> None:
    there = built(asked, tmp_path)
    without_switch(there, "spine-03")
    assert said(asked, there) == [("switch-not-seen", "spine-03 is not seen in the dump; 16 cables should lead there")]


def test_a_dead_leaf_hides_no_server(asked: Order, tmp_path: Path) -> None:
    there = built(asked, tmp_path)
    without_switch(there, "leaf-02")
    assert said(asked, there) == [("switch-not-seen", "leaf-02 is not seen in the dump; 14 cables should lead there")]


def test_swapped_uplinks_are_one_finding(asked: Order, tmp_path: Path) -> None:
    there = built(asked, tmp_path)
    recabled(there, ("leaf-01", "spine-01"), "spine-02")
    recabled(there, ("leaf-05", "spine-02"), "spine-01")
    [(rule, message)] = said(asked, there)
    assert rule == "cables-swapped"
    assert message == "two cables are swapped: leaf-01 goes to spine-02, and leaf-05 to spine-01"


def test_a_cable_to_a_wrong_spine(asked: Order, tmp_path: Path) -> None:
    there = built(asked, tmp_path)
    recabled(there, ("leaf-01", "spine-01"), "spine-04")
    assert said(asked, there) == [
        ("cable-elsewhere", "a cable from leaf-01 goes to spine-04; the design has it going to spine-01")
    ]


def test_missing_and_surplus_cables(asked: Order, tmp_path: Path) -> None:
    there = built(asked, tmp_path)
    gone = next(one for one in there.cables if one.pair == ("leaf-03", "spine-02"))
    there.cables.remove(gone)
    there.cables.append(
        gone._replace(one=gone.one._replace(switch="leaf-08"), other=gone.other._replace(switch="spine-01"))
    )
    assert said(asked, there) == [
        ("cable-not-designed", "3 cables are seen between leaf-08 and spine-01; the design has 2 cables"),
        ("cable-not-seen", "1 cable is seen between leaf-03 and spine-02; the design has 2 cables"),
    ]


def test_rails_of_one_server_and_of_two(asked: Order, tmp_path: Path) -> None:
    there = built(asked, tmp_path)
    led(there, "gpu03", 0, "leaf-04")
    led(there, "gpu03", 3, "leaf-01")
    [(rule, message)] = said(asked, there)
    assert rule == "rails-swapped"
    assert "of gpu03 goes to leaf-04" in message
    there = built(asked, tmp_path)
    led(there, "gpu03", 1, "leaf-06")
    led(there, "gpu09", 1, "leaf-02")
    assert [rule for rule, _ in said(asked, there)] == ["cables-swapped"]
    there = built(asked, tmp_path)
    led(there, "gpu03", 1, "leaf-07")
    [(rule, message)] = said(asked, there)
    assert rule == "wrong-rail"
    assert message.endswith("of gpu03 goes to leaf-07, which serves rail 2; the design has it going to leaf-02, rail 1")
    there = built(asked, tmp_path)
    led(there, "gpu03", 1, "leaf-06")
    assert [rule for rule, _ in said(asked, there)] == ["cable-elsewhere"]


def test_slow_links(asked: Order, tmp_path: Path) -> None:
    there = built(asked, tmp_path)
    there.cables = [one._replace(speed=200e9) if one.pair == ("leaf-06", "spine-02") else one for one in there.cables]
    there.hosts[0] = there.hosts[0]._replace(speed=200e9)
    first, second = said(asked, there)
    assert first[0] == second[0] == "link-below-rate"
    assert any("leaf-06 and spine-02" in message and "200 Gbit/s" in message for _, message in (first, second))


def test_a_switch_all_of_whose_links_are_slow_is_one_difference(asked: Order, tmp_path: Path) -> None:
    there = built(asked, tmp_path)
    there.cables = [one._replace(speed=200e9) if "spine-02" in one.pair else one for one in there.cables]
    count = sum("spine-02" in one.pair for one in there.cables)
    text = f"{count} cables between spine-02 and 8 leaves run at 200 Gbit/s; the design has 400 Gbit/s"
    assert said(asked, there) == [("link-below-rate", text)]
    first = next(at for at, one in enumerate(there.cables) if "spine-02" in one.pair)
    there.cables[first] = there.cables[first]._replace(speed=400e9)
    assert len(said(asked, there)) == 8


def test_servers_that_are_off_are_not_seen_and_strangers_are_named(asked: Order, tmp_path: Path) -> None:
    there = built(asked, tmp_path)
    there.hosts = [one for one in there.hosts if one.server not in ("gpu04", "gpu05")]
    del there.servers["gpu04"], there.servers["gpu05"]
    assert said(asked, there) == [("server-not-seen", "gpu[04-05] are not seen in the dump")]
    there.servers["laptop"] = None
    there.hosts.append(there.hosts[0]._replace(server="laptop"))
    assert ("server-not-designed", "laptop is in the dump, but not in the design") in said(asked, there)


def test_one_adapter_without_a_link(asked: Order, tmp_path: Path) -> None:
    there = built(asked, tmp_path)
    there.hosts = [one for one in there.hosts if (one.server, one.nic) != ("gpu07", 2)]
    [(rule, message)] = said(asked, there)
    assert rule == "cable-not-seen"
    assert "of gpu07 and leaf-07" in message


def test_notes_of_one_kind_are_cut_with_a_count(tmp_path: Path) -> None:
    ports = "".join(
        f'  1  {port}[  ] ==( 4X  53.125 Gbps Active/  LinkUp)==>  {port + 9} 1[  ] "n{port} mlx5_0" ( Could be 106.25 Gbps)\n'
        for port in range(1, 13)
    )
    (tmp_path / "links.out").write_text(f"Switch: 0x0000000000000001 a-leaf:\n{ports}", "utf-8")
    found = files.against(order(LISTED).design, [tmp_path / "links.out"])
    told = [one for one in found.notes if one.startswith("link below its rate")]
    assert (len(told), told[-1]) == (11, "link below its rate: 2 more")


def test_servers_of_a_dead_leaf_alone_are_no_second_fault(tmp_path: Path) -> None:
    asked = order(LISTED)
    there = built(asked, tmp_path)
    without_switch(there, "a-leaf")
    del there.servers["n1"]
    found = compare_built(asked.wiring, there, {}, asked.design.engine)
    assert [one.finding.message for one in found.differences] == [
        "a-leaf is not seen in the dump; 3 cables should lead there"
    ]
    assert "n1 is connected only to switches that are not seen" in found.notes


def test_ports_are_compared_only_where_the_design_states_them(asked: Order, tmp_path: Path) -> None:
    there = built(asked, tmp_path)
    one = there.cables[0]
    there.cables[0] = one._replace(other=one.other._replace(port="55"))
    assert [rule for rule, _ in said(asked, there)] == ([] if asked.wiring.assigned else ["wrong-port"])


def test_a_server_below_another_switch_is_one_finding_in_a_schedulers_tree(tmp_path: Path) -> None:
    asked = order(NAMED)
    tree = exporters.load_format("topology-conf").write(asked).text
    moved = tree.replace("gpu[01-06]", "gpu[01-05]").replace("gpu[07-12]", "gpu[06-12]")
    assert said(asked, again(tree, tmp_path)) == []
    assert said(asked, again(moved, tmp_path)) == [
        ("cable-elsewhere", "a cable from gpu06 goes to unit-2; the design has it going to unit-1")
    ]


def test_a_schedulers_tree_of_one_switch_is_one_unit(tmp_path: Path) -> None:
    asked = order(NAMED.replace("leaves: 8", "leaves: 4").replace("unit: 6", "unit: 12"))
    tree = exporters.load_format("topology-conf").write(asked).text
    assert "SwitchName=unit-1 Nodes=gpu[01-12]" in tree
    assert said(asked, again(tree, tmp_path)) == []


def test_a_leaf_without_servers_is_counted_as_the_leaf_that_it_is(tmp_path: Path) -> None:
    """A dump of InfiniBand knows leaves by the servers below them."""
    asked = order(NAMED.replace("leaves: 8", "leaves: 12"))
    found = compare_built(asked.wiring, built(asked, tmp_path), {}, asked.design.engine)
    assert found.differences == []
    assert (found.counts["leaves"], found.counts["spines"]) == ((12, 12), (4, 4))


def test_what_servers_see_is_no_word_on_the_spines(asked: Order, tmp_path: Path) -> None:
    """Neighbours of servers end at their leaves; a whole dump in which leaves stand alone shows that spines are off."""
    there = built(asked, tmp_path)
    there.cables = []
    for spine in ("spine-01", "spine-02", "spine-03", "spine-04"):
        del there.switches[spine]
    assert [rule for rule, _ in said(asked, there)] in (["switch-not-seen"], ["switch-not-seen"] * 4)
    for switch in there.switches.values():
        switch.role = ""
    found = compare_built(asked.wiring, there, {}, asked.design.engine)
    assert list(found.differences) == []
    assert found.counts["spines"] == (4, None)
    without_switch(there, "leaf-02")
    assert [rule for rule, _ in said(asked, there)] == ["switch-not-seen"]
