"""Where messages say that another file says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import read

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("names", "where"),
    [(("slurm/nodes.conf", "gres/nodes.conf"), "gres/nodes.conf:1"), (("a/slurm.conf", "a/gres.conf"), "gres.conf:1")],
)
def test_a_file_that_contradicts_one_of_another_folder_is_named_with_its_own(
    names: tuple[str, str], where: str, tmp_path: Path
) -> None:
    lines = ("NodeName=n[1-4] Gres=gpu:8\n", "NodeName=n[1-4] Name=gpu File=/dev/nvidia[0-3]\n")
    found = read(tmp_path, dict(zip(names, lines, strict=True)))
    assert [one.values["where"] for one in found.clashes if one.rule == "import/conflict"] == [where]
