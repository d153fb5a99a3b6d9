"""Tasks that srun starts, and what becomes of them: a launcher in each, or ranks by variables of another kind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import How, Value, Words, put, whole
from designlint.importers.shell.pieces import flat, value
from designlint.importers.workloads import count, get, took

if TYPE_CHECKING:
    from designlint.importers.base import Fragment
    from designlint.importers.shell.launches import Launch
    from designlint.importers.shell.record import Script

#: Launchers that start the processes of a server themselves, and the options that count these.
PROCESSES, ALL, MACHINES = "nproc_per_node", "num_processes", "num_machines"
LAUNCHERS = frozenset(("torchrun", "accelerate", "deepspeed", "composer"))
#: What torchrun starts for each GPU that it sees.
EACH = frozenset(("gpu", "auto"))
#: Options of srun that give a step sizes of its own; the number of tasks on each server among them.
SIZED, ON_EACH = ("ntasks", "n", "nodes", "N", "gpus", "G"), "ntasks-per-node"
#: A variable that takes its value from one of Slurm's, as a shell of each task sets it.
TAKEN = r"(?<![\w$])%s=[\"']?\$\{?(%s)\b\}?[\"']?(?![\w%%*/+-])"
NUMBER = "WORLD_SIZE"


def fill(words: Words, main: Launch, script: Script, found: Fragment) -> None:
    """Adds launchers in every task, and notes ranks of another kind than the variable that holds them."""
    if "srun" not in main.launchers or not main.command.sure:
        return
    tasks = _tasks(main, words)
    if LAUNCHERS.isdisjoint(main.launchers):
        if NUMBER not in _report_kinds(words, main, tasks, found):
            _report_number(words, main, script, found)
        if main.benchmark and _of_one_gpu(main) and tasks is not None and tasks.how is not How.DEFAULT:
            put(words, "job/tasks_are_ranks", tasks.but(True, f"each starts {main.benchmark} for one GPU"))
        return
    number = _processes(main, words)
    if tasks is not None and number is not None and (whole(tasks) or 0) > 1:
        put(words, "job/launchers_per_server", tasks)
        put(words, "job/launcher_processes", number)


def _of_one_gpu(main: Launch) -> bool:
    """Whether each rank of a benchmark drives one GPU."""
    stated = main.arguments.get("g") or main.arguments.get("ngpus")
    return stated is None or (stated.value is not None and stated.value.text == "1")


def _tasks(main: Launch, words: Words) -> Value | None:
    """Tasks of the step on each server; None where it states sizes by which they are not known."""
    stated = main.scheduler.get(ON_EACH) or main.scheduler.get(ON_EACH.replace("-", "_"))
    if stated is not None:
        return count(stated.value)
    if any(name in main.scheduler for name in SIZED):
        return None
    each, servers, total = get(words, "job/tasks_per_server"), took(words, "job/servers"), get(words, "job/tasks")
    if each is None and total is not None and servers and (whole(total) or 0) % servers == 0:
        return total.but((whole(total) or 0) // servers, f"{total.text} tasks on {servers} servers", How.DERIVED)
    return each


def _processes(main: Launch, words: Words) -> Value | None:
    """Processes that one launcher starts."""
    stated = main.runner.get(PROCESSES)
    if stated is not None and stated.value is not None and stated.value.text in EACH:
        return get(words, "job/gpus_per_server")
    if stated is not None:
        return count(stated.value)
    total, machines = (
        (count(one.value) for one in map(main.runner.get, (ALL, MACHINES)) if one is not None)
        if (ALL in main.runner and MACHINES in main.runner)
        else (None, None)
    )
    servers = whole(machines)
    if total is None or not servers or (whole(total) or 0) % servers:
        return None
    return total.but((whole(total) or 0) // servers, f"{total.text} processes on {servers} machines", How.DERIVED)


def _report_number(words: Words, main: Launch, script: Script, found: Fragment) -> None:
    """Notes a number of ranks that a script exports, and that is not the one of its tasks."""
    stated = count(value(main.variables.get(NUMBER) or script.exports.get(NUMBER, ())))
    if (
        not main.script
        or stated is None
        or stated.how is How.DEFAULT
        or any(name in main.scheduler for name in (*SIZED, ON_EACH))
    ):
        return
    tasks, each, servers = (get(words, f"job/{word}") for word in ("tasks", "tasks_per_server", "servers"))
    if tasks is None and each is not None and servers is not None:
        number = (whole(each) or 0) * (whole(servers) or 0)
        tasks = each.but(number, f"{servers.text} servers of {each.text} tasks", How.DERIVED)
    gpus = (took(words, "job/gpus_per_server") or 0) * (whole(servers) or 0)  # a program may start a process for each
    if tasks is not None and tasks.how is not How.DEFAULT and whole(stated) not in (whole(tasks), gpus):
        values = {"word": "tasks", "one": tasks.text, "other": stated.text, "where": stated.place}
        found.clash("import/conflict", tasks, **values)


def _report_kinds(words: Words, main: Launch, tasks: Value | None, found: Fragment) -> set[str]:
    """Notes variables that take Slurm's count of another kind, on several servers of several tasks; gives their names."""
    noted: set[str] = set()
    if (took(words, "job/servers") or 0) < 2 or (whole(tasks) or 0) < 2:
        return noted
    meant = defaults.tool("slurm").tables["ranks"]
    for name, right in meant.items():
        others = "|".join({*map(str, meant.values()), "SLURM_NNODES", "SLURM_JOB_NUM_NODES"} - {*str(right).split()})
        for word in main.command.words:
            taken = re.search(TAKEN % (name, others), flat(word))
            piece = next((one for one in word if one.text), None)
            if taken is not None and piece is not None:
                at = Value(taken[1], piece.source, piece.start, piece.end)
                found.clash("import/rank-of-another-kind", at, name=name, taken=taken[1], meant=str(right).split()[0])
                noted.add(name)
    return noted
