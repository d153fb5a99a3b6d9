"""Servers, tasks, processes and GPUs: which count an option gives, and of what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import at, plain, read
from tests.running import designlint

pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.importers import Imported

HEADER = "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=1\n#SBATCH --time=1:00:00\n"
CLUSTER = "designlint: 1\nname: hawk\nnodes: [{name: train, model: dgx-h100, count: 8}]\n"


def script(tmp_path: Path, text: str) -> tuple[dict[str, Any], Imported]:
    found = read(tmp_path, {"train.sbatch": text})
    (words,) = plain(found.words["workloads"])
    return words, found


def rules(tmp_path: Path, text: str) -> set[str]:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    (tmp_path / "train.sbatch").write_text(text)
    done = designlint("check", "train.sbatch", "--design", "cluster.yaml", "--format", "json", cwd=tmp_path)
    return {one["rule"] for one in done.data["findings"]}


@pytest.mark.parametrize("header", ["", "#SBATCH --gpus-per-node=8\n"])
def test_processes_of_accelerate_are_gpus_and_no_tasks_of_slurm(tmp_path: Path, header: str) -> None:
    start = "srun accelerate launch --num_machines 4 --num_processes 32 train.py --bf16 true\n"
    words, found = script(tmp_path, HEADER + header + start)
    assert (words["job"]["gpus_per_server"], words["runs_on"]["gpus"]) == ("8", "32")
    assert "tasks" not in words["job"]
    assert found.clashes == []
    assert "scheduling/tasks-beyond-places" not in rules(tmp_path, HEADER + header + start)


def test_processes_of_accelerate_on_cpus_are_no_gpus(tmp_path: Path) -> None:
    words, _ = script(tmp_path, HEADER + "srun accelerate launch --cpu --num_machines 4 --num_processes 32 train.py\n")
    assert "gpus_per_server" not in words["job"]
    words, _ = script(tmp_path, HEADER + "srun accelerate launch --num_processes 256 train.py\n")
    assert "gpus_per_server" not in words["job"], "no server has 64 GPUs"


def test_fewer_processes_than_gpus_are_no_contradiction(tmp_path: Path) -> None:
    start = "#SBATCH --gres=gpu:4\naccelerate launch --num_machines 4 --num_processes 12 train.py\n"
    words, found = script(tmp_path, HEADER + start)
    assert (words["job"]["gpus_per_server"], found.clashes) == ("4", [])


@pytest.mark.parametrize("option", ["--gpus=a100:4", "-G 4", "--gpus-per-task=4"])
def test_gpus_of_a_job_on_one_server_are_that_servers(tmp_path: Path, option: str) -> None:
    header = f"#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --ntasks-per-node=1\n#SBATCH {option}\n"
    words, found = script(tmp_path, header + "srun python train.py\n")
    assert (words["job"]["gpus_per_server"], words["job"].get("gpu")) == ("4", "a100" if "a100" in option else None)
    assert not any("gpus_per_server" in one.word for one in found.unknowns)


def test_gpus_of_several_servers_may_be_divided_unevenly(tmp_path: Path) -> None:
    header = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gpus=8\n"
    words, found = script(tmp_path, header + "srun python train.py\n")
    assert (words["runs_on"]["gpus"], words["job"].get("gpus_per_server")) == ("8", None)
    assert [one.why for one in found.unknowns if "gpus_per_server" in one.word] == [
        "--gpus=8 counts the GPUs of all servers together"
    ]


@pytest.mark.parametrize("option", ["--gpus=0", "--gres=gpu:0", "--gpus-per-node=0"])
def test_no_gpus_are_no_request(tmp_path: Path, option: str) -> None:
    words, _ = script(tmp_path, f"#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH {option}\nsrun torchrun train.py\n")
    assert ("gpus_per_server" in words["job"], "runs_on" in words) == (False, False)
    assert words["job"]["requests_gpus"] == "false"


def test_tasks_of_one_step_are_not_those_of_the_job(tmp_path: Path) -> None:
    header = "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=8\n"
    words, _ = script(tmp_path, header + "srun --ntasks=4 --ntasks-per-node=1 torchrun --nnodes 4 train.py\n")
    assert (words["job"]["tasks_per_server"], "tasks" in words["job"]) == ("8", False)


@pytest.mark.parametrize(("given", "servers"), [("4:4", "4"), ("1:4", None)])
def test_elastic_servers_are_a_number_where_both_bounds_agree(tmp_path: Path, given: str, servers: str | None) -> None:
    words, found = script(tmp_path, f"#!/bin/bash\ntorchrun --nnodes={given} --nproc-per-node=8 train.py\n")
    assert words["job"].get("servers") == servers
    assert any(one.name == "servers, from and to" for one in found.facts) == (servers is None)


def test_ranks_that_open_mpi_maps_to_each_server(tmp_path: Path) -> None:
    words, _ = script(tmp_path, "#!/bin/bash\nmpirun -np 16 --map-by ppr:8:node /opt/all_reduce_perf -b 8\n")
    assert (words["job"]["tasks"], words["job"]["tasks_per_server"], words["job"]["gpus_per_server"]) == (
        "16",
        "8",
        "8",
    )


@pytest.mark.parametrize(
    ("header", "options", "tasks", "each"),
    [
        ("-n 192", "--map-by ppr:8:node", None, "8"),
        ("-n 192", "-np 16 -N 8", "16", "8"),
        ("--ntasks-per-node=96", "-np 16 --npernode 8", "16", "8"),
        ("--ntasks-per-node=4", "-np 16 -N 8", "16", "4"),  # fewer places than ranks: a fault
        ("-n 16", "", "16", None),
    ],
)
def test_tasks_of_the_header_are_places_where_open_mpi_places_its_ranks(
    tmp_path: Path, header: str, options: str, tasks: str | None, each: str | None
) -> None:
    words, _ = script(tmp_path, f"#!/bin/bash\n#SBATCH -N 2 {header}\nmpirun {options} /opt/all_reduce_perf -b 8\n")
    assert (words["job"].get("tasks"), words["job"].get("tasks_per_server")) == (tasks, each)


def test_an_image_of_shifter_is_the_jobs(tmp_path: Path) -> None:
    header = "#!/bin/bash\n#SBATCH --image=nersc/pytorch:24.08.01\n"
    assert script(tmp_path, header + "srun shifter python train.py\n")[0]["job"]["image"] == "nersc/pytorch:24.08.01"


def test_a_script_of_which_nothing_is_known_but_its_start_is_a_job(tmp_path: Path) -> None:
    start = "#!/bin/bash\nsrun torchrun --nnodes $SLURM_NNODES --nproc-per-node $SLURM_GPUS_ON_NODE train.py\n"
    assert "import/not-read" not in rules(tmp_path, start)
    assert "import/not-read" in rules(tmp_path, "#!/bin/bash\npython clean.py\n")


def test_what_a_launcher_starts_goes_before_what_python_runs_alone(tmp_path: Path) -> None:
    start = "accelerate launch --num_machines 1 --num_processes 8 train.py $2\n"
    after = "python merge.py --num-layers 32 --hidden-size 4096 --seq-length 2048\n"
    words, _ = script(tmp_path, "#!/bin/bash\n" + start + after)
    assert (words["job"]["gpus_per_server"], "model" in words) == ("8", False)


HET = """\
#!/bin/bash
#SBATCH --job-name=reasoning --partition=gpu --time=1:00:00
#SBATCH --nodes=6 --gpus-per-node=8
#SBATCH hetjob
#SBATCH --nodes=3 --gpus-per-node=4 --partition=gpu
srun --het-group=0 torchrun train.py
"""


def test_components_of_a_heterogeneous_job_are_no_later_lines_of_one_header(tmp_path: Path) -> None:
    words, found = script(tmp_path, HET)
    assert (words["job"]["component_servers"], words["job"]["walltime"], words["job"]["partition"]) == (
        "9",
        "1 h",
        "gpu",
    )
    assert ("servers" in words["job"], "gpus_per_server" in words["job"]) == (False, False)
    (why,) = [one.why for one in found.unknowns if one.word.endswith("job/servers")]
    assert why == "the job has several components: its steps decide which of their servers they use"
    assert "scheduling/components-beyond-pool" in rules(tmp_path, HET)
    assert "scheduling/components-beyond-pool" not in rules(tmp_path, HET.replace("--nodes=6", "--nodes=5"))


@pytest.mark.parametrize(
    "change",
    [("--partition=gpu\nsrun", "--partition=other\nsrun"), ("--nodes=3 ", ""), ("--nodes=3", "--nodes=3 -C a100")],
)
def test_components_of_several_kinds_are_not_added_up(tmp_path: Path, change: tuple[str, str]) -> None:
    assert "component_servers" not in script(tmp_path, HET.replace(*change))[0]["job"]


def test_a_command_that_sees_some_gpus_does_not_count_those_of_the_server(tmp_path: Path) -> None:
    header = "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --gpus-per-node=8\n"
    run = "torchrun --nproc_per_node=1 train.py"
    some = read(tmp_path, {"train.sbatch": f"{header}for i in 0 1; do\n  CUDA_VISIBLE_DEVICES=$i {run} &\ndone\n"})
    assert (plain(some.words["workloads"])[0]["job"]["gpus_per_server"], some.clashes) == ("8", [])
    assert [one.rule for one in read(tmp_path, {"all.sbatch": f"{header}{run}\n"}).clashes] == ["import/conflict"]


def test_a_short_option_of_the_header_may_be_quoted_either_way(tmp_path: Path) -> None:
    text = "#!/bin/bash\n#SBATCH -N 2 -C 'gpu&hbm80g' -t \"0:30:00\"\nsrun torchrun train.py\n"
    found = read(tmp_path, {"run.sh": text})
    assert at(found, "workloads/0/job/constraint").text == "gpu&hbm80g"
    assert at(found, "workloads/0/job/walltime").text == "30 min"


def test_expr_computes_as_the_shell_does(tmp_path: Path) -> None:
    text = (
        "#!/bin/bash\n#SBATCH -N 2\nG=4\nsrun accelerate launch --num_machines 2 "
        "--num_processes $(expr $SLURM_NNODES \\* $G) train.py\n"
    )
    assert at(read(tmp_path, {"run.sh": text}), "workloads/0/runs_on/gpus").text == "8"
