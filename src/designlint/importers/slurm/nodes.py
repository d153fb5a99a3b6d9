"""Pools of equal servers, from NodeName lines and what gres.conf says of their GPUs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.importers.base import Fragment, How, Value, Words, put, whole
from designlint.language.hostlists import HostListError, expand, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.importers.slurm.lines import SlurmLine

#: A slice of a GPU as MIG calls it, by its share and memory.
SLICE = re.compile(r"(?:\A|[_.-])\d+g\.\d+gb", re.IGNORECASE)
GPU = re.compile(
    r"(?:^|,)gpu(?::(?!no_consume\b)([\w.+-]+(?=:(?:\d|no_consume\b))|(?!\d+[KMG](?![\w.-]))[\w.-]*[A-Za-z][\w.+-]*))?(?::no_consume)?(?::(\d{1,6})(?![\d.]*[KMG]))?(?:\([^)]*\))?(?=,|$)",
    re.IGNORECASE,
)
#: Parameters of gres.conf, whose lines may begin with NodeName, too.
OF_GRES = frozenset(("name", "file", "autodetect"))
#: States of servers that Slurm knows by name only.
ABSENT = frozenset(("future",))
FIGURES = (
    "gres",
    "realmemory",
    "cpus",
    "procs",
    "sockets",
    "corespersocket",
    "threadspercore",
    "socketsperboard",
    "boards",
)


class SlurmPool(Struct):
    """Servers of one kind: the line of the first of them, all their names, the features of each line."""

    line: SlurmLine
    names: list[str] = field(default_factory=list)
    lines: int = 0
    dynamic: int = 0
    features: list[Value] = field(default_factory=list)


def expand_hostlist(value: Value, fragment: Fragment, word: str) -> list[str]:
    """The names that a list stands for; none, and a word that stays unknown, where it is no such list."""
    try:
        return expand(value.text)
    except HostListError as error:
        fragment.unknown(
            word, f"`{value.text[:60]}` is not a list of hosts: {error}", "scontrol show hostnames LIST", value
        )
        return []


def list_defined(lines: Sequence[SlurmLine], fragment: Fragment) -> list[str]:
    """The servers that NodeName lines define, those that do not exist yet left out."""
    found = [
        line.pairs["nodename"]
        for line in lines
        if line.kind == "nodename" and OF_GRES.isdisjoint(line.pairs) and line.text("state").lower() not in ABSENT
    ]
    return [
        one for names in found if names.text.lower() != "default" for one in expand_hostlist(names, fragment, "nodes")
    ]


def pools(lines: Sequence[SlurmLine], fragment: Fragment) -> list[SlurmPool]:
    """The pools of all NodeName lines, `NodeName=DEFAULT` applied to those after it."""
    found: dict[tuple[str, ...], SlurmPool] = {}
    defaults: dict[str, Value] = {}
    defined: set[str] = set()
    for line in lines:
        if line.kind != "nodename" or not OF_GRES.isdisjoint(line.pairs):
            continue
        if line.text("nodename").lower() == "default":
            defaults |= line.pairs
            continue
        line.pairs = defaults | line.pairs
        if line.text("state").lower() in ABSENT:
            continue
        figures = tuple(line.text(one).lower() for one in FIGURES)
        pool = found.setdefault(figures, SlurmPool(line))
        names = [one for one in expand_hostlist(line.pairs["nodename"], fragment, "nodes") if one not in defined]
        defined.update(names)
        if not names and pool.lines:  # the same line again
            continue
        pool.names += names
        pool.lines += 1
        pool.features += [stated] if (stated := line.get("feature", "features")) is not None else []
        pool.dynamic += len(names) if "dynamic" in line.text("feature", "features").split(",") else 0
    return list(found.values())


def words(pool: SlurmPool, name: str, fragment: Fragment) -> Words:
    """The words of a pool."""
    line = pool.line
    at = line.pairs["nodename"]
    lines = f"counted from {pool.lines} lines of NodeName" if pool.lines > 1 else "counted from the list of hosts"
    found: Words = {
        "name": at.but(name, "what the host names have in common", How.DERIVED).as_text(),
    }
    if pool.names:
        found["count"] = at.but(len(pool.names), lines, How.DERIVED)
        found["servers"] = at.but(fold(pool.names), "the list of hosts", How.DERIVED).as_text()
    _processors(line, found, fragment)
    _memory(line.get("realmemory"), found, fragment)
    gres = line.get("gres")
    if gres is not None:
        _gpus(gres, name, found, fragment)
    if pool.dynamic:
        fragment.fact(f"{name}: servers that are started on demand", at.but(pool.dynamic, lines, How.DERIVED))
        fragment.fact(f"{name}: servers that always run", at.but(len(pool.names) - pool.dynamic, lines, How.DERIVED))
    fragment.fact(f"{name}: features", next(iter(pool.features), None))
    labels = {label: one for one in pool.features for label in one.text.split(",") if label.strip()}
    put(found, "labels", [one.but(label.strip(), "", How.STATED).as_text() for label, one in labels.items()] or None)
    return found


def _memory(stated: Value | None, found: Words, fragment: Fragment) -> None:
    """MiB without a unit; of units Slurm accepts K alone, which is 1024 of them."""
    match = re.fullmatch(r"(\d{1,15})(K?)", stated.text, re.IGNORECASE) if stated is not None else None
    if stated is not None and match is None:
        fragment.clash("import/not-a-value", stated, text=stated.text[:40], wanted="a number of MiB without a unit")
    elif stated is not None and match is not None:
        much = int(match[1]) * (1024 if match[2] else 1)
        put(found, "scheduled_memory", stated.but(f"{much} MiB", "", How.STATED))


def _gpus(gres: Value, name: str, found: Words, fragment: Fragment) -> None:
    """GPUs and their type, where all have one; slices of GPUs (MIG) are not GPUs."""
    stated = GPU.findall(gres.text)
    kinds = {kind.lower() for kind, _ in stated}
    slices = sum(int(count or 1) for kind, count in stated if SLICE.search(kind))
    if slices:
        fragment.fact(f"{name}: slices of GPUs in a server", gres.but(slices, "", How.STATED))
        fragment.unknown(f"nodes/{name}/gpus", "Slurm hands out slices of its GPUs", "nvidia-smi -L", gres)
        return
    for _, count in stated:
        put(found, "gpus", _add_gres(found.get("gpus"), gres, int(count or 1)))
    kind = stated[0][0] if stated else ""
    if kind and len(kinds) == 1:
        put(found, "gpu", gres.but(kind, "", How.STATED).of("Gpu"))


def _add_gres(before: object, gres: Value, count: int) -> Value:
    known = whole(before) if isinstance(before, Value) else None
    note = "GPUs of several types added" if known else ""
    return gres.but((known or 0) + count, note, How.DERIVED if known else How.STATED)


def _number(line: SlurmLine, fragment: Fragment, *keys: str) -> Value | None:
    """A number of parts; anything else is a finding."""
    stated = line.get(*keys)
    if stated is None or stated.text.isdecimal():
        return stated
    fragment.clash("import/not-a-value", stated, text=stated.text[:40], wanted="a number such as 2")
    return None


def _processors(line: SlurmLine, found: Words, fragment: Fragment) -> None:
    """Sockets, cores and threads, as far as the line gives them."""
    sockets, cores, threads, boards, each = (
        _number(line, fragment, key)
        for key in ("sockets", "corespersocket", "threadspercore", "boards", "socketsperboard")
    )
    if sockets is None and whole(each) and (boards is None or whole(boards)):
        assert each is not None
        sockets = each.but((whole(each) or 1) * (whole(boards) or 1), "boards x sockets of each")
    handed = _number(line, fragment, "cpus", "procs")
    if sockets is None and boards is None and each is None:
        sockets = _sockets(handed, whole(cores), whole(threads))
    put(found, "sockets", sockets if whole(sockets) else None)
    if whole(sockets) and whole(cores):
        assert cores is not None
        put(found, "cpu_cores", cores.but((whole(sockets) or 0) * (whole(cores) or 0), "sockets x cores of each"))
        if whole(threads):
            total = (whole(sockets) or 0) * (whole(cores) or 0) * (whole(threads) or 0)
            put(found, "cpu_threads", cores.but(total, "sockets x cores x threads of each"))
    put(
        found, "cpu_threads", handed if whole(handed) else None
    )  # what Slurm hands out where it is stated, be it cores alone


def _sockets(handed: Value | None, cores: int | None, threads: int | None) -> Value | None:
    """The sockets that Slurm concludes from CPUs, CoresPerSocket and ThreadsPerCore where none are stated."""
    if handed is None or not whole(handed) or not cores or not threads:
        return None
    number, rest = divmod(whole(handed) or 0, cores * threads)
    return handed.but(number, "CPUs / (cores x threads of a socket)") if number and not rest else None


def _beginning(names: list[str]) -> str:
    """What all names begin with."""
    first, last = min(names, default=""), max(names, default="")
    at = next((at for at, letter in enumerate(first) if last[at : at + 1] != letter), len(first))
    return first[:at]


def titles(found: Sequence[SlurmPool]) -> list[str]:
    """A name for each pool: what its host names begin with, made different where two begin alike."""
    names: list[str] = []
    for number, pool in enumerate(found, 1):
        hosts = [one.partition(".")[0] for one in pool.names]  # without their domain
        common = _beginning([re.sub(r"\d+\D*$", "", one) for one in hosts]).rstrip("-_")
        name = common or f"pool-{number}"
        names.append(name if name not in names else f"{name}-{number}")
    return names


class Devices(Struct):
    """What gres.conf says of the GPUs of some servers."""

    line: SlurmLine
    names: list[str]
    stated: int = 0
    files: set[str] = field(default_factory=set)
    kinds: list[Value | None] = field(default_factory=list)

    @property
    def kind(self) -> Value | None:
        """The type of all of them, where every line has the same."""
        texts = {one.text if one is not None else "" for one in self.kinds}
        return self.kinds[0] if len(texts) == 1 else None

    @property
    def count(self) -> int:
        """GPUs that are counted or listed: several slices may share one device."""
        return self.stated + len(self.files)


def devices(lines: Sequence[SlurmLine], fragment: Fragment) -> list[Devices]:
    """GPUs by the servers that gres.conf names; one without names where it names none."""
    found: dict[str, Devices] = {}
    for line in lines:
        if line.text("name").lower() != "gpu":
            continue
        who = line.get("nodename")
        entry = found.get(who.text if who is not None else "")
        if entry is None:
            names = expand_hostlist(who, fragment, "nodes") if who is not None else []
            entry = found.setdefault(who.text if who is not None else "", Devices(line, names))
        entry.kinds.append(line.get("type"))
        stated, file, several = whole(line.get("count")), line.get("file"), line.get("multiplefiles")
        if file is not None and stated is None:
            entry.files.update(expand_hostlist(file, fragment, "nodes"))
        elif several is not None:  # the GPU first, then what belongs to a slice of it
            entry.files.add(several.text.partition(",")[0])
        elif stated is not None and not SLICE.search(line.text("type")):
            entry.stated += stated
    return list(found.values())


def without_devices(
    found: Sequence[SlurmPool], listed: Sequence[Devices], lines: Sequence[SlurmLine]
) -> Iterator[tuple[Value, list[str]]]:
    """The Gres of servers with GPUs that a gres.conf for named servers leaves out, and their names."""
    detected = any(line.text("autodetect").lower() not in ("", "off") for line in lines)
    if detected or not listed or not all(entry.names for entry in listed):
        return
    named = {name for entry in listed for name in entry.names}
    if not named <= {name for pool in found for name in pool.names}:
        return  # that gres.conf names servers otherwise is the finding
    for pool in found:
        gres, left = pool.line.get("gres"), [name for name in pool.names if name not in named]
        if gres is not None and left and GPU.search(gres.text):
            yield gres, left
