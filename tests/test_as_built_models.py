"""Switches of another model than designed, by what LLDP, SONiC and discovery report of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from designlint.comparing.asbuilt import files
from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.reading import read_bytes

if TYPE_CHECKING:
    from pathlib import Path

DESIGN = """designlint: 1
fabrics:
  - name: compute
    technology: roce-v2
    topology:
      leaf_switch: {leaf}
      spine_switch: {spine}
      switches: [{{name: leaf-1, role: leaf}}, {{name: spine-1, role: spine}}]
      links: [{{from: leaf-1, to: spine-1, cables: 1}}]
      host_links: [{{server: gpu1, adapter: eth2, to: leaf-1}}]
"""
NEIGHBOUR = """-------------------------------------------------------------------------------
LLDP neighbors:
-------------------------------------------------------------------------------
Interface:    eth2, via: LLDP, RID: 1, Time: 0 day, 00:01:00
  Chassis:
    ChassisID:    mac 08:00:27:73:60:cf
    SysName:      leaf-1
    SysDescr:     {}
  Port:
    PortID:       ifname swp1
"""
DETAIL = """leaf-1#show lldp neighbors detail
Interface Ethernet9 detected 1 LLDP neighbors:

  Neighbor 2cc2.6081.eaf9/"Ethernet1/1", age 29 seconds
  - Port ID type: Interface name (5)
    Port ID     : "Ethernet1/1"
  - System Name: "spine-1"
  - System Description: "{}"
"""


def told(folder: Path, name: str, text: str, leaf: str = "sn5600", spine: str = "sn5600") -> list[str]:
    (folder / name).write_text(text)
    design = DESIGN.format(leaf=leaf, spine=spine)
    known = read_design(read_bytes(design.encode(), "design.yaml"), engine.shipped_engine())
    found = files.against(known, [folder / name])
    return [one.finding.message for one in found.differences if one.finding.rule == "as-built/switch-model"]


@pytest.mark.parametrize(
    ("described", "model"),
    [
        ("Cumulus Linux version 5.9.1 running on Mellanox Technologies Ltd. MSN4700", "MSN4700"),
        (
            "SONiC Software Version: SONiC.202305 - HwSku: Mellanox-SN4700-O32 - Distribution: Debian 11.7",
            "Mellanox-SN4700-O32",
        ),
        ("Cumulus Linux version 5.9.1 running on NVIDIA SN5600", ""),
        ("SONiC Software Version: SONiC.202305 - HwSku: Mellanox-SN5600-C256S1 - Distribution: Debian 11.7", ""),
        ("Cumulus Linux version 5.9.1 running on NVIDIA SN9999", ""),
        ("Ubuntu 22.04.3 LTS Linux 5.15.0-80-generic x86_64", ""),
    ],
)
def test_a_server_sees_the_model_of_its_leaf(tmp_path: Path, described: str, model: str) -> None:
    expected = [f"leaf-1 reports the model {model}; the design has sn5600"] if model else []
    assert told(tmp_path, "gpu1.txt", NEIGHBOUR.format(described)) == expected


def test_a_leaf_sees_the_model_of_its_spine(tmp_path: Path) -> None:
    arista = "Arista Networks EOS version 4.31.1F running on an Arista Networks DCS-7060DX5-64S"
    text = DETAIL.format(arista)
    assert told(tmp_path, "a.txt", text) == ["spine-1 reports the model DCS-7060DX5-64S; the design has sn5600"]
    assert told(tmp_path, "a.txt", text, spine="arista-7060dx5-64s") == []


def test_sonic_is_configured_with_the_models_of_its_neighbours(tmp_path: Path) -> None:
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf-1", "hwsku": "Mellanox-SN5600"}},
        "PORT": {"Ethernet8": {"speed": "400000", "admin_status": "up"}},
        "DEVICE_NEIGHBOR": {"Ethernet8": {"name": "spine-1", "port": "Ethernet0"}},
        "DEVICE_NEIGHBOR_METADATA": {"spine-1": {"hwsku": "ACS-MSN4700", "type": "SpineRouter"}},
    }
    assert told(tmp_path, "config_db.json", json.dumps(tables)) == [
        "spine-1 reports the model ACS-MSN4700; the design has sn5600"
    ]
