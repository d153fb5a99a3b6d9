"""What a whole dump shows of a fabric's shape, so that rules can judge it: one plane, rails, servers that have no name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.configuration import engine
from designlint.linting.pipeline import lint
from designlint.reading import read_bytes
from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

SERVERS, SPINES = 4, 2


def dump(
    *, swapped: bool = False, without: tuple[int, int] | None = None, unseen: int = -1, manager: bool = False
) -> str:
    """Four servers of two adapters, a leaf for each adapter and a third leaf without servers of its own kind, two spines."""
    blocks: dict[str, list[str]] = {}

    def switch(kind: str, at: int) -> str:
        return f"S-{kind}{at:015d}"

    def cable(one: str, port: int, name: str, other: str, far: int, label: str) -> None:
        blocks.setdefault(f"{one}|{name}", []).append(f'[{port}] "{other}"[{far}] # "{label}" lid 1 4xNDR')
        blocks.setdefault(f"{other}|{label}", []).append(f'[{far}] "{one}"[{port}] # "{name}" lid 1 4xNDR')

    for server in range(SERVERS):
        for rail in range(2):
            leaf = 1 - rail if swapped and server == 0 else rail
            host, label = f"H-{server:08d}{rail:08d}", f"node{server} mlx5_{rail}"
            cable(switch("a", leaf), server + 1, f"leaf-{leaf}", host, 1, label)
    for leaf in range(3):
        for spine in range(SPINES):
            if (leaf, spine) != without:
                cable(switch("a", leaf), 20 + spine, f"leaf-{leaf}", switch("b", spine), leaf + 1, f"spine-{spine}")
    cable(switch("a", 2), 1, "leaf-2", "H-9900000000000000", 1, "MT4129 ConnectX7   Mellanox Technologies")
    if manager:
        cable(switch("b", 1), 9, "spine-1", "H-9800000000000000", 1, "ufm mlx5_0")
    lines: list[str] = []
    for key, ports in blocks.items():
        guid, _, name = key.partition("|")
        if name != f"spine-{unseen}":
            kind = "Switch" if guid[0] == "S" else "Ca"
            lines += [f'{kind} 65 "{guid}" # "{name}" base port 0 lid 1 lmc 0', *ports, ""]
    return "\n".join(lines) + "\n"


def rules(folder: Path, text: str) -> set[str]:
    (folder / "fabric.out").write_text(text, "utf-8")
    design = "designlint: 1\nfabrics: [{name: compute, topology: {from: fabric.out}}]\n"
    document = read_bytes(design.encode(), str(folder / "design.yaml"))
    return {
        one.rule
        for one in lint(document, engine.shipped_engine(), repair=False).findings
        if one.severity.name != "INFO"
    }


def test_a_leaf_that_lacks_a_spine_is_found(tmp_path: Path) -> None:
    assert rules(tmp_path, dump()) == set()
    assert rules(tmp_path, dump(without=(1, 1))) == {"network/leaf-misses-spine"}


def test_an_excerpt_shows_no_shape(tmp_path: Path) -> None:
    topology = plain(read(tmp_path, {"fabric.out": dump(unseen=1)}).words["fabrics"])[0]["topology"]
    assert "planes" not in topology


def test_two_cables_that_changed_places_are_found(tmp_path: Path) -> None:
    assert rules(tmp_path, dump(swapped=True)) == {"network/rails-swapped"}


def test_an_adapter_without_a_name_is_a_server_of_its_own(tmp_path: Path) -> None:
    found = read(tmp_path, {"fabric.out": dump()})
    links = plain(found.words["fabrics"])[0]["topology"]["host_links"]
    assert [one["server"] for one in links if one["to"] == "leaf-2"] == ["H-9900000000000000"]
    assert {one.name: one.value.text for one in found.facts if "name" in one.name or "servers" in one.name} == {
        "servers seen": "4", "adapters that name no server": "1"
    }  # fmt: skip


def test_a_spine_with_a_server_of_its_own_is_no_leaf(tmp_path: Path) -> None:
    """The server of the subnet manager: the other spine, which has none, has the same leaves below it."""
    for manager in (False, True):
        (fabric,) = plain(read(tmp_path, {"fabric.out": dump(manager=manager)}).words["fabrics"])
        roles = {one["name"]: one["role"] for one in fabric["topology"]["switches"]}
        assert roles == {f"leaf-{at}": "leaf" for at in range(3)} | {"spine-0": "spine", "spine-1": "spine"}
