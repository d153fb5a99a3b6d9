"""A Virtuoso of its own on the loopback interface, for tests and demonstrations; it ends with its block."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Seconds that it may take to start, and what Debian's packages call the server.
PATIENCE, PROGRAM = 300.0, "virtuoso-t"
#: Its first administrator, who may write; it listens on the loopback interface only.
CREDENTIALS = {"DESIGNLINT_SPARQL_USER": "dba", "DESIGNLINT_SPARQL_PASSWORD": "dba"}
SETTINGS = """\
[Database]
DatabaseFile = store.db
ErrorLogFile = store.log
LockFile = store.lck
TransactionFile = store.trx
xa_persistent_file = store.pxa
[TempDatabase]
DatabaseFile = temporary.db
TransactionFile = temporary.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
ServerThreads = 10
CheckpointInterval = 0
NumberOfBuffers = {buffers}
MaxDirtyBuffers = {dirty}
DirsAllowed = .
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerThreads = 8
[SPARQL]
ResultSetMaxRows = 10000000
MaxQueryCostEstimationTime = 0
MaxQueryExecutionTime = 600
"""


def missing() -> str:
    """Why there is no Virtuoso to start; empty where there is one."""
    return (
        ""
        if shutil.which(PROGRAM)
        else f"{PROGRAM} is not installed (Debian: apt-get install virtuoso-opensource-7-bin)"
    )


@contextmanager
def running(folder: Path, buffers: int = 20_000) -> Iterator[str]:
    """The address of its queries. Raises RuntimeError where it does not start."""
    http, sql = _free(), _free()
    settings = SETTINGS.format(http=http, sql=sql, buffers=buffers, dirty=buffers * 3 // 4)
    (folder / "store.ini").write_text(settings, "utf-8")
    server = subprocess.Popen(
        [PROGRAM, "+foreground", "+configfile", "store.ini"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{http}/sparql"
    try:
        _wait(server, url)
        yield url
    finally:
        server.terminate()
        try:
            server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()


def _free() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _wait(server: subprocess.Popen[bytes], url: str) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError(f"{PROGRAM} ended with {server.returncode}")
        try:
            urllib.request.urlopen(f"{url}?query=ASK%20%7B%7D", timeout=5).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError(f"{PROGRAM} does not answer within {PATIENCE:g} seconds")
