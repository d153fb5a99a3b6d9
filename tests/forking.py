"""Runs `python -m designlint` in a fork of the test process: a folder, environment and exit code of its own, no second start."""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import os
import pkgutil
import select
import signal
import sys
import tempfile
from typing import IO, TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

#: Environment that a Python reads when it starts, so that a fork would not see it.
START_UP = ("PYTHON", "LC_", "LANG")
#: A design with an error, whose fix is proven when it is judged.
SMALL = (
    b"designlint: 1\nnodes: [{name: a, model: dgx-h100, count: 4}]\nworkloads: [{name: b, parallelism: {tensor: 16}}]\n"
)
#: Caches that no folder and no environment changes: all of the rooms that know neither, and single ones of what comes along.
ROOMS = tuple(
    f"designlint.{room}."
    for room in ("compiler", "derivations", "expressions", "graph", "importers", "judging", "language", "planning")
)
SHIPPED = {
    ("designlint.configuration.engine", "shipped"),
    ("designlint.report.gather", "_standard"),
    ("designlint.report.html", "_environment"),
}


def possible(arguments: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Whether a fork answers as a new process would: processes of its own and start-up settings need a real one."""
    if "--jobs" in arguments or any(name.startswith(START_UP) for name in environment):
        return False
    return hasattr(os, "fork")


def run(
    arguments: Sequence[str], stdin: bytes, folder: Path, environment: Mapping[str, str], seconds: float
) -> tuple[int, bytes, bytes]:
    """Exit code, standard output and standard error; raises TimeoutError after so many seconds."""
    warmed()
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        ended, alive = os.pipe()  # closed by the end of the child, however it comes
        child = os.fork()
        if not child:
            os.close(ended)
            _become(arguments, (given, out, err), folder, environment)
        os.close(alive)
        try:
            if not select.select([ended], [], [], seconds)[0]:
                os.kill(child, signal.SIGKILL)
                raise TimeoutError(f"designlint {' '.join(arguments)} ran for more than {seconds} s")
        finally:
            os.close(ended)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return code, _whole(out), _whole(err)


@functools.cache
def warmed() -> tuple[functools._lru_cache_wrapper[object], ...]:
    """
    Load here, once, what every child would load for itself: three quarters of the time of a small check.

    Returns the caches in which the tests of this process may leave answers of another folder.
    """
    import designlint
    from designlint.configuration import engine
    from designlint.linting.pipeline import lint
    from designlint.reading.reader import read_bytes
    from designlint.report import gather, html

    for one in pkgutil.walk_packages(designlint.__path__, "designlint."):
        if not one.name.endswith("__main__"):
            importlib.import_module(one.name)
    judged = lint(read_bytes(SMALL, "design.yaml"), engine.shipped_engine(), margins=True)
    html.render(gather.portfolio([(judged.design, judged.report())], "all-principles", engine.shipped_engine().today))
    found = {
        id(value): value
        for name, module in list(sys.modules.items())
        if name.startswith("designlint.")
        for value in vars(module).values()
        if isinstance(value, functools._lru_cache_wrapper)
    }
    return tuple(
        one
        for one in found.values()
        if not one.__module__.startswith(ROOMS) and (one.__module__, one.__name__) not in SHIPPED
    )


def _whole(stream: IO[bytes]) -> bytes:
    stream.seek(0)
    return stream.read()


def _become(
    arguments: Sequence[str], streams: Sequence[IO[bytes]], folder: Path, environment: Mapping[str, str]
) -> NoReturn:
    """Be the process that `python -m designlint` would be; never returns."""
    code = 70
    gc.freeze()  # what the parent keeps need not be walked, and so not be copied
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream.fileno(), number)
        sys.stdin, sys.stdout, sys.stderr = opened()
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.modules["__main__"] = importlib.import_module("designlint.__main__")
        sys.argv = ["designlint", *arguments]
        for cached in warmed():
            cached.cache_clear()
        atexit._clear()  # what the tests of this process registered is theirs
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        code = called()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def opened() -> tuple[IO[str], IO[str], IO[str]]:
    """Standard input, output and error as Python opens them, on what they are now."""
    errors = "backslashreplace"
    return (
        open(0, encoding="utf-8", closefd=False),
        open(1, "w", encoding="utf-8", closefd=False),
        open(2, "w", encoding="utf-8", errors=errors, closefd=False),
    )


def called() -> int:
    """The exit code of the command line, as `sys.argv` calls it."""
    from designlint.cli.main import main

    try:
        main()
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else int(left.code is not None)
    return 0
