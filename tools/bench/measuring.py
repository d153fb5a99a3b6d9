"""CPU time and memory of whole processes, and the designs that several groups measure."""

from __future__ import annotations

import resource
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent.parent
BIN = Path(sys.executable).parent
#: How often each command runs, in turns.
ROUNDS = 15
#: The length of the design of some 25 pools and 25 jobs.
LINES = 750
#: What, against what, figure.
Row = tuple[str, str, str]
DESIGNLINT = str(BIN / "designlint")
#: A check that neither reads nor keeps reports.
CHECK = [DESIGNLINT, "check", "--no-cache"]
YAMLLINT = [str(BIN / "yamllint"), "-d", "relaxed"]


def installed(folder: Path) -> str:
    """The program as users have it: of a wheel, in an environment of its own, with the libraries of this one."""
    pip, wheels, home = [sys.executable, "-m", "pip", "--quiet"], folder / "wheels", folder / "home"
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(wheels), str(ROOT)], check=True)
    venv.create(home)
    libraries = next(home.glob("lib/python*/site-packages")) / "libraries.pth"
    libraries.write_text(sysconfig.get_path("purelib"), "utf-8")
    wheel, python = str(next(wheels.glob("*.whl"))), str(home / "bin" / "python")
    subprocess.run([*pip, "--python", python, "install", "--no-deps", "--compile", wheel], check=True)
    return str(home / "bin" / "designlint")


def seconds(commands: dict[str, list[str]]) -> dict[str, float]:
    """Median CPU time of each command, run in turns so that a busy moment hits all alike; it disturbs wall time far more."""
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS + 1):
        for name, command in commands.items():
            taken[name].append(cpu(command)[0])
    return {name: median(times[1:]) for name, times in taken.items()}  # the first round only warms the caches


def peak_memory(command: list[str]) -> float:
    """Peak resident memory of a command [MiB], measured by a process that runs nothing else."""
    code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], capture_output=True); "
    code += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    return float(subprocess.run([sys.executable, "-c", code, *command], capture_output=True, check=True).stdout)


def cpu(command: list[str]) -> tuple[float, str]:
    """CPU time of a command with all its processes [s], and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, capture_output=True, check=False, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out
