"""What LLDP shows of a fabric: only what the devices that were asked see, with their management network beside it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from designlint.comparing.asbuilt import files
from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.reading import read_bytes

from .running import designlint

if TYPE_CHECKING:
    from pathlib import Path

LEAVES, SPINES, SERVERS = ("leaf-1", "leaf-2"), ("spine-1", "spine-2"), ("gpu1", "gpu2")
HOSTS = [
    (server, f"eth{at}", leaf, f"Ethernet{number}")
    for number, server in enumerate(SERVERS)
    for at, leaf in enumerate(LEAVES)
]
LINKS = [
    (leaf, f"Ethernet{9 + n}", spine, f"Ethernet{m}") for m, leaf in enumerate(LEAVES) for n, spine in enumerate(SPINES)
]
MANAGED = [(leaf, "eth0", "oob", f"ge-0/0/{number}") for number, leaf in enumerate((*LEAVES, *SPINES))]
BESIDE = [(server, "eno1", "oob", f"ge-0/0/{10 + number}") for number, server in enumerate(SERVERS)]
PEERS = [("leaf-1", "Ethernet30", "leaf-2", "Ethernet30")]
Cables = list[tuple[str, str, str, str]]


def design(homing: str = "unstacked") -> str:
    switches = ", ".join(f"{{name: {one}, role: {one[:-2]}}}" for one in (*LEAVES, *SPINES))
    links = ", ".join(f"{{from: {one}, to: {to}, cables: 1}}" for one, _, to, _ in LINKS)
    hosts = ", ".join(f"{{server: {one}, adapter: {at}, to: {to}}}" for one, at, to, _ in HOSTS)
    return (
        "designlint: 1\nname: pod\nnodes: [{name: gpu, gpus: 8, count: 2, networks: [{fabric: compute, ports: 2}]}]\n"
        f"fabrics:\n  - name: compute\n    purpose: compute\n    homing: {homing}\n"
        f"    topology: {{switches: [{switches}], links: [{links}], host_links: [{hosts}]}}\n"
    )


def dumped(folder: Path, asked: tuple[str, ...], cables: Cables) -> list[Path]:
    """A file for each device that was asked, with what it sees."""
    for name in asked:
        near = [(own, far, port) for one, own, far, port in cables if one == name]
        near += [(port, one, own) for one, own, far, port in cables if far == name]
        interfaces = [
            {own: {"chassis": {far: {}}, "port": {"id": {"type": "ifname", "value": port}}}} for own, far, port in near
        ]
        (folder / f"{name}.json").write_text(json.dumps({"lldp": {"interface": interfaces}}, indent=1))
    return [folder / f"{name}.json" for name in asked]


def told(folder: Path, asked: tuple[str, ...], cables: Cables, homing: str = "unstacked") -> list[str]:
    known = read_design(read_bytes(design(homing).encode(), "design.yaml"), engine.shipped_engine())
    found = files.against(known, dumped(folder, asked, cables))
    return [f"{one.finding.rule.rpartition('/')[2]}: {one.finding.message}" for one in found.differences]


EVERY = (*SERVERS, *LEAVES, *SPINES)


@pytest.mark.parametrize(
    "asked", [EVERY, SERVERS, LEAVES, SPINES, ("leaf-1",), ("leaf-1", *SERVERS), ("spine-1", *SERVERS)]
)
def test_what_nobody_was_asked_for_is_no_difference(asked: tuple[str, ...], tmp_path: Path) -> None:
    assert told(tmp_path, asked, HOSTS + LINKS) == []


@pytest.mark.parametrize("asked", [EVERY, LEAVES, SPINES, ("leaf-1", "spine-2")])
def test_management_ports_of_switches_are_no_cables_of_the_fabric(asked: tuple[str, ...], tmp_path: Path) -> None:
    assert told(tmp_path, asked, HOSTS + LINKS + MANAGED + BESIDE) == []


def test_a_switch_that_only_servers_see_is_one_difference(tmp_path: Path) -> None:
    expected = ["switch-not-designed: oob is in the dump, but not in the design; 2 cables lead there"]
    assert told(tmp_path, SERVERS, HOSTS + BESIDE) == expected


def test_cables_between_the_two_leaves_of_a_pair(tmp_path: Path) -> None:
    assert told(tmp_path, EVERY, HOSTS + LINKS + PEERS, "mlag") == []
    assert told(tmp_path, EVERY, HOSTS + LINKS + PEERS) == [
        "cable-not-designed: 1 cable is seen between leaf-1 and leaf-2; the design has 0 cables"
    ]


def test_cables_between_pairs_that_the_design_lists(tmp_path: Path) -> None:
    """Four leaves, two pairs; one cable of each pair leads to the other pair."""
    leaves = [f"leaf-{at}" for at in range(1, 5)]
    peers = [f"{{from: leaf-{at}, to: leaf-{at + 1}, cables: 2}}" for at in (1, 3)]
    hosts = [f"{{server: n{at}, adapter: eth0, to: leaf-{at}}}" for at in range(1, 5)]
    switches = ", ".join(f"{{name: {name}, role: leaf}}" for name in leaves)
    text = (
        "designlint: 1\nnodes: [{name: n, count: 4, servers: 'n[1-4]', networks: [{fabric: front}]}]\n"
        "fabrics:\n  - name: front\n    purpose: frontend\n    homing: mlag\n"
        f"    topology: {{switches: [{switches}], links: [{', '.join(peers)}], host_links: [{', '.join(hosts)}]}}\n"
    )
    cables = [(f"n{at}", "eth0", f"leaf-{at}", "Ethernet1") for at in range(1, 5)]
    cables += [("leaf-1", "Ethernet49", "leaf-2", "Ethernet49"), ("leaf-3", "Ethernet49", "leaf-4", "Ethernet49")]
    cables += [("leaf-1", "Ethernet50", "leaf-4", "Ethernet50"), ("leaf-3", "Ethernet50", "leaf-2", "Ethernet50")]
    known = read_design(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine())
    found = files.against(known, dumped(tmp_path, (*leaves, "n1", "n2", "n3", "n4"), cables))
    assert [one.finding.message for one in found.differences] == [
        "two cables are swapped: leaf-1 goes to leaf-4, and leaf-3 to leaf-2"
    ]


@pytest.mark.parametrize("asked", [EVERY, LEAVES, SPINES, ("leaf-2",)])
def test_one_end_that_was_asked_shows_that_a_cable_is_missing(asked: tuple[str, ...], tmp_path: Path) -> None:
    cables = HOSTS + [one for one in LINKS if one[::2] != ("leaf-2", "spine-1")]
    found = told(tmp_path, asked, cables)
    missing = "cable-not-seen: no cable is seen between leaf-2 and spine-1; the design has 1 cable"
    assert found in ([missing], ["switch-not-seen: spine-1 is not seen in the dump; 1 cable should lead there"])


def test_a_folder_of_files_is_compared(tmp_path: Path) -> None:
    (tmp_path / "dump").mkdir()
    (tmp_path / "design.yaml").write_text(design())
    paths = dumped(tmp_path / "dump", EVERY, HOSTS + LINKS)
    for given in (["dump"], [str(one) for one in paths]):
        done = designlint("diff", "design.yaml", "--built", *given, cwd=tmp_path)
        assert (done.code, "Built as designed" in done.out) == (0, True), done.err
    assert "and 2 more files" in done.out
    refused = designlint("diff", "a.yaml", "b.yaml", "c.yaml", cwd=tmp_path)
    assert (refused.code, "c.yaml would be a third" in refused.err) == (2, True)


def configured(folder: Path, asked: tuple[str, ...], cables: Cables, idle: int = 0) -> list[Path]:
    """A config_db.json for each switch, with the neighbours that its ports are set up for."""
    for name in asked:
        near = [(own, far, port) for one, own, far, port in cables if one == name]
        near += [(port, one, own) for one, own, far, port in cables if far == name]
        up = {own: {"speed": "400000", "admin_status": "up"} for own, _, _ in near}
        tables = {
            "DEVICE_METADATA": {"localhost": {"hostname": name}},
            "PORT": {**up, **{f"Ethernet{100 + number}": {"admin_status": "up"} for number in range(idle)}},
            "DEVICE_NEIGHBOR": {own: {"name": far, "port": port} for own, far, port in near},
            "DEVICE_NEIGHBOR_METADATA": {far: {"type": "Server"} for _, far, _ in near if far in SERVERS},
        }
        (folder / f"{name}.json").write_text(json.dumps(tables, indent=1))
    return [folder / f"{name}.json" for name in asked]


def of_configurations(folder: Path, files_of: list[Path]) -> list[str]:
    known = read_design(read_bytes(design().encode(), "design.yaml"), engine.shipped_engine())
    return [
        f"{one.finding.rule.rpartition('/')[2]}: {one.finding.message}"
        for one in files.against(known, files_of).differences
    ]


@pytest.mark.parametrize("asked", [(*LEAVES, *SPINES), LEAVES, SPINES, ("leaf-1",)])
def test_switches_configured_as_designed_differ_in_nothing(asked: tuple[str, ...], tmp_path: Path) -> None:
    assert of_configurations(tmp_path, configured(tmp_path, asked, HOSTS + LINKS)) == []


def test_a_configuration_shows_what_is_not_there_only_where_it_lists_all_its_ports(tmp_path: Path) -> None:
    fewer = [one for one in HOSTS + LINKS if one[1:3] != ("Ethernet9", "spine-1")]
    (whole,) = of_configurations(
        tmp_path,
        configured(tmp_path, LEAVES, [*fewer[:-1], ("leaf-2", "Ethernet9", "spine-1", "Ethernet1"), fewer[-1]]),
    )
    assert whole == "cable-not-seen: no cable is seen between leaf-1 and spine-1; the design has 1 cable"
    assert of_configurations(tmp_path, configured(tmp_path, ("leaf-1",), fewer, idle=1)) == []


def test_swapped_neighbours_of_a_configuration_are_named(tmp_path: Path) -> None:
    swapped = [("gpu1", "eth0", "leaf-2", "Ethernet0"), ("gpu1", "eth1", "leaf-1", "Ethernet0"), *HOSTS[2:], *LINKS]
    (found,) = of_configurations(tmp_path, configured(tmp_path, LEAVES, swapped))
    assert found.startswith("rails-swapped")


@pytest.mark.parametrize(
    ("designed", "seen", "differs"),
    [
        ("Ethernet1/{}", "Eth1/{}", False),  # NX-OS shortens its own ports
        ("{}", "swp{}", False),  # a number is no name: nothing to compare
        ("1/{}", "{}", False),
        ("Ethernet1/{}", "Ethernet2/{}", True),
    ],
)
def test_ports_are_compared_where_both_sides_call_them_alike(
    designed: str, seen: str, differs: bool, tmp_path: Path
) -> None:
    hosts = ", ".join(
        f"{{server: {server}, adapter: {at}, to: {leaf}, port: {designed.format(number)!r}}}"
        for server, at, leaf, number in ((*one[:3], int(one[3].removeprefix("Ethernet")) + 1) for one in HOSTS)
    )
    text = design().partition("host_links: [")[0] + f"host_links: [{hosts}]}}\n"
    cables = [(one, at, to, seen.format(int(port.removeprefix("Ethernet")) + 1)) for one, at, to, port in HOSTS]
    known = read_design(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine())
    found = files.against(known, dumped(tmp_path, (*LEAVES, *SERVERS), cables + LINKS))
    rules = {one.finding.rule for one in found.differences}
    assert rules == ({"as-built/wrong-port"} if differs else set())
    assert any(note.startswith("ports are not compared") for note in found.notes) == (designed in ("{}", "1/{}"))


@pytest.mark.parametrize(("technology", "differs"), [("roce-v2", False), ("infiniband-ndr", True)])
def test_cables_between_leaves_stay_open_where_nothing_says_whether_they_are_pairs(
    technology: str, differs: bool, tmp_path: Path
) -> None:
    text = design().replace("homing: unstacked", f"technology: {technology}")
    known = read_design(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine())
    found = files.against(known, dumped(tmp_path, EVERY, HOSTS + LINKS + PEERS))
    assert bool(found.differences) == differs
    said = "1 cable between leaves is not compared: the design does not state `homing`"
    assert (said in found.notes) != differs


def test_adapters_that_the_design_names_by_their_rdma_device_are_counted(tmp_path: Path) -> None:
    renamed = [(one, at.replace("eth", "enp"), to, port) for one, at, to, port in HOSTS]
    assert told(tmp_path, EVERY, renamed + LINKS) == []
    moved = [("gpu1", "enp0", "leaf-2", "Ethernet7"), *renamed[1:]]
    assert told(tmp_path, EVERY, moved + LINKS) == [
        "cable-elsewhere: a cable from gpu1 goes to leaf-2; the design has it going to leaf-1"
    ]
