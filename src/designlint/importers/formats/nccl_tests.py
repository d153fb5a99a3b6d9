"""Output of nccl-tests: the bus bandwidth of the largest message, never the average over all sizes."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, NamedTuple

from designlint.importers.base import Fate, Fragment, How, Source, Value, Words
from designlint.importers.workloads import name_workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "nccl-tests output"
TEXT = True
#: What launchers write before every line, and the time that collectors of logs write before it.
TAG = re.compile(
    r"^\s*(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\s+)?"
    r"(?:\[\d+,\d+\]<std(?:out|err)>:|\d+: )?"
)
#: Size, count, type and, in most versions, the operation; then the figures.
ROW = re.compile(
    r"\s*(\d{1,18})\s+\d{1,18}(?:\.\d{1,9})?(?:e\+?\d{1,3})?"
    r"\s+(?:float|half|bfloat16|double|u?int(?:8|32|64)|fp8\w*|f8\w*)\s+(?:[a-z]\w*\s+)?(.*\d.*)"
)
#: The line of settings, with or without its sign of a comment.
SETTINGS = re.compile(r"^#?\s*nThread \d+ nGpus \d+ minBytes\b", re.MULTILINE)
#: The line that names the columns.
HEADER = re.compile(r"#?\s*size\s(.*)\btime\s+algbw\s+busbw")
#: A row where somebody has cut the columns between size and time, as their header shows.
CUT_ROW = re.compile(r"\s*(\d{1,18})((?:\s+\d{1,12}(?:\.\d{1,9})?){3}\b.*)")
#: Algorithm and protocol, which RCCL can name behind the figures.
NAMED = re.compile(r"(?!N/A\b|nan\b|inf\b)[A-Za-z]{2}")
FAILED = re.compile(r"#?\s*Out of bounds values\s*:\s*([1-9]\d*)\s+FAILED")
MODEL = re.compile(r"\bdevice\s+\d{1,3}\s+\[[0-9a-fx:.]+\]\s+(\S.{0,60}?)\s*\Z", re.IGNORECASE)
RANK = re.compile(r"#?\s*Rank\s+(\d{1,7})\s.*\bon\s+(\S+)\s+device", re.IGNORECASE)
COLLECTIVE = re.compile(
    r"\b(all_reduce|all_gather|reduce_scatter|alltoall|broadcast|sendrecv|reduce|gather|scatter|hypercube)_perf\b"
)
#: New versions say at the end of a run, too, which test it was.
CONCLUDED = re.compile(r"\bconcluded\b", re.IGNORECASE)
AVERAGE = re.compile(r"#?\s*Avg bus bandwidth\s*:\s*([\d.]+)")


class SizeRow(NamedTuple):
    """A message size with its algorithm and bus bandwidth, out of place."""

    size: int
    algorithm: float
    bus: float
    start: int
    end: int


class NumberedLine(NamedTuple):
    """A line with its number and place."""

    number: int
    start: int
    end: int
    text: str

    @property
    def bare(self) -> str:
        """The line without what launchers write before it."""
        lead = TAG.match(self.text)
        return (self.text[lead.end() :] if lead else self.text)[:2000]


def sure(source: Source) -> int:
    """8 where the columns of nccl-tests stand, or its list of devices in a log that ends before them."""
    head = source.text[:200_000]
    if "busbw" in head and ("algbw" in head or "redop" in head):
        return 8
    return 8 if SETTINGS.search(head) and RANK.search(head) else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A result beside the targets, for each file."""
    found = Fragment()
    results: list[Words] = []
    for source in models:
        for lines in _runs(source):
            words = _result(source, lines, found)
            if words:
                name, test = name_workload(source), words.get("test")
                if isinstance(test, Value) and any(one["name"] == name for one in results):
                    name = name.but(f"{name.text} {test.text}")
                results.append({"name": name, **words})
    if results:
        found.words["acceptance"] = {"results": results}
    return found


def _runs(source: Source) -> list[list[NumberedLine]]:
    """The lines of each run, where a file names several tests: one begins with the first line about it after a table."""
    lines = [NumberedLine(number, *one) for number, one in enumerate(source.lines(), 1)]
    if len(set(COLLECTIVE.findall(source.text))) < 2:
        return [lines]
    runs: list[list[NumberedLine]] = [[]]
    rows = False
    for line in lines:
        bare = line.bare
        begins = HEADER.match(bare) or RANK.search(bare) or (COLLECTIVE.search(bare) and not CONCLUDED.search(bare))
        if rows and begins:
            runs.append([])
            rows = False
        rows = rows or ROW.match(bare) is not None
        runs[-1].append(line)
    return runs


def _result(source: Source, lines: list[NumberedLine], found: Fragment) -> Words:
    rows: list[SizeRow] = []
    ranks: dict[int, Value] = {}
    test: Value | None = None
    rooted = cut = False
    failed: Value | None = None
    for line in lines:
        number, start, end, bare = line.number, line.start, line.end, line.bare
        if header := HEADER.match(bare):
            rooted, cut = " root " in bare, not header[1].strip()
        row = _row((CUT_ROW if cut else ROW).match(bare), start, end, rooted)
        if row is not None:
            rows.append(row)
            source.marks[number] = Fate.UNDERSTOOD
        elif host := RANK.search(bare):
            ranks[int(host[1])] = source.value(host[2], start, end)
        elif wrong := FAILED.search(bare):
            failed = source.value(wrong[1], start, end)
        elif average := AVERAGE.match(bare):
            found.fact("average over all message sizes, which is not a result", source.value(average[1], start, end))
        elif bare.lstrip().startswith("#") or "NCCL INFO" in bare or SETTINGS.match(bare) or not re.search(r"\d", bare):
            source.marks.setdefault(number, Fate.IMMATERIAL)
        if test is None and (named_test := COLLECTIVE.search(bare)):
            test = source.value(named_test[1], start, end)
    found.fact("GPU", _model(source, lines))
    if not rows:
        return {}
    words: Words = {}
    if test is not None:
        words["test"] = test.as_text()
    words |= _sizes(ranks)
    if failed is not None:
        why = f"{failed.text} values came out wrong: the rate of a failed test is not a result"
        found.unknown("acceptance/results/bus_bandwidth", why, "run the test again on servers that pass it", failed)
        return {}
    return _by_ratio(source, rows) | words | _largest(source, rows)


def _model(source: Source, lines: list[NumberedLine]) -> Value | None:
    """The GPU of all ranks that are listed with one."""
    listed = ((one, MODEL.search(one.bare)) for one in lines if RANK.search(one.bare))
    models = {match[1]: source.value(match[1], one.start, one.end) for one, match in listed if match is not None}
    return next(iter(models.values())).as_text() if len(models) == 1 else None


def _sizes(ranks: dict[int, Value]) -> Words:
    """GPUs by the highest rank, since lists are shown cut; servers where every rank that was cut lies between two of one host."""
    if not ranks:
        return {}
    listed = sorted(ranks.items())
    first, highest = listed[0][1], listed[-1][0]
    why = "ranks counted" if len(ranks) == highest + 1 else f"ranks 0 to {highest}, not all listed"
    words: Words = {"gpus": first.but(highest + 1, why, How.DERIVED)}
    gaps = ((one, other) for (at, one), (to, other) in pairwise(listed) if to != at + 1)
    if listed[0][0] == 0 and all(one.text == other.text for one, other in gaps):
        hosts = {one.text for one in ranks.values()}
        words["servers"] = first.but(len(hosts), "hosts of the ranks", How.DERIVED)
    return words


def _row(found: re.Match[str] | None, start: int, end: int, rooted: bool) -> SizeRow | None:
    """
    One line of the table: time, algorithm and bus bandwidth, and errors in some versions; out of place and in place.

    What stands behind them are names. A root stands before them where the number of cells says so; of four cells it is the
    first where the columns have a root.
    """
    if found is None:
        return None
    cells = list(takewhile(lambda cell: not NAMED.match(cell), found[2].split()))
    if len(cells) in (5, 7, 9) or (len(cells) == 4 and (rooted or cells[0] == "-1")):
        cells = cells[1:]
    try:
        return SizeRow(int(found[1]), float(cells[1]), float(cells[2]), start, end)
    except (ValueError, IndexError):
        return None


def _largest(source: Source, rows: list[SizeRow]) -> Words:
    row = max(rows, key=lambda one: one.size)
    return {
        "message": source.value(f"{row.size} B", row.start, row.end, How.MEASURED),
        "bus_bandwidth": source.value(f"{row.bus:g} GB/s", row.start, row.end, How.MEASURED, "out of place"),
    }


def _by_ratio(source: Source, rows: list[SizeRow]) -> Words:
    """Bus bandwidth is algorithm bandwidth times 2(n-1)/n in an all-reduce, so above 1 in no other; n follows."""
    row = max(rows, key=lambda one: one.size)
    if not row.algorithm or row.bus == row.algorithm:
        return {}
    ratio = row.bus / row.algorithm
    if ratio < 1:
        ranks = round(1 / (1 - ratio)) if ratio < 0.99 else 0
        fits = ranks > 2 and abs((ranks - 1) / ranks - ratio) < 0.0002
        return (
            {"gpus": source.value(ranks, row.start, row.end, How.DERIVED, f"ratio {ratio:.4f} = (n-1)/n")}
            if fits
            else {}
        )
    ranks = round(2 / (2 - ratio)) if ratio < 1.99 else 0
    words: Words = {
        "test": source.value("all_reduce", row.start, row.end, How.DERIVED, "bus beside algorithm bandwidth").as_text()
    }
    if ranks > 2 and abs(2 * (ranks - 1) / ranks - ratio) < 0.0002 * ratio:
        words["gpus"] = source.value(ranks, row.start, row.end, How.DERIVED, f"ratio {ratio:.4f} = 2(n-1)/n")
    return words
