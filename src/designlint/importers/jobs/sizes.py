"""Servers, processes and GPUs as torchrun, accelerate, mpirun or deepspeed count them; a batch header must agree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, How, Value, Words, put, whole
from designlint.importers.jobs import roles
from designlint.importers.workloads import count, drop, get, is_on, place_beside, took

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from designlint.importers.shell.launches import Launch

#: Options of launchers, and what they count. `tasks` are MPI's; `processes` are accelerate's of all servers, one for each GPU.
RUNNER = {
    "nnodes": "servers",
    "num_nodes": "servers",
    "nproc_per_node": "gpus",
    "num_gpus": "gpus",
    "npernode": "ranks",
    "ppn": "ranks",
    "N": "ranks",
    "np": "tasks",
    "n": "tasks",
    "num_machines": "servers",
    "num_processes": "processes",
}
#: GPUs of the largest server of the catalogue: more processes than that work on CPUs.
MOST_GPUS = 16
#: Ranks of each server as Open MPI maps them, `ppr:8:node`.
PLACING, MAPPING = ("N", "npernode", "ppn"), ("map_by", "ppr")
MAPPED = re.compile(r"ppr:(\d+):node(?::.*)?\Z", re.IGNORECASE)
#: Options of mpirun that name the servers, or a file that does: its ranks need not run on those of the header.
HOSTS = frozenset(("hostfile", "machinefile", "host", "hosts", "H", "f"))
#: The GPUs that a command may use.
VISIBLE = "CUDA_VISIBLE_DEVICES"
#: The variable by which torchrun takes the number of servers from outside.
ELSEWHERE = "PET_NNODES"
#: Elastic servers of torchrun, `1:4`.
ELASTIC = re.compile(r"(\d+):(\d+)\Z")


def put_started_size(
    words: Words, main: Launch, found: Fragment, *, processes: bool = True, part: bool = False
) -> None:
    """
    Servers and GPUs as a launcher counts them; the header's figures must agree.

    Args:
        part: the program runs on some of the job's servers, so that its counts are not those of the job.
        processes: whether a process of torchrun's is taken for a GPU of a server; pods state their GPUs themselves.
    """
    if processes:
        _put_placed_ranks(words, main)
    for name, kind in RUNNER.items():
        argument = main.runner.get(name)
        stated = argument.value if argument is not None else None
        number = count(fixed_servers(stated, found) if kind == "servers" else stated)
        if number is None or not whole(number) or (part and kind in ("servers", "tasks", "processes")):
            continue
        if not processes:
            if kind == "tasks":
                put(words, "job/tasks", number)
        elif kind == "servers":
            _servers(words, main, number, found)
        elif kind == "gpus" and not (VISIBLE in main.command.variables and get(words, "job/gpus_per_server")):
            _gpus(words, name, number, found)  # a command that sees only some of the GPUs does not count them
        elif kind == "ranks" and get(words, "job/tasks_per_server") is None:
            put(words, "job/tasks_per_server", number)
        elif kind == "tasks" and get(words, "job/tasks") is None and HOSTS.isdisjoint(main.runner):
            put(words, "job/tasks", number)
        elif kind == "processes" and not ("cpu" in main.runner and is_on(main.runner["cpu"].value)):
            processes_of_all(words, number, found)
    roles.put_rollouts(words, main)
    if processes:
        roles.sizes(words, main, found)
        _put_benchmark_size(words, main)


def put_single_server(words: Words, main: Launch, exported: Collection[str]) -> None:
    """torchrun works on one server unless it is told of more, whoever starts it by itself."""
    counted = "nnodes" in main.runner or main.runner_open or ELSEWHERE in {*exported, *main.variables}
    if main.launchers == ["torchrun"] and "nproc_per_node" in main.runner and not counted:
        command = main.command
        defaults.tool("torchrun").fill(words, "sizes", Value("", command.source, command.start, command.start))


def fixed_servers(stated: Value | None, found: Fragment) -> Value | None:
    """The servers of torchrun: `4:4` are four, `1:4` are not a number, and told as a fact."""
    bounds = ELASTIC.match(stated.text) if stated is not None else None
    if stated is None or bounds is None:
        return stated
    if bounds[1] == bounds[2]:
        return stated.but(bounds[1], "", stated.how)
    found.fact("servers, from and to", stated)
    return None


def _servers(words: Words, main: Launch, number: Value, found: Fragment) -> None:
    """Servers that a launcher waits for; where srun starts it on all of the job's and it counts others, it never starts."""
    known = get(words, "job/servers")
    sure = How.DEFAULT not in (number.how, known.how if known is not None else None) and main.command.sure
    if known is None or not sure or "srun" not in main.launchers or whole(number) == 1 or number == known:
        agree(words, "job/servers", number, found)
    else:
        put(words, "job/launcher_servers", number)


def put_tasks_of_gpus(given: Mapping[str, Value], found: Words) -> None:
    """Tasks by the GPUs that the job asks for, of a server where it says how many each has, and of all servers."""
    each = count(given.get("ntasks-per-gpu"))
    if each is None or get(found, "job/tasks_per_server") is not None or get(found, "job/tasks") is not None:
        return
    servers, total = took(found, "job/servers"), took(found, "runs_on/gpus")
    gpus = took(found, "job/gpus_per_server") or (total // servers if total and servers and total % servers == 0 else 0)
    if gpus:
        note = f"{each.text} for each of {gpus} GPUs"
        put(found, "job/tasks_per_server", each.but((whole(each) or 0) * gpus, note))


def _gpus(words: Words, name: str, number: Value, found: Fragment) -> None:
    """GPUs of a server: as deepspeed counts them, or as many as torchrun starts processes."""
    if name != "nproc_per_node":
        put(words, "job/gpus_per_server", get(words, "job/gpus_per_server") or number)
    elif (whole(number) or 0) > MOST_GPUS:
        put(words, "job/tasks_per_server", get(words, "job/tasks_per_server") or number)
    else:
        how = How.DEFAULT if number.how is How.DEFAULT else How.DERIVED
        agree(words, "job/gpus_per_server", number.but(number.text, "one process for each GPU", how), found)


def processes_of_all(words: Words, number: Value | None, found: Fragment) -> None:
    """
    accelerate's processes, of all servers together: one for each GPU, where nothing else counts these.

    Those of one server, where the job has several, are not all: accelerate divides the number by its machines.
    """
    counted = get(words, "job/gpus_per_server") or get(words, "runs_on/gpus")
    if number is None or not whole(number):
        return
    how = How.DEFAULT if number.how is How.DEFAULT else How.DERIVED
    servers, total = whole(get(words, "job/servers")), whole(number) or 0
    if counted is not None:
        each = get(words, "job/gpus_per_server")
        if how is How.DERIVED and each is not None and whole(each) == total and (servers or 0) > 1:
            gpus = str(total * (servers or 0))
            found.clash("import/conflict", number, word="gpus", one=number.text, other=gpus, where=each.place)
        elif how is How.DERIVED and each is not None and servers and total > servers * (whole(each) or total):
            there = str(servers * (whole(each) or 0))
            found.clash("import/conflict", number, word="gpus", one=number.text, other=there, where=each.place)
        return
    if not servers:
        put(words, "runs_on/gpus", number.but(number.text, "one process for each GPU", how))
    elif total % servers == 0 and total // servers <= MOST_GPUS:
        put(words, "job/gpus_per_server", number.but(total // servers, "one process for each GPU", how))


def _put_placed_ranks(words: Words, main: Launch) -> None:
    """
    Ranks of each server as mpirun places them: the tasks of the header are then the most that may run, not those that do.
    """
    if main.launchers[:1] not in (["mpirun"], ["mpiexec"]):
        return
    ranks = next((one for one in map(_ranks, _given_values(main, (*PLACING, *MAPPING))) if one is not None), None)
    most = get(words, "job/tasks_per_server")
    if ranks is None or (most is not None and (whole(most) or 0) < (whole(ranks) or 0)):
        return
    for word in ("tasks", "tasks_per_server"):
        drop(words, f"job/{word}")
    put(words, "job/tasks_per_server", ranks)


def put_gpus_of_ranks(words: Words, main: Launch) -> None:
    """GPUs of a server by the ranks that MPI places there, where each rank drives one and nothing else counts them."""
    ranks = get(words, "job/tasks_per_server") if main.launchers in (["mpirun"], ["mpiexec"]) else None
    counted = get(words, "job/gpus_per_server") or get(words, "runs_on/gpus")
    if ranks is not None and counted is None and (whole(ranks) or 0) <= MOST_GPUS:
        put(words, "job/gpus_per_server", ranks.but(ranks.text, "one rank for each GPU", How.DERIVED))


def _given_values(main: Launch, names: tuple[str, ...]) -> Iterator[Value]:
    stated = (main.runner.get(name) for name in names)
    return (one.value for one in stated if one is not None and one.value is not None)


def _ranks(stated: Value) -> Value | None:
    """A number of ranks, or the one in `ppr:8:node`."""
    parts = MAPPED.match(stated.text)
    number = stated.but(parts[1], "", stated.how) if parts is not None else count(stated)
    return number if whole(number) else None


def _put_benchmark_size(words: Words, main: Launch) -> None:
    """GPUs of a server as a benchmark counts them: its ranks times the GPUs of each."""
    ranks = get(words, "job/tasks_per_server") if main.benchmark else None
    if ranks is not None and get(words, "job/gpus_per_server") is None:
        each = main.arguments.get("g") or main.arguments.get("ngpus")
        factor = whole(each.value) if each is not None and each.value is not None else 1
        if factor:
            put(words, "job/gpus_per_server", ranks.but((whole(ranks) or 0) * factor, f"{factor} GPU for each rank"))


def agree(words: Words, path: str, number: Value, found: Fragment) -> None:
    """A count that must be the one that is known already."""
    known = get(words, path)
    if known is None:
        put(words, path, number)
    elif whole(known) != whole(number) and known.how is not How.DEFAULT:
        place = place_beside(number, known)
        found.clash(
            "import/conflict", known, word=path.rpartition("/")[2], one=known.text, other=number.text, where=place
        )
