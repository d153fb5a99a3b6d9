"""LLDP: which port of which switch each interface of a server leads to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import at, plain, read

if TYPE_CHECKING:
    from pathlib import Path


def test_lldp_with_one_interface_is_a_mapping_in_place_of_a_list(tmp_path: Path) -> None:
    one = {"eth0": {"chassis": {"leaf-1": {"id": {"value": "aa"}}}, "port": {"id": {"value": "Eth1"}}}}
    wanted = [{"server": "node1", "adapter": "eth0", "to": "leaf-1", "port": "Eth1"}]
    for name, interface in (("node1.json", one), ("b/node1.json", [one])):
        text = json.dumps({"lldp": {"interface": interface}}, indent=1)
        (fabric,) = plain(read(tmp_path, {name: text}).words["fabrics"])
        assert fabric["topology"]["host_links"] == wanted


def test_lldp_takes_the_name_of_a_port_and_not_its_address(tmp_path: Path) -> None:
    named = {"id": {"type": "ifname", "value": "Ethernet1/5"}, "descr": "to node1"}
    addressed = {"id": {"type": "mac", "value": "aa:bb:cc:dd:ee:ff"}, "descr": "swp7"}
    interfaces = [
        {"eth0": {"chassis": {"leaf-1": {}}, "port": named}},
        {"eth1": {"chassis": {"leaf-2": {}}, "port": addressed}},
    ]
    text = json.dumps({"lldp": {"interface": interfaces}}, indent=1)
    (fabric,) = plain(read(tmp_path, {"node1.json": text}).words["fabrics"])
    assert [one["port"] for one in fabric["topology"]["host_links"]] == ["Ethernet1/5", "swp7"]


@pytest.mark.parametrize(
    ("identity", "described", "port"),
    [("512", "xe-0/0/7", "xe-0/0/7"), ("512", "to node1", "512"), ("Eth1/7", "Ethernet1/7", "Eth1/7")],
)
def test_an_index_of_a_port_is_left_for_the_name_that_describes_it(
    tmp_path: Path, identity: str, described: str, port: str
) -> None:
    stated = {"id": {"type": "local", "value": identity}, "descr": described}
    text = json.dumps({"lldp": {"interface": [{"eth0": {"chassis": {"leaf-1": {}}, "port": stated}}]}}, indent=1)
    blocks = PLAIN.replace("ifname swp 7", f"local {identity}").replace("to node1", described)
    keyed = KEYED.replace("port.ifname=swp 7", f"port.local={identity}").replace("to node1", described)
    xml = XML.format("local").replace("swp1", identity).replace("to node1", described)
    for name, written in (("n.json", text), ("n.txt", blocks), ("n.out", keyed), ("n.xml", xml)):
        (fabric,) = plain(read(tmp_path, {name: written}).words["fabrics"])
        assert fabric["topology"]["host_links"][0]["port"] == port, name


def seen(*cables: tuple[str, str, str]) -> str:
    """What a device sees: its interface, the far device and its port."""
    interfaces = [
        {near: {"chassis": {far: {}}, "port": {"id": {"type": "ifname", "value": port}}}} for near, far, port in cables
    ]
    return json.dumps({"lldp": {"interface": interfaces}}, indent=1)


def test_a_device_whose_ports_are_called_as_switches_call_them_is_a_switch(tmp_path: Path) -> None:
    """Each cable is there once, although both of its ends show it, and servers stay servers."""
    leaf = seen(("Ethernet0", "node1", "eth0"), ("Ethernet4", "spine-1", "Ethernet8"), ("Ethernet8", "spine-1", "swp3"))
    files = {"node1.json": seen(("eth0", "leaf-1", "etp1")), "leaf-1.json": leaf}
    files |= {"spine-1.json": seen(("Ethernet8", "leaf-1", "etp2"), ("Ethernet12", "leaf-1", "etp3"))}
    for order in (list(files), list(files)[::-1]):
        (fabric,) = plain(read(tmp_path, {name: files[name] for name in order}).words["fabrics"])
        wiring = fabric["topology"]
        roles = {one["name"]: one["role"] for one in wiring["switches"]}
        assert roles == {"leaf-1": "leaf", "spine-1": "spine"}
        assert [(one["from"], one["to"], one["cables"]) for one in wiring["links"]] == [("leaf-1", "spine-1", "2")]
        assert [(one["server"], one["adapter"], one["to"]) for one in wiring["host_links"]] == [
            ("node1", "eth0", "leaf-1")
        ]


PLAIN = """\
-------------------------------------------------------------------------------
LLDP neighbors:
-------------------------------------------------------------------------------
Interface:    eth0, via: LLDP, RID: 1, Time: 0 day, 02:14:39
  Chassis:
    ChassisID:    mac 00:01:e8:95:f7:f2
    TTL:          120
  Port:
    PortID:       ifname GigabitEthernet 0/11
-------------------------------------------------------------------------------
Interface:    enp65s0f0np0, via: LLDP, RID: 2, Time: 0 day, 02:12:44
  Chassis:
    ChassisID:    mac 50:c7:bf:60:7f:3a
    SysName:      leaf-1
    SysDescr:     Cumulus Linux version 5.5.0
    Capability:   Bridge, on
  Port:
    PortID:       ifname swp 7
    PortDescr:    to node1
-------------------------------------------------------------------------------
Interface:    enp66s0f0np0, via: LLDP, RID: 3, Time: 0 day, 02:12:44
  Chassis:
    SysName:      leaf-2
  Port:
    PortID:       mac 08:00:27:31:4a:ad
    PortDescr:    swp9
"""
KEYED = """\
lldp.enp65s0f0np0.via=LLDP
lldp.enp65s0f0np0.chassis.name=leaf-1
lldp.enp65s0f0np0.chassis.descr=Cumulus Linux
lldp.enp65s0f0np0.port.ifname=swp 7
lldp.enp65s0f0np0.port.descr=to node1
lldp.enp66s0f0np0.chassis.name=leaf-2
lldp.enp66s0f0np0.port.mac=08:00:27:31:4a:ad
lldp.enp66s0f0np0.port.descr=swp9
"""


def test_lldpctl_as_people_read_it(tmp_path: Path) -> None:
    for text in (PLAIN, KEYED, PLAIN.replace("\n", "\r\n")):
        found = read(tmp_path, {"node1.txt": text})
        assert found.formats == {"node1.txt": "lldp"}
        (fabric,) = plain(found.words["fabrics"])
        assert fabric["topology"]["host_links"] == [
            {"server": "node1", "adapter": "enp65s0f0np0", "to": "leaf-1", "port": "swp 7"},
            {"server": "node1", "adapter": "enp66s0f0np0", "to": "leaf-2", "port": "swp9"},
        ]
        assert found.accounts()[0].unclear == ()
    assert at(read(tmp_path, {"node1.txt": PLAIN}), "fabrics/0/topology/host_links/1/to").line == 23


TABLE = """\
Capability codes: (R) Router, (B) Bridge, (O) Other
LocalPort    RemoteDevice    RemotePortID       Capability    RemotePortDescr
-----------  --------------  -----------------  ------------  -----------------
Ethernet0    node1           eth0               O
Ethernet4                    00:11:22:33:44:55  O
Ethernet8    spine-1         Ethernet1/1        BR            to leaf-1
--------------------------------------------------
Total entries displayed:  3
"""


def test_sonics_table_is_read_by_its_columns(tmp_path: Path) -> None:
    found = read(tmp_path, {"leaf-1": TABLE})
    (fabric,) = plain(found.words["fabrics"])
    assert fabric["topology"]["host_links"] == [
        {"server": "node1", "adapter": "eth0", "to": "leaf-1", "port": "Ethernet0"}
    ]
    (link,) = fabric["topology"]["links"]
    assert (link["from"], link["to"], link["from_ports"], link["to_ports"]) == (
        "leaf-1", "spine-1", ["Ethernet8"], ["Ethernet1/1"],
    )  # fmt: skip
    assert [(one.understood, len(one.unclear)) for one in found.accounts()] == [(2, 0)]


XML = """<?xml version="1.0" encoding="UTF-8"?>
<lldp label="LLDP neighbors">
 <interface label="Interface" name="eth0" via="LLDP" rid="1" age="0 day, 00:08:50">
  <chassis label="Chassis">
   <id label="ChassisID" type="mac">08:00:27:31:4a:ad</id>
   <name label="SysName">leaf &amp; 1</name>
  </chassis>
  <port label="Port">
   <id label="PortID" type="{}">swp1</id>
   <descr label="PortDescr">to node1</descr>
  </port>
 </interface>
</lldp>
"""


def test_lldpctl_as_xml(tmp_path: Path) -> None:
    [fabric] = plain(read(tmp_path, {"node1.xml": XML.format("ifname")}).words["fabrics"])
    assert fabric["topology"]["host_links"] == [
        {"server": "node1", "adapter": "eth0", "to": "leaf & 1", "port": "swp1"}
    ]
    [fabric] = plain(read(tmp_path, {"node1.xml": XML.format("mac")}).words["fabrics"])
    assert fabric["topology"]["host_links"][0]["port"] == "to node1"
    broken = read(tmp_path, {"node1.xml": XML.format("mac").replace("</lldp>", "")})
    assert [one.why for one in broken.refused] == ["it cannot be read as XML: line 14"]


NVUE = """cumulus@switch:~$ nv show interface lldp
Interface  Speed  Type  Remote Host  Remote Port
---------  -----  ----  -----------  -----------------
swp1       1G     swp   server01     48:b0:2d:76:ee:8e
swp51      1G     swp   spine01      swp1
"""


NCLU = """LocalPort  Speed  Mode          RemoteHost  RemotePort
---------  -----  ------------  ----------  -----------------
swp1       1G     BondMember    server01    48:b0:2d:76:ee:8e
swp51      1G     Default       spine01     swp1
"""


@pytest.mark.parametrize("text", [NVUE, NCLU])
def test_cumulus_table_of_neighbours(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, {"leaf01.txt": text})
    [fabric] = plain(found.words["fabrics"])
    [link] = fabric["topology"]["links"]
    ends = ["from", "to", "from_ports", "to_ports", "speed"]
    assert [link[one] for one in ends] == ["leaf01", "spine01", ["swp51"], ["swp1"], "1 Gbit/s"]
    [host] = fabric["topology"]["host_links"]
    assert host == {"server": "server01", "to": "leaf01", "port": "swp1", "speed": "1 Gbit/s"}
    bare = read(tmp_path, {"leaf01.txt": text.replace(" 1G ", " N/A")}).words["fabrics"]
    assert "speed" not in plain(bare)[0]["topology"]["links"][0]


def test_a_terraform_module_is_refused_with_what_to_import(tmp_path: Path) -> None:
    text = 'locals {\n  gpus = 8\n}\nresource "aws_instance" "gpu" {\n  count = var.gpus\n}\n'
    [refused] = read(tmp_path, {"main.tf": text}).refused
    assert (refused.line, refused.why) == (1, "it is a Terraform module: line 1 holds `locals`")
    assert "tfvars" in refused.remedy


SCHEDULE = """\
from,from_role,from_port,to,to_role,to_port,speed
leaf1,leaf,1,spine1,spine,1,400 Gbit/s
spine1,spine,2,leaf1,leaf,3,400 Gbit/s
spine1,spine,4,leaf1,leaf,5,200 Gbit/s
"""


def test_cables_of_a_pair_are_one_link_whichever_end_a_schedule_names_first(tmp_path: Path) -> None:
    [fabric] = plain(read(tmp_path, {"cables.csv": SCHEDULE}).words["fabrics"])
    ends = {"from": "leaf1", "to": "spine1", "cables": "2", "from_ports": ["1", "3"], "to_ports": ["1", "2"]}
    assert fabric["topology"]["links"] == [
        {**ends, "speed": "400 Gbit/s"},
        {
            "from": "spine1", "to": "leaf1", "cables": "1", "speed": "200 Gbit/s",
            "from_ports": ["4"], "to_ports": ["5"],
        },
    ]  # fmt: skip
