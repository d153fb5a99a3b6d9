"""What holds for all tests, and places that several of them begin with."""

from __future__ import annotations

import fcntl
import gc
import os
import pickle
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from designlint.compiler import bundle
from tests.kept import Place
from tests.repositories import Repo
from tests.running import BAD

if TYPE_CHECKING:
    from collections.abc import Iterator

os.environ["DESIGNLINT_CACHE_DIR"] = (
    ""  # no test reads or writes reports that the developer keeps, or hides a fault by them
)
os.environ["PIP_NO_COMPILE"] = "1"  # what a test installs is run once or twice: compiling all of it takes longer
gc.set_threshold(
    100_000, 20, 50
)  # a worker keeps much for good: walking it as often as Python does costs a tenth of all tests
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell starts what runs in the background so; tests interrupt
    signal.signal(signal.SIGINT, signal.default_int_handler)


#: What takes longest, so that no worker begins with it when the others have nothing left; what is made once for several
#: tests is made by one worker, which runs them one after another.
FIRST = ("tests/test_packages.py", "tests/test_pre_commit.py", "tests/test_site.py", "tests/mutation/")
#: Signals whose handlers a run in this process may have changed.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes longest first."""
    items.sort(key=lambda one: not one.nodeid.startswith(FIRST))


def surroundings() -> dict[str, Any]:
    """What every test of this process shares."""
    around = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    handlers = [signal.getsignal(one) for one in SIGNALS]
    collecting = gc.isenabled(), gc.get_threshold()
    streams = sys.stdin, sys.stdout, sys.stderr
    return {
        "folder": Path.cwd(), "environment": around, "signals": handlers, "arguments": [*sys.argv], "path": [*sys.path],
        "garbage collection": collecting, "streams": streams, "main module": sys.modules["__main__"],
    }  # fmt: skip


@pytest.fixture(autouse=True)
def _nothing_is_left_behind() -> Iterator[None]:
    """A test leaves folder, environment, signals and streams as it found them, or it fails, and not the one after it."""
    before = surroundings()
    yield
    after = surroundings()
    changed = [name for name, value in before.items() if after[name] != value]
    if changed:
        os.chdir(before["folder"])
        os.environ.clear()
        os.environ.update(before["environment"])
        for one, handler in zip(SIGNALS, before["signals"], strict=True):
            signal.signal(one, handler)
        sys.argv[:], sys.path[:], sys.modules["__main__"] = before["arguments"], before["path"], before["main module"]
        sys.stdin, sys.stdout, sys.stderr = before["streams"]
        gc.enable()
    assert changed == [], "left behind"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A git repository in which nothing is committed."""
    return Repo(tmp_path / "repo")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder that is the root of a repository, with one design with an error."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "design.yaml").write_bytes(BAD)
    return tmp_path


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A design, and a folder for kept reports."""
    return Place(tmp_path)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What authors write, compiled from its files, by one worker of a run for all; nobody changes it."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return bundle.compile_all()
    kept = tmp_path_factory.getbasetemp().parent / "compiled"  # the folder of the run, in which each worker has its own
    with (kept.with_suffix(".lock")).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            kept.write_bytes(pickle.dumps(bundle.compile_all()))
        whole: dict[str, Any] = pickle.loads(kept.read_bytes())
    return whole
