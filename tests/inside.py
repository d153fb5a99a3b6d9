"""Runs `python -m designlint` within the test process: a folder, environment and streams of its own, and no process at all."""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import signal
import sys
from contextlib import ExitStack, chdir, contextmanager
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, NoReturn
from unittest.mock import patch

from tests import forking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

#: What ends its process, or shares its work with others, and so needs one that is not the tests'.
PROCESSES = (
    "os._exit",
    "os.fork",
    "threading.Timer",
    "faulthandler.dump_traceback_later",
    "designlint.running.pool._share_jobs",
)


class NeedsProcess(BaseException):
    """The run needs a process of its own."""


def run(
    arguments: Sequence[str], stdin: bytes, folder: Path, environment: Mapping[str, str], seconds: float
) -> tuple[int, bytes, bytes]:
    """Exit code, standard output and standard error; raises TimeoutError after so many seconds."""
    caches = forking.warmed()
    for one in caches:
        one.cache_clear()
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        try:
            with ExitStack() as held:
                for name in PROCESSES:
                    held.enter_context(patch(name, _refuse))
                held.enter_context(_limited(seconds, arguments))
                held.enter_context(patch.object(sys, "argv", ["designlint", *arguments]))
                held.enter_context(
                    patch.dict(sys.modules, {"__main__": importlib.import_module("designlint.__main__")})
                )
                held.enter_context(patch.dict(os.environ, environment, clear=True))
                held.enter_context(chdir(folder))
                held.enter_context(_streams(given.fileno(), out.fileno(), err.fileno()))
                code = _called()
        except NeedsProcess:
            return forking.run(arguments, stdin, folder, environment, seconds)
        finally:
            gc.enable()
            for one in caches:
                one.cache_clear()
        out.seek(0)
        err.seek(0)
        return code, out.read(), err.read()


def _refuse(*_: object, **__: object) -> NoReturn:
    raise NeedsProcess


def _called() -> int:
    """The exit code, with what the run wants done at its end done."""
    ends: list[Callable[[], object]] = []
    with patch.object(atexit, "register", ends.append):
        try:
            return forking.called()
        finally:
            for end in reversed(ends):
                end()


@contextmanager
def _streams(*files: int) -> Iterator[None]:
    """Standard input, output and error from and into files, also for the processes that the run starts."""
    usual = sys.stdin, sys.stdout, sys.stderr
    for stream in usual[1:]:
        stream.flush()
    kept = [os.dup(number) for number in range(3)]
    for number, file in enumerate(files):
        os.dup2(file, number)
    try:
        sys.stdin, sys.stdout, sys.stderr = forking.opened()
        yield
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        sys.stdin, sys.stdout, sys.stderr = usual
        for number, file in enumerate(kept):
            os.dup2(file, number)
            os.close(file)


@contextmanager
def _limited(seconds: float, arguments: Sequence[str]) -> Iterator[None]:
    def late(*_: object) -> NoReturn:
        raise TimeoutError(f"designlint {' '.join(arguments)} ran for more than {seconds} s")

    before = {one: signal.getsignal(one) for one in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for one, handler in before.items():
            signal.signal(one, handler)
