"""The GPUs that CUDA shows to a command, against the processes that torchrun starts, each of which needs one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import whole
from designlint.importers.shell.pieces import value
from designlint.importers.workloads import count

if TYPE_CHECKING:
    from designlint.importers.base import Fragment
    from designlint.importers.shell.launches import Launch
    from designlint.importers.shell.record import Script

#: The variable that lists the GPUs, and a list of their numbers; a number that does not exist ends the list.
VISIBLE, LISTED = "CUDA_VISIBLE_DEVICES", re.compile(r"\d+(?:,\d+)*\Z")
PROCESSES = "nproc_per_node"
#: What arguments of programs that work without GPUs say.
WITHOUT = frozenset(("gloo", "cpu", "mpi"))


def report(main: Launch, script: Script, found: Fragment) -> None:
    """
    Notes a launch of more processes than CUDA shows GPUs.

    Steps of srun are not judged, as Slurm sets the variable for them; nor what a script exports after the launch, or perhaps.
    """
    option = main.runner.get(PROCESSES)
    shown = value(main.variables.get(VISIBLE) or script.exports.get(VISIBLE, ()))
    if option is None or option.value is None or shown is None or main.launchers != ["torchrun"] or _without_gpus(main):
        return
    surely = main.command.sure and shown.source is main.command.source and shown.start < main.command.end
    gpus, processes = len(set(shown.text.split(","))), whole(count(option.value)) or 0
    if surely and LISTED.match(shown.text) and processes > gpus:
        found.clash(
            "import/arguments-do-not-fit", option.value, name=f"--{PROCESSES}", one=option.value.text, tool="PyTorch",
            relation="at most the GPUs of", other=VISIBLE, two=str(gpus), where=shown.place,
        )  # fmt: skip


def _without_gpus(main: Launch) -> bool:
    return any(one.value is not None and one.value.text.lower() in WITHOUT for one in main.arguments.values())
