"""Launch scripts: what they say without being run, and what stays unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import at, place, plain, read

pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.importers import Imported

HEADER = "#!/bin/bash\n#SBATCH --nodes=4 # of the new rack\n#SBATCH --gres=gpu:h100:8\n##SBATCH --nodes=64\n#SBATCH -t 1-12:30\n"
RUN = "srun torchrun --nproc_per_node 8 --nnodes $SLURM_NNODES pretrain_gpt.py "


def script(tmp_path: Path, body: str, header: str = HEADER, **settings: str) -> tuple[dict[str, Any], Imported]:
    found = read(tmp_path, {"train.sbatch": header + body}, settings=settings)
    (words,) = plain(found.words["workloads"])
    return words, found


def test_the_header_counts_and_later_comments_do_not(tmp_path: Path) -> None:
    words, found = script(tmp_path, "echo hello\n#SBATCH --nodes=99\n")
    assert words["job"] == {
        "servers": "4", "gpus_per_server": "8", "gpu": "h100", "walltime": "2190 min", "states_walltime": "true",
        "leaves_in_time": "false", "submitted_to": "slurm",
    }  # fmt: skip
    assert words["runs_on"] == {"gpus": "32"}
    assert place(at(found, "workloads/0/job/servers")) == ("train.sbatch", 2, "4")


def test_arrays_defaults_concatenation_and_continuations(tmp_path: Path) -> None:
    body = (
        ': "${TP:=4}"\nPP=${PP:-2}\nARGS=(\n  --tensor-model-parallel-size $TP  # inside a server\n'
        '  --pipeline-model-parallel-size "$PP"\n)\nMODEL="--num-layers 36 \\\n  --hidden-size $((32 * 128))"\n'
        'MODEL="$MODEL --num-attention-heads 32"\nARGS+=(--train-samples 220_000_000)\n'
        + RUN
        + '"${ARGS[@]}" $MODEL --fp16\n'
    )
    words, found = script(tmp_path, body)
    assert words["parallelism"] | {"tensor": "4", "pipeline": "2"} == words["parallelism"]
    assert (words["model"]["layers"], words["model"]["hidden"], words["targets"]["samples"]) == (
        "36",
        "4096",
        "220000000",
    )
    tensor = at(found, "workloads/0/parallelism/tensor")
    assert (tensor.how, tensor.line) == ("default", 6)
    assert at(found, "workloads/0/model/heads").how == "stated"


def test_a_known_branch_is_taken_and_an_unknown_one_leaves_unknown(tmp_path: Path) -> None:
    body = (
        "if [[ $SLURM_NNODES -ge 4 ]]; then TP=8; else TP=4; fi\nif [ $ELSEWHERE = yes ]; then PP=2; fi\n"
        + RUN + "--tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP --num-layers 8\n"
    )  # fmt: skip
    words, found = script(tmp_path, body)
    assert words["parallelism"]["tensor"] == "8"
    assert [one.why for one in found.unknowns] == [
        "pipeline-model-parallel-size: it depends on the condition in line 7, which is not known"
    ]
    assert "pipeline" not in words["parallelism"]


def test_nothing_runs_and_what_a_command_would_say_is_unknown(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    body = (
        f"touch {mark}\nTP=$(touch {mark}; echo 8)\nMBS=`touch {mark}`\n"
        + RUN
        + "--tensor-model-parallel-size $TP --num-layers 8\n"
    )
    words, found = script(tmp_path, body)
    assert not mark.exists()
    assert "tensor" not in words["parallelism"]
    assert any("runs a command" in one.why for one in found.unknowns)


def test_an_unknown_argument_silences_the_defaults_of_the_framework(tmp_path: Path) -> None:
    known, _ = script(tmp_path, RUN + "--num-layers 8 --hidden-size 64\n")
    unknown, _ = script(tmp_path, RUN + "--num-layers 8 --hidden-size 64 $EXTRA\n")
    assert known["model"]["norm"] == "layernorm"
    assert "norm" not in unknown["model"]


def test_a_save_path_that_is_unknown_is_still_a_save(tmp_path: Path) -> None:
    assert script(tmp_path, RUN + "--num-layers 8\n")[0]["checkpoint"] == {"mode": "none"}
    assert "mode" not in script(tmp_path, RUN + "--num-layers 8 --save $WHERE --save-interval 9\n")[0]["checkpoint"]


def test_a_command_inside_bash_c_and_inside_single_quotes(tmp_path: Path) -> None:
    body = (
        "export ARGS='--tensor-model-parallel-size 2 --num-layers 8'\n"
        "srun bash -c 'python pretrain_gpt.py --node-rank $SLURM_PROCID $ARGS'\n"
    )
    words, _ = script(tmp_path, body)
    assert (words["parallelism"]["tensor"], words["model"]["layers"]) == ("2", "8")


def test_a_here_document_is_a_deepspeed_configuration_at_its_own_place(tmp_path: Path) -> None:
    body = (
        "STAGE=3\n"
        "MBS=4\n"
        "cat <<EOT > ds.json\n"
        "{\n"
        '  "train_micro_batch_size_per_gpu": $MBS,\n'
        '  "zero_optimization": {"stage": $STAGE}\n'
        "}\n"
        "EOT\n"
        "deepspeed train.py --deepspeed --deepspeed_config ds.json --num_layers 8\n"
    )
    words, found = script(tmp_path, body)
    assert (words["framework"], words["parallelism"]["zero_stage"], words["parallelism"]["micro_batch"]) == (
        "deepspeed",
        "3",
        "4",
    )
    assert place(at(found, "workloads/0/parallelism/zero_stage")) == ("train.sbatch", 6, "3")


def test_sourced_files_count_in_order_and_stay_inside(tmp_path: Path) -> None:
    files = {
        "config.sh": "source $(dirname ${BASH_SOURCE[0]})/common.sh\n"
        "source ../../outside.sh\n"
        "export MICRO_BATCH_SIZE=1\n"
        "export DGXNNODES=64\n",
        "+common.sh": "export MICRO_BATCH_SIZE=2\nexport TP=4\n",
    }
    found = read(tmp_path / "in" / "side", files)
    (words,) = plain(found.words["workloads"])
    assert words["parallelism"] == {"tensor": "4", "micro_batch": "1"}
    assert any("is outside" in one.why for one in found.unknowns)


def test_sizes_that_disagree_are_one_finding_with_both_places(tmp_path: Path) -> None:
    words, found = script(tmp_path, "srun torchrun --nnodes 8 --nproc_per_node 4 pretrain_gpt.py --num-layers 8\n")
    (clash,) = found.clashes
    assert words["job"]["launcher_servers"] == "8"
    assert (clash.rule, clash.at.line, clash.values["where"]) == ("import/conflict", 3, "train.sbatch:6")


def test_set_gives_what_the_submit_line_would(tmp_path: Path) -> None:
    header = "#!/bin/bash\n#SBATCH --gpus-per-node=8\n"
    words, found = script(tmp_path, RUN + "--num-layers 8\n", header)
    assert "servers" not in words["job"]
    assert "designlint import --set nodes=N" in [one.command for one in found.unknowns]
    words, _ = script(tmp_path, RUN + "--num-layers 8\n", header, nodes="64")
    assert (words["job"]["servers"], words["runs_on"]["gpus"]) == ("64", "512")


def test_mpirun_keeps_the_second_equals_sign(tmp_path: Path) -> None:
    words, _ = script(
        tmp_path, "mpirun -np 16 -x NCCL_IB_HCA==mlx5_0,mlx5_1 -x NCCL_IB_TC=41 all_reduce_perf -b 8 -g 1\n"
    )
    assert words["environment"] == {"nccl_ib_hca": "=mlx5_0,mlx5_1", "nccl_ib_tc": "41"}


def test_commented_presets_are_not_read(tmp_path: Path) -> None:
    body = "ARGS=(\n  --num-layers 32\n  # --num-layers 80\n)\n# ARGS=(--num-layers 126)\n" + RUN + '"${ARGS[@]}"\n'
    assert script(tmp_path, body)[0]["model"]["layers"] == "32"


def test_flags_that_are_not_understood_are_listed(tmp_path: Path) -> None:
    _, found = script(tmp_path, RUN + "--num-layers 8 \\\n  --lr 1e-4 \\\n  --frobnicate 7\n")
    (account,) = found.accounts()
    assert account.unclear == (8,)


@pytest.mark.parametrize(
    "body",
    [
        "x=a\nfor i in 1 2 3 4 5 6 7 8 9; do x=$x$x$x$x$x$x$x$x; done\n" + "y=$x\n" * 5,
        "a=1\n" + "".join(f"b{i}=$b{i - 1}$b{i - 1}\n" for i in range(1, 60)),
        "f() { f; f; }\nf\n",
        "source train.sbatch\n",
        "x=" + "$(" * 3000 + "\n",
        "((" * 2000,
        "if true; then " * 500,
        "echo " + "x" * 300_000 + "\n",
        "cat <<A\n" * 50,
        'X=${X:-${X:-${X}}}\npython a.py --n ${X//a/${X}} "${Y[@]}" ${!Z} ${Z@Q}\n',
    ],
)
def test_hostile_scripts_end(tmp_path: Path, body: str) -> None:
    found = read(tmp_path, {"train.sbatch": HEADER + body})
    assert found.sources or found.refused


def test_a_file_after_a_flag_is_its_value_and_no_key_of_a_configuration(tmp_path: Path) -> None:
    _, found = script(tmp_path, "deepspeed --hostfile hosts train.py --deepspeed --deepspeed_config ds.v2.json\n")
    assert not any(account.unclear for account in found.accounts())


DEGREES = "ARGS='--tensor-model-parallel-size 8 --micro-batch-size 1 --bf16'\n"


def test_flags_that_a_branch_may_add_are_open_and_all_others_stand(tmp_path: Path) -> None:
    body = (
        DEGREES + "MORE=(--pipeline-model-parallel-size 2)\nEXTRA=\n"
        'if [ $ELSEWHERE = yes ]; then ARGS="$ARGS --micro-batch-size 4 --fp8-format hybrid"\n'
        "MORE+=(--swiglu); EXTRA=--sequence-parallel; fi\n"
        + RUN
        + '--num-layers 32 --hidden-size 4096 $ARGS "${MORE[@]}" $EXTRA --context-parallel-size 4\n'
    )
    words, found = script(tmp_path, body)
    assert {"tensor": "8", "pipeline": "2", "context": "4"}.items() <= words["parallelism"].items()
    open_words = {"micro_batch", "sequence_parallel"}
    assert not open_words & words["parallelism"].keys()
    assert "gated" not in words["model"], "it may be gated; its default does not hold"
    assert "matmul" not in words.get("precision", {}), "BF16, or FP8"
    assert {one.word.rpartition("/")[2] for one in found.unknowns} >= open_words | {"swiglu", "fp8_format"}


def test_the_value_of_a_flag_that_branches_set_differently_is_open(tmp_path: Path) -> None:
    body = (
        'if [ $BIG = 1 ]; then ARGS="--tensor-model-parallel-size 8 --fp16"\n'
        'else ARGS="--tensor-model-parallel-size 2"; fi\n' + RUN + "$ARGS --num-layers 4 --seq-length 2048\n"
    )
    words, _ = script(tmp_path, body)
    assert "tensor" not in words["parallelism"]
    assert words["parallelism"]["pipeline"] == "1", "neither branch sets it"
    assert words["model"]["sequence"] == "2048"


def test_a_placeholder_hides_nothing_but_its_own_value(tmp_path: Path) -> None:
    body = (
        "DATA=<path to the data>\n" + RUN + "--num-layers 24 --data-path $DATA --load <checkpoint> --seq-length 1024\n"
    )
    words, found = script(tmp_path, body)
    assert (words["model"]["layers"], words["model"]["sequence"]) == ("24", "1024")
    assert all(one.why != "the syntax is not understood" for one in found.unknowns)
    words, _ = script(tmp_path, "cat <in >out\n" + RUN + "--num-layers 24\n")
    assert words["model"]["layers"] == "24", "a redirection stays one"


def test_arguments_in_variables_count_where_no_command_is_known(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "qwen.sh": '#!/bin/bash\nMODEL="--num-layers 36 --hidden-size 4096 --swiglu"\n'
            "SHORT=(--seq-length 1)\nLONG=(--seq-length 2)\n"
        },
    )
    (words,) = plain(found.words["workloads"])
    assert words["model"] == {"layers": "36", "hidden": "4096", "gated": "true"}, "two lengths, and no defaults"


def test_a_model_that_comes_from_a_checkpoint_has_no_defaults(tmp_path: Path) -> None:
    words, _ = script(tmp_path, RUN + "--num-layers 24 --use-checkpoint-args\n")
    assert words["model"] == {"layers": "24"}


def test_a_script_that_writes_other_files_is_a_script_and_a_log_is_none(tmp_path: Path) -> None:
    text = "cat <<EOF > slurm.conf\nNodeName=n[1-4] Gres=gpu:8\nClusterName=a\nEOF\n"
    assert read(tmp_path, {"setup.sh": "#!/bin/bash\n" + text}).formats == {"setup.sh": "launcher"}
    for name in ("train.out", "README.md", "ci.yaml"):
        assert read(tmp_path, {name: "x: 1\nexport A=1\ntorchrun train.py\n"}).refused


@pytest.mark.parametrize(
    ("image", "cuda"),
    [
        ("nvcr.io#nvidia/cuda:12.4.1-devel-ubuntu22.04", "12.4"),
        ("pytorch/pytorch:2.3.0-cuda11.8-cudnn8-devel", "11.8"),
        ("nvcr.io#nvidia/pytorch:25.01-py3", None),
        ("registry/cudagraphs:12.1", None),
    ],
)
def test_the_cuda_release_that_an_image_names(tmp_path: Path, image: str, cuda: str | None) -> None:
    words, _ = script(tmp_path, RUN + "--num-layers 4\n", HEADER + f"#SBATCH --container-image={image}\n")
    assert words["job"].get("cuda") == cuda


def test_a_sign_inside_an_array_is_no_comment_where_it_is_quoted(tmp_path: Path) -> None:
    body = (
        "ARGS=(\n  --num-layers 8 # '--num-layers 9'\n  --data \"a # b\" --hidden-size 64 # 128\n)\n"
        + RUN
        + '"${ARGS[@]}"\n'
    )
    words, _ = script(tmp_path, body)
    assert (words["model"]["layers"], words["model"]["hidden"]) == ("8", "64")


def test_a_published_vocabulary_is_known_by_its_file(tmp_path: Path) -> None:
    for name, size in (("gpt2-vocab.json", "50257"), ("vocab.json", None)):
        words, _ = script(tmp_path, RUN + f"--num-layers 4 --vocab-file $ELSEWHERE/{name}\n")
        assert words["model"].get("vocabulary") == size


def test_adapters_are_counted_where_all_are_named(tmp_path: Path) -> None:
    for stated, number in (("=mlx5_0,mlx5_1,mlx5_4", ["3"]), ("mlx5", []), ("^mlx5_0,mlx5_1", [])):
        _, found = script(tmp_path, f"export NCCL_IB_HCA={stated}\n" + RUN + "--num-layers 4\n")
        assert [one.value.text for one in found.facts if one.name == "adapters"] == number
