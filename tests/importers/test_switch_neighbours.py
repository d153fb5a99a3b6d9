"""What switches themselves print of their neighbours: NX-OS, EOS, IOS and NVUE, as tables, in detail and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

NXOS = """\
Capability codes:
  (R) Router, (B) Bridge, (T) Telephone, (C) DOCSIS Cable Device
Device ID            Local Intf      Hold-time  Capability  Port ID
a-very-long-name-of-spine1
                     Eth1/49         120        BR          Ethernet1/1
gpu01                Eth1/1          120                    eth2
gpu02                Eth1/2          120                    0c42.a1b2.c3d4
Total entries displayed: 3
"""
NXOS_DETAIL = """\
Chassis id: 5087.89a1.d8d6
Port id: Ethernet1/1
Local Port id: Eth1/49
Port Description: to leaf1
System Name: a-very-long-name-of-spine1
System Description: Cisco Nexus Operating System (NX-OS) Software 10.3(1)

Chassis id: 0c42.a1b2.c3d4
Port id: eth2
Local Port id: Eth1/1
System Name: gpu01

Chassis id: 0c42.a1b2.c3d5
Port id: 0c42.a1b2.c3d5
Local Port id: Eth1/2
System Name: gpu02
"""
NXOS_JSON = """\
{"TABLE_nbor": {"ROW_nbor": [
 {"chassis_id": "a-very-long-name-of-spine1", "l_port_id": "Eth1/49", "port_id": "Ethernet1/1"},
 {"chassis_id": "gpu01", "l_port_id": "Eth1/1", "port_id": "eth2"},
 {"chassis_id": "gpu02", "l_port_id": "Eth1/2", "port_id": "0c42.a1b2.c3d4"},
 {"chassis_id": "0c42.a1b2.c3d9", "l_port_id": "Eth1/3", "port_id": "0c42.a1b2.c3d9"}]}, "neigh_hdr": "neigh_hdr"}
"""
EOS = """\
Last table change time   : 0:00:02 ago
Number of table inserts  : 3

Port       Neighbor Device ID            Neighbor Port ID           TTL
---------- ----------------------------- -------------------------- ---
Eth1/49    ignored
Et1        gpu01                         eth2                       120
Et2        gpu02                         0c42.a1b2.c3d4             120
Et49/1     a-very-long-name-of-spine1    Ethernet1/1                120
"""
EOS_DETAIL = """\
Interface Ethernet49/1 detected 1 LLDP neighbors:

  Neighbor 2cc2.6081.eaf9/"Ethernet1/1", age 12 seconds
  - Chassis ID type: MAC address (4)
    Chassis ID     : 2cc2.6081.eaf9
  - Port ID type: Interface name (5)
    Port ID     : "Ethernet1/1"
  - System Name: "a-very-long-name-of-spine1"

Interface Ethernet1 detected 1 LLDP neighbors:

  Neighbor 0c42.a1b2.c3d4/0c42.a1b2.c3d4, age 3 seconds
  - Port ID type: MAC address (3)
    Port ID     : 0c42.a1b2.c3d4
  - Port Description: "eth2"
  - System Name: "gpu01"
Interface Ethernet2 detected 1 LLDP neighbors:
  Neighbor 0c42.a1b2.c3d5/0c42.a1b2.c3d5, age 3 seconds
  - Port ID type: MAC address (3)
    Port ID     : 0c42.a1b2.c3d5
  - System Name: "gpu02"
"""
EOS_JSON = """\
{"jsonrpc": "2.0", "result": [{"lldpNeighbors": [
 {"port": "Ethernet49/1", "neighborDevice": "a-very-long-name-of-spine1", "neighborPort": "Ethernet1/1", "ttl": 120},
 {"port": "Ethernet1", "neighborDevice": "gpu01", "neighborPort": "eth2", "ttl": 120},
 {"port": "Ethernet2", "neighborDevice": "gpu02", "neighborPort": "0c42.a1b2.c3d4", "ttl": 120}]}]}
"""
EOS_JSON_DETAIL = """\
{"lldpNeighbors": {
 "Ethernet49/1": {"lldpNeighborInfo": [{"systemName": "a-very-long-name-of-spine1", "systemDescription": "Arista",
   "neighborInterfaceInfo": {"interfaceIdType": "interfaceName", "interfaceId": "\\"Ethernet1/1\\""}}]},
 "Ethernet1": {"lldpNeighborInfo": [{"systemName": "gpu01",
   "neighborInterfaceInfo": {"interfaceIdType": "macAddress", "interfaceId": "0c42.a1b2.c3d4", "interfaceDescription": "eth2"}}]},
 "Ethernet2": {"lldpNeighborInfo": [{"systemName": "gpu02",
   "neighborInterfaceInfo": {"interfaceId_v2": "0c42.a1b2.c3d5"}}]},
 "Ethernet3": {"lldpNeighborInfo": []}}}
"""
IOS_DETAIL = """\
------------------------------------------------
Local Intf: Te1/0/49
Chassis id: 5087.89a1.d8d6
Port id: Ethernet1/1
Port Description: to leaf1
System Name: a-very-long-name-of-spine1
------------------------------------------------
Local Intf: Te1/0/1
Chassis id: 0c42.a1b2.c3d4
Port id: eth2
System Name: gpu01
------------------------------------------------
Local Intf: Te1/0/2
Chassis id: 0c42.a1b2.c3d5
Port id: 0c42.a1b2.c3d5
System Name: gpu02

Total entries displayed: 3
"""
NVUE = """\
{"swp1": {"lldp": {"neighbor": {"gpu01": {"chassis": {"system-name": "gpu01"}, "port": {"name": "eth2", "type": "ifname"}}}}},
 "swp2": {"lldp": {"neighbor": {"gpu02": {"chassis": {"system-name": "gpu02"},
   "port": {"name": "0c:42:a1:b2:c3:d4", "type": "mac"}}}}},
 "swp49": {"lldp": {"neighbor": {"spine": {"chassis": {"chassis-id": "44:38:39:22:01:ab",
   "system-name": "a-very-long-name-of-spine1"}, "port": {"name": "Ethernet1/1", "type": "ifname"}}}}}}
"""


@pytest.mark.parametrize(
    ("text", "ports"),
    [
        (NXOS, ["Eth1/1", "Eth1/2", "Eth1/49"]),
        (NXOS_DETAIL, ["Eth1/1", "Eth1/2", "Eth1/49"]),
        (NXOS_JSON, ["Eth1/1", "Eth1/2", "Eth1/49"]),
        (EOS, ["Et1", "Et2", "Et49/1"]),
        (EOS_DETAIL, ["Ethernet1", "Ethernet2", "Ethernet49/1"]),
        (EOS_JSON, ["Ethernet1", "Ethernet2", "Ethernet49/1"]),
        ("".join(f"        {line}\n" for line in NXOS.splitlines()), ["Eth1/1", "Eth1/2", "Eth1/49"]),
        ("".join(f"        {line}\n" for line in NXOS_DETAIL.splitlines()), ["Eth1/1", "Eth1/2", "Eth1/49"]),
        (NXOS_DETAIL + "Port id: x\nLocal Port id: Eth1/9\nSystem Name: null\n", ["Eth1/1", "Eth1/2", "Eth1/49"]),
        (EOS_JSON_DETAIL, ["Ethernet1", "Ethernet2", "Ethernet49/1"]),
        (IOS_DETAIL, ["Te1/0/1", "Te1/0/2", "Te1/0/49"]),
        (NVUE, ["swp1", "swp2", "swp49"]),
    ],
)
def test_what_a_switch_prints_of_its_neighbours(tmp_path: Path, text: str, ports: list[str]) -> None:
    (fabric,) = plain(read(tmp_path, {"leaf1.txt": text}).words["fabrics"])
    wiring = fabric["topology"]
    hosts = [(one["server"], one.get("adapter"), one["to"], one["port"]) for one in wiring["host_links"]]
    assert sorted(hosts) == [("gpu01", "eth2", "leaf1", ports[0]), ("gpu02", None, "leaf1", ports[1])]
    assert [(one["name"], one["role"]) for one in wiring["switches"]] == [
        ("leaf1", "leaf"), ("a-very-long-name-of-spine1", "spine")
    ]  # fmt: skip
    (link,) = wiring["links"]
    ends = dict(zip((link["from"], link["to"]), (link["from_ports"], link["to_ports"]), strict=True))
    assert ends == {"leaf1": [ports[2]], "a-very-long-name-of-spine1": ["Ethernet1/1"]}


def test_a_device_with_its_domain_is_the_one_without(tmp_path: Path) -> None:
    leaf = EOS_JSON.replace("a-very-long-name-of-spine1", "spine1.dc.example")
    spine = '{"lldpNeighbors": [{"port": "Ethernet1/1", "neighborDevice": "leaf1.dc.example", "neighborPort": "Ethernet49/1"}]}'
    (fabric,) = plain(read(tmp_path, {"leaf1.json": leaf, "spine1.json": spine}).words["fabrics"])
    assert [one["name"] for one in fabric["topology"]["switches"]] == ["leaf1", "spine1"]
    assert [one["cables"] for one in fabric["topology"]["links"]] == ["1"]


def test_what_other_switches_print_is_no_empty_table(tmp_path: Path) -> None:
    heading = "Device ID           Local Intf     Hold-time  Capability      Port ID\n"
    ios = heading + "S2                  Fa0/13         120        B               Gi0/13\n"
    found = read(tmp_path, {"access.txt": ios})
    assert [one.why for one in found.refused] == ["its format is not recognised"]


def test_every_line_of_a_detailed_json_is_accounted_for(tmp_path: Path) -> None:
    (account,) = read(tmp_path, {"leaf1.json": EOS_JSON_DETAIL}).accounts()
    assert not account.unclear
