"""Values in a batch header that sbatch refuses or that contradict each other; numbers that are not the job's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.language import constraints
from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")

HEADER = "#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node=4 %s\nsrun python train.py\n"


@pytest.mark.parametrize(
    ("options", "clashes"),
    [
        ("--gpus-per-node=4 --signal=B:USR1@300", []),
        ("--gpus-per-node=4 --signal=SIGTERM@300", []),
        ("--gpus-per-node=4 --signal=10", []),
        ("--gpus-per-node=4 --signal=B:URS1@300", [("not-a-value", "text", "URS1")]),
        ("--gpus-per-node=4 --open-mode=apend", [("not-a-value", "text", "apend")]),
        ("--gpus-per-node=4 --gres=gpu:4", []),
        ("--gpus-per-node=h100:4 --gres=gpu:2", [("conflict", "other", "2")]),
        ("--gpus-per-node=4 --gres=nvme:2", []),
        ("--gpus-per-node=4 --mem=64GBs", [("not-a-value", "text", "64GBs")]),
        ("--gpus-per-node=4 --mem=64GB --tmp=1.5T", []),
        ("--gpus-per-node=4 --distribution=blok:block", [("not-a-value", "text", "blok")]),
        ("--gpus-per-node=4 --distribution=plane=4", []),
        ("--gres:gpu=4", [("misspelt-key", "proposal", "--gres")]),
    ],
)
def test_values_that_sbatch_refuses(options: str, clashes: list[tuple[str, str, str]], tmp_path: Path) -> None:
    found = read(tmp_path, {"a.sbatch": HEADER.replace("%s", options)}).clashes
    assert [
        (one.rule.partition("/")[2], key, one.values.get(key)) for one, (_, key, _) in zip(found, clashes, strict=True)
    ] == clashes


@pytest.mark.parametrize(("hosts", "tasks"), [("", "64"), ("--hostfile hosts", None), ("-H a,b", None)])
def test_ranks_on_servers_of_a_list_are_not_those_of_the_header(hosts: str, tasks: str | None, tmp_path: Path) -> None:
    start = f"mpirun -np 64 {hosts} python train.py"
    found = read(tmp_path, {"a.sbatch": HEADER.replace("srun python train.py", start).replace("%s", "")})
    assert plain(found.words["workloads"])[0]["job"].get("tasks") == tasks


def test_a_number_of_layers_that_is_left_out_is_not_zero(tmp_path: Path) -> None:
    start = 'torchrun --nproc_per_node 8 train.py --num_layers "${LAYERS:-0}" --recompute_modules LlamaDecoderLayer'
    (words,) = plain(read(tmp_path, {"a.sh": f"{start}\n"}).words["workloads"])
    assert "layers" not in words.get("model", {})
    assert "recompute_modules" not in words.get("parallelism", {})


@pytest.mark.parametrize(
    ("text", "labels", "met"),
    [
        ("gpu&hbm80g", "gpu hbm80g", True),
        ("gpu&hbm80g", "gpu hbm40g", False),
        ("[h100|h200]", "h200", True),
        ("h100|h200", "a100", False),
        ("'a100'", "a100", True),
        ("[a100*2&h200*4]", "a100", None),
        ("a&b|c", "a", None),
    ],
)
def test_constraints_with_operators(text: str, labels: str, met: bool | None) -> None:
    assert constraints.meets(text, labels.split().__contains__) is met


@pytest.mark.parametrize(
    ("label", "meant"),
    [("gpu-80", "gpu80"), ("hmb80g", "hbm80g"), ("h100", ""), ("gpu80", ""), ("GPU80", "gpu80"), ("gpu8O", "gpu80")],
)
def test_a_misspelt_label_has_the_same_numbers(label: str, meant: str) -> None:
    assert constraints.near_label(label, ["gpu80", "hbm80g", "a100"]) == meant
