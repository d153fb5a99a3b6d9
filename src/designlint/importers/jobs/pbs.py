"""The `#PBS` lines of a batch script: PBS's chunks, Torque's nodes, time and memory; headers of other schedulers are not read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fate, Fragment, Value, Words, put, whole
from designlint.importers.slurm import times
from designlint.importers.workloads import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Source

MARK = "#PBS"
#: An option of one letter and what it is given.
OPTION = re.compile(r"-([A-Za-z])[ \t]*(\"[^\"]*\"|'[^']*'|[^\s#]\S*)?")
#: Variables that PBS sets in every job.
IDENTITY = frozenset(("PBS_JOBID", "PBS_NODEFILE", "PBS_O_WORKDIR"))
#: Seconds, or hours, minutes and seconds; no more than two parts are minutes and seconds.
CLOCK = re.compile(r"(?:(?:(\d{1,6}):)?(\d{1,6}):)?(\d{1,9})(?:\.\d+)?\Z")
MEMORY = re.compile(r"(\d{1,9})([kmgt])?b?\Z", re.IGNORECASE)
UNITS = {"k": "KiB", "m": "MiB", "g": "GiB", "t": "TiB"}
#: Headers of other schedulers, by how their lines begin.
OTHERS = {
    "#BSUB": "LSF",
    "#$ -": "Grid Engine",
    "#PJM": "Fujitsu's job manager",
    "#COBALT": "Cobalt",
    "#OAR": "OAR",
    "#MSUB": "Moab",
}


def last(given: Sequence[tuple[str, Value]], option: str) -> Value | None:
    """What an option is given where it stands last."""
    return next((value for name, value in reversed(given) if name == option), None)


def fill(words: Words, given: Sequence[tuple[str, Value]], source: Source, found: Fragment, path: str) -> None:
    """Adds what the header asks for to the words of its workload."""
    _report_others(source, found, path)
    resources = {key: value for option, value in given if option == "l" for key, value in _resources(value)}
    queue = last(given, "q")
    put(words, "job/queue", queue and queue.as_text())
    limit = resources.get("walltime")
    seconds = _seconds(limit.text) if limit is not None else None
    put(
        words,
        "job/walltime",
        limit.but(times.duration(seconds), "", limit.how) if limit is not None and seconds else None,
    )
    if "select" in resources:
        _chunks(words, resources["select"], resources.get("place"), found, path)
    elif "nodes" in resources:
        _nodes(words, resources["nodes"])


def read_options(source: Source) -> list[tuple[str, Value]]:
    """The options of the lines before the first command, as Slurm's header is read."""
    found: list[tuple[str, Value]] = []
    for start, end, text in source.lines():
        if text.strip() and not text.lstrip().startswith("#"):
            break
        for one in OPTION.finditer(text, len(MARK)) if text.startswith(f"{MARK} ") else ():
            bare = (one[2] or "").strip("\"'")
            at = start + max(one.start(2), 0) + (one[2] or "")[:1].count('"')
            found.append((one[1], Value(bare, source, at, at + len(bare), literal=True)))
            source.mark(start, end, Fate.IMMATERIAL)
    return found


def _resources(value: Value) -> list[tuple[str, Value]]:
    """`select=2:ngpus=8,walltime=1:00:00`: each resource under its name."""
    parts, at = [], value.start
    for text in value.text.split(","):
        key, _, given = text.partition("=")
        begin = at + len(key) + 1
        parts.append((key.strip(), Value(given, value.source, begin, begin + len(given), literal=True)))
        at += len(text) + 1
    return parts


def _chunks(words: Words, stated: Value, place: Value | None, found: Fragment, path: str) -> None:
    """Chunks are servers where each is placed on one of its own; their GPUs are all of the job's either way."""
    kinds = stated.text.split("+")
    number, inside = _inside(stated.but(kinds[0], "", stated.how))
    if len(kinds) > 1 or number is None:
        found.unknown(
            f"{path}/job/servers", "the chunks of its header differ", "designlint import --set nodes=N", stated
        )
        return
    gpus, many = inside.get("ngpus"), whole(number) or 0
    if gpus is not None:
        put(words, "runs_on/gpus", gpus.but(many * (whole(gpus) or 0), f"{many} chunks of {gpus.text} GPUs"))
    apart = place is not None and re.search(r"\bscatter\b", place.text) is not None
    if not apart and many > 1:
        why = "the chunks of its header may share a server: `place=scatter` is not stated"
        found.unknown(f"{path}/job/servers", why, "designlint import --set nodes=N", number)
        return
    put(words, "job/servers", number)
    put(words, "job/gpus_per_server", gpus)
    put(words, "job/tasks_per_server", inside.get("mpiprocs"))
    put(words, "job/host_memory", _memory(inside.get("mem")))


def _nodes(words: Words, stated: Value) -> None:
    """Torque's servers, with processors and GPUs of each."""
    number, inside = _inside(stated)
    put(words, "job/servers", number)
    put(words, "job/gpus_per_server", inside.get("gpus") if number is not None else None)


def _inside(stated: Value) -> tuple[Value | None, dict[str, Value]]:
    """`4:ngpus=8:mem=1tb`: the number, which is 1 where it is left out, and what each has."""
    first, *rest = stated.text.split(":")
    pairs = [one.partition("=") for one in ([first] if "=" in first else []) + rest]
    each = {key: stated.but(text, "", stated.how) for key, _, text in pairs}
    number = (
        stated.but("1", "a chunk without a number is one") if "=" in first else count(stated.but(first, "", stated.how))
    )
    return number, {key: value for key, value in each.items() if key == "mem" or count(value) is not None}


def _memory(stated: Value | None) -> Value | None:
    parts = MEMORY.match(stated.text) if stated is not None else None
    return (
        stated.but(f"{parts[1]} {UNITS[parts[2].lower()]}", "", stated.how) if stated and parts and parts[2] else None
    )


def _seconds(text: str) -> int | None:
    parts = CLOCK.match(text)
    hours, minutes, seconds = (int(one or 0) for one in parts.groups()) if parts is not None else (0, 0, 0)
    return (hours * 60 + minutes) * 60 + seconds if parts is not None else None


def _report_others(source: Source, found: Fragment, path: str) -> None:
    """What the header of another scheduler asks for is told to be unknown."""
    for start, end, text in source.lines():
        if text.strip() and not text.lstrip().startswith("#"):
            return
        tool = next((name for mark, name in OTHERS.items() if text.startswith(mark)), None)
        if tool is not None:
            source.mark(start, end, Fate.UNCLEAR)
            why = f"its header is {tool}'s, which is not read"
            found.unknown(f"{path}/job/servers", why, "designlint import --set nodes=N", Value("", source, start, end))
            return
