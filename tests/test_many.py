"""Many designs in one run: the same answer however many processes share the work, and clear words when one is ended."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import pytest

from designlint import reporters
from designlint.reading.errors import AuthoringError

from .mutation import harness
from .running import BAD, ROOT, designlint


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sound and broken designs, small and large, one over another."""
    here = tmp_path_factory.mktemp("many")
    for path in sorted((ROOT / "examples").rglob("*.yaml")):
        (here / f"{path.parent.name}.yaml").write_bytes(path.read_bytes())
    for number, one in enumerate(islice(harness.mutations(), 0, 400, 25)):
        (here / f"mutation-{number:02}.yaml").write_text(one.text, "utf-8")
    (here / "bad.yaml").write_bytes(BAD)
    (here / "over.yaml").write_text("designlint: 1\nextends: bad.yaml\nname: over\n", "utf-8")
    (here / "broken.yaml").write_text("designlint: 1\nnodes: [\n", "utf-8")
    return here


def test_two_processes_say_what_one_says_in_every_format(folder: Path, tmp_path: Path) -> None:
    ran, said = {}, dict[str, dict[str, bytes]]()
    for jobs in ("1", "2"):
        files = {form: tmp_path / f"{form}.{jobs}" for form in reporters.names()}
        wanted = [f"--format={form}={file}" for form, file in files.items()]
        ran[jobs] = designlint("check", folder, *wanted, "--jobs", jobs, cwd=folder)
        said[jobs] = {form: file.read_bytes() for form, file in files.items()}
    assert ran["1"] == ran["2"]
    assert ran["1"].code == 1
    assert all(said["1"].values())
    assert said["1"] == said["2"]


def test_a_design_on_standard_input_keeps_its_place(folder: Path) -> None:
    files = ("hawk-4096.yaml", "-", "bad.yaml", "ten-lines.yaml")
    runs = [designlint("check", *files, "--jobs", jobs, stdin=BAD, cwd=folder) for jobs in ("1", "3")]
    assert runs[0] == runs[1]
    assert runs[0].out.index("hawk-4096.yaml:") < runs[0].out.index("<stdin>:") < runs[0].out.index("bad.yaml:")


def test_a_faulty_rule_is_told_as_in_one_process(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "rules" / "own").mkdir(parents=True)
    (tmp_path / "rules" / "own" / "fault.yaml").write_text("title: nothing else\n", "utf-8")
    runs = [designlint("check", folder, "--rules", tmp_path / "rules", "--jobs", jobs) for jobs in ("1", "2")]
    assert runs[0] == runs[1]
    assert runs[0].code == 2
    assert "fault.yaml:1" in runs[0].err


def test_errors_travel_between_processes() -> None:
    error = pickle.loads(pickle.dumps(AuthoringError("wrong", file="rule.yaml", line=3)))
    assert (str(error), error.file, error.line) == ("rule.yaml:3: wrong", "rule.yaml", 3)


def test_a_wrong_number_of_processes_is_refused() -> None:
    assert designlint("check", ROOT / "examples", "--jobs", "-1").code == 2
    assert designlint("check", ROOT / "examples", "--jobs", "many").code == 2


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds the processes by /proc")
@pytest.mark.parametrize("ended", ["worker", "interrupted"])
def test_an_ended_run_says_so_and_leaves_no_process(folder: Path, tmp_path: Path, ended: str) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.yaml").write_bytes(BAD)
    (tmp_path / "late.py").write_text(
        "import sys, time\nfrom designlint.running import pool\n"
        "pool._report = lambda job: time.sleep(60)\n"
        "from designlint.cli.main import main\n"
        f"sys.argv = ['designlint', 'check', *{[f'{name}.yaml' for name in 'abc']!r}, '--jobs', '2']\nmain()\n",
        "utf-8",
    )
    run = subprocess.Popen(
        [sys.executable, "late.py"], cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    children: list[int] = []
    for _ in range(200):
        children = _children(run.pid)
        if len(children) == 2:
            break
        time.sleep(0.05)
    assert len(children) == 2
    time.sleep(0.3)
    if ended == "worker":
        os.kill(children[0], signal.SIGKILL)
    else:
        os.killpg(run.pid, signal.SIGINT)
    _, told = run.communicate(timeout=30)
    assert "Traceback" not in told
    if ended == "worker":
        assert run.returncode == 3
        assert "ended from outside" in told
    else:
        assert run.returncode == 130
    assert not any(Path(f"/proc/{one}/stat").exists() and _running(one) for one in children)


def _children(parent: int) -> list[int]:
    text = Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii")
    return [int(one) for one in text.split()]


def _running(process: int) -> bool:
    return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
