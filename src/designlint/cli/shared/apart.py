"""Judging by foreign rules in a process that can be ended: a query or a pattern of theirs may hang, or fill the memory."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from designlint.cli.shared.terminal import Exit, fault, watch
from designlint.configuration import foreign

if TYPE_CHECKING:
    from collections.abc import Sequence


def apart(packs: Sequence[str]) -> None:
    """
    Go on in a process of its own, whose parent waits for it, answers as it does, and says so where the system ended it.

    Where the system cannot fork, the process ends itself, as far as the interpreter lets it.
    """
    named = ", ".join(packs)
    slow = f"the rules in {named} take more than {foreign.HANGS} seconds"
    if not hasattr(os, "fork") or threading.active_count() > 1:
        watch(slow, foreign.HANGS)
        return
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    child = os.fork()
    if child == 0:
        foreign.contain_process(seconds=foreign.HANGS)
        return
    status = _await_status(child)
    if os.WIFEXITED(status):
        os._exit(os.WEXITSTATUS(status))  # the child has tidied up
    ended = os.WTERMSIG(status)
    large = f"the rules in {named} were ended by {signal.Signals(ended).name}, perhaps for lack of memory"
    fault(slow if ended == signal.SIGXCPU else large)
    sys.exit(Exit.COULD_NOT_RUN)


def _await_status(child: int) -> int:
    """The status of a child when it has ended; an interrupt is the child's to answer, and who ends this ends both."""

    def ended(number: int, _: object) -> None:
        with suppress(OSError):
            os.kill(child, number)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for one in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, ended)
    return os.waitpid(child, 0)[1]
