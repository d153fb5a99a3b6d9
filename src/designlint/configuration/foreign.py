"""What is done before rules that are not our own are read, and the bounds of a process that judges by them."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

#: Seconds that foreign rules may take to judge, and bytes of memory: a query cannot be interrupted.
HANGS, MEMORY = 300, 4 << 30
#: As many as there are blocks of bounded time under way.
UNDER_WAY: list[None] = []
#: The folders and files of foreign rules that this process has read.
MET: list[str] = []
#: What a program wants done once, before foreign rules are first read; it gets their folders and files.
BEFORE: list[Callable[[Sequence[str]], None]] = []


def met(packs: Sequence[str]) -> None:
    """Foreign rules are about to be read."""
    MET.extend(packs)
    while BEFORE:
        BEFORE.pop()(packs)


def contain_process(seconds: int = 0) -> None:
    """From now on the system ends this process, and those that it starts, where they take more time or memory."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, seconds)):
        hard = resource.getrlimit(what)[1]
        if most and (hard == resource.RLIM_INFINITY or most < hard):
            with suppress(ValueError, OSError):  # not every system bounds all of it
                resource.setrlimit(what, (most, hard))


@contextmanager
def bound_time() -> Iterator[None]:
    """End the process where a block takes too long, also one that never lets the interpreter go on."""
    import faulthandler

    if sys.__stderr__ is None:
        yield
        return
    UNDER_WAY.append(None)
    faulthandler.dump_traceback_later(HANGS, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        UNDER_WAY.pop()
        if not UNDER_WAY:  # else the time of another one still runs
            faulthandler.cancel_dump_traceback_later()
