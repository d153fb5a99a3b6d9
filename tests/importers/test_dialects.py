"""Programs that use names in their own sense, and scripts that only look as if they said something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import at, plain, read

pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.importers import Imported


def script(tmp_path: Path, body: str) -> tuple[dict[str, Any], Imported]:
    found = read(tmp_path, {"train.sbatch": "#!/bin/bash\n" + body})
    (words,) = plain(found.words["workloads"])
    return words, found


def test_the_global_batch_of_olmo_core_is_in_tokens(tmp_path: Path) -> None:
    start = "torchrun train.py --dataset.sequence_length=8192 --train_module.optim.lr=1e-4 --global_batch_size="
    words, _ = script(tmp_path, start + "$((8192 * 32))\n")
    assert (words["model"]["sequence"], words["parallelism"]["global_batch"]) == ("8192", "32")
    assert "parallelism" not in script(tmp_path, start + "100000\n")[0], "no whole number of sequences"


def test_the_sequence_of_a_language_model_behind_images_is_its_own(tmp_path: Path) -> None:
    start = "torchrun train.py --num-layers 60 --seq-length 261 --decoder-seq-length 3200\n"
    assert script(tmp_path, start)[0]["model"]["sequence"] == "3200"
    start = "torchrun train.py --num-layers 12 --seq-length 512 --encoder-seq-length 512 --decoder-seq-length 128\n"
    assert script(tmp_path, start)[0]["model"]["sequence"] == "512"


@pytest.mark.parametrize(
    ("options", "gpus"),
    [
        ("trainer.devices=8 trainer.num_nodes=4", "8"),
        ("--trainer.devices 8 --trainer.num_nodes 4", "8"),
        ("--accelerator gpu --devices 2", "2"),
        ("--devices 2", None),
        ("--accelerator cpu --devices 2", None),
    ],
)
def test_gpus_as_lightnings_trainer_counts_them(tmp_path: Path, options: str, gpus: str | None) -> None:
    words, found = script(tmp_path, f"#SBATCH --nodes=4\nsrun python train.py {options}\n")
    assert (words["job"].get("gpus_per_server"), found.clashes) == (gpus, [])
    words, found = script(tmp_path, f"#SBATCH --nodes=2\nsrun python train.py {options}\n")
    assert [one.rule for one in found.clashes] == (["import/conflict"] if "num_nodes" in options else [])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("run_text_generation_server.py", "inference"),
        ("infer.py", "inference"),
        ("pretrain_gpt.py", "pretraining"),
        ("train_generator.py", None),
    ],
)
def test_a_script_that_generates_trains_nothing(tmp_path: Path, name: str, kind: str | None) -> None:
    assert script(tmp_path, f"torchrun --nproc_per_node 8 {name} --num-layers 32\n")[0].get("kind") == kind


def test_a_script_that_generates_has_no_use_for_what_only_training_has(tmp_path: Path) -> None:
    options = (
        "--num-layers 32 --tensor-model-parallel-size 8 --save-interval 1000 --train-iters 5 --recompute-activations"
    )
    words, _ = script(tmp_path, f"torchrun --nproc_per_node 8 text_generation_ptq.py {options}\n")
    assert (words["kind"], words["parallelism"]) == ("inference", {"tensor": "8"})
    assert not {"checkpoint", "targets"} & words.keys()


def test_a_text_that_ends_in_a_script_is_a_command_and_no_script(tmp_path: Path) -> None:
    launcher = "LAUNCHER=\"torchrun --nnodes 2 --nproc_per_node 8 --role \\$(hostname -s|tr -dc '0-9'): \"\n"
    words, found = script(tmp_path, f'{launcher}srun bash -c "$LAUNCHER train.py"\n')
    assert (words["job"]["servers"], words["job"]["gpus_per_server"]) == ("2", "8")
    assert [one.value.text for one in found.facts if one.name == "launch"] == ["torchrun train.py"]


def test_options_after_a_command_are_no_options(tmp_path: Path) -> None:
    late = "#SBATCH --job-name=a\nset -e\n#SBATCH --nodes=4\n#SBATCH --time=1:00:00\nsrun torchrun train.py\n"
    words, found = script(tmp_path, late)
    assert "servers" not in words["job"]
    (clash,) = found.clashes
    assert (clash.rule, clash.at.line, clash.values["line"]) == ("import/option-after-command", 4, 3)
    assert clash.values["more"] == " and 1 more option"


@pytest.mark.parametrize(
    "body",
    [
        "cat <<EOF > job.sbatch\n#SBATCH --nodes=4\nEOF\nsrun torchrun train.py\n",
        'TEXT="\n#SBATCH --nodes=4\n"\nsrun torchrun train.py\n',
        "set -e\n##SBATCH --nodes=4\n#SBATCH\nsrun torchrun train.py\n",
    ],
)
def test_what_looks_like_an_option_in_a_text_is_none(tmp_path: Path, body: str) -> None:
    assert script(tmp_path, "#SBATCH --time=1:00:00\n" + body)[1].clashes == []


def test_variables_stand_in_the_order_of_the_script(tmp_path: Path) -> None:
    names = ["NCCL_IB_TIMEOUT", "NCCL_CROSS_NIC", "NCCL_DEBUG", "NCCL_SOCKET_IFNAME", "NCCL_ALGO"]
    exports = "".join(f"export {name}=1\n" for name in names)
    words, _ = script(tmp_path, exports + "torchrun --nproc_per_node 8 train.py\n")
    assert [one.upper() for one in words["environment"]] == names


def test_openclip_states_the_batch_of_a_gpu(tmp_path: Path) -> None:
    run = "srun python -m {}.main --dataset-type webdataset --batch-size=375 --accum-freq 2 --workers=8 --grad-checkpointing\n"
    for module in ("open_clip_train", "training", "src.training"):
        found = read(tmp_path, {"clip.sh": f"#!/bin/bash\n{run.format(module)}"})
        assert plain(found.words["workloads"])[0]["parallelism"] == {
            "micro_batch": "375", "gradient_accumulation": "2", "recompute": "full",
        }  # fmt: skip
        assert at(found, "workloads/0/job/data_loader_workers").text == "8"
    other = read(tmp_path, {"own.sh": "#!/bin/bash\npython -m training.main --batch-size 375\n"})
    assert "parallelism" not in plain(other.words["workloads"])[0]


HOSTS = "# our rack\nnode1 slots=8\nnode2 slots=8\n#node3 slots=8\nnode4 slots=8\n"


@pytest.mark.parametrize(
    ("options", "servers", "gpus"),
    [
        ("", "3", "8"), ("--num_nodes 2", "2", "8"), ("--num_nodes 5", "5", "8"), ("--num_gpus 4", "3", "4"),
        ("--include node1@node2", None, None), ("--hostfile elsewhere", None, None),
    ],
)  # fmt: skip
def test_deepspeed_takes_its_servers_from_a_hostfile(
    options: str, servers: str | None, gpus: str | None, tmp_path: Path
) -> None:
    run = f"deepspeed --hostfile=hosts {options} train.py\n"
    found = read(tmp_path, {"run.sh": f"#!/bin/bash\n{run}", "+hosts": HOSTS})
    job = plain(found.words["workloads"])[0].get("job", {})
    assert (job.get("servers"), job.get("gpus_per_server")) == (servers, gpus)
    assert bool(found.clashes) == ("5" in options)  # fewer servers than the command wants
    assert all(not one.unclear for one in found.accounts())
