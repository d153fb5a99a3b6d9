"""Discovery dumps: each cable once, hosts by name, switches by GUID where names are shared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

FULL = """\
# Topology file: generated on Fri Nov 20 10:00:00 2026
vendid=0x2c9
devid=0xd2f2
sysimgguid=0x1
switchguid=0x1(1)
Switch  65 "S-0000000000000001"    # "MF0;leaf-1:MQM9700/U1" enhanced port 0 lid 1 lmc 0
[1]  "H-0000000000000011"[1](a1)   # "node1 mlx5_0" lid 11 4xNDR
[2]  "H-0000000000000021"[1](b1)   # "node2 mlx5_0" lid 21 4xNDR
[33]  "S-0000000000000002"[1]      # "MF0;spine-1:MQM9700/U1" lid 2 4xNDR
[34]  "S-0000000000000002"[2]      # "MF0;spine-1:MQM9700/U1" lid 2 4xNDR
[65]  "H-0000000000000099"[1](c1)  # "Mellanox Technologies Aggregation Node" lid 99 4xNDR

vendid=0x2c9
Switch  65 "S-0000000000000002"    # "MF0;spine-1:MQM9700/U1" enhanced port 0 lid 2 lmc 0
[1]  "S-0000000000000001"[33]      # "MF0;leaf-1:MQM9700/U1" lid 1 4xNDR
[2]  "S-0000000000000001"[34]      # "MF0;leaf-1:MQM9700/U1" lid 1 4xNDR

Ca  1 "H-0000000000000011"         # "node1 mlx5_0"
[1](a1)  "S-0000000000000001"[1]   # lid 11 lmc 0 "MF0;leaf-1:MQM9700/U1" lid 1 4xNDR
"""


def test_each_cable_counts_once_though_both_ends_list_it(tmp_path: Path) -> None:
    found = read(tmp_path, {"fabric.out": FULL})
    fabric = plain(found.words["fabrics"])[0]
    assert (fabric["technology"], fabric["speed"]) == ("infiniband-ndr", "400 Gbit/s")
    assert fabric["topology"]["switches"] == [
        {"name": "leaf-1", "guid": "S-0000000000000001", "role": "leaf", "model": "MQM9700"},
        {"name": "spine-1", "guid": "S-0000000000000002", "role": "spine", "model": "MQM9700"},
    ]
    assert fabric["topology"]["links"] == [
        {
            "from": "leaf-1", "to": "spine-1", "cables": "2", "speed": "400 Gbit/s",
            "from_ports": ["33", "34"], "to_ports": ["1", "2"],
        }
    ]  # fmt: skip
    assert [(one["server"], one["nic"], one["to"], one["port"]) for one in fabric["topology"]["host_links"]] == [
        ("node1", "0", "leaf-1", "1"),
        ("node2", "0", "leaf-1", "2"),
    ]
    assert [one.partial for one in found.accounts()] == [False]


def test_what_the_other_end_says_differently_counts(tmp_path: Path) -> None:
    spine = '[1]  "S-0000000000000001"[33]      # "MF0;leaf-1:MQM9700/U1" lid 1 4xNDR'
    silent = FULL.replace(
        '[33]  "S-0000000000000002"[1]      # "MF0;spine-1:MQM9700/U1" lid 2 4xNDR', '[33]  "S-0000000000000002"[1]'
    )
    assert silent != FULL
    (link,) = plain(read(tmp_path, {"fabric.out": silent}).words["fabrics"])[0]["topology"]["links"]
    assert (link["cables"], link["speed"]) == ("2", "400 Gbit/s")  # the rate that only the spine knows
    moved = FULL.replace(spine, spine.replace("[33]", "[40]"))
    (link,) = plain(read(tmp_path, {"fabric.out": moved}).words["fabrics"])[0]["topology"]["links"]
    assert (link["from_ports"], link["to_ports"]) == (["33", "34", "40"], ["1", "2", "1"])


def test_aggregation_nodes_and_ports_without_a_cable_are_no_servers(tmp_path: Path) -> None:
    text = (
        "CA    88  1 0xb83 4x HDR - SW    51 79 0x946 ( 'worker20 mlx5_3' - ' leaf-1 ' )\n"
        "CA    78  1 0x999 4x HDR - SW    51 81 0x946 ( 'Mellanox Technologies Aggregation Node' - ' leaf-1 ' )\n"
        "SW    51 80 0x946 4x SDR                                    ' leaf-1 '\n"
        "SW    51 82 0x946 4x ???                                    ' leaf-1 '\n"
    )
    found = read(tmp_path, {"fabric.out": text})
    topology = plain(found.words["fabrics"])[0]["topology"]
    assert [one["server"] for one in topology["host_links"]] == ["worker20"]
    assert topology["switches"] == [{"name": "leaf-1", "guid": "0x946", "role": "leaf"}]
    assert {one.name: one.value.text for one in found.facts}["ports without a cable"] == "2"


def test_switches_of_one_name_are_told_apart_by_guid(tmp_path: Path) -> None:
    text = (
        'Switch 40 "S-00000000000000aa" # "Quantum Mellanox Technologies" base port 0 lid 5 lmc 0\n'
        '[1] "S-00000000000000bb"[1] # "Quantum Mellanox Technologies" lid 6 4xHDR\n'
    )
    switches = plain(read(tmp_path, {"fabric.out": text}).words["fabrics"])[0]["topology"]["switches"]
    assert [one["name"] for one in switches] == ["S-00000000000000aa", "S-00000000000000bb"]


def test_rails_are_not_numbered_where_servers_differ(tmp_path: Path) -> None:
    text = "CA 1 1 0x1 4x NDR - SW 9 1 0x9 ( 'a mlx5_0' - 'leaf' )\nCA 2 1 0x2 4x NDR - SW 9 2 0x9 ( 'b mlx5_4' - 'leaf' )\n"
    links = plain(read(tmp_path, {"fabric.out": text}).words["fabrics"])[0]["topology"]["host_links"]
    assert all("nic" not in one for one in links)


def test_one_server_with_a_missing_cable_keeps_the_rails_of_all(tmp_path: Path) -> None:
    text = "".join(
        f"CA {at} 1 0x{at} 4x NDR - SW 9 {at} 0x9{rail} ( 'n{at // 10} mlx5_{rail}' - 'leaf{rail}' )\n"
        for at in (10, 14, 18, 20, 28, 30, 34, 38)
        for rail in (at % 10,)
    )
    links = plain(read(tmp_path, {"fabric.out": text}).words["fabrics"])[0]["topology"]["host_links"]
    assert {(one["adapter"], one["nic"]) for one in links} == {("mlx5_0", "0"), ("mlx5_4", "1"), ("mlx5_8", "2")}


LINKS = """\
CA: node1 mlx5_0:
      0x0000000000000011     11    1[  ] ==( 4X      106.25 Gbps Active/  LinkUp)==>       1    1[  ] "leaf-1" ( )
Switch: 0x0000000000000001 leaf-1:
           1    1[  ] ==( 4X      106.25 Gbps Active/  LinkUp)==>      11    1[  ] "node1 mlx5_0" ( )
           1    2[  ] ==( 4X       53.125 Gbps Active/  LinkUp)==>       2    1[  ] "spine-1" ( Could be 106.25 Gbps)
           1    3[  ] ==(                Down/ Polling)==>             [  ] "" ( )
Switch: 0x0000000000000002 spine-1:
           2    1[  ] ==( 4X       53.125 Gbps Active/  LinkUp)==>       1    2[  ] "leaf-1" ( Could be 106.25 Gbps)
"""


def test_iblinkinfo_tells_the_link_that_trained_below_its_rate(tmp_path: Path) -> None:
    found = read(tmp_path, {"links.out": LINKS})
    topology = plain(found.words["fabrics"])[0]["topology"]
    [link] = topology["links"]
    assert (link["from"], link["to"], link["cables"], link["speed"]) == ("leaf-1", "spine-1", "1", "200 Gbit/s")
    assert topology["host_links"][0]["speed"] == "400 Gbit/s"
    assert [one.value.text for one in found.facts if one.name == "link below its rate"] == [
        "leaf-1 - spine-1: Could be 106.25 Gbps"
    ]


def test_iblinkinfo_before_a_subnet_manager_gave_identifiers(tmp_path: Path) -> None:
    """All LIDs are 0, which name nobody; labels do."""
    bare = re.sub(r"\s(?:1|2|11)(\s+\d\[  \] (?:==|\"))", r" 0\1", LINKS).replace("Active/", "Initialize/")
    assert bare.count(" 0  ") == 9
    topology = plain(read(tmp_path, {"links.out": bare}).words["fabrics"])[0]["topology"]
    assert [(one["from"], one["to"]) for one in topology["links"]] == [("leaf-1", "spine-1")]
    assert [(one["server"], one["to"]) for one in topology["host_links"]] == [("node1", "leaf-1")]
    assert [one["name"] for one in topology["switches"]] == ["leaf-1", "spine-1"]


SWITCH = '0x0000000000000001 "               leaf-1"      1    '
LINE = (
    f'{SWITCH}1[  ] ==( 4X      106.25 Gbps Active/  LinkUp)==>  0x0000000000000011     11    1[  ] "node1 mlx5_0" '
    "( Could be 212.5 Gbps)\n"
    f'{SWITCH}2[  ] ==( 4X      106.25 Gbps Active/  LinkUp)==>  0x0000000000000002      2    1[  ] "spine-1" ( )\n'
    f'{SWITCH}3[  ] ==(                Down/ Polling)==>             [  ] "" ( )\n'
)


def test_iblinkinfo_with_both_ends_in_a_line(tmp_path: Path) -> None:
    found = read(tmp_path, {"links.out": LINE})
    topology = plain(found.words["fabrics"])[0]["topology"]
    assert [(one["from"], one["to"]) for one in topology["links"]] == [("leaf-1", "spine-1")]
    assert [(one["server"], one["to"], one["port"]) for one in topology["host_links"]] == [("node1", "leaf-1", "1")]
    assert [one.value.text for one in found.facts if one.name == "link below its rate"] == [
        "node1 mlx5_0 - leaf-1: Could be 212.5 Gbps"
    ]


def test_iblinkinfo_that_begins_within_a_switch(tmp_path: Path) -> None:
    _, _, rest = LINKS.partition("leaf-1:\n")
    topology = plain(read(tmp_path, {"links.out": rest}).words["fabrics"])[0]["topology"]
    assert [(one["from"], one["to"]) for one in topology["links"]] == [("leaf-1", "spine-1")]
    assert [(one["server"], one["to"]) for one in topology["host_links"]] == [("node1", "leaf-1")]


def test_iblinkinfo_of_which_only_the_links_were_kept(tmp_path: Path) -> None:
    kept = "\n".join(line for line in LINKS.splitlines() if "LinkUp" in line)
    topology = plain(read(tmp_path, {"links.out": kept}).words["fabrics"])[0]["topology"]
    assert [(one["server"], one["adapter"], one["to"]) for one in topology["host_links"]] == [
        ("node1", "mlx5_0", "leaf-1")
    ]
    assert [one["name"] for one in topology["switches"]] == ["leaf-1", "spine-1"]
    assert not any("guid" in one for one in topology["switches"])


def test_a_link_that_no_subnet_manager_has_set_up_is_a_cable(tmp_path: Path) -> None:
    found = read(tmp_path, {"links.out": LINKS.replace("Active/", "Initialize/")})
    assert len(plain(found.words["fabrics"])[0]["topology"]["host_links"]) == 1
    assert "node1 mlx5_0 - leaf-1: Initialize" in [one.value.text for one in found.facts]


def test_headings_of_grouping_are_no_lines_that_nobody_understands(tmp_path: Path) -> None:
    grouped = "Chassis 1 (guid 0x8f10400410015)\nHostname: core-1\n" + FULL + "\nNon-Chassis Nodes\n"
    found = read(tmp_path, {"fabric.out": grouped})
    assert not any(one.unclear for one in found.accounts())
    assert plain(found.words) == plain(read(tmp_path, {"other.out": FULL}).words)
