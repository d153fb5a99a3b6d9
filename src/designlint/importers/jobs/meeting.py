"""Where the servers of a job meet, and the ranks that they get: what torchrun and accelerate say, or take without a word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from designlint.importers import defaults
from designlint.importers.base import How, Value, Words, put, whole
from designlint.importers.jobs import sizes, spreading
from designlint.importers.shell.pieces import flat
from designlint.importers.shell.record import Script
from designlint.importers.shell.walker import SETTING_UP
from designlint.importers.workloads import count, is_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.base import Fragment
    from designlint.importers.shell.launches import Launch
    from designlint.importers.shell.options import Argument

#: Variables by which torchrun's options come from outside.
OUTSIDE = "PET_"
#: Ranks of the step that runs the batch script itself: its shell expands them before srun starts anything.
OF_BATCH = re.compile(r"\$(?:SLURM_PROCID|SLURM_NODEID) is not set in the file")
#: A file that a text for a second shell sources.
SOURCED = re.compile(r"(?:^|[\s;&|({])((?:source|\.)\s+[^\s;&|]+)")
HOST = re.compile(r"(?:\w+://)?(\[[^\]]*\]|[^:/]*)")


class Options(NamedTuple):
    """The options by which a launcher learns of servers: their number, the address, the rank of each."""

    servers: str
    endpoints: tuple[str, ...]
    rank: str


LAUNCHERS = {
    "torchrun": Options("nnodes", ("rdzv_endpoint", "master_addr"), "node_rank"),
    "accelerate": Options("num_machines", ("main_process_ip",), "machine_rank"),
}


def fill(words: Words, main: Launch, script: Script, found: Fragment, *, batch: bool, whole_job: bool) -> None:
    """
    Adds where the servers of a launch meet, and whether each gets a rank of its own.

    Args:
        batch: Slurm starts the script, on the first server of the job.
        whole_job: one command starts the program on all servers of the job.
    """
    launcher = next((one for one in reversed(main.launchers) if one in LAUNCHERS), "")
    if not launcher and main.command.sure and batch and whole_job and not spreading.by_one_task(main):
        put(words, "job/rendezvous", spreading.exported_name(main, script) if main.launchers == ["srun"] else None)
    if batch and whole_job and main.command.sure:
        spreading.plain(words, main, _at(main), script)
    if launcher == "torchrun" and batch and whole_job and _counts_itself(main, script):
        spreading.single(words, main, _at(main), script)
    if not launcher or not main.command.sure or not _several(main, LAUNCHERS[launcher], found):
        return
    spreading.fill(words, main, script, _at(main), batch=batch and whole_job)
    address = _address(main, launcher, script, batch=batch)
    if address is not None and address.text:
        put(words, "job/rendezvous", address.as_text())
    elif address is not None:
        put(words, "job/states_rendezvous", address.but(False, "the command names no address"))
    if batch and whole_job and "srun" in main.launchers:
        ranks = _ranks(main, launcher, script)
        if not _silent(address) or not _silent(ranks):  # a command that states neither has one fault: the address
            put(words, "job/server_ranks_differ", ranks)


def put_local_host(words: Words, main: Launch, found: Fragment) -> None:
    """Adds a local host that a command names as the address of all, whatever variables say beside it."""
    launcher = next((one for one in reversed(main.launchers) if one in LAUNCHERS), "")
    if not launcher or not main.command.sure or not _several(main, LAUNCHERS[launcher], found):
        return
    names = LAUNCHERS[launcher].endpoints if _static(main) else LAUNCHERS[launcher].endpoints[:1]
    host = next((_host(main.runner[name]) for name in names if name in main.runner), None)
    if host is not None and host.text in spreading.OWN and not _is_first(main, launcher):
        put(words, "job/rendezvous", host.as_text())


def put_same_rank(words: Words, main: Launch) -> None:
    """Adds that a command of several pods gives all of them the same rank."""
    stated = main.runner.get(LAUNCHERS["torchrun"].rank)
    if "torchrun" in main.launchers and main.command.sure and stated is not None and stated.value is not None:
        ranks = _ranks(main, "torchrun", Script())
        put(words, "job/server_ranks_differ", ranks if ranks is not None and whole(count(stated.value)) == 0 else None)


def alone(words: Words, main: Launch, script: Script) -> None:
    """Adds that torchrun counts its own pod only, although it names an address at which several meet."""
    address = next((main.runner[name] for name in LAUNCHERS["torchrun"].endpoints if name in main.runner), None)
    host = _host(address) if address is not None else None
    if (
        "torchrun" in main.launchers
        and _counts_itself(main, script)
        and host is not None
        and host.text not in spreading.OWN
    ):
        one = _at(main).but(1, "torchrun: one server unless --nnodes is stated", How.DEFAULT)
        put(words, "job/launcher_servers", one)


def _silent(value: Value | None) -> bool:
    return value is not None and value.how is How.DEFAULT


def _several(main: Launch, options: Options, found: Fragment) -> bool:
    """Whether the launcher surely waits for more than one server."""
    stated = main.runner.get(options.servers)
    number = count(sizes.fixed_servers(stated.value, found)) if stated is not None else None
    return number is not None and number.how is not How.DEFAULT and (whole(number) or 0) > 1


def _counts_itself(main: Launch, script: Script) -> bool:
    """Whether nothing tells torchrun of a second server."""
    return (
        main.command.sure and not main.runner_open and "nnodes" not in main.runner and not _from_outside(script, main)
    )


def _address(main: Launch, launcher: str, script: Script, *, batch: bool) -> Value | None:
    """The address as stated, or the default; empty where another may come from outside; None where it is not known."""
    at = _at(main)
    alone = main.runner.get("standalone")
    if launcher == "torchrun" and alone is not None and is_on(alone.value):
        return alone.value and alone.value.but("localhost", "--standalone")
    names = LAUNCHERS[launcher].endpoints if _static(main) else LAUNCHERS[launcher].endpoints[:1]
    stated = [main.runner[name] for name in names if name in main.runner]
    if stated:
        host = _host(stated[0]) or spreading.own_name(stated[0], main)
        return None if host is not None and host.text in spreading.OWN and _is_first(main, launcher) else host
    if main.runner_open or "rdzv_conf" in main.runner or _from_outside(script, main):
        return None
    if launcher != "torchrun":
        return at if {"config_file", "deepspeed_hostfile"}.isdisjoint(main.runner) else None
    stated_backend = main.runner.get("rdzv_backend")
    backend = "static" if stated_backend is None else stated_backend.value.text.lower() if stated_backend.value else ""
    default = defaults.tool("torchrun").value("addresses", backend, at)
    return default if batch or default is None else at


def _host(stated: Argument) -> Value | None:
    """The host of a stated address; None where it is not known, or another may be given from outside."""
    value = stated.value
    if value is None or value.how is How.DEFAULT:
        return None
    host = HOST.match(value.text)
    return value.but(host[1].strip("[]"), "", value.how) if host is not None and host[1] else None


def _is_first(main: Launch, launcher: str) -> bool:
    """Whether the command is that of the first server alone, at which all others meet."""
    rank = main.runner.get(LAUNCHERS[launcher].rank)
    return _static(main) and rank is not None and rank.value is not None and rank.value.text == "0"


def _static(main: Launch) -> bool:
    """Whether servers meet without a backend that hands out ranks."""
    stated = main.runner.get("rdzv_backend")
    return stated is None or (stated.value is not None and stated.value.text.lower() == "static")


def _from_outside(script: Script, main: Launch) -> bool:
    """Whether variables or files that are not read may give options."""
    if any(name.startswith(OUTSIDE) for name in (*script.exports, *main.variables)):
        return True
    words = [flat(word) for word in main.command.words]
    if any(OUTSIDE in word for word in words):
        return True
    sourced = (one[1] for word in words if re.search(r"\s", word) for one in SOURCED.finditer(word))
    return any(not SETTING_UP.search(_sourced_file(text)) for text in (*_unread(script), *sourced))


def _sourced_file(command: str) -> str:
    """The file that a command sources, without the quotes around it; what follows are its arguments."""
    quoted = re.match(r"""(?:source|\.)\s+(?:"([^"]*)"?|'([^']*)'?|(\S+))""", command)
    return next((one for one in quoted.groups() if one), "") if quoted is not None else command


def _unread(script: Script) -> Iterator[str]:
    return (source.text[start:end].strip() for source, start, end, _ in script.unfollowed)


def _ranks(main: Launch, launcher: str, script: Script) -> Value | None:
    """Whether each server gets a rank of its own; None where that is not known, or does not matter."""
    if not _static(main) or "standalone" in main.runner or (launcher != "torchrun" and not _by_itself(main)):
        return None
    stated = main.runner.get(LAUNCHERS[launcher].rank)
    if stated is None:
        silent = launcher == "torchrun" and not main.runner_open and not _from_outside(script, main)
        return _at(main).but(False, "torchrun: --node-rank is 0 unless stated", How.DEFAULT) if silent else None
    place = stated.at
    at = Value("", place.source, place.start, place.end)
    if stated.value is not None and stated.value.how is not How.DEFAULT and stated.value.text.isdecimal():
        return at.but(False, f"rank {stated.value.text} on every server")
    if stated.value is None and OF_BATCH.fullmatch(stated.why):
        return at.but(
            False, f"{stated.why.split()[0]} is 0 in the batch script, whose shell expands it before srun starts"
        )
    return None


def _by_itself(main: Launch) -> bool:
    """Whether accelerate surely takes the rank of its server from the command: no file says otherwise, no DeepSpeed connects."""
    return "rdzv_backend" in main.runner and {"config_file", "use_deepspeed"}.isdisjoint(main.runner)


def _at(main: Launch) -> Value:
    command = main.command
    return Value("", command.source, command.start, min(command.end, command.start + 200))
