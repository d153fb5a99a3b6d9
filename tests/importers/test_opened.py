"""Where a file lies that another one names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = "#!/bin/bash\nsource configs/sizes.sh\nsrun torchrun --nnodes $N --nproc_per_node 8 train.py\n"


@pytest.mark.parametrize("where", ["jobs/large/configs", "jobs/configs", "configs"])
def test_a_file_lies_beside_the_script_or_below_a_folder_above(tmp_path: Path, where: str) -> None:
    found = read(tmp_path, {"jobs/large/train.sh": SCRIPT, f"+{where}/sizes.sh": "N=4\n"})
    (words,) = plain(found.words["workloads"])
    assert words["job"]["servers"] == "4"
    assert [one.file for one in found.sources] == ["jobs/large/train.sh", f"{where}/sizes.sh"]


def test_the_nearest_file_is_read_and_none_outside(tmp_path: Path) -> None:
    inside = tmp_path / "repository"
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "sizes.sh").write_text("N=16\n")
    found = read(inside, {"jobs/train.sh": SCRIPT})
    assert "servers" not in plain(found.words["workloads"])[0]["job"]
    found = read(inside, {"jobs/train.sh": SCRIPT, "+jobs/configs/sizes.sh": "N=2\n", "+configs/sizes.sh": "N=4\n"})
    assert plain(found.words["workloads"])[0]["job"]["servers"] == "2"


def test_of_two_folders_above_none_is_chosen(tmp_path: Path) -> None:
    files = {"jobs/large/train.sh": SCRIPT, "+jobs/configs/sizes.sh": "N=2\n", "+configs/sizes.sh": "N=4\n"}
    found = read(tmp_path, files)
    assert "servers" not in plain(found.words["workloads"])[0]["job"]
    [account] = found.accounts()
    assert account.unclear == (2,), "the line that sources the file is not understood"
