"""SONiC: which ports the PFC watchdog watches, and which tables are not read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

QOS = {"E0": {"pfc_enable": "3,4"}, "E4": {"pfc_enable": "3,4"}}
ACTION = {"action": "drop", "detection_time": "200"}
POLL = {"POLL_INTERVAL": "200"}


@pytest.mark.parametrize(
    ("watchdog", "expected"),
    [
        ({"E0": ACTION, "E4": ACTION, "GLOBAL": POLL}, "true"),
        ({"E0": ACTION, "GLOBAL": POLL}, "false"),
        ({"GLOBAL": POLL}, None),
        ({}, None),
    ],
)
def test_the_watchdog_watches_the_ports_that_it_names(
    tmp_path: Path, watchdog: dict[str, object], expected: str | None
) -> None:
    text = json.dumps({"PORT": {"E0": {"mtu": "9100"}}, "PORT_QOS_MAP": QOS, "PFC_WD": watchdog}, indent=1)
    [fabric] = plain(read(tmp_path, {"config_db.json": text}).words["fabrics"])
    assert fabric.get("pfc_watchdog") == expected


def test_buffers_and_queues_are_not_called_irrelevant(tmp_path: Path) -> None:
    tables = {
        "PORT": {"E0": {"mtu": "9100"}},
        "PORT_QOS_MAP": QOS,
        "BUFFER_PG": {"E0|3-4": {"profile": "pg_lossless"}},
        "NTP_SERVER": {"10.0.0.1": {}},
    }
    text = json.dumps(tables, indent=1)
    [account] = read(tmp_path, {"config_db.json": text}).accounts()
    lines = text.splitlines()
    assert ["profile" in lines[number - 1] for number in account.unclear].count(True) == 1
    assert not any("NTP" in lines[number - 1] for number in account.unclear)
    assert account.understood + account.immaterial + len(account.unclear) == account.lines


def test_a_switch_tells_its_role_and_counts_its_ports(tmp_path: Path) -> None:
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "type": "LeafRouter"}},
        "PORT": {"E0": {}, "E4": {}},
    }
    facts = {one.name: one.value.text for one in read(tmp_path, {"config_db.json": json.dumps(tables)}).facts}
    assert (facts["hostname"], facts["type"], facts["ports"]) == ("leaf1", "LeafRouter", "2")


def test_neighbours_of_both_versions_are_cables(tmp_path: Path) -> None:
    newer = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
        "PORT": {"Ethernet0": {"speed": "400000"}, "Ethernet8": {"speed": "400000"}, "Ethernet16": {}},
        "DEVICE_NEIGHBOR": {
            "Ethernet0": {"name": "gpu1", "port": "Ethernet1"},
            "Ethernet8": {"name": "spine1", "port": "Ethernet4"},
            "Ethernet16": {"name": "oob", "port": "Ethernet9"},
        },
        "DEVICE_NEIGHBOR_METADATA": {"gpu1": {"type": "Server"}, "oob": {"type": "MgmtToRRouter"}},
    }
    older = {
        "DEVICE_METADATA": {"localhost": {"hostname": "spine1"}},
        "PORT": {"Ethernet4": {}},
        "DEVICE_NEIGHBOR": {"leaf1": {"port": "Ethernet8", "local_port": "Ethernet4"}},
    }
    files = {"a.json": json.dumps(newer), "b.json": json.dumps(older)}
    (fabric,) = plain(read(tmp_path, files).words["fabrics"])
    wiring = fabric["topology"]
    assert [one["name"] for one in wiring["switches"]] == ["leaf1", "spine1"]
    assert wiring["links"] == [
        {"from": "leaf1", "to": "spine1", "cables": "1", "speed": "400 Gbit/s",
         "from_ports": ["Ethernet8"], "to_ports": ["Ethernet4"]},
    ]  # fmt: skip
    assert wiring["host_links"] == [
        {"server": "gpu1", "adapter": "Ethernet1", "to": "leaf1", "port": "Ethernet0", "speed": "400 Gbit/s"}
    ]


def test_a_cable_that_lldp_shows_too_is_one_cable(tmp_path: Path) -> None:
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
        "PORT": {"Ethernet0": {"speed": "400000"}},
        "DEVICE_NEIGHBOR": {"Ethernet0": {"name": "spine1", "port": "Ethernet4"}},
    }
    row = {"Ethernet0": {"chassis": {"spine2": {}}, "port": {"id": {"type": "ifname", "value": "Ethernet4"}}}}
    files = {"config_db.json": json.dumps(tables), "leaf1.json": json.dumps({"lldp": {"interface": [row]}})}
    (fabric,) = plain(read(tmp_path, files).words["fabrics"])
    assert [(one["from"], one["to"]) for one in fabric["topology"]["links"]] == [("leaf1", "spine2")]


@pytest.mark.parametrize(
    ("profiles", "headroom"),
    [
        ({"a": "40000", "b": "40000"}, "40000 B"),
        ({"a": "40000", "b": "60000"}, None),
        ({"a": "40000"}, None),  # one of the two in use is not there
    ],
)
def test_headroom_is_that_of_every_lossless_group(
    tmp_path: Path, profiles: dict[str, str], headroom: str | None
) -> None:
    tables = {
        "PORT": {"E0": {}, "E4": {}},
        "PORT_QOS_MAP": QOS,
        "BUFFER_PG": {
            "E0|3-4": {"profile": "[BUFFER_PROFILE|a]"},
            "E4|3-4": {"profile": "b"},
            "E0|0": {"profile": "lossy"},
        },
        "BUFFER_PROFILE": {name: {"xon": "1", "xoff": size} for name, size in profiles.items()}
        | {"lossy": {"size": "0"}},
        "MCLAG_INTERFACE": {"1|PortChannel01": {"if_type": "PortChannel"}},
    }
    [fabric] = plain(read(tmp_path, {"config_db.json": json.dumps(tables)}).words["fabrics"])
    assert fabric.get("pfc_headroom") == headroom
    assert fabric["homing"] == "mlag"


def test_the_ports_alone_as_the_database_names_them_are_a_switch(tmp_path: Path) -> None:
    ports = {f"PORT|Ethernet{4 * number}": {"mtu": "9100", "speed": "40000"} for number in range(2)}
    found = read(tmp_path, {"dump.json": json.dumps(ports, indent=1)})
    assert {*found.formats.values()} == {"sonic"}
    [fabric] = plain(found.words["fabrics"])
    assert fabric["mtu"] == "9100"
