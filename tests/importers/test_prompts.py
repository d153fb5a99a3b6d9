"""Prompts in what people paste, and interfaces that see several devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """{}
Capability codes: (R) Router, (B) Bridge, (O) Other
LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet0    {}         Ethernet{}       BR            Ethernet0
"""


def ends(tmp_path: Path, files: dict[str, str]) -> list[tuple[str, str]]:
    [fabric] = plain(read(tmp_path, files).words["fabrics"])
    return [(one["from"], one["to"]) for one in fabric["topology"]["links"]]


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("admin@leaf-07:~$ show lldp table", "leaf-07"),
        ("[root@leaf-07 ~]# lldpshow", "leaf-07"),
        ("leaf-07#show lldp neighbors", "leaf-07"),
        ("leaf-07...23:26:30(config)#show lldp nei", "leaf-07"),
        ("admin@leaf-07:~$ uptime", "pasted"),
        ("admin@sonic:~$ show lldp table", "pasted"),
        ("", "pasted"),
    ],
)
def test_a_prompt_names_the_device(tmp_path: Path, prompt: str, name: str) -> None:
    assert ends(tmp_path, {"pasted.txt": TABLE.format(prompt, "spine01", 7)}) == [(name, "spine01")]


def test_devices_of_one_file_are_told_apart_by_their_prompts(tmp_path: Path) -> None:
    both = "".join(TABLE.format(f"admin@leaf-0{at}:~$ show lldp table", "spine01", at) for at in (1, 2))
    assert ends(tmp_path, {"pasted.txt": both}) == [("leaf-01", "spine01"), ("leaf-02", "spine01")]


def test_a_prompt_that_several_files_have_names_no_device(tmp_path: Path) -> None:
    files = {f"leaf-0{at}.txt": TABLE.format("admin@dut:~$ show lldp table", "spine01", at) for at in (1, 2)}
    assert ends(tmp_path, files) == [("leaf-01", "spine01"), ("leaf-02", "spine01")]


def test_an_interface_with_several_devices_is_no_cable_to_each(tmp_path: Path) -> None:
    text = TABLE.format("", "spine01", 7)
    row = text.splitlines()[-1]
    assert ends(tmp_path, {"leaf.txt": text + row}) == [("leaf", "spine01")]
    assert "fabrics" not in read(tmp_path, {"leaf.txt": text + row.replace("spine01", "spine02")}).words
