"""IOR, as it prints for people and with `-O summaryFormat=JSON`: its rates are mebibytes in a second."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from designlint.importers.base import Source, Value, put, whole
from designlint.importers.storage.rates import MEBI, MeasuredRate, best
from designlint.importers.workloads import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.base import Fragment, Words
    from designlint.importers.notations.structured import Table
    from designlint.reading import Node

#: The first line of a run; a log may hold several.
RUN = re.compile(r"^[ \t]*IOR-\d[^\n]*MPI Coordinated Test", re.MULTILINE)
MAX = re.compile(r"^[ \t]*Max (Write|Read):[ \t]+(\d{1,15}(?:\.\d{1,9})?) MiB/sec", re.MULTILINE)
#: The table of maxima at the end, and that of the single repetitions: in both the first number is the rate.
SUMMARY = re.compile(r"^[ \t]*Operation[ \t]+Max\(MiB\)[^\n]*$", re.MULTILINE)
RESULTS = re.compile(r"^[ \t]*access[ \t]+bw\(MiB/s\)[^\n]*$", re.MULTILINE)
ROW = re.compile(r"^[ \t]*(write|read)[ \t]+(\d{1,15}(?:\.\d{1,9})?)(?=[ \t])[^\n]*", re.MULTILINE)
NODES = re.compile(r"^[ \t]*nodes[ \t]*[:=][ \t]*(\d{1,7})[ \t]*$", re.MULTILINE)
TASKS = re.compile(
    r"^[ \t]*tasks[ \t]*:[ \t]*(\d{1,9})[ \t]*\n[ \t]*clients per node[ \t]*:[ \t]*(\d{1,7})", re.MULTILINE
)
#: The same in versions before 3.2.
CLIENTS = re.compile(r"^[ \t]*clients[ \t]*=[ \t]*(\d{1,9}) \((\d{1,7}) per node\)", re.MULTILINE)
RANDOM = re.compile(r"^[ \t]*ordering in a file[ \t]*[:=][ \t]*random", re.MULTILINE)


def has_printed_rate(text: str) -> bool:
    """Whether one of the tables, or the lines below them, stand in a text."""
    return any(one.search(text) is not None for one in (MAX, SUMMARY, RESULTS))


def text(source: Source, words: Words, found: Fragment) -> None:
    """The rates of all runs, and their servers where all have as many."""
    starts = [one.start() for one in RUN.finditer(source.text)]
    bounds = [0, *starts[1:], len(source.text)]
    measured: list[MeasuredRate] = []
    sizes: list[Value] = []
    for start, end in pairwise(bounds):
        tests = list(_run(source, start, end))
        measured += tests
        if tests and (size := _servers(source, start, end)) is not None:
            sizes.append(size)
    best(measured, words, found)
    if words and len({one.text for one in sizes}) == 1:
        words["servers"] = sizes[0]


def _run(source: Source, start: int, end: int) -> Iterator[MeasuredRate]:
    """What one run measured: its maxima, else the rows of its tables."""
    random = RANDOM.search(source.text, start, end) is not None
    lines = list(MAX.finditer(source.text, start, end))
    if not lines:
        table = SUMMARY.search(source.text, start, end) or RESULTS.search(source.text, start, end)
        lines = [] if table is None else list(ROW.finditer(source.text, table.end(), end))
    for one in lines:
        value = source.value(one[2], one.start(2), one.end(2))
        yield MeasuredRate(one[1].lower(), float(one[2]) * MEBI, value, f"{one[2]} MiB/s", random)


def _servers(source: Source, start: int, end: int) -> Value | None:
    """The servers of a run, as stated or as its tasks by those on each."""
    nodes = NODES.search(source.text, start, end)
    if nodes is not None:
        return source.value(nodes[1], nodes.start(1), nodes.end(1))
    stated = TASKS.search(source.text, start, end) or CLIENTS.search(source.text, start, end)
    if stated is not None:
        return _divide_tasks(source.value("", stated.start(1), stated.end(2)), stated[1], stated[2])
    header = SUMMARY.search(source.text, start, end)
    row = ROW.search(source.text, header.end(), end) if header is not None else None
    if header is None or row is None:
        return None
    cells = dict(zip(header[0].split(), row[0].split(), strict=False))
    return _divide_tasks(source.value("", row.start(), row.end()), cells.get("#Tasks", ""), cells.get("tPN", ""))


def _divide_tasks(at: Value, tasks: str, each: str) -> Value | None:
    if not tasks.isdigit() or not each.isdigit() or not int(each) or int(tasks) % int(each):
        return None
    return at.but(int(tasks) // int(each), f"{tasks} tasks, {each} on each")


def is_described(root: Node) -> bool:
    """Whether a JSON file is IOR's."""
    return "tests" in root.entries and "Command line" in root.entries


def table(top: Table, words: Words, found: Fragment) -> None:
    """The maxima of the summary, else the single repetitions."""
    tests = top.tables("tests")
    orders = [one.get("Options/ordering in a file") for one in tests]
    random = any(one is not None and one.text == "random" for one in orders)
    summed = [(one.get("operation"), one.get("bwMaxMIB")) for one in top.tables("summary")]
    pairs = summed or [pair for one in tests for pair in _repetitions(one)]
    measured = [
        MeasuredRate(kind.text, float(rate.text) * MEBI, rate, f"{rate.text} MiB/s", random)
        for kind, rate in pairs
        if kind is not None and rate is not None and rate.number is not None
    ]
    best(measured, words, found)
    sizes = [size for one in tests if (size := count(one.get("Parameters/nodes", "Options/nodes"))) is not None]
    if words and len({whole(one) for one in sizes}) == 1:
        put(words, "servers", sizes[0])


def _repetitions(test: Table) -> Iterator[tuple[Value | None, Value | None]]:
    """Kind and rate of each repetition: IOR nests its results once more."""
    node = test.at("Results")
    waiting = [] if node is None else [node]
    while waiting:
        one = waiting.pop(0)
        waiting += one.items
        if one.kind == "map":
            inner = type(test)(test.source, one)
            yield inner.get("access"), inner.get("bwMiB")
