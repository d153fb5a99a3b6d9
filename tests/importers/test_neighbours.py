"""LLDP: which port of which switch each interface of a server leads to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.importers.helpers import plain, read

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
