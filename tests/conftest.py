"""What holds for all tests, and places that several of them begin with."""

from __future__ import annotations

import gc
import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from designlint.compiler import bundle
from tests.kept import Place
from tests.repositories import Repo
from tests.running import BAD

if TYPE_CHECKING:
    from pathlib import Path

os.environ["DESIGNLINT_CACHE_DIR"] = (
    ""  # no test reads or writes reports that the developer keeps, or hides a fault by them
)
os.environ["PIP_NO_COMPILE"] = "1"  # what a test installs is run once or twice: compiling all of it takes longer
gc.set_threshold(
    100_000, 20, 50
)  # a worker keeps much for good: walking it as often as Python does costs a tenth of all tests
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell starts what runs in the background so; tests interrupt
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
def compiled() -> dict[str, Any]:
    """What authors write, compiled from its files; nobody changes it."""
    return bundle.compile_all()
