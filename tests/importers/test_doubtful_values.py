"""What scripts leave in doubt: launches that differ, texts for numbers, files that are not there; the shell's own numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from designlint.importers import How
from designlint.importers.shell import arithmetic
from designlint.importers.shell.strings import substitute
from tests.importers.helpers import at, plain, read

if TYPE_CHECKING:
    from pathlib import Path

SHAPE = "--num-layers 24 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 --micro-batch-size 1"


def launch(degree: str, script: str = "pretrain_gpt.py") -> str:
    """A command that trains with a tensor-parallel degree."""
    return f"torchrun --nproc-per-node 8 {script} {SHAPE} --tensor-model-parallel-size {degree}\n"


def split(folder: Path, text: str) -> Any:
    """How the only workload of a script is split."""
    (words,) = plain(read(folder, {"run.sh": f"#!/bin/bash\n{text}"}).words["workloads"])
    return words.get("parallelism", {})


@pytest.mark.parametrize(
    ("text", "degree"),
    [
        (launch("2") + launch("2"), "2"),
        (launch("2") + launch("4"), None),
        (launch("2") + launch("4", "evaluate.py"), "2"),
        (f"run() {{\n{launch('$1')}}}\nrun 2\nrun 4\n", None),
        (f"if ssh node true; then\n{launch('2')}else\n{launch('4')}fi\n", None),
        (f"{launch('2')}if ssh node true; then\n{launch('4')}fi\n", "2"),
        (launch("2 --bf16") + launch("2"), "2"),
    ],
)
def test_launches_of_one_program_state_what_they_agree_on(tmp_path: Path, text: str, degree: str | None) -> None:
    assert split(tmp_path, text).get("tensor") == degree


def test_a_switch_of_one_launch_alone_is_in_doubt(tmp_path: Path) -> None:
    (words,) = plain(read(tmp_path, {"run.sh": launch("2 --bf16") + launch("2")}).words["workloads"])
    assert "precision" not in words


def test_a_text_for_a_number_is_no_default(tmp_path: Path) -> None:
    found = read(tmp_path, {"run.sh": launch("DEGREE")})
    assert "tensor" not in plain(found.words["workloads"])[0]["parallelism"]
    assert [one.why for one in found.unknowns] == ["tensor-model-parallel-size: DEGREE is no number"]


@pytest.mark.parametrize(("lines", "how"), [("source gone.sh", How.DEFAULT), ("source venv/bin/activate", How.STATED)])
def test_a_file_that_is_not_there_may_replace_what_stands_before(tmp_path: Path, lines: str, how: How) -> None:
    found = read(tmp_path, {"run.sh": f"#!/bin/bash\nTP=2\n{lines}\nMB=4\n{launch('$TP --global-batch-size $MB')}"})
    assert at(found, "workloads/0/parallelism/tensor").how is how
    assert at(found, "workloads/0/parallelism/global_batch").how is How.STATED


def test_srun_takes_a_number_behind_its_letter(tmp_path: Path) -> None:
    header = "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --gpus-per-node=8\n"
    found = read(tmp_path, {"run.sh": f"{header}srun -N2 {launch('2')}srun -N2 python serve.py\n"})
    (words,) = plain(found.words["workloads"])
    assert (words["job"]["servers"], words.get("runs_on")) == ("4", None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("010 + 0x10", 24),
        ("2 ** 3", 8),
        ("8 > 4 ? 2 : 1", 2),
        ("0 ? 1 : 7 - 4", 3),
        ("007", 7),
        ("08", None),
        ("2 ** -1", None),
    ],
)
def test_numbers_are_the_shells(text: str, value: int | None) -> None:
    assert arithmetic.evaluate(text, lambda _: None) == value


@pytest.mark.parametrize(
    ("rest", "value"), [(":4", "08"), (": -1", "8"), (":(-2)", "08"), (":0:4", "node"), (":9", ""), (":-x", None)]
)
def test_parts_of_a_text(rest: str, value: str | None) -> None:
    assert substitute("node08", rest) == value


@pytest.mark.parametrize(
    ("text", "degree"),
    [
        (f"until {launch('2').strip()}; do sleep 60; done\n", "2"),
        ("case a in a) TP=1;& b) TP=2;; *) TP=8;; esac\n" + launch("$TP"), "2"),
        ("case b in a) TP=1;& b) TP=2;; *) TP=8;; esac\n" + launch("$TP"), "2"),
        ("case c in a) TP=1;& b) TP=2;; *) TP=8;; esac\n" + launch("$TP"), "8"),
        (f'sbatch --nodes=4 --wrap="{launch("2").strip()}"\n', "2"),
        (f"sbatch --wrap '{launch('2').strip()}'\n", "2"),
        ("sbatch --nodes=4 train.sbatch\n", None),
    ],
)
def test_commands_stand_in_heads_of_loops_and_in_options(tmp_path: Path, text: str, degree: str | None) -> None:
    assert split(tmp_path, text).get("tensor") == degree


def test_accelerate_starts_as_a_module_and_sbatch_counts_servers(tmp_path: Path) -> None:
    inner = (
        "python -m accelerate.commands.launch --num_machines 2 --num_processes 16 t.py --per_device_train_batch_size 4"
    )
    for text in (inner, f'sbatch -N2 --gpus-per-node=8 --wrap="{inner}"'):
        (words,) = plain(read(tmp_path, {"run.sh": f"#!/bin/bash\n{text}\n"}).words["workloads"])
        assert (words["job"]["servers"], words["job"]["gpus_per_server"]) == ("2", "8")


@pytest.mark.parametrize("part", ["while read line; do TP=4; done", "read TP", "(TP=4; cat)"])
def test_what_a_part_of_a_pipeline_sets_is_gone_afterwards(tmp_path: Path, part: str) -> None:
    assert split(tmp_path, f"TP=2\necho 8 | {part}\n{launch('$TP')}").get("tensor") == "2"
    assert split(tmp_path, launch("2 | tee log")).get("tensor") == "2"
