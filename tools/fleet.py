"""
A fleet of generated designs in a Virtuoso of its own: load rate, and questions against reading the files one by one.

`python -m tools.fleet 10000` is `make demo-fleet`.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from pathlib import Path

from designlint.configuration import Policy
from designlint.fleet import loading, questions
from designlint.fleet.client import Client
from designlint.fleet.judging import Judging
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
#: Files that are read one by one to measure what the whole fleet would take.
SAMPLE = 200
#: One design in so many is another one a month later.
CHANGED = 50
LOADED, LATER = "2026-03-01", "2026-04-01"


def design(number: int) -> str:
    """A design of the fleet; the same number gives the same design."""
    chance = random.Random(number)
    count = chance.choice([16, 32, 64, 128, 256])
    return DESIGN.format(
        number=number,
        model=chance.choice(["dgx-h100", "dgx-h100", "dgx-a100", "dgx-b200"]),
        count=count,
        technology=chance.choice(["infiniband-ndr", "roce-v2", "roce-v2"]),
        pfc=chance.choice(["true", "true", "false"]),
        leaves=max(1, count // 4),
        spines=max(1, count // 8),
        uplinks=chance.choice([32, 32, 16]),
        gpus=count * 8,
        tokens=chance.choice([1, 2, 15]),
        tensor=chance.choice([2, 4, 8, 16]),
        pipeline=chance.choice([1, 2, 4]),
        mfu=chance.choice([30, 40, 45, 65]),
        days=chance.choice([20, 60, 120]),
        interval=chance.choice([5, 20, 60]),
        mode=chance.choice(["synchronous", "asynchronous"]),
        power=chance.choice([1, 2, 4]),
        write=chance.choice([10, 20, 50]),
    )


def measured(number: int, folder: Path) -> list[tuple[str, str, str]]:
    """Rows for docs/benchmarks.md."""
    designs, store = folder / "designs", folder / "store"
    designs.mkdir()
    store.mkdir()
    for one in range(number):
        (designs / f"site-{one:05}.yaml").write_text(design(one), "utf-8")
    paths = [str(path) for path in sorted(designs.iterdir())]
    os.environ |= virtuoso.CREDENTIALS
    with virtuoso.running(store, 80_000) as url:
        client, start = Client(url), time.perf_counter()
        loaded = loading.load(client, paths, Policy(), LOADED, provenance=False)
        taken = time.perf_counter() - start
        rows = [(
            f"fleet of {number} designs, loaded into Virtuoso", "facts and verdicts, all rules judged on the way",
            f"{taken:.0f} s, {loaded.designs / taken:.0f} designs/s, {loaded.triples / taken:.0f} statements/s",
        )]  # fmt: skip
        _changed(client, paths[::CHANGED])
        asked = {one.name: _seconds(client, one.name) for one in questions.shipped()}
        slowest = max(asked, key=lambda name: asked[name])
        each = _one_by_one(paths[:: max(1, len(paths) // SAMPLE)][:SAMPLE])
        rows.append((
            f"{len(asked)} fleet questions together", f"reading {number} files one by one: {each * number:.0f} s",
            f"{sum(asked.values()):.1f} s, the slowest ({slowest}) {asked[slowest]:.1f} s",
        ))  # fmt: skip
        start = time.perf_counter()
        found = sum(1 for _ in Judging(client, Policy().engine("design.yaml")).said())
        rows.append(
            ("`check --from`: all rules over the fleet", f"{found} findings", f"{time.perf_counter() - start:.0f} s")
        )
    return rows


def _changed(client: Client, paths: list[str]) -> None:
    """Let designs be others a month later, so that findings come and go."""
    for number, path in enumerate(paths):
        Path(path).write_text(design(-1 - number), "utf-8")
    loading.load(client, paths, Policy(), LATER, provenance=False)


def _seconds(client: Client, name: str) -> float:
    start = time.perf_counter()
    _, rows = questions.asked(client, name, {"day": LOADED} if name == "grown-since" else {})
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
        for row in measured(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, Path(folder)):
            print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
