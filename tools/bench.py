"""Speed as ratios in one run: whole processes against yamllint and cfn-lint, and how cost grows. Writes docs/benchmarks.md."""

from __future__ import annotations

import asyncio
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from tests.corpus.convert import designs
from tests.mutation.harness import mutations

from designlint import __version__, engine

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
ROUNDS = 15
LINES = 750

POOL = """\
  - name: pool-{n}
    model: dgx-h100
    count: {count}
    networks:
      - {{fabric: compute, ports: 8, speed: 400 Gbit/s}}
      - {{fabric: storage, ports: 2, speed: 400 Gbit/s}}
"""
JOB = """\
  - name: job-{n}
    runs_on: {{nodes: pool-{n}}}
    model:
      layers: 80
      hidden: 8192
      heads: 64
      kv_heads: 8
      feed_forward: 28672
      gated: true
      norm: rmsnorm
      vocabulary: 128256
      tied_embeddings: false
      sequence: 8192
    precision: bf16
    flash_attention: true
    parallelism:
      tensor: 8
      pipeline: 4
      micro_batch: 1
      global_batch: 512
      zero_stage: 1
      sequence_parallel: true
      recompute: selective
"""


def design(lines: int) -> str:
    """A sound design of about so many lines: every section of the starter, more pools, more jobs."""
    text = (ROOT / "ontology" / "starter.yaml").read_text("utf-8")
    number = max(0, (lines - text.count("\n")) // (POOL.count("\n") + JOB.count("\n")))
    pools = "".join(POOL.format(n=n, count=2 ** (3 + n % 4)) for n in range(number))
    jobs = "".join(JOB.format(n=n) for n in range(number))
    text = text.replace("utility_power: 300 kW", "utility_power: 60 MW").replace("spines: 4", "spines: 1024")
    text = text.replace("tiers: 2", "tiers: 3").replace("leaves: 8", "leaves: 1024")
    text = text.replace(
        "\nstorage:\n", "\nstorage:\n  - {name: home, kind: nfs, capacity: 100 TB, fabric: management}\n", 1
    )
    return text.replace("\nfabrics:\n", pools + "\nfabrics:\n", 1).replace("\nfacility:\n", jobs + "\nfacility:\n", 1)


def seconds(commands: dict[str, list[str]]) -> dict[str, float]:
    """Median CPU time of each command, run in turns so that a busy moment hits all alike; it disturbs wall time far more."""
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS + 1):
        for name, command in commands.items():
            taken[name].append(cpu(command)[0])
    return {name: median(times[1:]) for name, times in taken.items()}  # the first round only warms the caches


def peak_memory(command: list[str]) -> float:
    """Peak resident memory of a command [MiB], measured by a process that runs nothing else."""
    code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], capture_output=True); "
    code += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    return float(subprocess.run([sys.executable, "-c", code, *command], capture_output=True, check=True).stdout)


def editing(folder: Path) -> float:
    """Median time from a change in an editor to its diagnostics [s], over a whole language server session."""
    from tools.session import Session

    async def session() -> list[float]:
        file, text, taken = folder / "edited.yaml", design(LINES), list[float]()
        async with Session(folder) as editor:
            await editor.open(file, text)
            for version in range(2, ROUNDS + 3):
                start = time.perf_counter()
                await editor.change(file, text.replace("tensor: 8", "tensor: 16", version % 2), version)
                taken.append(time.perf_counter() - start)
        return taken[1:]

    return median(asyncio.run(session()))


def thousand(folder: Path) -> None:
    """A thousand designs, all different: examples, broken ones of the mutation tests, published runs and fabrics."""
    texts = {path.read_text("utf-8"): None for path in sorted((ROOT / "examples").rglob("*.yaml"))}
    texts |= {one.text: None for one in mutations()}
    texts |= {case.yaml: None for case in designs()}
    chosen = sorted(texts)[:: max(1, len(texts) // 1000)][:1000]
    for number, text in enumerate(chosen):
        (folder / f"{number:04}.yaml").write_text(text, "utf-8")


def cpu(command: list[str]) -> tuple[float, str]:
    """CPU time of a command with all its processes [s], and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, capture_output=True, check=False, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def shared(folder: Path) -> list[tuple[str, str, str]]:
    """Rows on a thousand designs in one command."""
    thousand(folder)
    number = len(list(folder.iterdir()))
    kept = [str(BIN / "designlint"), "check", str(folder), "--format", "concise", "--jobs"]
    (alone, told), (both, again) = (cpu([*kept, jobs, "--no-cache"]) for jobs in ("1", "2"))
    (first, _), (later, same) = (cpu([*kept, "1"]) for _ in range(2))
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in folder.iterdir()) // number
    what = f"{number} designs of {lines} lines on average in one command, CPU for each"
    return [
        (what, "one process (goal at most 0.05 s)", f"{alone / number:.3f} s"),
        (what, "two processes", f"{both / number:.3f} s"),
        (what, "one process that keeps the reports", f"{first / number:.3f} s"),
        (what, "one process, all reports kept before", f"{later / number:.4f} s"),
        (
            "the same, output",
            "of one process, of two, and of kept reports",
            "identical" if told == again == same else "DIFFERENT",
        ),
    ]


def reports(folder: Path) -> list[tuple[str, str, str]]:
    """Rows on the report for approval, of a faulty design of 4,096 GPUs and of the same thirty-two times as large."""
    small = (ROOT / "examples" / "hawk-4096" / "design.yaml").read_text("utf-8")
    large = small.replace("count: 512", "count: 16384").replace("gpus: 4096", "gpus: 131072")
    for tier, number in (("leaves", 136), ("spines", 136), ("cores", 68)):
        large = large.replace(f"{tier}: {number}", f"{tier}: {32 * number}")
    rows = []
    for name, text, goal in (("4,096", small, "3 s and 3 MB"), ("131,072", large, "10 s")):
        file, made = folder / f"{name}.yaml", folder / f"{name}.html"
        file.write_text(text, "utf-8")
        times = seconds({"report": [str(BIN / "designlint"), "report", str(file), "-o", str(made)]})
        size = made.stat().st_size / 1e6
        rows.append(
            (
                f"report on {name} GPUs, ways out included",
                f"goal at most {goal}",
                f"{times['report']:.1f} s, {size:.2f} MB",
            )
        )
    return rows


def measured(folder: Path) -> list[tuple[str, str, str]]:
    """Rows of the table: what, against what, figure."""
    complete = folder / "complete.yaml"
    complete.write_bytes((ROOT / "examples" / "superpod-4su" / "design.yaml").read_bytes())
    many, large = folder / "many.yaml", folder / "large.yaml"
    many.write_text(design(LINES), "utf-8")
    large.write_text(design(4 * LINES), "utf-8")
    kept = [str(BIN / "designlint"), "check"]
    check = [*kept, "--no-cache"]
    yamllint = [str(BIN / "yamllint"), "-d", "relaxed"]
    cfn = shutil.which("cfn-lint")
    times = seconds(
        {
            "complete": [*check, str(complete)],
            "complete kept": [*kept, str(complete)],
            "complete yamllint": [*yamllint, str(complete)],
            "many": [*check, str(many)],
            "many kept": [*kept, str(many)],
            "many yamllint": [*yamllint, str(many)],
            "large": [*check, str(large)],
            "version": [str(BIN / "designlint"), "--version"],
            "python": [sys.executable, "-c", "pass"],
            **({"cfn-lint": [cfn, "--version"]} if cfn else {}),
        }
    )
    rules = len(engine.shipped().rules)
    rows = []
    for name, file, what in (
        ("complete", complete, "shipped design that states nearly every section"),
        ("many", many, "design of some 25 pools and 25 jobs"),
    ):
        lines = len(file.read_text("utf-8").splitlines())
        rows.append((f"{lines}-line {what}, {rules} rules, whole process", "", f"{times[name]:.3f} s"))
        goal = "`yamllint -d relaxed` on the same file (goal at most 1.0)"
        rows.append(("the same, ratio", goal, f"{times[name] / times[f'{name} yamllint']:.2f}"))
        rows.append(("the same, its report kept before", "", f"{times[f'{name} kept']:.3f} s"))
        if cfn:
            rows.append(
                ("the same, ratio", "`cfn-lint --version` (goal at most 0.3)", f"{times[name] / times['cfn-lint']:.2f}")
            )
    return [
        *rows,
        ("four times the pools and jobs, ratio", "25 of each", f"{times['large'] / times['many']:.2f}"),
        ("`designlint --version`, ratio", "bare Python", f"{times['version'] / times['python']:.1f}"),
        (
            f"a change to a design of {LINES} lines in an editor, until its diagnostics (goal at most 0.3 s)",
            "",
            f"{editing(folder):.3f} s",
        ),
        *shared(Path(tempfile.mkdtemp(dir=folder))),
        *reports(Path(tempfile.mkdtemp(dir=folder))),
        ("peak memory of checking 25 pools and 25 jobs", "", f"{peak_memory([*check, str(many)]):.0f} MiB"),
    ]


def main() -> None:
    """Measure, print, and write the page."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as kept:
        os.environ["DESIGNLINT_CACHE_DIR"] = kept
        load = os.getloadavg()[1]
        rows = measured(Path(folder))
    table = "\n".join(
        ["| what | against | figure |", "| --- | --- | --- |", *(f"| {' | '.join(row)} |" for row in rows)]
    )
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    made = (
        f"`make bench` on {datetime.now(UTC):%Y-%m-%d}, {machine}, designlint {__version__}, load of others {load:.1f}"
    )
    head = f"# Benchmarks\n\n{made}. Times of whole processes are CPU time, median of {ROUNDS} rounds in turns.\n"
    (ROOT / "docs" / "benchmarks.md").write_text(f"{head}\n{table}\n", "utf-8")
    print(table)


if __name__ == "__main__":
    main()
