"""The real slurmctld and slurmd take what is exported for Slurm, and say the same topology again."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from designlint import exporters, importers
from designlint.comparing.asbuilt import files
from designlint.configuration import engine
from designlint.exporters import Order
from designlint.wiring.measured import of_import

from .test_wiring_faults import DESIGN, designed

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.wiring.graph import Wiring

pytestmark = pytest.mark.counterparts

PROCESSORS = "    sockets: 2\n    cpu_cores: 112\n    cpu_threads: 224\n    scheduled_memory: 2063000 MiB\n"
SCHEDULED = (
    DESIGN.replace("    gpus: 8\n", f"    gpus: 8\n    gpu: h100-sxm-80gb\n{PROCESSORS}")
    + """\
scheduler:
  kind: slurm
  topology_aware: true
  partitions: [{name: train, servers: "gpu[001-096]", walltime_limit: 48 h, default: true}]
"""
)
#: What a cluster has besides; all of it on this machine, in one folder, without a daemon for authentication.
AROUND = """\
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={first}
SlurmdPort={second}
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmdUser={user}
SelectType=select/cons_tres
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SlurmdParameters=config_overrides
ReturnToService=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
Include {folder}/nodes.conf
"""
#: In a mount namespace of its own, where the servers' names lead to this machine: both daemons, then what they say.
SCRIPT = """\
mount --bind "$1/hosts" /etc/hosts || exit 77
export SLURM_CONF="$1/slurm.conf"
slurmctld -D & controller=$!
slurmd -D -N gpu001 & daemon=$!
trap 'kill -9 $controller $daemon 2>/dev/null' EXIT
for attempt in $(seq 100); do
  scontrol show node gpu001 2>/dev/null | grep -q SlurmdStartTime && break
  sleep 0.1
done
scontrol show topology > "$1/topology.out"
scontrol show node gpu001 > "$1/node.out"
scontrol show partition train > "$1/partition.out"
"""
LIMIT = 60


def free_ports(count: int) -> list[int]:
    held = [socket.socket() for _ in range(count)]
    for one in held:
        one.bind(("127.0.0.1", 0))
    found = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return found


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the daemons answered on an exported configuration."""
    for tool in ("slurmctld", "slurmd", "scontrol", "unshare"):
        assert shutil.which(tool) or shutil.which(tool, path="/usr/sbin:/sbin"), f"{tool} is not installed"
    folder = tmp_path_factory.mktemp("slurm")
    order = Order(designed(SCHEDULED, folder))
    (folder / "nodes.conf").write_text(exporters.load_format("slurm-conf").write(order).text, "utf-8")
    (folder / "topology.conf").write_text(exporters.load_format("topology-conf").write(order).text, "utf-8")
    devices = [folder / f"nvidia{number}" for number in range(8)]
    for one in devices:
        one.touch()
    (folder / "gres.conf").write_text(f"Name=gpu Type=h100 File={folder}/nvidia[0-7]\n", "utf-8")
    for name in ("state", "spool"):
        (folder / name).mkdir()
    names = "".join(f"127.0.0.1 gpu{number:03d}\n" for number in range(1, 97))
    (folder / "hosts").write_text(f"127.0.0.1 localhost {socket.gethostname()}\n{names}", "utf-8")
    first, second = free_ports(2)
    user = "root" if os.getuid() == 0 else os.environ.get("USER", "nobody")
    (folder / "slurm.conf").write_text(AROUND.format(folder=folder, first=first, second=second, user=user), "utf-8")
    inside = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", SCRIPT, "bash", str(folder)]
    environment = os.environ | {"PATH": f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"}
    began = time.monotonic()
    run = subprocess.run(inside, check=False, env=environment, capture_output=True, timeout=LIMIT)
    log = (folder / "slurmctld.log").read_text("utf-8", "replace") if (folder / "slurmctld.log").exists() else ""
    told = run.stderr.decode("utf-8", "replace")
    assert run.returncode == 0, f"{told[-2000:]}\n{log[-2000:]} after {time.monotonic() - began:.0f} s"
    return folder


def topology(path: Path, folder: Path) -> Wiring:
    found = importers.import_files([path], within=folder)
    assert not found.refused
    assert not found.clashes
    return of_import(found, engine.shipped_engine().vocabulary.units)[0]


def test_slurmctld_says_the_exported_topology_again(cluster: Path) -> None:
    said, written = topology(cluster / "topology.out", cluster), topology(cluster / "topology.conf", cluster)
    assert {name: one.role for name, one in said.switches.items()} == {
        name: one.role for name, one in written.switches.items()
    }
    assert sorted(one.pair for one in said.cables) == sorted(one.pair for one in written.cables)
    assert sorted((one.server, one.to) for one in said.hosts) == sorted((one.server, one.to) for one in written.hosts)
    assert list(files.against(designed(SCHEDULED, cluster), [cluster / "topology.out"]).differences) == []
    assert len(said.switches) == 6 + 1
    assert len(said.servers) == 96


def test_slurmd_registers_with_the_exported_figures(cluster: Path) -> None:
    node = (cluster / "node.out").read_text("utf-8")
    for figure in (
        "CPUTot=224",
        "Gres=gpu:h100:8",
        "RealMemory=2063000",
        "Sockets=2",
        "ThreadsPerCore=2",
        "Partitions=train",
    ):
        assert figure in node
    assert "SlurmdStartTime=" in node
    assert "INVALID" not in node, node
    assert "MaxTime=2-00:00:00" in (cluster / "partition.out").read_text("utf-8")


def test_slurmctld_finds_no_fault_in_what_was_exported(cluster: Path) -> None:
    log = (cluster / "slurmctld.log").read_text("utf-8", "replace")
    faults = [line for line in log.splitlines() if "TOPOLOGY" in line or "fatal" in line or "Parse error" in line]
    assert faults == []
