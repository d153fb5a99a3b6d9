"""What a script's own statements do to the values that a launch gets: none of them may leave a value that is no longer true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import at, plain, read

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.importers import Imported

LAUNCH = "torchrun --nnodes 2 --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --tensor-model-parallel-size $TP"
OPTIONS = (
    'TP=8\nNODES=1\nWHO=none\nEXTRA=()\nwhile [[ $# -gt 0 ]]; do case $1 in --tp) TP="$2"; shift 2;; '
    '--nodes) NODES=$2; shift 2;; *) EXTRA+=("$1"); shift;; esac; done\n'
)


def script(tmp_path: Path, text: str, **settings: str) -> Imported:
    pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")
    return read(tmp_path, {"run.sh": f"#!/bin/bash\n{text}\n"}, settings=settings)


def tensor(tmp_path: Path, text: str) -> Any:
    (words,) = plain(script(tmp_path, f"{text}\n{LAUNCH}").words["workloads"])
    return words["parallelism"].get("tensor")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("TP=4\n((TP*=2))", "8"),
        ("TP=4\n((TP++))", "5"),
        ("TP=4\n((TP = 2 * TP))", "8"),
        ("TP=4\nlet TP=TP*2", "8"),
        ("TP=4\nlet TP*=2", "8"),
        ("TP=4\n(( NODES > 2 && (TP = 2) ))", None),
        ("TP=4\nprintf -v TP %d 2", None),
        ("TP=4\nfor n in 1 2; do ((TP*=2)); done", None),
        ("TP=4\nfor n in 1 2; do let TP*=2; done", None),
        ("TP=2\nf() { local TP=4; echo $TP; }\nf", "2"),
        ("TP=2\nf() { declare TP=4; }\nf", "2"),
        ("TP=2\nf() { declare -g TP=4; }\nf", "4"),
        ("TP=2\nf() { TP=4; }\nf", "4"),
        ("TP=2\n(TP=4; echo $TP)", "2"),
        ("TP=2\n{ TP=4; echo $TP; }", "4"),
        ("TP=4\nunset TP\nTP=${TP:-2}", "2"),
        ("TP=2 PP=4", "2"),
        ("TP=2 PP=4 \\\n  echo", None),
        ("TP=2\n: <<'END'\nTP=9\nEND", "2"),
        ("TP=2\n<<COMMENT\nTP=9 # ä\nCOMMENT", "2"),
        (
            "TP=2\ncat <<EOF\ntorchrun pretrain_gpt.py --tensor-model-parallel-size 9 --num-layers 2 --hidden-size 4 --bf16\nEOF",
            "2",
        ),
    ],
)
def test_statements_that_set_a_variable(tmp_path: Path, text: str, value: str | None) -> None:
    assert tensor(tmp_path, text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('TP=2\nif [ -f "$HOME/x" ]; then TP=4; exit; fi', "2"),
        ('case "$1" in a) TP=4;; *) echo usage; exit 1;; esac', "4"),
        ("if [ -f x ]; then exit 1; else TP=4; fi", "4"),
        ('TP=2\nif [ -z "$STAGE" ]; then echo "set it"; exit 1; fi', "2"),
        ("TP=2\nfor n in $LIST; do exit; done", "2"),
        ("TP=2\n(exit 0)", "2"),
    ],
)
def test_nothing_follows_where_a_script_ends(tmp_path: Path, text: str, value: str | None) -> None:
    assert tensor(tmp_path, text) == value


def test_what_stands_behind_the_end_does_not_run(tmp_path: Path) -> None:
    assert (
        tensor(tmp_path, f"TP=2\n{LAUNCH}\nexit 0\nTP=4\nMORE='--pipeline-model-parallel-size 2 --micro-batch-size 1'")
        == "2"
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("if [ -d /x ]; then export NCCL_SOCKET_IFNAME=ib0; else export NCCL_SOCKET_IFNAME=eth0; fi", None),
        ("if [ -d /x ]; then export NCCL_SOCKET_IFNAME=ib0; else export NCCL_SOCKET_IFNAME=ib0; fi", "ib0"),
        ("export NCCL_SOCKET_IFNAME=eth0\nif [ -d /x ]; then export NCCL_SOCKET_IFNAME=ib0; fi", None),
        ("export NCCL_SOCKET_IFNAME=eth0\nunset NCCL_SOCKET_IFNAME", None),
    ],
)
def test_exports_of_branches(tmp_path: Path, text: str, value: str | None) -> None:
    (words,) = plain(script(tmp_path, f"TP=2\n{text}\n{LAUNCH}").words["workloads"])
    assert words.get("environment", {}).get("nccl_socket_ifname") == value


def test_what_options_replace_has_the_script_s_own_value_without_them(tmp_path: Path) -> None:
    found = script(tmp_path, f"{OPTIONS}{LAUNCH}")
    value = at(found, "workloads/0/parallelism/tensor")
    assert (value.text, value.how, value.note) == ("8", "default", "the script's own, unless an option sets TP")
    assert at(script(tmp_path, f"{OPTIONS}{LAUNCH}", TP="4"), "workloads/0/parallelism/tensor").text == "4"
    assert tensor(tmp_path, "TP=8\nfor n in 2 4; do TP=$n; done") is None  # no loop over arguments


def test_one_server_unless_an_option_says_otherwise_is_no_number(tmp_path: Path) -> None:
    found = script(tmp_path, f"{OPTIONS}{LAUNCH.replace('--nnodes 2', '--nnodes $NODES')}")
    assert "servers" not in plain(found.words["workloads"])[0]["job"]
    assert any("NODES is 1" in one.why for one in found.unknowns)


HEADER = "#SBATCH --nodes=2\n#SBATCH --gres=gpu:8\n"


@pytest.mark.parametrize(
    ("text", "gpus"),
    [
        (f"{HEADER}srun --gpus-per-node=4 python train.py", "8"),
        ("#SBATCH --nodes=2\nsrun --gpus-per-node=4 python train.py", "4"),
        ("#SBATCH --nodes=2\n#SBATCH --gres=gpu:a100:2,gpu:v100:2\nsrun python train.py", None),
        ("#SBATCH --nodes=2\n#SBATCH --gres=nvme:1,gpu:a100:2\nsrun python train.py", "2"),
    ],
)
def test_a_step_may_take_fewer_gpus_than_the_job(tmp_path: Path, text: str, gpus: str | None) -> None:
    (words,) = plain(script(tmp_path, text).words["workloads"])
    assert words["job"].get("gpus_per_server") == gpus


@pytest.mark.parametrize(
    ("flags", "heads"), [("--num-query-groups 2", "4"), ("--group-query-attention --num-query-groups 2", "2")]
)
def test_groups_of_queries_need_their_switch(tmp_path: Path, flags: str, heads: str) -> None:
    command = (
        f"torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 2 --hidden-size 64 --num-attention-heads 4 {flags}"
    )
    (words,) = plain(script(tmp_path, command).words["workloads"])
    assert words["model"]["kv_heads"] == heads


@pytest.mark.parametrize("option", ["--time=1:00:00", "--exclusive", "--ntasks-per-node 8", "-l"])
def test_a_program_by_its_path_is_no_value_of_the_option_before(tmp_path: Path, option: str) -> None:
    (words,) = plain(script(tmp_path, f"srun --nodes=2 {option} ./train.sh --time=9 --nodes 5").words["workloads"])
    assert words["job"]["servers"] == "2"
    assert words["job"].get("walltime") == ("1 h" if "time" in option else None)


@pytest.mark.parametrize("where", ["#SBATCH --tasks-per-node=4\n", ""])
def test_a_deprecated_name_of_an_option_counts(tmp_path: Path, where: str) -> None:
    step = "" if where else "--tasks-per-node=4"
    found = script(tmp_path, f"#SBATCH --nodes=2\n{where}srun {step} python train.py")
    assert at(found, "workloads/0/job/tasks_per_server").text == "4"
    assert not [one for one in found.clashes if one.rule == "import/misspelt-key"]


def test_layers_that_a_fork_pads_have_no_stated_width(tmp_path: Path) -> None:
    command = "torchrun --nproc_per_node 8 train.py --num-layers 2 --model-parallel-size 8 --intermediate-size 27308"
    (words,) = plain(script(tmp_path, command).words["workloads"])
    assert (words["model"], words["parallelism"]["tensor"]) == ({"layers": "2"}, "8")


def test_a_key_of_deepspeed_that_is_put_out_of_use_is_not_misspelt(tmp_path: Path) -> None:
    text = '{"zero_optimization": {"stage": 1}, "#flops_profiler": {"enabled": true}, "wall_clock_breakdwn": false}'
    found = read(tmp_path, {"ds.json": text})
    assert [one.values["name"] for one in found.clashes] == ["wall_clock_breakdwn"]
