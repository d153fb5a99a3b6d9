"""What comments say of a model, and the numbers for which no branch of a script applies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

RUN = "torchrun pretrain_gpt.py --num-layers 36 --hidden-size 4096 --tensor-model-parallel-size ${TP}\n"


@pytest.mark.parametrize(
    ("above", "wanted"),
    [
        ("# Model parameters, defaults to 39B model\n# see page 8\n", "39000000000"),
        ("# llama2-70b-hf.\n", "70000000000"),
        ("# 1.3 B parameters\nSEQ=2048\n", "1300000000"),
        ("# trains on 450B tokens\n", None),
        ("# 8x7B experts\n", None),
        ("# Qwen3 A22B\n", None),
        ("# 8B; for 70B take 80 layers\n", None),
        ("# 39B model\n\n", None),
        ("#SBATCH --comment=39B\n", None),
    ],
)
def test_the_comment_right_above_the_layers_names_a_size(tmp_path: Path, above: str, wanted: str | None) -> None:
    text = f"#!/bin/bash\n#SBATCH --nodes=2\nTP=8\n\n{above}LAYERS=36\n{RUN.replace('layers 36', 'layers $LAYERS')}"
    (job,) = plain(read(tmp_path, {"train.sbatch": text}).words["workloads"])
    assert job["job"].get("remarked_parameters") == wanted


LOW, HIGH = "if [ $N -le 4 ]; then\n  TP=4\n", "elif [[ $N -ge 8 ]]; then\n  TP=8\n"


@pytest.mark.parametrize(
    ("chain", "wanted"),
    [
        (f"{LOW}{HIGH}fi\n", ["5 to 7"]),
        ("if [ $N -le 4 ]; then TP=4; elif [ $N -ge 8 ]; then TP=8; fi\n", ["5 to 7"]),
        (f"{LOW}elif (( N == 6 )); then\n  TP=6\n{HIGH}fi\n", []),
        (f"{LOW}{HIGH.replace('-ge 8', '-ge 6')}fi\n", ["5"]),
        (f"{LOW}{HIGH.replace('-ge 8', '-gt 4')}fi\n", []),
        (f"{LOW}{HIGH}else\n  exit 1\nfi\n", []),
        (f"TP=2\n{LOW}{HIGH}fi\n", []),
        (f"{LOW}{HIGH.replace('$N', '$M')}fi\n", []),
        (f"{LOW}{HIGH.replace('TP=8', 'PP=8')}fi\n", []),
        (f"{LOW}fi\n", []),
    ],
)
def test_a_hole_between_branches_is_found_where_what_they_set_is_needed(
    tmp_path: Path, chain: str, wanted: list[str]
) -> None:
    found = read(tmp_path, {"train.sh": f"#!/bin/bash\n{chain}{RUN}"})
    holes = [one.values for one in found.clashes if one.rule == "import/branch-leaves-unset"]
    assert [one["gap"] for one in holes] == wanted
    assert all((one["variable"], one["names"]) == ("N", "TP") for one in holes)


def test_a_default_at_the_place_of_use_fills_the_hole(tmp_path: Path) -> None:
    found = read(tmp_path, {"train.sh": f"#!/bin/bash\n{LOW}{HIGH}fi\n{RUN.replace('${TP}', '${TP:-8}')}"})
    assert not found.clashes
