"""Checks many designs, over several processes where that pays, and only those whose report is not kept; reports come in order."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from designlint.findings import timing
from designlint.reading.errors import WorkerError
from designlint.running import jobs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.context import BaseContext

    from designlint.findings.report import Report
    from designlint.reading import Document
    from designlint.rules.settings import Settings
    from designlint.running.cache import CacheQuestion
    from designlint.running.jobs import Task

#: Designs for which a further process pays: starting one costs as much as checking two or three.
SHARE = 8
#: Designs that a process is given at a time, at most.
CHUNK = 16
#: Designs after which what was left over from them is thrown away.
KEPT = 32


class CheckJob(Struct, frozen=True):
    """
    One design to check.

    Attributes:
        document: what is judged in place of what the file holds now.
        timed: count where the time goes.
        question: what the report is kept under, where it is.
        task: the file is one of jobs, judged against a cluster.
    """

    file: str
    settings: Settings
    document: Document | None = None
    margins: bool = False
    timed: bool = False
    question: CacheQuestion | None = None
    task: Task | None = None


def run(jobs: Sequence[CheckJob], processes: int = 0, *, cached: bool = False) -> Iterator[Report]:
    """
    The reports, in the order of the jobs.

    Args:
        processes: how many share the work; chosen automatically where it is 0.
        cached: reports are kept from run to run.

    Raises:
        UsageError: a file cannot be read.
        AuthoringError: a rule that says something wrong.
        WorkerError: a process was ended from outside.
    """
    known: dict[int, Report] = {}
    if cached:
        jobs, known = _look_up_reports(jobs)
    fresh = _fresh([job for at, job in enumerate(jobs) if at not in known], processes)
    for at in range(len(jobs)):
        yield known[at] if at in known else next(fresh)
    yield from fresh  # which ends it


def _look_up_reports(jobs: Sequence[CheckJob]) -> tuple[list[CheckJob], dict[int, Report]]:
    """The jobs, with what their reports are kept under; and the reports that are, by the number of the job."""
    from designlint.running import cache

    asked = [
        job
        if job.timed or job.document or job.task
        else replace(job, question=cache.cache_key(job.file, job.settings, margins=job.margins))
        for job in jobs
    ]
    found = ((at, cache.cached_report(job.question)) for at, job in enumerate(asked) if job.question is not None)
    return asked, {at: report for at, report in found if report is not None}


def _fresh(jobs: Sequence[CheckJob], processes: int) -> Iterator[Report]:
    """The reports of designs that are judged now."""
    apart = [job for job in jobs if job.document is None]
    number = min(processes or affordable(len(apart)), len(apart))
    if number < 2:
        yield from _alone(jobs)
        return
    with _share_jobs(apart, number) as reports:
        for job in jobs:
            yield next(reports) if job.document is None else _check(job)


def affordable(designs: int) -> int:
    """How many processes pay for so many designs on this machine."""
    return min(cores(), designs // SHARE)


def cores() -> int:
    """The processors that this process may use, by its affinity and its control group's quota."""
    try:
        allowed = len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        allowed = os.cpu_count() or 1
    with suppress(OSError, ValueError), open("/sys/fs/cgroup/cpu.max", encoding="ascii") as stream:  # noqa: PTH123
        quota, period = stream.read().split()
        allowed = min(allowed, max(1, int(quota) // int(period)))
    return allowed


def _alone(jobs: Sequence[CheckJob]) -> Iterator[Report]:
    for number, job in enumerate(jobs, 1):
        yield _check(job)
        if number % KEPT == 0:
            _tidy()


def _tidy() -> None:
    """Throw away what the designs before left over; what is still in use is not looked at again."""
    gc.collect()
    gc.freeze()


def _check(job: CheckJob) -> Report:
    if not job.timed:
        return _report(job)
    timing.start()
    report = _report(job)
    return replace(report, spent=timing.stop())


def _report(job: CheckJob) -> Report:
    if job.task is not None:
        return jobs.judge_job_file(job.task, job.settings, margins=job.margins)
    from designlint.configuration import engine
    from designlint.linting import pipeline
    from designlint.reading import discovery

    document = job.document or timing.time_call("read", discovery.open_document, job.file)
    judge = engine.configure_engine(job.settings)
    result = pipeline.lint(document, judge, margins=job.margins, steps=judge.steps)
    report = result.report()
    if job.question is not None:
        from designlint.running import cache

        cache.keep(job.question, result, report)
    return report


@contextmanager
def _share_jobs(jobs_of_run: Sequence[CheckJob], number: int) -> Iterator[Iterator[Report]]:
    """The reports of several processes, in order; whatever ends the block ends them."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children

    from designlint.configuration import engine
    from designlint.linting import pipeline  # noqa: F401  processes that are forked have all of it already

    for settings in dict.fromkeys(job.settings for job in jobs_of_run):
        engine.configure_engine(settings)  # its faults are told at once, and processes that are forked have it already
    for cluster, settings in dict.fromkeys((job.task.cluster, job.settings) for job in jobs_of_run if job.task):
        jobs.bench_of(cluster, settings)
    gc.freeze()
    chunk = max(1, min(CHUNK, len(jobs_of_run) // (4 * number)))
    pool = ProcessPoolExecutor(number, mp_context=_context(), initializer=_begin)
    try:
        yield pool.map(_member, jobs_of_run, chunksize=chunk)
    except BrokenProcessPool:
        raise WorkerError("a process that checked designs was ended from outside, perhaps for lack of memory") from None
    except Exception:  # a process ended in the middle of an answer would leave the pool waiting for the rest of it
        raise
    except BaseException:  # an interrupt: what is still being checked is no longer wanted
        for one in active_children():
            one.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        gc.unfreeze()


def _context() -> BaseContext:
    """Forked where that is sure, which takes no time; else each process starts anew."""
    import multiprocessing
    import threading

    alone = threading.active_count() == 1
    return multiprocessing.get_context("fork" if sys.platform == "linux" and alone else "spawn")


#: Designs that this process has checked.
_done = 0


def _begin() -> None:
    """A process that checks: interrupts are its parent's to answer, and it ends with its parent, even in a query."""
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    gc.freeze()
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    if (parent := parent_process()) is not None:
        wait([parent.sentinel])
        os._exit(3)


def _member(job: CheckJob) -> Report:
    global _done  # noqa: PLW0603
    _done += 1
    if _done % KEPT == 0:
        _tidy()
    return _check(job)
