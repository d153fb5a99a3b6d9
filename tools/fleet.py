"""
A fleet of generated designs in a Virtuoso of its own: load rate, and questions against reading the files one by one.

`python -m tools.fleet 10000` is `make demo-fleet`.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from designlint.configuration import Policy
from designlint.fleet import loading, questions
from designlint.fleet.client import Client
from designlint.fleet.judging import StoreJudging
from designlint.linting import pipeline
from designlint.reading.discovery import open_document
from tools import virtuoso

DESIGN = """\
designlint: 1
name: site-{number}
nodes:
  - name: train
    model: {model}
    count: {count}
    networks: [{{fabric: compute, ports: 8, speed: 400 Gbit/s}}]
fabrics:
  - name: compute
    purpose: compute
    technology: {technology}
    speed: 400 Gbit/s
    pfc: {pfc}
    topology:
      {{kind: fat-tree, tiers: 2, leaves: {leaves}, spines: {spines}, host_ports_per_leaf: 32, uplinks_per_leaf: {uplinks}}}
workloads:
  - name: pretrain
    runs_on: {{nodes: train, gpus: {gpus}}}
    model: llama-3-70b
    data: {{tokens: {tokens}e12}}
    precision: bf16
    parallelism: {{tensor: {tensor}, pipeline: {pipeline}, micro_batch: 1, global_batch: 2048, zero_stage: 1}}
    targets: {{mfu: {mfu} %, deadline: {days} days}}
    checkpoint: {{interval: {interval} min, mode: {mode}, tiers: [scratch]}}
storage: [{{name: scratch, kind: lustre, write: {write} GB/s}}]
facility: {{utility_power: {power} MW}}
"""
#: What the designs of the fleet differ in. Every combination is a design of its own, whatever its name.
CHOICES: dict[str, list[Any]] = {
    "model": ["dgx-h100", "dgx-a100", "dgx-b200"],
    "count": [16, 32, 64, 128, 256],
    "technology": ["infiniband-ndr", "roce-v2"],
    "pfc": ["true", "false"],
    "uplinks": [32, 16],
    "tokens": [1, 2, 15],
    "tensor": [2, 4, 8, 16],
    "pipeline": [1, 2, 4],
    "mfu": [30, 40, 45, 65],
    "days": [20, 60, 120],
    "interval": [5, 20, 60],
    "mode": ["synchronous", "asynchronous"],
    "write": [10, 20, 50],
    "power": [1, 2, 4],
}
COMBINATIONS = math.prod(len(values) for values in CHOICES.values())
#: Shares no factor with their number, so that a row of designs visits all of them, each once, and neighbours differ.
STRIDE = 1_000_003
#: Designs that are read one by one, and judged in the store, to measure what the whole fleet would take.
SAMPLE = 200
#: One design in so many is another one a month later.
CHANGED = 50
LOADED, LATER = "2026-03-01", "2026-04-01"
Row = tuple[str, str, str]


def design(number: int) -> str:
    """A design of the fleet; the first `COMBINATIONS` differ in more than their name."""
    rest, chosen = number * STRIDE % COMBINATIONS, dict[str, Any]()
    for name, values in CHOICES.items():
        rest, at = divmod(rest, len(values))
        chosen[name] = values[at]
    count = chosen["count"]
    return DESIGN.format(number=number, leaves=max(1, count // 4), spines=max(1, count // 8), gpus=count * 8, **chosen)


def measure_rows(number: int, folder: Path) -> list[Row]:
    """Rows for docs/benchmarks.md: times on the clock, all under the same load."""
    designs, store = folder / "designs", folder / "store"
    designs.mkdir()
    store.mkdir()
    for one in range(number):
        (designs / f"site-{one:05}.yaml").write_text(design(one), "utf-8")
    paths = [str(path) for path in sorted(designs.iterdir())]
    os.environ |= virtuoso.CREDENTIALS
    with virtuoso.running(store, 80_000) as url:
        client, sample = Client(url), paths[:SAMPLE]
        rows = [_judge(client, sample), _load(client, paths)]
        _change_designs(client, paths[::CHANGED])
        before = _one_by_one(sample)
        asked = {one.name: _seconds(client, one.name) for one in questions.shipped_questions()}
        each = (before + _one_by_one(sample)) / 2
    slowest, together = max(asked, key=lambda name: asked[name]), sum(asked.values())
    rows.append((
        f"{len(asked)} fleet questions over {number:,} designs",
        f"reading as many files one by one: {each * number:.0f} s at {each:.3f} s each",
        f"{together:.1f} s together, {each * number / together:.0f} times as fast; "
        f"the slowest (`{slowest}`) {asked[slowest]:.1f} s",
    ))  # fmt: skip
    return rows


def _judge(client: Client, paths: list[str]) -> Row:
    """All rules over a part of the fleet, alone in the store."""
    loading.load(client, paths, Policy(), LOADED, provenance=False)
    start = time.perf_counter()
    found = sum(1 for _ in StoreJudging(client, Policy().engine("design.yaml")).verdicts())
    taken = time.perf_counter() - start
    return (
        f"`check --from`: all rules over {len(paths)} designs, {found:,} failures",
        f"reading the files one by one: {_one_by_one(paths) * len(paths):.0f} s",
        f"{taken:.0f} s",
    )


def _load(client: Client, paths: list[str]) -> Row:
    start, own = time.perf_counter(), time.process_time()
    loaded = loading.load(client, paths, Policy(), LOADED, provenance=False)
    taken, own = time.perf_counter() - start, time.process_time() - own
    return (
        f"{loaded.designs:,} generated designs loaded into Virtuoso, facts and verdicts, all rules judged on the way",
        f"{own:.0f} s of designlint's CPU, {own / loaded.designs:.3f} s a design",
        f"{taken:.0f} s, {loaded.designs / taken:.1f} designs/s, {loaded.triples / taken:,.0f} statements/s",
    )


def _change_designs(client: Client, paths: list[str]) -> None:
    """Let designs be others a month later, so that findings come and go."""
    for number, path in enumerate(paths):
        Path(path).write_text(design(-1 - number), "utf-8")
    loading.load(client, paths, Policy(), LATER, provenance=False)


def _seconds(client: Client, name: str) -> float:
    start = time.perf_counter()
    _, rows = questions.answer(client, name, {"day": LOADED} if name == "grown-since" else {})
    taken = time.perf_counter() - start
    print(f"{taken:7.2f} s  {name}: {len(rows)} rows", flush=True)
    return taken


def _one_by_one(paths: list[str]) -> float:
    """Seconds that reading one design takes, rules and all."""
    start = time.perf_counter()
    for path in paths:
        pipeline.lint(open_document(path), Policy().engine(path), repair=False)
    return (time.perf_counter() - start) / len(paths)


def main() -> None:
    """Measure, and print the rows."""
    reason = virtuoso.missing()
    if reason:
        sys.exit(f"left out: {reason}")
    with tempfile.TemporaryDirectory() as folder:
        for row in measure_rows(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, Path(folder)):
            print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
