"""Discovery dumps: read, and compared with the design of the same fabric."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tools.bench.measuring import DESIGNLINT, ROOT, Row, cpu, peak_memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ORDER = 6
#: The large fabric: units of 32 servers with 8 rails, groups of 4 units with 32 spines, 64 sets of 32 cores.
UNITS, SERVERS, RAILS, GROUP, SETS = 512, 32, 8, 32, 64
READ = "import sys; from designlint import importers; found = importers.read(sys.argv[1:]); assert not found.refused"


def rows(folder: Path) -> list[Row]:
    """Rows on a dump of some 300 kB, on its comparison, and on a dump of 131,072 GPUs."""
    design = ROOT / "examples" / "superpod-4su" / "design.yaml"
    small, large = folder / "small.out", folder / "large.out"
    cpu([DESIGNLINT, "export", str(design), "--to", "ibsim", "-o", str(small)])
    with large.open("w", encoding="utf-8") as file:
        file.writelines(dump())
    idle = cpu(
        [sys.executable, "-c", "from designlint import importers; import designlint.importers.formats.infiniband"]
    )[0]
    read = min(cpu([sys.executable, "-c", READ, str(small)])[0] for _ in range(5))
    compared = min(cpu([DESIGNLINT, "diff", str(design), "--built", str(small)])[0] for _ in range(5))
    whole = [sys.executable, "-c", READ, str(large)]
    size = small.stat().st_size / 1e3
    return [
        (f"reading a discovery dump of {size:.0f} kB (goal at most 0.3 s)", "", f"{max(0.0, read - idle):.2f} s"),
        ("comparing it with its design of 127 servers, whole process", "", f"{compared:.2f} s"),
        (
            f"reading a dump of 131,072 GPUs, {large.stat().st_size / 1e6:.0f} MB, whole process",
            "128 MiB are read at most",
            f"{cpu(whole)[0]:.0f} s, {peak_memory(whole):.0f} MiB",
        ),
    ]


def dump() -> Iterator[str]:
    """What ibnetdiscover would print of the large fabric."""
    leaves = UNITS * RAILS
    for leaf in range(leaves):
        unit, rail = divmod(leaf, RAILS)
        servers = [unit * SERVERS + one for one in range(SERVERS)]
        ports = [(f"H-{0x4_0000_0000 + one * RAILS + rail:016x}", 1, f"gpu{one:05d} mlx5_{rail}") for one in servers]
        ports += [_spine(leaf // GROUP * GROUP + one, leaf % GROUP + 1) for one in range(GROUP)]
        yield from _block("Switch", _leaf(leaf, 0), ports)
    for spine in range(leaves):
        down = [_leaf(spine // GROUP * GROUP + one, GROUP + 1 + spine % GROUP) for one in range(GROUP)]
        up = [_core(spine % SETS * GROUP + one, spine // SETS + 1) for one in range(GROUP)]
        yield from _block("Switch", _spine(spine, 0), [*down, *up])
    for core in range(SETS * GROUP):
        below = [_spine(one * SETS + core // GROUP, GROUP + 1 + core % GROUP) for one in range(leaves // SETS)]
        yield from _block("Switch", _core(core, 0), below)
    for number in range(UNITS * SERVERS * RAILS):
        server, rail = divmod(number, RAILS)
        own = (f"H-{0x4_0000_0000 + number:016x}", 1, f"gpu{server:05d} mlx5_{rail}")
        yield from _block("Ca", own, [_leaf(server // SERVERS * RAILS + rail, server % SERVERS + 1)])


End = tuple[str, int, str]


def _leaf(number: int, port: int) -> End:
    return f"S-{0x1_0000_0000 + number:016x}", port, f"leaf-{number:04d}"


def _spine(number: int, port: int) -> End:
    return f"S-{0x2_0000_0000 + number:016x}", port, f"spine-{number:04d}"


def _core(number: int, port: int) -> End:
    return f"S-{0x3_0000_0000 + number:016x}", port, f"core-{number:04d}"


def _block(kind: str, own: End, ports: list[End]) -> Iterator[str]:
    guid, _, name = own
    yield f'vendid=0x2c9\ndevid=0xd2f2\nsysimgguid=0x{guid[2:]}\n{kind} {max(len(ports), 1)} "{guid}"\t\t# "{name}"\n'
    ids = "lid 1 lmc 0 " if kind == "Ca" else ""
    for at, (far, port, label) in enumerate(ports, 1):
        yield f'[{at}]\t"{far}"[{port}]\t\t# {ids}"{label}" lid 1 4xNDR\n'
    yield "\n"
