"""On which servers of a job a launch command runs, and what each of them then draws for itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import How, Value, Words, put, whole
from designlint.importers.shell.pieces import flat, reason, value
from designlint.importers.shell.splitting import assignments
from designlint.importers.shell.starters import LAUNCHERS, PYTHON, STARTERS
from designlint.importers.workloads import count

if TYPE_CHECKING:
    from designlint.importers.shell.launches import Launch
    from designlint.importers.shell.options import Argument
    from designlint.importers.shell.pieces import Piece, Text
    from designlint.importers.shell.record import Script

#: Commands that start others on further servers.
ELSEWHERE = re.compile(
    r"(?<![\w.-])(?:srun|mpirun|mpiexec\S*|orterun|prun|ssh|pdsh|dsh|clush|pssh|parallel\S*|ibrun|jsrun|aprun|flux|pbsdsh|blaunch"
    r"|ray|dask\S*|xargs|sbatch|salloc)(?![\w-])"
)
#: What only asks: a command whose output becomes a value, and comments.
ASKED = re.compile(r"\$\([^()]*(?:\([^()]*\)[^()]*)*\)|`[^`]*`|(?m:^[ \t]*#.*$)|(?<=\s)#[^\n]*")
#: A value that differs between two shells on different servers.
DRAWN = re.compile(
    r"[\w.:-]*(?:\$\{?S?RANDOM\b|\$\(\s*(?:uuidgen|shuf\b|openssl +rand\b|cat +/proc/sys/kernel/random/uuid)|`uuidgen`"
    r"|\$\$|\$\{?(?:BASHPID|HOSTNAME|SLURM_(?:PROCID|NODEID|TASK_PID)|SLURMD_NODENAME)\b|\$\(\s*hostname\b)"
)
#: A server's names for itself.
OWN = frozenset(("localhost", "127.0.0.1", "0.0.0.0", "::1"))
#: A server's own name, which it asks for when the command runs there.
OWN_NAME = re.compile(
    r"(\$\(\s*(?:hostname|uname +-n)\b[^()|;]*\)|`hostname[^`|;]*`|\$\{?(?:HOSTNAME|SLURMD_NODENAME)\b\}?)(?::\S*)?\Z"
)
#: Why an argument has no value: the second shell, which srun starts on each server, sets it.
THERE = " is set when the job runs"
#: A variable as an address, with a port or without; variables by which a rank learns that all servers train together.
VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))(?::\S*)?\Z")
ADDRESS = "MASTER_ADDR"
TOGETHER = re.compile(r"\b(?:RANK=\$\{?SLURM_PROCID|WORLD_SIZE=\$\{?SLURM_(?:NTASKS|NPROCS))\b")
RANKED = re.compile(r"(?<!\w)RANK=\$\{?SLURM_PROCID\b")
#: What differs between the servers that srun starts a command on: they may be meant to work apart.
OF_SERVER = re.compile(r"\bSLURM_(?:PROCID|NODEID)\b|\bSLURMD_NODENAME\b|\bHOSTNAME\b|\bhostname\b|\bS?RANDOM\b|\$\$")
FIRST = "Slurm runs the batch script on the first server only"
CONDITION = re.compile(r"(?:\A|[\s;])(?:if|case|test|\[\[?)\s")
IDENTIFIER = re.compile(r"--rdzv[-_]id(?:=|\s+)[\"']?")


def single(words: Words, main: Launch, at: Value, script: Script) -> None:
    """Adds that torchrun counts its own server only, which nothing states, and whether other servers start it too."""
    varied = any(OF_SERVER.search(flat(word)) for word in main.command.words)
    everywhere = "srun" in main.launchers and not by_one_task(main) and not varied and not _conditional(main)
    alone = not everywhere and _alone(main, script)
    if everywhere or alone:
        put(words, "job/launcher_servers", at.but(1, "torchrun: one server unless --nnodes is stated", How.DEFAULT))
        put(words, "job/launched_on_all", at.but(False, FIRST) if alone else None)


def plain(words: Words, main: Launch, at: Value, script: Script) -> None:
    """Adds that a script sets an address at which servers meet, and starts its program without a launcher on the first alone."""
    if ADDRESS in script.exports and not main.launchers and _starts_python(main) and not _elsewhere(main, script):
        put(words, "job/launcher_servers", at.but(1, "one process, without a launcher", How.DERIVED))
        put(words, "job/launched_on_all", at.but(False, FIRST))


def _starts_python(main: Launch) -> bool:
    first = main.command.words[0]
    return not reason(first) and PYTHON.match(flat(first)) is not None


def fill(words: Words, main: Launch, script: Script, at: Value, *, batch: bool) -> None:
    """Adds what is wrong with a launch that waits for several servers: it runs on one, or each draws its own id."""
    if batch and _alone(main, script):
        put(words, "job/launched_on_all", at.but(False, FIRST))
    identifier = main.runner.get("rdzv_id")
    if identifier is not None and "standalone" not in main.runner and "rdzv_backend" in main.runner:
        put(words, "job/shares_rendezvous_id", _is_shared(identifier, main, batch=batch))


def own_name(argument: Argument, main: Launch) -> Value | None:
    """The local host, where each server asks for its own name and takes it for the address; None where it does not."""
    if not argument.why.endswith(THERE) or _conditional(main):
        return None
    text = argument.why.removesuffix(THERE)
    variable = VARIABLE.match(text)
    stated = _set_there(main).get(variable[1] or variable[2]) if variable is not None else None
    return _own(text if stated is None else _value(stated), argument.at)


def exported_name(main: Launch, script: Script) -> Value | None:
    """The local host, where it or each server's own name is set as the address at which ranks without a launcher meet."""
    address = value(script.exports.get(ADDRESS, ()))
    together = any(TOGETHER.search(flat(word)) for word in main.command.words) or "WORLD_SIZE" in script.exports
    if address is not None and address.text in OWN and together:
        return address
    for word in main.command.words:
        stated = assignments(word, lasting=False).get(ADDRESS, [])
        if len(stated) == 1 and TOGETHER.search(flat(word)) and not _conditional(main):
            return _own(_value(stated[0]), stated[0][0])
    return None


def by_one_task(main: Launch) -> bool:
    """Whether srun starts one task, or a number that is not known."""
    stated = main.scheduler.get("ntasks") or main.scheduler.get("n")
    return stated is not None and (whole(count(stated.value)) or 0) < 2


def ranks_by_task(main: Launch) -> bool:
    """Whether the command gives each task of srun a rank of its own among all."""
    return any(RANKED.search(flat(word)) for word in main.command.words)


def _own(text: str, at: Piece) -> Value | None:
    found = OWN_NAME.match(text)
    place = Value("", at.source, at.start, at.end)
    return None if found is None else place.but("localhost", f"{found[1]} on each server is its own name")


def _set_there(main: Launch) -> dict[str, Text]:
    """The variables that a text for a second shell sets once, for the commands after."""
    return {
        name: words[0] for word in main.command.words for name, words in assignments(word).items() if len(words) == 1
    }


def _value(word: Text) -> str:
    """What `NAME=VALUE` sets, as it is spelled; empty where a part of it is not known."""
    return "" if reason(word) else flat(word).partition("=")[2]


def _alone(main: Launch, script: Script) -> bool:
    """Whether a command of the batch script starts its launcher in the shell of the first server, and nothing starts another."""
    first = main.command.words[0]
    name = "" if reason(first) else flat(first)
    direct = LAUNCHERS.match(name) or PYTHON.match(name) or STARTERS.match(name)
    if direct is None or len(set(main.launchers)) != 1:
        return False
    if not {"deepspeed_hostfile", "config_file", "use_deepspeed"}.isdisjoint(main.runner):
        return False
    return not _elsewhere(main, script)


def _elsewhere(main: Launch, script: Script) -> bool:
    """Whether a command of the batch script, or one that is not followed, may start something on further servers."""
    if main.command.source is not script.sources[0] or script.unfollowed:
        return True
    return any(ELSEWHERE.search(ASKED.sub(" ", one.text)) for one in script.sources)


def _is_shared(identifier: Argument, main: Launch, *, batch: bool) -> Value | None:
    """Whether all servers use the same rendezvous id; None where that is not known."""
    at = _place(identifier)
    if identifier.value is not None:
        return identifier.value.but(True) if identifier.value.how is not How.DEFAULT else None
    if identifier.why.endswith(THERE):
        drawn = DRAWN.match(identifier.why)
        return at.but(False, "drawn on each server") if drawn is not None and not _conditional(main) else None
    if batch or "srun" in main.launchers:
        return None
    text = at.source.text[at.start : at.start + 200]
    flag = IDENTIFIER.match(text)
    drawn = DRAWN.match(text, flag.end()) if flag is not None else None
    return at.but(False, "drawn on each server") if drawn is not None and len(set(main.launchers)) == 1 else None


def _conditional(main: Launch) -> bool:
    """Whether the text for the second shell decides by itself what each server runs."""
    return any(CONDITION.search(flat(word)) for word in main.command.words)


def _place(argument: Argument) -> Value:
    return Value("", argument.at.source, argument.at.start, argument.at.end)
