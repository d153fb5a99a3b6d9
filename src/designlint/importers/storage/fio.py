"""
fio, as it prints for people and as JSON.

Jobs of one group run together, so that their rates add up. Groups are told apart by a stone wall, behind which jobs wait for
those before it (HOWTO, `stonewall`, `group_reporting`): their rates do not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fate
from designlint.importers.storage.rates import MeasuredRate, best

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from designlint.importers.base import Fragment, Source, Value, Words
    from designlint.importers.notations.structured import Table

GROUP = re.compile(r"^[ \t]*Run status group (\d+)", re.MULTILINE)
#: A group's rate: bytes in brackets in version 3, units of 1024 in version 2.
RATE = re.compile(
    r"^[ \t]*(READ|WRITE): (?:bw=[^(\n]*\((\d{1,15}(?:\.\d{1,9})?)([kMGT]?)B/s\)"
    r"|io=[^,\n]*, aggrb=(\d{1,15}(?:\.\d{1,9})?)([KMGT]?)B/s)",
    re.MULTILINE,
)
#: What a job does, and its group.
JOB = re.compile(r"^[^\n(]*: \(g=(\d+)\): rw=(\w+)", re.MULTILINE)
#: The same as an option of the command.
ORDER = re.compile(r"^[^\n]*\bfio\b[^\n]*?[ \t]--?(?:rw|readwrite)[= ](\w+)", re.MULTILINE)
#: JSON below what fio prints when it starts.
JSON = re.compile(r"^\{(?=\s*\"fio version\")", re.MULTILINE)
PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
OLD = {"": 1.0, "K": 1024.0, "M": 1024.0**2, "G": 1024.0**3, "T": 1024.0**4}
#: What the order is called where it is not known, so that a rate says nothing of a rate in order.
UNSTATED = "an order that is not stated"
#: All clients of a distributed run together, as fio calls them.
ALL_CLIENTS = "All clients"


def has_printed_rate(text: str) -> bool:
    """Whether a group's rate stands in a text that is no JSON."""
    printed = "fio-" in text or GROUP.search(text) is not None
    return printed and RATE.search(text) is not None and JSON.search(text) is None


def text(source: Source, words: Words, found: Fragment) -> None:
    """The rates of the groups; of one whose order neither a job nor the command states, they are facts."""
    jobs, commands = list(JOB.finditer(source.text)), {one[1] for one in ORDER.finditer(source.text)}
    for one in jobs:
        source.mark(one.start(), one.end(), Fate.UNDERSTOOD)
    orders: dict[str, set[str]] = {}
    for one in jobs:
        orders.setdefault(one[1], set()).add(one[2])
    starts = [(one[1], one.end()) for one in GROUP.finditer(source.text)] or [("0", 0)]
    ends = [start for _, start in starts[1:]] + [len(source.text)]
    measured: list[MeasuredRate] = []
    for (group, start), end in zip(starts, ends, strict=True):
        stated = orders.get(group) or (commands if not jobs else set())
        rates = list(_rates(source, start, end, any(one.startswith("rand") for one in stated)))
        if stated:
            measured += rates
            continue
        for rate in rates:
            found.fact(f"{rate.word} in {UNSTATED}", rate.as_value())
    best(measured, words, found)


def _rates(source: Source, start: int, end: int, random: bool) -> Iterator[MeasuredRate]:
    for one in RATE.finditer(source.text, start, end):
        at = 2 if one[2] is not None else 4
        factor = PREFIXES[one[3]] if at == 2 else OLD[one[5]]
        value = source.value(one[at], one.start(at), one.end(at))
        yield MeasuredRate(one[1].lower(), float(one[at]) * factor, value, "bw of a group of jobs", random)


def table(top: Table, words: Words, found: Fragment) -> None:
    """The rates of the groups of jobs, of all clients where several ran; fio counts bytes."""
    clients = top.tables("client_stats")
    together = [one for one in clients if (name := one.get("jobname")) is not None and name.text == ALL_CLIENTS]
    groups: dict[str, list[Table]] = {}
    for job in together or clients or top.tables("jobs"):
        number = job.get("groupid")
        groups.setdefault(number.text if number is not None and not clients else "", []).append(job)
    orders = [top.get("global options/rw"), *(one.get("job options/rw") for one in clients)]
    measured: list[MeasuredRate] = []
    for jobs in groups.values():
        sums = list(_sum_jobs(jobs, _is_random([*orders, *(one.get("job options/rw") for one in jobs)])))
        if _shows_options(top, [*clients, *jobs]):
            measured += sums
            continue
        for one in sums:  # early versions do not show whether the order was random
            found.fact(f"{one.word} in {UNSTATED}", one.as_value())
    best(measured, words, found)


def _shows_options(top: Table, jobs: Iterable[Table]) -> bool:
    """Whether the version shows the options of jobs, as it does beside `bw_bytes`; one that it leaves out has fio's default."""
    keys = ("job options", "read/bw_bytes", "write/bw_bytes")
    return top.at("global options") is not None or any(one.at(key) is not None for one in jobs for key in keys)


def _is_random(orders: Iterable[Value | None]) -> bool:
    return any(one is not None and one.text.startswith("rand") for one in orders)


def _sum_jobs(jobs: list[Table], random: bool) -> Iterator[MeasuredRate]:
    """The jobs of one group added up: bytes, or KiB before version 3."""
    for word in ("read", "write"):
        for key, size in (("bw_bytes", 1.0), ("bw", 1024.0)):
            values = [value for one in jobs if (value := one.get(f"{word}/{key}")) is not None and value.number]
            if values:
                note = f"{len(values)} jobs added up" if len(values) > 1 else key
                yield MeasuredRate(word, size * sum(float(one.text) for one in values), values[0], note, random)
                break
