"""`check --watch` as a session: files are edited, broken, deleted and come back; an interrupt ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from queue import Empty, Queue
from typing import TYPE_CHECKING

import pytest

from .running import BAD, RULE, designlint

if TYPE_CHECKING:
    from pathlib import Path


class Session:
    """A watching run in a folder, and what it printed so far."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.run = subprocess.Popen(
            [sys.executable, "-m", "designlint", "check", *arguments, "--watch", "--format", "concise"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
            start_new_session=True,
        )
        self.lines: Queue[str] = Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.run.stdout is not None
        for line in self.run.stdout:
            self.lines.put(line)

    def round(self, seconds: float = 60) -> str:
        """What the next check printed."""
        told, end = "", time.monotonic() + seconds
        while "Ctrl-C ends" not in told:
            try:
                told += self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except Empty:
                raise AssertionError(f"no check came; so far: {told}") from None
        return told

    def end(self) -> int:
        """The exit code after an interrupt."""
        os.killpg(self.run.pid, signal.SIGINT)
        code = self.run.wait(timeout=30)
        self.reader.join()
        assert self.run.stdout is not None
        self.run.stdout.close()
        return code


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts a group of processes")
def test_a_session(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / ".git").mkdir()
    base, design = tmp_path / "base" / "base.yaml", tmp_path / "work" / "design.yaml"
    design.parent.mkdir()
    base.write_bytes(BAD)
    design.write_text("designlint: 1\nextends: ../base/base.yaml\nname: over\n", "utf-8")
    session = Session(tmp_path, "work/design.yaml")
    try:
        assert "tensor-beyond-scale-up-domain" in session.round()
        base.write_bytes(BAD.replace(b"tensor: 16", b"tensor: 8"))
        assert "tensor-beyond-scale-up-domain" not in session.round()
        design.write_text("designlint: 1\nextends: [", "utf-8")
        assert "syntax/" in session.round()
        design.unlink()
        assert "no such file" in session.round()
        design.write_bytes(BAD)
        assert "tensor-beyond-scale-up-domain" in session.round()
    finally:
        assert session.end() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts a group of processes")
def test_what_a_design_imports_is_watched(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    model, folder = tmp_path / "config.json", tmp_path / "work"
    folder.mkdir()
    (folder / "design.yaml").write_text(
        "designlint: 1\nworkloads:\n  - {name: pretrain, model: {from: ../config.json}}\n", "utf-8"
    )
    model.write_text('{"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096}\n', "utf-8")
    session = Session(tmp_path, "work/design.yaml")
    try:
        assert "import/" not in session.round()
        model.write_text('{"model_type": "llama", ', "utf-8")
        assert "import/" in session.round()
    finally:
        assert session.end() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts a group of processes")
def test_what_a_configuration_names_is_watched(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "design.yaml").write_bytes(BAD)
    (tmp_path / "work" / "designlint.toml").write_text('extend = "../shared/common.toml"\n', "utf-8")
    common, rule = tmp_path / "shared" / "common.toml", tmp_path / "rules" / "cluster" / "no-spare.yaml"
    for path in (common, rule):
        path.parent.mkdir(parents=True)
    common.write_text("", "utf-8")
    rule.write_text(RULE, "utf-8")
    session = Session(tmp_path, "work")
    try:
        assert "cluster/no-spare" not in session.round()
        common.write_text('rules = ["../rules"]\n', "utf-8")
        assert "train has 4 servers" in session.round()
        rule.write_text(RULE.replace("has {count} servers", "has only {count}"), "utf-8")
        assert "train has only 4" in session.round()
    finally:
        assert session.end() == 0


def test_standard_input_cannot_be_watched() -> None:
    run = designlint("check", "-", "--watch", stdin=BAD)
    assert run.code == 2
    assert "cannot be watched" in run.err
