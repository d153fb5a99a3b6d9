"""Processors by the names that people give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.running import designlint

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("cpu", "cores"),
    [
        ("Intel(R) Xeon(R) Platinum 8480C", "112"),
        ("xeon 8480c", "112"),
        ("8480C", "112"),
        ("AMD EPYC 9575F 64-Core Processor", "128"),
        ("Xeon 6 6776P", "128"),
        ("Xeon Platinum 8592+", "128"),
    ],
)
def test_a_processor_is_known_by_each_of_its_names(tmp_path: Path, cpu: str, cores: str) -> None:
    file = tmp_path / "design.yaml"
    file.write_text(
        f"designlint: 1\nnodes: [{{name: train, gpus: 8, sockets: 2, cpu: {cpu}, cpu_cores: 4096}}]\n", "utf-8"
    )
    found = designlint("check", file, "--format", "concise").out
    assert f"train states 4096 cores; 2 of {cpu} have {cores}" in found
