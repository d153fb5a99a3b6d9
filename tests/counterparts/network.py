"""A network for ibsim as ports and what is in them, the faults that installers make, and the real tools that look at it."""

from __future__ import annotations

import os
import re
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAD = re.compile(r'(Switch|Hca)\s+(\d+)\s+"([^"]+)"\s+# "([^"]*)"')
PORT = re.compile(r'\[(\d+)\]\s+"([^"]+)"\[(\d+)\]')
RATE = re.compile(r"(\d+x\w+)\s*$")
#: What ibsim is given room for, and how long it may take to start [s].
LIMITS = ("-N", "4096", "-S", "256", "-P", "40000")
START = 20.0

End = tuple[str, int]


@dataclass
class Network:
    """
    Nodes by name, and for each port the far end with the rate of the cable.

    Attributes:
        nodes: kind, number of ports and identity, by name; an adapter's name is that of its server and its own.
    """

    nodes: dict[str, tuple[str, int, str]] = field(default_factory=dict)
    cables: dict[End, tuple[End, str]] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> Network:
        """The network of an exported file."""
        network, here = cls(), ""
        lines: list[tuple[str, int, str, int, str]] = []
        for line in text.splitlines():
            if found := HEAD.match(line):
                here = found[4]
                network.nodes[here] = (found[1], int(found[2]), found[3])
            elif found := PORT.match(line):
                rate = RATE.search(line)
                lines.append((here, int(found[1]), found[2], int(found[3]), rate[1] if rate else ""))
        names = {guid: name for name, (_, _, guid) in network.nodes.items()}
        for name, port, guid, far, rated in lines:
            network.cables[name, port] = ((names[guid], far), rated)
        return network

    def text(self) -> str:
        """The file for ibsim."""
        lines: list[str] = []
        ports: dict[str, list[int]] = {name: [] for name in self.nodes}
        for name, port in self.cables:
            ports[name].append(port)
        for name, (kind, count, guid) in self.nodes.items():
            lines.append(f'{kind}\t{count} "{guid}"\t\t# "{name}"')
            for port in sorted(ports[name]):
                (far, there), rate = self.cables[name, port]
                ids = "lid 0 lmc 0 " if kind == "Hca" else ""
                lines.append(f'[{port}]\t"{self.nodes[far][2]}"[{there}]\t # {ids}"{far}" lid 0 {rate}')
            lines.append("")
        return "\n".join(lines)

    def between(self, one: str, other: str) -> End:
        """The port of the first cable from one node to another."""
        return next(end for end, ((far, _), _) in self.cables.items() if end[0] == one and far == other)

    def unplug(self, end: End) -> tuple[End, str]:
        """Take a cable out; its far end, and its rate."""
        far, rate = self.cables.pop(end)
        del self.cables[far]
        return far, rate

    def plug(self, one: End, other: End, rate: str = "4xHDR") -> Network:
        """Put a cable in."""
        self.cables[one], self.cables[other] = (other, rate), (one, rate)
        return self

    def swap(self, one: End, other: End) -> None:
        """Let two cables change places at these ends."""
        (far, rate), (there, rated) = self.unplug(one), self.unplug(other)
        self.plug(one, there, rated)
        self.plug(other, far, rate)

    def move(self, end: End, to: End) -> None:
        """Move the end of a cable to another port."""
        far, rate = self.unplug(end)
        self.plug(to, far, rate)

    def retrain(self, end: End, rate: str) -> Network:
        """Let a cable run at another rate."""
        far, _ = self.cables[end]
        return self.plug(end, far, rate)

    def remove(self, *names: str) -> None:
        """Take nodes out, with their cables."""
        for name in names:
            for end in [end for end in self.cables if end[0] == name]:
                self.unplug(end)
            del self.nodes[name]

    def server(self, name: str) -> list[str]:
        """The adapters of a server."""
        return [one for one in self.nodes if one.startswith(f"{name} ")]

    def add(self, kind: str, name: str, ports: int) -> Network:
        """A node that nobody designed."""
        letter = kind[0]
        self.nodes[name] = (kind, ports, f"{letter}-{0x3_0000_0000 + len(self.nodes):016x}")
        return self


@contextmanager
def simulated(network: Network, folder: Path) -> Iterator[dict[str, str]]:
    """ibsim with this network, and the environment in which tools see it; ended in any case."""
    folder.mkdir(parents=True, exist_ok=True)
    file, log = folder / "net", folder / "ibsim.log"
    file.write_text(network.text(), "utf-8")
    first = next(guid for kind, _, guid in network.nodes.values() if kind == "Hca")
    environment = os.environ | {
        "PATH": f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin",
        "IBSIM_SOCKNAME": f"designlint-{os.getpid()}-{folder.name}", "SIM_HOST": first,
        "OSM_CACHE_DIR": str(folder), "OSM_TMP_DIR": str(folder),
    }  # fmt: skip
    with log.open("wb") as out:
        process = subprocess.Popen(["ibsim", "-s", "-n", *LIMITS, str(file)], stdout=out, stderr=out, env=environment)
        try:
            end = time.monotonic() + START
            while "Network simulator ready" not in log.read_text("utf-8", "replace"):
                assert process.poll() is None, log.read_text("utf-8", "replace")[-2000:]
                assert time.monotonic() < end, "ibsim did not start"
                time.sleep(0.05)
            yield environment
        finally:
            process.kill()
            process.wait()


def routed(environment: dict[str, str], folder: Path) -> str:
    """What opensm logs when it has routed the network as a fat tree."""
    log = folder / "opensm.log"
    command = ["ibsim-run", "opensm", "-o", "-R", "ftree", "-f", str(log)]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=60)
    return log.read_text("utf-8", "replace")


def discovered(environment: dict[str, str]) -> str:
    """What ibnetdiscover prints."""
    run = subprocess.run(["ibsim-run", "ibnetdiscover"], env=environment, check=True, capture_output=True, timeout=60)
    return run.stdout.decode("utf-8", "replace")
